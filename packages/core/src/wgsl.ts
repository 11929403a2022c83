/** Pieces of WGSL that core's kernels and the backends share: literals, index vectors, and conversions of element types. */
import { type DType, isComplex } from "./layout.ts";

/** A WGSL f32 literal of `value`, rounded to f32 without further loss. */
export function wgslFloat(value: number): string {
  const text = String(Math.fround(value));
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** WGSL expressions for the indices along the axes of a flat index: a u32 expression, which appears more than once in the result. */
export function wgslIndices(flat: string, shape: readonly number[]): readonly string[] {
  let stride = 1;
  const parts = new Array<string>(shape.length);
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const whole = stride === 1 ? flat : `(${flat}) / ${stride}u`;
    parts[axis] = axis === 0 ? whole : `(${whole}) % ${shape[axis]}u`;
    stride *= shape[axis];
  }
  return parts;
}

/** A WGSL expression for the index vector of a flat index, as `wgslIndices`. */
export const wgslIndex = (flat: string, shape: readonly number[]): string =>
  `array<u32, ${shape.length}>(${wgslIndices(flat, shape).join(", ")})`;

/** A WGSL expression for the value that `store_NAME` of an array of `dtype` takes. `value` is the name of a vec2f. */
export const wgslStored = (dtype: DType, value: string): string =>
  isComplex(dtype) ? value : dtype === "u32" ? `round_u32(${value}.x)` : `${value}.x`;

/** A WGSL expression of type vec2f for `value`, the result of `load_NAME` of an array of `dtype`. */
export const wgslLoaded = (dtype: DType, value: string): string =>
  isComplex(dtype) ? value : dtype === "u32" ? `vec2f(nearest_f32(${value}), 0.0)` : `vec2f(${value}, 0.0)`;
