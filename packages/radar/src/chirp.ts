/** The transmitted pulse as samples, from which matched filters are made. */
import { inputError } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf } from "@dechirp/core/internal";
import type { Window } from "./window-table.ts";
import { windowFunction } from "./windows.ts";

/** A linear chirp, stated by its bandwidth: the pulse of uncompressed data of an array. */
export interface Chirp {
  /** Signed: negative if the frequency falls. */
  readonly bandwidthHz: number;
  /** Pulse length. */
  readonly pulseSeconds: number;
  /** Complex sampling rate of the data. */
  readonly samplingRateHz: number;
}

/** A linear chirp, stated by its rate. `StripmapRadar` is one. */
export interface RatedChirp {
  /** Chirp rate K, signed: negative for a down-chirp. */
  readonly chirpRateHzPerSecond: number;
  /** Pulse length T. */
  readonly pulseSeconds: number;
  /** Complex sampling rate Fr of the data. */
  readonly samplingRateHz: number;
}

/** How `chirpReplica` samples a pulse. */
export interface ChirpOptions {
  /** Taper over the pulse, a window with a continuous formula. Default: rectangular. */
  readonly window?: Window;
  /** Samples per sample of the data, an integer from 1 to 1024. Default: 1. */
  readonly oversample?: number;
}

const optionFields: FieldsOf<ChirpOptions> = { window: "object", oversample: "number" };

const maxSamples = 2 ** 26;
const maxHertz = 1e15;

/** Whole samples of a pulse: ⌊T·Fr⌋. */
export const chirpSamples = ({ pulseSeconds, samplingRateHz }: Pick<RatedChirp, "pulseSeconds" | "samplingRateHz">): number =>
  Math.floor(pulseSeconds * samplingRateHz + 1e-9);

/**
 * Samples of a linear chirp, interleaved re, im: w((u − T/2)/T)·exp(jπK(u − T/2)²) at u = n/(oversample·Fr), K = B/T if the chirp states
 * a bandwidth. At `oversample` 1 there are `chirpSamples(chirp)` (Cumming & Wong, eq. 3.1, with the pulse starting at 0).
 * Throws `input`, naming `chirp.<field>`, if a number is out of range or the pulse has no sample or more than 2²⁶.
 */
export function chirpReplica(chirp: RatedChirp | Chirp, options: ChirpOptions = {}): Float64Array {
  checkObject(chirp, "chirp", "input");
  const { pulseSeconds, samplingRateHz } = chirp;
  checkPositive(pulseSeconds, "pulseSeconds", 1e9);
  checkPositive(samplingRateHz, "samplingRateHz", maxHertz);
  const rated = "chirpRateHzPerSecond" in chirp;
  const stated = rated ? chirp.chirpRateHzPerSecond : chirp.bandwidthHz;
  if (!(typeof stated === "number" && Math.abs(rated ? stated * pulseSeconds : stated) <= maxHertz)) {
    const expected = `a number, for a bandwidth of at most ${maxHertz} Hz`;
    throw inputError(`chirp.${rated ? "chirpRateHzPerSecond" : "bandwidthHz"}`, expected, stated);
  }
  checkFields(options, optionFields, "options of chirpReplica", "input");
  const { window = { kind: "rect" }, oversample = 1 } = options;
  if (!Number.isInteger(oversample) || oversample < 1 || oversample > 1024)
    throw inputError("oversample", "an integer from 1 to 1024", oversample);
  const rateHz = samplingRateHz * oversample;
  const n = chirpSamples({ pulseSeconds, samplingRateHz: rateHz });
  if (!(n >= 1 && n <= maxSamples)) throw inputError("chirp.pulseSeconds", "of 1 to 2^26 samples", pulseSeconds);
  const chirpRate = rated ? stated : stated / pulseSeconds;
  const w = windowFunction(window);
  const replica = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) {
    const u = i / rateHz - pulseSeconds / 2;
    const cycles = 0.5 * chirpRate * u * u;
    const angle = 2 * Math.PI * (cycles - Math.round(cycles));
    const gain = w(u / pulseSeconds);
    replica[2 * i] = gain * Math.cos(angle);
    replica[2 * i + 1] = gain * Math.sin(angle);
  }
  return replica;
}

function checkPositive(value: number, field: string, most: number): void {
  if (!(typeof value === "number" && value > 0 && value <= most))
    throw inputError(`chirp.${field}`, `a positive number up to ${most}`, value);
}
