/** The kernel that makes the parabolas of range profiles (quadratic.ts), one for every bin, before an image reads them. */
import type { ArrayView, Kernel } from "@dechirp/core";
import { wgslFloat } from "@dechirp/core/internal";
import { curvesWasm } from "../wasm/backprojection.ts";
import { curvatureWeights, curveNumbers, curveOf, packCurve, quadraticReach, slopeWeights } from "./quadratic.ts";

export interface CurvesShape {
  readonly pulses: number;
  readonly bins: number;
  /** Number of parabolas of a pulse, given by `curvesOf`. */
  readonly curves: number;
  /** How many of them are made, from a first one of each pulse on. Default: all. */
  readonly kept?: number;
}

/**
 * From `profiles` c64 [pulses][bins] to `curves` c64 [pulses][curves][2]: v, and the words of the two parts. If bins do not repeat, the two
 * at
 * each end have no parabola and become zeros. With `kept`, `curves` is c64 [pulses][kept][2], and the input `firsts` u32 [pulses] has the
 * number of the first parabola of each pulse that is made.
 */
export function curvesKernel(shape: CurvesShape): Kernel {
  const { pulses, bins, curves, kept } = shape;
  const made = kept ?? curves;
  const [s1, s2] = slopeWeights;
  const [q1, q2] = curvatureWeights;
  return {
    op: "kernel",
    name: "parabolas of range profiles",
    flops: 20 * pulses * made,
    constants: { bins, curves, ...(kept !== undefined && { kept }) },
    ports: {
      profiles: { access: "read", layout: { dtype: "c64", shape: [pulses, bins] } },
      ...(kept !== undefined && { firsts: { access: "read", layout: { dtype: "u32", shape: [pulses] } } as const }),
      curves: { access: "write", layout: { dtype: "c64", shape: [pulses, made, curveNumbers] } },
    },
    items: pulses * made,
    ...curvesWasm(kept === undefined ? "curves" : "curvesPart", [bins, curves, made]),
    recipe: { name: "sar/curves", parameters: { ...shape } },
    wgsl: (_constants, _limits, toolkit) =>
      toolkit.items(
        `let pulse = item / ${made}u;
let k = item % ${made}u${kept === undefined ? "" : " + load_firsts(pulse)"};
${curves > bins ? "" : `if (k < ${quadraticReach}u || k >= ${Math.max(0, bins - quadraticReach)}u) { store_curves(2u * item, vec2f()); store_curves(2u * item + 1u, vec2f()); return; }`}
let row = pulse * ${bins}u;
let v = load_profiles(row + k % ${bins}u);
let before = load_profiles(row + (k + ${bins - 1}u) % ${bins}u);
let behind = load_profiles(row + (k + 1u) % ${bins}u);
let far_before = load_profiles(row + (k + ${2 * bins - 2}u) % ${bins}u);
let far_behind = load_profiles(row + (k + 2u) % ${bins}u);
let slope = ${wgslFloat(s1)} * (behind - before) + ${wgslFloat(s2)} * (far_behind - far_before);
let curvature = ${wgslFloat(q1)} * ((behind - v) + (before - v)) + ${wgslFloat(q2)} * ((far_behind - v) + (far_before - v));
let low = vec2i((bitcast<vec2u>(curvature) + 0x20000u) >> vec2u(18u)) & vec2i(0x3fff);
let bits = bitcast<vec2i>(slope);
let magnitude = max(vec2i(), (bits & vec2i(0x7fffffff)) + 0x2000i - low) & vec2i(0x7fffc000);
store_curves(2u * item, v);
store_curves(2u * item + 1u, bitcast<vec2f>((bits & vec2i(-0x7fffffff - 1)) | magnitude | low));`,
      ),
    reference({ profiles, firsts, curves: out }, _uniforms, start, end) {
      for (let item = start; item < end; item++) {
        const pulse = Math.floor(item / made);
        writeCurve(shape, profiles, out, item, pulse, (item % made) + (firsts?.re(pulse) ?? 0));
      }
    },
  };
}

/** Parabola k of a pulse, as number `item` of all. */
function writeCurve({ bins, curves }: CurvesShape, profiles: ArrayView, out: ArrayView, item: number, pulse: number, k: number): void {
  const row = pulse * bins;
  if (curves === bins && (k < quadraticReach || k >= bins - quadraticReach)) {
    out.set(2 * item, 0, 0);
    out.set(2 * item + 1, 0, 0);
    return;
  }
  const at = (away: number): number => row + ((k + away + 2 * bins) % bins);
  const [re, im] = [(away: number) => profiles.re(at(away)), (away: number) => profiles.im(at(away))];
  const [slopeRe, curvatureRe] = curveOf(re);
  const [slopeIm, curvatureIm] = curveOf(im);
  out.set(2 * item, re(0), im(0));
  out.set(2 * item + 1, packCurve(slopeRe, curvatureRe), packCurve(slopeIm, curvatureIm));
}
