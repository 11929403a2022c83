// The regular lines of a recording with three missing pulses, a repeated one, and a change of the PRF.
import { mapLines, regularLines } from "@dechirp/processor";

const radar = { prfHz: 1000, samplingRateHz: 30e6 };
const samples = 4;
const numbers = [...Array(100).keys()].filter((line) => line < 40 || line > 42);
numbers.splice(60, 0, numbers[59]); // sent once, recorded twice
const later = [...Array(50).keys()].map((p) => 0.1 + p / 1050);
const pulseSeconds = Float64Array.from([...numbers.map((line) => line / 1000), ...later]);
const recording = {
  shape: [pulseSeconds.length, samples] as const,
  dtype: "ci8" as const,
  radar,
  pulseSeconds,
  pulses: (from: number, count: number) => Int8Array.from({ length: 2 * count * samples }, (_, i) => from + Math.floor(i / 2 / samples)),
};

// #region map
const { segments, report } = mapLines(recording);
console.log(`${report.missing} missing before pulse ${report.firstMissing}, ${report.repeated} repeated: pulse ${report.firstRepeated}`);
for (const { border, lines, prfHz, runs } of segments) {
  const parts = runs.map((run) => (run.kind === "zero" ? `${run.count} zeros` : `pulses ${run.from} to ${run.from + run.count - 1}`));
  console.log(`${border}: ${lines} lines at ${prfHz.toFixed(0)} Hz: ${parts.join(", ")}`);
}
const lines = regularLines(recording, segments[0]);
const block = await lines.pulses(38, 6); // [6][samples], interleaved
console.log([...block].filter((_, i) => i % (2 * samples) === 0).join(" "));
// #endregion map
