/** Images that are written while they are measured: as soon as they are handed over, and completely or not at all. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@dechirp/processor/clock";
import { describe, expect, it } from "vitest";
import { type ImageReport, imageFiles, type TakeImage, writeImageFolder, writeMadeImage } from "../src/output.ts";
import { temporaryFolder } from "./command.ts";

const [rows, columns] = [300, 200];
const image = Float32Array.from({ length: 2 * rows * columns }, (_, i) => Math.sin(i) + 2);
const axis = (count: number) => ({ start: 0, step: 1, count });
const report: ImageReport = {
  scene: "made",
  image: { shape: [rows, columns] },
  axes: { azimuthMeters: axis(rows), slantRangeMeters: axis(columns) },
  timings: [],
} as unknown as ImageReport;
const { signal } = new AbortController();

/** Files in a folder and in its folders, hidden ones too. */
const all = async (folder: string): Promise<readonly string[]> => (await readdir(folder, { recursive: true })).map((name) => `${name}`);

describe("an image that is handed over before it is measured", () => {
  it("is on the disk before its measures are known, under a hidden name, and complete afterwards", async () => {
    const folder = await temporaryFolder();
    let isThere = false;
    const make = async (onImage: TakeImage) => {
      onImage(image, [rows, columns]);
      const limit = performance.now() + 20_000;
      while (!isThere && performance.now() < limit) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        isThere = (await all(folder)).some((name) => name.endsWith("image.npy"));
      }
      expect(await readdir(folder)).not.toContain("out");
      return { image, report };
    };
    const clock = createClock();
    const written = await writeMadeImage(join(folder, "out"), make, clock, signal);
    expect(isThere).toBe(true);
    expect((await readdir(join(folder, "out"))).sort()).toEqual([...imageFiles].sort());
    expect(written.report.timings.map(({ name }) => name)).toEqual(["quicklook", "write"]);
    // The same files as without handing over.
    await writeImageFolder(join(folder, "other"), { image, report }, createClock(), signal);
    for (const name of ["image.npy", "quicklook.png"])
      expect(await readFile(join(folder, "out", name))).toEqual(await readFile(join(folder, "other", name)));
  });

  it.each([true, false])("leaves nothing if measuring fails, handed over before: %s", async (handed) => {
    const folder = await temporaryFolder();
    const cause = new Error("not measured");
    const make = async (onImage: TakeImage): Promise<never> => {
      if (handed) onImage(image, [rows, columns]);
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw cause;
    };
    await expect(writeMadeImage(join(folder, "out"), make, createClock(), signal)).rejects.toBe(cause);
    expect(await all(folder)).toEqual([]);
  });

  it("leaves nothing if the picture can't be drawn", async () => {
    const folder = await temporaryFolder();
    const wrong = { ...report, axes: { azimuthMeters: axis(rows), slantRangeMeters: { ...axis(columns), step: Number.NaN } } };
    await expect(writeImageFolder(join(folder, "out"), { image, report: wrong as ImageReport }, createClock(), signal)).rejects.toThrow();
    expect(await all(folder)).toEqual([]);
  });
});
