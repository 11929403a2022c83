/**
 * Doppler processing on a device: a transform along pulses. Its load hook weights the samples and, if the spectrum is centred,
 * rotates them. The transform itself pads with zeros. The float64 form is efa/doppler.ts.
 */
import type { Constant, Layout, Load, Op } from "@dechirp/core";
import { load, times } from "@dechirp/core/expression";
import type { EfaGeometry } from "../efa/options.ts";

export interface DopplerStage {
  readonly op: Op;
  /** Port of the cube, c64 [channel][pulse][range]. */
  readonly input: string;
  /** By port. */
  readonly constants: Readonly<Record<string, Constant>>;
}

/** c64 [channel][pulse][range] to c64 [channel][bin][range]; ports `input` and `out`, and those of the constants. */
export function dopplerStage(geometry: EfaGeometry): DopplerStage {
  const { channels, pulses, ranges, dopplerBins, window, centred } = geometry;
  const layout: Layout<"c64"> = { dtype: "c64", shape: [channels, pulses, ranges] };
  const op = { op: "fft", layout, axis: 1, n: dopplerBins, inverse: false } as const;
  if (!centred && window.every((w) => w === 1)) return { op, input: "in", constants: {} };
  const weights: Layout<"c64"> = { dtype: "c64", shape: [pulses] };
  // Centred: bin k has the frequency k − ⌊N_D/2⌋, so that sample t is rotated by ⌊N_D/2⌋·t/N_D cycles.
  const data = Float32Array.from({ length: 2 * pulses }, (_, i) => {
    const t = i >> 1;
    const cycles = centred ? (((dopplerBins >> 1) * t) % dopplerBins) / dopplerBins : 0;
    return window[t] * (i % 2 === 0 ? Math.cos(2 * Math.PI * cycles) : Math.sin(2 * Math.PI * cycles));
  });
  return {
    op: { ...op, load: weightedPulses(layout, weights) },
    input: "cube",
    constants: { pulseWeights: { layout: weights, data } },
  };
}

const weightedPulses = (cube: Layout<"c64">, weights: Layout<"c64">): Load =>
  load({ name: "weighted pulses", layout: cube, sources: { cube, pulseWeights: weights } }, ({ at, cube, pulseWeights }) =>
    times(cube(at), pulseWeights(at[1])),
  );
