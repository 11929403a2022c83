/**
 * Parses the input of the PERFECT suite's STAP application (Barker et al., "PERFECT Benchmark Suite Manual", 2013): a data cube and its
 * steering vectors, as bare little-endian complex float32 without a header. The sizes are those of the suite's three sets. This file
 * parses bytes; `perfect-format.ts` finds the files.
 */
import { createPause, inputError, type Pause } from "@dechirp/core";
import { firstNotFinite } from "@dechirp/core/internal";
import { fileError } from "./file-error.ts";
import { copyBytes, hostIsLittleEndian } from "./numbers.ts";
import { type Access, accessTo, type ByteSource, checkOptions } from "./random-access.ts";

/** The sets of the PERFECT suite. */
export type PerfectSet = "small" | "medium" | "large";

/** Sizes that the suite fixes at compile time. */
export interface PerfectSizes {
  readonly channels: number;
  readonly pulses: number;
  readonly ranges: number;
  /** Number of bins of the suite's Doppler stage, which zero-pads the pulses. */
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

/** The STAP input of one PERFECT set. */
export interface PerfectInput {
  readonly set: PerfectSet;
  readonly sizes: PerfectSizes;
  /** The data cube x[channel][pulse][range], interleaved re, im. */
  readonly samples: Float32Array;
  /** Steering vectors v[vector][channel · temporalTaps + tap], interleaved re, im. */
  readonly steering: Float32Array;
}

/** The suite's own names for the files of a set. */
export const perfectNames = (set: PerfectSet): { readonly input: string; readonly steering: string } => ({
  input: `${set}_app_input.bin`,
  steering: `${set}_app_steering_vectors.bin`,
});

/** Options of `parsePerfect`. */
export interface PerfectOptions {
  readonly set: PerfectSet;
  /** Name of the cube's file for messages. Default: the suite's own name. */
  readonly file?: string;
  /** Name of the steering vectors' file for messages. Default: the suite's own name. */
  readonly steeringFile?: string;
  /** Cancels the read, which rejects with `aborted`. */
  readonly signal?: AbortSignal;
}

/**
 * Parses the two files of a set. Rejects with `input`, fields `{ file, offset, expected, actual }`, if a file has the wrong size
 * (nothing is read then) or holds a number that is not finite; with `input`, fields `{ field }`, for wrong arguments; and with
 * `aborted` if the signal fires.
 */
export async function parsePerfect(input: ByteSource, steering: ByteSource, options: PerfectOptions): Promise<PerfectInput> {
  const { set, signal } = checkOptions(options, { set: true, file: true, steeringFile: true, signal: true }, "parsePerfect");
  if (!Object.hasOwn(perfectSizes, set)) throw inputError("set", `one of ${Object.keys(perfectSizes).join(", ")}`, set);
  const names = perfectNames(set);
  const { file = names.input, steeringFile = names.steering } = options;
  const sizes = perfectSizes[set];
  const { channels, pulses, ranges, temporalTaps, steeringVectors } = sizes;
  const pause = createPause(`reading ${file}`, signal);
  await pause();
  const read = (source: Access, extents: Readonly<Record<string, number>>, name: string) =>
    complexFloats(source, extents, name, signal, pause);
  return {
    set,
    sizes,
    samples: await read(accessTo(input, "input"), { channel: channels, pulse: pulses, range: ranges }, file),
    steering: await read(accessTo(steering, "steering"), { vector: steeringVectors, element: channels * temporalTaps }, steeringFile),
  };
}

/** Reads an array with the given extents, outermost axis first. */
async function complexFloats(
  source: Access,
  extents: Readonly<Record<string, number>>,
  file: string,
  signal: AbortSignal | undefined,
  pause: Pause,
): Promise<Float32Array> {
  const elements = Object.values(extents).reduce((product, extent) => product * extent, 1);
  const size = 8 * elements;
  const checkSize = (found: number): void => {
    if (found !== size) throw fileError(file, Math.min(size, found), `${size} bytes, ${elements} complex float32`, `${found} bytes`);
  };
  checkSize(source.size);
  const bytes = await source.read(0, size, signal ? { signal } : {});
  // Another process may have cut the file short in the meantime.
  checkSize(bytes.length);
  const data = new Float32Array(await copyBytes(bytes, 0, size, 4, !hostIsLittleEndian, pause));
  const bad = await firstNotFinite(data, pause);
  if (bad < 0) return data;
  let [left, places] = [bad >> 1, ""];
  for (const [axis, extent] of Object.entries(extents).reverse()) {
    places = `${axis} ${left % extent}${places === "" ? "" : `, ${places}`}`;
    left = Math.floor(left / extent);
  }
  throw fileError(file, 4 * bad, `a finite number at ${places}`, data[bad]);
}
