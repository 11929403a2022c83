/**
 * Arguments of the wrong type: every function of this package throws one typed error that names the field, for users without
 * TypeScript.
 */
import { isRadarError, type RadarError } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import * as table from "../src/formats.ts";
import * as io from "../src/index.ts";
import * as node from "../src/node.ts";
import { Mat5 } from "./mat-builder.ts";

const functions: Readonly<Record<string, (...args: never[]) => unknown>> = Object.fromEntries(
  Object.entries({ ...io, ...table, ...node }).filter(([, value]) => typeof value === "function"),
) as never;

async function thrown(work: () => unknown): Promise<RadarError | undefined> {
  try {
    await work();
  } catch (error) {
    if (isRadarError(error)) return error;
    throw error;
  }
  return undefined;
}

const wrong = [undefined, null, 7, "text", true, [], {}, () => 1, Symbol("s"), 7n, Object.create(null), new Map(), Number.NaN];
/** Functions that are called without arguments, and those that take any plain value. */
const without = ["cleanupTemporaries", "canonicalJson", "parametersDigest"];

describe.each(Object.keys(functions).filter((name) => !without.includes(name)))("%s", (name) => {
  const call = functions[name] as (...args: unknown[]) => unknown;
  it("refuses a first argument of any wrong type", async () => {
    for (const value of wrong) {
      // Texts can be paths, names, or JSON; a list can be a list of files.
      if (typeof value === "string" || Array.isArray(value)) continue;
      // An object without files is valid.
      if (name === "placeOf" && typeof value === "object" && value !== null) continue;
      const error = await thrown(() => call(value));
      expect(error, `${name}(${String(typeof value === "object" ? JSON.stringify(value) : typeof value)})`).toBeDefined();
      expect(["input", "layout"]).toContain(error?.code);
      expect(error?.message.length).toBeGreaterThan(10);
    }
    expect(await thrown(() => call())).toBeDefined();
  });
});

const sound = new Mat5("little").file();
const npy = io.writeNpy({ dtype: "f32", shape: [1] }, new Float32Array(1));
const png = { width: 1, height: 1, data: new Uint8Array(1) };
const calls: readonly (readonly [name: string, call: (options: never) => unknown, more: object])[] = [
  ["readNpy", (options) => io.readNpy(npy, options), { file: "x" }],
  ["readMat", (options) => io.readMat(sound, options), { file: "x" }],
  ["parsePerfect", (options) => io.parsePerfect(npy, npy, options), { set: "small" }],
  ["parseGotcha", (options) => io.parseGotcha([], options), {}],
  ["parseRadarsat", (options) => io.parseRadarsat({} as never, options), {}],
  ["encodePng", (options) => io.encodePng(png, options), {}],
  ["encodeScene", (options) => io.encodeScene({} as never, options), {}],
  ["parseScene", (options) => io.parseScene({} as never, {} as never, "x", "y", options), {}],
  ["transposeArray", (options) => io.transposeArray(new Float32Array(1), [1], [0], 1, options), {}],
  ["readScene", (options) => node.readScene("nowhere", options), {}],
  ["readPhaseHistory", (options) => node.readPhaseHistory("nowhere", options), {}],
  ["readArray", (options) => node.readArray("nowhere", options), {}],
  ["readRecording", (options) => node.readRecording("nowhere", options), {}],
  ["formatAt", (options) => node.formatAt("nowhere", options), {}],
  ["readSteeringVectors", (options) => node.readSteeringVectors("nowhere", options), {}],
  ["detectFormat", (options) => table.detectFormat(table.placeOf({}), options), {}],
  ["readRecordingFrom", (options) => table.readRecordingFrom(table.placeOf({}), options), {}],
  ["openFile", (options) => node.openFile("nowhere", options), {}],
  ["readBytes", (options) => node.readBytes("nowhere", options), {}],
];

describe.each(calls)("the options of %s", (_, call, more) => {
  it.each([
    ["signal", 7],
    ["signal", {}],
    ["signal", null],
    ["sginal", new AbortController().signal],
  ])("are refused by name: %s: %s", async (field, value) => {
    const error = await thrown(() => call({ ...more, [field]: value } as never));
    expect(error?.code).toBe("input");
    expect(error?.fields["field"]).toBe(field);
  });
  it("must be an object", async () => {
    for (const value of [null, 7, "text"])
      expect((await thrown(() => call(value as never)))?.message).toMatch(/options of \w+ must be an object/);
  });
});

it.each([
  ["file", () => io.readNpy(npy, {} as never)],
  ["file", () => io.readNpy(npy, { file: 7 } as never)],
  ["file", () => io.readMat(sound, { file: null } as never)],
  ["maxBytes", () => io.readMat(sound, { file: "x", maxBytes: Number.NaN })],
  ["maxBytes", () => io.readMat(sound, { file: "x", maxBytes: "many" as never })],
  ["maxBytes", () => node.openFile("x", { maxBytes: -1 })],
  ["onProgress", () => node.readScene("x", { onProgress: 7 as never })],
  ["agcFile", () => node.readScene("x", { agcFile: 7 as never })],
  ["frequencies", () => io.parseGotcha([], { frequencies: "middle" as never })],
  ["source", () => node.readPhaseHistory([7] as never)],
  ["set", () => node.readArray("x", { set: "toString" as never })],
  ["cpi", () => node.readArray("x", { cpi: 1.5 })],
  ["axes", () => node.readArray("x", { axes: ["range", "range", "pulse"] })],
  ["axes", () => node.readArray("x", { axes: "range" as never })],
  ["axes", () => node.readArray("x", { axes: ["range", "channel", "pulse", "time" as never] })],
  ["kind", () => node.readRecording("x", { kind: "image" as never })],
  ["format", () => node.readRecording("x", { format: "toString" })],
  ["agcFile", () => node.readRecording("x", { agcFile: 7 as never })],
  ["source", () => node.readRecording([])],
  ["file", () => table.placeOf({}, { file: "x" })],
  ["path", () => table.placeOf({}, { path: 7 as never })],
  ["place", () => table.readRecordingFrom({} as never)],
  ["files[0]", () => io.parseGotcha([null] as never)],
  ["scene.raw", () => io.encodeScene({ radar: {}, targets: [], notes: [] } as never)],
  ["image.data", () => io.encodePng({ width: 1, height: 1, data: [1] as never })],
  ["data", () => io.arrayBytes([1] as never)],
  ["permutation", () => io.transposeArray(new Float32Array(4), [2, 2], [0, 0], 1)],
  ["data.length", () => io.transposeArray(new Float32Array(4), [2, 3], [0, 1], 1)],
] as const)("names %s", async (field, work) => {
  const error = await thrown(work);
  expect(error?.code).toBe("input");
  expect(error?.fields["field"]).toBe(field);
});
