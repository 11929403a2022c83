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

/** a(ϑ) of a line's elements for an azimuth. */
export const lineSteering = (channels: number, { spacingWavelengths, broadsideDegrees }: LineArray, azimuthDegrees: number): Float64Array =>
  uniformSteering(channels, ulaCycles(spacingWavelengths, ((azimuthDegrees - broadsideDegrees) * Math.PI) / 180));

interface Directions {
  readonly vectors: number;
  readonly text: string;
  readonly source: Used<string>["source"];
  readonly azimuthDegrees?: readonly number[];
  make(geometry: EfaGeometry): Float32Array;
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
      make: (geometry) => stored(given, geometry, file && "--steering", settings),
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
      Float32Array.from(
        efaSteering(
          geometry,
          azimuthDegrees.map((azimuth) => lineSteering(geometry.channels, array, azimuth)),
        ),
      ),
  };
}

/** Vectors of a file: over channels, or over the elements of a snapshot. */
function stored(
  { file, vectors, elements, data }: SteeringVectors,
  geometry: EfaGeometry,
  from: "--steering" | undefined,
  settings: StapSettings,
): Float32Array {
  const { channels, order, temporalTaps } = geometry;
  const vector = (p: number): ComplexSamples => data.subarray(2 * p * elements, 2 * (p + 1) * elements);
  for (let p = 0; p < vectors; p++) {
    if (vector(p).every((x) => x === 0))
      throw new CommandError("file", `${file}: steering vector ${p} must not be all zero`, { file, vector: p });
  }
  if (elements === order) return Float32Array.from(data);
  if (elements === channels) {
    const spatial = Array.from({ length: vectors }, (_, p) => vector(p));
    return Float32Array.from(efaSteering(geometry, spatial));
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
