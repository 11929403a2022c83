/** Corrections of a phase history: by definition, on a history whose ranges and phases are wrong, and what is refused. */

import { createRandom, isRadarError } from "@dechirp/core";
import { type PhaseHistory, speedOfLight } from "@dechirp/radar";
import { expect, it } from "vitest";
import { applyAutofocus } from "../src/index.ts";

const [pulses, count] = [3, 7];
const random = createRandom(11);
const drawn = (): PhaseHistory => ({
  positions: Float64Array.from({ length: 3 * pulses }, () => 7000 + 100 * random.gaussian()),
  referenceRangeMeters: Float64Array.of(10_000, 10_001, 10_002),
  frequency: { firstHz: 9.5e9, stepHz: 1.5 * 2 ** 20, count },
  samples: Float32Array.from({ length: 2 * pulses * count }, () => random.gaussian()),
});

it("multiplies each pulse by exp(+j·phase), adds to its range, and does not change its input", async () => {
  const autofocus = { rangeMeters: Float64Array.of(0.5, -0.25, 0), phaseRadians: Float64Array.of(Math.PI / 2, 0.75, -2) };
  const history = { ...drawn(), autofocus, pass: 3 };
  const before = structuredClone(history);
  const { samples, referenceRangeMeters, ...rest } = await applyAutofocus(history);
  expect(history).toEqual(before);
  expect(rest).toEqual({ positions: before.positions, frequency: before.frequency, pass: 3 });
  expect(referenceRangeMeters).toEqual(Float64Array.of(10_000.5, 10_000.75, 10_002));
  for (let i = 0; i < samples.length; i += 2) {
    const [re, im] = before.samples.subarray(i, i + 2);
    const magnitude = Math.hypot(re, im);
    const angle = Math.atan2(im, re) + autofocus.phaseRadians[Math.floor(i / 2 / count)];
    // One rounding to float32 of each part.
    expect(Math.abs(samples[i] - magnitude * Math.cos(angle))).toBeLessThanOrEqual(2 ** -24 * magnitude);
    expect(Math.abs(samples[i + 1] - magnitude * Math.sin(angle))).toBeLessThanOrEqual(2 ** -24 * magnitude);
  }
});

it("corrects a history whose ranges and phases were measured wrong to the documented convention", async () => {
  const [amplitude, rangeMeters, phaseRadians] = [3, Float64Array.of(0.25, -0.5, 0.125), Float64Array.of(1, -2, 3)];
  const scatterer = [-16, 21, 0];
  const { frequency } = drawn();
  const platform = [0, 1, 2].map((p) => [7000 + p, 20 - p, 7200]);
  const phasor = (p: number, k: number, r0: number, more: number): readonly number[] => {
    const distance = Math.hypot(...platform[p].map((at, axis) => at - scatterer[axis]));
    const angle = (-4 * Math.PI * (frequency.firstHz + k * frequency.stepHz) * (distance - r0)) / speedOfLight + more;
    return [amplitude * Math.cos(angle), amplitude * Math.sin(angle)];
  };
  // Compensated to a range that is stated wrong by the correction, and rotated back by the phase.
  const r0 = Float64Array.from(platform, (at) => Math.hypot(...at));
  const echoes = [0, 1, 2].flatMap((p) =>
    Array.from({ length: count }, (_, k) => phasor(p, k, r0[p] + rangeMeters[p], -phaseRadians[p])).flat(),
  );
  const positions = Float64Array.from(platform.flat());
  const history = {
    positions,
    referenceRangeMeters: r0,
    frequency,
    samples: Float32Array.from(echoes),
    autofocus: { rangeMeters, phaseRadians },
  };
  const { samples, referenceRangeMeters } = await applyAutofocus(history);
  for (let p = 0; p < pulses; p++) {
    for (let k = 0; k < count; k++) {
      const [re, im] = phasor(p, k, referenceRangeMeters[p], 0);
      const at = 2 * (p * count + k);
      // Samples are rounded to float32 twice: half a unit of at most the amplitude in either part.
      expect(Math.hypot(samples[at] - re, samples[at + 1] - im)).toBeLessThan(4 * 2 ** -24 * amplitude);
    }
  }
});

it("refuses a history without corrections, applied ones, and lengths that disagree", async () => {
  const [two, three] = [new Float64Array(2), new Float64Array(3)];
  const field = (history: object): Promise<unknown> =>
    applyAutofocus(history as PhaseHistory).then(
      () => expect.unreachable(),
      (error: unknown) => isRadarError(error, "input") && error.fields["field"],
    );
  expect(await field(drawn())).toBe("history.autofocus");
  expect(await field(await applyAutofocus({ ...drawn(), autofocus: { rangeMeters: three, phaseRadians: three } }))).toBe(
    "history.autofocus",
  );
  expect(await field({ ...drawn(), autofocus: { rangeMeters: two, phaseRadians: three } })).toBe("history.autofocus.rangeMeters.length");
  expect(await field({ ...drawn(), autofocus: { rangeMeters: three, phaseRadians: two } })).toBe("history.autofocus.phaseRadians.length");
  expect(await field({ ...drawn(), autofocus: { rangeMeters: [0, 0, 0], phaseRadians: three } })).toBe("history.autofocus.rangeMeters");
  expect(await field({ ...drawn(), autofocus: null })).toBe("history.autofocus");
});

it("rejects with aborted if its signal has fired", async () => {
  const autofocus = { rangeMeters: new Float64Array(3), phaseRadians: new Float64Array(3) };
  await expect(applyAutofocus({ ...drawn(), autofocus }, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
});
