/** Recordings without their functions, which tests can't compare. */
import { createRandom } from "@dechirp/core";
import { createScene, type PulseReader, type SceneData } from "../src/index.ts";

type Recorded = PulseReader<ArrayLike<number>> & { readonly shape: readonly [number, number] };

/** All samples of a recording, which is closed. */
export async function samplesOf<A extends ArrayLike<number>>(
  recording: PulseReader<A> & { readonly shape: readonly [number, number] },
): Promise<A> {
  const samples = await recording.pulses(0, recording.shape[0]);
  await recording.close();
  return samples;
}

/** All fields of a recording except its functions, with all samples. The recording is closed. */
export async function plain<R extends Recorded>(recording: R) {
  const { pulses: _, blocks: __, close: ___, [Symbol.asyncDispose]: ____, ...all } = recording;
  // How pulses may be read is not a fact about the scene.
  const { readsInto: _____, ...facts } = all as typeof all & { readonly readsInto?: boolean };
  return { ...facts, samples: await samplesOf(recording) };
}

/** What reading a scene returns, without its functions. */
export const recorded = (scene: SceneData) => plain(createScene(scene));

const random = createRandom(29);

/** The radar of scenes that tests make. */
export const noiseRadar: SceneData["radar"] = {
  carrierHz: 5.3e9,
  samplingRateHz: 60e6,
  prfHz: 600,
  chirpRateHzPerSecond: -20e12,
  pulseSeconds: 2.5e-6,
  velocityMetersPerSecond: 250,
  nearRangeMeters: 29_000,
};

/** A scene of random samples. */
export const noiseScene = (lines = 37, cells = 5, more: Partial<SceneData> = {}): SceneData => ({
  name: "noise",
  radar: noiseRadar,
  raw: { layout: { dtype: "c64", shape: [lines, cells] }, data: Float32Array.from({ length: 2 * lines * cells }, () => random.gaussian()) },
  targets: [],
  notes: [],
  ...more,
});
