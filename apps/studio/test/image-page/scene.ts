/** An image by a formula, so that tests know each pixel: speckle, whose strength varies, and point targets at each 128th pixel. */

/** How an image is made. */
export interface SceneSize {
  readonly rows: number;
  readonly columns: number;
}

/** Numbers from 0 to 1 that seem random. */
function hash(a: number, b: number): number {
  let t = Math.imul(a + 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  t = Math.imul(t ^ (t >>> 15), 0x2c1b3c6d);
  t = Math.imul(t ^ (t >>> 12), 0x297a2d39);
  return ((t ^ (t >>> 15)) >>> 0) / 2 ** 32;
}

/** A smooth pulse like a focused target's. */
const lobe = (x: number): number => (Math.abs(x) < 1e-9 ? 1 : Math.sin((Math.PI * x) / 1.3) / ((Math.PI * x) / 1.3));

const reach = 16;
const lobes = Float32Array.from({ length: 2 * reach + 1 }, (_, i) => lobe(i - reach));

/** Real part of a pixel; the imaginary part is speckle only. */
export function pixelsOf(top: number, left: number, rows: number, columns: number): Float32Array {
  const data = new Float32Array(2 * rows * columns);
  for (let r = 0, to = 0; r < rows; r++) {
    const down = ((top + r + 64) % 128) - 64;
    for (let c = 0; c < columns; c++, to += 2) {
      const across = ((left + c + 64) % 128) - 64;
      const strength = 0.02 + 0.02 * Math.sin((top + r) / 200) * Math.cos((left + c) / 300);
      data[to] = strength * (hash(top + r, 2 * (left + c)) - 0.5);
      data[to + 1] = strength * (hash(top + r, 2 * (left + c) + 1) - 0.5);
      if (Math.abs(down) <= reach && Math.abs(across) <= reach) data[to]! += lobes[down + reach]! * lobes[across + reach]!;
    }
  }
  return data;
}
