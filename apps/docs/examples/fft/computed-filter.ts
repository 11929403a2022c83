// A filter that a hook computes at every line and bin: each line is delayed by its own number of samples.
import { evaluate, layout, open, program, spectralFilter } from "@dechirp/core";
import { asU32, cis, load, times } from "@dechirp/core/expression";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const [lines, n] = [4, 256];
const pulses = layout("c64", [lines, n]);

// #region filter
/** exp(−j2π·delay·bin/n). slopes [line] is −delay/n in units of 2⁻³² cycles, so that whole cycles overflow. */
const slopes = layout("u32", [lines]);
const delay = load({ name: "delay", layout: pulses, sources: { slopes } }, ({ at: [line, bin], slopes }) =>
  cis(times(slopes(line), asU32(bin))),
);
const op = spectralFilter(pulses, { axis: 1, h: delay });
// #endregion filter

const delayed = program({
  name: "delay each line",
  inputs: { pulses, slopes },
  steps: [{ name: "delay", op, bind: { in: "pulses", slopes: "slopes", out: "delayed" } }],
  outputs: ["delayed"],
});

const samples = new Float32Array(2 * lines * n);
for (let line = 0; line < lines; line++) samples[2 * (line * n + 100)] = 1; // a pulse at sample 100
const delays = [0, 5, 10, 20];
using device = await open(gpu(), cpu());
const result = await evaluate(delayed, device, { pulses: samples, slopes: Uint32Array.from(delays, (d) => (-d * 2 ** 32) / n) });
for (let line = 0; line < lines; line++) {
  let peak = 0;
  const power = (i: number): number => Math.hypot(...result.delayed.subarray(2 * (line * n + i), 2 * (line * n + i) + 2));
  for (let i = 0; i < n; i++) if (power(i) > power(peak)) peak = i;
  console.log(`line ${line}: from sample 100 to sample ${peak}`);
}
