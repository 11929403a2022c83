/** Simulated recordings, on the processor, and as the scenes that the io package writes. */
import type { SceneData } from "@dechirp/io";
import type { ProcessHooks, SimulatedRecording, SimulateSettings } from "@dechirp/processor";
import type { ScenePreset } from "@dechirp/sar";
import { openDevice } from "./devices.ts";

/** Simulates a preset; what clutter needs of transforms runs on the CPU device, in float64. Throws as `simulateRecording` does. */
export async function simulated(
  name: string,
  preset: ScenePreset,
  settings: SimulateSettings = {},
  hooks: Pick<ProcessHooks, "signal" | "onProgress"> = {},
): Promise<SimulatedRecording> {
  const { simulateRecording } = await import("@dechirp/processor");
  using device = await openDevice("cpu");
  return await simulateRecording(name, preset, settings, device, hooks);
}

/** What a scene folder holds of a recording. */
export function sceneOf({
  name,
  radar,
  dtype,
  shape,
  echoes,
  processedBandwidthHz,
  lineGain,
  targets = [],
  notes = [],
}: SimulatedRecording): SceneData {
  return {
    name,
    radar,
    raw: { layout: { dtype, shape }, data: echoes },
    ...(lineGain ? { lineGain: Float32Array.from(lineGain) } : {}),
    ...(processedBandwidthHz === undefined ? {} : { processedBandwidthHz }),
    targets,
    notes,
  };
}
