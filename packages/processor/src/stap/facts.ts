/** Checks of facts about the radar of an array. Recordings and settings share them. */

import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import type { ArrayFacts, Chirp, ElementSpacing, RangeAxis } from "@dechirp/radar";
import { chirpSamples } from "@dechirp/radar";

/** The most samples of a chirp. */
const mostSamples = 2 ** 24;

const isPositive = (value: number): boolean => Number.isFinite(value) && value > 0;
/** Whether a value is a number of degrees from −360 to 360. */
export const isDegrees = (value: unknown): boolean => typeof value === "number" && Math.abs(value) <= 360;

/** What `isDegrees` accepts, for messages. */
export const degreesExpected = "a number of degrees from -360 to 360";
const positiveExpected = "a positive number";

const spacingFields: FieldsOf<ElementSpacing> = { value: true, unit: true };
const chirpFields: FieldsOf<Chirp> = { bandwidthHz: true, pulseSeconds: true, samplingRateHz: true };
const rangeFields: FieldsOf<RangeAxis> = { startMeters: true, stepMeters: true };

/** Makes the error about a field; `expected` says what it must be. */
export type Refuse = (field: string, expected: string, actual: unknown) => Error;

/**
 * Throws what `refuse` makes if a fact has an impossible value, and `input` if a fact has an unknown field. `path` is put before field
 * names.
 */
export function checkFacts(
  { prfHz, carrierHz, spacing, broadsideDegrees, chirp, rangeAxis }: ArrayFacts,
  path: string,
  refuse: Refuse,
): void {
  const check = (sound: boolean, field: string, expected: string, actual: unknown): void => {
    if (!sound) throw refuse(field, expected, actual);
  };
  check(prfHz === undefined || isPositive(prfHz), "prfHz", positiveExpected, prfHz);
  check(carrierHz === undefined || isPositive(carrierHz), "carrierHz", positiveExpected, carrierHz);
  check(broadsideDegrees === undefined || isDegrees(broadsideDegrees), "broadsideDegrees", degreesExpected, broadsideDegrees);
  if (spacing !== undefined) {
    checkFields(spacing, spacingFields, `${path}spacing`, "input", `${path}spacing.`);
    check(isPositive(spacing.value), "spacing.value", positiveExpected, spacing.value);
    check(spacing.unit === "m" || spacing.unit === "wavelengths", "spacing.unit", "m or wavelengths", spacing.unit);
  }
  if (chirp !== undefined && chirp !== "none") {
    checkFields(chirp, chirpFields, `${path}chirp`, "input", `${path}chirp.`);
    const { bandwidthHz, pulseSeconds, samplingRateHz } = chirp;
    check(Number.isFinite(bandwidthHz), "chirp.bandwidthHz", "a finite number", bandwidthHz);
    check(isPositive(pulseSeconds), "chirp.pulseSeconds", positiveExpected, pulseSeconds);
    check(isPositive(samplingRateHz), "chirp.samplingRateHz", positiveExpected, samplingRateHz);
    const samples = chirpSamples(chirp);
    check(samples >= 1 && samples <= mostSamples, "chirp", `a pulse and a sampling rate that give 1 to ${mostSamples} samples`, samples);
  }
  if (rangeAxis !== undefined) {
    checkFields(rangeAxis, rangeFields, `${path}rangeAxis`, "input", `${path}rangeAxis.`);
    check(Number.isFinite(rangeAxis.startMeters), "rangeAxis.startMeters", "a finite number", rangeAxis.startMeters);
    check(isPositive(rangeAxis.stepMeters), "rangeAxis.stepMeters", positiveExpected, rangeAxis.stepMeters);
  }
}
