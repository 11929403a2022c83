/** Tests the page of contributed result files: several files, tables and pictures for each, text that is not HTML, and files that are not valid. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { contributedResults, readResults } from "../.vitepress/performance/contributed.ts";
import { folder } from "../scripts/results.mjs";

const scratch = mkdtempSync(join(tmpdir(), "dechirp-contributed-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const committed = join(folder, "fft-paper");
const files = readdirSync(committed).filter((name) => name.endsWith(".json"));

/** Makes a folder with the first committed file and a changed copy of it. */
function pair(name: string, change: (document: { date: string; devices: { device: { description: string } }[] }) => void): string {
  const made = join(scratch, name);
  mkdirSync(made);
  copyFileSync(join(committed, files[0]), join(made, "a.json"));
  const document = JSON.parse(readFileSync(join(committed, files[0]), "utf8"));
  change(document);
  writeFileSync(join(made, "b.json"), JSON.stringify(document));
  return made;
}

describe("contributed results", () => {
  it("are all valid", () => {
    expect(files.length).toBeGreaterThan(0);
    expect(readResults().map(({ file }) => file)).toHaveLength(files.length);
  });

  it("have tables and pictures for every file, newest first, and no HTML of their own", async () => {
    const from = pair("two", (document) => {
      document.date = "2126-01-01T00:00:00.000Z";
      document.devices[0].device.description = "WebGPU: <b>|made up|</b>";
    });
    const pictures = join(scratch, "pictures");
    const shown = await contributedResults(from, pictures);
    expect(shown.map(({ file, date }) => [file, date])[0]).toEqual(["b.json", "2126-01-01"]);
    expect(shown).toHaveLength(2);
    expect(shown[0].title).toBe("<b>|made up|</b>");
    expect(shown[0].intro).toContain("&lt;b&gt;|made up|&lt;/b&gt;");
    for (const { sections, pictures: drawn, file } of shown) {
      expect(sections.map(({ title }) => title.split(",")[0])).toEqual(
        expect.arrayContaining([
          "Table I",
          "Table II",
          "Table III",
          "Table IV",
          "Table V",
          "Table VI",
          "Table VII",
          "Table VIII",
          "Table IX",
          "Fig. 1",
        ]),
      );
      for (const { html } of sections) expect(html).toMatch(/^<table>.*<\/table>\n$/s);
      expect(drawn.length).toBeGreaterThanOrEqual(2);
      for (const { url, width, name } of drawn) {
        expect(url).toContain(file.replace(".json", ""));
        expect(width).toBeGreaterThan(0);
        expect(existsSync(join(pictures, file.replace(".json", ""), `${name}.svg`))).toBe(true);
      }
    }
  });

  it("stop the build if a file is not valid, with its name and field", () => {
    const from = pair("wrong", (document) => {
      document.date = "some day";
    });
    expect(() => readResults(from)).toThrow(/^b\.json: .*date/);
  });
});
