/** Errors in the words of the page: the label of the control that sets what an error names. */
import { inputError, isRadarError, messageOf } from "@dechirp/core";
import { planStap } from "@dechirp/processor";
import { describe, expect, it } from "vitest";
import { controls as adaptive } from "../src/adaptive/labels.ts";
import { recordingOf, sceneOf, wardSettings } from "../src/adaptive/scenario.ts";
import { settings, type Values } from "../src/adaptive/settings.ts";
import { simulatedGeometry } from "../src/backprojection/flight.ts";
import { controls as backprojection } from "../src/backprojection/labels.ts";
import { type Values as FlightValues, settings as flights } from "../src/backprojection/settings.ts";
import { defaultsOf } from "../src/settings.ts";
import { type Controls, inControlWords } from "../src/ui/words.ts";

async function said(controls: Controls, work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    const shown = inControlWords(controls, error);
    expect(isRadarError(shown, "input")).toBe(true);
    return messageOf(shown);
  }
  throw new Error("nothing is wrong");
}

const ward = (changed: Partial<Values>): Promise<string> => {
  const values = { ...defaultsOf(settings), elements: 4, pulses: 8, ranges: 64, ...changed };
  return said(adaptive, () => planStap(recordingOf(sceneOf(values)), wardSettings(values)));
};

describe("Adaptive processing", () => {
  it.each<[string, Partial<Values>]>([
    ["Doppler bins of a filter must be an integer from 1 to 8, not 9", { taps: 9 }],
    ["Guard on each side must be an integer from 0 to 3, not 31", { guard: 31 }],
    [
      "Pulses must be at most 32 with 24 elements: the scenario's covariance has their product as order, not 64",
      { elements: 24, pulses: 64 },
    ],
    [
      "Ranges of a block must be left out if training is sliding: every range has its own training cells, not 1",
      { block: 1, training: "sliding" },
    ],
  ])("says: %s", async (sentence, changed) => {
    expect(await ward(changed)).toBe(sentence);
  });

  it("keeps what the packages say of several things together", async () => {
    expect(await ward({ block: 1 })).toMatch(
      /^Ranges of a block: this does not suit Ward's scenario: training of ranges 0 to 0 must have at least 12 cells/,
    );
    expect(await ward({ preset: "mountain-top" })).toMatch(/^Ward's scenario: replica\.length must be/);
  });

  it("has automatic settings for 24 elements and few ranges", async () => {
    for (const ranges of [64, 96, 107, 108, 200]) {
      const values = { ...defaultsOf(settings), elements: 24, ranges };
      const plan = await planStap(recordingOf(sceneOf(values)), wardSettings(values));
      expect(plan.parameters.temporalTaps.value).toBe(Math.min(3, Math.floor((ranges - Math.ceil(ranges / 3)) / 24)));
    }
  });
});

it("names the controls of a flight", async () => {
  const flight = (changed: Partial<FlightValues>) => said(backprojection, () => simulatedGeometry({ ...defaultsOf(flights), ...changed }));
  expect(await flight({ track: "linear", arc: 200 })).toBe(
    "Azimuth flown must be at most 150 degrees on a straight track, not 200 degrees",
  );
  expect(await flight({ centre: 0.3, bandwidth: 700 })).toBe("Bandwidth must be less than twice the centre frequency, not 700 MHz");
});

it("leaves other errors as they are", () => {
  for (const error of [new Error("no"), inputError("file", "there", "absent"), undefined])
    expect(inControlWords(adaptive, error)).toBe(error);
});
