/** Runs a program stage by stage, from arrays to arrays, each stage timed. */
import { type Buffer, type CompiledProgram, type Device, dtypes, type Pause, type TypedArrayOf } from "@dechirp/core";
import { forEachSlice } from "@dechirp/core/internal";
import type { StageReport } from "./used.ts";

/** Writes all of `data` into `buffer`, from element `at` on, with turns of the event loop in between: a gigabyte at once would block it for a second. */
export async function writeInSlices(buffer: Buffer, data: TypedArrayOf, at: number, pause: Pause): Promise<void> {
  const { components } = dtypes[buffer.layout.dtype];
  await forEachSlice(data.length, pause, (from, to) => buffer.write(data.subarray(from, to) as TypedArrayOf, at + from / components));
}

/** Runs `compiled` over `buffers`; resolves when all is done. Rejects with `aborted` where `signal` fires. */
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
