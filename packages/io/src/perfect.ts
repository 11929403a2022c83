/**
 * Input of the PERFECT suite's STAP application (Barker et al., "PERFECT Benchmark Suite Manual", 2013): a cube and its
 * steering vectors as bare complex float32, little-endian, without a header; sizes are those of the suite's three sets.
 * Parses bytes; `node-perfect.ts` finds files.
 */
import { inputError } from "@dechirp/core";
import { fileError } from "./file-error.ts";
import { decodeNumbers } from "./numbers.ts";

export type PerfectSet = "small" | "medium" | "large";

/** What the suite fixes at compile time. */
export interface PerfectSizes {
  readonly channels: number;
  readonly pulses: number;
  readonly ranges: number;
  /** Of its Doppler stage, zero-padded. */
  readonly dopplerBins: number;
  readonly blockRanges: number;
  readonly temporalTaps: number;
  readonly steeringVectors: number;
}

const common = { pulses: 128, dopplerBins: 256, temporalTaps: 3, steeringVectors: 16 };

/** Sizes of the suite's three sets. */
export const perfectSizes: Readonly<Record<PerfectSet, PerfectSizes>> = {
  small: { ...common, channels: 4, ranges: 512, blockRanges: 32 },
  medium: { ...common, channels: 6, ranges: 1024, blockRanges: 64 },
  large: { ...common, channels: 8, ranges: 4096, blockRanges: 64 },
};

export interface PerfectInput {
  readonly set: PerfectSet;
  readonly sizes: PerfectSizes;
  /** x[channel][pulse][range], interleaved. */
  readonly samples: Float32Array;
  /** v[vector][channel · temporalTaps + tap], interleaved. */
  readonly steering: Float32Array;
}

/** Files of one set by the suite's own names. */
export const perfectNames = (set: PerfectSet): { readonly input: string; readonly steering: string } => ({
  input: `${set}_app_input.bin`,
  steering: `${set}_app_steering_vectors.bin`,
});

/**
 * The input of a set from the bytes of its two files, `file` and `steeringFile` their names for messages. Throws `input` with
 * fields `{ file, offset, expected, actual }` for a file of another size or with a number that is not finite.
 */
export function perfectInput(
  input: Uint8Array,
  steering: Uint8Array,
  options: { readonly set: PerfectSet; readonly file?: string; readonly steeringFile?: string },
): PerfectInput {
  const { set } = options;
  if (!Object.hasOwn(perfectSizes, set)) throw inputError("set", `one of ${Object.keys(perfectSizes).join(", ")}`, set);
  const names = perfectNames(set);
  const { file = names.input, steeringFile = names.steering } = options;
  const sizes = perfectSizes[set];
  const { channels, pulses, ranges, temporalTaps, steeringVectors } = sizes;
  return {
    set,
    sizes,
    samples: complexFloats(input, { channel: channels, pulse: pulses, range: ranges }, file),
    steering: complexFloats(steering, { vector: steeringVectors, element: channels * temporalTaps }, steeringFile),
  };
}

/** An array of these extents by axis, outermost first. */
function complexFloats(bytes: Uint8Array, extents: Readonly<Record<string, number>>, file: string): Float32Array {
  const elements = Object.values(extents).reduce((product, extent) => product * extent, 1);
  const size = 8 * elements;
  if (bytes.length !== size)
    throw fileError(file, Math.min(size, bytes.length), `${size} bytes, ${elements} complex float32`, `${bytes.length} bytes`);
  const data = decodeNumbers(bytes, 0, 2 * elements, "f32", true) as Float32Array;
  const bad = data.findIndex((x) => !Number.isFinite(x));
  if (bad < 0) return data;
  let [left, places] = [bad >> 1, ""];
  for (const [axis, extent] of Object.entries(extents).reverse()) {
    places = `${axis} ${left % extent}${places === "" ? "" : `, ${places}`}`;
    left = Math.floor(left / extent);
  }
  throw fileError(file, 4 * bad, `a finite number at ${places}`, data[bad]);
}
