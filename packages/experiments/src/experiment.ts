/** What all experiments have in common: what they run on, whom they tell how far they are, and what their reports are called. */

import { type Device, inputError } from "@dechirp/core";
import { asRadarError, requireSynchronous } from "@dechirp/core/backend";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";

/** What reports of all experiments have as their `format`. */
export const experimentFormat = "dechirp-experiment";

/** A device that an experiment runs on; it stays the caller's. */
export interface OpenDevice {
  readonly device: Device;
  /** For the report: why this device. */
  readonly why?: string;
}

/** Whom an experiment tells how far it is, and what ends it. */
export interface ExperimentHooks {
  readonly signal?: AbortSignal;
  /** `share` of the whole, 0 to 1. */
  readonly onProgress?: (what: string, share: number) => void;
}

/**
 * What an experiment was asked for, checked: options that it has, hooks that are functions, devices that are open. Gives the hooks, whose
 * `onProgress` throws `failed` where the user's throws. Throws `input`, naming the field.
 */
export function checkExperiment<T extends object>(
  devices: readonly OpenDevice[],
  options: T,
  fields: FieldsOf<T>,
  hooks: ExperimentHooks,
): ExperimentHooks {
  if (!Array.isArray(devices)) throw inputError("devices", "a list of { device }", devices);
  for (const one of devices as readonly (OpenDevice | undefined)[])
    if (typeof one?.device?.plan !== "function") throw inputError("device", "a device, which open() makes", one?.device);
  checkFields(options, fields, "options of the experiment");
  checkFields(hooks, { signal: "object", onProgress: "function" }, "hooks of the experiment");
  const { signal, onProgress } = hooks;
  return {
    ...(signal && { signal }),
    ...(onProgress && {
      onProgress(what, share) {
        try {
          requireSynchronous(onProgress(what, share), "onProgress");
        } catch (error) {
          throw asRadarError(error, "onProgress");
        }
      },
    }),
  };
}

/** Throws `input` where `value`, which is called `field`, is no list. */
export function checkList(value: unknown, field: string): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw inputError(field, "a list", value);
}
