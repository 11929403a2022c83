/** What a plan and its data cost around the device's own time: queueing, uploads, reads. */
import { type Device, layout } from "@dechirp/core";

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];

export async function transfers(device: Device, data: Float32Array, say: (line: string) => void): Promise<void> {
  const tiny = layout("c64", [1, 16]);
  const plan = await device.plan({ op: "fft", layout: tiny, axis: 1, inverse: false });
  const [a, b] = [device.alloc(tiny), device.alloc(tiny)];
  const runs: number[] = [];
  for (let s = 0; s < 9; s++) {
    const begin = performance.now();
    for (let i = 0; i < 1000; i++) plan.run({ in: a, out: b });
    await b.read();
    runs.push(performance.now() - begin);
  }
  say(`1,000 runs of a tiny plan and a read: ${median(runs).toFixed(2)} µs a run (${runs.map((v) => v.toFixed(1)).join(" ")})`);
  const shape = layout("c64", [data.length / 2]);
  const buffer = device.alloc(shape);
  const [up, down]: [number[], number[]] = [[], []];
  for (let s = 0; s < 6; s++) {
    const begin = performance.now();
    buffer.write(data);
    await device.ready();
    const middle = performance.now();
    const back = await buffer.read();
    down.push(performance.now() - middle);
    up.push(middle - begin);
    if (back[data.length - 1] !== data[data.length - 1]) throw new Error("what was read is not what was written");
  }
  const rate = (ms: readonly number[]): string => ms.map((v) => (data.byteLength / v / 1e6).toFixed(2)).join(" ");
  say(`upload of ${data.byteLength / 2 ** 20} MiB, GB/s: ${rate(up)}`);
  say(`read, GB/s: ${rate(down)}`);
  for (const thing of [plan, a, b, buffer]) thing[Symbol.dispose]();
}
