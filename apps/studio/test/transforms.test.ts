/** The task Transforms in a page: its numbers equal those of the packages in Node, on WebAssembly and on WebGPU. */
import { readFile } from "node:fs/promises";
import { transformed } from "@dechirp/conformance";
import { createRandom, fft, layout, open } from "@dechirp/core";
import { load } from "@dechirp/core/expression";
import { readFftResult } from "@dechirp/experiments";
import { cpu } from "@dechirp/fft-cpu";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { activate, loseDevice, useBrowser, visit } from "./pages.ts";

useBrowser();

const figure = async (page: Page, name: string): Promise<string> => (await page.locator(`[data-figure="${name}"]`).textContent()) ?? "";
const measured = (page: Page): Promise<void> => page.locator("[data-figure=measured]").waitFor();

/** ε √log₂ n. */
const rounding = (n: number): number => 2 ** -23 * Math.sqrt(Math.log2(n));

/** The RMS error of windowed lines on the processor in Node, against the definition of the transform. */
async function errorInNode(n: number, batch: number, seed: number): Promise<number> {
  using device = await open(cpu());
  const shape = layout("c64", [batch, n]);
  const random = createRandom(seed);
  const x = Float32Array.from({ length: 2 * n * batch }, () => random.uniform() - 0.5);
  const w = Float32Array.from({ length: n }, (_, i) => Math.sin((Math.PI * (i + 0.5)) / n) ** 2);
  const windowed = Float64Array.from(x, (value, i) => value * w[(i >> 1) % n]);
  const hook = load({ layout: shape, sources: { x: shape, w: layout("f32", [n]) } }, "x * w[i1]");
  using plan = await device.plan(fft(shape, { axis: 1, load: hook }));
  using from = device.alloc(shape);
  using weights = device.alloc(layout("f32", [n]));
  using to = device.alloc(shape);
  from.write(x);
  weights.write(w);
  await plan.run({ x: from, w: weights, out: to }).done;
  const got = await to.read();
  const expected = transformed(fft(layout("c128", [batch, n]), { axis: 1 }), windowed);
  let [wrong, energy] = [0, 0];
  for (const [i, value] of expected.entries()) {
    wrong += (got[i] - value) ** 2;
    energy += value ** 2;
  }
  return Math.sqrt(wrong / energy);
}

describe("the task Transforms", () => {
  it("measures on WebAssembly: plan and error are those of the package, and the same for the same address", async () => {
    const address = "#/transforms?n=120&batch=4&device=cpu&seconds=0.02&seed=9";
    const error = await errorInNode(120, 4, 9);
    using device = await open(cpu());
    using plan = await device.plan(fft(layout("c64", [4, 120]), { axis: 1 }));
    const shown: string[][] = [];
    for (const host of ["isolated", "strict"] as const)
      await visit(
        address,
        async (page) => {
          await measured(page);
          const names = ["cpu-transform-max-error", "cpu-transform-rms-error", "cpu-hooked-max-error", "cpu-hooked-rms-error", "rounding"];
          shown.push(await Promise.all(names.map((name) => figure(page, name))));
          expect(await figure(page, "cpu-transform-plan")).toBe(plan.text);
          // Rates are positive, and consistent with each other: 5 n log₂ n operations for each line.
          const us = Number(await figure(page, "cpu-transform-us"));
          const gflops = Number(await figure(page, "cpu-transform-gflops"));
          expect((gflops * us * 1e3) / (5 * 120 * Math.log2(120) * 4)).toBeCloseTo(1, 1);
          expect(await figure(page, "cpu-transform-share")).toMatch(/^\d+ %$/);
          await page.locator("figure.drawn img").waitFor();
        },
        { host },
      );
    expect(shown[1]).toEqual(shown[0]);
    // The page shows two digits.
    expect(Number(shown[0][3]) / error).toBeGreaterThan(0.95);
    expect(Number(shown[0][3]) / error).toBeLessThan(1.05);
    expect(Number(shown[0][4]) / rounding(120)).toBeCloseTo(1, 1);
  });

  it("measures on WebGPU, and shows the WGSL with the hook in it", () =>
    visit("#/transforms?n=64&batch=8&device=gpu&seconds=0.02", async (page) => {
      await measured(page);
      for (const row of ["transform", "hooked"]) {
        const error = Number(await figure(page, `gpu-${row}-rms-error`));
        expect(error).toBeGreaterThan(0);
        // By the definition of its stated accuracy, a GPU's transform is within twice 0.4 ε √log₂ n; the window adds a rounding.
        expect(error).toBeLessThan(rounding(64));
      }
      expect(await figure(page, "gpu-hooked-plan")).toContain("load=hook");
      await activate(page.locator("details.plan", { hasText: "load=hook" }).locator("summary"));
      const code = await page.locator("details.plan[open] pre").first().textContent();
      expect(code).toContain("@compute");
      expect(code).toContain("load_w(");
    }));

  it("says in one sentence that the GPU was lost, and opens it again by a button", () =>
    visit("#/transforms?n=32&batch=2&device=gpu&hook=none&seconds=0.01", async (page) => {
      await measured(page);
      for (const worker of page.workers()) await loseDevice(worker);
      await activate(page.getByRole("button", { name: "Measure again" }));
      const told = page.locator("[role=alert]");
      await told.waitFor();
      expect(await told.locator("p").textContent()).toMatch(/^GPU \(WebGPU\): the GPU device was lost/);
      await activate(told.getByRole("button", { name: "Open the device again" }));
      await expect.poll(() => figure(page, "gpu-transform-rms-error")).toMatch(/e-/);
      expect(await told.count()).toBe(0);
    }));

  it("says where a hook's text is wrong, and measures the next right one", () =>
    visit("#/transforms?n=64&batch=4&device=cpu&seconds=0.02", async (page) => {
      await measured(page);
      const told = page.locator("[data-figure=hook-check]");
      await page.locator("textarea").fill("p = x * w[i1]\np * q");
      await expect
        .poll(() => told.textContent())
        .toBe('Wrong in line 2, column 5: a source, a uniform, an index, a function or a named value is expected, not "q".');
      await page.getByLabel("Place of the hook").selectOption("store");
      await expect.poll(() => told.textContent()).toMatch(/^Right: .* written as f32\.$/);
      await expect.poll(() => figure(page, "cpu-hooked-plan")).toContain("store=hook");
      expect(Number(await figure(page, "cpu-hooked-rms-error"))).toBeLessThan(4 * rounding(64));
      await expect.poll(() => page.evaluate(() => location.hash)).toContain("hook=store");
    }));

  it("transforms real lines, columns, inverses and any length, in double precision where a device has it", async () => {
    for (const query of [
      "n=101&batch=3&type=f32&axis=columns&hook=none",
      "n=90&batch=3&type=f32&direction=inverse&hook=none",
      "n=45&batch=3&type=f64&direction=inverse&hook=load&text=x*w[i1]",
      "n=97&batch=3&type=c128&axis=columns&hook=store&text=value*cis(0.5)",
    ])
      await visit(`#/transforms?device=cpu&seconds=0.01&${query}`, async (page) => {
        await measured(page);
        const [error, scale] = [Number(await figure(page, "cpu-transform-max-error")), Number(await figure(page, "rounding"))];
        expect(error).toBeGreaterThan(0);
        expect(error).toBeLessThan(8 * scale);
        if (!query.includes("hook=none")) expect(Number(await figure(page, "cpu-hooked-max-error"))).toBeLessThan(8 * scale);
      });
    await visit("#/transforms?n=16&batch=2&type=c128&device=gpu&hook=none&seconds=0.01", async (page) => {
      await measured(page);
      expect(await figure(page, "gpu-transform-why")).toMatch(/c128/);
    });
  });

  it("refuses arrays that are too large in one sentence, and cancels", async () => {
    await visit("#/transforms?n=16777216&batch=2&device=cpu", async (page) => {
      await expect
        .poll(() => page.locator("[role=alert]").textContent())
        .toMatch(/^Lines \(batch\) must be at most 1 for lines of 16777216 points, not 2$/);
    });
    await visit("#/transforms?n=65536&batch=64&device=cpu&seconds=10", async (page) => {
      await activate(page.getByRole("button", { name: "Cancel" }));
      await expect.poll(() => page.locator("main").textContent()).toContain("Processor (WebAssembly): cancelled.");
    });
  });

  it("runs the published experiment, and its result file is one that can be contributed", () =>
    visit("#/transforms?n=16&batch=1&device=cpu&hook=none&seconds=0.01&paperDevice=cpu", async (page) => {
      await measured(page);
      await activate(page.getByRole("button", { name: "Run the experiment" }));
      const save = page.getByRole("button", { name: "Save result file" });
      await save.waitFor();
      const [download] = await Promise.all([page.waitForEvent("download"), activate(save)]);
      const result = readFftResult(await readFile(await download.path(), "utf8"));
      expect(result.devices.map(({ device }) => device.id)).toEqual(["cpu"]);
      expect(result.absent).toEqual({ GPU: "left out" });
      expect(await page.locator("details.paper-table[open] table").first().locator("tbody tr").count()).toBeGreaterThan(0);
    }));
});
