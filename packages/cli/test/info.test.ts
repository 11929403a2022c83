/** `dechirp info`: every kind of thing, as text, JSON and GeoJSON; a place against independent geometry; files of any size; refusals. */
import { mkdir, open, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { npyHeader } from "@dechirp/io";
import { placeOf } from "@dechirp/io/formats";
import { describePlace, type InfoThing } from "@dechirp/io/info";
import { createLocalFrame } from "@dechirp/radar/geodesy";
import { createImageGeometry } from "@dechirp/sar/geocoding";
import { describe, expect, it } from "vitest";
import { dechirp, temporaryFolder } from "./command.ts";
import { fileSamples } from "./file-samples.ts";

/** All files in a folder and its subfolders, by their paths in it. */
async function filesIn(folder: string): Promise<Readonly<Record<string, Uint8Array>>> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  const named = paths.map(async (path) => [relative(folder, path).replaceAll("\\", "/"), await readFile(path)] as const);
  return Object.fromEntries(await Promise.all(named));
}

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

    // The same of a file of a page, or of a folder of files in memory.
    const isFile = (await stat(path)).isFile();
    const place = isFile
      ? placeOf({ [name]: new Blob([await readFile(path)]) }, { file: name })
      : placeOf(await filesIn(path), { path: name });
    const said = JSON.parse(JSON.stringify(thing).replaceAll(path, name));
    expect(await describePlace(place, { geometry: createImageGeometry })).toEqual(said);
    const without = await describePlace(place);
    if (!isPlaced || without.place) expect(without).toEqual(said);
    else expect(without.notes).toContain("it states where on earth it is, but its place was not computed");
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
});
