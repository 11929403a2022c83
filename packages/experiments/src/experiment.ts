/** Shared by all experiments: the devices they run on, the hooks for progress, the checks of arguments, and the format name of reports. */

import { type Device, inputError } from "@dechirp/core";
import { asRadarError, requireSynchronous } from "@dechirp/core/backend";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";

/** The value of `format` in the reports of all experiments. */
export const experimentFormat = "dechirp-experiment";

/** A device that an experiment runs on. The caller keeps ownership. */
export interface OpenDevice {
  /** The opened device. */
  readonly device: Device;
  /** Why this device was chosen, for the report. */
  readonly why?: string;
}

/** Hooks of an experiment: a signal that ends it, and a progress function. */
export interface ExperimentHooks {
  /** Ends the experiment with `aborted`. */
  readonly signal?: AbortSignal;
  /** Called with the current activity and the share of the whole work that is done, 0 to 1. */
  readonly onProgress?: (what: string, share: number) => void;
}

/**
 * Checks the arguments of an experiment: known options, hooks that are functions, open devices. Returns the hooks; their `onProgress`
 * throws `failed` if the user's function throws. Throws `input` that names the field.
 */
export function checkExperiment<T extends object>(
  devices: readonly OpenDevice[],
  options: T,
  fields: FieldsOf<T>,
  hooks: ExperimentHooks,
): ExperimentHooks {
  if (!Array.isArray(devices) || devices.length === 0) throw inputError("devices", "a list of one { device } or more", devices);
  for (const one of devices as readonly (OpenDevice | undefined)[])
    if (typeof one?.device?.plan !== "function") throw inputError("device", "a device that open() returned", one?.device);
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

/** Throws `input` that names `field` unless `value` is a list of different values, at least one, that are all accepted. */
export function checkChoices(value: unknown, field: string, expected: string, accepts: (one: unknown) => boolean): void {
  if (!(Array.isArray(value) && value.length > 0 && value.every(accepts) && new Set(value).size === value.length))
    throw inputError(field, `a list of one or more different ${expected}`, value);
}

/** Throws `input` that names `field` if `value` is not a list. */
export function checkList(value: unknown, field: string): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw inputError(field, "a list", value);
}
