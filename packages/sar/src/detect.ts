/**
 * Detection in the store of a transform: its complex results become magnitude, power or grey levels while they are written, so that no
 * complex image is stored. A store works on each element alone. It does not average (quicklook.ts does) and it computes no statistics: each
 * run is given the levels of black and white.
 */
import { type ComplexDType, inputError, type Layout, type Program, type Store } from "@dechirp/core";
import { abs, divide, greater, im, log, minus, plus, re, select, store, times, type Value } from "@dechirp/core/expression";
import type { RangeDopplerProgram } from "./range-doppler/program.ts";
import { wasmHook } from "./wasm/hooks.ts";

/**
 * What detection stores. `magnitude`: |z| as f32. `power`: |z|² as f32. `decibel`: 20·log₁₀|z| as u8, with `lowDb` at 0 and `highDb` at
 * 255. Both are uniforms of a run, and highDb must be above lowDb. Levels are rounded to nearest and clamped; zero and NaN become 0.
 */
export type DetectionKind = "magnitude" | "power" | "decibel";

/** Options of `detectStore`. */
export interface DetectOptions {
  readonly kind: DetectionKind;
  /** Type of the results that are detected. Default: c64. c128 runs by the reference only. */
  readonly dtype?: ComplexDType;
}

/**
 * The store of an op with complex results. On the CPU magnitude and power have the bits of the float64 reference: both square in float64, power
 * in a tuned form. Grey levels before rounding differ there by at most 2e-9/(highDb − lowDb), as its decibels are within 7e-12. Throws
 * `input`.
 */
export function detectStore({ kind, dtype = "c64" }: DetectOptions): Store {
  if (!["magnitude", "power", "decibel"].includes(kind)) throw inputError("kind", "magnitude, power or decibel", kind);
  if (dtype !== "c64" && dtype !== "c128") throw inputError("dtype", "c64 or c128", dtype);
  const results: Layout = { dtype, shape: [1, 1] };
  if (kind === "magnitude") return store({ name: kind, layout: results, sources: {}, dtype: "f32" }, ({ value }) => abs(value));
  const recipe = { name: "sar/detect", parameters: { kind } };
  const options = { name: kind, layout: results, sources: {}, ...(dtype === "c64" && { tuned: { ...wasmHook(kind, true), recipe } }) };
  const power = (value: Value<"complex">): Value<"real"> => plus(times(re(value), re(value)), times(im(value), im(value)));
  if (kind === "power") return store({ ...options, dtype: "f32" }, ({ value }) => power(value));
  return store({ ...options, dtype: "u8", uniforms: { lowDb: "f32", highDb: "f32" } }, ({ value, lowDb, highDb }) => {
    const decibels = times(log(power(value)), 10 / Math.LN10);
    const level = times(minus(decibels, lowDb), divide(255, minus(highDb, lowDb)));
    return select(greater(power(value), 0), level, 0);
  });
}

/** The image that a detected program returns: one number for each pixel. */
export type DetectedImage<D extends DetectionKind> = D extends "decibel" ? Uint8Array : Float32Array;

/** A range-Doppler program whose image is detected. */
export type DetectedProgram<D extends DetectionKind = DetectionKind> = Omit<RangeDopplerProgram, keyof Program> &
  Program<{ readonly image: DetectedImage<D> }>;

/**
 * The program with its image detected by the store of the last step. `image` [azimuth][range] is f32, or u8 for `decibel`, whose runs take
 * the uniforms `lowDb` and `highDb`. Everything else stays as in `program`. Throws `input`.
 */
export function withDetection<D extends DetectionKind>(program: RangeDopplerProgram, kind: D): DetectedProgram<D> {
  const last = program.steps.at(-1);
  if (last?.op.op !== "filter-inverse" || last.op.store) throw inputError("program", "of rangeDoppler, not detected yet", program.name);
  const store = detectStore({ kind, dtype: last.op.layout.dtype });
  const { outputTypes: _, ...same } = program;
  return { ...same, steps: [...program.steps.slice(0, -1), { ...last, op: { ...last.op, store } }] };
}
