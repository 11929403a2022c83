/**
 * Readers check magic numbers and headers, and compare what they state with the size of the file, before they read anything else. This
 * is measured on a virtual file of which only the first bytes exist, and on sparse files. Files that are not regular are refused, and
 * files that shrink are handled.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRadarError } from "@dechirp/core";
import { zlibSync } from "fflate";
import { describe, expect, it, onTestFinished } from "vitest";
import { parsePerfect, type RandomAccess, readMat, readNpy, writeNpy } from "../src/index.ts";
import { openFile, readArray, readBytes, readPhaseHistory, readScene } from "../src/node.ts";
import { ascii, concat, Mat5, mat4, pack } from "./mat-builder.ts";
import { refusal } from "./refusal.ts";

const file = "x";
const size = 2 ** 32;
/** More than any header and what is read ahead of one. */
const few = 2 ** 18;

/** 4 GiB of zeros after `head`. Counts the bytes that are requested. */
function sparse(head: Uint8Array): { readonly access: RandomAccess; readonly asked: () => number } {
  let asked = 0;
  const read = async (at: number, length: number): Promise<Uint8Array> => {
    asked += length;
    // Not allocated if it is too much; then the count makes the test fail.
    const bytes = new Uint8Array(Math.min(length, few));
    if (at < head.length) bytes.set(head.subarray(at, at + bytes.length));
    return bytes;
  };
  return { access: { name: file, size, read, close: async () => {} }, asked: () => asked };
}

const npy = (dictionary: string): Uint8Array =>
  concat(Uint8Array.of(0x93), ascii("NUMPY"), Uint8Array.of(1, 0), pack("little", "u16", [dictionary.length]), ascii(dictionary));
const m = new Mat5("little");
const header = m.file();
const rest = size - header.length - 8;

/** The header of an uncompressed variable that claims to fill the file. */
const filling = (matrix: Uint8Array, stated = rest): Uint8Array => concat(header, m.tag(14, stated), matrix.subarray(8));

const numbers = m.real("x", 6, [1, 1], { kind: "f64", values: [1] });
const heads: readonly (readonly [name: string, head: Uint8Array, message: RegExp])[] = [
  ["zeros", new Uint8Array(0), /magic string/],
  ["a header of another size", npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1000, 1000), }"), /8000000 bytes of data/],
  [
    "a shape beyond any number",
    npy(`{'descr': '<c8', 'fortran_order': True, 'shape': (${"9".repeat(16)}, ${"9".repeat(16)}), }`),
    /bytes of data/,
  ],
  ["extents of 0 and 10^16", npy(`{'descr': '<c8', 'fortran_order': True, 'shape': (0, ${"9".repeat(16)}, 1), }`), /positive extents/],
  ["a header that is no dictionary", npy("(".repeat(8000)), /dictionary/],
  ["the header of a MAT-file", concat(header, new Uint8Array(few)), /is a version 5 MAT-file/],
];

describe("readNpy", () => {
  it.each(heads)("refuses 4 GiB of zeros after %s by their first bytes", async (_, head, message) => {
    const { access, asked } = sparse(head);
    expect((await refusal(() => readNpy(access, { file }))).message).toMatch(message);
    expect(asked()).toBeLessThan(few);
  });
});

describe("readMat", () => {
  it.each([
    ["zeros", new Uint8Array(0), /length of a name/],
    ["a version 5 header", header, /type 0/],
    ["a .npy header", npy("{}"), /is a \.npy file/],
    [
      "a real part of more numbers than there are",
      filling(concat(numbers.subarray(0, 52), pack("little", "u32", [rest - 100]))),
      /8 bytes of the real part/,
    ],
    ["a variable of more than the file", filling(numbers, 2 ** 32 - 1), /an element of at most \d+ bytes/],
    ["flags of no class", filling(concat(numbers.subarray(0, 16), Uint8Array.of(99), numbers.subarray(17))), /an array class/],
    ["a struct that fills the file", filling(m.struct("s", [1, 1], ["a"], [])), /at most 1073741824 bytes of decoded data/],
    ["a compressed variable that fills the file with no stream", concat(header, m.tag(15, rest), Uint8Array.of(1, 2)), /a zlib stream/],
    // Zeros are empty blocks to a decoder that does not check the complements of their lengths.
    [
      "a compressed variable of nothing but empty blocks",
      concat(header, m.tag(15, rest), Uint8Array.of(0x78, 0x9c)),
      /compressed bytes for 0 bytes/,
    ],
    [
      "a compressed variable that has ended",
      concat(header, m.tag(15, rest), zlibSync(numbers)),
      new RegExp(`compressed bytes for ${numbers.length} bytes`),
    ],
    ["a version 4 matrix of 4 GiB", concat(mat4("little", "a", 0, "f64", [2 ** 15, 2 ** 14 - 1], [])), /at most 1073741824 bytes/],
    ["a version 4 matrix of more", concat(mat4("little", "a", 0, "f64", [2 ** 16, 2 ** 14], [])), /bytes of numbers of a/],
    [
      "a name of 2 GiB",
      concat(mat4("little", "a", 0, "f64", [1, 1], []).subarray(0, 16), pack("little", "u32", [2 ** 31 - 1])),
      /a name of at most/,
    ],
  ] as const)("refuses 4 GiB of zeros after %s by their first bytes", async (_, head, message) => {
    const { access, asked } = sparse(head);
    expect((await refusal(() => readMat(access, { file }))).message).toMatch(message);
    // Compressed bytes are requested a mebibyte at a time.
    expect(asked()).toBeLessThan(2 ** 21);
  });

  it("ignores bytes after the numbers of a variable without reading them", async () => {
    const { access, asked } = sparse(filling(numbers));
    expect((await readMat(access, { file })).variables.get("x")).toMatchObject({ shape: [1, 1], data: Float64Array.of(1) });
    expect(asked()).toBeLessThan(few);
  });

  it("skips unsupported variables without reading them", async () => {
    // A sparse matrix: class 5.
    const { access, asked } = sparse(filling(m.matrix(5, [3, 3], "sp")));
    expect((await readMat(access, { file })).notes).toEqual(["x: variable sp was skipped: sparse matrix"]);
    expect(asked()).toBeLessThan(few);
  });
});

it("parsePerfect compares sizes before it reads", async () => {
  const { access, asked } = sparse(new Uint8Array(0));
  expect((await refusal(() => parsePerfect(access, new Uint8Array(8), { set: "small" }))).message).toMatch(/2097152 bytes/);
  expect(asked()).toBe(0);
});

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "dechirp-header-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Bytes that this process has read, if the system counts them. */
const bytesRead = (): number =>
  existsSync("/proc/self/io") ? Number(/^rchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]) : 0;

const description = {
  format: "dechirp-scene",
  version: 1,
  name: "a",
  radar: {
    carrierHz: 1e9,
    samplingRateHz: 1e6,
    prfHz: 100,
    chirpRateHzPerSecond: 1e9,
    pulseSeconds: 1e-6,
    velocityMetersPerSecond: 1,
    nearRangeMeters: 1,
  },
  raw: "raw.npy",
  targets: [],
};

describe("files of 4 GiB of zeros", () => {
  it.each([
    ["scene.json", "scene.json", (dir: string) => readScene(dir), /scene\.json: must be at most 16777216 bytes long, not 4294967296/],
    ["raw.npy", "raw.npy", (dir: string) => readScene(dir), /raw\.npy: at byte 0: expected a \.npy file/],
    ["a Gotcha file", "data_3dsar_pass1_az001_HH.mat", (dir: string) => readPhaseHistory(dir), /length of a name/],
    ["CD_run_params.mat", "CD_run_params.mat", (dir: string) => readScene(dir), /CD_run_params\.mat: .*length of a name/],
    ["small_app_input.bin", "small_app_input.bin", (dir: string) => readArray(dir), /small_app_input\.bin: .*2097152 bytes/],
    [
      "a text that is bounded",
      "tasks.json",
      (dir: string) => readBytes(join(dir, "tasks.json"), { maxBytes: 2 ** 24 }),
      /at most 16777216 bytes/,
    ],
  ] as const)("are refused by their first bytes or their size: %s", async (_, name, read, message) => {
    const dir = await folder();
    if (name === "raw.npy") await writeFile(join(dir, "scene.json"), JSON.stringify(description));
    if (name === "small_app_input.bin") await writeFile(join(dir, "small_app_steering_vectors.bin"), "");
    await writeFile(join(dir, name), "");
    await truncate(join(dir, name), size);
    const before = bytesRead();
    expect((await refusal(() => read(dir))).message).toMatch(message);
    expect(bytesRead() - before).toBeLessThan(few);
  });
});

describe("a path that is not a regular file", () => {
  it.each(["pipe", "folder", "/dev/zero", "/dev/random", "/dev/null"])("is refused at once: %s", async (kind) => {
    const dir = await folder();
    const path = kind.startsWith("/") ? kind : join(dir, kind);
    if (kind === "pipe") execFileSync("mkfifo", [path]);
    if (kind === "folder") await mkdir(path);
    const expected = kind === "folder" ? "not a folder" : "not a device, pipe or socket";
    for (const work of [() => openFile(path), () => readBytes(path)]) {
      const { message, fields } = await refusal(work);
      expect(message).toBe(`${path}: must be a regular file, ${expected}`);
      expect(fields).toMatchObject({ file: path, expected: "a regular file" });
    }
    if (!kind.startsWith("/dev")) await refusal(() => readPhaseHistory(path));
  });

  it.runIf(existsSync("/proc/self/status"))("is empty if the system says so, as for files of /proc", async () => {
    expect((await readBytes("/proc/self/status")).length).toBe(0);
    const access = await openFile("/proc/self/status");
    expect((await refusal(() => readNpy(access, { file }))).message).toMatch(/found 0 bytes/);
    expect((await refusal(() => readMat(access, { file }))).message).toMatch(/found 0 bytes/);
    await access.close();
  });
});

describe("a file that is cut short while it is read", () => {
  const whole = writeNpy({ dtype: "c64", shape: [64, 64] }, new Float32Array(2 * 64 * 64));
  const cases: readonly (readonly [string, Uint8Array, (access: RandomAccess) => Promise<unknown>])[] = [
    ["readNpy", whole, (access) => readNpy(access, { file })],
    ["readMat, version 4", mat4("little", "a", 0, "f64", [64, 64], new Array<number>(4096).fill(1)), (access) => readMat(access, { file })],
    [
      "readMat, version 5",
      m.file(m.real("x", 6, [64, 64], { kind: "f64", values: new Array<number>(4096).fill(1) })),
      (access) => readMat(access, { file }),
    ],
    ["parsePerfect", new Uint8Array(2 ** 21), (access) => parsePerfect(access, new Uint8Array(1536), { set: "small", file })],
  ];
  it.each(cases)("is refused for the missing bytes: %s", async (_, bytes, read) => {
    const path = join(await folder(), "x");
    for (const left of [0, 11, 129, bytes.length - 1]) {
      await writeFile(path, bytes);
      const access = await openFile(path);
      expect(access.size).toBe(bytes.length);
      await truncate(path, left);
      const { fields } = await refusal(() => read(access));
      expect(fields).toMatchObject({ file: path, expected: expect.any(String), actual: expect.anything() });
      await access.close();
    }
  });
});

it("openFile reads at any position, no more than there is, and reports progress", async () => {
  const path = join(await folder(), "x");
  await writeFile(
    path,
    Uint8Array.from({ length: 100 }, (_, i) => i),
  );
  const shares: number[] = [];
  const access = await openFile(path, { onProgress: (share) => shares.push(share) });
  expect([...(await access.read(95, 10))]).toEqual([95, 96, 97, 98, 99]);
  expect([...(await access.read(10, 2))]).toEqual([10, 11]);
  expect((await access.read(200, 10)).length).toBe(0);
  expect(shares).toEqual([1, 0.12]);
  await expect(access.read(0, 10, { signal: AbortSignal.abort() })).rejects.toSatisfy((error) => isRadarError(error, "aborted"));
  await access.close();
  await expect(openFile(path, { signal: AbortSignal.abort() })).rejects.toSatisfy((error) => isRadarError(error, "aborted"));
});
