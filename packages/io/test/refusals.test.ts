/** What all readers have in common: the form of their errors, whatever a file or its name contains, and their progress reports. */
import { truncateSync } from "node:fs";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRadarError } from "@dechirp/core";
import { expect, it, onTestFinished } from "vitest";
import { parseGotcha, parsePerfect, parseSceneDescription, perfectSizes, readMat, readNpy, writeNpy } from "../src/index.ts";
import { formatAt, readArray, readBytes, readPhaseHistory, readRecording, readScene, readSteeringVectors } from "../src/node.ts";
import { bytesOf } from "./gotcha-builder.ts";
import { ascii, concat, Mat5, mat4, pack } from "./mat-builder.ts";
import { refusal } from "./refusal.ts";

/** A .npy file of version 1 with this dictionary. */
const npy = (dictionary: string): Uint8Array =>
  concat(Uint8Array.of(0x93), ascii("NUMPY"), Uint8Array.of(1, 0), pack("little", "u16", [dictionary.length]), ascii(dictionary));

const file = "x";
const scene = (more: object): string =>
  JSON.stringify({ format: "dechirp-scene", version: 1, name: "a", radar: {}, raw: "raw.npy", targets: [], ...more });
const m = new Mat5("little");

it.each([
  ["a byte order mark of control characters", () => readMat(m.file().fill(1, 126, 128), { file })],
  ["a variable's name", () => readMat(mat4("little", "a\n\u0085b", 0, "f64", [9, 9], [1]), { file })],
  ["a header", () => readNpy(npy("{'a\u0000\u009b31m\n"), { file })],
  ["a text that is not JSON", () => parseSceneDescription('{\n"a":\n\u0001', file)],
  ["a key", () => parseSceneDescription(scene({ "a\tb\u202e": 1 }), file)],
])("are one line of printable text, of %s", async (_, read) => {
  const { message, fields } = await refusal(read);
  expect(message).toMatch(/^x: [^\p{Cc}\p{Bidi_C}]+$/u);
  expect(fields).toMatchObject({ file, expected: expect.any(String), actual: expect.anything() });
});

it.each([
  ["readMat, version 4", () => readMat(mat4("little", "a", 0, "f64", [9, 9], [1]), { file }), "offset"],
  ["readMat, version 5", () => readMat(m.file(m.real("a", 6, [2, 2], { kind: "f64", values: [1] })), { file }), "offset"],
  ["readNpy", () => readNpy(new Uint8Array(3), { file }), "offset"],
  ["parseGotcha", async () => parseGotcha([await readMat(m.file(), { file })]), "field"],
  ["parsePerfect", () => parsePerfect(new Uint8Array(8), new Uint8Array(8), { set: "small", file }), "offset"],
  ["parseSceneDescription, of text", () => parseSceneDescription("{", file), "field"],
  ["parseSceneDescription, of a field", () => parseSceneDescription("{}", file), "field"],
])("name file and position, what was expected and what was found: %s", async (_, read, place) => {
  expect(Object.keys((await refusal(read)).fields)).toEqual(expect.arrayContaining(["file", place, "expected", "actual"]));
});

it("have a length that fits a terminal, whatever a file's keys are", async () => {
  const error = await refusal(() => parseSceneDescription(scene({ ["k".repeat(1e5)]: 1 }), file));
  expect(error.message.length).toBeLessThan(400);
});

it("are limited to a few lines of remarks on skipped variables", async () => {
  const sparse = (name: string): Uint8Array => mat4("little", name, 0, "f64", [2, 3], [1, 1, 5, 2, 2, 6], undefined, 2);
  expect((await readMat(sparse("a\nb\u009b"), { file })).notes).toEqual(["x: variable a b? was skipped: sparse matrix"]);
  expect((await readMat(sparse("n".repeat(1e4)), { file })).notes[0].length).toBeLessThan(300);
  const many = await readMat(concat(...Array.from({ length: 300 }, (_, i) => sparse(`v${i}`))), { file });
  expect([many.variables.size, many.notes.length, many.notes[100]]).toEqual([300, 101, "x: there are more remarks than these"]);
});

it("say that a name contains a zero character", async () => {
  const name = "a\0b";
  for (const read of [readBytes, readScene, readPhaseHistory, readArray, readSteeringVectors, readRecording, formatAt]) {
    expect((await refusal(() => read(name))).message).toContain("the name contains a zero character");
  }
});

it("report the share that has been read, over all files, and obey the signal", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dechirp-io-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const files = [1, 2, 3].map((i) => join(folder, `data_3dsar_pass1_az00${i}_HH.mat`));
  for (const path of files) await writeFile(path, bytesOf({}));
  const { channels, pulses, ranges, steeringVectors, temporalTaps } = perfectSizes.small;
  await writeFile(join(folder, "small_app_input.bin"), new Uint8Array(8 * channels * pulses * ranges));
  await writeFile(join(folder, "small_app_steering_vectors.bin"), new Uint8Array(8 * steeringVectors * channels * temporalTaps));
  await writeFile(join(folder, "a.npy"), writeNpy({ dtype: "f32", shape: [2] }, new Float32Array(2)));
  const shares = async (read: (onProgress: (share: number) => void) => Promise<unknown>): Promise<number[]> => {
    const told: number[] = [];
    await read((share) => told.push(share));
    return told;
  };
  expect(await shares((onProgress) => readPhaseHistory(folder, { onProgress }))).toEqual([1 / 3, 2 / 3, 1]);
  expect(await shares((onProgress) => readArray(folder, { onProgress }))).toEqual([1]);
  expect(await shares((onProgress) => readBytes(join(folder, "a.npy"), { onProgress }))).toEqual([1]);
  // Between two files.
  const controller = new AbortController();
  const stopped = readPhaseHistory(folder, { signal: controller.signal, onProgress: () => controller.abort() });
  await expect(stopped).rejects.toSatisfy((error) => isRadarError(error, "aborted"));
});

it("readBytes refuses a file that is cut short while it is read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dechirp-io-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "a");
  await writeFile(path, "");
  await truncate(path, 2 ** 26 + 1);
  const { message, fields } = await refusal(() => readBytes(path, { onProgress: () => truncateSync(path, 2 ** 26) }));
  expect(message).toBe(
    `${path}: at byte ${2 ** 26}: expected ${2 ** 26 + 1} bytes, as there were when it was opened, found the end of the file`,
  );
  expect(fields).toMatchObject({ file: path, offset: 2 ** 26 });
});
