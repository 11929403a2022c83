/**
 * Measures the error of a device's own sine and cosine. WGSL allows 2⁻¹¹ between −π and π. Some adapters are much more exact and others
 * are not, so results that use them must be compared within this error.
 */
import { type Device, type Kernel, layout } from "@dechirp/core";

/** The error that WGSL allows for sin and cos between −π and π. */
export const allowedSineError = 2 ** -11;

export interface SineError {
  /** The largest error of a sine or a cosine. */
  readonly most: number;
  /** Root mean square of |computed − exp(j2πr)| over a cycle. */
  readonly rms: number;
}

/** Measures `sin` and `cos` of WGSL on a GPU, at 65536 evenly spaced phases of r cycles between −½ and ½. */
export async function sineErrorOf(device: Device): Promise<SineError> {
  const count = 65_536;
  const cycles = Float32Array.from({ length: count }, (_, i) => (i + 0.5) / count - 0.5);
  const kernel: Kernel = {
    op: "kernel",
    name: "sines",
    items: count,
    elementwise: true,
    ports: {
      in: { access: "read", layout: layout("f32", [count]) },
      out: { access: "write", layout: layout("c64", [count]) },
    },
    reference: () => {
      throw new Error("this test needs the device's own sines");
    },
    wgsl: (_constants, _limits, toolkit) =>
      toolkit.items("let a = 6.283185307179586 * load_in(item); store_out(item, vec2f(cos(a), sin(a)));"),
  };
  using plan = await device.plan(kernel);
  using from = device.alloc(kernel.ports["in"].layout);
  using to = device.alloc(kernel.ports["out"].layout);
  from.write(cycles);
  plan.run({ in: from, out: to });
  const computed = await to.read();
  let [most, energy] = [0, 0];
  for (const [i, r] of cycles.entries()) {
    const errors = [computed[2 * i] - Math.cos(2 * Math.PI * r), computed[2 * i + 1] - Math.sin(2 * Math.PI * r)];
    most = Math.max(most, ...errors.map(Math.abs));
    energy += errors[0] ** 2 + errors[1] ** 2;
  }
  return { most, rms: Math.sqrt(energy / count) };
}
