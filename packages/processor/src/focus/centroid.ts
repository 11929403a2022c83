/** Which Doppler centroid to focus a recording with, and why: the setting, what the recording states, or what sar measures in the data. */
import type { Device } from "@dechirp/core";
import { measureDopplerCentroid, type UncentredParams } from "@dechirp/sar";
import type { Echoes, StripmapRecording } from "../recording.ts";
import type { Used } from "../used.ts";
import type { Report } from "./report.ts";

export interface Centroid {
  readonly used: Used<number>;
  readonly estimate?: Report["dopplerEstimate"];
}

export interface CentroidOptions {
  /** The setting; `auto` measures also where the recording states a centroid. */
  readonly wanted?: number | "auto" | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What the measurement does next. */
  readonly onStage?: ((stage: string) => void) | undefined;
}

/** `params`: those of the image to be made; `echoes` reads all lines. Throws what sar, the device and `echoes` throw. */
export async function chooseCentroid(
  { radar, sensor }: StripmapRecording,
  params: UncentredParams,
  device: Device,
  echoes: () => Promise<Echoes>,
  options: CentroidOptions,
): Promise<Centroid> {
  const { wanted, signal, onStage } = options;
  if (typeof wanted === "number") return { used: { value: wanted, source: "option" } };
  const stated = radar.dopplerCentroidHz;
  if (wanted === undefined && stated !== undefined) return { used: { value: stated, source: "scene", why: "the scene states it" } };
  const presetHz = sensor?.dopplerCentroidHz ?? stated;
  const measured = await measureDopplerCentroid(params, device, await echoes(), {
    ...(presetHz === undefined ? {} : { presetHz }),
    ...(signal ? { signal } : {}),
    ...(onStage ? { onProgress: ({ stage }) => onStage(stage) } : {}),
  });
  const { dopplerCentroidHz: value, source, why, fraction, estimate, image } = measured;
  return { used: { value, source: source === "given" ? "option" : source, why }, estimate: { raw: fraction, ambiguity: estimate, image } };
}
