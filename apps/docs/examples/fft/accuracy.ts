// Relative error of float32 transforms against their definition in float64, beside the bound that every backend is held to.
import { createRandom, evaluate, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

using device = await open(cpu({ kernels: "plain", workers: 1 })); // the same bits on every machine
const lines = 8;

for (const n of [16, 120, 1000, 1009, 4096, 16384]) {
  const shape = layout("c64", [lines, n]);
  const random = createRandom(n);
  const x = Float32Array.from({ length: 2 * lines * n }, () => random.gaussian());
  const op = { op: "fft", layout: shape, axis: 1, inverse: false } as const;
  const program = { name: "fft", inputs: { x: shape }, steps: [{ name: "fft", op, bind: { in: "x", out: "y" } }], outputs: ["y"] };
  const { y } = await evaluate(program, device, { x });
  using plan = await device.plan(op);

  // y[k] = Σ x[i]·exp(−j2πik/n), for 64 bins of each line.
  let error = 0;
  let energy = 0;
  for (let line = 0; line < lines; line++) {
    for (let b = 0; b < 64; b++) {
      const k = Math.floor((b * n) / 64);
      let [re, im] = [0, 0];
      for (let i = 0; i < n; i++) {
        const angle = (-2 * Math.PI * ((i * k) % n)) / n;
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        const at = 2 * (line * n + i);
        re += x[at] * c - x[at + 1] * s;
        im += x[at] * s + x[at + 1] * c;
      }
      const at = 2 * (line * n + k);
      error += (y[at] - re) ** 2 + (y[at + 1] - im) ** 2;
      energy += re * re + im * im;
    }
  }
  const bound = (plan.text.includes("bluestein") ? 0.8 : 0.4) * 2 ** -23 * Math.sqrt(Math.log2(n));
  const measured = Math.sqrt(error / energy);
  console.log(`n = ${n}: ${measured.toExponential(1)}, bound ${bound.toExponential(1)}, ${measured < bound ? "within" : "BEYOND"}`);
}
