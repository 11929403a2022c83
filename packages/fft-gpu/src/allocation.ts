/**
 * Allocates buffers and reports failures. In WebGPU a failed allocation still returns a buffer, which is unusable, and the device reports
 * the failure later.
 */
import { messageOf, RadarError } from "@dechirp/core";

/** The first line of an error. Further lines are about internal calls, which do not help a user. */
export const firstLine = (error: unknown): string => messageOf((error as Partial<Error> | null)?.message?.split("\n", 1)[0] ?? error);

/** A new buffer and the result of its allocation. */
export interface Allocated<T> {
  readonly made: T;
  /** Resolves with the error if the allocation failed. */
  readonly refused: Promise<RadarError | undefined>;
}

/** Allocates by `make`, and names `label` and `bytes` in errors. Throws `out-of-memory` if the device reports it at once. */
export function allocated<T>(gpu: GPUDevice, label: string, bytes: number, make: () => T): Allocated<T> {
  const failure = (error: unknown): RadarError =>
    new RadarError("out-of-memory", `${label} of ${bytes} bytes could not be allocated: ${firstLine(error)}`, { label, bytes }, error);
  gpu.pushErrorScope("out-of-memory");
  gpu.pushErrorScope("validation");
  let made: T;
  let scopes: readonly Promise<GPUError | null>[] = [];
  try {
    made = make();
  } catch (error) {
    throw failure(error);
  } finally {
    scopes = [gpu.popErrorScope(), gpu.popErrorScope()];
    for (const scope of scopes) scope.catch(() => {});
  }
  const refused = Promise.all(scopes).then(
    (errors) => {
      const error = errors.find((e) => e !== null);
      return error ? failure(error) : undefined;
    },
    () => undefined, // the device is lost, which is reported elsewhere
  );
  return { made, refused };
}

/** Calls `use`. If its object is `doubtful`, errors of the call are ignored, as the failed allocation is reported to its owner. */
export function ignoringErrors<T>(gpu: GPUDevice, doubtful: boolean, use: () => T): T {
  if (!doubtful) return use();
  gpu.pushErrorScope("validation");
  try {
    return use();
  } finally {
    gpu.popErrorScope().catch(() => {});
  }
}
