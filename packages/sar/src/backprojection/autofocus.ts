/** Applies the corrections that come with a phase history: ranges and phases, pulse by pulse. */

import { createPause, inputError } from "@dechirp/core";
import { forEachSlice, isArrayOf } from "@dechirp/core/internal";
import type { PhaseHistory, PulseCorrections } from "@dechirp/radar";
import { checkPhaseHistory } from "./profiles.ts";

/**
 * The phase history with its corrections applied: fp[p][k]·exp(+j·phase[p]) and r₀[p] + range[p]. The result has no `autofocus`, so that
 * it cannot be corrected twice. `history` is not changed. Rejects with `input`, naming `history.<field>`, if there are no corrections or
 * lengths disagree; with `aborted` if `signal` fires.
 */
export async function applyAutofocus<H extends PhaseHistory & { readonly autofocus?: PulseCorrections }>(
  history: H,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Omit<H, "autofocus">> {
  checkPhaseHistory(history);
  const { autofocus, ...rest } = history;
  const { referenceRangeMeters, samples, frequency } = rest;
  const pulses = referenceRangeMeters.length;
  if (typeof autofocus !== "object" || autofocus === null)
    throw inputError("history.autofocus", "corrections that are not applied yet", autofocus);
  for (const name of ["rangeMeters", "phaseRadians"] as const) {
    const values = autofocus[name];
    if (!isArrayOf(values, Float64Array)) throw inputError(`history.autofocus.${name}`, "a Float64Array", values);
    if (values.length !== pulses) throw inputError(`history.autofocus.${name}.length`, `${pulses}, one for each pulse`, values.length);
  }
  const { rangeMeters, phaseRadians } = autofocus;
  const corrected = new Float32Array(samples.length);
  const each = 2 * frequency.count;
  let [pulse, re, im] = [-1, 1, 0];
  await forEachSlice(samples.length / 2, createPause("applying autofocus", options?.signal), (from, to) => {
    for (let at = 2 * from; at < 2 * to; at += 2) {
      const p = Math.floor(at / each);
      if (p !== pulse) [pulse, re, im] = [p, Math.cos(phaseRadians[p]), Math.sin(phaseRadians[p])];
      corrected[at] = samples[at] * re - samples[at + 1] * im;
      corrected[at + 1] = samples[at] * im + samples[at + 1] * re;
    }
  });
  const ranges = Float64Array.from(referenceRangeMeters, (range, p) => range + rangeMeters[p]);
  return { ...rest, referenceRangeMeters: ranges, samples: corrected };
}
