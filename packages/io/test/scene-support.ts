/** Recordings without their functions, which tests can't compare. */
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
  const { pulses: _, blocks: __, close: ___, [Symbol.asyncDispose]: ____, ...facts } = recording;
  return { ...facts, samples: await samplesOf(recording) };
}

/** What reading a scene returns, without its functions. */
export const recorded = (scene: SceneData) => plain(createScene(scene));
