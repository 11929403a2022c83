/** Scene folders, RADARSAT-1 extractions built by hand, and writing folders, in a temporary folder. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRadarError } from "@dechirp/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { detectFormat } from "../src/formats.ts";
import { npyHeader, type SceneData, sceneData, sensorPresets } from "../src/index.ts";
import { cleanupTemporaries, placeAt, readBytes, readScene, writeFolderAtomically, writeSceneFolder } from "../src/node.ts";
import { Mat5 } from "./mat-builder.ts";
import { noiseRadar, plain, recorded, samplesOf } from "./scene-support.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "dechirp-io-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function refused(promise: Promise<unknown>, message: RegExp, code: "input" | "aborted" = "input"): Promise<Record<string, unknown>> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isRadarError(error, code)) throw new Error(`not refused as ${code}: ${error}`);
  expect(error.message).toMatch(message);
  return error.fields as Record<string, unknown>;
}

const scene = (): SceneData => ({
  name: "five points",
  radar: { ...noiseRadar, dopplerCentroidHz: -320, startSeconds: -0.5 },
  raw: { layout: { dtype: "ci16", shape: [2, 3] }, data: Int16Array.of(1, -2, 300, -400, 5, 6, 7, 8, 9, 10, 11, -32768) },
  processedBandwidthHz: 480,
  lineGain: Float32Array.of(1.5, 0.1),
  targets: [{ name: "a", azimuthSeconds: 0.25, slantRangeMeters: 30_000, amplitude: 1, phaseRadians: -1 }],
  notes: ["made for a test"],
});

describe("scene folders", () => {
  it("restore a scene of each element type", async () => {
    const full = scene();
    const bare: SceneData = {
      name: "",
      radar: full.radar,
      raw: { layout: { dtype: "ci8", shape: [1, 2] }, data: Int8Array.of(1, -2, 3, -4) },
      targets: [],
      notes: [],
    };
    const { dopplerCentroidHz: _, startSeconds: __, ...radar } = full.radar;
    const float: SceneData = {
      ...bare,
      radar,
      raw: { layout: { dtype: "c64", shape: [2, 1] }, data: Float32Array.of(0.5, -1, 2, 3) },
      preset: "radarsat-1-fine",
    };
    for (const [i, value] of [full, bare, float].entries()) {
      const path = join(dir, "nested", `scene${i}`);
      await writeSceneFolder(path, value);
      expect((await readdir(path)).sort()).toEqual(["raw.npy", "scene.json"]);
      expect(await plain(await readScene(path))).toEqual(await recorded(value));
      expect(await plain(await readScene(path))).toEqual(await recorded(value));
    }
    const text = JSON.parse(await readFile(join(dir, "nested", "scene0", "scene.json"), "utf8"));
    expect(text).toMatchObject({ format: "dechirp-scene", version: 1, raw: "raw.npy" });
  });

  it("refuse a description that is wrong anywhere, naming file and field", async () => {
    await writeSceneFolder(dir, scene());
    const file = join(dir, "scene.json");
    const good = JSON.parse(await readFile(file, "utf8"));
    const bad = async (change: (json: typeof good) => unknown, field: RegExp): Promise<void> => {
      const json = structuredClone(good);
      const replaced = change(json);
      await writeFile(file, typeof replaced === "string" ? replaced : JSON.stringify(replaced ?? json));
      const fields = await refused(readScene(dir), field);
      expect(fields.file).toMatch(/scene\.json$|raw\.npy$/);
    };
    const set =
      (path: string, value: unknown) =>
      (json: typeof good): undefined => {
        const keys = path.split(".");
        const last = keys.pop() as string;
        keys.reduce((at, key) => at[key], json)[last] = value;
      };
    await bad(() => "{ not json", /scene\.json: not JSON/);
    await bad(() => [], /the document|format/);
    await bad(() => "null", /the document/);
    await bad(set("format", "other"), /format must be "dechirp-scene", not "other"/);
    await bad(set("version", 2), /version must be 1, the only version known here, not 2/);
    await bad(set("version", "1"), /version/);
    await bad(set("name", 5), /name must be text, not 5/);
    await bad(set("radar.prfHz", undefined), /radar\.prfHz must be present, not absent/);
    await bad(set("radar.prfHz", -1), /radar\.prfHz must be a positive number, not -1/);
    await bad(set("radar.prfHz", "600"), /radar\.prfHz must be a number, not "600"/);
    await bad(set("radar.chirpRateHzPerSecond", 0), /radar\.chirpRateHzPerSecond must be different from zero/);
    await bad(set("radar.prf", 600), /radar\.prf: did you mean prfHz\? There is no such field/);
    await bad(set("radar", 7), /radar must be an object, not 7/);
    await bad(
      () => JSON.stringify(good).replace('"carrierHz":5300000000', '"carrierHz":1e999'),
      /radar\.carrierHz must be a finite number, not Infinity/,
    );
    await bad(set("processedBandwidthHz", 0), /processedBandwidthHz must be a positive number, not 0/);
    await bad(set("processedBandwidthHz", 601), /processedBandwidthHz must be at most the PRF of 600 Hz, not 601/);
    await bad(set("targets", {}), /targets must be a list/);
    await bad(set("targets.0.amplitude", null), /targets\[0\]\.amplitude must be a number, not null/);
    await bad(set("lineGain", [1]), /lineGain must be 2 gains/);
    await bad(set("lineGain", [1, 0]), /lineGain\[1\] must be a positive number/);
    await bad(set("lineGain", [1, 1e-300]), /lineGain\[1\] must be a positive number/);
    await bad(set("preset", "toString"), /preset must be one of radarsat-1-fine/);
    await bad(set("notes", [1]), /notes\[0\] must be text/);
    for (const raw of ["../raw.npy", "/etc/raw.npy", "a/raw.npy", "a\\raw.npy", "C:raw.npy", "..npy", ".npy", "", "raw\u0000.npy"]) {
      await bad(set("raw", raw), /raw must be a plain file name in the scene's folder/);
    }
    await bad(set("raw", "raw.txt"), /raw must be the name of a \.npy file/);
    await writeFile(file, JSON.stringify({ ...good, raw: "other.npy" }));
    await refused(readScene(dir), /other\.npy: can't read it: there is no such file/);
  });

  it("refuse raw data of another shape, type or size", async () => {
    await writeSceneFolder(dir, scene());
    const raw = join(dir, "raw.npy");
    const npy = (dtype: "f32" | "ci16" | "c64" | "i8", shape: number[], data: ArrayBufferView): Uint8Array =>
      Buffer.concat([npyHeader({ dtype, shape }), new Uint8Array(data.buffer)]);
    await writeFile(raw, npy("f32", [2, 3], new Float32Array(6)));
    await refused(readScene(dir), /raw\.npy: the array must be complex64 or complex128 .*not f32\[2, 3\]/);
    await writeFile(raw, npy("i8", [2, 3], new Int8Array(6)));
    await refused(readScene(dir), /raw\.npy: the array must be/);
    await writeFile(raw, npy("ci16", [2, 3, 1], new Int16Array(12)));
    await refused(readScene(dir), /raw\.npy: the array must be/);
    await writeFile(raw, npy("c64", [3, 2], new Float32Array(12)));
    await refused(readScene(dir), /scene\.json: lineGain must be 3 gains/);
    await writeFile(raw, npy("c64", [2, 3], Float32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, Number.NaN, 0, 0)));
    await refused(readScene(dir).then(samplesOf), /raw\.npy: raw\[1\]\[1\] must be finite, not NaN/);
    await writeFile(raw, npy("ci16", [2, 3], new Int16Array(11)));
    await refused(readScene(dir), /raw\.npy: at byte 128: expected 24 bytes of data/);
    await refused(readScene(dir, { maxBytes: 1000 }), /scene\.json|raw\.npy/);
  });

  it("refuse to write a scene that could not be read back", async () => {
    const good = scene();
    const path = join(dir, "out");
    await refused(writeSceneFolder(path, { ...good, radar: { ...good.radar, prfHz: Number.NaN } }), /radar\.prfHz/);
    await refused(writeSceneFolder(path, { ...good, processedBandwidthHz: 601 }), /processedBandwidthHz must be at most the PRF/);
    await refused(writeSceneFolder(path, { ...good, lineGain: Float32Array.of(1) }), /lineGain/);
    await refused(writeSceneFolder(path, { ...good, raw: { ...good.raw, data: new Int16Array(3) } }), /raw must be 12 numbers of ci16/);
    expect(await readdir(dir)).toEqual([]);
  });
});

describe("readScene", () => {
  it("says what is there if there is no scene", async () => {
    await refused(readScene(join(dir, "absent")), /absent: can't read it: there is no such file or folder/);
    await refused(readScene(dir), /not an empty folder/);
    await writeFile(join(dir, "x.txt"), "x");
    await refused(readScene(dir), /must be a folder with scene\.json, or with CD_run_params\.mat .* not a folder with x\.txt/);
    await refused(
      readScene(join(dir, "x.txt")),
      /x\.txt: must be a folder with scene\.json, or with CD_run_params\.mat and CDdata1\.mat, not a file/,
    );
  });

  it("does not wait on paths that are not regular files", async () => {
    await symlink("/dev/zero", join(dir, "scene.json"));
    await refused(readScene(dir), /scene\.json: must be a regular file/);
    await refused(readBytes(join(dir, "scene.json")), /regular file/);
    await writeFile(join(dir, "y"), "12345");
    await refused(readBytes(join(dir, "y"), { maxBytes: 4 }), /y: must be at most 4 bytes long, not 5/);
    await refused(readBytes(join(dir, "y"), { signal: AbortSignal.abort() }), /aborted/, "aborted");
    expect(await readBytes(join(dir, "y"))).toEqual(Uint8Array.of(49, 50, 51, 52, 53));
  });
});

describe("RADARSAT-1 CD extractions", () => {
  const m = new Mat5("little");
  const params: Record<string, number> = {
    ...{ f0: 5.3e9, Fr: 32.317e6, PRF: 1256.98, Kr: 0.72135e12, Tr: 41.75e-6, R0: 988647.462, c: 2.9979e8 },
    ...{ first_rg_cell: 3, first_rg_line: 2, Nrg_cells: 3, Nrg_lines: 4, Nblocks: 2 },
  };
  const paramsFile = (changes: Record<string, number | undefined> = {}): Uint8Array =>
    m.file(
      ...Object.entries({ ...params, ...changes }).flatMap(([name, value]) =>
        value === undefined ? [] : [m.real(name, 6, [1, 1], { kind: "f64", values: [value] })],
      ),
    );
  /** z[line][cell] = (10·line + cell) − j(10·line + cell + 0.. ) of `lines` lines from `first`, column-major. */
  const block = (first: number, lines: number, scale = 1): Uint8Array => {
    const re: number[] = [];
    for (let cell = 0; cell < 3; cell++) for (let line = first; line < first + lines; line++) re.push(scale * (10 * line + cell));
    return m.file(m.compressed(m.complex("data", 6, [lines, 3], { kind: "f64", values: re }, { kind: "f64", values: re.map((x) => -x) })));
  };
  const agc = m.file(m.real("nom_attenuation", 6, [6, 1], { kind: "u8", values: [1, 20, 6, 0, 40, 99] }));
  const write = async (folder: string, files: Record<string, Uint8Array>): Promise<void> => {
    await mkdir(folder, { recursive: true });
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  };

  it("join blocks along azimuth, apply range and gains, and keep the sensor's facts", async () => {
    const folder = join(dir, "pass", "extract");
    await write(folder, {
      "CD_run_params.mat": paramsFile(),
      "CDdata1.mat": block(0, 3),
      "CDdata2.mat": block(3, 1),
      "CDdata3.mat": block(9, 1),
    });
    await write(dir, { "AGC_attenuation_values.mat": agc });
    const read = await readScene(folder);
    expect(read.name).toBe("extract");
    expect([read.dtype, read.shape]).toEqual(["ci8", [4, 3]]);
    expect(await read.pulses(0, 4)).toEqual(Int8Array.from([0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32].flatMap((x) => [x, -x])));
    expect(read.radar).toEqual({
      carrierHz: 5.3e9,
      samplingRateHz: 32.317e6,
      prfHz: 1256.98,
      chirpRateHzPerSecond: -0.72135e12,
      pulseSeconds: 41.75e-6,
      velocityMetersPerSecond: sensorPresets["radarsat-1-fine"].velocityMetersPerSecond,
      nearRangeMeters: 988647.462 + (2 * 2.9979e8) / (2 * 32.317e6),
    });
    expect(read.lineGain).toEqual(Float32Array.of(10, 10 ** (6 / 20), 1, 100));
    expect(read.preset).toBe("radarsat-1-fine");
    expect(read.notes).toEqual([expect.stringContaining("1 CDdata files beyond Nblocks = 2")]);
    // Writing it as a scene folder and reading that gives it back.
    await writeSceneFolder(join(dir, "copy"), await sceneData(read));
    expect(await plain(await readScene(join(dir, "copy")))).toEqual(await plain(read));
  });

  it("use a wider type if values need one, and note an absent AGC file", async () => {
    const one = { Nblocks: 1 };
    await write(join(dir, "a", "b", "c"), { "CD_run_params.mat": paramsFile(one), "CDdata1.mat": block(0, 4, 3) });
    const short = await readScene(join(dir, "a", "b", "c"));
    expect(short.dtype).toBe("ci8");
    await write(join(dir, "a", "b", "c"), { "CDdata1.mat": block(0, 4, 5) });
    const wide = await readScene(join(dir, "a", "b", "c"));
    expect(wide.dtype).toBe("ci16");
    expect((await wide.pulses(3, 1)).slice(-2)).toEqual(Int16Array.of(160, -160));
    expect(wide.lineGain).toBeUndefined();
    expect(wide.notes).toEqual([expect.stringContaining("no AGC_attenuation_values.mat")]);
    await write(join(dir, "a", "b", "c"), { "CDdata1.mat": block(0, 4, 0.5) });
    expect((await readScene(join(dir, "a", "b", "c"))).dtype).toBe("c64");
    // Three levels up is too far; given by option, it is used.
    await write(dir, { "AGC_attenuation_values.mat": agc });
    expect((await readScene(join(dir, "a", "b", "c"))).lineGain).toBeUndefined();
    expect((await readScene(join(dir, "a", "b", "c"), { agcFile: join(dir, "AGC_attenuation_values.mat") })).lineGain?.[0]).toBe(10);
    await refused(readScene(join(dir, "a", "b", "c"), { agcFile: join(dir, "none.mat") }), /none\.mat: can't read it/);
  });

  it("say which AGC file they would read, and read without one if told so", async () => {
    const folder = join(dir, "pass", "scenes", "extract");
    await write(folder, { "CD_run_params.mat": paramsFile({ Nblocks: 1 }), "CDdata1.mat": block(0, 4) });
    const fileOptions = async (): Promise<object> => {
      const place = await placeAt(folder);
      return (await detectFormat(place)).fileOptions!(place);
    };
    expect(await fileOptions()).toEqual({ agcFile: false });
    const file = join(dir, "pass", "AGC_attenuation_values.mat");
    await write(join(dir, "pass"), { "AGC_attenuation_values.mat": agc });
    expect(await fileOptions()).toEqual({ agcFile: file });
    const [found, given, none] = [
      await readScene(folder),
      await readScene(folder, { agcFile: file }),
      await readScene(folder, { agcFile: false }),
    ];
    expect(found.lineGain?.[0]).toBe(10);
    expect(given.lineGain).toEqual(found.lineGain);
    expect(none.lineGain).toBeUndefined();
    expect(none.notes).toEqual(["AGC values were left out: lines keep the gain they were recorded with"]);
    await refused(readScene(folder, { agcFile: true as never }), /agcFile must be a path, or false, not true/);
  });

  it("refuse parameters, blocks and AGC values that do not agree", async () => {
    const files = { "CDdata1.mat": block(0, 3), "CDdata2.mat": block(3, 1), "AGC_attenuation_values.mat": agc };
    const refuseWith = async (changes: Record<string, number | undefined>, message: RegExp): Promise<void> => {
      await write(dir, { ...files, "CD_run_params.mat": paramsFile(changes) });
      await refused(readScene(dir), message);
    };
    for (const name of ["f0", "Fr", "PRF", "Kr", "Tr", "R0", "c", "first_rg_cell", "first_rg_line", "Nrg_cells", "Nrg_lines"]) {
      await refuseWith({ [name]: undefined }, new RegExp(`CD_run_params\\.mat: variable ${name} must be a real scalar, not absent$`));
      for (const value of [0, Number.NaN, Number.POSITIVE_INFINITY])
        await refuseWith({ [name]: value }, new RegExp(`variable ${name} must be `));
    }
    await refuseWith({ PRF: -1 }, /variable PRF must be a positive number, not -1/);
    await refuseWith({ first_rg_cell: 1.5 }, /variable first_rg_cell must be an integer/);
    await refuseWith({ Nrg_lines: 2 ** 24 + 1 }, /variable Nrg_lines must be an integer from 1 to 16777216/);
    await refuseWith({ f0: 9.6e9 }, /variable f0 must be within 1 % of 5300000000, the value of RADARSAT-1's Fine beam/);
    await refuseWith({ Tr: 50e-6 }, /variable Tr must be short enough that the chirp stays within the sampling rate/);
    await refuseWith({ Nrg_cells: 4 }, /CDdata1\.mat: variable data must be complex \[lines, 4\], not complex \[3, 3\]/);
    await refuseWith({ Nrg_lines: 5 }, /variable Nrg_lines must be the 4 lines of the data files, not 5/);
    await refuseWith({ Nblocks: 3 }, /CDdata3\.mat: can't read it: there is no such file/);
    await refuseWith({ Nblocks: 1e6 }, /variable Nblocks must be at most 1000/);
    await refuseWith({ first_rg_line: 4 }, /nom_attenuation must be at least 7 real values, not 6 values/);
    await write(dir, {
      "CD_run_params.mat": paramsFile(),
      "AGC_attenuation_values.mat": m.file(m.real("nom_attenuation", 6, [1, 6], { kind: "f64", values: [1, 2, 3, Number.NaN, 5, 6] })),
    });
    await refused(readScene(dir), /nom_attenuation\(4\) must be an attenuation within ±100 dB, not NaN/);
    await write(dir, {
      ...files,
      "CDdata2.mat": m.file(m.complex("data", 6, [1, 3], { kind: "f64", values: [1, Number.NaN, 1] }, { kind: "f64", values: [1, 1, 1] })),
    });
    await refused(readScene(dir), /CDdata2\.mat: variable data must be finite numbers, not NaN/);
    await write(dir, { ...files, "CDdata2.mat": m.file(m.real("data", 6, [1, 3], { kind: "f64", values: [1, 1, 1] })) });
    await refused(readScene(dir), /CDdata2\.mat: variable data must be complex/);
    await rm(join(dir, "CD_run_params.mat"));
    await refused(readScene(dir), /CD_run_params\.mat: can't read it: there is no such file/);
  });
});

describe("writeFolderAtomically", () => {
  it("writes bytes, chunks and streams, and replaces existing files", async () => {
    await writeFile(join(dir, "a"), "old");
    async function* stream(): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(1);
      yield Uint8Array.of(2, 3);
    }
    await writeFolderAtomically(dir, { a: Uint8Array.of(9), b: [Uint8Array.of(1), new Uint8Array(0), Uint8Array.of(2)], c: stream() });
    expect((await readdir(dir)).sort()).toEqual(["a", "b", "c"]);
    expect([...(await readFile(join(dir, "a")))]).toEqual([9]);
    expect([...(await readFile(join(dir, "b")))]).toEqual([1, 2]);
    expect([...(await readFile(join(dir, "c")))]).toEqual([1, 2, 3]);
  });

  it("leaves the folder as it was when a source fails or is aborted", async () => {
    await writeFile(join(dir, "a"), "old");
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(1);
      throw new Error("the source broke");
    }
    await expect(writeFolderAtomically(dir, { a: Uint8Array.of(1), b: broken() })).rejects.toThrow("the source broke");
    const controller = new AbortController();
    async function* aborted(): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(1);
      controller.abort();
      yield Uint8Array.of(2);
    }
    await refused(writeFolderAtomically(dir, { a: Uint8Array.of(1), b: aborted() }, { signal: controller.signal }), /aborted/, "aborted");
    await refused(writeFolderAtomically(join(dir, "new", "er"), { a: aborted() }, { signal: AbortSignal.abort() }), /aborted/, "aborted");
    await expect(writeFolderAtomically(join(dir, "new", "er"), { b: broken() })).rejects.toThrow("the source broke");
    expect(await readdir(dir)).toEqual(["a"]);
    expect(await readFile(join(dir, "a"), "utf8")).toBe("old");
  });

  it("removes temporary files of a write in progress on request", async () => {
    let seen: string[] = [];
    let left: string[] = [];
    async function* watched(): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(1);
      seen = await readdir(dir);
      cleanupTemporaries();
      left = await readdir(dir);
      yield Uint8Array.of(2);
    }
    await refused(writeFolderAtomically(dir, { a: watched() }), /can't rename it into place/);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatch(/^\.dechirp-.*\.tmp$/);
    expect(left).toEqual([]);
    expect(await readdir(dir)).toEqual([]);
  });

  it("refuses names that are paths, and targets that are not a folder or not a file", async () => {
    for (const name of ["../a", "a/b", "", ".", "..", "a\\b", "a\0b"])
      await refused(writeFolderAtomically(dir, { [name]: new Uint8Array(1) }), /plain file names/);
    await writeFile(join(dir, "file"), "x");
    await refused(writeFolderAtomically(join(dir, "file"), { a: new Uint8Array(1) }), /file: can't make the folder/);
    await refused(
      writeFolderAtomically(join(dir, "file", "deeper"), { a: new Uint8Array(1) }),
      /can't make the folder: a part of the path is not a folder/,
    );
    await symlink(join(dir, "nowhere"), join(dir, "dangling"));
    await refused(writeFolderAtomically(join(dir, "dangling"), { a: new Uint8Array(1) }), /can't make the folder/);
    await rm(join(dir, "dangling"));
    await mkdir(join(dir, "sub"));
    await refused(writeFolderAtomically(dir, { a: new Uint8Array(1), sub: new Uint8Array(1) }), /sub: can't write it: it is a folder/);
    expect((await readdir(dir)).sort()).toEqual(["file", "sub"]);
  });

  it.skipIf(process.platform !== "linux")("ends if the system can't make any parent folder", async () => {
    // /proc answers ENOENT, at which Node's recursive mkdir retries for ever.
    await refused(writeFolderAtomically("/proc/dechirp/new", { a: new Uint8Array(1) }), /\/proc\/dechirp\/new: can't make the folder/);
  });

  it("lets two writers make the same folder", async () => {
    const folder = join(dir, "new", "er");
    await Promise.all(["a", "b", "c", "d"].map((name) => writeFolderAtomically(folder, { [name]: Uint8Array.of(1) })));
    expect((await readdir(folder)).sort()).toEqual(["a", "b", "c", "d"]);
  });

  it("reports a full device as input, naming the file", async () => {
    // A source that fails as a write to a full disk does: the same error, from the same place.
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    // biome-ignore lint/correctness/useYield: it fails before its first chunk
    async function* source(): AsyncGenerator<Uint8Array> {
      throw full;
    }
    const fields = await refused(
      writeFolderAtomically(dir, { "raw.npy": source() }),
      /raw\.npy: can't write it: no space is left on the device/,
    );
    expect(fields).toMatchObject({ file: join(dir, "raw.npy"), reason: "ENOSPC" });
    expect(await readdir(dir)).toEqual([]);
  });
});
