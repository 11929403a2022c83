/** Recordings as `@dechirp/io` reads them are recordings of this package, for the compiler and in a run from files. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { type RecordedArray as ArrayAsRead, type RecordedPhaseHistory, writeNpy } from "@dechirp/io";
import { readArray, readScene, writeFolderAtomically, writeSceneFolder } from "@dechirp/io/node";
import { expect, expectTypeOf, it, onTestFinished } from "vitest";
import {
  type ArrayRecording,
  focusRecording,
  type PhaseHistoryRecording,
  planStap,
  processStap,
  type StripmapRecording,
  simulateRecording,
} from "../src/index.ts";
import { smallPreset } from "./presets.ts";
import { channels, pulses, ranges, stapCube } from "./stap-cube.ts";

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "dechirp-processor-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

it("phase histories and arrays of io are recordings", () => {
  expectTypeOf<RecordedPhaseHistory>().toExtend<PhaseHistoryRecording>();
  expectTypeOf<ArrayAsRead>().toExtend<ArrayRecording>();
});

it("focuses a scene that was written and read to the same bits", async () => {
  using device = await open(cpu());
  const recording = await simulateRecording("small", smallPreset(true), { type: "ci16" }, device);
  const { radar, targets = [], notes = [], echoes, shape, lineGain = [], processedBandwidthHz = 0 } = recording;
  const dir = join(await folder(), "scene");
  await writeSceneFolder(dir, {
    name: "small",
    radar,
    raw: { layout: layout("ci16", shape), data: echoes as Int16Array },
    targets,
    notes,
    lineGain: Float32Array.from(lineGain),
    processedBandwidthHz,
  });
  const scene: StripmapRecording = await readScene(dir);
  using asRead = await focusRecording(scene, {}, device);
  using inMemory = await focusRecording(recording, {}, device);
  expect(asRead.image).toEqual(inMemory.image);
  expect(asRead.report.parameters).toEqual(inMemory.report.parameters);
});

it("gives the same output for a cube that was written and read", async () => {
  using device = await open(cpu());
  const cube = stapCube();
  const dir = join(await folder(), "array");
  await writeFolderAtomically(dir, { "cube.npy": writeNpy(layout("c64", [channels, pulses, ranges]), cube.data) });
  const read: ArrayRecording = await readArray(join(dir, "cube.npy"), { axes: ["channel", "pulse", "range"] });
  const settings = { spacing: { value: 0.5, unit: "wavelengths" }, azimuth: { from: 10, to: 10, step: 1 } } as const;
  const [asRead, inMemory] = [await planStap(read, settings), await planStap({ name: "cube", cube }, settings)];
  expect((await processStap(asRead, device)).output).toEqual((await processStap(inMemory, device)).output);
});
