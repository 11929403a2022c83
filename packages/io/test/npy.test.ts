/** .npy round trips, foreign files built by hand, and hostile ones; PNG checked with an independent decoder. */
import { inflateSync } from "node:zlib";
import { createRandom, type DType, dtypes, isRadarError, type Layout, layout, scalarCount, typedArray } from "@dechirp/core";
import fc from "fast-check";
import { decode } from "fast-png";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { arrayBytes, encodePng, npyHeader, openNpy, readNpy, writeNpy } from "../src/index.ts";
import { ascii, concat, pack } from "./mat-builder.ts";
import { processorMilliseconds } from "./processor-time.ts";
import { cut, randomImage, randomPartition, wholeOf } from "./sink-support.ts";

const file = "x.npy";

function npy(version: number, dictionary: string, data: Uint8Array): Uint8Array {
  const lengthBytes = version === 1 ? 2 : 4;
  const text = new TextEncoder().encode(dictionary);
  const total = Math.ceil((8 + lengthBytes + text.length + 1) / 64) * 64;
  const header = new Uint8Array(total).fill(0x20);
  header.set([0x93, ...ascii("NUMPY"), version, 0]);
  header.set(pack("little", version === 1 ? "u16" : "u32", [total - 8 - lengthBytes]), 8);
  header.set(text, 8 + lengthBytes);
  header[total - 1] = 0x0a;
  return concat(header, data);
}

const dictionary = (descr: string, shape: string, fortran = "False"): string =>
  `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': ${shape}, }`;

const refuse = async (bytes: Uint8Array, expected: RegExp): Promise<void> => {
  try {
    await readNpy(bytes, { file });
  } catch (error) {
    expect(isRadarError(error, "input")).toBe(true);
    expect((error as Error).message).toMatch(/^x\.npy: at byte \d+: expected /);
    expect((error as Error).message).toMatch(expected);
    return;
  }
  throw new Error("read without an error");
};

describe("readNpy and writeNpy", () => {
  const kinds = (Object.keys(dtypes) as DType[]).filter((dtype) => dtype !== "cf16");
  it("restore every dtype and shape", async () => {
    const shapes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...kinds),
        shapes,
        fc.infiniteStream(fc.integer({ min: 0, max: 127 })),
        async (dtype, shape, stream) => {
          const l = layout(dtype, shape);
          const data = typedArray(dtype, scalarCount(l));
          for (let i = 0; i < data.length; i++) data[i] = stream.next().value as number;
          const bytes = writeNpy(l as Layout, data);
          expect(concat(npyHeader(l), arrayBytes(data))).toEqual(bytes);
          const pair = dtype === "ci8" || dtype === "ci16";
          const back = await readNpy(bytes, { file, complexPairs: pair });
          expect(back).toEqual({ layout: l, data });
          if (!pair) return;
          expect((await readNpy(bytes, { file })).layout).toEqual({ dtype: dtype.slice(1), shape: [...shape, 2] });
        },
      ),
      { seed: 1, numRuns: 200 },
    );
  });

  it("read pairs of floats as complex if requested, of either byte order, and leave other last axes alone", async () => {
    const parts = [1, -2.5, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    for (const [code, kind, real, complex] of [
      ["f4", "f32", "f32", "c64"],
      ["f8", "f64", "f64", "c128"],
    ] as const) {
      for (const order of ["little", "big"] as const) {
        const sign = order === "little" ? "<" : ">";
        const bytes = npy(1, dictionary(sign + code, "(2, 3, 2)"), pack(order, kind, parts));
        const pairs = await readNpy(bytes, { file, complexPairs: true });
        expect(pairs.layout).toEqual({ dtype: complex, shape: [2, 3] });
        expect([...pairs.data]).toEqual(parts);
        // The same bytes as NumPy's complex numbers.
        const same = npy(1, dictionary(`${sign}c${2 * Number(code[1])}`, "(2, 3)"), pack(order, kind, parts));
        expect(await readNpy(same, { file, complexPairs: true })).toEqual(pairs);
        expect((await readNpy(bytes, { file })).layout).toEqual({ dtype: real, shape: [2, 3, 2] });
        const other = npy(1, dictionary(sign + code, "(2, 2, 3)"), pack(order, kind, parts));
        expect((await readNpy(other, { file, complexPairs: true })).layout).toEqual({ dtype: real, shape: [2, 2, 3] });
        // Fortran order applies to the stored axes, so the index within a pair varies slowest.
        const turned = [0, 6, 2, 8, 4, 10].flatMap((at) => [parts[at]]).concat([1, 7, 3, 9, 5, 11].map((at) => parts[at]));
        const fortran = npy(1, dictionary(sign + code, "(2, 3, 2)", "True"), pack(order, kind, turned));
        expect([...(await readNpy(fortran, { file, complexPairs: true })).data]).toEqual(parts);
      }
    }
  });

  it("write a header that ends on a multiple of 64 with a newline", () => {
    const header = npyHeader(layout("c64", [1536, 2048]));
    expect(header.length % 64).toBe(0);
    expect(header[header.length - 1]).toBe(0x0a);
    expect(String.fromCharCode(...header.subarray(10))).toMatch(
      /^\{'descr': '<c8', 'fortran_order': False, 'shape': \(1536, 2048\), \} *\n$/,
    );
    expect(String.fromCharCode(...npyHeader(layout("u8", [7])))).toContain("'|u1', 'fortran_order': False, 'shape': (7,)");
  });

  it.each([1, 2, 3])("read version %i, little and big-endian", async (version) => {
    for (const order of ["little", "big"] as const) {
      const sign = order === "little" ? "<" : ">";
      expect(await readNpy(npy(version, dictionary(`${sign}f8`, "(2, 2)"), pack(order, "f64", [1, -2.5, 3, 1e300])), { file })).toEqual({
        layout: { dtype: "f64", shape: [2, 2] },
        data: Float64Array.of(1, -2.5, 3, 1e300),
      });
      expect((await readNpy(npy(version, dictionary(`${sign}c8`, "(1,)"), pack(order, "f32", [1, -2.5])), { file })).data).toEqual(
        Float32Array.of(1, -2.5),
      );
      expect((await readNpy(npy(version, dictionary(`${sign}u4`, "(1,)"), pack(order, "u32", [4e9])), { file })).data).toEqual(
        Uint32Array.of(4e9),
      );
    }
  });

  it("read entries in any order and quotes, and from a misaligned view", async () => {
    const bytes = npy(1, `{"shape": (3,), "descr": "<i2", "fortran_order": False}`, pack("little", "i16", [1, -2, 3]));
    const shifted = concat(new Uint8Array(1), bytes).subarray(1);
    expect(await readNpy(shifted, { file })).toEqual({ layout: { dtype: "i16", shape: [3] }, data: Int16Array.of(1, -2, 3) });
  });

  it("copy data that another thread may change", async () => {
    const bytes = writeNpy(layout("f32", [4]), Float32Array.of(1, 2, 3, 4));
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const { data } = await readNpy(shared, { file });
    shared.fill(0);
    expect(data).toEqual(Float32Array.of(1, 2, 3, 4));
  });

  it("convert Fortran order to row-major order, also for complex numbers and pairs", async () => {
    // a[i][j][k] = 100i + 10j + k of shape [2][3][2], first index fastest.
    const values: number[] = [];
    for (let k = 0; k < 2; k++) for (let j = 0; j < 3; j++) for (let i = 0; i < 2; i++) values.push(100 * i + 10 * j + k);
    const rows: number[] = [];
    for (let i = 0; i < 2; i++) for (let j = 0; j < 3; j++) for (let k = 0; k < 2; k++) rows.push(100 * i + 10 * j + k);
    const shape = "(2, 3, 2)";
    expect((await readNpy(npy(1, dictionary("<i2", shape, "True"), pack("little", "i16", values)), { file })).data).toEqual(
      Int16Array.from(rows),
    );
    expect(await readNpy(npy(1, dictionary("<i2", shape, "True"), pack("little", "i16", values)), { file, complexPairs: true })).toEqual({
      layout: { dtype: "ci16", shape: [2, 3] },
      data: Int16Array.from(rows),
    });
    const twice = (list: number[]): number[] => list.flatMap((x) => [x, -x]);
    expect((await readNpy(npy(1, dictionary("<c8", shape, "True"), pack("little", "f32", twice(values))), { file })).data).toEqual(
      Float32Array.from(twice(rows)),
    );
  });

  it("refuse unsupported types and layouts", async () => {
    const data = pack("little", "f32", [1, 2, 3, 4]);
    await refuse(new Uint8Array(0), /magic/);
    await refuse(ascii("not a npy file at all"), /magic/);
    await refuse(concat(Uint8Array.of(0x93), ascii("NUMPY"), Uint8Array.of(4, 0, 0, 0)), /version/);
    await refuse(npy(1, dictionary("<f4", "(2, 3)"), data), /24 bytes of data/);
    await refuse(npy(1, dictionary("<f4", "(3,)"), data), /12 bytes of data/);
    await refuse(npy(1, dictionary("<f4", "(1000000000000, 1000000000000)"), data), /bytes of data/);
    await refuse(npy(1, dictionary("<f4", "(0, 4)"), new Uint8Array(0)), /positive extents/);
    await refuse(npy(1, dictionary("<f4", "()"), data), /1 to 64 axes/);
    await refuse(npy(1, dictionary("<f4", `(${"1, ".repeat(65)})`), data), /1 to 64 axes/);
    await refuse(npy(2, dictionary("<f4", "(4,)") + " ".repeat(9000), data), /at most 8192 bytes/);
    await refuse(npy(1, dictionary("<f4", "(-4,)"), data), /dictionary/);
    await refuse(npy(1, dictionary("<f4", "(4)"), data), /tuple/);
    await refuse(npy(1, dictionary("<f4", "(2,,2)"), data), /tuple/);
    await refuse(npy(1, dictionary("<f2", "(8,)"), data), /a dtype like/);
    await refuse(npy(1, dictionary("|O", "(4,)"), data), /a dtype like/);
    await refuse(npy(1, dictionary("|f4", "(4,)"), data), /byte order/);
    await refuse(npy(1, dictionary("<i1", "(16,)"), data), /byte order/);
    await refuse(npy(1, `{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4,), }`, data), /dictionary/);
    await refuse(npy(1, dictionary("<f4", "(4,)", "Maybe"), data), /each once/);
    await refuse(npy(1, "{xdescrx: '<f4', 'fortran_order': False, 'shape': (4,)}", data), /each once/);
    await refuse(npy(1, "{'descr': '<f4', 'shape': (4,), }", data), /all of/);
    await refuse(npy(1, "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (4,)}", data), /each once/);
    await refuse(npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), 'x': True}", data), /each once/);
    expect(() => npyHeader(layout("cf16", [2]))).toThrow(/layout\.dtype must be one of/);
    expect(() => writeNpy(layout("f32", [3]), new Float32Array(4))).toThrow(/data must be Float32Array\(3\)/);
    expect(() => writeNpy(layout("f32", [3]), new Float64Array(3) as never)).toThrow(/data must be Float32Array\(3\)/);
  });

  it("fail with the documented error on cut or changed files", async () => {
    const bytes = writeNpy(
      layout("ci8", [3, 4]),
      Int8Array.from({ length: 24 }, (_, i) => i),
    );
    const tame = async (b: Uint8Array): Promise<void> => {
      const read = () =>
        readNpy(b, { file, complexPairs: true }).catch((error) => {
          if (!isRadarError(error, "input")) throw error;
        });
      expect(await processorMilliseconds(read)).toBeLessThan(1000);
    };
    for (let length = 0; length < bytes.length; length++)
      await expect(readNpy(bytes.subarray(0, length), { file })).rejects.toThrow(/x\.npy: at byte/);
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
        const copy = Uint8Array.from(bytes);
        for (const [at, value] of changes) copy[at] = value;
        await tame(copy);
      }),
      { seed: 2, numRuns: 2000 },
    );
    // Headers that would exhaust a backtracking parser.
    for (const piece of ["{", " ", "'a': ", "(1,", "'descr': '<f4',", "1 ,"])
      await tame(npy(2, `{${piece.repeat(8000 / piece.length)}`, new Uint8Array(0)));
  });
});

describe.each(["by Node's zlib", "by a stream, as in pages"])("encodePng, compressed %s", (how) => {
  beforeEach(() => {
    if (how !== "by Node's zlib") vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
  });
  afterEach(() => void vi.restoreAllMocks());

  it("ends at once when a signal fires", async () => {
    const data = new Uint8Array(4 * 1500 * 1500).map((_, i) => (i * 7919) % 251);
    const controller = new AbortController();
    const encoding = encodePng({ width: 1500, height: 1500, data }, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(encoding).rejects.toMatchObject({ code: "aborted" });
    await expect(encodePng({ width: 1500, height: 1500, data }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "aborted",
    });
  });

  it("has several chunks if it is large, and decodes to the same pixels", async () => {
    const random = createRandom(9);
    const data = new Uint8Array(1100 * 900).map(() => 256 * random.uniform());
    const file = Buffer.from(await encodePng({ width: 1100, height: 900, data }));
    expect(file.toString("latin1").split("IDAT").length).toBeGreaterThan(3);
    expect(Buffer.compare(Buffer.from(decode(file).data as Uint8Array), Buffer.from(data))).toBe(0);
  });

  it("writes gray and RGBA images that decode to the same pixels", async () => {
    const gray = Uint8Array.from({ length: 15 }, (_, i) => i * 17);
    const image = decode(await encodePng({ width: 5, height: 3, data: gray }));
    expect([image.width, image.height, image.channels, image.depth]).toEqual([5, 3, 1, 8]);
    expect(Uint8Array.from(image.data)).toEqual(gray);
    const rgba = Uint8ClampedArray.from({ length: 24 }, (_, i) => i * 10);
    const colour = decode(await encodePng({ width: 2, height: 3, data: rgba }));
    expect(colour.channels).toBe(4);
    expect(Array.from(colour.data)).toEqual(Array.from(rgba));
  });

  it("writes pictures that other decoders accept, whatever repeats in them", async () => {
    const { uniform } = createRandom(20);
    const whole = (below: number): number => Math.floor(below * uniform());
    for (let turn = 0; turn < 60; turn++) {
      const [width, height] = [1 + whole(700), 1 + whole(300)];
      // Few gray levels with runs and repetitions, as in a picture with a dark background, so that the compressor refers back.
      const levels = 1 + whole(12);
      const data = new Uint8Array(width * height);
      for (let at = 0; at < data.length; ) {
        const run = 1 + whole(40);
        const from = at - 1 - whole(40_000);
        const copies = from >= 0 && uniform() < 0.5;
        const level = whole(levels);
        for (let i = 0; i < run && at < data.length; i++, at++) data[at] = copies ? data[from + i] : level;
      }
      const file = Buffer.from(await encodePng({ width, height, data }));
      // This decoder checks checksums; zlib checks the compressed data.
      expect(decode(file).width).toBe(width);
      const parts: Buffer[] = [];
      for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
        const length = file.readUInt32BE(at);
        if (file.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(file.subarray(at + 8, at + 8 + length));
      }
      const lines = inflateSync(Buffer.concat(parts));
      expect(lines.length).toBe(height * (1 + width));
      const differing = data.findIndex((level, i) => lines[Math.floor(i / width) * (1 + width) + 1 + (i % width)] !== level);
      expect(differing).toBe(-1);
    }
  });

  it("refuses sides and data that do not fit", async () => {
    for (const width of [0, -1, 1.5, Number.NaN, 1e9])
      await expect(encodePng({ width, height: 1, data: new Uint8Array(1) })).rejects.toThrow(/image\.width must be/);
    await expect(encodePng({ width: 2, height: 2, data: new Uint8Array(5) })).rejects.toThrow(
      /image\.data must be 4 gray bytes or 16 RGBA bytes/,
    );
    await expect(encodePng({ width: 1, height: 1, data: [1] as never })).rejects.toThrow(/image\.data/);
  });
});

describe("windows of .npy files", () => {
  it.each(["c64", "ci8", "u8", "c128"] as const)("have the numbers of the whole array: %s", async (dtype) => {
    const image = layout(dtype, [23, 41]);
    const data = randomImage(image, 3);
    const npy = await openNpy(writeNpy(image, data as never), { file: "a.npy", complexPairs: true });
    for (const window of randomPartition(wholeOf(image), 90, createRandom(4)))
      expect(await npy.window(window)).toEqual(cut(image, data, window));
  });

  it("are cut from Fortran order, and refused outside the array and of other numbers of axes", async () => {
    const open = (bytes: Uint8Array) => openNpy(bytes, { file });
    const fortran = await open(npy(1, dictionary("|u1", "(2, 3)", "True"), Uint8Array.of(0, 1, 2, 3, 4, 5)));
    expect(await fortran.window({ row: 0, column: 1, rows: 2, columns: 2 })).toEqual(Uint8Array.of(2, 4, 3, 5));
    await expect(fortran.window({ row: 0, column: 2, rows: 1, columns: 2 })).rejects.toMatchObject({ fields: { field: "window.columns" } });
    const cube = await open(npy(1, dictionary("|u1", "(1, 2, 3)"), Uint8Array.of(0, 1, 2, 3, 4, 5)));
    await expect(cube.window({ row: 0, column: 0, rows: 1, columns: 1 })).rejects.toMatchObject({ fields: { field: "window" } });
  });
});
