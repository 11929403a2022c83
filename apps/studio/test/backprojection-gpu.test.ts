/** The task Backprojection with WebGPU: its numbers, and a device that is lost. */
import { describe, expect, it } from "vitest";
import { aperture, finished, numberOf, small, widths } from "./backprojection-cases.ts";
import { activate, loseDevice, useBrowser, visit, workerNamed } from "./pages.ts";

useBrowser();

describe("the task Backprojection with WebGPU", () => {
  it("makes the image of the package with WebGPU", () =>
    visit(`#/backprojection?${small}&device=gpu`, async (page) => {
      await finished(page);
      const [range, cross] = await widths(aperture().history);
      expect(await numberOf(page, "ser")).toBeGreaterThan(80);
      expect(Math.abs((await numberOf(page, "range-measured")) - range)).toBeLessThan(0.003 * range + 0.0005);
      expect(Math.abs((await numberOf(page, "cross-measured")) - cross)).toBeLessThan(0.003 * cross + 0.0005);
    }));

  it("opens a lost device again by a button", () =>
    visit(`#/backprojection?${small}&pixels=16`, async (page) => {
      await finished(page);
      // Lost while the first image is being made; the next device stays.
      await loseDevice(await workerNamed(page, "backprojection"));
      await page.getByLabel("Device").selectOption("gpu");
      await activate(page.getByRole("button", { name: "Open the device again" }));
      await finished(page);
      expect(await numberOf(page, "ser")).toBeGreaterThan(70);
    }));
});
