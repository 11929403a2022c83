/** The error for an array that does not have the sizes of its options. */
import { inputError } from "@dechirp/core";

/** Throws `input`, naming `field.<size>`, unless `actual` has the sizes that are `expected`. */
export function mismatch(field: string, actual: object, expected: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(expected)) {
    const found = (actual as Readonly<Record<string, unknown>> | undefined)?.[name];
    if (found !== value) throw inputError(`${field}.${name}`, `${value}, as the options say`, found);
  }
}
