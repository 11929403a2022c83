/** The MAT-file reader on files built byte by byte, and on hostile ones. */
import { deflateSync } from "node:zlib";
import { isRadarError, type RadarError } from "@dechirp/core";
import fc from "fast-check";
import { zlibSync } from "fflate";
import { describe, expect, it } from "vitest";
import { type MatFile, type MatStruct, type MatValue, matField, matNumeric, matScalar, matStruct, matText, readMat } from "../src/index.ts";
import { ascii, concat, Mat5, mat4, type Order, pack } from "./mat-builder.ts";

const read = (bytes: Uint8Array, maxBytes?: number): MatFile => readMat(bytes, { file: "x.mat", ...(maxBytes ? { maxBytes } : {}) });

function failure(bytes: Uint8Array, maxBytes?: number): RadarError {
  try {
    read(bytes, maxBytes);
  } catch (error) {
    expect(isRadarError(error, "input")).toBe(true);
    const { fields, message } = error as RadarError;
    expect(fields.file).toBe("x.mat");
    expect(message).toContain("x.mat");
    expect(Number.isInteger(fields.offset)).toBe(true);
    expect(message).toContain(`byte ${fields.offset}`);
    expect(fields.expected).toBeTypeOf("string");
    return error as RadarError;
  }
  throw new Error("read without an error");
}

const orders: Order[] = ["little", "big"];

/** A file with about everything in it. */
function rich(order: Order, compress: boolean): Uint8Array {
  const m = new Mat5(order);
  const wrap = (matrix: Uint8Array): Uint8Array => (compress ? m.compressed(matrix) : matrix);
  const one = (name: string, value: number): Uint8Array => m.real(name, 6, [1, 1], { kind: "u8", values: [value] });
  return m.file(
    wrap(m.real("d", 6, [2, 3], { kind: "f64", values: [1.5, -2, 3, 4, 5, 1e300] })),
    wrap(m.complex("z", 7, [1, 2], { kind: "f32", values: [0.5, 1] }, { kind: "f32", values: [-0.5, 2] })),
    wrap(m.char("t", "hé\u7535")),
    wrap(m.struct("s", [1, 2], ["a", "b"], [one("", 1), m.char("", "x"), one("", 2), m.tag(14, 0)])),
    wrap(m.cell("c", [2, 1], [one("", 7), m.cell("", [1, 1], [m.char("", "deep")])])),
  );
}

describe("version 4", () => {
  it.each(orders)("reads every precision, complex and text, %s-endian", (order) => {
    const mat = read(
      concat(
        mat4(order, "a", 0, "f64", [2, 2], [1.25, -2, 3, 4]),
        mat4(order, "b", 1, "f32", [1, 2], [0.5, -0.25], [8, 9]),
        mat4(order, "c", 2, "i32", [1, 1], [-70000]),
        mat4(order, "d", 3, "i16", [1, 1], [-300]),
        mat4(order, "e", 4, "u16", [1, 1], [60000]),
        mat4(order, "f", 5, "u8", [1, 3], [104, 105, 255]),
        mat4(order, "g", 0, "f64", [1, 2], [72, 105], undefined, 1),
        mat4(order, "h", 0, "f64", [2, 3], [1, 1, 5, 2, 2, 6], undefined, 2),
        mat4(order, "i", 0, "f64", [0, 0], []),
      ),
    );
    expect(mat.version).toBe(4);
    expect(matNumeric(mat, "a")).toEqual({
      kind: "numeric",
      class: "double",
      shape: [2, 2],
      complex: false,
      data: Float64Array.of(1.25, -2, 3, 4),
    });
    expect(matNumeric(mat, "b")).toEqual({
      kind: "numeric",
      class: "single",
      shape: [1, 2],
      complex: true,
      data: Float32Array.of(0.5, 8, -0.25, 9),
    });
    expect([matScalar(mat, "c"), matScalar(mat, "d"), matScalar(mat, "e")]).toEqual([-70000, -300, 60000]);
    expect(matNumeric(mat, "f").data).toEqual(Uint8Array.of(104, 105, 255));
    expect(matText(mat, "g")).toBe("Hi");
    expect(mat.variables.get("h")).toEqual({ kind: "skipped", reason: "sparse matrix" });
    expect(mat.notes).toHaveLength(1);
    expect(matNumeric(mat, "i").data).toHaveLength(0);
  });

  it("refuses VAX numbers and sizes that the file does not have", () => {
    const vax = mat4("little", "a", 0, "f64", [1, 1], [1]);
    vax.set(pack("little", "i32", [2000]));
    expect(failure(vax).message).toContain("VAX");
    const huge = mat4("little", "a", 0, "f64", [1, 1], [1]);
    huge.set(pack("little", "i32", [1_000_000, 1_000_000]), 4);
    expect(failure(huge).fields).toMatchObject({ offset: 22 });
    const negative = mat4("little", "a", 0, "f64", [1, 1], [1]);
    negative.set(pack("little", "i32", [-1]), 4);
    expect(failure(negative).fields).toMatchObject({ offset: 4 });
  });
});

describe("version 5", () => {
  for (const order of orders) {
    for (const compress of [false, true]) {
      it(`reads numbers, text, structs and cells, ${order}-endian${compress ? ", compressed" : ""}`, () => {
        const mat = read(rich(order, compress));
        expect(mat.version).toBe(5);
        expect([...mat.variables.keys()]).toEqual(["d", "z", "t", "s", "c"]);
        expect(matNumeric(mat, "d")).toEqual({
          kind: "numeric",
          class: "double",
          shape: [2, 3],
          complex: false,
          data: Float64Array.of(1.5, -2, 3, 4, 5, 1e300),
        });
        expect(matNumeric(mat, "z")).toEqual({
          kind: "numeric",
          class: "single",
          shape: [1, 2],
          complex: true,
          data: Float32Array.of(0.5, -0.5, 1, 2),
        });
        expect(matText(mat, "t")).toBe("hé\u7535");
        const s = matStruct(mat, "s");
        expect(s.shape).toEqual([1, 2]);
        expect([...s.fields.keys()]).toEqual(["a", "b"]);
        expect([matField(s, "a", 0), matField(s, "a", 1)].map((value) => (value as { data: Uint8Array }).data[0])).toEqual([1, 2]);
        expect(matField(s, "b", 0)).toEqual({ kind: "char", shape: [1, 1], text: "x" });
        expect(matField(s, "b", 1)).toMatchObject({ kind: "numeric", shape: [0, 0] });
        expect(matField(s, "c")).toBeUndefined();
        const c = mat.variables.get("c") as Extract<MatValue, { kind: "cell" }>;
        expect(c.shape).toEqual([2, 1]);
        expect(c.cells[0]).toMatchObject({ kind: "numeric", data: Uint8Array.of(7) });
        expect(c.cells[1]).toMatchObject({ kind: "cell", cells: [{ kind: "char", text: "deep" }] });
      });
    }

    it(`keeps the file's storage type for every class and reads 64-bit integers, ${order}-endian`, () => {
      const m = new Mat5(order);
      const mat = read(
        m.file(
          m.real("narrow", 6, [1, 5], { kind: "i8", values: [-1, 2, -3, 4, 127] }),
          m.complex("mixed", 6, [1, 2], { kind: "i8", values: [1, -2] }, { kind: "i16", values: [300, -400] }),
          m.real("i32", 12, [1, 2], { kind: "i32", values: [-(2 ** 31), 5] }),
          m.real("u32", 13, [1, 1], { kind: "u32", values: [2 ** 32 - 1] }),
          m.real("i64", 14, [1, 2], { kind: "i64", values: [-(2n ** 53n) + 1n, 7n] }),
          m.real("u64", 15, [1, 1], { kind: "u64", values: [2n ** 63n] }),
          m.real("yes", 9, [1, 2], { kind: "u8", values: [1, 0] }, true),
          m.char("utf8", "caf\u00e9", "utf8"),
        ),
      );
      expect(matNumeric(mat, "narrow")).toMatchObject({ class: "double", data: Int8Array.of(-1, 2, -3, 4, 127) });
      expect(matNumeric(mat, "mixed").data).toEqual(Float64Array.of(1, 300, -2, -400));
      expect(matNumeric(mat, "i32").data).toEqual(Int32Array.of(-(2 ** 31), 5));
      expect(matScalar(mat, "u32")).toBe(2 ** 32 - 1);
      expect(matNumeric(mat, "i64").data).toEqual(Float64Array.of(-(2 ** 53) + 1, 7));
      expect(mat.variables.get("u64")).toMatchObject({ kind: "skipped" });
      expect(matNumeric(mat, "yes").class).toBe("logical");
      expect(matText(mat, "utf8")).toBe("café");
    });
  }

  it.each(orders)("reads struct arrays within structs within cells, %s-endian", (order) => {
    const m = new Mat5(order);
    const one = (value: number): Uint8Array => m.real("", 6, [1, 1], { kind: "f32", values: [value] });
    const inner = m.struct("", [1, 2], ["a", "b"], [one(1), m.tag(14, 0), one(2), m.struct("", [1, 1], ["deep"], [one(3)])]);
    const cell = m.cell("c", [1, 2], [m.struct("", [1, 1], ["first", "inner"], [one(0), inner]), one(4)]);
    const { cells } = read(m.file(cell)).variables.get("c") as Extract<MatValue, { kind: "cell" }>;
    const found = matField(cells[0] as MatStruct, "inner") as MatStruct;
    expect(found.shape).toEqual([1, 2]);
    expect(found.fields.get("a")).toMatchObject([{ data: Float32Array.of(1) }, { data: Float32Array.of(2) }]);
    expect(matField(found, "b")).toMatchObject({ kind: "numeric", shape: [0, 0] });
    expect(matField(matField(found, "b", 1) as MatStruct, "deep")).toMatchObject({ data: Float32Array.of(3) });
    expect(cells[1]).toMatchObject({ data: Float32Array.of(4) });
  });

  it("reads the same from a view into a larger buffer", () => {
    const bytes = rich("little", true);
    const padded = concat(new Uint8Array(3), bytes, new Uint8Array(5));
    expect(read(padded.subarray(3, 3 + bytes.length)).variables).toEqual(read(bytes).variables);
    expect(read(Buffer.from(padded).subarray(3, 3 + bytes.length)).variables).toEqual(read(bytes).variables);
  });

  it("skips sparse matrices, objects and function handles with a note", () => {
    const m = new Mat5("little");
    const opaque = concat(
      m.element(6, pack("little", "u32", [17, 0])),
      m.element(1, ascii("o")),
      m.element(1, ascii("MCOS")),
      m.element(1, ascii("string")),
    );
    const mat = read(
      m.file(
        m.matrix(5, [3, 3], "sp", m.numbers({ kind: "i32", values: [0, 1] })),
        m.matrix(16, [1, 1], "fn", m.cell("", [0, 0], [])),
        m.matrix(3, [1, 1], "ob"),
        concat(m.tag(14, opaque.length), opaque),
        m.real("after", 6, [1, 1], { kind: "u8", values: [3] }),
      ),
    );
    for (const name of ["sp", "fn", "ob", "o"]) expect(mat.variables.get(name)?.kind).toBe("skipped");
    expect(mat.notes).toHaveLength(4);
    expect(matScalar(mat, "after")).toBe(3);
    expect(() => matScalar(mat, "sp")).toThrow(/x\.mat: variable sp must be a real scalar, not sparse matrix/);
  });

  it("names what is wrong with a variable that is asked for", () => {
    const mat = read(rich("little", false));
    expect(() => matScalar(mat, "d")).toThrow(/variable d must be a real scalar, not double \[2, 3\]/);
    expect(() => matScalar(mat, "nope")).toThrow(/variable nope .* absent$/);
    expect(() => matText(mat, "d")).toThrow(/one row of text/);
    expect(() => matStruct(mat, "d")).toThrow(/a struct/);
    expect(() => matNumeric(mat, "t")).toThrow(/a numeric array, not char/);
  });
});

describe("files that are none, or lie", () => {
  const m = new Mat5("little");

  it("names HDF5-based files", () => {
    const bytes = m.file();
    bytes.set(pack("little", "u16", [0x0200]), 124);
    expect(failure(bytes).message).toContain("7.3 (HDF5)");
    expect(failure(concat(Uint8Array.of(0x89), ascii("HDF\r\n\x1a\n"), new Uint8Array(600))).message).toContain("7.3 (HDF5)");
    expect(failure(concat(bytes, new Uint8Array(384), Uint8Array.of(0x89), ascii("HDF\r\n\x1a\n"))).message).toContain("7.3 (HDF5)");
  });

  it("refuses what is no MAT-file", () => {
    failure(new Uint8Array(0));
    failure(ascii("hello"));
    failure(new Uint8Array(1000).fill(65));
    failure(new Uint8Array(1000));
    const version = m.file();
    version.set(pack("little", "u16", [0x0300]), 124);
    expect(failure(version).fields.offset).toBe(124);
  });

  it("refuses 10^12 elements without allocating them", () => {
    const matrix = m.real("x", 6, [1, 1], { kind: "f64", values: [1] });
    const dims = concat(matrix);
    dims.set(pack("little", "i32", [1_000_000, 1_000_000]), 32);
    for (const bytes of [m.file(dims), m.file(m.compressed(dims))]) {
      expect(failure(bytes).fields).toMatchObject({ expected: expect.stringContaining("8000000000000 bytes of the real part") });
    }
    for (const classCode of [1, 2]) {
      const list = classCode === 1 ? m.cell("x", [1_000_000, 1_000_000], []) : m.struct("x", [1_000_000, 1_000_000], ["a"], []);
      expect(failure(m.file(list)).fields.expected).toContain("1000000000000 array elements");
    }
  });

  it("refuses a compressed variable that states more than deflate can stand for", () => {
    const matrix = m.real("x", 6, [1, 1], { kind: "f64", values: [1] });
    matrix.set(pack("little", "u32", [0xfffffff0]), 4);
    const error = failure(m.file(m.compressed(matrix)));
    expect(error.fields.expected).toMatch(/at most \d+ bytes in \d+ compressed bytes/);
    expect(error.fields.offset).toBe(136);
  });

  it("stops a zip bomb at its stated size and at maxBytes", () => {
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
      const start = performance.now();
      expect(failure(bomb, maxBytes).fields.expected).toContain(expected);
      expect(performance.now() - start).toBeLessThan(1000);
    }
  });

  it("bounds what many small values cost", () => {
    const cells = m.cell(
      "x",
      [1, 10_000],
      Array.from({ length: 10_000 }, () => m.real("", 6, [1, 1], { kind: "u8", values: [1] })),
    );
    expect(failure(m.file(m.compressed(cells)), 2 << 20).fields.expected).toContain("at most 2097152 bytes of decoded data");
    const empty = m.cell("x", [1, 10_000], new Array<Uint8Array>(10_000).fill(m.tag(14, 0)));
    expect(failure(m.file(m.compressed(empty)), 2 << 20).fields.expected).toContain("at most 2097152 bytes of decoded data");
  });

  it("bounds what field names, texts and empty variables cost", () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `f${i}`);
    const expected = "at most 2097152 bytes of decoded data";
    for (const bytes of [
      m.file(m.compressed(m.struct("s", [0, 0], names, []))),
      m.file(m.char("t", "x".repeat(1_200_000), "utf8")),
      m.file(...Array.from({ length: 100 }, (_, i) => m.compressed(m.real(`v${i}`, 6, [1, 1], { kind: "f64", values: [1] })))),
      concat(...Array.from({ length: 10_000 }, (_, i) => mat4("little", `v${i}`, 0, "f64", [0, 0], []))),
    ])
      expect(failure(bytes, 2 << 20).fields.expected).toContain(expected);
  });

  it("refuses elements that are longer than what they are in", () => {
    const cell = m.cell("c", [1, 1], [m.real("", 6, [1, 1], { kind: "f64", values: [1] })]);
    const view = new DataView(cell.buffer);
    const child = cell.length - 64;
    expect(view.getUint32(child, true)).toBe(14);
    view.setUint32(child + 4, 56 + 64, true);
    const bytes = m.file(cell, m.char("behind", "x".repeat(100)));
    expect(failure(bytes).fields).toMatchObject({ expected: "an element of at most 56 bytes", actual: 120 });
  });

  it("refuses dimensions and names that are none", () => {
    const huge = m.real("x", 6, [2 ** 31 - 1, 2 ** 31 - 1, 8], { kind: "f64", values: [1] });
    expect(failure(m.file(huge)).fields.expected).toContain("a product below 2^53");
    const named = mat4("little", "name", 0, "f64", [1, 1], [1]);
    named.set(pack("little", "i32", [1000]), 16);
    expect(failure(named).fields).toMatchObject({ expected: "the length of a name inside the file", actual: 1000 });
  });

  it("refuses a damaged compressed variable by its checksum", () => {
    const bytes = m.file(m.compressed(m.real("x", 6, [1, 1], { kind: "f64", values: [1] })));
    bytes[bytes.length - 1] ^= 1;
    expect(failure(bytes).fields.expected).toContain("Adler-32");
    const cut = zlibSync(m.real("x", 6, [1, 300], { kind: "f64", values: Array.from({ length: 300 }, (_, i) => Math.sin(i)) })).subarray(
      0,
      900,
    );
    failure(m.file(concat(m.tag(15, cut.length), cut)));
  });

  it("bounds nesting", () => {
    let nest = m.char("", "x");
    for (let i = 0; i < 100; i++) nest = m.cell("", [1, 1], [nest]);
    expect(failure(m.file(m.cell("deep", [1, 1], [nest]))).fields.expected).toContain("nested");
  });

  it("refuses field names that repeat or hide", () => {
    const empty = m.tag(14, 0);
    failure(m.file(m.struct("s", [1, 1], ["a", "a"], [empty, empty])));
    failure(m.file(m.struct("s", [1, 1], [""], [empty])));
    const odd = matStruct(read(m.file(m.struct("s", [1, 1], ["__proto__"], [empty]))), "s");
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
  /** Reads or fails with the one error, within a second and within memory that the bytes can justify. */
  const tame = (bytes: Uint8Array): void => {
    const start = performance.now();
    try {
      read(bytes);
    } catch (error) {
      if (!isRadarError(error, "input")) throw error;
      if (!Number.isInteger(error.fields.offset)) throw new Error(`no offset: ${error.message}`);
    }
    expect(performance.now() - start).toBeLessThan(1000);
  };

  it.each(samples)("%s cut at every byte reads fewer variables or fails", (_, bytes) => {
    const all = read(bytes).variables.size;
    for (let length = 0; length < bytes.length; length++) {
      tame(bytes.subarray(0, length));
      let count = 0;
      try {
        count = read(bytes.subarray(0, length)).variables.size;
      } catch {
        // The error's type is checked above.
      }
      // Only padding at the very end may be missing.
      if (bytes.length - length >= 8) expect(count).toBeLessThan(all);
    }
  });

  it.each(samples)("%s with bytes changed never fails otherwise", (_, bytes) => {
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255)));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const copy = Uint8Array.from(bytes);
        for (const [at, value] of changes) copy[at] = value;
        tame(copy);
      }),
      { seed: 5, numRuns: 600 },
    );
  });

  it.each(orders)("damage inside a compressed variable never fails otherwise, %s-endian", (order) => {
    const m = new Mat5(order);
    const matrix = m.struct(
      "s",
      [1, 1],
      ["a", "b"],
      [m.char("", "abc"), m.cell("", [1, 2], [m.tag(14, 0), m.real("", 6, [2, 2], { kind: "f32", values: [1, 2, 3, 4] })])],
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(matrix.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), (changes) => {
        const copy = Uint8Array.from(matrix);
        for (const [at, value] of changes) copy[at] = value;
        tame(m.file(m.compressed(copy)));
      }),
      { seed: 6, numRuns: 600 },
    );
  });

  it("any bytes at all are read or refused", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => tame(bytes)),
      { seed: 7, numRuns: 500 },
    );
    const header = new Mat5("little").file();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => tame(concat(header, bytes))),
      { seed: 8, numRuns: 500 },
    );
  });
});
