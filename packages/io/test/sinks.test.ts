/** Images in random parts and orders: what is read back, with our reader and with zarrita, and every wrong argument and fault. */
import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom, type DType, isRadarError, type Layout, layout } from "@dechirp/core";
import type { ImageWindow } from "@dechirp/radar";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as zarr from "zarrita";
import { createNpySink, type ImageSink, readNpy, writeNpy } from "../src/index.ts";
import { geoTiffSink, npySink, writeFolderAtomically, zarrSink } from "../src/node.ts";
import { npyHeaderOf, npyTypes } from "../src/npy.ts";
import { zarrTypes } from "../src/zarr-chunks.ts";
import { cut, randomImage, randomPartition, wholeOf } from "./sink-support.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "dechirp-sink-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "nothing was refused",
    (error) => `${isRadarError(error) ? error.code : "no RadarError"} ${error.fields?.field ?? error.fields?.reason ?? ""}`.trim(),
  );

async function writeAll(sink: ImageSink, image: ReturnType<typeof randomImage>, parts: readonly ImageWindow[], together: boolean) {
  const writes: Promise<void>[] = [];
  for (const part of parts) {
    writes.push(sink.write(part, cut(sink.layout, image, part)));
    if (!together) await writes.at(-1);
  }
  await Promise.all(writes);
}

const cases = (types: readonly DType[]) =>
  fc.record({
    dtype: fc.constantFrom(...types),
    rows: fc.integer({ min: 1, max: 70 }),
    columns: fc.integer({ min: 1, max: 70 }),
    seed: fc.integer({ min: 1, max: 1e6 }),
    most: fc.integer({ min: 1, max: 900 }),
    together: fc.boolean(),
    digest: fc.constantFrom(undefined, "d"),
  });

/** Reads the image of a store with zarrita: its numbers and its shape. */
async function readZarr(path: string, version: "v2" | "v3") {
  const root = zarr.root({
    get: (key: string) =>
      readFile(join(path, key)).then(
        (bytes) => new Uint8Array(bytes),
        () => undefined,
      ),
  });
  const open = version === "v3" ? zarr.open.v3 : (zarr.open.v2 as typeof zarr.open.v3);
  const group = await open(root, { kind: "group" });
  const array = await open(group.resolve("image"), { kind: "array" });
  const { data, shape } = await zarr.get(array);
  return { group, array, data: data as ArrayLike<number>, shape };
}

describe("npySink", () => {
  it("writes the bytes of writeNpy, whatever the parts and their order, and nothing else", async () => {
    let turn = 0;
    await fc.assert(
      fc.asyncProperty(cases(npyTypes), async ({ dtype, rows, columns, seed, most, together, digest }) => {
        const l: Layout = layout(dtype, [rows, columns]);
        const image = randomImage(l, seed);
        const path = join(dir, "new", `${turn++}.npy`);
        const sink = await npySink.open(path, l, {}, { ...(digest && { digest }), syncBytes: 1 + (seed % 5000) });
        await writeAll(sink, image, randomPartition(wholeOf(l), most, createRandom(seed)), together);
        expect(await readdir(join(dir, "new"))).not.toContain(`${turn - 1}.npy`);
        await sink.finish();
        expect(sink.written()).toEqual([wholeOf(l)]);
        expect(new Uint8Array(await readFile(path))).toEqual(writeNpy(l, image));
        expect((await readdir(join(dir, "new"))).filter((name) => name.startsWith("."))).toEqual([]);
        expect(await refusal(sink.finish())).toBe("disposed");
      }),
      { seed: 3, numRuns: 60 },
    );
  });

  it("replaces a file when it is complete, and leaves it if it is aborted", async () => {
    const path = join(dir, "a.npy");
    await writeFile(path, "old");
    const l = layout("f32", [4, 3]);
    const image = randomImage(l, 5);
    const first = await npySink.open(path, l);
    await first.write(wholeOf(l), image);
    await first.abort();
    await first.abort();
    expect([await readFile(path, "utf8"), await readdir(dir)]).toEqual(["old", ["a.npy"]]);
    const second = await npySink.open(path, l);
    await second.write(wholeOf(l), image);
    await second.finish();
    expect((await readNpy(await readFile(path), { file: path })).data).toEqual(image);
  });

  it("has headers of images of more than 2^32 elements, and positions beyond 4 GiB", async () => {
    const [rows, columns] = [3_000_000, 200_000];
    const header = String.fromCharCode(...npyHeaderOf({ dtype: "c64", shape: [rows, columns] }));
    expect(header).toContain("'shape': (3000000, 200000)");
    const at: number[] = [];
    const target = { write: (place: number, bytes: Uint8Array) => void at.push(place, place + bytes.length) };
    const sink = await createNpySink(target, { dtype: "c64", shape: [rows, columns] });
    await sink.write({ row: rows - 1, column: columns - 2, rows: 1, columns: 2 }, Float32Array.of(1, 2, 3, 4));
    expect(at.at(-1)).toBe(header.length + 8 * rows * columns);
    expect(await refusal(createNpySink(target, { dtype: "c64", shape: [2 ** 30, 2 ** 30] }))).toBe("input layout.shape");
    // In a real file, which is sparse.
    const path = join(dir, "large.npy");
    const large: Layout = { dtype: "u8", shape: [70_000, 70_000] };
    const file = await npySink.open(path, large);
    await file.write({ row: 69_999, column: 69_996, rows: 1, columns: 4 }, Uint8Array.of(1, 2, 3, 4));
    await file.abort();
    expect(await readdir(dir)).toEqual([]);
  });
});

describe("createNpySink", () => {
  it("writes to a target that takes few bytes at a time, later, or returns nothing", async () => {
    const l = layout("ci16", [37, 23]);
    const image = randomImage(l, 9);
    const { uniform } = createRandom(9);
    for (const kind of ["counts", "promises", "silent"] as const) {
      const bytes = new Uint8Array(writeNpy(l, image).length);
      let flushed = 0;
      const target = {
        write(at: number, part: Uint8Array): unknown {
          const count = kind === "silent" ? part.length : 1 + Math.floor(uniform() * part.length);
          bytes.set(part.subarray(0, Math.min(count, part.length)), at);
          return kind === "silent" ? undefined : kind === "counts" ? count : Promise.resolve(count);
        },
        flush: () => void flushed++,
      };
      const sink = await createNpySink(target, l);
      await writeAll(sink, image, randomPartition(wholeOf(l), 50, createRandom(2)), false);
      await sink.finish();
      expect([bytes, flushed]).toEqual([writeNpy(l, image), 1]);
    }
  });

  it("fails once with the error of the target, and only abort is left", async () => {
    const l = layout("f32", [4, 4]);
    for (const [fault, wanted] of [
      [() => Promise.reject(new Error("disk full")), "failed"],
      [() => 0, "input"],
    ] as const) {
      let calls = 0;
      const sink = await createNpySink({ write: () => (calls++ === 0 ? undefined : fault()) }, l);
      const writes = [0, 1, 2].map((row) => refusal(sink.write({ row, column: 0, rows: 1, columns: 4 }, new Float32Array(4))));
      expect(await Promise.all(writes)).toEqual([wanted, wanted, wanted]);
      expect([await refusal(sink.write({ row: 3, column: 0, rows: 1, columns: 4 }, new Float32Array(4))), calls]).toEqual([wanted, 2]);
      await sink.abort();
      expect(await refusal(sink.finish())).toBe("disposed");
    }
    expect(await refusal(createNpySink({} as never, l))).toBe("input target");
  });
});

describe("zarrSink", () => {
  it("writes what zarrita reads, of both versions, whatever the parts and their order", async () => {
    let turn = 0;
    await fc.assert(
      fc.asyncProperty(cases(zarrTypes), async ({ dtype, rows, columns, seed, most, together, digest }) => {
        const l: Layout = layout(dtype, [rows, columns]);
        const image = randomImage(l, seed);
        const { uniform } = createRandom(seed);
        const chunk = [1 + Math.floor(uniform() * rows), 1 + Math.floor(uniform() * columns)] as const;
        const path = join(dir, `${turn++}.zarr`);
        const options = { ...(digest && { digest }), ...(uniform() < 0.8 && { chunk }) };
        const sink = await zarrSink.open(path, l, { units: "V" }, options);
        await writeAll(sink, image, randomPartition(wholeOf(l), most, createRandom(seed)), together);
        await sink.finish();
        for (const version of ["v3", "v2"] as const) {
          const { data, shape } = await readZarr(path, version);
          expect(shape).toEqual(dtype.startsWith("c") ? [rows, columns, 2] : [rows, columns]);
          expect(data).toEqual(image);
        }
        expect((await readdir(path)).sort()).toEqual([".zattrs", ".zgroup", "image", "zarr.json"]);
      }),
      { seed: 4, numRuns: 40 },
    );
    expect((await readdir(dir)).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("stores axes, units and provenance, also what is known only at the end", async () => {
    const l = layout("c64", [3, 5]);
    const axes = [
      { name: "azimuth", unit: "s", first: -1.5, step: 0.002 },
      { name: "slant range", unit: "m", first: 8000, step: 2.5 },
    ] as const;
    const path = join(dir, "a.zarr");
    const sink = await zarrSink.open(path, l, { axes, units: "V", provenance: { run: 1 } });
    await sink.write(wholeOf(l), randomImage(l, 1) as Float32Array);
    await sink.finish({ metadata: { provenance: { run: 1, entropy: 9.5 } } });
    const { group, array } = await readZarr(path, "v3");
    expect(group.attrs).toEqual({ dechirp: { image: 1, dtype: "c64" }, axes, units: "V", provenance: { run: 1, entropy: 9.5 } });
    expect(array.attrs).toEqual({ units: "V" });
    const document = JSON.parse(await readFile(join(path, "image", "zarr.json"), "utf8"));
    expect(document.dimension_names).toEqual(["azimuth", "slant range", "complex"]);
  });

  it("keeps one row of chunks in memory if rows come in order, and refuses more than its limit", async () => {
    const l = layout("f32", [64, 64]);
    const options = { chunk: [16, 16], maxBufferedBytes: 4 * 16 * 16 * 4 } as const;
    const image = randomImage(l, 3);
    const rows = await zarrSink.open(join(dir, "a.zarr"), l, {}, options);
    for (let row = 0; row < 64; row++)
      await rows.write({ row, column: 0, rows: 1, columns: 64 }, image.subarray(64 * row, 64 * (row + 1)) as never);
    await rows.finish();
    expect((await readZarr(join(dir, "a.zarr"), "v3")).data).toEqual(image);
    const columns = await zarrSink.open(join(dir, "b.zarr"), l, {}, { ...options, maxBufferedBytes: 0 });
    await columns.write({ row: 0, column: 0, rows: 1, columns: 4 }, new Float32Array(4));
    expect(await refusal(columns.write({ row: 0, column: 20, rows: 1, columns: 4 }, new Float32Array(4)))).toBe("input maxBufferedBytes");
    // A sink without a digest removes everything when it fails.
    expect(await readdir(dir)).toEqual(["a.zarr"]);
  });

  it("refuses folders that it did not make, and replaces complete stores only on request", async () => {
    const l = layout("u8", [2, 2]);
    const path = join(dir, "a.zarr");
    await mkdir(path);
    const first = await zarrSink.open(path, l);
    expect(await refusal(zarrSink.open(path, l))).toBe("input resume");
    await first.write(wholeOf(l), Uint8Array.of(1, 2, 3, 4));
    await first.finish();
    await expect(zarrSink.open(path, l)).rejects.toThrow(/a\.zarr: must be absent, .* not a complete store of dechirp \(see replace\)/);
    const second = await zarrSink.open(path, l, {}, { replace: true });
    await second.write(wholeOf(l), Uint8Array.of(5, 6, 7, 8));
    await second.finish();
    expect(Array.from((await readZarr(path, "v3")).data)).toEqual([5, 6, 7, 8]);
    await mkdir(join(dir, "b"));
    await writeFile(join(dir, "b", "precious"), "");
    await expect(zarrSink.open(join(dir, "b"), l, {}, { replace: true })).rejects.toThrow(/not a folder with other files/);
    await writeFile(join(dir, "c"), "");
    await expect(zarrSink.open(join(dir, "c"), l)).rejects.toThrow(/c: must be a folder or absent, not a file/);
    expect(await readdir(join(dir, "b"))).toEqual(["precious"]);
  });
});

describe.each([
  ["npySink", npySink],
  ["zarrSink", zarrSink],
] as const)("%s", (_, format) => {
  const l = layout("c64", [8, 6]);
  const part = { row: 1, column: 2, rows: 2, columns: 3 };

  it("reads back what is written, also what an earlier run has written", async () => {
    let turn = 0;
    await fc.assert(
      fc.asyncProperty(cases(["c64", "f32", "ci16", "u8"]), async ({ dtype, rows, columns, seed, most, together }) => {
        const l: Layout = layout(dtype, [rows, columns]);
        const image = randomImage(l, seed);
        const path = join(dir, `${turn++}`);
        const random = createRandom(seed);
        const parts = randomPartition(wholeOf(l), most, random);
        const check = async (sink: ImageSink): Promise<void> => {
          for (const window of sink.written()) {
            for (const part of randomPartition(window, most, random)) {
              const found = await sink.read(part);
              expect(new Uint8Array(found.buffer)).toEqual(new Uint8Array(cut(l, image, part).buffer));
            }
          }
        };
        const how =
          format.name === "npy" ? { digest: "d", syncBytes: 1 } : { digest: "d", chunk: [Math.min(rows, 9), Math.min(columns, 7)] };
        const first = await format.open(path, l, {}, how as never);
        await writeAll(first, image, parts.slice(0, Math.ceil(parts.length / 2)), together);
        await check(first);
        // A file can be read as soon as it is written, a store when its chunks are complete.
        if (format.name === "npy") {
          for (const part of parts.slice(0, Math.ceil(parts.length / 2)))
            expect(new Uint8Array((await first.read(part)).buffer)).toEqual(new Uint8Array(cut(l, image, part).buffer));
          if (parts.length > 1) expect(await refusal(first.read(wholeOf(l)))).toBe("input window");
        } else if (first.written().length === 0) expect(await refusal(first.read(wholeOf(l)))).toBe("input window");
        await first.abort({ keep: true });
        const second = await format.open(path, l, {}, { ...how, resume: true } as never);
        await check(second);
        await second.abort();
      }),
      { seed: 4, numRuns: 25 },
    );
  });

  it("refuses bad arguments with one error that names the field, and leaves nothing behind", async () => {
    const path = join(dir, "image");
    const open = (...args: unknown[]): Promise<unknown> => (format.open as (...all: unknown[]) => Promise<unknown>)(...args);
    const opened: readonly (readonly [args: readonly unknown[], field: string])[] = [
      [[7, l], "path"],
      [[path, undefined], "layout"],
      [[path, { dtype: "cf16", shape: [1, 1] }], "layout.dtype"],
      [[path, { dtype: "f32", shape: [1, 1, 1] }], "layout.shape"],
      [[path, { dtype: "f32", shape: [0, 1] }], "layout.shape"],
      [[path, { dtype: "c64", shape: [2 ** 30, 2 ** 21] }], "layout.shape"],
      [[path, l, { axis: 1 }], "metadata.axis"],
      [[path, l, { axes: [{ name: "a", first: 0, step: 1 }] }], "metadata.axes"],
      [[path, l, { axes: [{ name: "", first: 0, step: 1 }, {}] }], "metadata.axes[0].name"],
      [[path, l, { provenance: { at: [1, Number.NaN] } }], "metadata.provenance.at[1]"],
      [[path, l, {}, { digst: "a" }], "digst"],
      [[path, l, {}, { resume: true }], "digest"],
      [[path, l, {}, { signal: 1 }], "signal"],
    ];
    for (const [args, field] of opened) expect([args, await refusal(open(...args))]).toEqual([args, `input ${field}`]);
    expect(await readdir(dir)).toEqual([]);

    const sink = await format.open(path, l);
    const write = (window: unknown, data: unknown): Promise<string> => refusal(sink.write(window as ImageWindow, data as Float32Array));
    expect(await write(undefined, new Float32Array(12))).toBe("input window");
    expect(await write({ ...part, rows: 8 }, new Float32Array(48))).toBe("input window.rows");
    expect(await write({ ...part, column: 0.5 }, new Float32Array(12))).toBe("input window.column");
    expect(await write(part, new Float64Array(12))).toBe("input data");
    expect(await write(part, [1])).toBe("input data");
    expect(await write(part, new Float32Array(11))).toBe("input data.length");
    expect(await write(part, new Float32Array(12))).toBe("nothing was refused");
    expect(await write({ ...part, row: 2 }, new Float32Array(12))).toBe("input window");
    await expect(sink.finish()).rejects.toThrow(/complete before it is finished; rows 0…0, columns 0…5 are missing/);
    expect(await refusal(sink.finish({ metadata: { units: 1 as never } }))).toBe("input metadata.units");
    expect(await refusal(sink.abort({ keep: true }))).toBe("input keep");
    await sink.write({ row: 0, column: 0, rows: 1, columns: 6 }, new Float32Array(12));
    await sink.abort();
    expect(await write(part, new Float32Array(12))).toBe("disposed");
    expect(await readdir(dir)).toEqual([]);
  });

  it("rejects with aborted when a signal fires, before and while it writes, and removes what is partial", async () => {
    const signal = AbortSignal.abort();
    expect(await refusal(format.open(join(dir, "image"), l, {}, { signal }))).toBe("aborted");
    const big = layout("c64", [3000, 1000]);
    const sink = await format.open(join(dir, "image"), big);
    expect(await refusal(sink.write({ row: 0, column: 0, rows: 1, columns: 1 }, new Float32Array(2), { signal }))).toBe("aborted");
    const control = new AbortController();
    // Rows of .npy files that are not whole, and whole chunks, take several writes.
    const columns = format === npySink ? 999 : 1000;
    const most = { row: 0, column: 0, rows: 2999, columns };
    const data = new Float32Array(2 * 2999 * columns);
    const write = refusal(sink.write(most, data, { signal: control.signal }));
    setTimeout(() => control.abort(), 1);
    expect(await write).toBe("aborted");
    expect(await refusal(sink.finish())).not.toBe("nothing was refused");
    expect(await readdir(dir)).toEqual([]);
    const other = await format.open(join(dir, "image"), big);
    const stopped = refusal(other.write(most, data));
    await other.abort();
    expect([await stopped, await readdir(dir)]).toEqual(["aborted", []]);
  });

  it.skipIf(process.platform === "win32")("explains what the system refuses, and leaves nothing", async () => {
    await writeFile(join(dir, "file"), "");
    await mkdir(join(dir, "closed"));
    await chmod(join(dir, "closed"), 0o500);
    const root = process.getuid?.() === 0;
    if (!root) expect(await refusal(format.open(join(dir, "closed", "image"), l))).toBe("input EACCES");
    expect(await refusal(format.open(join(dir, "file", "image"), l))).toBe("input ENOTDIR");
    expect(await refusal(format.open(join(dir, "n".repeat(300)), l))).toBe("input ENAMETOOLONG");
    expect(await refusal(format.open("/proc/nothing/image", l))).toBe("input ENOENT");
    if (format === npySink) expect(await refusal(format.open(join(dir, "closed"), l))).toBe("input EISDIR");
    expect((await readdir(dir)).sort()).toEqual(["closed", "file"]);
    await chmod(join(dir, "closed"), 0o700);
  });
});

it.skipIf(process.platform === "win32")("never replace a pipe or a device, and replace a link itself", async () => {
  execFileSync("mkfifo", [join(dir, "pipe")]);
  const shape = layout("c64", [2, 3]);
  for (const format of [npySink, geoTiffSink]) expect(await refusal(format.open(join(dir, "pipe"), shape))).toBe("input EEXIST");
  expect(await refusal(writeFolderAtomically(dir, { pipe: new Uint8Array(1) }))).toBe("input EEXIST");
  expect((await lstat(join(dir, "pipe"))).isFIFO()).toBe(true);
  // A pipe that appears meanwhile stays, too.
  const sink = await npySink.open(join(dir, "late"), shape);
  await sink.write({ row: 0, column: 0, rows: 2, columns: 3 }, new Float32Array(12));
  execFileSync("mkfifo", [join(dir, "late")]);
  expect(await refusal(sink.finish())).toBe("input EEXIST");
  expect((await lstat(join(dir, "late"))).isFIFO()).toBe(true);
  await symlink(join(dir, "pipe"), join(dir, "link"));
  const through = await npySink.open(join(dir, "link"), shape);
  await through.write({ row: 0, column: 0, rows: 2, columns: 3 }, new Float32Array(12));
  await through.finish();
  expect((await lstat(join(dir, "link"))).isFile()).toBe(true);
  expect((await readdir(dir)).sort()).toEqual(["late", "link", "pipe"]);
});
