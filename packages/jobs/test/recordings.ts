/** Recordings of tests on a disk: a phase history as a CPHD file, and a stripmap scene as a folder. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import type { SceneData } from "@dechirp/io";
import { encodeCphd } from "@dechirp/io/cphd";
import { writeSceneFolder } from "@dechirp/io/node";
import { simulateRecording } from "@dechirp/processor";
import { linearTrack, scenePresets, simulatePhaseHistory } from "@dechirp/sar";
import { afterAll, beforeAll, onTestFinished } from "vitest";

/** A folder that is removed when the test has ended. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "dechirp-jobs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A processor whose bits other machines share. */
export const plainCpu = (workers = 2): Promise<Device> => open(cpu({ kernels: "plain", workers }));

/** Opens such a processor before the tests of a file, hands it over, and disposes of it after them. */
export function withPlainCpu(use: (device: Device) => void): void {
  let device: Device | undefined;
  beforeAll(async () => {
    device = await plainCpu();
    use(device);
  });
  afterAll(() => device?.[Symbol.dispose]());
}

/** Writes a CPHD file of a few targets on the ground. */
export async function writeHistory(folder: string, { seed = 1, pulses = 160, count = 128 } = {}): Promise<string> {
  const frequency = { firstHz: 9.5e9, stepHz: 1.1e6, count };
  const { samples, ...history } = simulatePhaseHistory({
    positions: linearTrack({ middleMeters: [-900, 0, 700], stepMeters: [0, 0.5, 0], pulses }),
    frequency,
    targets: [
      { positionMeters: [3, -4, 0], amplitude: 1, phaseRadians: 0.3 },
      { positionMeters: [-21, 17, 0], amplitude: 2, phaseRadians: -1 },
    ],
    noise: { snrDb: 12 },
    seed,
  });
  const written = {
    ...history,
    name: "made",
    shape: [pulses, count] as const,
    pulses: (from: number, some: number) => samples.subarray(2 * from * count, 2 * (from + some) * count),
  };
  const origin = { latitudeDegrees: 40.2, longitudeDegrees: -112.9, heightMeters: 1290 };
  const pieces: Uint8Array[] = [];
  const options = { origin, prfHz: 200, startUtc: "2026-05-01T00:00:00Z", collectorName: "made", coreName: "made" };
  for await (const piece of encodeCphd(written, options)) pieces.push(Uint8Array.from(piece));
  await mkdir(folder, { recursive: true });
  const path = join(folder, "made.cphd");
  await writeFile(path, Buffer.concat(pieces));
  return path;
}

/** Writes a scene folder that takes several blocks. */
export async function writeScene(
  folder: string,
  device: Device,
  { name: named = "default", lines = 1024, samples = 512 }: { name?: keyof typeof scenePresets; lines?: number; samples?: number } = {},
): Promise<string> {
  const preset = { ...scenePresets[named], lines, samples };
  const { name, shape, pulses } = await simulateRecording("made scene", preset, { type: "ci16" }, device);
  const path = join(folder, "scene");
  const layout = { dtype: "ci16" as const, shape };
  const raw: SceneData["raw"] = { layout, data: (await pulses(0, shape[0])) as Int16Array };
  await writeSceneFolder(path, {
    name,
    targets: preset.targets ?? [],
    notes: [],
    radar: preset.radar as SceneData["radar"],
    processedBandwidthHz: preset.processedBandwidthHz as number,
    raw,
  });
  return path;
}
