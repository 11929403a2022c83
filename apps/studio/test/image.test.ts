/** The image viewer in a page: its pixels, numbers, keys, settings in the address, files of the browser, and pictures. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analysePointTarget } from "@dechirp/sar";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { pixelsOf } from "./image-page/scene.ts";
import { activate, type Opening, tilesLoaded, useBrowser, visit } from "./pages.ts";

useBrowser();

/** Opens the test page and waits until its image is complete. */
const view = <T>(settings: string, use: (page: Page) => Promise<T>, opening: Opening = {}): Promise<T> =>
  visit(
    `test/image-page/index.html#/image?${settings}`,
    async (page) => {
      await page.locator("body[data-done=yes]").waitFor();
      await tilesLoaded(page);
      return use(page);
    },
    opening,
  );

/** The colour of a place of the map, in pixels of the screen from its left upper corner. */
const colourAt = (page: Page, x: number, y: number): Promise<readonly number[]> =>
  page.evaluate(
    ([x, y]) => {
      const map = document.querySelector(".map")!.getBoundingClientRect();
      for (const tile of document.querySelectorAll<HTMLCanvasElement>("canvas.leaflet-tile-loaded")) {
        const { left, top, right, bottom, width, height } = tile.getBoundingClientRect();
        const [px, py] = [map.left + x!, map.top + y!];
        if (px < left || py < top || px >= right || py >= bottom) continue;
        const at = [Math.floor(((px - left) * tile.width) / width), Math.floor(((py - top) * tile.height) / height)] as const;
        const { data } = tile.getContext("2d")!.getImageData(...at, 1, 1);
        if (data[3]! > 0) return [...data];
      }
      return [];
    },
    [x, y],
  );

const middleOf = (page: Page): Promise<readonly [number, number]> =>
  page.locator(".map").evaluate(({ clientWidth, clientHeight }) => [clientWidth / 2, clientHeight / 2] as const);

const hashOf = (page: Page): Promise<string> => page.evaluate(() => decodeURIComponent(location.hash));

/** Largest power of the test page's image. */
function peakOf(rows: number, columns: number): number {
  const data = pixelsOf(0, 0, rows, columns);
  let peak = 0;
  for (let i = 0; i < data.length; i += 2) peak = Math.max(peak, data[i]! ** 2 + data[i + 1]! ** 2);
  return peak;
}

describe("the image viewer", () => {
  it.each(["no", "yes"])("draws each pixel at its place (upwards: %s)", (upwards) =>
    view(`rows=300&columns=400&down=1&upwards=${upwards}&db=-70,0&view=128,256,4`, async (page) => {
      const [x, y] = await middleOf(page);
      const data = pixelsOf(120, 240, 17, 33);
      const peak = peakOf(300, 400);
      for (const [row, column] of [
        [0, 0],
        [3, -5],
        [-6, 2],
        [7, 16],
      ] as const) {
        const at = 2 * ((8 + row) * 33 + 16 + column);
        const db = 10 * Math.log10((data[at]! ** 2 + data[at + 1]! ** 2) / peak);
        const error = async (): Promise<number> => {
          const [red] = await colourAt(page, x + 16 * column, y + (upwards === "yes" ? -16 : 16) * row);
          return Math.abs(red! - Math.max(0, 255 * (1 + db / 70)));
        };
        await expect.poll(error).toBeLessThan(0.51);
      }
    }),
  );

  it("shows true proportions, and says the value of a picked point", () =>
    view("rows=300&columns=400&down=3&view=128,256,2", async (page) => {
      const [x, y] = await middleOf(page);
      // A column is 4 screen pixels wide, and a row 12 high.
      await page.locator(".map").click({ position: { x: x + 4 * 2, y: y + 12 * -1 } });
      await expect.poll(() => hashOf(page)).toContain("point=128,256");
      const [re, im] = pixelsOf(128, 256, 1, 1);
      const db = 10 * Math.log10((re! ** 2 + im! ** 2) / peakOf(300, 400));
      await page.mouse.move(0, 0);
      await expect.poll(() => page.locator("[data-figure=pixel-db]").textContent()).toBe(db.toFixed(1));
    }));

  it("measures the picked point as the packages do in the whole image", () =>
    view("rows=300&columns=400&point=129,255", async (page) => {
      const image = { data: pixelsOf(0, 0, 300, 400), rows: 300, columns: 400 };
      const { row, column, peakPhaseRadians, azimuth, range } = analysePointTarget(image, { row: 129, column: 255 });
      const shown = (name: string) => page.locator(`[data-figure=${name}]`).textContent();
      await page.locator("figure.drawn img").nth(1).waitFor();
      expect(await shown("peak-row")).toBe(row.toFixed(3));
      expect(await shown("peak-column")).toBe(column.toFixed(3));
      expect(await shown("peak-phase")).toBe(((peakPhaseRadians * 180) / Math.PI).toFixed(2));
      for (const [name, cut] of Object.entries({ rows: azimuth, columns: range })) {
        expect(await shown(`${name}-irw-pixels`)).toBe(cut.irwPixels.toFixed(3));
        expect(await shown(`${name}-pslr`)).toBe(cut.pslrDb.toFixed(2));
        expect(await shown(`${name}-islr`)).toBe(cut.islrDb.toFixed(2));
      }
      expect(await shown("rows-irw-meters")).toBe((2 * azimuth.irwPixels).toPrecision(4));
    }));

  it("is picked by touch, on a phone, without a sideways scroll", () =>
    view(
      "rows=300&columns=400&down=1&view=128,256,2",
      async (page) => {
        const [x, y] = await middleOf(page);
        await page.locator(".map").tap({ position: { x: x + 4, y } });
        await expect.poll(() => hashOf(page)).toContain("point=128,256");
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      },
      { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    ));

  it("grows while its parts arrive, and drops no tile that is shown", () =>
    visit(
      "test/image-page/index.html#/image?rows=1024&columns=600&down=1&db=-70,0&part=128&pause=150&stop=256&view=512,300,-1",
      async (page) => {
        await page.locator("canvas.leaflet-tile-loaded").first().waitFor();
        await page.evaluate(() => {
          const counts = window as unknown as { removed: number };
          counts.removed = 0;
          new MutationObserver((changes) => {
            for (const { removedNodes } of changes) counts.removed += removedNodes.length;
          }).observe(document.querySelector(".leaflet-tile-pane")!, { childList: true, subtree: true });
        });
        const [x, y] = await middleOf(page);
        await expect.poll(() => colourAt(page, x, y - 200), { interval: 20 }).toHaveLength(4);
        expect(await page.locator("body[data-done=yes]").count()).toBe(0);
        expect(await colourAt(page, x, y + 200)).toEqual([]);
        await page.evaluate(() => new BroadcastChannel("go-on").postMessage("now"));
        await page.locator("body[data-done=yes]").waitFor();
        await expect.poll(() => colourAt(page, x, y + 200)).toHaveLength(4);
        expect(await page.evaluate(() => (window as unknown as { removed: number }).removed)).toBe(0);
      },
    ));

  it("can be used with the keyboard alone", () =>
    view("rows=300&columns=400&down=1&view=128,256,2", async (page) => {
      const map = page.locator(".map");
      await map.focus();
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => hashOf(page)).toContain("view=128,276,2");
      await page.keyboard.press("+");
      await expect.poll(() => hashOf(page)).toContain("view=128,276,3");
      await page.keyboard.press("-");
      await page.keyboard.press("ArrowLeft");
      await expect.poll(() => hashOf(page)).toContain("view=128,256,2");
      await page.keyboard.press("Enter");
      await expect.poll(() => hashOf(page)).toContain("point=128,256");
      expect(await map.getAttribute("aria-label")).toContain("Enter picks");
    }));

  it("keeps its colours and its range in the address", () =>
    view("rows=300&columns=400", async (page) => {
      await expect.poll(() => page.getByLabel("Brightest, typed").inputValue()).not.toBe("0");
      await page.getByRole("combobox", { name: /^Colours/ }).selectOption("viridis");
      await page.getByLabel("Darkest, typed").fill("-55");
      await page.getByLabel("Darkest, typed").blur();
      await page.getByRole("combobox", { name: /^Looks/ }).selectOption("4x4");
      await expect.poll(() => hashOf(page)).toMatch(/db=-55,-[\d.]+&colours=viridis&looks=4x4/);
      await activate(page.getByRole("button", { name: "Automatic range" }));
      await expect.poll(() => hashOf(page)).not.toContain("db=");
    }));

  it.each(["light", "dark"] as const)("has no serious fault for readers of the screen (%s)", (colorScheme) =>
    view(
      "rows=300&columns=400&point=128,256",
      async (page) => {
        await page.locator("figure.drawn img").nth(1).waitFor();
        await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
        const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof import("axe-core") }).axe.run());
        const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
        expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      },
      { colorScheme },
    ),
  );

  it("says what is wrong with settings of an address", () =>
    view("looks=0x1&view=1,2&db=3&point=a&rows=8&columns=8", async (page) => {
      const text = await page.locator("main").textContent();
      for (const name of ["looks", "view", "db", "point"]) expect(text).toMatch(new RegExp(`${name}=\\S+ is not possible`));
    }));

  it("saves the image as a picture, also under a strict policy", () =>
    view(
      "rows=300&columns=400&colours=inferno",
      async (page) => {
        const folder = await mkdtemp(join(tmpdir(), "dechirp-picture-"));
        try {
          for (const name of ["Save image, PNG", "Save view, PNG"]) {
            const [download] = await Promise.all([page.waitForEvent("download"), activate(page.getByRole("button", { name }))]);
            const path = join(folder, download.suggestedFilename());
            await download.saveAs(path);
            const file = await readFile(path);
            expect(file.subarray(1, 4).toString()).toBe("PNG");
            expect(file.readUInt32BE(16)).toBeGreaterThan(800);
          }
        } finally {
          await rm(folder, { recursive: true });
        }
      },
      { host: "strict" },
    ));
});

describe("files of the browser", () => {
  /** Names of files that stores have made. */
  const filesOf = (page: Page): Promise<readonly string[]> =>
    page.evaluate(async () => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("dechirp-images", { create: true });
      const names: string[] = [];
      for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) names.push(name);
      return names;
    });

  it("are refused for an image that is too large, in one sentence", () =>
    visit("test/image-page/index.html#/image?rows=1000000&columns=1000000", async (page) => {
      const note = page.locator(".problem[data-code=limit]");
      expect(await note.textContent()).toBe("this image needs 9333.3 GB, and the browser gives this page no file of that size");
      expect(await filesOf(page)).toEqual([]);
    }));

  it("hold an image, and are removed by the next page", () =>
    view("rows=1100&columns=900&keep=file&view=512,512,4&down=1&db=-70,0", async (page) => {
      await page.getByText("file", { exact: true }).waitFor();
      const first = await filesOf(page);
      expect(first).toHaveLength(1);
      const [x, y] = await middleOf(page);
      const peak = peakOf(1100, 900);
      const [re, im] = pixelsOf(515, 510, 1, 1);
      const expected = 255 * (1 + (10 * Math.log10((re! ** 2 + im! ** 2) / peak)) / 70);
      const error = async (): Promise<number> => Math.abs((await colourAt(page, x + 16 * -2, y + 16 * 3))[0]! - expected);
      await expect.poll(error).toBeLessThan(0.51);
      await page.reload();
      await page.locator("body[data-done=yes]").waitFor();
      await expect.poll(() => filesOf(page)).toHaveLength(1);
      expect(await filesOf(page)).not.toEqual(first);
    }));
});
