import { compile, layout, open, program } from "@dechirp/core";
import { map } from "@dechirp/core/expression";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const n = 24;
const matrix = layout("f32", [n, n]);
const vector = layout("f32", [n]);
const one = layout("f32", [1]);
const step = program({
  name: "power step",
  inputs: { a: matrix, x: vector },
  steps: [
    {
      name: "norm",
      op: map({ shape: [1], sources: { x: vector }, outputs: { norm: "f32" } }, `sqrt(sum(j, ${n}, x[j] * x[j]))`),
      bind: { x: "x", norm: "norm" },
    },
    {
      name: "product",
      op: map(
        { shape: [n], sources: { a: matrix, x: vector, norm: one }, outputs: { y: "f32" } },
        `sum(j, ${n}, a[i0, j] * x[j]) / norm[0]`,
      ),
      bind: { a: "a", x: "x", norm: "norm", y: "y" },
    },
  ],
  outputs: ["y", "norm"],
});

// 2 on the diagonal, -1 beside it: its largest eigenvalue is 2 + 2cos(π/25).
const entries = Float32Array.from({ length: n * n }, (_, e) => [2, -1][Math.abs(Math.floor(e / n) - (e % n))] ?? 0);

for (const backends of [[cpu()], [gpu(), cpu()]]) {
  using device = await open(...backends);
  using plan = await compile(step, device);
  using a = device.alloc(matrix);
  using norm = device.alloc(one);
  let [x, y] = [device.alloc(vector), device.alloc(vector)];
  a.write(entries);
  x.write(Float32Array.from({ length: n }, (_, i) => (i % 2 === 0 ? 1 : -1)));
  for (let last = 0, i = 0; i < 2000; i++) {
    plan.run({ a, x, y, norm });
    [x, y] = [y, x]; // the result is the next input
    if (i % 100 > 0) continue; // most steps are only queued
    const [size] = await norm.read();
    if (Math.abs(size - last) < 1e-5 * size) break;
    last = size;
  }
  const [eigenvalue] = await norm.read();
  console.log(device.id, eigenvalue.toFixed(3), "exact:", (2 + 2 * Math.cos(Math.PI / (n + 1))).toFixed(3));
}
