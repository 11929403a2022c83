/** What readers refuse, as the tests look at it. */
import { isRadarError, type RadarError } from "@dechirp/core";

/** The error of code `input` that `work` throws or rejects with; any other passes. Throws where there is none. */
export async function refusal(work: () => unknown): Promise<RadarError> {
  try {
    await work();
  } catch (error) {
    if (isRadarError(error, "input")) return error;
    throw error;
  }
  throw new Error("no error");
}
