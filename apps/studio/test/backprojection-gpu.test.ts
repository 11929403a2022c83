/** The task Backprojection with WebGPU: its numbers, and a device that is lost. */
import { describe, expect, it } from "vitest";
import { aperture, finished, numberOf, small, widths } from "./backprojection-cases.ts";
import { useBrowser, visit } from "./pages.ts";

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
      // Workers of the processor wait for work, and don't answer meanwhile.
      const named = page
        .workers()
        .map((one) => one.evaluate(() => self.name).then((name) => (name === "backprojection" ? one : Promise.reject(new Error(name)))));
      const ours = await Promise.any(named);
      await ours.evaluate(() => {
        const request = GPUAdapter.prototype.requestDevice;
        GPUAdapter.prototype.requestDevice = async function (...given) {
          const device = await request.apply(this, given);
          // Lost while the first image is being made; the next device stays.
          GPUAdapter.prototype.requestDevice = request;
          setTimeout(() => device.destroy(), 1000);
          return device;
        };
      });
      await page.getByLabel("Device").selectOption("gpu");
      await page.getByRole("button", { name: "Open the device again" }).click({ timeout: 20_000 });
      await finished(page);
      expect(await numberOf(page, "ser")).toBeGreaterThan(70);
    }));
});
