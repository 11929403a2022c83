/**
 * A focused image from raw samples in memory: dechirp's program on the CPU device beside the same steps in numpy (peers/range_doppler.py,
 * a separate process that times itself). The scene is simulated, or given by `--scene DIR`.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile, evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { type SceneData, sceneData, sensorPresets } from "@dechirp/io";
import { readScene, writeSceneFolder } from "@dechirp/io/node";
import {
  imageEntropy,
  type RangeDopplerParams,
  rangeDoppler,
  resolveDopplerCentroid,
  scenePresets,
  simulateStripmap,
  withVelocity,
} from "@dechirp/sar";
import type { Case, Contender } from "../runner.ts";

const peer = fileURLToPath(new URL("../../peers/range_doppler.py", import.meta.url));

/** The case for a scene folder, or for a simulated scene. */
export function rangeDopplerCase(sceneFolder: string | undefined): Case {
  return {
    name: sceneFolder === undefined ? "range-Doppler, simulated 2048×2048" : `range-Doppler, ${sceneFolder}`,
    flops: 0,
    errorKind: "entropy against float64, relative",
    setUp: () => setUp(sceneFolder),
  };
}

async function setUp(sceneFolder: string | undefined) {
  const scene = sceneFolder === undefined ? await simulated() : await recorded(sceneFolder);
  const params = paramsOf(scene);
  const device = await open(cpu());
  const exact = await evaluate(rangeDoppler({ ...params, precision: "f64" }), device, { raw: scene.raw.data });
  const entropy = imageEntropy(exact["image"] as Float64Array);
  const compiled = await compile(rangeDoppler(params), device);
  const raw = device.alloc(scene.raw.layout, "raw");
  const image = device.alloc(compiled.layouts["image"], "image");
  raw.write(scene.raw.data);
  const distance = (value: number): number => Math.abs(value - entropy) / entropy;
  const ours: Contender = {
    name: `dechirp ${device.id}`,
    run: () => compiled.run({ raw, image }).done,
    error: async () => distance(imageEntropy((await image.read()) as Float32Array)),
    dispose: () => device[Symbol.dispose](),
  };
  const numpy = await numpyPeer({ ...scene, radar: params.radar }, distance);
  return typeof numpy === "string" ? { contenders: [ours], absent: { numpy } } : { contenders: [numpy, ours] };
}

async function recorded(folder: string): Promise<SceneData> {
  await using scene = await readScene(folder);
  return await sceneData(scene);
}

async function simulated(): Promise<SceneData> {
  const preset = scenePresets.quality;
  const { raw } = await simulateStripmap({ ...preset, noise: { snrDb: 0 } });
  return {
    name: "simulated",
    radar: preset.radar,
    raw: { layout: { dtype: "c64", shape: [preset.lines, preset.samples] }, data: raw as Float32Array },
    processedBandwidthHz: preset.processedBandwidthHz,
    targets: [],
    notes: [],
  };
}

function paramsOf(scene: SceneData): RangeDopplerParams {
  const [lines, samples] = scene.raw.layout.shape;
  const { lineGain, processedBandwidthHz } = scene;
  const radar = withVelocity(scene.radar, lines, samples);
  const measured = { data: scene.raw.data, lines, samples, ...(lineGain && { lineGain }) };
  const dopplerCentroidHz = radar.dopplerCentroidHz ?? resolveDopplerCentroid(measured, radar, presetOf(scene)).dopplerCentroidHz;
  return {
    radar: { ...radar, dopplerCentroidHz },
    lines,
    samples,
    rawType: scene.raw.layout.dtype,
    // The same length as in numpy.
    azimuthLength: 2 ** Math.ceil(Math.log2(lines)),
    ...(lineGain && { lineGain }),
    ...(processedBandwidthHz !== undefined && { processedBandwidthHz }),
  };
}

const presetOf = (scene: SceneData): { presetHz?: number } =>
  scene.preset ? { presetHz: sensorPresets[scene.preset].dopplerCentroidHz } : {};

/** The numpy process as a contender, or the reason why there is none. */
async function numpyPeer(scene: SceneData, distance: (entropy: number) => number): Promise<Contender | string> {
  const folder = mkdtempSync(join(tmpdir(), "dechirp-bench-"));
  const call = (): { milliseconds: number[]; entropy: number; peer: string } =>
    JSON.parse(execFileSync("python3", [peer, folder], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }));
  const dispose = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    await writeSceneFolder(folder, scene);
    const first = call();
    return { name: first.peer, run: () => call().milliseconds[0], error: () => distance(call().entropy), dispose };
  } catch (error) {
    dispose();
    return `python3 with numpy is not available: ${String((error as Error).message).split("\n")[0]}`;
  }
}
