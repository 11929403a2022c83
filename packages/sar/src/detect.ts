/**
 * Detection in the store of a transform: its complex results become magnitude, power or grey levels while they are written, so that no
 * complex image is stored. A store works on each element alone. It does not average (quicklook.ts does) and it computes no statistics: each
 * run is given the levels of black and white.
 */
import { type ComplexDType, inputError, type Program, type Store } from "@dechirp/core";
import { wgslFloat } from "@dechirp/core/internal";
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

const references: Readonly<Record<DetectionKind, Store["reference"]>> = {
  magnitude: (_, [re, im]) => [Math.sqrt(re * re + im * im), 0],
  power: (_, [re, im]) => [re * re + im * im, 0],
  decibel(_, [re, im], _sources, uniforms) {
    // Uniforms are float32 on every device.
    const [low, high] = [Math.fround(uniforms["lowDb"]), Math.fround(uniforms["highDb"])];
    return [(10 * Math.log10(re * re + im * im) - low) * (255 / (high - low)), 0];
  },
};

/** The references in WGSL. 10·log₁₀x = 3.0103·log₂x. */
const texts: Readonly<Record<DetectionKind, string>> = {
  magnitude: "return vec2f(length(value), 0.0);",
  power: "return vec2f(dot(value, value), 0.0);",
  decibel: `let span = uniforms.highDb - uniforms.lowDb;
let power = dot(value, value);
if (!(power > 0.0)) { return vec2f(); }
return vec2f((${wgslFloat(10 * Math.log10(2))} * log2(power) - uniforms.lowDb) * (255.0 / span), 0.0);`,
};

/**
 * The store of an op with complex results. Its WASM form computes the same bits as the reference for magnitude and power. Grey levels
 * before
 * rounding differ by at most 2e-9/(highDb − lowDb), as its decibels are within 7e-12. Numbers are squared in float64: magnitudes of c128
 * beyond 10^±154 overflow or vanish. Throws `input`.
 */
export function detectStore({ kind, dtype = "c64" }: DetectOptions): Store {
  if (!Object.hasOwn(references, kind)) throw inputError("kind", "magnitude, power or decibel", kind);
  if (dtype !== "c64" && dtype !== "c128") throw inputError("dtype", "c64 or c128", dtype);
  return {
    name: kind,
    dtype: kind === "decibel" ? "u8" : "f32",
    sources: {},
    ...(kind === "decibel" && { uniforms: { lowDb: "f32", highDb: "f32" } }),
    ...wasmHook(kind, dtype === "c64"),
    wgsl: () => texts[kind],
    reference: references[kind],
  };
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
