/** Checks of data by schemas. */
import { inputError } from "@dechirp/core";
import * as v from "valibot";

/** A number above 0 that can be drawn and divided by. */
export const positive = v.pipe(v.number(), v.minValue(1e-30), v.maxValue(1e30));
/** A positive integer. */
export const size = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2 ** 32));
/** The smallest and largest size of subgroups. */
export const subgroups = v.strictTuple([size, size]);

/** Returns the value as the schema makes it. Throws `input` that names the field, or `field` if the whole value is wrong. */
export function parseBy<T extends v.GenericSchema>(schema: T, value: unknown, field: string, what: string): v.InferOutput<T> {
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw inputError(v.getDotPath(issue) ?? field, `${what} (${issue.message})`, issue.input);
}
