/** Ready-made stores: results added to what the array holds. */
import { layoutError } from "../errors.ts";
import { checkFields, type FieldsOf } from "../fields.ts";
import type { Store } from "../hooks.ts";
import { checkLayout, type DType, dtypes, type Layout } from "../layout.ts";
import { store } from "./hooks.ts";

/** Options of `accumulate`. */
export interface AccumulateOptions {
  /** A factor of the results: a number, or the name of a uniform of type f32, which every run then passes. Default: 1. */
  readonly scale?: number | string;
}

const fields: FieldsOf<AccumulateOptions> = { scale: true };

/**
 * A store that adds the results to what the array at port `out` holds: out += results · scale. `layout` has the element type of `out` and
 * the shape of the results, which is that of `out` before a corner turn. Real arrays get the real part. Integers are rounded and
 * saturated. The hook is an expression, so every device runs it inside the transform.
 *
 * Throws `layout`, naming the field, if an argument is wrong or the elements are u32.
 */
export function accumulate<D extends DType>(layout: Layout<D>, options: AccumulateOptions = {}): Store & { readonly dtype: D } {
  checkLayout(layout, "layout");
  checkFields(options, fields, "options of accumulate", "layout");
  const { dtype, shape } = layout;
  const { scale = 1 } = options;
  if (dtype === "u32") throw layoutError("layout.dtype", "a type whose elements are real or complex numbers in expressions", dtype);
  const isName = typeof scale === "string";
  if (!isName && !(typeof scale === "number" && Number.isFinite(Math.fround(scale))))
    throw layoutError("scale", "finite in float32, or the name of a uniform", scale);
  const uniforms: Record<string, "f32"> = isName ? { [scale]: "f32" } : {};
  const value = dtypes[dtype].components === 2 ? "value" : "re(value)";
  return store(
    { name: "accumulate", layout: { dtype, shape }, dtype, sources: { out: { dtype, shape } }, ...(isName && { uniforms }) },
    scale === 1 ? `out + ${value}` : `out + ${value} * (${scale})`,
  );
}
