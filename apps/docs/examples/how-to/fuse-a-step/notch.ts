import { evaluate, layout, open, program, spectralFilter } from "@dechirp/core";
import { abs, divide, less, load, minus, round, select, times, toReal } from "@dechirp/core/expression";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const lines = layout("c64", [64, 1024]);
const bins = layout("f32", [64]); // where the interference of each line is

const notch = load({ name: "notch", layout: lines, sources: { bins }, uniforms: { width: "f32" } }, ({ at: [line, k], bins, width }) => {
  const distance = minus(toReal(k), bins(line));
  const wrapped = minus(distance, times(1024, round(divide(distance, 1024)))); // bin 1023 is next to bin 0
  return select(less(abs(wrapped), width), 0, 1);
});
const clean = program({
  name: "clean",
  inputs: { lines, bins },
  steps: [{ name: "notch", op: spectralFilter(lines, { axis: 1, h: notch }), bind: { in: "lines", bins: "bins", out: "cleaned" } }],
  outputs: ["cleaned"],
});

// Interference of amplitude 100 at bin 10·line, and an echo of amplitude 1 in sample 500.
const where = Float32Array.from({ length: 64 }, (_, line) => 10 * line);
const recorded = new Float32Array(2 * 64 * 1024);
for (let i = 0; i < 64 * 1024; i++) {
  const angle = (2 * Math.PI * where[Math.floor(i / 1024)] * (i % 1024)) / 1024;
  recorded.set([100 * Math.cos(angle) + (i % 1024 === 500 ? 1 : 0), 100 * Math.sin(angle)], 2 * i);
}

for (const backends of [[cpu()], [gpu(), cpu()]]) {
  using device = await open(...backends);
  const { cleaned } = await evaluate(clean, device, { lines: recorded, bins: where }, { uniforms: { width: 2.5 } });
  const magnitude = (sample: number): string => Math.hypot(...cleaned.subarray(2 * sample, 2 * sample + 2)).toFixed(3);
  console.log(device.id, "echo", magnitude(7 * 1024 + 500), "beside it", magnitude(7 * 1024 + 510));
}
