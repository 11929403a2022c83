/** How the task Backprojection is used: keys, the pointer, cancelling, files, wrong settings, phones and hosts. */
import { encodeCphd } from "@dechirp/io/cphd";
import type { PhaseHistory } from "@dechirp/radar";
import { describe, expect, it } from "vitest";
import { seriousViolations } from "./axe.ts";
import { aperture, finished, numberOf, oneTurn, small } from "./backprojection-cases.ts";
import { activate, useBrowser, visit } from "./pages.ts";

useBrowser();

describe("the page of the task Backprojection", () => {
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

  it("cancels, and makes the image when asked again", () =>
    visit("#/backprojection?pixels=2048&from=20&to=80", async (page) => {
      await page.locator("[data-stage=coarse]").waitFor();
      await activate(page.getByRole("button", { name: "Cancel" }));
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
