/** Parts that all reports share: parameters with their sources, the device, axes, and stages with their times. Plain data. */
import type { Device } from "@dechirp/core";
import type { Timing } from "./clock.ts";

/** A parameter that was used: its value, its source, and a reason if there is something to explain. */
export interface UsedParameter<T> {
  readonly value: T;
  /**
   * Where the value comes from. `option`: the caller's settings; `scene`: the recording; `preset`: known facts about the sensor;
   * `data`: measured; `data+preset`: measured, with the number of whole PRFs from the preset; `fraction`: measured, with the number of
   * whole PRFs unknown; `default`: the processor's choice; `none`: nothing is known.
   */
  readonly source: "option" | "scene" | "preset" | "data" | "data+preset" | "fraction" | "default" | "none";
  readonly why?: string;
}

/** Returns the first value that is defined, with its source. If none is, returns the last one. */
export function firstUsed<T>(
  ...values: readonly (readonly [value: T | undefined, source: UsedParameter<T>["source"]])[]
): UsedParameter<T> {
  const [value, source] = values.find(([one]) => one !== undefined) ?? values[values.length - 1];
  return { value: value as T, source };
}

/** Returns the caller's `option` if given, else the default `otherwise` with the reason `why`. */
export const optionOr = <T>(option: T | undefined, otherwise: T, why?: string): UsedParameter<T> => ({
  value: option ?? otherwise,
  source: option === undefined ? "default" : "option",
  ...(why === undefined || option !== undefined ? {} : { why }),
});

/** The device that did the work. */
export interface DeviceReport {
  readonly id: string;
  readonly description: string;
  readonly notes: readonly string[];
  /** Why this device was chosen, if there were several. */
  readonly why?: string;
}

/** Describes `device` for a report, with the reason `why` it was chosen. */
export const deviceReport = ({ id, info }: Device, why?: string): DeviceReport => ({
  id,
  description: info.description,
  notes: info.notes,
  ...(why === undefined ? {} : { why }),
});

/** Values along an axis: start, start + step, … */
export interface ReportAxis {
  /** Value of the first sample. */
  readonly start: number;
  /** From one sample to the next. */
  readonly step: number;
  readonly count: number;
}

/** A stage of a program with its time and a description of the plan that ran. */
export interface StageReport extends Timing {
  readonly text: string;
}
