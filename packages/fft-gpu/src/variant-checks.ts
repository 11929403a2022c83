/** Checks of variants, which users may write themselves. Only loaded where variants are given. */
import { inputError, RadarError } from "@dechirp/core";
import { checkObject, describe } from "@dechirp/core/internal";
import type { Planned } from "./passes.ts";
import type { Transform } from "./transform.ts";
import type { Unmet, Variant, VariantLimits, Variants } from "./variants.ts";

const isNames = (value: unknown): boolean => Array.isArray(value) && value.every((name) => typeof name === "string");

/** Throws `input`, naming the field, unless `value` is a variant. */
export function checkVariant(value: unknown, field: string): asserts value is Variant {
  checkObject(value, field, "input");
  const { plan, error, prove, features } = value as Record<string, unknown>;
  for (const [name, given] of Object.entries({ plan, error, ...(prove !== undefined && { prove }) }))
    if (typeof given !== "function") throw inputError(field, `a variant with a function ${name}`, value);
  if (features !== undefined && !isNames(features)) throw inputError(`${field}.features`, "a list of names", features);
}

/** Throws `input`, naming the field, unless `value` is a table of variants. */
export function checkVariants(value: Variants): void {
  const entries = checkObject(value, "variants", "input");
  if (Symbol.iterator in value) throw inputError("variants", "an object of variants by name", value);
  for (const [name, variant] of entries) checkVariant(variant, `variants.${name}`);
}

/** The plan of a variant. Throws `failed` that names the variant if it returns something else. */
export function planBy(name: string, variant: Variant, transform: Transform, limits: VariantLimits): Planned | Unmet {
  const planned = variant.plan(transform, limits) as Partial<Planned & Unmet> | null | undefined;
  if (typeof planned?.needs === "string") return planned as Unmet;
  if (Array.isArray(planned?.dispatches) && typeof planned.text === "string") return planned as Planned;
  throw new RadarError("failed", `variant ${name}: plan must return a plan or { needs }, not ${describe(planned)}`, {
    ...{ field: "variant", variant: name },
  });
}
