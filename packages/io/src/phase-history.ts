/**
 * A phase history: the spectra of the pulses that a moving radar received, motion-compensated to a range of each pulse,
 * with where the platform was. Plain data whose fields have the names and units of the sar package's backprojection, so
 * that one fits the other without either package importing the other. No file format is known here.
 *
 * Convention. Scatterers aₛ at s, seen from A_p, give
 *   fp[p][k] ≈ Σₛ aₛ·exp(−j4πf_k(|A_p − s| − r₀_p)/c), f_k = first + k·step,
 * so a scatterer at the range r₀_p has the same phase at every frequency, and ranges repeat every c/(2·step). The
 * conjugate gives an image as sharp, mirrored through the point of compensation.
 */
import { createPause, inputError, inSlices } from "@dechirp/core";
import { checkOptions } from "./random-access.ts";

/** Transmitted, then received. */
export type Polarisation = "HH" | "HV" | "VH" | "VV";

/** What a file says to correct, pulse by pulse. The two belong together: see `applyAutofocus`. */
export interface Autofocus {
  /** By pulse: added to the reference range. */
  readonly rangeMeters: Float64Array;
  /** By pulse: samples are multiplied by exp(+j·phase). */
  readonly phaseRadians: Float64Array;
}

export interface PhaseHistory {
  /** Platform positions [pulse][3]: x, y, z, metres, z up. */
  readonly positions: Float64Array;
  /** By pulse: the range r₀ that a pulse is motion-compensated to. */
  readonly referenceRangeMeters: Float64Array;
  /** f_k = firstHz + k·stepHz for k from 0 to count − 1. */
  readonly frequency: { readonly firstHz: number; readonly stepHz: number; readonly count: number };
  /** [pulse][frequency], interleaved re, im. */
  readonly samples: Float32Array;
  /** By pulse: direction of the platform as the file states it, counter-clockwise from +x. */
  readonly azimuthRadians?: Float64Array;
  /** By pulse: direction of the platform as the file states it, above the ground plane. */
  readonly elevationRadians?: Float64Array;
  /** Corrections that are not applied yet; absent where the file has none, and once they are. */
  readonly autofocus?: Autofocus;
  readonly polarisation?: Polarisation;
  /** Number of the flight pass. */
  readonly pass?: number;
  /** Remarks on what was read, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * The phase history with its autofocus applied: fp[p][k]·exp(+j·phase[p]) and r₀[p] + range[p], both, for either alone
 * defocuses. The result has no `autofocus`, so that it can't be applied twice; what was given is left as it is.
 * Rejects with `input` naming `history.<field>` where there is none, or lengths disagree; with `aborted` where `signal` fires.
 */
export async function applyAutofocus(history: PhaseHistory, options: { readonly signal?: AbortSignal } = {}): Promise<PhaseHistory> {
  const { signal } = checkOptions(options, { signal: true }, "applyAutofocus");
  if (typeof history !== "object" || history === null) throw inputError("history", "a phase history", history);
  const { autofocus, ...rest } = history;
  if (autofocus === undefined) throw inputError("history.autofocus", "corrections that are not applied yet", autofocus);
  const { rangeMeters, phaseRadians } = autofocus;
  const { referenceRangeMeters, samples, frequency, notes } = rest;
  const pulses = referenceRangeMeters.length;
  for (const [field, { length }, expected] of [
    ["autofocus.rangeMeters", rangeMeters, pulses],
    ["autofocus.phaseRadians", phaseRadians, pulses],
    ["samples", samples, 2 * pulses * frequency.count],
  ] as const) {
    if (length !== expected) throw inputError(`history.${field}.length`, `${expected}, of ${pulses} pulses`, length);
  }
  const turned = new Float32Array(samples.length);
  const each = 2 * frequency.count;
  let [pulse, re, im] = [-1, 1, 0];
  await inSlices(samples.length / 2, createPause("applying autofocus", signal), (from, to) => {
    for (let at = 2 * from; at < 2 * to; at += 2) {
      const p = Math.floor(at / each);
      if (p !== pulse) [pulse, re, im] = [p, Math.cos(phaseRadians[p]), Math.sin(phaseRadians[p])];
      turned[at] = samples[at] * re - samples[at + 1] * im;
      turned[at + 1] = samples[at] * im + samples[at + 1] * re;
    }
  });
  return {
    ...rest,
    referenceRangeMeters: referenceRangeMeters.map((range, p) => range + rangeMeters[p]),
    samples: turned,
    notes: [...notes, "the autofocus of the files was applied"],
  };
}
