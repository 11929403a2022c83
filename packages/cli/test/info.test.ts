/** `dechirp info`: every kind of thing, as text, JSON and GeoJSON; places against independent geometry; files of any size; refusals. */
import { mkdir, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { npyHeader } from "@dechirp/io";
import { createLocalFrame } from "@dechirp/radar/geodesy";
import { describe, expect, it } from "vitest";
import { featuresOf } from "../src/info/geojson.ts";
import { viewOf } from "../src/info/geometry.ts";
import type { InfoPosition, InfoThing } from "../src/info/report.ts";
import { infoRows } from "../src/info/table.ts";
import { dechirp, temporaryFolder } from "./command.ts";
import { fileSamples } from "./file-samples.ts";

const pathOf = async (name: string): Promise<string> => join(await temporaryFolder(), name);

describe("dechirp info", () => {
  it.each(fileSamples)("says what $name is", async ({ name, make, expected, isPlaced = false }) => {
    const path = await pathOf(name);
    await make(path);
    const { code, stdout, stderr } = await dechirp(["info", path, "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ format: "dechirp-info", version: 1, files: [{ file: path, ...expected }] });
    const [thing] = report.files as InfoThing[];
    expect(thing.place !== undefined).toBe(isPlaced);
    expect(thing.bytes).toBeGreaterThan(0);

    const text = await dechirp(["info", path]);
    expect(text).toMatchObject({ code: 0, stderr: "" });
    expect(text.stdout.startsWith(`${path}: ${thing.format.title}`)).toBe(true);
    for (const command of thing.commands) expect(text.stdout).toContain(command);

    const geojson = await dechirp(["info", path, "--geojson"]);
    expect(geojson.code).toBe(isPlaced ? 0 : 3);
    if (isPlaced)
      expect(JSON.parse(geojson.stdout)).toMatchObject({ type: "FeatureCollection", features: [{ geometry: { type: "Polygon" } }] });
    else expect(geojson.stderr).toMatch(/^dechirp: .*: its place on earth is not known: \w/);
  });

  it("says the same of a CPHD file as its collection has", async () => {
    const folder = await temporaryFolder();
    await dechirp(["simulate", "--preset", "spotlight", "--out", folder]);
    const { stdout } = await dechirp(["info", join(folder, "spotlight.cphd"), "--json"]);
    const [{ place, radar, shape, commands }] = JSON.parse(stdout).files as InfoThing[];
    expect(shape).toEqual([400, 512]);
    expect(radar?.prfHz).toBeCloseTo(150, 6);
    expect(radar).toMatchObject({ collector: "DECHIRP-SIMULATOR", polarisation: "VV", pulses: 400, startUtc: "2026-05-04T14:30:00Z" });
    // The aircraft is 7000 m west of the scene and 7000 m above it, and flies north.
    const frame = createLocalFrame({ latitudeDegrees: -20.1338, longitudeDegrees: -67.4891, heightMeters: 3700 });
    expect(place?.centre.latitudeDegrees).toBeCloseTo(-20.1338, 9);
    expect(place?.view?.lookSide).toBe("right");
    expect(place?.view?.incidenceDegrees).toBeCloseTo(45, 3);
    expect(place?.view?.slantRangeMeters).toBeCloseTo(7000 * Math.SQRT2, 1);
    expect(place?.view?.azimuthDegrees).toBeCloseTo(270, 1);
    expect(Math.sin(((place?.view?.headingDegrees ?? 90) * Math.PI) / 180)).toBeCloseTo(0, 2);
    for (const { latitudeDegrees, longitudeDegrees } of place?.corners ?? []) {
      const [x, y] = frame.toLocal(createLocalFrame({ latitudeDegrees, longitudeDegrees, heightMeters: 3700 }).originMeters);
      expect(Math.abs(x)).toBeCloseTo(60, 2);
      expect(Math.abs(y)).toBeCloseTo(60, 2);
    }
    expect(commands[0]).toMatch(/^dechirp backproject /);
  });

  it("answers for files of 8 GB, of which only headers are there to read", async () => {
    const path = await pathOf("large.npy");
    const header = npyHeader({ dtype: "c64", shape: [32_768, 32_768] });
    const handle = await open(path, "w");
    await handle.write(header);
    await handle.truncate(header.length + 8 * 2 ** 30);
    await handle.close();
    const { stdout } = await dechirp(["info", path, "--json"]);
    expect(JSON.parse(stdout).files[0]).toMatchObject({ shape: [32_768, 32_768], bytes: header.length + 8 * 2 ** 30 });
  });

  it("quotes paths in commands, and prints no control characters", async () => {
    const folder = join(await temporaryFolder(), "it's a\u001b[2J folder");
    await mkdir(folder);
    const path = join(folder, "a.npy");
    await writeFile(path, npyHeader({ dtype: "c64", shape: [1, 1, 1] }));
    await writeFile(path, new Uint8Array(8), { flag: "a" });
    const { stdout } = await dechirp(["info", path]);
    expect(stdout).toContain("it'\\''s a");
    expect(stdout).not.toContain("\u001b");
  });

  it("refuses what it does not know in one line", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "empty"));
    await mkdir(join(folder, "photos"));
    await writeFile(join(folder, "photos", "notes.txt"), "");
    await writeFile(join(folder, "notes.txt"), "nothing that is known");
    await writeFile(join(folder, "none"), "");
    await writeFile(join(folder, "bytes"), Uint8Array.of(1, 2, 0xff, 0, 9));
    const cases: readonly (readonly [string, RegExp])[] = [
      ["empty", /in a format that dechirp knows, not an empty folder$/],
      ["photos", /, not a folder with notes.txt$/],
      ["notes.txt", /, not a file that begins with "nothing that is"$/],
      ["none", /, not an empty file$/],
      ["bytes", /, not a file that begins with the bytes 01 02 ff 00 09$/],
      ["absent", /absent: there is no such file or folder$/],
    ];
    for (const [name, message] of cases) {
      const { code, stdout, stderr } = await dechirp(["info", join(folder, name)]);
      expect({ name, code, stdout }).toEqual({ name, code: 3, stdout: "" });
      expect(stderr.trimEnd()).toMatch(message);
    }
    expect(await dechirp(["info"])).toMatchObject({ code: 2 });
    expect(await dechirp(["info", ""])).toMatchObject({ code: 2, stderr: 'dechirp: FILE must be a file or a folder, not ""\n' });
    expect((await dechirp(["info", "x", "--json", "--geojson"])).stderr).toMatch(/--geojson can't be given with --json/);
  });

  it("has rows of different names", () => {
    expect(new Set(infoRows.map(({ name }) => name)).size).toBe(infoRows.length);
  });
});

describe("GeoJSON of footprints", () => {
  const thing = (corners: readonly (readonly [longitude: number, latitude: number])[] | undefined): InfoThing => {
    const positions = corners?.map(([longitudeDegrees, latitudeDegrees]): InfoPosition => ({ latitudeDegrees, longitudeDegrees }));
    const centre = { latitudeDegrees: 1, longitudeDegrees: 2, heightMeters: 3 };
    return {
      file: "a.cphd",
      format: { name: "cphd", title: "CPHD file" },
      isRead: true,
      kind: "phase-history",
      bytes: 1,
      commands: [],
      notes: [],
      place: { centre, ...(positions && { corners: positions }) },
    };
  };
  const geometryOf = (corners: Parameters<typeof thing>[0]) => featuresOf([thing(corners)]).features[0].geometry;
  /** Twice the area of a closed ring, positive if it is counter-clockwise. */
  const area = (ring: readonly (readonly number[])[]): number =>
    ring.slice(1).reduce((sum, [x, y], i) => sum + ring[i][0] * y - x * ring[i][1], 0);

  it("are counter-clockwise and closed, whatever the order of the corners", () => {
    const corners = [
      [8, 47],
      [9, 47],
      [9, 48],
      [8, 48],
    ] as const;
    for (const order of [corners, [...corners].reverse()]) {
      const geometry = geometryOf(order);
      if (geometry.type !== "Polygon") throw new Error(geometry.type);
      const [ring] = geometry.coordinates;
      expect(ring).toHaveLength(5);
      expect(ring[0]).toEqual(ring[4]);
      expect(area(ring)).toBeCloseTo(2, 9);
    }
  });

  it("are cut at the antimeridian", () => {
    const geometry = geometryOf([
      [179, 10],
      [-178, 10],
      [-178, 12],
      [179, 12],
    ]);
    if (geometry.type !== "MultiPolygon") throw new Error(geometry.type);
    const rings = geometry.coordinates.map(([ring]) => ring);
    const spans = rings.map((ring) => [Math.min(...ring.map(([x]) => x)), Math.max(...ring.map(([x]) => x))]).sort((a, b) => a[0] - b[0]);
    expect(spans).toEqual([
      [-180, -178],
      [179, 180],
    ]);
    expect(rings.map(area).sort((a, b) => a - b)).toEqual([2 * 2 * 1, 2 * 2 * 2]);
  });

  it("are points where only the middle is known, and refused with a pole inside", () => {
    expect(geometryOf(undefined)).toEqual({ type: "Point", coordinates: [2, 1, 3] });
    expect(() =>
      geometryOf([
        [0, 89],
        [90, 89],
        [180, 89],
        [-90, 89],
      ]),
    ).toThrow(/a.cphd: its footprint has a pole of the earth in it/);
  });
});

describe("how a radar sees a scene", () => {
  it.each([
    ["east of it, flying north", [5000, 0, 5000], [0, 100, 0], "left", 90, 0],
    ["west of it, flying north", [-5000, 0, 5000], [0, 100, 0], "right", 270, 0],
    ["north of it, flying west", [0, 5000, 5000], [-100, 0, 0], "left", 0, 270],
    ["south of it, flying west", [0, -5000, 5000], [-100, 0, 0], "right", 180, 270],
  ] as const)("%s", (_, place, velocity, lookSide, azimuth, heading) => {
    const frame = createLocalFrame({ latitudeDegrees: 10, longitudeDegrees: 20, heightMeters: 100 });
    const view = viewOf(frame.toEcef(place), frame.directionToEcef(velocity), frame.originMeters);
    expect(view).toMatchObject({ lookSide });
    const apart = (a: number, b: number): number => Math.abs(((((a - b) % 360) + 540) % 360) - 180);
    expect(apart(view?.azimuthDegrees ?? Number.NaN, azimuth)).toBeLessThan(1e-6);
    expect(apart(view?.headingDegrees ?? Number.NaN, heading)).toBeLessThan(0.02);
    expect(view?.incidenceDegrees).toBeCloseTo(45, 9);
    expect(view?.slantRangeMeters).toBeCloseTo(5000 * Math.SQRT2, 6);
  });
});
