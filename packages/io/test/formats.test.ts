/** Compares the README's tables with the code: every reader and writer is listed, and limits and dtypes are correct. */
import { readFileSync } from "node:fs";
import { isRadarError } from "@dechirp/core";
import { expect, it } from "vitest";
import * as cphd from "../src/cphd.ts";
import * as table from "../src/formats.ts";
import * as geotiff from "../src/geotiff.ts";
import * as io from "../src/index.ts";
import * as info from "../src/info.ts";
import * as node from "../src/node.ts";
import * as sicd from "../src/sicd.ts";
import { ascii, concat, Mat5, mat4, pack } from "./mat-builder.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const [, files] = readme.split("## Files");
const rows = [...files.matchAll(/^\| (?!Format)(.+) \|$/gm)].map(([, row]) => row.split(" | "));
const row = (format: string): readonly string[] => rows.find(([name]) => name.startsWith(format)) ?? [];
const exported: Readonly<Record<string, unknown>> = { ...io, ...table, ...node, ...cphd, ...geotiff, ...sicd, ...info };

const reading = /^(read(?!Consistently)|open|parse|parseGotcha|parsePerfect|parseRadarsat|readRecordingFrom|parseScene)/;
const writing = /^(write|encode|npyHeader|arrayBytes|encodeScene)/;

it("has five cells for each file format (npm run check compares the table of recordings)", () => {
  expect(rows.length).toBe(10);
  for (const cells of rows) expect(cells).toHaveLength(5);
});

it("names every reader and every writer, and no others", () => {
  const [, formats] = readme.split("## Recordings");
  const [told] = formats.split("The .npy format has no complex int8");
  const named = new Set([...told.matchAll(/`(?:await )?([a-z]+[A-Z][a-zA-Z]*)(?=[`(])/g)].map(([, name]) => name));
  const known = Object.keys(exported).filter((name) => reading.test(name) || writing.test(name));
  expect(known.filter((name) => !named.has(name) && !told.includes(`${name}(`))).toEqual([]);
  const options = ["maxBytes"];
  expect([...named].filter((name) => exported[name] === undefined && !options.includes(name) && !/^Array/.test(name))).toEqual([]);
});

const refused = async (work: () => unknown, expected: RegExp): Promise<void> => {
  try {
    await work();
  } catch (error) {
    expect(isRadarError(error, "input")).toBe(true);
    expect((error as Error).message).toMatch(expected);
    return;
  }
  throw new Error("not refused");
};

const file = "x";
const m = new Mat5("little");

it("is correct about MATLAB files", async () => {
  expect(row("MATLAB 5")[4]).toBe("32 dimensions, 64 nested arrays; 1 GiB decoded (`maxBytes`)");
  const of = (dimensions: number): Uint8Array => m.file(m.real("a", 6, new Array(dimensions).fill(1), { kind: "u8", values: [1] }));
  expect((await io.readMat(of(32), { file })).variables.size).toBe(1);
  await refused(() => io.readMat(of(33), { file }), /2 to 32 dimensions/);
  const nested = (depth: number): Uint8Array => {
    let cell = m.real("", 6, [1, 1], { kind: "u8", values: [1] });
    for (let i = 0; i < depth; i++) cell = m.cell(i === depth - 1 ? "a" : "", [1, 1], [cell]);
    return m.file(cell);
  };
  expect((await io.readMat(nested(64), { file })).variables.size).toBe(1);
  await refused(() => io.readMat(nested(65), { file }), /at most 64 nested arrays/);
  expect(row("MATLAB 5")[3]).toContain("64-bit integers beyond ±2^53 are skipped with a note");
  const wide = await io.readMat(m.file(m.real("a", 14, [1, 1], { kind: "i64", values: [2n ** 53n] })), { file });
  expect([wide.variables.get("a")?.kind, wide.notes.length]).toEqual(["skipped", 1]);
  expect(row("MATLAB 4")[3]).toContain("VAX and Cray");
  for (const machine of [2000, 3000, 4000]) {
    const bytes = mat4("little", "a", 0, "f64", [1, 1], [1]);
    bytes.set(pack("little", "i32", [machine]));
    await refused(() => io.readMat(bytes, { file }), /VAX|Cray/);
  }
});

it("is correct about .npy files", async () => {
  const [, read, , , limits] = row(".npy");
  const npy = (descr: string, shape: string, data: Uint8Array): Uint8Array => {
    const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }`;
    return concat(Uint8Array.of(0x93), ascii("NUMPY"), Uint8Array.of(1, 0), pack("little", "u16", [text.length]), ascii(text), data);
  };
  const dtypes = /`(f4 [^`]+)`/.exec(read)?.[1].split(" ") ?? [];
  expect(dtypes).toHaveLength(8);
  for (const kind of "fciub") {
    for (const size of [1, 2, 4, 8, 16]) {
      const order = size === 1 ? "|" : "<";
      const work = () => io.readNpy(npy(`${order}${kind}${size}`, "(1,)", new Uint8Array(size)), { file });
      if (dtypes.includes(`${kind}${size}`)) expect((await work()).data.byteLength).toBe(size);
      else await refused(work, /a dtype like/);
    }
  }
  expect(limits).toBe("64 axes, 8192 bytes of header, 2^32 elements (`openNpy`: 2^53 bytes)");
  const axes = (n: number) => () => io.readNpy(npy("|u1", `(${"1, ".repeat(n)})`, new Uint8Array(1)), { file });
  expect((await axes(64)()).layout.shape).toHaveLength(64);
  await refused(axes(65), /1 to 64 axes/);
  await refused(() => io.readNpy(npy("|u1", `(1,)${" ".repeat(8192)}`, new Uint8Array(1)), { file }), /at most 8192 bytes/);
});

it("is correct about the limits of the other formats", async () => {
  expect(row("PNG")[4]).toBe("65535 pixels per side");
  expect((await io.encodePng({ width: 65535, height: 1, data: new Uint8Array(65535) })).length).toBeGreaterThan(0);
  await refused(() => io.encodePng({ width: 65536, height: 1, data: new Uint8Array(65536) }), /from 1 to 65535/);
  expect(row("scene.json")[4]).toBe("16 MiB, 4096 characters of a text");
  await refused(() => io.parseSceneDescription(" ".repeat(2 ** 24 + 1), file), /^x: must be at most 16777216 characters long/);
  await refused(() => io.parseSceneDescription(" ".repeat(2 ** 24), file), /not JSON/);
  const scene = (name: string): string =>
    JSON.stringify({ format: "dechirp-scene", version: 1, name, radar: {}, raw: "a.npy", targets: [] });
  await refused(() => io.parseSceneDescription(scene("n".repeat(4097)), file), /name must be at most 4096 characters/);
  await refused(() => io.parseSceneDescription(scene("n".repeat(4096)), file), /radar/);
  const perfect = table.formats.find(({ name }) => name === "perfect-stap");
  expect(perfect?.reads).toContain(
    `of the ${Object.keys(io.perfectSizes)
      .join(", ")
      .replace(/, (\w+)$/, " or $1")} set`,
  );
});
