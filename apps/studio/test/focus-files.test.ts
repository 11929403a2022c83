/** The task Focus with recordings of the user: files, folders, servers, and what is no recording; and the files that it saves. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { encodeScene, npyHeader, openBytes } from "@dechirp/io";
import { encodeCphd } from "@dechirp/io/cphd";
import { placeOf } from "@dechirp/io/formats";
import { readTiffHeader } from "@dechirp/io/geotiff";
import { describePlace, infoFacts } from "@dechirp/io/info";
import { openSicd } from "@dechirp/io/sicd";
import { simulateRecording } from "@dechirp/processor";
import { linearTrack, scenePresets, simulatePhaseHistory } from "@dechirp/sar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { spotlight } from "../src/focus/scenes.ts";
import { figure, finished, pixelsOf, problem, relativeDifference, runProgram, saved } from "./focus-tools.ts";
import { activate, useBrowser, visit } from "./pages.ts";

useBrowser();

let folder: string;
let cphd: Uint8Array;
let scene: Readonly<Record<string, Uint8Array>>;
let server: { readonly server: Server; readonly address: string };

const joined = (chunks: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(chunks));

/** Serves files by ranges to those who have the key, with the headers that pages of other origins need. */
async function serve(files: Readonly<Record<string, Uint8Array>>) {
  const server = createServer((request, response) => {
    const [name = "", query] = (request.url ?? "").slice(1).split("?");
    const bytes = query === "key=1%202" ? files[name] : undefined;
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Access-Control-Expose-Headers", "Content-Range, ETag");
    if (!bytes) return void response.writeHead(404).end();
    response.setHeader("ETag", '"1"');
    const asked = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    if (!asked) return void response.writeHead(200).end(bytes);
    const [from, to] = [Number(asked[1]), Math.min(Number(asked[2]), bytes.length - 1)];
    response.writeHead(206, { "Content-Range": `bytes ${from}-${to}/${bytes.length}` }).end(bytes.subarray(from, to + 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dechirp-focus-"));
  using device = await open(cpu());
  const { background: _, ...preset } = scenePresets.default;
  const {
    echoes,
    shape,
    dtype,
    name,
    radar,
    targets = [],
    notes = [],
  } = await simulateRecording("reflectors", preset, { type: "ci16" }, device);
  const orbit = straightOrbit();
  const data = {
    name,
    radar: { ...radar, orbit },
    targets,
    notes,
    startUtc: "2026-03-14T11:00:00Z",
    raw: { layout: { dtype, shape }, data: echoes },
  };
  const encoded = await encodeScene(data, {});
  scene = Object.fromEntries(Object.entries(encoded).map(([file, chunks]) => [file, joined(chunks)]));
  for (const [file, bytes] of Object.entries(scene)) await writeFile(join(folder, file), bytes);
  const { track, frequency, targets: points, noise, area, seed } = spotlight;
  const { samples, ...history } = simulatePhaseHistory({ positions: linearTrack(track), frequency, targets: points, noise, seed });
  const { count } = frequency;
  const chunks: Uint8Array[] = [];
  const recorded = {
    ...{ ...history, name: "SPOTLIGHT", shape: [track.pulses, count] as const, polarisation: "VV" as const, area },
    pulses: (from: number, some: number) => samples.subarray(2 * from * count, 2 * (from + some) * count),
  };
  const place = { latitudeDegrees: -20.1338, longitudeDegrees: -67.4891, heightMeters: 3700 };
  const written = encodeCphd(recorded, {
    origin: place,
    prfHz: 150,
    startUtc: "2026-05-04T14:30:00Z",
    collectorName: "TEST",
    coreName: "SPOTLIGHT",
  });
  for await (const chunk of written) chunks.push(chunk.slice());
  cphd = joined(chunks);
  server = await serve({ "spotlight.cphd": cphd, ...scene });
});

afterAll(async () => {
  server?.server.close().closeAllConnections();
  await rm(folder, { recursive: true, force: true });
});

/** State vectors of a radar at 130 m/s, about 3 km above the equator. */
function straightOrbit() {
  const times = Array.from({ length: 12 }, (_, i) => i - 2);
  return {
    timesSeconds: times,
    positionsMeters: times.map((t) => [6_378_137 + 2400, 0, 130 * t]),
    velocitiesMetersPerSecond: times.map(() => [0, 0, 130]),
    lookSide: "right" as const,
  };
}

/**
 * Relative difference of images that differ in rounding only, as relaxed arithmetic of a browser and of Node may: a pixel is a sum over pulses,
 * whose rounding grows as the root of their number, in a few steps.
 */
const rounding = 8 * 2 ** -24 * Math.sqrt(spotlight.track.pulses);

const files = "Files of a recording";
const cphdFile = () => ({ name: "spotlight.cphd", mimeType: "application/octet-stream", buffer: Buffer.from(cphd) });

describe("the task Focus with a recording of the user", () => {
  it("makes the image of a CPHD file, which its program makes, too; and a SICD file of it", () =>
    visit("#/focus", async (page) => {
      await page.getByLabel(files).setInputFiles(cphdFile());
      await page.locator("[data-figure=peak]").waitFor();
      await finished(page);
      expect(await figure(page, "recording")).toBe("SPOTLIGHT");
      expect(await figure(page, "algorithm")).toBe("backprojection");
      expect(page.url()).toContain("source=files");
      const image = await pixelsOf(await saved(page, "Save .npy"));
      const ran = await runProgram(await figure(page, "program"), { "spotlight.cphd": cphd });
      expect(relativeDifference(ran.image, image)).toBeLessThan(rounding);
      const sicd = await openSicd(openBytes(await saved(page, "Save SICD")), { file: "image.nitf" });
      expect(sicd.metadata.image.rows * sicd.metadata.image.columns).toBe(image.length / 2);
      const tiff = await readTiffHeader(openBytes(await saved(page, "Save GeoTIFF")), { file: "image.tif" });
      expect(tiff.images[0]!.rows * tiff.images[0]!.columns).toBe(image.length / 2);
      expect(tiff.place).toBeDefined();
    }));

  it("focuses a folder, and saves a SICD file where the recording states orbit and time", () =>
    visit("#/focus", async (page) => {
      await page.getByLabel("Folder of a recording").setInputFiles(folder);
      await page.locator("[data-figure=recording]", { hasText: "reflectors" }).waitFor();
      await finished(page);
      expect(await figure(page, "format")).toContain("scene folder");
      expect(await figure(page, "velocity")).toBe("130 m/s");
      expect((await saved(page, "Save SICD")).length).toBeGreaterThan(1e6);
      const ran = await runProgram(
        await figure(page, "program"),
        Object.fromEntries(Object.entries(scene).map(([name, bytes]) => [`${basename(folder)}/${name}`, bytes])),
      );
      expect(relativeDifference(ran.image, await pixelsOf(await saved(page, "Save .npy")))).toBeLessThan(1e-5);
    }));

  it("says in one sentence what is wrong with a file, and goes on with the next", () =>
    visit("#/focus", async (page) => {
      await finished(page);
      await page.getByLabel(files).setInputFiles({ name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear reader") });
      expect(await problem(page)).toBe('letter.txt is a file that begins with "Dear reader", and no recording');
      expect(await page.locator(".focus [role=alert] li", { hasText: "a CPHD file" }).count()).toBe(1);
      await page.getByLabel(files).setInputFiles({ name: "nothing.cphd", mimeType: "text/plain", buffer: Buffer.alloc(0) });
      await page.getByText("nothing.cphd is an empty file, and no recording").waitFor();
      await page.getByLabel(files).setInputFiles({ ...cphdFile(), buffer: Buffer.from(cphd.subarray(0, 9000)) });
      await page.getByText(/^spotlight\.cphd: /).waitFor();
      await page.getByLabel(files).setInputFiles(cphdFile());
      await page.locator("[data-figure=peak]").waitFor();
      expect(await page.locator(".focus [role=alert]").count()).toBe(0);
    }));

  it("says what a recording is by its own headers, and what can be done with what is none", () =>
    visit("#/focus", async (page) => {
      await page.getByLabel(files).setInputFiles(cphdFile());
      await page.locator("[data-figure=peak]").waitFor();
      const thing = await describePlace(placeOf({ "spotlight.cphd": cphd }, { file: "spotlight.cphd" }));
      for (const { label, text } of infoFacts(thing).filter(({ label }) => /^(carrier|PRF|collector|start|centre|incidence)$/.test(label)))
        expect(await figure(page, `info ${label}`)).toBe(text);
      const sicd = await saved(page, "Save SICD");
      await page.getByLabel(files).setInputFiles({ name: "image.nitf", mimeType: "image/nitf", buffer: Buffer.from(sicd) });
      expect(await figure(page, "thing format")).toContain("SICD");
      expect(await figure(page, "advice")).toMatch(/^image\.nitf can't be focused: it is an image that has been focused already/);
      const cube = joined([npyHeader({ dtype: "c64", shape: [2, 3, 4] }), new Uint8Array(8 * 24)]);
      await page.getByLabel(files).setInputFiles({ name: "cube.npy", mimeType: "application/octet-stream", buffer: Buffer.from(cube) });
      await page.getByRole("link", { name: "Open the task Adaptive processing" }).waitFor();
      expect(await page.locator(".focus [role=alert]").count()).toBe(0);
    }));

  it("takes files that are dropped", () =>
    visit("#/focus", async (page) => {
      await finished(page);
      const transfer = await page.evaluateHandle((bytes) => {
        const dropped = new DataTransfer();
        dropped.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], "dropped.cphd"));
        return dropped;
      }, Buffer.from(cphd).toString("base64"));
      await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
      await page.locator("[data-figure=peak]").waitFor();
      expect(await figure(page, "format")).toContain("CPHD");
    }));

  it("reads from a server by ranges, and a link to it makes the same image", async () => {
    const link = (name: string): string => `#/focus?source=url&url=${encodeURIComponent(`${server.address}/${name}?key=1%202`)}`;
    await visit(link("spotlight.cphd"), async (page) => {
      await activate(page.getByRole("button", { name: "Open it" }));
      await page.locator("[data-figure=peak]").waitFor();
      const image = await pixelsOf(await saved(page, "Save .npy"));
      const ran = await runProgram(await figure(page, "program"));
      expect(relativeDifference(ran.image, image)).toBeLessThan(rounding);
    });
    await visit(link("scene.json"), async (page) => {
      await activate(page.getByRole("button", { name: "Open it" }));
      await finished(page);
      expect(await figure(page, "recording")).toBe("reflectors");
      const image = await pixelsOf(await saved(page, "Save .npy"));
      const ran = await runProgram(await figure(page, "program"));
      expect(relativeDifference(ran.image, image)).toBeLessThan(1e-5);
    });
  });
});
