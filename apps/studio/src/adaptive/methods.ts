/** Other methods than EFA on the same cube, as maps over Doppler and range: JDL, ADPCA and DPCA, which `@dechirp/stap` has in float64. */
import { inputError } from "@dechirp/core";
import type { AmfMap, CellPlace, StapPlan } from "@dechirp/processor";
import {
  adpcaReference,
  beamspace,
  type Cube,
  type DopplerCube,
  dopplerReference,
  dpca,
  efaGeometry,
  jdlReference,
  ulaCycles,
  uniformSteering,
} from "@dechirp/stap";
import { beamsAround } from "./beams.ts";
import type { Values } from "./settings.ts";

/** The methods that are not EFA. */
export type OtherMethod = Exclude<Values["method"], "efa">;

/** Titles of their maps. */
export const methodTitles: Readonly<Record<OtherMethod, string>> = {
  jdl: "joint-domain localised processing (JDL), 3 beams",
  adpca: "adaptive displaced phase centres (ADPCA), 2 pulses",
  dpca: "displaced phase centres (DPCA), no training",
};

/**
 * Filters the plan's cube in the direction of a cell. Power [bin][range], with the Doppler bins of the plan. Throws `input` if the plan has
 * no line array, or its recording is too small for the method.
 */
export function methodMap(method: OtherMethod, plan: StapPlan, { azimuthDegrees }: CellPlace): AmfMap {
  const { geometry, options, array, settings } = plan;
  const { channels, pulses, ranges, dopplerBins } = geometry;
  if (!array || azimuthDegrees === undefined)
    throw inputError("method", "efa: JDL, ADPCA and DPCA steer a line array of known spacing, which this file does not state", method);
  if (method !== "jdl" && pulses < 3) throw inputError("method", `efa or jdl with ${pulses} pulses`, method);
  const cube: Cube = { data: plan.cube, channels, pulses, ranges, order: ["channel", "pulse", "range"] };
  const cycles = ulaCycles(array.spacingWavelengths, ((azimuthDegrees - array.broadsideDegrees) * Math.PI) / 180);
  const look = uniformSteering(channels, cycles);
  const { blockRanges, training, loading, solver, temporalTaps, window } = options;
  const trained = {
    ...(blockRanges !== undefined && { blockRanges }),
    ...(training && { training }),
    ...(loading !== undefined && { loading }),
    ...(solver && { solver }),
  };
  const spectrum = (filtered: Cube): DopplerCube => {
    const { channels, pulses, ranges } = filtered;
    const sizes = {
      channels,
      pulses,
      ranges,
      dopplerBins,
      steeringVectors: 1,
      temporalTaps: 1,
      training: { kind: "own" },
      loading: 1,
    } as const;
    return dopplerReference(filtered, efaGeometry({ ...sizes, ...(settings.window && { window: settings.window }) }));
  };
  if (method === "jdl") {
    const { data } = jdlReference(cube, look, beamsAround(channels, cycles), {
      ...trained,
      dopplerBins,
      ...(temporalTaps !== undefined && { temporalTaps }),
      ...(window && { window }),
    });
    return mapOf(Float32Array.from(data));
  }
  if (method === "adpca") return mapOf(powersOf(spectrum(adpcaReference(cube, look, trained))));
  const cancelled = spectrum(dpca(cube));
  return mapOf(powersOf(beamspace(cancelled, [uniformSteering(channels - 1, cycles)])));
}

const mapOf = (data: Float32Array): AmfMap => ({ data, which: new Uint32Array(data.length) });

function powersOf({ data }: DopplerCube): Float32Array {
  const out = new Float32Array(data.length / 2);
  for (let i = 0; i < out.length; i++) out[i] = data[2 * i] ** 2 + data[2 * i + 1] ** 2;
  return out;
}

/** How far a cell is above the largest of its Doppler bin's other ranges, more than three away, in dB. */
export function aboveNext(
  { data }: AmfMap,
  ranges: number,
  { range, dopplerBin }: { readonly range: number; readonly dopplerBin: number },
) {
  const line = data.subarray(dopplerBin * ranges, (dopplerBin + 1) * ranges);
  const next = line.reduce((most, power, i) => (Math.abs(i - range) > 3 ? Math.max(most, power) : most), 0);
  return next > 0 && line[range] > 0 ? 10 * Math.log10(line[range] / next) : null;
}
