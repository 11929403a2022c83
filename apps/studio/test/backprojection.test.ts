/** The numbers of the task Backprojection in a page equal those of the packages in Node. */
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { speedOfLight } from "@dechirp/radar";
import { backproject, backprojectExact, pixelPosition, prepareBackprojection, signalToErrorDb } from "@dechirp/sar";
import { describe, expect, it } from "vitest";
import { gridOf } from "../src/backprojection/project.ts";
import { samplePixels } from "../src/backprojection/quality.ts";
import { ways } from "../src/backprojection/ways.ts";
import { aperture, chosen, figure, finished, numberOf, oneTurn, small, widths } from "./backprojection-cases.ts";
import { activate, useBrowser, visit } from "./pages.ts";

useBrowser();

describe("the numbers of the task Backprojection", () => {
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

  it("shows the error of an image whose aperture is too short to measure a point", () =>
    visit("#/backprojection?from=50&to=50&pixels=64", async (page) => {
      await page.getByText("This point can't be measured").waitFor();
      expect(await numberOf(page, "ser")).toBeGreaterThan(70);
      expect(await page.locator("[role=alert]").count()).toBe(0);
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

  it("compares the ways to divide the work, with the predicted traffic of the package", () =>
    visit(`#/backprojection?${small}&pixels=32`, async (page) => {
      await activate(page.getByRole("button", { name: "Compare" }));
      await page.locator("[data-figure=compared]").waitFor();
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
      await activate(page.getByRole("button", { name: "Plan of unpartitioned" }));
      await page.getByText("because", { exact: false }).first().waitFor();
    }));
});
