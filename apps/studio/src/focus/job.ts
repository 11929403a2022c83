/** Jobs of the settings, and the key by which a job is known: equal keys make equal images. */
import type { DeviceName } from "../work/devices.ts";
import type { Job } from "./maker.ts";
import type { Source } from "./messages.ts";
import { choicesOf, settings, type Values } from "./settings.ts";

/** A job with its key. */
export interface KeyedJob {
  readonly job: Job | undefined;
  readonly key: string;
}

/** The job of the settings on a device. `centroidHz` is what another device has measured. */
export function jobOf(source: Source | undefined, values: Values, device: DeviceName | undefined, centroidHz?: number): KeyedJob {
  const own = Object.fromEntries(Object.keys(settings).map((name) => [name, values[name as keyof Values]])) as Values;
  const choices = choicesOf(own);
  const from = source?.kind === "files" ? source.id : source;
  return {
    job: source && { source, choices, ...(device && { device }), ...(centroidHz !== undefined && { centroidHz }) },
    key: JSON.stringify([from, choices, device, centroidHz]),
  };
}
