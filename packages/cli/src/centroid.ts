/** Which Doppler centroid to focus a scene with, and why: the option, what the scene states, or what sar measures in the data. */
import type { Device } from "@dechirp/core";
import type { Scene } from "@dechirp/io";
import { measureDopplerCentroid, type UncentredParams } from "@dechirp/sar";
import type { Report, Used } from "./report.ts";

export interface Centroid {
  readonly used: Used<number>;
  readonly estimate?: Report["dopplerEstimate"];
}

export interface CentroidOptions {
  /** The option; `auto` measures also where the scene states a centroid. */
  readonly wanted?: number | "auto" | undefined;
  /** The sensor's, right to within half a PRF. */
  readonly presetHz?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What the measurement does next. */
  readonly onStage?: ((stage: string) => void) | undefined;
}

/** `params`: those of the image to be made. Throws what sar and the device throw. */
export async function chooseCentroid(scene: Scene, params: UncentredParams, device: Device, options: CentroidOptions): Promise<Centroid> {
  const { wanted, signal, onStage } = options;
  if (typeof wanted === "number") return { used: { value: wanted, source: "option" } };
  const stated = scene.radar.dopplerCentroidHz;
  if (wanted === undefined && stated !== undefined) return { used: { value: stated, source: "scene", why: "the scene states it" } };
  const presetHz = options.presetHz ?? stated;
  const measured = await measureDopplerCentroid(params, device, scene.raw.data, {
    ...(presetHz === undefined ? {} : { presetHz }),
    ...(signal ? { signal } : {}),
    ...(onStage ? { onProgress: ({ stage }) => onStage(stage) } : {}),
  });
  const { dopplerCentroidHz: value, source, why, fraction, estimate, image } = measured;
  return { used: { value, source: source === "given" ? "option" : source, why }, estimate: { raw: fraction, ambiguity: estimate, image } };
}
