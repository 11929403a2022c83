/** Simulates a scene preset of the sar package as a recording in memory, stored as floating-point numbers or integers. */
import type { Device } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf, runAbortable } from "@dechirp/core/internal";
import type { EchoType, StripmapRadar } from "@dechirp/radar";
import { createConvolver, quantiseSteps, type ScenePreset, simulateStripmap } from "@dechirp/sar";
import { checkedHooks, type ProcessHooks } from "./hooks.ts";
import { type Echoes, pulsesOf, type StripmapRecording } from "./recording.ts";

/** Settings of `simulateRecording`. */
export interface SimulateSettings {
  /** Seed of the random noise and clutter. Default: the preset's own seed. */
  readonly seed?: number;
  /** How samples are stored. Default: `c64`. */
  readonly type?: EchoType;
}

const settingFields: FieldsOf<SimulateSettings> = { seed: "number", type: "string" };

/** A recording whose echoes are all in memory. */
export interface SimulatedRecording extends StripmapRecording {
  readonly radar: StripmapRadar;
  /** [line][sample], interleaved. */
  readonly echoes: Echoes;
}

/**
 * Simulates `preset` as a recording named `name`. `device` computes the transforms for clutter in float64, so it must be a CPU device.
 * Rejects with `input` if the preset or the seed can't be simulated, and with `aborted` if the signal fires.
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
    // The scale of the integers becomes a line gain, so that amplitudes stay those of the echoes.
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
