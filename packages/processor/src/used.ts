/** What all reports share: parameters with their sources, the device, axes, stages and times. Plain data. */
import type { Device } from "@dechirp/core";
import type { Timing } from "./clock.ts";

/** A parameter in use: its value, where it comes from, and a sentence where there is something to tell. */
export interface Used<T> {
  readonly value: T;
  /**
   * `option`: the caller's settings; `scene`: the recording; `preset`: facts known of the sensor; `data`: measured;
   * `data+preset`: measured, whole PRFs from the preset; `fraction`: measured, whole PRFs unknown; `default`: the
   * processor's choice; `none`: nothing known.
   */
  readonly source: "option" | "scene" | "preset" | "data" | "data+preset" | "fraction" | "default" | "none";
  readonly why?: string;
}

/** The first value that is there, and where it comes from; the last one where none is. */
export function firstUsed<T>(...values: readonly (readonly [value: T | undefined, source: Used<T>["source"]])[]): Used<T> {
  const [value, source] = values.find(([one]) => one !== undefined) ?? values[values.length - 1];
  return { value: value as T, source };
}

/** What the caller asked for, else `otherwise`, for the reason `why` where there is something to tell. */
export const optionOr = <T>(option: T | undefined, otherwise: T, why?: string): Used<T> => ({
  value: option ?? otherwise,
  source: option === undefined ? "default" : "option",
  ...(why === undefined || option !== undefined ? {} : { why }),
});

/** The device that the work was done on. */
export interface DeviceReport {
  readonly id: string;
  readonly description: string;
  readonly notes: readonly string[];
  /** Why this one, where somebody chose among several. */
  readonly why?: string;
}

/** What a report says of `device`, and of why it is this one. */
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

/** A stage of a program, its time, and the plan that ran. */
export interface StageReport extends Timing {
  readonly text: string;
}
