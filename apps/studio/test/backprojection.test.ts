/** The task Backprojection in a page: its numbers equal those of the packages in Node, on the processor and with WebGPU. */
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { encodeCphd } from "@dechirp/io/cphd";
import { type PhaseHistory, speedOfLight } from "@dechirp/radar";
import {
  analysePointTarget,
  backproject,
  backprojectExact,
  type GroundGrid,
  pixelPosition,
  prepareBackprojection,
  signalToErrorDb,
  simulatePhaseHistory,
} from "@dechirp/sar";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { aperturePulses, pulsesOf, simulatedGeometry } from "../src/backprojection/flight.ts";
import { gridOf } from "../src/backprojection/project.ts";
import { samplePixels } from "../src/backprojection/quality.ts";
import { settings } from "../src/backprojection/settings.ts";
import { ways } from "../src/backprojection/ways.ts";
import { defaultsOf } from "../src/settings.ts";
import { seriousViolations } from "./axe.ts";
import { useBrowser, visit } from "./pages.ts";

useBrowser();

const chosen = { ...defaultsOf(settings), scene: 20, edge: 14, pixels: 64, targets: 5, from: 47, to: 53, seed: 3 };
const small = "scene=20&edge=14&pixels=64&targets=5&from=47&to=53&seed=3";

/** The samples of an aperture, simulated by the package, and the grid. */
function aperture(ends: readonly [from: number, to: number] = [chosen.from, chosen.to]): {
  readonly history: PhaseHistory;
  readonly grid: GroundGrid;
} {
  const { targets, ...geometry } = simulatedGeometry(chosen);
  const { positions, frequency } = pulsesOf(geometry, aperturePulses(geometry.referenceRangeMeters.length, ends));
  return {
    history: simulatePhaseHistory({ positions, frequency, targets }),
    grid: gridOf({ x: 0, y: 0, edge: chosen.edge }, chosen.pixels),
  };
}

const figure = (page: Page, name: string): Promise<string> =>
  page
    .locator(`[data-figure=${name}]`)
    .first()
    .textContent()
    .then((text) => text ?? "");
const numberOf = async (page: Page, name: string): Promise<number> => Number(await figure(page, name));

/** Waits until the image and its quality are there. */
const finished = (page: Page): Promise<void> =>
  page
    .locator("[data-stage=whole][aria-busy=false]")
    .waitFor({ timeout: 60_000 })
    .then(() => page.locator("[data-figure=range-measured]").waitFor());

/** Widths of the target in the middle along y and x, of an image of its own. The radar looks along y. */
async function widths(history: PhaseHistory): Promise<readonly [range: number, cross: number]> {
  using device = await open(cpu());
  const grid = gridOf({ x: 0, y: 0, edge: 12 }, 192);
  const { image } = await backproject(device, history, grid);
  const { azimuth, range } = analysePointTarget({ data: image, rows: 192, columns: 192 }, { row: 96, column: 96 }, { cutHalfPixels: 30 });
  return [(azimuth.irwPixels * 12) / 192, (range.irwPixels * 12) / 192];
}

/** An end of the aperture is at a whole pulse: two turns from one to the next, in degrees. */
const oneTurn = 120 / simulatedGeometry(chosen).referenceRangeMeters.length;

describe("the task Backprojection", () => {
  it("shows the error and the resolution of the package, the same for the same address", async () => {
    const { history, grid } = aperture();
    using device = await open(cpu());
    const { image } = await backproject(device, history, grid);
    const sample = samplePixels(image);
    const points = Float64Array.from(sample.flatMap((i) => [...pixelPosition(grid, i % 64, Math.floor(i / 64))]));
    const ser = signalToErrorDb(
      sample.flatMap((i) => [image[2 * i]!, image[2 * i + 1]!]),
      backprojectExact(history, points),
    );
    const [range, cross] = await widths(history);
    const shown = () =>
      visit(`#/backprojection?${small}`, async (page) => {
        await finished(page);
        // Pulses are added in other portions than in Node, and relaxed arithmetic may round differently.
        expect(Math.abs((await numberOf(page, "ser")) - ser)).toBeLessThan(1);
        expect(Math.abs((await numberOf(page, "azimuth")) - 60 * 0.06)).toBeLessThan(oneTurn);
        expect(await numberOf(page, "rate")).toBeGreaterThan(0);
        // 0.2 % of the widths is the accuracy of their measurement; pixels are different here.
        expect(Math.abs((await numberOf(page, "range-measured")) - range)).toBeLessThan(0.003 * range + 0.0005);
        expect(Math.abs((await numberOf(page, "cross-measured")) - cross)).toBeLessThan(0.003 * cross + 0.0005);
        const onGround = chosen.standoff / Math.hypot(chosen.standoff, chosen.altitude);
        const expected = (0.8859 * speedOfLight) / (2 * chosen.bandwidth * 1e6 * onGround);
        expect(await figure(page, "range-expected")).toBe(expected.toFixed(3));
        return Promise.all(["ser", "range-measured", "cross-measured", "range-pslr", "plan"].map((name) => figure(page, name)));
      });
    expect(await shown()).toEqual(await shown());
  });

  it("makes the image of the package with WebGPU", () =>
    visit(`#/backprojection?${small}&device=gpu`, async (page) => {
      await finished(page);
      const [range, cross] = await widths(aperture().history);
      expect(await numberOf(page, "ser")).toBeGreaterThan(80);
      expect(Math.abs((await numberOf(page, "range-measured")) - range)).toBeLessThan(0.003 * range + 0.0005);
      expect(Math.abs((await numberOf(page, "cross-measured")) - cross)).toBeLessThan(0.003 * cross + 0.0005);
    }));

  it("draws the pixels of the package", () =>
    visit(`#/backprojection?${small}`, async (page) => {
      await finished(page);
      const { history, grid } = aperture();
      using device = await open(cpu());
      const { image } = await backproject(device, history, grid);
      const powers = Array.from({ length: 4096 }, (_, i) => image[2 * i]! ** 2 + image[2 * i + 1]! ** 2);
      const most = Math.max(...powers);
      const greys = await page.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>("canvas.pixels")!;
        return [...canvas.getContext("2d")!.getImageData(0, 0, 64, 64).data].filter((_, i) => i % 4 === 0);
      });
      const wrong = powers.filter((power, i) => {
        const level = Math.max(0, 255 + (255 * 10 * Math.log10(power / most)) / chosen.range);
        // The upper row of the picture is the last of the image.
        return Math.abs(level - greys[(63 - Math.floor(i / 64)) * 64 + (i % 64)]!) > 1.1;
      });
      expect(wrong.length).toBe(0);
    }));

  it("moves the aperture and the window with keys and the pointer, in the address too", () =>
    visit(`#/backprojection?${small}`, async (page) => {
      await finished(page);
      await page.getByRole("slider", { name: "End of the aperture" }).focus();
      await page.keyboard.press("ArrowRight");
      await page.getByRole("slider", { name: "Window, edge" }).focus();
      await page.keyboard.press("Shift+ArrowDown");
      const window = page.getByRole("slider", { name: "Window, place" });
      const { x, y, width, height } = (await window.boundingBox())!;
      const at = { x: x + width / 4, y: y + height / 4 };
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      await page.mouse.move(at.x + 20, at.y + 10, { steps: 4 });
      await page.mouse.up();
      await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/to=53\.5&x=\d+(\.\d+)?&y=-\d+(\.\d+)?&edge=1[23]/);
      await finished(page);
      expect(Math.abs((await numberOf(page, "azimuth")) - 60 * 0.065)).toBeLessThan(oneTurn);
    }));

  it("compares the ways to divide the work, with the predicted traffic of the package", () =>
    visit(`#/backprojection?${small}&pixels=32`, async (page) => {
      await page.getByRole("button", { name: "Compare" }).click();
      await page.locator("[data-figure=compared]").waitFor({ timeout: 60_000 });
      const { history } = aperture();
      const grid = gridOf({ x: 0, y: 0, edge: chosen.edge }, 32);
      using device = await open(cpu());
      for (const { name, options } of ways) {
        const { partition } = prepareBackprojection(device, history, grid, { pulsesPerBlock: 128, ...options });
        const row = page.locator(`[data-way="${name}"]`);
        expect([name, await row.locator("[data-figure=traffic]").textContent()]).toEqual([
          name,
          (partition.trafficBytes[partition.scheme] / 1e6).toPrecision(3),
        ]);
      }
      const ser = (name: string): Promise<number> => page.locator(`[data-way="${name}"] [data-figure=way-ser]`).textContent().then(Number);
      expect(await ser("linear")).toBeLessThan(await ser("sinc, 16 taps"));
      await page.getByRole("button", { name: "Plan of unpartitioned" }).click();
      await page.getByText("because", { exact: false }).first().waitFor();
    }));

  it("cancels, and makes the image when asked again", () =>
    visit("#/backprojection?pixels=2048&from=20&to=80", async (page) => {
      await page.locator("[data-stage=coarse]").waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("Cancelled.").waitFor();
      expect(await page.locator("[data-stage]").getAttribute("data-stage")).not.toBe("whole");
      await page.getByLabel("Pixels along an edge").selectOption("64");
      await page.locator("[data-stage=whole]").waitFor();
    }));

  it("says in one sentence what is wrong", async () => {
    await visit("#/backprojection?x=500", async (page) => {
      expect(await page.getByRole("alert").textContent()).toContain("so that the window overlaps the scene");
    });
    await visit("#/backprojection?arc=360&scene=500", async (page) => {
      expect(await page.getByRole("alert").first().textContent()).toContain("pulses");
    });
  });

  it("opens a phase history, and says what other files are", () =>
    visit(`#/backprojection?${small}`, async (page) => {
      await finished(page);
      const [range] = [await numberOf(page, "range-expected")];
      const { history } = aperture([0, 100]);
      const pieces: Uint8Array[] = [];
      const recording = { ...history, name: "circle", shape: [history.referenceRangeMeters.length, history.frequency.count] as const };
      const place = { latitudeDegrees: 40, longitudeDegrees: -84, heightMeters: 200 };
      const given = { ...recording, pulses: (from: number, count: number) => portion(history, from, count) };
      for await (const piece of encodeCphd(given, { origin: place, prfHz: 400, startUtc: "2026-11-01T12:00:00Z" })) pieces.push(piece);
      const choose = page.getByLabel("Open a phase history");
      await choose.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("not a recording") });
      await page.getByRole("alert").waitFor();
      await choose.setInputFiles({ name: "circle.cphd", mimeType: "application/octet-stream", buffer: Buffer.concat(pieces) });
      await page.getByText("can't be in the address").waitFor();
      await finished(page);
      // The frame of a CPHD file is another one, whose look direction follows from its positions.
      expect(Math.abs((await numberOf(page, "range-expected")) - range)).toBeLessThan(0.02 * range);
      expect(await numberOf(page, "ser")).toBeGreaterThan(70);
    }));

  it("has no serious problem of accessibility, and fits a phone", async () => {
    for (const colorScheme of ["light", "dark"] as const)
      await visit(
        `#/backprojection?${small}`,
        async (page) => {
          await finished(page);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
          expect(await seriousViolations(page)).toEqual([]);
        },
        { viewport: { width: 390, height: 844 }, colorScheme },
      );
  });

  it.each(["plain", "strict"] as const)("works on a host that is %s", (host) =>
    visit(
      `#/backprojection?${small}`,
      async (page) => {
        await finished(page);
        expect(await numberOf(page, "ser")).toBeGreaterThan(80);
      },
      { host },
    ),
  );
});

const portion = ({ samples, frequency }: PhaseHistory, from: number, count: number): Float32Array =>
  samples.subarray(2 * from * frequency.count, 2 * (from + count) * frequency.count);
