/** Random access: every source gives the same bytes as memory, and a source that changes is refused. */

import { appendFile, mkdir, mkdtemp, rename, rm, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom, dtypes, isRadarError, type Layout, scalarCount, typedArray } from "@dechirp/core";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBlob, openBytes, openNpy, openUrl, type RandomAccess, readNpy, transposeArray, writeNpy } from "../src/index.ts";
import { openFile, readScene } from "../src/node.ts";
import { concat } from "./mat-builder.ts";
import { refusal } from "./refusal.ts";
import { noiseRadar } from "./scene-support.ts";

const random = createRandom(17);
const content = Uint8Array.from({ length: 2 ** 16 + 7 }, () => 256 * random.uniform());
let dir: string;
let url: string;
const server = createServer((request, response) => {
  const [, first, last] = /=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? [];
  const [from, to] = [Number(first), Math.min(Number(last) + 1, content.length)];
  response.writeHead(206, { "Content-Range": `bytes ${from}-${to - 1}/${content.length}`, ETag: '"x"' });
  response.end(content.subarray(from, to));
});
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "dechirp-access-"));
  await writeFile(join(dir, "content"), content);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/content`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(dir, { recursive: true, force: true });
});

const sources: Readonly<Record<string, () => Promise<RandomAccess>>> = {
  // As Buffers of Node are: a part of a larger one.
  openBytes: async () => openBytes(Buffer.concat([Buffer.of(1, 2, 3), content]).subarray(3), { name: "content" }),
  "openBlob of a Blob": async () => openBlob(new Blob([content.subarray(0, 999), content.subarray(999)]), { name: "content" }),
  "openBlob of a File": async () => openBlob(new File([content], "content")),
  openFile: () => openFile(join(dir, "content")),
  openUrl: () => openUrl(url, { blockBytes: 4096, cacheBytes: 2 ** 15 }),
};

it.each(Object.entries(sources))("%s gives the bytes of memory for random ranges", async (_, open) => {
  const access = await open();
  expect(access.name.endsWith("content")).toBe(true);
  expect(access.size).toBe(content.length);
  const place = fc.tuple(fc.nat(content.length + 5), fc.oneof(fc.nat(20), fc.nat(20_000)));
  await fc.assert(
    fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 5 }), async (places) => {
      await Promise.all(
        places.map(async ([at, length]) => {
          const bytes = await access.read(at, length);
          expect(Buffer.from(bytes).equals(content.subarray(at, at + length))).toBe(true);
          // The bytes belong to the caller.
          bytes.fill(0);
        }),
      );
    }),
    { seed: 5, numRuns: 60 },
  );
  await expect(access.read(0, 10, { signal: AbortSignal.abort() })).rejects.toSatisfy((error) => isRadarError(error, "aborted"));
  await access.close();
  await access.close();
});

it("a file that shrinks after it was opened is refused, naming it, and a closed one is not read", async () => {
  const path = join(dir, "shrinks");
  await writeFile(path, content);
  const access = await openFile(path);
  await truncate(path, 1000);
  expect(await access.read(0, 1000)).toEqual(content.slice(0, 1000));
  const { message, fields } = await refusal(() => access.read(500, 1000));
  expect(message).toBe(
    `${path}: at byte 1000: expected ${content.length} bytes, as there were when it was opened, found the end of the file`,
  );
  expect(fields["file"]).toBe(path);
  await access.close();
  await expect(access.read(0, 1)).rejects.toSatisfy((error) => isRadarError(error, "disposed"));
});

it("a file that is written again after it was opened is refused, one that grows or is replaced by another is not", async () => {
  const path = join(dir, "changes");
  await writeFile(path, content);
  const access = await openFile(path);
  await appendFile(path, "more");
  expect(await access.read(0, content.length + 4)).toEqual(content);
  await access.close();
  await truncate(path, content.length);
  const again = await openFile(path);
  await writeFile(join(dir, "other"), content.slice(1));
  await rename(join(dir, "other"), path);
  expect(await again.read(5, 1000)).toEqual(content.slice(5, 1005));
  await again.close();
  await writeFile(path, content);
  const last = await openFile(path);
  expect(await last.read(0, 10)).toEqual(content.slice(0, 10));
  await new Promise((resolve) => setTimeout(resolve, 20));
  await writeFile(path, "x", { flag: "r+" });
  const { message, fields } = await refusal(() => last.read(0, 10));
  expect(message).toBe(`${path}: the file has changed since it was opened`);
  expect(fields).toMatchObject({ file: path, reason: "changed" });
  await last.close();
});

it("a Blob that can no longer be read is refused, and one that is slow ends with the signal", async () => {
  const broken = Object.assign(new Blob([content]), { slice: () => ({ arrayBuffer: () => Promise.reject(new Error("gone")) }) });
  expect((await refusal(() => openBlob(broken as never, { name: "a.npy" }).read(0, 5))).message).toMatch(
    /^a\.npy: can't read it: the file has changed/,
  );
  const short = Object.assign(new Blob([content]), { slice: () => new Blob(["ab"]) });
  expect((await refusal(() => openBlob(short).read(0, 5))).message).toMatch(/^blob: at byte 2: expected/);
  const slow = Object.assign(new Blob([content]), { slice: () => ({ arrayBuffer: () => new Promise(() => {}) }) });
  const ended = openBlob(slow as never).read(0, 5, { signal: AbortSignal.timeout(20) });
  await expect(ended).rejects.toSatisfy((error) => isRadarError(error, "aborted"));
});

it.each(["bytes", "blob"] as const)("names wrong arguments of %s", async (field) => {
  const open = (value: unknown, options?: unknown) => (field === "bytes" ? openBytes : openBlob)(value as never, options as never);
  for (const value of [undefined, 7, "x", {}, [1]]) expect((await refusal(async () => open(value))).fields["field"]).toBe(field);
  const good = field === "bytes" ? content : new Blob([content]);
  expect((await refusal(async () => open(good, { name: 7 }))).fields["field"]).toBe("name");
  expect((await refusal(async () => open(good, { nmae: "x" }))).fields["field"]).toBe("nmae");
});

/** A big-endian or Fortran-order file of the same array. */
async function variant(layout: Layout, data: ReturnType<typeof typedArray>, order: ">" | "<", fortran: boolean): Promise<Uint8Array> {
  const { shape, dtype } = layout;
  const back = shape.map((_, axis) => shape.length - 1 - axis);
  const stored = fortran ? await transposeArray(data, shape, back, dtypes[dtype].components) : data;
  const body = new Uint8Array(stored.slice().buffer);
  const word = stored.BYTES_PER_ELEMENT;
  if (order === ">") for (let at = 0; at < body.length; at += word) body.subarray(at, at + word).reverse();
  const code = `${word === 1 ? "|" : order}${{ c64: "c8", c128: "c16", i16: "i2", i8: "i1", f64: "f8" }[dtype as "c64"]}`;
  const text = `{'descr': '${code}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': (${shape.join(", ")},), }`;
  const header = Uint8Array.of(0x93, ...Buffer.from("NUMPY"), 1, 0, text.length & 255, text.length >> 8, ...Buffer.from(text));
  return concat(header, body);
}

it("openNpy gives the rows that readNpy gives, of every type, order and source", async () => {
  const kinds = fc.constantFrom("c64", "c128", "i16", "i8", "f64");
  const shapes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      kinds,
      shapes,
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      fc.nat(),
      fc.nat(),
      async (dtype, shape, big, fortran, pairs, a, b) => {
        const layout = { dtype, shape: pairs ? [...shape, 2] : shape } as Layout;
        const data = typedArray(layout.dtype, scalarCount(layout));
        for (let i = 0; i < data.length; i++) data[i] = Math.round(200 * random.uniform() - 100);
        const bytes = await variant(layout, data, big ? ">" : "<", fortran);
        const whole = await readNpy(bytes, { file: "x", complexPairs: pairs });
        const path = join(dir, "array.npy");
        await writeFile(path, bytes);
        const file = await openFile(path);
        const [total] = whole.layout.shape;
        const from = a % total;
        const count = 1 + (b % (total - from));
        const perRow = whole.data.length / total;
        for (const source of [bytes, file, openBlob(new Blob([bytes as Uint8Array<ArrayBuffer>]))]) {
          const npy = await openNpy(source, { file: "x", complexPairs: pairs });
          expect(npy.layout).toEqual(whole.layout);
          expect(await npy.rows(from, count)).toEqual(whole.data.slice(from * perRow, (from + count) * perRow));
        }
        // A file is read into memory of the caller, also if threads share it.
        const shared = new SharedArrayBuffer(8 + perRow * count * whole.data.BYTES_PER_ELEMENT);
        const into = new dtypes[dtype as Layout["dtype"]].array(shared as unknown as ArrayBuffer, 8);
        const npy = await openNpy(file, { file: "x", complexPairs: pairs });
        const read = await npy.rows(from, count, { into });
        expect(read).toEqual(whole.data.slice(from * perRow, (from + count) * perRow));
        if (!(fortran && layout.shape.length > 1)) expect(read.buffer).toBe(into.buffer);
        expect((await refusal(() => npy.rows(from, count, { into: into.subarray(1) as typeof into }))).fields["field"]).toBe("into");
        expect((await refusal(() => npy.rows(from, count, { into: new Uint8Array(into.length) }))).fields["field"]).toBe("into");
        await file.close();
      },
    ),
    { seed: 3, numRuns: 80 },
  );
});

it("a scene of a .npy file reads into memory that it is given, unless it converts samples", async () => {
  const radar = { ...noiseRadar };
  for (const dtype of ["c64", "ci16", "ci8", "c128"] as const) {
    const folder = join(dir, `scene-${dtype}`);
    const data = typedArray(dtype, 2 * 4 * 50).map(() => Math.round(100 * random.uniform()));
    await mkdir(folder);
    const pairs = { c64: "c64", ci16: "i16", ci8: "i8", c128: "c128" } as const;
    const shape = dtype === "ci16" || dtype === "ci8" ? [4, 50, 2] : [4, 50];
    await writeFile(join(folder, "raw.npy"), writeNpy({ dtype: pairs[dtype], shape } as Layout, data as never));
    await writeFile(
      join(folder, "scene.json"),
      JSON.stringify({ format: "dechirp-scene", version: 1, name: "a", radar, raw: "raw.npy", targets: [] }),
    );
    await using scene = await readScene(folder);
    const into = new dtypes[scene.dtype].array(2 * 2 * 50) as Float32Array;
    const read = await scene.pulses(1, 2, { into });
    expect(Array.from(read)).toEqual(Array.from(data.subarray(100, 300)));
    expect(scene.readsInto).toBe(dtype === "c128" ? undefined : true);
    expect(read.buffer === into.buffer).toBe(dtype !== "c128");
  }
});

it("openNpy refuses rows that are not there, a file that shrinks, and reads files beyond 2^32 elements", async () => {
  const bytes = writeNpy({ dtype: "c64", shape: [4, 3] }, new Float32Array(24));
  const npy = await openNpy(bytes, { file: "x.npy" });
  for (const [from, count, field] of [
    [-1, 1, "from"],
    [4, 1, "from"],
    [0, 5, "count"],
    [3, 2, "count"],
    [0, 0, "count"],
    [0.5, 1, "from"],
  ] as const)
    expect((await refusal(() => npy.rows(from, count))).fields["field"]).toBe(field);
  await expect(npy.rows(0, 1, { signal: AbortSignal.abort() })).rejects.toSatisfy((error) => isRadarError(error, "aborted"));
  const path = join(dir, "large.npy");
  const rows = 2 ** 33;
  const text = `{'descr': '|i1', 'fortran_order': False, 'shape': (${rows}, 2), }`;
  const header = Uint8Array.of(0x93, ...Buffer.from("NUMPY"), 1, 0, text.length, 0, ...Buffer.from(text));
  await writeFile(path, header);
  await truncate(path, header.length + 2 * rows);
  const file = await openFile(path, { maxBytes: 2 ** 40 });
  const large = await openNpy(file, { file: path, complexPairs: true });
  expect(large.layout).toEqual({ dtype: "ci8", shape: [rows] });
  expect(await large.rows(rows - 3, 3)).toEqual(new Int8Array(6));
  await truncate(path, header.length + rows);
  expect((await refusal(() => large.rows(rows - 3, 3))).message).toMatch(/large\.npy: at byte \d+: expected \d+ bytes, as there were/);
  await file.close();
});
