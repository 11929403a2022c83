/**
 * Two filters after the Doppler transform, made from the stages of EFA: joint-domain localised processing (JDL; Wang & Cai,
 * IEEE Trans. AES-30, 1994) is EFA on a few beams in place of all channels, and the non-adaptive beamformer is EFA
 * with R = I. The factored filter is EFA with one tap.
 */

import { inputError } from "@dechirp/core";
import type { ComplexSamples } from "@dechirp/radar";
import { checkSteering } from "../adaptive.ts";
import { checkComplex, checkFinite, checkSize } from "../arrays.ts";
import type { Cube, DopplerCube } from "../cube.ts";
import { checkDopplerCube } from "../efa/covariance.ts";
import { dopplerReference } from "../efa/doppler.ts";
import { type BinChoice, chosenBins, type EfaGeometry, type EfaOptions, efaGeometry } from "../efa/options.ts";
import { type EfaResult, efaFromDoppler, filterBins } from "../efa/reference.ts";
import { efaSteering } from "../efa/steering.ts";

/** b_iᴴ·X for every beam b_i of M channels: beams take the place of channels. Throws `input` for lengths that do not fit. */
export function beamspace(x: DopplerCube, beams: readonly ComplexSamples[]): DopplerCube {
  if (!Array.isArray(beams) || beams.length === 0) throw inputError("beams", "a list of at least one", beams);
  for (const [i, beam] of beams.entries()) {
    checkComplex(beam, x.channels, `beams[${i}]`, `${x.channels} channels`);
    checkFinite(beam, `beams[${i}]`);
  }
  const line = 2 * x.bins * x.ranges;
  checkSize(beams.length * line, "beams");
  const data = new Float64Array(beams.length * line);
  for (const [i, beam] of beams.entries()) {
    const row = data.subarray(i * line, (i + 1) * line);
    for (let m = 0; m < x.channels; m++) {
      const [re, im] = [beam[2 * m], beam[2 * m + 1]];
      for (let k = 0, from = m * line; k < line; k += 2, from += 2) {
        row[k] += re * x.data[from] + im * x.data[from + 1];
        row[k + 1] += re * x.data[from + 1] - im * x.data[from];
      }
    }
  }
  return { data, channels: beams.length, bins: x.bins, ranges: x.ranges };
}

/**
 * JDL for one look direction: `spatial` is a(ϑ) of M channels, `beams` are the directions of the localised region, a(ϑ) and its
 * neighbours, usually one beamwidth apart; `temporalTaps` are its Doppler bins. y[1][bin][range]. Throws `input`.
 */
export function jdlReference(
  cube: Cube,
  spatial: ComplexSamples,
  beams: readonly ComplexSamples[],
  options: Omit<EfaOptions, "channels" | "pulses" | "ranges" | "steeringVectors" | "maxOverSteering"> = {},
  choice?: BinChoice,
): EfaResult {
  const { channels, pulses, ranges } = cube;
  // The Doppler stage of the channels has no covariance to train. One tap and some loading pass the checks of options.
  const { training: _, ...window } = options;
  const elements = efaGeometry({
    ...window,
    training: { kind: "own" },
    loading: 1,
    temporalTaps: 1,
    channels,
    pulses,
    ranges,
    steeringVectors: 1,
  });
  const x = beamspace(dopplerReference(cube, elements), beams);
  const geometry = efaGeometry({ ...options, channels: beams.length, pulses, ranges, steeringVectors: 1 });
  const a = checkSteering(spatial, 1, channels, "spatial");
  const seen = beamspace({ data: a, channels, bins: 1, ranges: 1 }, beams).data;
  return efaFromDoppler(x, efaSteering(geometry, [seen]), geometry, choice);
}

/**
 * The non-adaptive beamformer: w = v for every range, with the outputs of EFA, so that `amf` is |vᴴx|²/(vᴴv). `steering` is
 * [P][n] as for EFA. Training, loading and solver of the geometry are not used. Throws `input`.
 */
export function beamformerReference(x: DopplerCube, steering: ComplexSamples, geometry: EfaGeometry, choice?: BinChoice): EfaResult {
  checkDopplerCube(x, geometry);
  const { steeringVectors, order, ranges } = geometry;
  const data = checkSteering(steering, steeringVectors, order);
  const gains = new Float64Array(steeringVectors);
  for (let i = 0; i < data.length; i++) gains[Math.floor(i / (2 * order))] += data[i] ** 2;
  // One group of all ranges: nothing is trained.
  const sets = { ...geometry.sets, groupRanges: ranges, groups: 1 };
  return filterBins(x, { ...geometry, sets }, chosenBins(geometry, choice), () => ({ data, gains }));
}
