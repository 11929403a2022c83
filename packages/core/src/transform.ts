/** `transform` computes the Fourier transform of a host array in one call. */
import type { Device, PlanOptions } from "./device.ts";
import { inputError } from "./errors.ts";
import { evaluate } from "./evaluate.ts";
import { checkDevice, checkFields, type FieldsOf } from "./fields.ts";
import {
  type ComplexDType,
  elementCount,
  isArrayOf,
  type Layout,
  type RealDType,
  scalarCount,
  type TypedArrayOf,
  wholesOf,
  withAxis,
} from "./layout.ts";
import { fft } from "./ops/fft.ts";
import { realFft } from "./ops/real-fft.ts";
import type { ProgramRunOptions, Step } from "./program.ts";

/** Options of `transform`. */
export interface TransformOptions extends Omit<ProgramRunOptions, "uniforms">, Pick<PlanOptions, "fuse"> {
  /** Extents of the array, outermost axis first. For a real transform, forward or inverse, these are the extents of the real array. */
  readonly shape: readonly number[];
  /** Axes to transform along. Default: all. A real transform has the half spectrum along the last axis of this list. */
  readonly axes?: readonly number[];
  /** Whether to do the inverse transform, which divides by the number of points. Default: false. */
  readonly inverse?: boolean;
  /**
   * Whether the array is real, so that its spectrum is the half spectrum: ⌊n/2⌋ + 1 bins along the last axis of `axes`. Default: for a
   * forward transform, true if `data` has as many numbers as `shape` has elements; for an inverse, false. Set it to get a real array from
   * an inverse.
   */
  readonly real?: boolean;
}

const fieldsOfTransforms: FieldsOf<TransformOptions> = {
  shape: true,
  axes: true,
  inverse: "boolean",
  real: "boolean",
  units: true,
  fuse: "boolean",
  signal: true,
  onProgress: "function",
};

/**
 * Computes the discrete Fourier transform of `data` along any axes: `await transform(device, samples, { shape: [64, 1024], axes: [1] })`.
 *
 * `data` is dense and row-major, in single precision (`Float32Array`) or double precision (`Float64Array`). Complex elements are two
 * numbers, real then imaginary. The result has the same precision. Do not change `data` before the promise settles: it is read after
 * planning. Every call plans anew; to transform often, use `device.plan`.
 *
 * Rejects with `input`, naming `data`, `shape`, `axes` or another option; with `layout`, naming `device`, `signal` or `units`; with
 * `unsupported` if the device has no arrays of this precision; with `limit` or `out-of-memory` if the array is too large; and with
 * `aborted`.
 */
export async function transform<T extends Float32Array | Float64Array>(device: Device, data: T, options: TransformOptions): Promise<T> {
  checkDevice(device);
  checkFields(options, fieldsOfTransforms, "options of transform");
  const { shape: extents, axes: along, inverse = false, real: asked, ...run } = options;
  const shape = wholesOf(extents, 1);
  if (!shape?.length) throw inputError("shape", "a list of positive integers", extents);
  const top = shape.length - 1;
  const axes = along === undefined ? [...shape.keys()] : wholesOf(along, 0, top);
  if (!axes?.length || new Set(axes).size < axes.length) throw inputError("axes", `a list of different axes from 0 to ${top}`, along);
  if (!isArrayOf(data, Float32Array, Float64Array)) throw inputError("data", "a Float32Array or a Float64Array that is not detached", data);

  const single = isArrayOf(data, Float32Array);
  const complex = { dtype: single ? "c64" : "c128", shape } as const;
  const real = asked ?? (!inverse && data.length === elementCount(complex));
  const last = axes[axes.length - 1];
  const reals = { dtype: single ? "f32" : "f64", shape } as const;
  const spectrum = real ? withAxis(complex, last, Math.floor(shape[last] / 2) + 1) : complex;
  const input: Layout<ComplexDType | RealDType> = real && !inverse ? reals : spectrum;
  if (data.length !== scalarCount(input)) {
    const form = real ? (inverse ? "numbers of the half spectrum" : "real numbers") : "numbers, two an element";
    const orReal = asked === undefined && !inverse ? `, or ${elementCount(complex)} real ones` : "";
    throw inputError("data", `${scalarCount(input)} ${form}${orReal}`, data.length);
  }

  const halving = realFft(input, { axis: last, ...(inverse && { n: shape[last] }) });
  const whole = (real ? axes.slice(0, -1) : axes).map((axis) => ({ name: `axis ${axis}`, op: fft(spectrum, { axis, inverse }) }));
  const half = real ? [{ name: `axis ${last}, real`, op: halving }] : [];
  const { result } = await evaluate(
    {
      name: "transform",
      inputs: { data: input },
      steps: chain(inverse ? [...whole, ...half] : [...half, ...whole], real && inverse),
      outputs: ["result"],
    },
    device,
    { data },
    run,
  );
  return result as TypedArrayOf as T;
}

/** The ops as steps in a row, from `data` to `result`. `apart` says that the last op has another layout than those before it. */
function chain(ops: readonly Pick<Step, "name" | "op">[], apart: boolean): Step[] {
  const last = ops.length - 1;
  const between = apart ? "spectrum" : "result";
  return ops.map(({ name, op }, i): Step => {
    const from = i === 0 ? "data" : between;
    const to = i === last ? "result" : between;
    return { name, op, bind: { in: from, out: to }, ...(from === to && { inPlace: true }) };
  });
}
