/** Chooses the steering vectors of a STAP run: a scan of azimuths with a uniform linear array, or given vectors. */
import { RadarError } from "@dechirp/core";
import { type ArrayFacts, type ComplexSamples, type SteeringVectors, speedOfLight } from "@dechirp/radar";
import { type EfaGeometry, efaSteering, ulaCycles, uniformSteering } from "@dechirp/stap";
import { recordingError, settingError, settingProblem } from "../blame.ts";
import type { UsedParameter } from "../used.ts";
import type { AzimuthScan } from "./processing.ts";
import type { ArrayData } from "./recording.ts";
import type { StapSettings } from "./settings.ts";

/** A uniform linear array. */
export interface LineArray {
  readonly spacingWavelengths: number;
  readonly broadsideDegrees: number;
}

/**
 * Makes the linear array of a spacing; `undefined` if the spacing is not known. Throws `input` if the spacing is in metres and the
 * carrier is not known.
 */
export function arrayOf(spacing: ArrayFacts["spacing"], carrierHz: number | undefined, broadsideDegrees = 0): LineArray | undefined {
  if (spacing === undefined) return undefined;
  if (spacing.unit === "wavelengths") return { spacingWavelengths: spacing.value, broadsideDegrees };
  if (carrierHz === undefined) throw settingProblem("carrierHz", "is missing: a spacing in metres needs the wavelength");
  return { spacingWavelengths: (spacing.value * carrierHz) / speedOfLight, broadsideDegrees };
}

/**
 * Spatial steering vector a(ϑ) of the listed elements (numbered from 0) of a linear array, for a spatial frequency in cycles per
 * element.
 */
export function elementSteering(elements: readonly number[], cycles: number): Float64Array {
  const line = uniformSteering(Math.max(...elements) + 1, cycles);
  return Float64Array.from(elements.flatMap((element) => [line[2 * element], line[2 * element + 1]]));
}

/** Spatial steering vector for an azimuth. */
export const lineSteering = (
  elements: readonly number[],
  { spacingWavelengths, broadsideDegrees }: LineArray,
  azimuthDegrees: number,
): Float64Array => elementSteering(elements, ulaCycles(spacingWavelengths, ((azimuthDegrees - broadsideDegrees) * Math.PI) / 180));

interface Directions {
  readonly vectors: number;
  readonly text: string;
  readonly source: UsedParameter<string>["source"];
  readonly azimuthDegrees?: readonly number[];
  /** Makes the vectors [vector][channel · taps + tap]. */
  make(geometry: EfaGeometry): ComplexSamples;
}

/** Chooses where to look. Throws `input` if no source gives directions or steering vectors. */
export function directionsOf(
  input: ArrayData,
  settings: StapSettings,
  usual: AzimuthScan | undefined,
  array: LineArray | undefined,
): Directions {
  const given = settings.steering ?? (settings.azimuth ? undefined : input.steering);
  if (given) {
    const { vectors, elements, file } = given;
    return {
      vectors,
      text: `${vectors} vectors of ${elements}${file === undefined ? "" : ` from ${file}`}`,
      source: settings.steering ? "option" : "scene",
      make: (geometry) => stored(given, geometry, input, settings),
    };
  }
  const scan = settings.azimuth ?? usual;
  if (scan === undefined) throw settingProblem("azimuth", `or settings.steering is missing: ${input.where} has no steering vectors`);
  if (array === undefined) throw settingProblem("spacing", "is missing: settings.azimuth steers a uniform linear array");
  const azimuthDegrees = azimuths(scan);
  const { from, to, step } = scan;
  return {
    vectors: azimuthDegrees.length,
    text: from === to ? `azimuth ${from}°` : `azimuths ${from}° to ${to}° in steps of ${step}°`,
    source: settings.azimuth ? "option" : "preset",
    azimuthDegrees,
    make: (geometry) =>
      efaSteering(
        geometry,
        azimuthDegrees.map((azimuth) => lineSteering(input.elements, array, azimuth)),
      ),
  };
}

/** Converts given vectors, over channels or over the elements of a snapshot, of all channels of the array or of those that are left. */
function stored(given: SteeringVectors, geometry: EfaGeometry, input: ArrayData, settings: StapSettings): ComplexSamples {
  const { channels, order, temporalTaps } = geometry;
  const { vectors, elements, data } = leftOf(given, input, temporalTaps);
  const fails = (problem: string, fields: Readonly<Record<string, unknown>>): RadarError =>
    given === settings.steering
      ? new RadarError("input", `settings.steering: ${problem}`, { ...fields, field: "settings.steering.data", problem })
      : recordingError(input.where, problem, { ...fields, field: "recording.steering" });
  const vector = (p: number): ComplexSamples => data.subarray(2 * p * elements, 2 * (p + 1) * elements);
  for (let p = 0; p < vectors; p++)
    if (vector(p).every((x) => x === 0)) throw fails(`steering vector ${p} must not be all zero`, { vector: p });
  if (elements === order) return data;
  if (elements === channels) {
    const spatial = Array.from({ length: vectors }, (_, p) => vector(p));
    return efaSteering(geometry, spatial);
  }
  if (settings.temporalTaps !== undefined && elements % channels === 0) {
    const from = given.file ?? "the array";
    const expected = `${elements / channels}, because steering vectors of ${from} have ${elements} elements for ${channels} channels`;
    throw settingError("temporalTaps", expected, temporalTaps);
  }
  const expected = `of length ${channels}, the channels, or ${order}, channels times ${temporalTaps} taps`;
  throw fails(`steering vectors must be ${expected}, not ${elements}`, { expected, actual: elements });
}

/** Reduces vectors over all channels of an array, with or without taps, to the channels that are left. */
function leftOf(given: SteeringVectors, { elements: left, fileChannels }: ArrayData, taps: number): SteeringVectors {
  const { vectors, elements, data } = given;
  const each = elements === fileChannels ? 1 : elements === fileChannels * taps ? taps : 0;
  const whole = left.length === fileChannels && left.every((channel, i) => channel === i);
  if (whole || each === 0) return given;
  const kept = new Float64Array(2 * vectors * left.length * each);
  for (let p = 0, to = 0; p < vectors; p++) {
    for (const channel of left) {
      const from = 2 * (p * elements + channel * each);
      kept.set(data.subarray(from, from + 2 * each), to);
      to += 2 * each;
    }
  }
  return { ...given, elements: left.length * each, data: kept };
}

/**
 * Rounds up by a millionth of a step, so that the last azimuth is not lost to rounding, and to 1e-9°, so that 230 + 0.1·3 prints as
 * 230.3.
 */
const azimuths = ({ from, to, step }: AzimuthScan): readonly number[] =>
  Array.from({ length: Math.floor((to - from) / step + 1e-6) + 1 }, (_, i) => Number((from + i * step).toFixed(9)));
