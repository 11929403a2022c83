// The relative error of float32 transforms, compared with the definition in float64, and the bound that every backend must keep.
import { createRandom, fft, layout, open, transform } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

using device = await open(cpu({ kernels: "plain", workers: 1 })); // the same bits on every machine
const lines = 8;

for (const n of [16, 120, 1000, 1009, 4096, 16384]) {
  const random = createRandom(n);
  const x = Float32Array.from({ length: 2 * lines * n }, () => random.gaussian());
  const y = await transform(device, x, { shape: [lines, n], axes: [1] });
  using plan = await device.plan(fft(layout("c64", [lines, n]), { axis: 1 }));

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
  const bound = (plan.convolved ? 0.8 : 0.4) * 2 ** -23 * Math.sqrt(Math.log2(n));
  const measured = Math.sqrt(error / energy);
  console.log(`n = ${n}: ${measured.toExponential(1)}, bound ${bound.toExponential(1)}, ${measured < bound ? "within" : "BEYOND"}`);
}
