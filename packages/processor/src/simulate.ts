/**
 * A preset of the sar package to a scene as the io package knows it: simulated in memory, stored as floats or integers.
 * The transforms that clutter needs run on the CPU device, in float64 always.
 */
import type { Scene, SceneDType } from "@dechirp/io";
import { createConvolver, quantiseSteps, type ScenePreset, simulateStripmap } from "@dechirp/sar";
import { openDevice } from "./devices.ts";
import { heeding } from "./heed-signal.ts";

export interface SimulateOptions {
  /** The preset's own where left out. */
  readonly seed?: number;
  /** c64 where left out. */
  readonly type?: SceneDType;
}

export interface SimulateHooks {
  readonly signal?: AbortSignal;
  readonly onProgress?: (what: string, share: number) => void;
}

/** Throws `input` for a preset or seed that can't be simulated, `aborted` where the signal fires. */
export async function simulateScene(
  name: string,
  preset: ScenePreset,
  options: SimulateOptions = {},
  hooks: SimulateHooks = {},
): Promise<Scene> {
  const { seed = preset.seed, type = "c64" } = options;
  const { signal, onProgress } = hooks;
  const { title, processedBandwidthHz, ...simulation } = preset;
  using device = await openDevice("cpu");
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
    radar: preset.radar,
    raw: { layout: { dtype: type, shape: [lines, samples] }, data: stored.data },
    // The scale of the integers, so that amplitudes stay those of the echoes.
    ...(stored.scale === undefined ? {} : { lineGain: new Float32Array(lines).fill(stored.scale) }),
    processedBandwidthHz,
    targets: preset.targets,
    notes: [title, `simulated from seed ${seed}`],
  };
}

interface Stored {
  readonly data: Float32Array | Int8Array | Int16Array;
  readonly scale?: number;
}

async function store(raw: Float32Array, type: SceneDType, signal: AbortSignal | undefined): Promise<Stored> {
  return type === "c64" ? { data: raw } : heeding(signal, "simulation", quantiseSteps(raw, { dtype: type }));
}
