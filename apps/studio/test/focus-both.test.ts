/** The task Focus on both devices, side by side: their images are equal up to the rounding of float32, and so are their numbers. */
import { expect, it } from "vitest";
import { figure, numberOf, patience } from "./focus-tools.ts";
import { activate, useBrowser, visit } from "./pages.ts";

useBrowser();

it("makes the image on WebAssembly and WebGPU with one centroid, and compares them", () =>
  visit("#/focus?device=both&centroid=auto", async (page) => {
    await page.locator('[data-figure="relative difference"]').waitFor({ timeout: patience });
    // Two transforms of a few thousand points and an interpolation, each with errors of some float32 roundings.
    expect(await numberOf(page, "relative difference")).toBeLessThan(1e-5);
    expect(await numberOf(page, "relative difference")).toBeGreaterThan(0);
    expect(await numberOf(page, "entropy", 1)).toBeCloseTo(await numberOf(page, "entropy", 0), 3);
    expect(await figure(page, "centre range irw", 1)).toBe(await figure(page, "centre range irw", 0));
    expect(await page.locator(".image-viewer").count()).toBe(2);
    expect(await figure(page, "program", 1)).toContain("gpu()");
    await page.getByText("a software adapter").first().waitFor();
    for (const [at, name] of ["points-focus-wasm.npy", "points-focus-webgpu.npy"].entries()) {
      const [file] = await Promise.all([page.waitForEvent("download"), activate(page.getByRole("button", { name: "Save .npy" }).nth(at))]);
      expect(file.suggestedFilename()).toBe(name);
    }
  }));
