/** The table of kinds of jobs. */
import { inputError } from "@dechirp/core";
import { backprojectKind } from "./backproject-kind.ts";
import { eachOf } from "./each-kind.ts";
import { focusKind } from "./focus-kind.ts";
import type { JobKind } from "./kind.ts";

/** All kinds, in the order in which help texts list them. */
export const jobKinds: readonly JobKind[] = [focusKind, backprojectKind, eachOf(focusKind), eachOf(backprojectKind)];

/** The kind with a name. Throws `input`, naming `field`, if there is none. */
export function kindOf(name: string, field = "what"): JobKind {
  const found = jobKinds.find((kind) => kind.name === name);
  if (!found) throw inputError(field, `one of ${jobKinds.map((kind) => kind.name).join(", ")}`, name);
  return found;
}
