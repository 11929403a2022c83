/** A preset of the sar package as a recording: simulated in memory, stored as floats or integers. */

import type { Device } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf, runAbortable } from "@dechirp/core/internal";
import type { EchoType, StripmapRadar } from "@dechirp/radar";
import { createConvolver, quantiseSteps, type ScenePreset, simulateStripmap } from "@dechirp/sar";
import { checkedHooks, type ProcessHooks } from "./hooks.ts";
import { type Echoes, pulsesOf, type StripmapRecording } from "./recording.ts";

/** Settings of `simulateRecording`. */
export interface SimulateSettings {
  /** What noise and clutter are drawn from; the preset's own where left out. */
  readonly seed?: number;
  /** How samples are stored; c64 where left out. */
  readonly type?: EchoType;
}

const settingFields: FieldsOf<SimulateSettings> = { seed: "number", type: "string" };

/** A recording whose echoes are in memory as a whole. */
export interface SimulatedRecording extends StripmapRecording {
  readonly radar: StripmapRadar;
  /** [line][sample], interleaved. */
  readonly echoes: Echoes;
}

/**
 * Simulates `preset` as a recording called `name`. `device` makes the transforms that clutter needs, in float64: a CPU's. Rejects with
 * `input` for a preset or seed that can't be simulated, with `aborted` where the signal fires.
 */
export async function simulateRecording(
  name: string,
  preset: ScenePreset,
  settings: SimulateSettings,
  device: Device,
  hooks: Pick<ProcessHooks, "signal" | "onProgress"> = {},
): Promise<SimulatedRecording> {
  checkObject(preset, "preset", "input");
  checkFields(settings, settingFields, "settings of a simulation", "input", "settings.");
  const { seed = preset.seed, type = "c64" } = settings;
  const { signal, onProgress } = checkedHooks(hooks, {});
  const { title, processedBandwidthHz, ...simulation } = preset;
  using convolver = createConvolver(device);
  const { raw, lines, samples } = await simulateStripmap(
    { ...simulation, seed, dtype: "c64" },
    {
      convolve: convolver.convolve,
      ...(signal ? { signal } : {}),
      ...(onProgress ? { onProgress: (share: number, phase: string) => onProgress(phase, share) } : {}),
    },
  );
  const stored = await store(raw as Float32Array, type, signal);
  return {
    name,
    shape: [lines, samples],
    dtype: type,
    radar: preset.radar,
    echoes: stored.data,
    // The scale of the integers, so that amplitudes stay those of the echoes.
    ...(stored.scale === undefined ? {} : { lineGain: new Float32Array(lines).fill(stored.scale) }),
    processedBandwidthHz,
    targets: preset.targets,
    notes: [title, `simulated from seed ${seed}`],
    pulses: pulsesOf<Echoes>(stored.data, samples),
  };
}

interface Stored {
  readonly data: Float32Array | Int8Array | Int16Array;
  readonly scale?: number;
}

async function store(raw: Float32Array, type: EchoType, signal: AbortSignal | undefined): Promise<Stored> {
  return type === "c64" ? { data: raw } : runAbortable(signal, "simulation", quantiseSteps(raw, { dtype: type }));
}
