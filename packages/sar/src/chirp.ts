/**
 * The transmitted pulse as samples: what a range matched filter is made of. Not the filter itself (conjugation,
 * transform and where its delay goes are the processor's affair).
 */
import { inputError } from "@dechirp/core";
import { checkRadar, type StripmapRadar } from "./radar.ts";
import { type Window, windowFunction } from "./windows.ts";

/** Options of `chirpReplica`. */
export interface ChirpOptions {
  /** Taper over the pulse; rectangular where left out. */
  readonly window?: Window;
  /** Samples per range sample, a positive integer; 1 where left out. */
  readonly oversample?: number;
}

/**
 * Samples w((u − T/2)/T)·exp(jπK(u − T/2)²) at u = n/(oversample·Fr) < T, interleaved re, im: `chirpSamples(radar)` of
 * them at oversample 1 (Cumming & Wong eq. 3.1 region, moved to start at 0). Throws `input` for a bad radar or option.
 */
export function chirpReplica(radar: StripmapRadar, options: ChirpOptions = {}): Float64Array {
  checkRadar(radar);
  const { window = { kind: "rect" }, oversample = 1 } = options;
  if (!Number.isInteger(oversample) || oversample < 1 || oversample > 1024) {
    throw inputError("oversample", "an integer from 1 to 1024", oversample);
  }
  const rateHz = radar.samplingRateHz * oversample;
  const n = Math.floor(radar.pulseSeconds * rateHz + 1e-9);
  if (n > 2 ** 26) throw inputError("radar.pulseSeconds", "at most 2^26 samples long", radar.pulseSeconds);
  const w = windowFunction(window);
  const replica = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) {
    const u = i / rateHz - radar.pulseSeconds / 2;
    const cycles = 0.5 * radar.chirpRateHzPerSecond * u * u;
    const angle = 2 * Math.PI * (cycles - Math.round(cycles));
    const gain = w(u / radar.pulseSeconds);
    replica[2 * i] = gain * Math.cos(angle);
    replica[2 * i + 1] = gain * Math.sin(angle);
  }
  return replica;
}
