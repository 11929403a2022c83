/** Buffers, and what the device says of their memory later: an allocation that fails gives a buffer all the same, which is no use. */
import { messageOf, RadarError } from "@dechirp/core";

/** What a device says may have lines of its own, about calls that are none of the user's. */
export const firstLine = (error: unknown): string => messageOf((error as Partial<Error> | null)?.message?.split("\n", 1)[0] ?? error);

export interface Allocated<T> {
  readonly made: T;
  /** Resolves with what went wrong. */
  readonly refused: Promise<RadarError | undefined>;
}

/** What `make` allocates on the device, `bytes` called `label`. Throws `out-of-memory` where the device says so at once. */
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
    () => undefined, // the device is lost, which others tell
  );
  return { made, refused };
}

/** `use`, whose errors nobody is told where it is of something `doubtful`: who asked for that is. */
export function unheard<T>(gpu: GPUDevice, doubtful: boolean, use: () => T): T {
  if (!doubtful) return use();
  gpu.pushErrorScope("validation");
  try {
    return use();
  } finally {
    gpu.popErrorScope().catch(() => {});
  }
}
