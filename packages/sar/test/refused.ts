/** One way for all tests to say what a call is refused for. */
import { isRadarError } from "@dechirp/core";

/** The field that the `input` error of a call names; any other error itself; undefined if nothing is thrown. */
export function refused(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return isRadarError(error, "input") ? error.fields["field"] : error;
  }
  return undefined;
}
