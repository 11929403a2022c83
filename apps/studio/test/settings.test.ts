/** Settings as they are read from addresses that people write by hand. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { settings as adaptive } from "../src/adaptive/settings.ts";
import { integer, readSettings, words } from "../src/settings.ts";
import { settled, useBrowser, visit } from "./pages.ts";

useBrowser();

describe("settings of an address", () => {
  const table = { units: integer(1, 64, 19), url: words("") };
  const read = (query: string) => readSettings(table, new URLSearchParams(query));

  it("says of integers that they must be integers, also outside the range", () => {
    for (const text of ["0", "2.5", "NaN", "", "1e9"])
      expect(read(`units=${text}`).problems).toEqual([
        `units=${text} is not possible: it must be an integer from 1 to 64. 19 is used instead.`,
      ]);
    expect(read("units=64")).toEqual({ values: { units: 64, url: "" }, problems: [] });
  });

  it("uses the last of several values of a setting, and says so", () => {
    const { values, problems } = read("units=3&units=4");
    expect(values.units).toBe(4);
    expect(problems).toEqual(["The address has units more than once: the last one counts."]);
  });

  it("says what an examined cell is", () => {
    for (const text of ["1", "NaN_NaN", "5_1_7", "_60"]) {
      const { values, problems } = readSettings(adaptive, new URLSearchParams(`cell=${text}`));
      expect(values.cell).toBe("auto");
      expect(problems[0]).toContain("it must be auto, or a range bin and a Doppler, such as 128_60");
    }
    expect(readSettings(adaptive, new URLSearchParams("cell=5_-1.5")).values.cell).toEqual([5, -1.5]);
  });

  it("keeps a question mark in the address of a recording", () =>
    visit("#/focus?source=url&url=http://127.0.0.1:1/scene.cphd?key=1", async (page) => {
      expect(await page.getByText("scene.cphd?key=1").first().textContent()).toContain("http://127.0.0.1:1/scene.cphd?key=1");
    }));
});

describe("links to the documentation", () => {
  it("lead to pages that exist, wherever the studio is", () =>
    visit("#/realtime?set=own", async (page) => {
      const links = async (): Promise<(string | null)[]> => {
        await settled(page);
        return page.locator("main a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
      };
      const found = await links();
      await page.evaluate(() => {
        location.hash = "#/transforms?n=64&batch=2&device=cpu&hook=load";
      });
      found.push(...(await links()));
      expect(found.length).toBeGreaterThanOrEqual(5);
      for (const link of found) {
        const [, name, heading] = /\/apps\/docs\/([\w-]+)\.md(?:#([\w-]+))?$/.exec(link ?? "") ?? [];
        expect(name, `${link}`).toBeDefined();
        const text = await readFile(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");
        const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title!.toLowerCase().replaceAll(" ", "-"));
        if (heading) expect(headings).toContain(heading);
      }
    }));
});
