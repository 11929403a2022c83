/** Tests that the experiment of the transforms fills Table II and predicts times from the microbenchmarks of the same run. */
import { open } from "@dechirp/core";
import { gpu } from "@dechirp/fft-gpu";
import { variants } from "@dechirp/fft-gpu/lab";
import { expect, it } from "vitest";
import { fftPaperExperiment, fftPaperTables } from "../src/index.ts";

it("predicts every measured row that the model can follow", async () => {
  using device = await open(gpu({ variants }));
  const progress: (readonly [what: string, share: number])[] = [];
  const onProgress = (what: string, share: number): void => void progress.push([what, share]);
  const report = await fftPaperExperiment([{ device }], { seconds: 0.01, quick: true, sizes: [256], only: ["sizes"] }, { onProgress });
  expect(progress.map(([what]) => what)).toEqual(expect.arrayContaining(["gpu: 128 × 256", "gpu: microbenchmarks: barriers", "done"]));
  const shares = progress.map(([, share]) => share);
  expect([shares[0], shares.at(-1)]).toEqual([0, 1]);
  expect([...shares].sort((a, b) => a - b)).toEqual(shares);
  const [{ memory = [], predictions = [], rows }] = report.devices;
  expect(memory.length).toBeGreaterThan(4);
  expect(memory.every(({ value }) => value.length > 0)).toBe(true);
  const own = rows.filter(({ kind, measured }) => kind === "own" && measured).map(({ name }) => name);
  expect(own).toEqual(expect.arrayContaining(["planner's choice", "radix-4", "radix-8", "radix-16"]));
  const names = predictions.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["planner's choice", "radix-4", "radix-8", "radix-16"]));
  for (const { milliseconds } of predictions) expect(milliseconds).toBeGreaterThan(0);
  const { tables } = fftPaperTables(report);
  const titled = (title: string) => tables.find((table) => table.title.startsWith(title))?.rows ?? [];
  expect(titled("Predicted and measured").at(-1)?.[0]).toBe("wrong by a factor of");
  expect(titled("Predictions from published parameters").map(([name]) => name)).toEqual(Object.keys(variants));
}, 600_000);
