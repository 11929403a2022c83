/** SICD files in Node: they appear when they are complete, runs go on after a stop at any time, and large ones need little memory. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "@dechirp/core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openFile, sicdSink } from "../src/node.ts";
import { openSicd } from "../src/sicd.ts";
import { refusal } from "./refusal.ts";
import { knownBackprojection, slantSteps } from "./sicd-support.ts";
import { created, layoutOf, sicdFile } from "./sicd-target.ts";
import { cut, randomPartition, wholeOf } from "./sink-support.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dechirp-sicd-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const known = knownBackprojection(slantSteps, { side: "left" });
const layout = layoutOf(known);
const parts = randomPartition(wholeOf(layout), 700, createRandom(3));
const open = (options = {}, metadata = known.metadata) => sicdSink.open(join(folder, "a.nitf"), layout, metadata, { created, ...options });

it("makes the file that the sink of any target makes, in one step", async () => {
  const sink = await open({ syncBytes: 5000 });
  for (const part of parts) await sink.write(part, cut(layout, known.data, part));
  const back = (await sink.read(parts[3])) as Float32Array;
  const expected = cut(layout, known.data, parts[3]) as Float32Array;
  expect(Math.max(...back.map((x, i) => Math.abs(x - expected[i])))).toBeLessThan(3e-7);
  expect(readdirSync(folder)).not.toContain("a.nitf");
  await sink.finish();
  expect(readdirSync(folder)).toEqual(["a.nitf"]);
  expect(Buffer.compare(readFileSync(join(folder, "a.nitf")), await sicdFile(known))).toBe(0);
});

it("goes on where an earlier run stopped, also if it was stopped while it completed the file", async () => {
  const digest = "of the run";
  const first = await open({ digest });
  for (const part of parts.slice(0, 9)) await first.write(part, cut(layout, known.data, part));
  await first.abort({ keep: true });
  const data = join(folder, ".a.nitf.partial", "image");
  truncateSync(data, statSync(data).size + 90_000);
  const second = await open({ digest, resume: true });
  expect(parts.filter((part) => second.has(part))).toHaveLength(9);
  for (const part of parts.slice(9)) await second.write(part, cut(layout, known.data, part));
  await second.finish();
  expect(Buffer.compare(readFileSync(join(folder, "a.nitf")), await sicdFile(known))).toBe(0);
  expect(readdirSync(folder)).toEqual(["a.nitf"]);
});

it("does not go on if pixels would be stored in another order or with another carrier", async () => {
  const digest = "of the run";
  await (await open({ digest })).abort({ keep: true });
  const { collection } = known.metadata;
  const other = { ...collection, processing: { ...collection.processing, seconds: [1.1, 2] as const } };
  const { fields } = await refusal(() => open({ digest, resume: true }, { ...known.metadata, collection: other }));
  expect(fields.field).toBe("resume");
});

it("writes a part of 12 GB in two segments at its place, and reads it", async () => {
  const [rows, columns] = [30_000, 50_000];
  const large = { dtype: "c64", shape: [rows, columns] } as const;
  const placement = { ...known.metadata.placement } as Extract<NonNullable<typeof known.metadata.placement>, { kind: "plane" }>;
  const scale = (v: readonly [number, number, number]) => v.map((x) => x * 0.01) as unknown as typeof v;
  const fine = { ...placement, rowStepMeters: scale(placement.rowStepMeters), columnStepMeters: scale(placement.columnStepMeters) };
  const path = join(folder, "large.nitf");
  const sink = await sicdSink.open(path, large, { ...known.metadata, placement: fine }, { created });
  const values = new Float32Array(2 * 200 * 100).map((_, i) => Math.sin(i));
  const corners = [0, rows - 200].flatMap((row) => [0, columns - 100].map((column) => ({ row, column, rows: 200, columns: 100 })));
  for (const window of corners) await sink.write(window, values);
  for (const window of corners) {
    const back = (await sink.read(window)) as Float32Array;
    expect(back.every((x, i) => Math.abs(x - values[i]) < 3e-7)).toBe(true);
  }
  expect(statSync(join(folder, readdirSync(folder)[0], "image")).size).toBeGreaterThan(8 * rows * columns);
  await sink.abort();
  expect(readdirSync(folder)).toEqual([]);
});

it("reads files by parts", async () => {
  const sink = await open();
  for (const part of parts) await sink.write(part, cut(layout, known.data, part));
  await sink.finish();
  const access = await openFile(join(folder, "a.nitf"));
  const image = await openSicd(access, { file: "a.nitf" });
  expect(await image.read({ row: 5, column: 6, rows: 7, columns: 8 })).toHaveLength(112);
  await access.close();
});

it("names what is wrong", async () => {
  expect((await refusal(() => open({ version: "1.1.0" }))).fields.field).toBe("version");
  expect((await refusal(() => open({ chunk: [1, 1] }))).message).toContain("chunk");
  expect((await refusal(() => open({}, { collection: known.metadata.collection }))).fields.field).toBe("metadata.placement");
  const floats = { dtype: "f32", shape: [4, 4] } as const;
  expect((await refusal(() => sicdSink.open(join(folder, "b"), floats, known.metadata))).fields.field).toBe("layout.dtype");
});
