/** Whether what was timed was also right: sampled lines of the output against float64 transforms on the host. */
import { axisView, type Buffer, layout, type Op, open, type TypedArrayOf } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

/** Relative L2 error of three lines; NaN for ops that are not checked here. */
export async function relativeError(op: Op, bindings: Readonly<Record<string, Buffer>>, data: Float32Array): Promise<number> {
  if (op.op === "kernel") return Number.NaN;
  const view = "axis" in op ? axisView(op.layout, op.axis) : undefined;
  const out = await bindings["out"].read();
  if (op.op === "transpose") return transposeError(op.layout.shape, out, data);
  if (!view || (op.op !== "fft" && op.op !== "spectral-filter" && op.op !== "real-fft")) return Number.NaN;
  const device = await open(cpu({ kernels: "js" }));
  const { outers, inners, extent: n } = view;
  const lines = outers * inners;
  let [error, energy] = [0, 0];
  for (const line of new Set([0, Math.floor(lines / 3), lines - 1])) {
    const at = (i: number): number => (Math.floor(line / inners) * n + i) * inners + (line % inners);
    const x = new Float64Array(2 * n);
    for (let i = 0; i < n; i++) {
      x[2 * i] = op.op === "real-fft" ? data[at(i)] : data[2 * at(i)];
      x[2 * i + 1] = op.op === "real-fft" ? 0 : data[2 * at(i) + 1];
    }
    const spectrum = await transformed(device, x, n, false);
    let y = spectrum;
    if (op.op === "spectral-filter") {
      const product = new Float64Array(2 * n);
      for (let k = 0; k < n; k++) {
        const [a, b, c, d] = [spectrum[2 * k], spectrum[2 * k + 1], data[2 * k], data[2 * k + 1]];
        product.set([a * c - b * d, a * d + b * c], 2 * k);
      }
      y = await transformed(device, product, n, true);
    }
    const bins = op.op === "real-fft" ? n / 2 + 1 : n;
    for (let k = 0; k < bins; k++) {
      const e = op.op === "real-fft" ? line * bins + k : at(k);
      for (const part of [0, 1]) {
        error += (out[2 * e + part] - y[2 * k + part]) ** 2;
        energy += y[2 * k + part] ** 2;
      }
    }
  }
  device[Symbol.dispose]();
  return Math.sqrt(error / energy);
}

async function transformed(device: Awaited<ReturnType<typeof open>>, x: Float64Array, n: number, inverse: boolean): Promise<Float64Array> {
  const shape = layout("c128", [1, n]);
  const plan = await device.plan({ op: "fft", layout: shape, axis: 1, inverse });
  const [a, b] = [device.alloc(shape), device.alloc(shape)];
  a.write(x);
  plan.run({ in: a, out: b });
  const y = (await b.read()) as Float64Array;
  for (const thing of [plan, a, b]) thing[Symbol.dispose]();
  return y;
}

function transposeError([rows, columns]: readonly number[], out: TypedArrayOf, data: Float32Array): number {
  let wrong = 0;
  for (let i = 0; i < rows * columns; i += 997) {
    const [row, column] = [Math.floor(i / columns), i % columns];
    if (out[2 * (column * rows + row)] !== data[2 * i]) wrong += 1;
  }
  return wrong;
}
