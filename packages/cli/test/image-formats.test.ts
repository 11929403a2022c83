/**
 * focus and backproject with --format sicd, cog and several: pixels, places on earth, channels, maps; what a recording must say for them; and
 * runs that go on. The truth are point targets whose places on earth are computed here.
 */
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readNpy, type SceneData } from "@dechirp/io";
import { encodeCphd } from "@dechirp/io/cphd";
import { openFile, writeFolderAtomically, writeSceneFolder } from "@dechirp/io/node";
import { groundToSicd, openSicd } from "@dechirp/io/sicd";
import type { BackprojectReport } from "@dechirp/processor";
import { createLocalFrame, ecefToGeodetic, geodeticToUtm, utmEpsg, type Vector3 } from "@dechirp/radar/geodesy";
import { circularTrack, scenePresets, simulatePhaseHistory } from "@dechirp/sar";
import { createImageGeometry } from "@dechirp/sar/geocoding";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readGeoTiff } from "../../io/test/geotiff-reader.ts";
import { dechirp, simulatedScene, temporaryFolder } from "./command.ts";

const [pulses, count] = [140, 180];
const frame = createLocalFrame({ latitudeDegrees: 47.6, longitudeDegrees: 11.35, heightMeters: 600 });
const targets = [
  { positionMeters: [6, -4, 0], amplitude: 1 },
  { positionMeters: [-9, 8, 0], amplitude: 0.6, phaseRadians: 1 },
] as const;
const channelOf = (channel: string, amplitude: number) => {
  const positions = circularTrack({ radiusMeters: 7200, altitudeMeters: 7200, firstRadians: 0.4, stepRadians: 2.5e-4, pulses });
  const scaled = targets.map((target) => ({ ...target, amplitude: amplitude * target.amplitude }));
  const history = simulatePhaseHistory({ positions, frequency: { firstHz: 9.3e9, stepHz: 1.5e6, count }, targets: scaled });
  return {
    ...history,
    name: "two points",
    channel,
    shape: [pulses, count] as const,
    polarisation: "VV" as const,
    area: { xMeters: [-18, 18], yMeters: [-18, 18] } as const,
    frame: { originMeters: frame.originMeters, axes: frame.axes },
    collection: { collector: "AIRCRAFT", name: "POINTS", mode: "spotlight" } as const,
    pulses: (from: number, some: number) => history.samples.subarray(2 * from * count, 2 * (from + some) * count),
  };
};

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "dechirp-formats-"));
  const place = { prfHz: 300, startUtc: "2026-03-14T10:21:07Z" };
  await writeFolderAtomically(dir, {
    "one.cphd": encodeCphd(channelOf("VV", 1), place),
    "two.cphd": encodeCphd([channelOf("first/VV", 1), channelOf("second/VV", 3)], place),
  });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function images(...args: readonly string[]) {
  const { code, stdout, stderr } = await dechirp([...args, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout).images as { folder: string; files: string[]; report: BackprojectReport }[];
}

async function sicdAt(path: string) {
  const file = await openFile(path);
  return { file, sicd: await openSicd(file, { file: path }) };
}

/** The largest magnitude within two pixels of a place in complex or real pixels. */
function largestNear(data: ArrayLike<number>, components: 1 | 2, columns: number, row: number, column: number): number {
  let most = 0;
  for (let r = Math.round(row) - 2; r <= row + 2; r++)
    for (let c = Math.round(column) - 2; c <= column + 2; c++) {
      const at = components * (r * columns + c);
      const magnitude = components === 1 ? data[at] : Math.hypot(data[at], data[at + 1]);
      // A map has NaN where the image shows nothing.
      if (magnitude > most) most = magnitude;
    }
  return most;
}

describe("backproject --format", () => {
  it("writes .npy, SICD and GeoTIFF of the same image at once, with its place on earth", async () => {
    const out = await temporaryFolder();
    const [{ report, files }] = await images("backproject", join(dir, "one.cphd"), "--out", out, "--format", "cog,sicd,npy");
    expect(files).toEqual(["image.npy", "image.nitf", "image.tif", "quicklook.png", "report.json"]);
    expect((await readdir(out)).sort()).toEqual([...files].sort());
    expect(report.collection).toMatchObject({ collector: "AIRCRAFT", name: "POINTS", polarisation: { transmit: "V", receive: "V" } });
    expect(report.placement).toMatchObject({ kind: "plane", plane: "ground" });
    const [rows, columns] = report.image.shape;
    const path = join(out, "image.npy");
    const npy = (await readNpy(new Uint8Array(await readFile(path)), { file: path })).data as Float32Array;
    const { file, sicd } = await sicdAt(join(out, "image.nitf"));
    const [height, width] = sicd.layout.shape;
    const stored = await sicd.read({ row: 0, column: 0, rows: height, columns: width });
    const tiff = await readGeoTiff(await readFile(join(out, "image.tif")));
    expect(tiff).toMatchObject({ rows, columns });
    for (const { positionMeters, amplitude } of targets) {
      const pixel = groundToSicd(sicd.metadata, frame.toEcef(positionMeters as unknown as Vector3));
      const inSicd = largestNear(stored, 2, width, pixel.row, pixel.column);
      const { xMeters: x, yMeters: y } = report.axes;
      const [row, column] = [(positionMeters[1] - y.start) / y.step, (positionMeters[0] - x.start) / x.step];
      const inNpy = largestNear(npy, 2, columns, row, column);
      // The pixels of all files are those of one image, and the target is in the pixel where it should be, but for its fraction.
      expect(inSicd / inNpy).toBeCloseTo(1, 5);
      expect(largestNear(tiff.data, 1, columns, row, column) / inNpy).toBeCloseTo(1, 5);
      expect(inNpy / (pulses * amplitude)).toBeGreaterThan(0.6);
    }
    await file.close();
  });

  it("makes an image of each channel of a file, or of one", async () => {
    const out = await temporaryFolder();
    const both = await images("backproject", join(dir, "two.cphd"), "--out", out);
    expect((await readdir(out)).sort()).toEqual(["first-VV", "second-VV"]);
    expect(both.map(({ folder }) => folder)).toEqual([join(out, "first-VV"), join(out, "second-VV")]);
    expect(both[1].report.peak.magnitude / both[0].report.peak.magnitude).toBeCloseTo(3, 4);
    const alone = await temporaryFolder();
    const [one] = await images("backproject", join(dir, "two.cphd"), "--channel", "second/VV", "--out", alone);
    expect((await readdir(alone)).sort()).toEqual(["image.npy", "quicklook.png", "report.json"]);
    expect(one.report.peak.magnitude).toBe(both[1].report.peak.magnitude);
    const none = await dechirp(["backproject", join(dir, "two.cphd"), "--channel", "third", "--out", alone]);
    expect(none).toMatchObject({ code: 2, stderr: 'dechirp: --channel must be one of first/VV, second/VV, not "third"\n' });
    const { stdout } = await dechirp(["backproject", join(dir, "two.cphd"), "--dry-run", "--json"]);
    expect(JSON.parse(stdout).plans).toHaveLength(2);
  });

  it("makes a part of a map, in metres of a UTM zone and in degrees, and a map of a plane", async () => {
    const places = targets.map(({ positionMeters }) => ecefToGeodetic(frame.toEcef(positionMeters as unknown as Vector3)));
    const epsg = utmEpsg(places[0]);
    const { eastingMeters: x, northingMeters: y } = geodeticToUtm(places[0]);
    const [west, south] = [Math.round(x) - 30, Math.round(y) - 20];
    const file = join(dir, "one.cphd");
    const out = await temporaryFolder();
    const utm = ["--epsg", `${epsg}`, "--map", `${west},${south},${west + 50},${south + 50},0.25`];
    const [{ report }] = await images(
      "backproject",
      file,
      "--out",
      join(out, "utm"),
      ...utm,
      "--format",
      "cog,sicd",
      "--pixels",
      "complex",
    );
    expect(report.parameters.grid).toEqual({ value: `EPSG:${epsg} ${west},${south},${west + 50},${south + 50},0.25`, source: "option" });
    expect(report.parameters.heightMeters.value).toBeCloseTo(600, 6);
    const complex = await readGeoTiff(await readFile(join(out, "utm", "image.tif")));
    expect(complex).toMatchObject({ rows: 200, columns: 200, components: 2, epsg });
    const degrees = ["--map", "11.3497,47.5998,11.3503,47.6002,0.000002"];
    await images("backproject", file, "--out", join(out, "degrees"), ...degrees, "--format", "cog");
    const geographic = await readGeoTiff(await readFile(join(out, "degrees", "image.tif")));
    expect(geographic).toMatchObject({ epsg: 4326, components: 1 });
    await images("backproject", file, "--out", join(out, "map"), "--epsg", `${epsg}`, "--format", "cog", "--map-step", "0.25");
    const map = await readGeoTiff(await readFile(join(out, "map", "image.tif")));
    expect(map.epsg).toBe(epsg);
    expect((await readdir(join(out, "map"))).sort()).toEqual(["image.tif", "quicklook.png", "report.json"]);
    for (const [i, place] of places.entries()) {
      const { eastingMeters, northingMeters } = geodeticToUtm(place);
      for (const [tiff, mapX, mapY] of [
        [complex, eastingMeters, northingMeters],
        [map, eastingMeters, northingMeters],
        [geographic, place.longitudeDegrees, place.latitudeDegrees],
      ] as const) {
        const [row, column] = [(mapY - tiff.origin[1]) / tiff.step[1], (mapX - tiff.origin[0]) / tiff.step[0]];
        const found = largestNear(tiff.data, tiff.components, tiff.columns, row, column);
        expect(found / (pulses * targets[i].amplitude)).toBeGreaterThan(0.8);
        expect(found / (pulses * targets[i].amplitude)).toBeLessThan(1.02);
      }
    }
    const { file: open, sicd } = await sicdAt(join(out, "utm", "image.nitf"));
    const pixel = groundToSicd(sicd.metadata, frame.toEcef(targets[0].positionMeters as unknown as Vector3));
    expect(pixel.row).toBeGreaterThan(5);
    expect(pixel.row).toBeLessThan(195);
    await open.close();
  });

  it("goes on after Ctrl-C with several formats", async () => {
    const file = join(dir, "one.cphd");
    const args = ["backproject", file, "--grid=-18,-18,0.06,0.06,600,600", "--tile", "16", "--format", "npy,cog,sicd"];
    const out = await temporaryFolder();
    await images(...args, "--out", join(out, "calm"));
    const { stderr } = await dechirp([...args, "--dry-run", "--memory", "1KiB"]);
    const memory = ["--memory", `${/\d+/.exec(stderr)?.[0]}B`];
    const stop = new AbortController();
    const watched = setInterval(() => {
      readdir(join(out, "cut")).then(
        (names) => names.some((name) => name.startsWith(".image.tif") && existsSync(join(out, "cut", name, "journal"))) && stop.abort(),
        () => {},
      );
    }, 2);
    const cut = await dechirp([...args, ...memory, "--out", join(out, "cut")], { signal: stop.signal });
    clearInterval(watched);
    expect(cut.code).toBe(130);
    expect((await readdir(join(out, "cut"))).every((name) => name.endsWith(".partial"))).toBe(true);
    await images(...args, ...memory, "--out", join(out, "cut"), "--resume");
    for (const name of ["image.npy", "quicklook.png"])
      expect((await readFile(join(out, "calm", name))).equals(await readFile(join(out, "cut", name))), name).toBe(true);
    expect((await readdir(join(out, "cut"))).sort()).toEqual(["image.nitf", "image.npy", "image.tif", "quicklook.png", "report.json"]);
    const pixels = async (run: string) => (await readGeoTiff(await readFile(join(out, run, "image.tif")))).data;
    expect(await pixels("cut")).toEqual(await pixels("calm"));
  });

  it.each([
    [["--format", "tiff"], "--format must be one of npy, zarr, sicd, cog, png, or several with commas between them"],
    [["--pixels", "gray"], "--pixels must be left out unless --format has cog"],
    [["--epsg", "32632"], "--epsg must be left out unless --format has cog"],
    [["--format", "cog", "--epsg", "3857"], "--epsg must be 4326, or the code of a UTM zone on WGS 84"],
    [["--format", "cog", "--map-step", "0"], "--map-step must be a positive number"],
    [["--format", "cog", "--map-step", "0.000001"], "--map-step must be so large that the map has at most"],
    [["--format", "cog", "--control-points", "--epsg", "4326"], "--epsg must be left out with --control-points"],
    [["--format", "cog", "--pixels", "complex", "--epsg", "32632"], "--pixels must be amplitude, decibel or gray"],
    [["--map", "1,2,3,4"], "--map must be five numbers west,south,east,north,step"],
    [["--map", "11,47,12,48,1", "--grid=0,0,1,1,2,2"], "--map must be left out with --grid"],
    [["--map", "12,47,11,48,1"], "bounds.east must be more than 12"],
    [["--format", "sicd", "--grid=-18,-18,3,3,10,10"], "--format sicd does not suit the image: metadata.placement."],
    [["--format", "sicd", "--grid=0,0,0.5,0.5,1,5"], "--format sicd does not suit the image: layout.shape must be at least two rows"],
    [["--format", "npy,zarr,sicd", "--grid=-18,-18,3,3,10,10"], "--format sicd does not suit the image: metadata.placement."],
  ])("refuses %j", async (args, message) => {
    const out = join(await temporaryFolder(), "out");
    const { code, stderr } = await dechirp(["backproject", join(dir, "one.cphd"), "--out", out, ...args]);
    expect(stderr).toContain(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(code).toBe(2);
    expect(existsSync(out) ? await readdir(out) : []).toEqual([]);
  });
});

describe("focus --format", () => {
  /** State vectors of an aircraft that flies straight over the earth, in a frame of its own. */
  const sky = createLocalFrame({ latitudeDegrees: 47.1, longitudeDegrees: 8.6, heightMeters: 1800 });
  const heading = [0.6, 0.8, 0] as const;
  let simulating: Promise<SceneData> | undefined;
  async function placedScene(folder: string, facts: object): Promise<readonly { azimuthSeconds: number; slantRangeMeters: number }[]> {
    simulating ??= simulatedScene("placed", { ...scenePresets.default, lines: 700 }, { type: "ci16" });
    const scene = await simulating;
    const { velocityMetersPerSecond: v = 100 } = scene.radar;
    const timesSeconds = [-9, -3, 0, 3, 9, 15];
    const orbit = {
      timesSeconds,
      positionsMeters: timesSeconds.map((t) => [...sky.toEcef([heading[0] * v * t, heading[1] * v * t, 0])]),
      lookSide: "right" as const,
      groundHeightMeters: 420,
    };
    await writeSceneFolder(folder, { ...scene, radar: { ...scene.radar, orbit }, ...facts });
    return scene.targets;
  }
  const facts = { startUtc: "2026-05-02T05:06:07.25Z", collection: { collector: "AIRCRAFT", name: "STRIP" } };

  it("makes a SICD file and a map of an image in slant range", async () => {
    const folder = await temporaryFolder();
    const [scene, out] = [join(folder, "scene"), join(folder, "out")];
    const known = await placedScene(scene, facts);
    const [{ report, files }] = (await images("focus", scene, "--out", out, "--format", "sicd,cog,zarr")) as unknown as {
      report: {
        placement: Parameters<typeof createImageGeometry>[0];
        image: { shape: [number, number] };
        notes: string[];
        targets: object[];
      };
      files: string[];
    }[];
    expect(files).toEqual(["image.zarr", "image.nitf", "image.tif", "quicklook.png", "report.json"]);
    expect((await readdir(out)).sort()).toEqual([...files].sort());
    expect(report.notes.join(" ")).toContain("geocoded to the ellipsoid at a height of 420 m");
    expect(report.placement.kind).toBe("slant");
    const { file, sicd } = await sicdAt(join(out, "image.nitf"));
    const tiff = await readGeoTiff(await readFile(join(out, "image.tif")));
    expect(sicd.metadata.image).toMatchObject({ rows: report.image.shape[1], columns: report.image.shape[0] });
    let shown = 0;
    for (const { azimuthSeconds, slantRangeMeters } of known) {
      const ground = groundOf(azimuthSeconds, slantRangeMeters);
      const pixel = groundToSicd(sicd.metadata, ground);
      const [[row, column]] = [createImageGeometry(report.placement, report.image.shape[0]).toPixel(ground) ?? [Number.NaN, Number.NaN]];
      expect(Math.abs(pixel.row - column)).toBeLessThan(0.02);
      const at = Math.min(Math.abs(pixel.column - row), Math.abs(report.image.shape[0] - 1 - pixel.column - row));
      expect(at).toBeLessThan(0.02);
      if (row < 5 || column < 5 || row > report.image.shape[0] - 6 || column > report.image.shape[1] - 6) continue;
      shown += 1;
      const { eastingMeters, northingMeters } = geodeticToUtm(ecefToGeodetic(ground));
      const [mapRow, mapColumn] = [(northingMeters - tiff.origin[1]) / tiff.step[1], (eastingMeters - tiff.origin[0]) / tiff.step[0]];
      const near = largestNear(tiff.data, 1, tiff.columns, mapRow, mapColumn);
      const median = Float32Array.from(tiff.data).filter(Number.isFinite).sort();
      expect(near).toBeGreaterThan(20 * median[median.length >> 1]);
    }
    expect(shown).toBeGreaterThan(1);
    await file.close();
  });

  /** The place at zero Doppler and a slant range to the right of the aircraft, 420 m above the ellipsoid. */
  function groundOf(seconds: number, range: number): Vector3 {
    const speed = scenePresets.default.radar.velocityMetersPerSecond;
    const from = [heading[0] * speed * seconds, heading[1] * speed * seconds, 0] as const;
    const right = [heading[1], -heading[0], 0] as const;
    let down = 1800 - 420;
    for (let step = 0; step < 20; step++) {
      const across = Math.sqrt(range ** 2 - down ** 2);
      const place = sky.toEcef([from[0] + across * right[0], from[1] + across * right[1], -down]);
      down += ecefToGeodetic(place).heightMeters - 420;
    }
    const across = Math.sqrt(range ** 2 - down ** 2);
    return sky.toEcef([from[0] + across * right[0], from[1] + across * right[1], -down]);
  }

  it("stores control points, and says what a recording must say", async () => {
    const folder = await temporaryFolder();
    const scene = join(folder, "scene");
    await placedScene(scene, {});
    const out = join(folder, "points");
    await images("focus", scene, "--out", out, "--format", "cog", "--control-points", "--pixels", "complex", "--height", "100");
    const tiff = await readGeoTiff(await readFile(join(out, "image.tif")));
    expect(tiff).toMatchObject({ components: 2, controlPoints: 81 });
    const refused = async (...more: readonly string[]) => {
      const { code, stderr } = await dechirp(["focus", scene, "--out", join(folder, "no"), ...more]);
      expect(code).toBe(2);
      expect(existsSync(join(folder, "no"))).toBe(false);
      return stderr;
    };
    expect(await refused("--format", "sicd")).toMatch(
      /^dechirp: --format sicd: the recording does not say the time in UTC from which its times count \(startUtc\)\n$/,
    );
    expect(await refused("--format", "cog", "--pixels", "complex")).toContain("phases mean nothing on a map");
    expect(await refused("--height", "3")).toContain("--height must be left out unless --format has cog");
  });
});
