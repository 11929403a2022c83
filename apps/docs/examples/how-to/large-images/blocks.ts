import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { npySink } from "@dechirp/io/node";
import { focusInBlocks, planFocus, simulateRecording } from "@dechirp/processor";
import { scenePresets } from "@dechirp/sar";

using device = await open(cpu());
const recording = await simulateRecording("scene", { ...scenePresets.default, lines: 1536 }, { type: "ci8" }, device);

// #region blocks
const plan = await planFocus(recording, {}, device, { memoryBytes: 20e6 });
const { blocks, lines, step, overlapLines } = plan.plan;
console.log(`${plan.shape.join(" × ")} in ${blocks.length} blocks of ${lines} lines, ${step} rows each, ${overlapLines} lines shared`);

const sink = await npySink.open("image.npy", { dtype: "c64", shape: plan.shape });
try {
  const { report, quicklook } = await focusInBlocks(recording, device, sink, plan, { signal: AbortSignal.timeout(600_000) });
  await sink.finish();
  console.log(`entropy ${report.entropy.toFixed(2)}, quicklook of ${quicklook.width} × ${quicklook.height} pixels`);
} catch (error) {
  await sink.abort();
  throw error;
}
// #endregion blocks
