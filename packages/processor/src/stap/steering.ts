/** Where a STAP run looks: steering vectors of a scan of azimuths over a uniform line of elements, or those of a file. */
import { type ComplexSamples, type EfaGeometry, efaSteering, speedOfLight, ulaCycles, uniformSteering } from "@dechirp/stap";
import { argumentError, CommandError } from "../errors.ts";
import type { Used } from "../report.ts";
import type { StapInput, SteeringVectors } from "./input.ts";
import type { ArrayFacts, AzimuthScan, StapSettings } from "./settings.ts";

const maxAzimuths = 4096;

/** A uniform line of elements. */
export interface LineArray {
  readonly spacingWavelengths: number;
  readonly broadsideDegrees: number;
}

/** The line whose elements are so far apart, where that is known. */
export function arrayOf(spacing: ArrayFacts["spacing"], carrierHz: number | undefined, broadsideDegrees = 0): LineArray | undefined {
  if (spacing === undefined) return undefined;
  if (spacing.unit === "wavelengths") return { spacingWavelengths: spacing.value, broadsideDegrees };
  if (carrierHz === undefined)
    throw new CommandError("argument", "--carrier is missing: a spacing in metres takes a wavelength", { option: "--carrier" });
  return { spacingWavelengths: (spacing.value * carrierHz) / speedOfLight, broadsideDegrees };
}

/** a(ϑ) of elements of a line, by their numbers from 0, for a spatial frequency in cycles an element. */
export function elementSteering(elements: readonly number[], cycles: number): Float64Array {
  const line = uniformSteering(Math.max(...elements) + 1, cycles);
  return Float64Array.from(elements.flatMap((element) => [line[2 * element], line[2 * element + 1]]));
}

/** The same for an azimuth. */
export const lineSteering = (
  elements: readonly number[],
  { spacingWavelengths, broadsideDegrees }: LineArray,
  azimuthDegrees: number,
): Float64Array => elementSteering(elements, ulaCycles(spacingWavelengths, ((azimuthDegrees - broadsideDegrees) * Math.PI) / 180));

interface Directions {
  readonly vectors: number;
  readonly text: string;
  readonly source: Used<string>["source"];
  readonly azimuthDegrees?: readonly number[];
  /** [vector][channel · taps + tap] */
  make(geometry: EfaGeometry): ComplexSamples;
}

/** Throws `argument` where nothing says where to look, or by what. */
export function directionsOf(
  input: StapInput,
  settings: StapSettings,
  usual: AzimuthScan | undefined,
  file: SteeringVectors | undefined,
  array: LineArray | undefined,
): Directions {
  const given = file ?? (settings.azimuth ? undefined : input.steering);
  if (given) {
    const text = `${given.vectors} vectors of ${given.elements} from ${given.file}`;
    return {
      vectors: given.vectors,
      text,
      source: file ? "option" : "scene",
      make: (geometry) => stored(given, geometry, input, file && "--steering", settings),
    };
  }
  const scan = settings.azimuth ?? usual;
  if (scan === undefined)
    throw new CommandError("argument", `--azimuth or --steering is missing: ${input.file} has no steering vectors`, {
      option: "--azimuth",
    });
  if (array === undefined)
    throw new CommandError("argument", "--spacing is missing: --azimuth steers a uniform line of elements", { option: "--spacing" });
  const azimuthDegrees = azimuths(scan);
  const { from, to, step } = scan;
  return {
    vectors: azimuthDegrees.length,
    text: from === to ? `azimuth ${from}°` : `azimuths ${from}° to ${to}° by ${step}°`,
    source: settings.azimuth ? "option" : "preset",
    azimuthDegrees,
    make: (geometry) =>
      efaSteering(
        geometry,
        azimuthDegrees.map((azimuth) => lineSteering(input.elements, array, azimuth)),
      ),
  };
}

/** Vectors of a file: over channels, or over the elements of a snapshot; of the file's channels, or of those that are left. */
function stored(
  given: SteeringVectors,
  geometry: EfaGeometry,
  input: Pick<StapInput, "elements" | "fileChannels">,
  from: "--steering" | undefined,
  settings: StapSettings,
): ComplexSamples {
  const { channels, order, temporalTaps } = geometry;
  const { file, vectors, elements, data } = leftOf(given, input, temporalTaps);
  const vector = (p: number): ComplexSamples => data.subarray(2 * p * elements, 2 * (p + 1) * elements);
  for (let p = 0; p < vectors; p++) {
    if (vector(p).every((x) => x === 0))
      throw new CommandError("file", `${file}: steering vector ${p} must not be all zero`, { file, vector: p });
  }
  if (elements === order) return data;
  if (elements === channels) {
    const spatial = Array.from({ length: vectors }, (_, p) => vector(p));
    return efaSteering(geometry, spatial);
  }
  if (settings.temporalTaps !== undefined && elements % channels === 0)
    throw argumentError(
      "--tdof",
      `${elements / channels}, as steering vectors of ${file} are of ${elements} elements for ${channels} channels`,
      temporalTaps,
    );
  const expected = `of length ${channels}, the channels, or ${order}, channels times ${temporalTaps} taps`;
  throw new CommandError("file", `${from === undefined ? "" : `${from} `}${file}: steering vectors must be ${expected}, not ${elements}`, {
    file,
    expected,
    actual: elements,
  });
}

/** Vectors over all channels of a file, or their taps, as vectors over those that are left. */
function leftOf(
  given: SteeringVectors,
  { elements: left, fileChannels }: Pick<StapInput, "elements" | "fileChannels">,
  taps: number,
): SteeringVectors {
  const { vectors, elements, data } = given;
  const each = elements === fileChannels ? 1 : elements === fileChannels * taps ? taps : 0;
  if (left.length === fileChannels || each === 0) return given;
  const kept = Array.from({ length: vectors }, (_, p) =>
    left.flatMap((channel) => [...data.subarray(2 * (p * elements + channel * each), 2 * (p * elements + (channel + 1) * each))]),
  ).flat();
  return { ...given, elements: left.length * each, data: Float64Array.from(kept) };
}

/** A scan as an option gives it. */
export const scanText = ({ from, to, step }: AzimuthScan): string => (from === to ? `${from}` : `${from}:${to}:${step}`);

const azimuths = ({ from, to, step }: AzimuthScan): readonly number[] =>
  // To a millionth of a step, so that the last one is not lost to rounding; to 1e-9° so that 230 + 0.1·3 reads as it was meant.
  Array.from({ length: scanLength({ from, to, step }) }, (_, i) => Number((from + i * step).toFixed(9)));

/** Azimuths of a scan. Throws `argument` for too many. */
function scanLength({ from, to, step }: AzimuthScan): number {
  const length = Math.floor((to - from) / step + 1e-6) + 1;
  if (!(length >= 1 && length <= maxAzimuths)) throw argumentError("--azimuth", `of 1 to ${maxAzimuths} azimuths`, `${from}:${to}:${step}`);
  return length;
}
