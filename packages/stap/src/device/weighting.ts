/**
 * The filter's output for every steering vector, Doppler bin and range, as a kernel: one item a bin and range, whose snapshot stays in
 * registers while all steering vectors pass (Section III-D of the paper). The float64 form is `applyWeights` of adaptive.ts.
 */
import type { ArrayView, Kernel, Layout, Port } from "@dechirp/core";
import type { AdaptiveOutput } from "../adaptive.ts";
import { type EfaGeometry, windowBin } from "../efa/options.ts";
import { gainsLayout, weightsLayout } from "./solve.ts";

/** Output y: f32, c64 where complex, [steering][bin][range], or [bin][range] where only the largest is kept. */
export const outputLayout = ({ output, maxOverSteering, steeringVectors, dopplerBins, ranges }: EfaGeometry): Layout => ({
  dtype: output === "complex" ? "c64" : "f32",
  shape: [...(maxOverSteering ? [] : [steeringVectors]), dopplerBins, ranges],
});

/** What wᴴx is multiplied by before it is squared, of the gain wᴴv. */
const scales: Readonly<Record<AdaptiveOutput, { readonly text: string; of(gain: number): number }>> = {
  amf: { text: "inverseSqrt(gain)", of: (gain) => 1 / Math.sqrt(gain) },
  mvdr: { text: "1.0 / gain", of: (gain) => 1 / gain },
  "paper-literal": { text: "inverseSqrt(sqrt(gain))", of: (gain) => gain ** -0.25 },
  complex: { text: "1.0 / gain", of: (gain) => 1 / gain },
};

/** Ports: x c64 [channel][bin][range], weights, gains; y, and strongest u32 [bin][range] where only the largest is kept. */
export function weightingKernel(geometry: EfaGeometry): Kernel {
  const { channels, dopplerBins, ranges, sets, steeringVectors, order: n, temporalTaps, output, maxOverSteering } = geometry;
  const items = dopplerBins * ranges;
  const strongest: Record<string, Port> = maxOverSteering
    ? { strongest: { access: "write", layout: { dtype: "u32", shape: [dopplerBins, ranges] } } }
    : {};
  const windowStart = windowBin(geometry, 0, 0);
  const complex = output === "complex";
  return {
    op: "kernel",
    name: `weighting ${output} vectors=${steeringVectors}${maxOverSteering ? " largest" : ""}`,
    flops: 8 * items * steeringVectors * n,
    ports: {
      x: { access: "read", layout: { dtype: "c64", shape: [channels, dopplerBins, ranges] } },
      weights: { access: "read", layout: weightsLayout(geometry) },
      gains: { access: "read", layout: gainsLayout(geometry) },
      y: { access: "write", layout: outputLayout(geometry) },
      ...strongest,
    },
    items,
    wgsl: (_constants, _limits, toolkit) =>
      toolkit.items(`let range = item % ${ranges}u;
let bin = item / ${ranges}u;
let first = (bin * ${sets.groups}u + range / ${sets.groupRanges}u) * ${steeringVectors}u;
var snapshot: array<vec2f, ${n}>;
for (var i = 0u; i < ${n}u; i++) {
  let row = (i / ${temporalTaps}u) * ${dopplerBins}u + (bin + ${windowStart}u + i % ${temporalTaps}u) % ${dopplerBins}u;
  snapshot[i] = load_x(row * ${ranges}u + range);
}
${maxOverSteering ? "var best = -1.0;\nvar which = 0u;" : ""}
for (var p = 0u; p < ${steeringVectors}u; p++) {
  var sum = vec2f();
  let at = (first + p) * ${n}u;
  for (var i = 0u; i < ${n}u; i++) { sum += cmulc(snapshot[i], load_weights(at + i)); }
  let gain = load_gains(first + p);
  sum *= select(0.0, ${scales[output].text}, gain > 0.0);
${
  maxOverSteering
    ? "  let power = dot(sum, sum);\n  if (power > best) { best = power; which = p; }"
    : `  store_y(p * ${items}u + item, ${complex ? "sum" : "dot(sum, sum)"});`
}
}
${maxOverSteering ? "store_y(item, best);\nstore_strongest(item, which);" : ""}`),
    reference(ports, _uniforms, start, end) {
      const snapshot = new Float64Array(2 * n);
      const { x, weights, gains, y } = ports as Record<"x" | "weights" | "gains" | "y", ArrayView>;
      for (let item = start; item < end; item++) {
        const [bin, range] = [Math.floor(item / ranges), item % ranges];
        for (let i = 0; i < n; i++) {
          const row = Math.floor(i / temporalTaps) * dopplerBins + windowBin(geometry, bin, i % temporalTaps);
          snapshot[2 * i] = x.re(row * ranges + range);
          snapshot[2 * i + 1] = x.im(row * ranges + range);
        }
        const first = (bin * sets.groups + Math.floor(range / sets.groupRanges)) * steeringVectors;
        let best = -1;
        let which = 0;
        for (let p = 0; p < steeringVectors; p++) {
          let re = 0;
          let im = 0;
          for (let i = 0; i < n; i++) {
            const [a, b] = [snapshot[2 * i], snapshot[2 * i + 1]];
            const [c, d] = [weights.re((first + p) * n + i), weights.im((first + p) * n + i)];
            re += a * c + b * d;
            im += b * c - a * d;
          }
          const gain = gains.re(first + p);
          const scale = gain > 0 ? scales[output].of(gain) : 0;
          re *= scale;
          im *= scale;
          const power = re * re + im * im;
          if (maxOverSteering) {
            if (power > best) [best, which] = [power, p];
          } else if (complex) y.set(p * items + item, re, im);
          else y.set(p * items + item, power);
        }
        if (!maxOverSteering) continue;
        y.set(item, best);
        ports["strongest"].set(item, which);
      }
    },
  };
}
