/** What calls are refused for, as tests ask it: one way to say it for all of them. */
import { isRadarError } from "@dechirp/core";

/** The field that the `input` error of a call names; another error as it is, undefined where none is thrown. */
export function refused(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return isRadarError(error, "input") ? error.fields["field"] : error;
  }
  return undefined;
}
