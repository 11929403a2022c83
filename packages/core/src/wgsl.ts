/** Pieces of WGSL that core's kernels and backends write alike: literals, index vectors, values of element types. */
import { type DType, isComplex } from "./layout.ts";

/** An f32 literal that reads back as the same number. */
export function wgslFloat(value: number): string {
  const text = String(Math.fround(value));
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** The index vector of a flat index, an expression of u32 that is written more than once. */
export function wgslIndex(flat: string, shape: readonly number[]): string {
  let stride = 1;
  const parts = new Array<string>(shape.length);
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const whole = stride === 1 ? flat : `(${flat}) / ${stride}u`;
    parts[axis] = axis === 0 ? whole : `(${whole}) % ${shape[axis]}u`;
    stride *= shape[axis];
  }
  return `array<u32, ${shape.length}>(${parts.join(", ")})`;
}

/** A vec2f, a name, as the value that `store_NAME` of an array of `dtype` takes. */
export const wgslStored = (dtype: DType, value: string): string =>
  isComplex(dtype) ? value : dtype === "u32" ? `round_u32(${value}.x)` : `${value}.x`;

/** What `load_NAME` of an array of `dtype` yields, as a vec2f. */
export const wgslLoaded = (dtype: DType, value: string): string =>
  isComplex(dtype) ? value : dtype === "u32" ? `vec2f(nearest_f32(${value}), 0.0)` : `vec2f(${value}, 0.0)`;

/** Zero as `store_NAME` of an array of `dtype` takes it. */
export const wgslZero = (dtype: DType): string => (isComplex(dtype) ? "vec2f()" : dtype === "u32" ? "0u" : "0.0");
