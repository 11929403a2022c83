/**
 * The Doppler centroid to focus a block of raw data with, measured by focusing it. Raw data mix targets that the beam has
 * seen in full with those at the block's ends, seen in part: bright ones of the latter pull an estimate from raw data
 * towards the part seen. So raw data give a first fraction (doppler.ts), range-compressed data the ambiguity, and a first
 * image with a flat azimuth window the fraction for good: its lines of full exposure hold whole targets only, whose
 * azimuth spectrum is the antenna pattern around the centroid, wherever the first estimate was (Cumming & Wong section
 * 12.4 applied to single-look complex data).
 */
import { type Device, evaluate, type Program, type ProgramRunOptions, type TypedArrayOf } from "@dechirp/core";
import { type DopplerFraction, estimateDopplerFraction, type ResolvedDoppler, resolveDopplerCentroid } from "../doppler.ts";
import type { ComplexLines } from "../lines.ts";
import { beamOffsetSeconds, type StripmapRadar } from "../radar.ts";
import type { RangeDopplerParams } from "./params.ts";
import { type RangeDopplerProgram, rangeDoppler } from "./program.ts";

export interface MeasuredDoppler extends ResolvedDoppler {
  /** Fraction from the fully exposed lines of a first image, where there are enough of them. */
  readonly image?: DopplerFraction;
}

export interface MeasureDopplerOptions extends Pick<ProgramRunOptions, "signal" | "onProgress"> {
  /** An approximate absolute centroid, from orbit and attitude or a sensor's preset: decides the ambiguity where data can't. */
  readonly presetHz?: number;
}

/** Parameters of the image to be made, less the centroid. */
export type UncentredParams = Omit<RangeDopplerParams, "radar"> & { readonly radar: Omit<StripmapRadar, "dopplerCentroidHz"> };

/** Fewest fully exposed lines that an estimate is made from. */
const fewestLines = 48;

/**
 * `raw` is what the image's program takes, [lines][samples]. Resolves with the centroid, how it was found and why. Throws
 * `input` for parameters that make no image, and what `device` throws.
 */
export async function measureDopplerCentroid(
  params: UncentredParams,
  device: Device,
  raw: TypedArrayOf<"c64" | "c128" | "ci8" | "ci16">,
  options: MeasureDopplerOptions = {},
): Promise<MeasuredDoppler> {
  const { presetHz, ...run } = options;
  const { lines, samples, lineGain } = params;
  const centred = (dopplerCentroidHz: number, more: Partial<RangeDopplerParams> = {}): RangeDopplerProgram =>
    rangeDoppler({ ...params, storage: "f32", ...more, radar: { ...params.radar, dopplerCentroidHz } });

  const rawLines: ComplexLines = { data: raw, lines, samples, ...(lineGain && { lineGain }) };
  const compression = firstStep(centred(0, { rcmc: "off", src: "off" }));
  const { compressed } = await evaluate(compression, device, { raw }, run);
  const compressedLines: ComplexLines = { data: compressed as Float32Array, lines, samples: compressed.length / (2 * lines) };
  const first = resolveDopplerCentroid(rawLines, params.radar, {
    compressed: compressedLines,
    ...(presetHz !== undefined && { presetHz }),
  });
  if (first.fraction === undefined || !["data", "data+preset", "fraction"].includes(first.source)) return first;

  const [from, to] = fullyExposedLines(centred(first.dopplerCentroidHz), lines);
  if (to - from < fewestLines) return { ...first, why: `${first.why}; no image line has full exposure to refine it on` };
  // All Doppler frequencies alike: a band around the first estimate would pull the second towards it.
  const program = centred(first.dopplerCentroidHz, { azimuthWindow: { kind: "rect" }, processedBandwidthHz: params.radar.prfHz });
  const { image } = await evaluate(program, device, { raw }, run);
  const cells = program.geometry.cells;
  const interior = image.subarray(2 * from * cells, 2 * to * cells);
  const refined = estimateDopplerFraction({ data: interior, lines: to - from, samples: cells }, params.radar.prfHz);
  const { prfHz } = params.radar;
  const turn = refined.fractionHz - first.fractionHz;
  const shift = turn - prfHz * Math.round(turn / prfHz);
  if (!(refined.standardErrorHz <= prfHz / 8) || Math.abs(shift) > prfHz / 4) {
    return { ...first, image: refined, why: `${first.why}; a first image gives no better fraction` };
  }
  const dopplerCentroidHz = first.dopplerCentroidHz + shift;
  const ambiguity = Math.round((dopplerCentroidHz - refined.fractionHz) / prfHz);
  return {
    ...first,
    dopplerCentroidHz,
    fractionHz: refined.fractionHz,
    ambiguity,
    image: refined,
    why: `${first.why}; moved by ${shift.toFixed(0)} Hz on the ${to - from} fully exposed lines of a first image`,
  };
}

/** Rows of the image whose targets the beam has seen over the whole processed band: the first of them and the end. */
export function fullyExposedLines(
  { geometry, processedBandwidthHz }: RangeDopplerProgram,
  lines: number,
): readonly [from: number, to: number] {
  const { radar, midRangeMeters } = geometry;
  const seenAt = (side: number): number =>
    beamOffsetSeconds(radar, midRangeMeters, radar.dopplerCentroidHz + (side * processedBandwidthHz) / 2);
  const half = Math.ceil((Math.abs(seenAt(-1) - seenAt(1)) / 2) * radar.prfHz);
  return [half, Math.max(half, lines - half)];
}

/** The program's first step alone. */
function firstStep(program: Program): Program {
  const [step] = program.steps;
  const used = new Set(Object.values(step.bind));
  const constants = Object.fromEntries(Object.entries(program.constants ?? {}).filter(([name]) => used.has(name)));
  return { ...program, name: "range compression", constants, steps: [step], outputs: [step.bind["out"]] };
}
