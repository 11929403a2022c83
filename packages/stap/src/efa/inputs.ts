/**
 * Prepares samples and steering vectors for the program: checks them, and scales them by powers of two if float32 could not hold their
 * squares,
 * which changes no digit. `unscaleOutputs` undoes the effect of the scales on outputs.
 */

import { inputError, RadarError } from "@dechirp/core";
import { isArrayOf, runToEnd } from "@dechirp/core/internal";
import type { ComplexSamples } from "@dechirp/radar";
import { outputComponents } from "../adaptive.ts";
import { checkComplex } from "../arrays.ts";
import type { EfaGeometry } from "./options.ts";

/** Samples and steering vectors, scaled so that float32 holds them. */
export interface EfaInputs {
  /** Inputs of the program, [channel][pulse][range] and [P][n]. They are the caller's own arrays if nothing had to be changed. */
  readonly arrays: { readonly cube: Float32Array; readonly steering: Float32Array };
  /** `cube` times 2 to this power are the samples of the caller. */
  readonly cubeExponent: number;
  /** Outputs of steering vector p of these inputs times 2 to this power are those of the caller's samples. All 0 for the AMF. */
  readonly outputExponents: readonly number[];
}

/** Samples with exponents up to this one are not scaled: powers of a Doppler bin stay far from either end of float32. */
const mostExponent = 30;

/**
 * Checks and scales the inputs. `cube` is [channel][pulse][range], `steering` [P][n], in float32 or float64. Throws `input`, naming `cube`
 * with
 * channel, pulse and range, or `steering[p]` with its element, if a number is not finite, or if all samples or a whole vector are zero.
 */
export const efaInputs = (cube: ComplexSamples, steering: ComplexSamples, geometry: EfaGeometry): EfaInputs =>
  runToEnd(efaInputSteps(cube, steering, geometry));

/**
 * `efaInputs` in steps of milliseconds, for `runInPieces` of core: other work can run and signals can fire between them. Throws in the same
 * cases.
 */
export function* efaInputSteps(cube: ComplexSamples, steering: ComplexSamples, geometry: EfaGeometry): Generator<void, EfaInputs> {
  const { channels, pulses, ranges, order, steeringVectors, output, maxOverSteering } = geometry;
  checkComplex(cube, channels * pulses * ranges, "cube", `${channels} channels, ${pulses} pulses and ${ranges} ranges`);
  checkComplex(steering, steeringVectors * order, "steering", `${steeringVectors} vectors of ${order}`);
  const ofCube = yield* exponentOf(cube, "cube", { channel: channels, pulse: pulses, range: ranges });
  const each: number[] = [];
  for (let p = 0; p < steeringVectors; p++)
    each.push(yield* exponentOf(steering.subarray(2 * p * order, 2 * (p + 1) * order), `steering[${p}]`, { element: order }));
  // The largest over all vectors compares their outputs, so that all need the same scale. The output of the AMF does not depend on it.
  const common = maxOverSteering && output !== "amf" ? Math.max(...each) : undefined;
  const scales = each.map((own) => settled(common ?? own));
  const scale = settled(ofCube);
  return {
    arrays: { cube: yield* scaled(cube, cube.length, [scale]), steering: yield* scaled(steering, 2 * order, scales) },
    cubeExponent: scale,
    outputExponents: scales.map((own) => powerOf[output] * (scale - own)),
  };
}

/** How outputs grow with the samples, and shrink with the steering vector. */
const powerOf = { amf: 0, mvdr: 2, complex: 1, "paper-literal": -1 } as const;

const settled = (exponent: number): number => (Math.abs(exponent) > mostExponent ? exponent : 0);

/** How many numbers one piece of work reads. */
const pieceNumbers = 2 ** 18;

/** ⌊log₂⌋ of the largest magnitude of an array with these extents by axis, outermost first. */
function* exponentOf(data: ComplexSamples, field: string, extents: Readonly<Record<string, number>>): Generator<void, number> {
  let most = 0;
  for (let i = 0; i < data.length; i++) {
    if (i % pieceNumbers === 0) yield;
    const size = Math.abs(data[i]);
    if (size > most) most = size;
    if (size <= Number.MAX_VALUE) continue;
    const place: Record<string, number> = {};
    let left = i >> 1;
    for (const [axis, extent] of Object.entries(extents).reverse()) {
      place[axis] = left % extent;
      left = Math.floor(left / extent);
    }
    const at = Object.keys(extents).map((axis) => `${axis} ${place[axis]}`);
    const expected = "a finite number";
    throw new RadarError("input", `${field}, ${at.join(", ")}, must be ${expected}, not ${data[i]}`, {
      field,
      expected,
      actual: data[i],
      ...place,
    });
  }
  if (most > 0) return Math.floor(Math.log2(most));
  throw inputError(field, "different from zero somewhere", 0);
}

/** x·2^exponent, in two steps, because 2^1074 is not a float64. */
const shifted = (x: number, exponent: number): number => x * 2 ** (exponent >> 1) * 2 ** (exponent - (exponent >> 1));

/** Runs of `each` numbers times 2^−exponent, run after run. */
function* scaled(data: ComplexSamples, each: number, exponents: readonly number[]): Generator<void, Float32Array> {
  if (exponents.every((exponent) => exponent === 0)) return isArrayOf(data, Float32Array) ? data : Float32Array.from(data);
  const out = new Float32Array(data.length);
  for (const [run, exponent] of exponents.entries()) {
    for (let i = run * each; i < (run + 1) * each; i++) {
      out[i] = shifted(data[i], -exponent);
      if (i % pieceNumbers === 0) yield;
    }
  }
  return out;
}

/**
 * Undoes the scale of outputs y of the program for `inputs`, in place, so that they are those of the samples given to `efaInputs`. Throws
 * `input` naming `output` if float32 cannot hold one.
 */
export const unscaleOutputs = (y: Float32Array, inputs: EfaInputs, geometry: EfaGeometry): Float32Array =>
  runToEnd(unscaleOutputSteps(y, inputs, geometry));

/**
 * `unscaleOutputs` in steps of milliseconds, for `runInPieces` of core: other work can run and signals can fire between them. Throws in the
 * same cases.
 */
export function* unscaleOutputSteps(y: Float32Array, { outputExponents }: EfaInputs, geometry: EfaGeometry): Generator<void, Float32Array> {
  const { output, maxOverSteering, dopplerBins, ranges } = geometry;
  const each = outputComponents(output) * dopplerBins * ranges;
  for (const [p, exponent] of (maxOverSteering ? outputExponents.slice(0, 1) : outputExponents).entries()) {
    if (exponent === 0) continue;
    for (let i = p * each; i < (p + 1) * each; i++) {
      if (i % pieceNumbers === 0) yield;
      const value = y[i];
      y[i] = shifted(value, exponent);
      if (Number.isFinite(y[i]) && (y[i] !== 0 || value === 0)) continue;
      throw inputError("output", "within the range of float32; the AMF is", shifted(value, exponent));
    }
  }
  return y;
}
