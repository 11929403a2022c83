// #region gpu
import { evaluate, open } from "@dechirp/core";
import { compare, profileProgram } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { rangeDoppler } from "@dechirp/sar";
import { lines, radar, raw, samples, scene } from "./scene.ts";

const { processedBandwidthHz } = scene;
const program = rangeDoppler({ radar, lines, samples, processedBandwidthHz });

using fast = await open(gpu(), cpu()); // the GPU if there is one, otherwise the CPU
console.log(`on ${fast.id}: ${fast.info.description}`);
console.log(fast.info.notes.join("; ")); // warnings, such as a slow mode or a missing feature; usually none
const { image } = await evaluate(program, fast, { raw });
console.log(`${image.length / 2} pixels`);
// #endregion gpu

// #region compare
using processor = await open(cpu());
const { stages, first } = await compare(program, fast, processor, { raw });
for (const { stage, relativeL2, tolerance } of stages) {
  console.log(`${stage}: ${relativeL2.toExponential(1)} relative difference, ${tolerance.toExponential(1)} allowed`);
}
console.log(first ? `first difference: after ${first.stage}, at [${first.at}]` : "the devices agree after every step");
// #endregion compare

// #region profile
const timed = await profileProgram(program, processor, { raw });
for (const { stage, milliseconds, cost, roofline, text } of timed.stages) {
  console.log(
    `${stage}: ${milliseconds.toFixed(1)} ms, ${(cost.bytes / 2 ** 20).toFixed(0)} MiB, ${(100 * roofline).toFixed(0)} % of a copy`,
  );
  console.log(`  ${text}`);
}
// #endregion profile
