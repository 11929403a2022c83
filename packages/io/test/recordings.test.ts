/**
 * The table of formats: every format is distinguished from the others, on a disk and in memory, and if none matches, one error lists
 * what was looked for.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRadarError } from "@dechirp/core";
import { zlibSync } from "fflate";
import { expect, it, onTestFinished } from "vitest";
import { detectFormat, formats, placeOf, readRecordingFrom, titlesOf } from "../src/formats.ts";
import { writeNpy } from "../src/index.ts";
import { formatAt, readArray, readPhaseHistory, readRecording, readScene } from "../src/node.ts";
import { extents, samples } from "./format-samples.ts";
import { bytesOf } from "./gotcha-builder.ts";
import { concat, Mat5 } from "./mat-builder.ts";
import { refusal } from "./refusal.ts";
import { plain } from "./scene-support.ts";

async function folder(files: Readonly<Record<string, Uint8Array>> = {}): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "dechirp-formats-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(dir, name), bytes);
  return dir;
}

it("has a unique name for every format, texts for tables, limits, and a sample here", () => {
  expect(new Set(formats.map(({ name }) => name)).size).toBe(formats.length);
  expect(formats.map(({ name }) => name).sort()).toEqual(Object.keys(samples).sort());
  for (const { name, title, reads, refuses, folder: dir, file, limits } of formats) {
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    for (const text of [title, reads, refuses, dir ?? file]) expect(text).toMatch(/^[^\n|]{4,}$/);
    for (const { most, of } of Object.values(limits)) expect([Number.isSafeInteger(most) && most > 0, of.length > 0]).toEqual([true, true]);
  }
  expect(titlesOf("stripmap")).toBe("scene folder (scene.json) or RADARSAT-1 CD folder (CD_run_params.mat)");
});

/** A recording without the folder in its paths, with arrays as digests. */
const apartFrom = (dir: string, value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, one) =>
      ArrayBuffer.isView(one)
        ? `${one.constructor.name} ${createHash("sha1")
            .update(new Uint8Array(one.buffer, one.byteOffset, one.byteLength))
            .digest("hex")}`
        : one,
    )
      .replaceAll(`"${dir}"`, '""')
      .replaceAll(`${dir}/`, ""),
  );

it.each(formats.map((format) => [format.name, format] as const))(
  "%s is distinguished from all others, on a disk and in memory",
  async (name, format) => {
    for (const { files, file } of await samples[name]()) {
      const dir = await folder(files);
      const path = file === undefined ? dir : join(dir, file);
      expect((await formatAt(path)).name).toBe(name);
      expect(await formatAt(path, { kind: format.kind })).toBe(format);
      const read = await readRecording(path);
      expect([read.kind, read.format]).toEqual([format.kind, name]);
      const inMemory = placeOf(files, file === undefined ? { path: "" } : { file });
      expect(await detectFormat(inMemory)).toBe(format);
      const again = await readRecordingFrom(inMemory);
      // A folder in memory has no name.
      const named = { ...again.recording, ...("name" in read.recording ? { name: read.recording.name } : {}) };
      expect(apartFrom("", { ...again, recording: named })).toEqual(apartFrom(dir, read));
      // Web pages have File objects.
      const blobs = Object.fromEntries(Object.entries(files).map(([one, bytes]) => [one, new Blob([bytes as Uint8Array<ArrayBuffer>])]));
      const ofBlobs = await readRecordingFrom(placeOf(blobs, file === undefined ? { path: "" } : { file }));
      expect(apartFrom("", ofBlobs)).toEqual(apartFrom("", again));
      const readers = { stripmap: readScene, "phase-history": readPhaseHistory, array: readArray } as const;
      expect(apartFrom("", await readers[format.kind](path))).toEqual(apartFrom("", read.recording));
      expect(apartFrom("", await readRecording(path, { format: name }))).toEqual(apartFrom("", read));
      for (const kind of ["stripmap", "phase-history", "array"] as const)
        if (kind !== format.kind) {
          const { fields, message } = await refusal(() => readRecording(path, { kind }));
          expect(fields).toMatchObject({ file: path, expected: expect.stringMatching(/^an? /) });
          expect(message).toMatch(/, not (a scene|a phase history|the data cube of an array): /);
          expect(message.endsWith(`: ${format.title}`)).toBe(true);
        }
    }
  },
);

it("names the place and what is there if the requested format is not", async () => {
  const dir = await folder({ "notes.txt": Buffer.from("no recording") });
  for (const { name, folder: of } of formats) {
    const error = await refusal(() => readRecording(dir, { format: name }));
    expect(error.message, name).toContain(dir);
    expect(error.code, name).toBe("input");
    if (name === "gotcha") expect(error.message).toBe(`${dir}: must be a folder with ${of}, not a folder with notes.txt`);
    const inFile = await refusal(() => readRecording(join(dir, "notes.txt"), { format: name }));
    expect(inFile.message, name).toContain(join(dir, "notes.txt"));
    expect(inFile.code, name).toBe("input");
  }
});

it("says once what was looked for, and what is there", async () => {
  const dir = await folder({ "notes.txt": Buffer.from("no recording at all, but of some length".repeat(9)) });
  await mkdir(join(dir, "empty"));
  const all = formats.flatMap((one) => one.folder ?? []);
  const empty = await refusal(() => readRecording(join(dir, "empty")));
  expect(empty.message).toBe(`${join(dir, "empty")}: must be a folder with ${all.join(", or with ")}, not an empty folder`);
  expect(empty.fields).toEqual({ file: join(dir, "empty"), expected: expect.any(String), actual: "an empty folder" });
  expect((await refusal(() => readScene(dir))).message).toMatch(
    /must be a folder with scene\.json, or with CD_run.* not a folder with empty, notes\.txt$/,
  );
  const text = await refusal(() => readRecording(join(dir, "notes.txt")));
  for (const { file } of formats) expect(text.message).toContain(file ?? "");
  expect(text.message).toMatch(/notes\.txt: must be a CPHD file .*, a Gotcha file .*, or a .*, not a file of another kind$/);
  expect((await refusal(() => readScene(join(dir, "notes.txt")))).message).toMatch(/must be a folder with scene\.json.*, not a file$/);
  expect((await refusal(() => readRecording(join(dir, "absent")))).message).toMatch(
    /absent: can't read it: there is no such file or folder$/,
  );
  // If only one format is possible, its reader says what is wrong.
  await writeFile(join(dir, "flat.npy"), writeNpy({ dtype: "c64", shape: [6, 10] }, new Float32Array(120)));
  expect((await refusal(() => readArray(join(dir, "flat.npy")))).message).toMatch(/must be complex, of three axes, .* not c64 \[6, 10\]$/);
  expect((await refusal(() => readScene(join(dir, "flat.npy")))).message).toMatch(/must be a folder with scene\.json.*, not a file$/);
  expect((await refusal(() => readPhaseHistory(join(dir, "notes.txt")))).message).toMatch(/notes\.txt: at byte/);
  await writeFile(join(dir, "h5.mat"), Buffer.from("\x89HDF\r\n\x1a\n".padEnd(600, "\0"), "latin1"));
  expect((await refusal(() => readArray(join(dir, "h5.mat")))).message).toMatch(/is an HDF5 file that MATLAB did not write/);
  await writeFile(join(dir, "other.mat"), new Mat5("little").file(new Mat5("little").real("x", 6, [1, 1], { kind: "f64", values: [1] })));
  expect((await refusal(() => readRecording(join(dir, "other.mat")))).message).toMatch(/other\.mat: must be a CPHD file .*, a Gotcha file/);
  expect((await refusal(() => readPhaseHistory(join(dir, "other.mat")))).fields["field"]).toBe("data");
});

it("says the same for paths that are not regular files, without waiting", async () => {
  const dir = await folder();
  execFileSync("mkfifo", [join(dir, "pipe")]);
  await symlink("nowhere", join(dir, "dangling"));
  await symlink("loop", join(dir, "loop"));
  expect((await refusal(() => readScene(join(dir, "pipe")))).message).toMatch(/must be a folder with scene\.json.*, not a file$/);
  for (const name of ["pipe", "dangling", "loop"]) {
    for (const read of [readRecording, readScene, readPhaseHistory, readArray, formatAt])
      expect((await refusal(() => read(join(dir, name)))).fields["file"]).toBe(join(dir, name));
  }
});

it.each([
  ["agcFile", "scene-folder", { agcFile: "x" }, /agcFile must be left out for .*, which is not a RADARSAT-1 CD folder/],
  ["frequencies", "array-npy", { frequencies: "fit" }, /frequencies must be left out for .*, which does not hold a phase history/],
  ["set", "array-npy", { set: "small" }, /set must be left out for .*, which is not input of the PERFECT suite/],
  ["axes", "mountain-top", { axes: ["channel", "pulse", "range"] }, /axes must be left out for .*, whose axes are known/],
  ["cpi", "gotcha", { cpi: 1 }, /cpi must be left out for .*, which has no CPIs/],
  ["cpi", "array-npy", { cpi: 2 }, /cpi must be 1: .* has one interval, not 2/],
  ["set", "perfect-stap", { set: "large" }, /set must be left out for .*, of the small set|must be a folder with large_app_input/],
  ["axes", "array-mat", { axes: ["cpi", "channel", "pulse", "range"] }, /axes must be 3 axes, as the array \[2, 3, 5\] has/],
] as const)("refuses option %s for %s", async (field, name, options, message) => {
  for (const { files, file } of await samples[name]()) {
    const dir = await folder(files);
    const { message: said, fields } = await refusal(() => readRecording(file === undefined ? dir : join(dir, file), options));
    expect(said).toMatch(message);
    if (!said.includes("a folder with")) expect(fields).toMatchObject({ field, expected: expect.any(String), actual: expect.anything() });
  }
});

it("joins several places if the format does", async () => {
  const [{ files }] = await samples["gotcha"]();
  const dir = await folder({ ...files, "cube.npy": writeNpy({ dtype: "c64", shape: extents }, new Float32Array(60)) });
  const [first, second] = Object.keys(files)
    .sort()
    .map((name) => join(dir, name));
  expect(await plain(await readPhaseHistory([first, second]))).toEqual(await plain(await readPhaseHistory(dir)));
  expect((await refusal(() => readPhaseHistory([first, dir]))).fields["field"]).toBe("source");
  expect((await refusal(() => readRecording([first, join(dir, "cube.npy")]))).message).toMatch(
    /cube\.npy: must be of the same format as .*az001/,
  );
  const cube = join(dir, "cube.npy");
  expect((await refusal(() => readRecording([cube, cube]))).message).toMatch(/is in one place/);
});

it("reads only headers to detect a format, not the numbers of a MAT-file", async () => {
  const m = new Mat5("little");
  const numbers = { kind: "f64", values: new Array<number>(2 ** 17).fill(0.25) } as const;
  const bytes = m.file(
    m.real("first", 6, [2 ** 17, 1], numbers),
    m.compressed(m.complex("second", 6, [2 ** 9, 2 ** 8, 1], numbers, numbers)),
    m.struct("data", [1, 1], ["x"], [m.real("", 6, [2 ** 17, 1], numbers)]),
  );
  let asked = 0;
  const counted = {
    name: "any.mat",
    size: bytes.length,
    read: async (at: number, length: number) => {
      asked += length;
      return bytes.slice(at, at + length);
    },
    close: async () => {},
  };
  expect((await detectFormat(placeOf({ "any.mat": counted }, { file: "any.mat" }))).name).toBe("gotcha");
  expect(asked).toBeLessThan(bytes.length / 4);
  // Files of zeros, or with the beginning of another format, are refused by their first bytes.
  const path = join(await folder({ "large.mat": m.file(), "large.dat": new Uint8Array(0) }), "large.dat");
  await truncate(path, 2 ** 31);
  await refusal(() => readRecording(path));
});

it("reports what is wrong with headers, as with the variables themselves", async () => {
  const m = new Mat5("little");
  const stub = zlibSync(Uint8Array.of(14, 0, 0, 0));
  const cut = m.file(concat(m.tag(15, stub.length), stub));
  const ended = m.file(
    m.complex("x", 6, [2, 2, 2], { kind: "f64", values: new Array<number>(8).fill(1) }, { kind: "f64", values: [1] }).subarray(0, 40),
  );
  for (const bytes of [cut, ended])
    for (const options of [{}, { kind: "array" }, { kind: "phase-history" }, { format: "array-mat" }] as const) {
      const { message, fields } = await refusal(() => readRecordingFrom(placeOf({ "x.mat": bytes }, { file: "x.mat" }), options));
      expect(message).toMatch(/^x\.mat: at byte \d+: expected/);
      expect(fields).toMatchObject({ file: "x.mat", offset: expect.any(Number) });
    }
  // If the format is given, the error says what the file lacks.
  const other = m.file(m.real("trecord", 6, [1, 1], { kind: "f64", values: [1] }));
  const { message } = await refusal(() => readRecordingFrom(placeOf({ "x.mat": other }, { file: "x.mat" }), { format: "mountain-top" }));
  expect(message).toBe("x.mat: variable cpi1 must be a numeric array, not absent");
});

it("ends when the signal fires, also during detection", async () => {
  const dir = await folder({ "any.mat": bytesOf({}) });
  for (const read of [readRecording, readPhaseHistory, formatAt]) {
    const aborted = read(join(dir, "any.mat"), { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toSatisfy((error) => isRadarError(error, "aborted"));
  }
  const controller = new AbortController();
  const place = placeOf({ "any.mat": bytesOf({}) }, { file: "any.mat" });
  const stopped = readRecordingFrom(place, { signal: controller.signal, onProgress: () => controller.abort() });
  await expect(stopped).rejects.toSatisfy((error) => isRadarError(error, "aborted"));
});

it("says of an empty file that it is empty, whatever its name and the kind that is wanted", async () => {
  for (const kind of ["phase-history", "array", undefined] as const)
    for (const name of ["empty.cphd", "empty.npy", "empty.mat", "empty"]) {
      const place = placeOf({ [name]: new Uint8Array(0) }, { file: name });
      const reading = readRecordingFrom(place, kind ? { kind } : {});
      await expect(reading).rejects.toMatchObject({
        code: "input",
        message: expect.stringMatching(`^${name}: must be .*, not an empty file$`),
      });
    }
});
