/**
 * Bytes that are not a MAT-file or contain false statements: each is refused with one error that names file and position, and can't
 * make the reader allocate much memory.
 */
import { once } from "node:events";
import { constants, createDeflate, deflateSync } from "node:zlib";
import { isRadarError } from "@dechirp/core";
import fc from "fast-check";
import { zlibSync } from "fflate";
import { describe, expect, it } from "vitest";
import { matStruct } from "../src/index.ts";
import { ascii, concat, Mat5, mat4, type Order, pack } from "./mat-builder.ts";
import { failure, orders, read, rich } from "./mat-support.ts";
import { processorMilliseconds } from "./processor-time.ts";

describe("files that are not MAT-files, or contain false statements", () => {
  const m = new Mat5("little");

  it("refuses what is not a MAT-file", async () => {
    await failure(new Uint8Array(0));
    await failure(ascii("hello"));
    await failure(new Uint8Array(1000).fill(65));
    await failure(new Uint8Array(1000));
    const version = m.file();
    version.set(pack("little", "u16", [0x0300]), 124);
    expect((await failure(version)).fields.offset).toBe(124);
  });

  it("refuses 10^12 elements without allocating them", async () => {
    const matrix = m.real("x", 6, [1, 1], { kind: "f64", values: [1] });
    const dims = concat(matrix);
    dims.set(pack("little", "i32", [1_000_000, 1_000_000]), 32);
    for (const bytes of [m.file(dims), m.file(m.compressed(dims))]) {
      expect((await failure(bytes)).fields).toMatchObject({ expected: expect.stringContaining("8000000000000 bytes of the real part") });
    }
    for (const classCode of [1, 2]) {
      const list = classCode === 1 ? m.cell("x", [1_000_000, 1_000_000], []) : m.struct("x", [1_000_000, 1_000_000], ["a"], []);
      expect((await failure(m.file(list))).fields.expected).toContain("1000000000000 array elements");
    }
  });

  it("refuses a compressed variable that states more than deflate can expand to", async () => {
    const matrix = m.real("x", 6, [1, 1], { kind: "f64", values: [1] });
    matrix.set(pack("little", "u32", [0xfffffff0]), 4);
    const error = await failure(m.file(m.compressed(matrix)));
    expect(error.fields.expected).toMatch(/at most \d+ bytes in \d+ compressed bytes/);
    expect(error.fields.offset).toBe(136);
  });

  it("reads a compressed variable that was flushed after every byte, or not compressed at all", async () => {
    const values = Array.from({ length: 20_000 }, (_, i) => Math.sin(i));
    const matrix = m.real("x", 6, [1, values.length], { kind: "f64", values });
    const flushed = createDeflate({ level: 0 });
    const parts: Uint8Array[] = [];
    flushed.on("data", (part: Uint8Array) => parts.push(part));
    const bytes = matrix.subarray(0, 40_000);
    for (const byte of bytes) {
      flushed.write(Uint8Array.of(byte));
      await new Promise<void>((resolve) => flushed.flush(constants.Z_FULL_FLUSH, resolve));
    }
    flushed.end(matrix.subarray(bytes.length));
    await once(flushed, "end");
    for (const packed of [concat(...parts), deflateSync(matrix, { level: 0 })]) {
      const { variables } = await read(m.file(concat(m.tag(15, packed.length), packed)));
      expect(variables.get("x")).toMatchObject({ data: Float64Array.from(values) });
    }
  });

  it("stops a zip bomb at its stated size and at maxBytes", async () => {
    const bombOf = (stated: number): Uint8Array => {
      const zeros = new Uint8Array(64 << 20);
      zeros.set(m.tag(14, stated));
      const packed = deflateSync(zeros, { level: 9 });
      return m.file(concat(m.tag(15, packed.length), packed));
    };
    const liar = bombOf(8192);
    const honest = bombOf((64 << 20) - 8);
    expect(liar.length).toBeLessThan(100_000);
    for (const [bomb, maxBytes, expected] of [
      [liar, undefined, "at most 8208 inflated bytes"],
      [honest, 1 << 20, "at most 1048576 bytes"],
    ] as const) {
      const fails = async () => expect((await failure(bomb, maxBytes)).fields.expected).toContain(expected);
      expect(await processorMilliseconds(fails)).toBeLessThan(1000);
    }
  });

  it("limits the memory of many small values", async () => {
    const cells = m.cell(
      "x",
      [1, 10_000],
      Array.from({ length: 10_000 }, () => m.real("", 6, [1, 1], { kind: "u8", values: [1] })),
    );
    expect((await failure(m.file(m.compressed(cells)), 2 << 20)).fields.expected).toContain("at most 2097152 bytes of decoded data");
    const empty = m.cell("x", [1, 10_000], new Array<Uint8Array>(10_000).fill(m.tag(14, 0)));
    expect((await failure(m.file(m.compressed(empty)), 2 << 20)).fields.expected).toContain("at most 2097152 bytes of decoded data");
  });

  it("limits the memory of field names, texts and empty variables", async () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `f${i}`);
    const expected = "at most 2097152 bytes of decoded data";
    for (const bytes of [
      m.file(m.compressed(m.struct("s", [0, 0], names, []))),
      m.file(m.char("t", "x".repeat(1_200_000), "utf8")),
      m.file(...Array.from({ length: 100 }, (_, i) => m.compressed(m.real(`v${i}`, 6, [1, 1], { kind: "f64", values: [1] })))),
      concat(...Array.from({ length: 10_000 }, (_, i) => mat4("little", `v${i}`, 0, "f64", [0, 0], []))),
    ])
      expect((await failure(bytes, 2 << 20)).fields.expected).toContain(expected);
  });

  it("refuses elements that are longer than their container", async () => {
    const cell = m.cell("c", [1, 1], [m.real("", 6, [1, 1], { kind: "f64", values: [1] })]);
    const view = new DataView(cell.buffer);
    const child = cell.length - 64;
    expect(view.getUint32(child, true)).toBe(14);
    view.setUint32(child + 4, 56 + 64, true);
    const bytes = m.file(cell, m.char("behind", "x".repeat(100)));
    expect((await failure(bytes)).fields).toMatchObject({ expected: "an element of at most 56 bytes", actual: 120 });
  });

  it("refuses invalid dimensions and names", async () => {
    const huge = m.real("x", 6, [2 ** 31 - 1, 2 ** 31 - 1, 8], { kind: "f64", values: [1] });
    expect((await failure(m.file(huge))).fields.expected).toContain("a product below 2^53");
    const named = mat4("little", "name", 0, "f64", [1, 1], [1]);
    named.set(pack("little", "i32", [1000]), 16);
    expect((await failure(named)).fields).toMatchObject({ expected: "the length of a name inside the file", actual: 1000 });
  });

  it("refuses a damaged compressed variable by its checksum", async () => {
    const bytes = m.file(m.compressed(m.real("x", 6, [1, 1], { kind: "f64", values: [1] })));
    bytes[bytes.length - 1] ^= 1;
    expect((await failure(bytes)).fields.expected).toContain("Adler-32");
    const cut = zlibSync(m.real("x", 6, [1, 300], { kind: "f64", values: Array.from({ length: 300 }, (_, i) => Math.sin(i)) })).subarray(
      0,
      900,
    );
    await failure(m.file(concat(m.tag(15, cut.length), cut)));
  });

  it("limits nesting", async () => {
    let nest = m.char("", "x");
    for (let i = 0; i < 100; i++) nest = m.cell("", [1, 1], [nest]);
    expect((await failure(m.file(m.cell("deep", [1, 1], [nest])))).fields.expected).toContain("nested");
  });

  it("refuses field names that repeat or are empty", async () => {
    const empty = m.tag(14, 0);
    await failure(m.file(m.struct("s", [1, 1], ["a", "a"], [empty, empty])));
    await failure(m.file(m.struct("s", [1, 1], [""], [empty])));
    const odd = matStruct(await read(m.file(m.struct("s", [1, 1], ["__proto__"], [empty]))), "s");
    expect([...odd.fields.keys()]).toEqual(["__proto__"]);
  });
});

describe("hostile bytes", () => {
  const v4 = (order: Order): Uint8Array =>
    concat(
      mat4(order, "abc", 0, "f64", [2, 2], [1, 2, 3, 4], [5, 6, 7, 8]),
      mat4(order, "t", 5, "u8", [1, 3], [104, 105, 33], undefined, 1),
    );
  const samples: [string, Uint8Array][] = orders.flatMap((order): [string, Uint8Array][] => [
    [`v4 ${order}`, v4(order)],
    [`v5 ${order}`, rich(order, false)],
    [`v5 ${order} compressed`, rich(order, true)],
  ]);
  /** Must succeed or fail with that error, within a second and within memory that the bytes can justify. */
  const tame = async (bytes: Uint8Array): Promise<void> => {
    const reads = () =>
      read(bytes).catch((error) => {
        if (!isRadarError(error, "input")) throw error;
        if (!Number.isInteger(error.fields.offset)) throw new Error(`no offset: ${error.message}`);
      });
    expect(await processorMilliseconds(reads)).toBeLessThan(1000);
  };

  it.each(samples)("%s cut at every byte reads fewer variables or fails", async (_, bytes) => {
    const all = (await read(bytes)).variables.size;
    for (let length = 0; length < bytes.length; length++) {
      await tame(bytes.subarray(0, length));
      let count = 0;
      try {
        count = (await read(bytes.subarray(0, length))).variables.size;
      } catch {
        // The error's type is checked above.
      }
      // Only padding at the very end may be missing.
      if (bytes.length - length >= 8) expect(count).toBeLessThan(all);
    }
  });

  it.each(samples)("%s with changed bytes never fails with another error", async (_, bytes) => {
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255)));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        const copy = Uint8Array.from(bytes);
        for (const [at, value] of changes) copy[at] = value;
        await tame(copy);
      }),
      { seed: 5, numRuns: 600 },
    );
  });

  it.each(orders)("damage inside a compressed variable never causes another error, %s-endian", async (order) => {
    const m = new Mat5(order);
    const matrix = m.struct(
      "s",
      [1, 1],
      ["a", "b"],
      [m.char("", "abc"), m.cell("", [1, 2], [m.tag(14, 0), m.real("", 6, [2, 2], { kind: "f32", values: [1, 2, 3, 4] })])],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(matrix.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), async (changes) => {
        const copy = Uint8Array.from(matrix);
        for (const [at, value] of changes) copy[at] = value;
        await tame(m.file(m.compressed(copy)));
      }),
      { seed: 6, numRuns: 600 },
    );
  });

  it("random bytes are read or refused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), (bytes) => tame(bytes)),
      { seed: 7, numRuns: 500 },
    );
    const header = new Mat5("little").file();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), (bytes) => tame(concat(header, bytes))),
      { seed: 8, numRuns: 500 },
    );
  });
});
