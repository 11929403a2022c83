/**
 * The programs that the task Focus shows make the images of the page in Node, wherever a recording came from; RADARSAT-1 scenes with and without their
 * AGC file; several recordings that were opened together; and the names of saved files.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { radarsatFiles } from "../../../packages/io/test/radarsat-builder.ts";
import { type ProgramParts, programOf } from "../src/focus/program.ts";
import { literal, packagesOf } from "../src/programs.ts";
import { fileNameOf, nameOfFiles } from "../src/ui/file-name.ts";
import { figure, finished, pixelsOf, relativeDifference, runProgram, saved, savedFile } from "./focus-tools.ts";
import { activate, useBrowser, visit } from "./pages.ts";

useBrowser();

const { "AGC_attenuation_values.mat": agc, ...sceneFiles } = radarsatFiles({ lines: 512, cells: 500, pulseSeconds: 5e-6 });
const filesAt = (folder: string): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(sceneFiles).map(([name, bytes]) => [folder + name, bytes]));
const agcName = "AGC_attenuation_values.mat";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dechirp-programs-"));
  const all = { ...filesAt("pass/scenes/one/"), ...filesAt("pass/scenes/two/"), [`pass/${agcName}`]: agc };
  for (const [path, bytes] of Object.entries(all)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const upload = (name: string, bytes: Uint8Array) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
const openFolder = (page: Page, path: string) => page.getByLabel("Folder of a recording").setInputFiles(join(folder, path));
const opened = async (page: Page, name: string): Promise<void> => {
  await page.locator("[data-figure=recording]", { hasText: name }).waitFor();
  await finished(page);
};
const imageOf = async (page: Page): Promise<Float32Array> => pixelsOf(await saved(page, "Save .npy"));

/** The image of the page, which its program makes, too, in a folder with these files. */
async function sameInNode(page: Page, files: Readonly<Record<string, Uint8Array>>): Promise<Float32Array> {
  const image = await imageOf(page);
  const program = await figure(page, "program");
  expect(relativeDifference((await runProgram(program, files)).image, image)).toBeLessThan(1e-5);
  return image;
}

describe("a RADARSAT-1 scene", () => {
  it("says that its AGC file is above it, takes the file, and its programs make both images wherever the file is on the disk", () =>
    visit("#/focus", async (page) => {
      await openFolder(page, "pass/scenes/one");
      await opened(page, "one");
      expect(await figure(page, "warning")).toContain(`no ${agcName} was found`);
      expect(await figure(page, "agc advice")).toMatch(/one or two folders above the scene.*Drop that folder here, or add the file/s);
      expect(await figure(page, "program")).toContain("agcFile: false");
      const without = await sameInNode(page, { ...filesAt("one/"), [agcName]: agc });
      await page.getByLabel("AGC file").setInputFiles(upload("gains.mat", agc));
      await page.locator("[data-figure='agc advice']").waitFor({ state: "detached" });
      await finished(page);
      const withAgc = await sameInNode(page, { ...filesAt("one/"), "gains.mat": agc });
      expect(relativeDifference(withAgc, without)).toBeGreaterThan(0.1);
      expect(await page.locator("[data-figure=warning]").count()).toBe(0);
      // What is found above the scene is the same file.
      await openFolder(page, "pass");
      await page.locator("[data-figure=recording]", { hasText: "one" }).waitFor();
      await page.getByText("One of 2 recordings that were opened together").waitFor();
      await finished(page);
      const found = await sameInNode(page, { ...filesAt("pass/scenes/one/"), [`pass/${agcName}`]: agc });
      expect(relativeDifference(found, withAgc)).toBe(0);
      expect(await figure(page, "program")).toContain("/../../AGC_attenuation_values.mat");
    }));

  it("opens as loose files, which have the name of the data file, and takes the AGC file when it is dropped alone", () =>
    visit("#/focus", async (page) => {
      await page.getByLabel("Files of a recording").setInputFiles(Object.entries(sceneFiles).map(([name, bytes]) => upload(name, bytes)));
      await opened(page, "CDdata1.mat");
      expect(await page.locator(".source select").first().locator("option:checked").textContent()).toBe("CDdata1.mat");
      const without = await sameInNode(page, filesAt(""));
      const transfer = await page.evaluateHandle((bytes) => {
        const dropped = new DataTransfer();
        dropped.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], "AGC_attenuation_values.mat"));
        return dropped;
      }, Buffer.from(agc).toString("base64"));
      await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
      await page.locator("[data-figure='agc advice']").waitFor({ state: "detached" });
      await finished(page);
      expect(relativeDifference(await sameInNode(page, { ...filesAt(""), [agcName]: agc }), without)).toBeGreaterThan(0.1);
    }));
});

describe("several recordings that are opened together", () => {
  it("are offered for choice, in the address, too", () =>
    visit("#/focus", async (page) => {
      await openFolder(page, "pass");
      await opened(page, "one");
      await page.getByLabel("One of 2 recordings").selectOption("pass/scenes/two");
      await opened(page, "two");
      expect(page.url()).toContain("part=pass%2Fscenes%2Ftwo");
      expect(await figure(page, "program")).toContain('const path = "pass/scenes/two";');
    }));
});

describe("programs", () => {
  it("of the spotlight scene are plain JavaScript, say how they run, and are saved under the names that they state", () =>
    visit("#/focus?source=spotlight", async (page) => {
      await page.locator("[data-figure=peak]").waitFor();
      await sameInNode(page, {});
      await activate(page.locator("details.program summary"));
      expect(await figure(page, "program commands")).toBe(
        "npm install @dechirp/core @dechirp/fft-cpu @dechirp/io @dechirp/processor @dechirp/sar\nnode spotlight-focus.mjs",
      );
      const program = await savedFile(page, "Save program");
      expect(program.name).toBe(await figure(page, "program file"));
      expect(new TextDecoder().decode(program.bytes)).toBe(await figure(page, "program"));
      for (const [button, name] of [
        ["Save .npy", "spotlight-focus.npy"],
        ["Save GeoTIFF", "spotlight-focus.tif"],
        ["Save image, PNG", "spotlight-focus.png"],
        ["Save view, PNG", "spotlight-focus-view.png"],
      ] as const)
        expect((await savedFile(page, button)).name).toBe(name);
    }));

  it("name the packages that they import, and webgpu for a graphics card", () => {
    expect(
      packagesOf('import { a } from "@dechirp/io/node";\nimport { b } from "@dechirp/io";\nimport { gpu } from "@dechirp/fft-gpu";\n'),
    ).toEqual(["@dechirp/fft-gpu", "@dechirp/io", "webgpu"]);
    expect(literal({ "a-b": [1, undefined, "x"].slice(2), c: undefined })).toBe('{ "a-b": ["x"] }');
  });

  it("read addresses with their queries, and paths that are known", () => {
    const parts = (place: object): ProgramParts =>
      ({
        source: { kind: "url", url: "https://x/" },
        recording: { name: "x", kind: "phase-history", place: { files: ["a.mat"], isFolder: false, paths: ["a.mat"], ...place } },
        choices: {},
        proposal: { memoryBytes: 1 },
        device: "cpu",
      }) as unknown as ProgramParts;
    expect(programOf(parts({ addresses: { "a.mat": "https://x/a.mat?key=1" } }))).toContain('const address = "https://x/a.mat?key=1";');
    expect(programOf(parts({ paths: ["/data/a.mat"] }))).toContain('const path = "/data/a.mat";');
    expect(programOf(parts({ paths: ["a.mat", "b.mat"] }))).toMatch(
      /readPhaseHistory\(\["a\.mat", "b\.mat"\]\.map\(\(name\) => `\$\{path\}\/\$\{name\}`\)\);/,
    );
  });
});

describe("names of files", () => {
  it("are those of the recording and the task, and safe for file systems", () => {
    expect(fileNameOf("spotlight.cphd", "focus", "png")).toBe("spotlight-focus.png");
    expect(fileNameOf("../a b:*?\\c/ünïcode.mat", "focus", "npy")).toBe("a-b-c-ünïcode-focus.npy");
    expect(fileNameOf(" ..", "focus", "tif")).toBe("recording-focus.tif");
    expect(new TextEncoder().encode(fileNameOf("𝒳".repeat(300), "focus-view", "nitf")).length).toBeLessThan(256);
    expect(nameOfFiles({ "b.mat": { size: 1 }, "a.mat": { size: 9 } })).toBe("a.mat");
    expect(nameOfFiles({ "x/b.mat": { size: 1 }, "x/y/a.mat": { size: 9 } })).toBe("x");
  });
});
