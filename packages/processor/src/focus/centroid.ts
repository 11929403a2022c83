/**
 * Chooses the Doppler centroid for focusing and says why: from the setting, from the recording, or measured in the data by the sar
 * package.
 */
import type { Device } from "@dechirp/core";
import { measureDopplerCentroid, type UncentredParams } from "@dechirp/sar";
import type { Echoes, StripmapRecording } from "../recording.ts";
import type { UsedParameter } from "../used.ts";
import type { Report } from "./report.ts";

export interface Centroid {
  readonly used: UsedParameter<number>;
  readonly estimate?: Report["dopplerEstimate"];
}

/** Options of `chooseCentroid`. */
export interface CentroidOptions {
  /** The setting. `auto` measures the centroid even if the recording states one. */
  readonly wanted?: number | "auto" | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the name of each stage of the measurement. */
  readonly onStage?: ((stage: string) => void) | undefined;
}

/**
 * Chooses the Doppler centroid of a recording. `params` are those of the image to be made; `echoes` reads all lines and is called only
 * if the centroid is measured. Throws what sar, the device and `echoes` throw.
 */
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
