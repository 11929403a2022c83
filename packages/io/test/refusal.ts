/** Catches the errors of readers for tests. */
import { isRadarError, type RadarError } from "@dechirp/core";

/** Returns the `input` error that `work` throws or rejects with. Rethrows any other error. Throws if there is none. */
export async function refusal(work: () => unknown): Promise<RadarError> {
  try {
    await work();
  } catch (error) {
    if (isRadarError(error, "input")) return error;
    throw error;
  }
  throw new Error("no error");
}
