import { evaluate, layout, open, program } from "@dechirp/core";
import { asU32, cis, map, plus, times, toReal } from "@dechirp/core/expression";
import { cpu } from "@dechirp/fft-cpu";

const [lines, samples] = [4, 4096];
const fractions = layout("u32", [lines]);
const cycles = layout("f32", [lines]);
const phases = map(
  {
    shape: [lines, samples],
    sources: { start: fractions, rate: fractions, rateInCycles: cycles },
    outputs: { exact: "c64", rounded: "c64" },
  },
  ({ at: [line, i], start, rate, rateInCycles }) => ({
    exact: cis(plus(start(line), times(rate(line), asU32(i)))),
    rounded: cis(times(rateInCycles(line), toReal(i))),
  }),
);
const turning = program({
  name: "turning",
  inputs: { start: fractions, rate: fractions, rateInCycles: cycles },
  steps: [
    {
      name: "phase",
      op: phases,
      bind: { start: "start", rate: "rate", rateInCycles: "rateInCycles", exact: "exact", rounded: "rounded" },
    },
  ],
  outputs: ["exact", "rounded"],
});

/** The fraction of a number of cycles, in units of 2⁻³² cycles. */
const fraction = (cycles: number): number => Math.round((cycles - Math.floor(cycles)) * 2 ** 32) % 2 ** 32;
const rates = [1.37, 12.61, 130.18, 1299.43]; // cycles per sample
using device = await open(cpu());
const found = await evaluate(turning, device, {
  start: new Uint32Array(lines),
  rate: Uint32Array.from(rates, fraction),
  rateInCycles: Float32Array.from(rates),
});
for (const [line, rate] of rates.entries()) {
  const at = 2 * (line * samples + samples - 1);
  const angle = 2 * Math.PI * ((rate * (samples - 1)) % 1);
  const error = (x: Float32Array): string => Math.hypot(x[at] - Math.cos(angle), x[at + 1] - Math.sin(angle)).toExponential(0);
  console.log(`${Math.round(rate * samples)} cycles: error ${error(found.exact)} in u32, ${error(found.rounded)} in float32`);
}
