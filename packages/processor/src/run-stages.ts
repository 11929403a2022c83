/** Runs a compiled program and measures the time of each stage. */
import { type Buffer, type CompiledProgram, type Device, dtypes, type Pause, type TypedArrayOf } from "@dechirp/core";
import type { StageReport } from "./used.ts";

/** Bytes that are written at once: what the staging buffers of a GPU hold. */
const sliceBytes = 2 ** 23;

/**
 * Writes all of `data` into `buffer` from element `at`, in slices with turns of the event loop in between. Writing a gigabyte at once
 * would block the event loop for a second.
 */
export async function writeInSlices(buffer: Buffer, data: TypedArrayOf, at: number, pause: Pause): Promise<void> {
  const { bytes, components } = dtypes[buffer.layout.dtype];
  const slice = components * Math.floor(sliceBytes / bytes);
  for (let from = 0; from < data.length; from += slice) {
    buffer.write(data.subarray(from, from + slice) as TypedArrayOf, at + from / components);
    await pause();
  }
}

/**
 * Runs `compiled` on `buffers` and resolves when all stages are done, with their times and plans. Rejects with `aborted` if `signal`
 * fires.
 */
export async function runStages(
  compiled: CompiledProgram,
  device: Device,
  buffers: Readonly<Record<string, Buffer>>,
  signal: AbortSignal | undefined,
  onShare: (stage: string, share: number) => void,
): Promise<readonly StageReport[]> {
  await device.ready();
  const starts: number[] = [];
  await compiled.run(buffers, {
    ...(signal ? { signal } : {}),
    onProgress({ stage, finished, stages }) {
      starts.push(performance.now());
      onShare(stage, finished / stages);
    },
  }).done;
  return compiled.stages.map(({ name, plan }, i) => ({
    name,
    milliseconds: Math.round(10 * (starts[i + 1] - starts[i])) / 10,
    text: plan.text,
  }));
}
