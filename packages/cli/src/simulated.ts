/** Simulates recordings on the processor and converts them to scenes for the io package. */
import type { SceneData } from "@dechirp/io";
import type { ProcessHooks, SimulatedRecording, SimulateSettings } from "@dechirp/processor";
import type { ScenePreset } from "@dechirp/sar";
import { openDevice } from "./devices.ts";

/** Simulates a preset. The CPU device computes the transforms for clutter in float64. Throws as `simulateRecording` does. */
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

/** Converts a simulated recording to the contents of a scene folder. */
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
