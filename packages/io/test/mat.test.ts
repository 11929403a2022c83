/** The MAT-file reader on files built byte by byte. Hostile files are in mat-hostile.test.ts. */
import { describe, expect, it } from "vitest";
import { type MatStruct, type MatValue, matField, matNumeric, matScalar, matStruct, matText } from "../src/index.ts";
import { ascii, concat, Mat5, mat4, pack } from "./mat-builder.ts";
import { failure, orders, read, rich } from "./mat-support.ts";

describe("version 4", () => {
  it.each(orders)("reads every precision, complex and text, %s-endian", async (order) => {
    const mat = await read(
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

  it("refuses VAX numbers and sizes that the file does not have", async () => {
    const vax = mat4("little", "a", 0, "f64", [1, 1], [1]);
    vax.set(pack("little", "i32", [2000]));
    expect((await failure(vax)).message).toContain("VAX");
    const huge = mat4("little", "a", 0, "f64", [1, 1], [1]);
    huge.set(pack("little", "i32", [1_000_000, 1_000_000]), 4);
    expect((await failure(huge)).fields).toMatchObject({ offset: 22 });
    const negative = mat4("little", "a", 0, "f64", [1, 1], [1]);
    negative.set(pack("little", "i32", [-1]), 4);
    expect((await failure(negative)).fields).toMatchObject({ offset: 4 });
  });
});

describe("version 5", () => {
  for (const order of orders) {
    for (const compress of [false, true]) {
      it(`reads numbers, text, structs and cells, ${order}-endian${compress ? ", compressed" : ""}`, async () => {
        const mat = await read(rich(order, compress));
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

    it(`keeps the file's storage type for every class and reads 64-bit integers, ${order}-endian`, async () => {
      const m = new Mat5(order);
      const mat = await read(
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

  it.each(orders)("reads struct arrays within structs within cells, %s-endian", async (order) => {
    const m = new Mat5(order);
    const one = (value: number): Uint8Array => m.real("", 6, [1, 1], { kind: "f32", values: [value] });
    const inner = m.struct("", [1, 2], ["a", "b"], [one(1), m.tag(14, 0), one(2), m.struct("", [1, 1], ["deep"], [one(3)])]);
    const cell = m.cell("c", [1, 2], [m.struct("", [1, 1], ["first", "inner"], [one(0), inner]), one(4)]);
    const { cells } = (await read(m.file(cell))).variables.get("c") as Extract<MatValue, { kind: "cell" }>;
    const found = matField(cells[0] as MatStruct, "inner") as MatStruct;
    expect(found.shape).toEqual([1, 2]);
    expect(found.fields.get("a")).toMatchObject([{ data: Float32Array.of(1) }, { data: Float32Array.of(2) }]);
    expect(matField(found, "b")).toMatchObject({ kind: "numeric", shape: [0, 0] });
    expect(matField(matField(found, "b", 1) as MatStruct, "deep")).toMatchObject({ data: Float32Array.of(3) });
    expect(cells[1]).toMatchObject({ data: Float32Array.of(4) });
  });

  it("reads the same from a view into a larger buffer", async () => {
    const bytes = rich("little", true);
    const padded = concat(new Uint8Array(3), bytes, new Uint8Array(5));
    expect((await read(padded.subarray(3, 3 + bytes.length))).variables).toEqual((await read(bytes)).variables);
    expect((await read(Buffer.from(padded).subarray(3, 3 + bytes.length))).variables).toEqual((await read(bytes)).variables);
  });

  it("skips sparse matrices, objects and function handles with a note", async () => {
    const m = new Mat5("little");
    const opaque = concat(
      m.element(6, pack("little", "u32", [17, 0])),
      m.element(1, ascii("o")),
      m.element(1, ascii("MCOS")),
      m.element(1, ascii("string")),
    );
    const mat = await read(
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

  it("reports what is wrong with a requested variable", async () => {
    const mat = await read(rich("little", false));
    expect(() => matScalar(mat, "d")).toThrow(/variable d must be a real scalar, not double \[2, 3\]/);
    expect(() => matScalar(mat, "nope")).toThrow(/variable nope .* absent$/);
    expect(() => matText(mat, "d")).toThrow(/one row of text/);
    expect(() => matStruct(mat, "d")).toThrow(/a struct/);
    expect(() => matNumeric(mat, "t")).toThrow(/a numeric array, not char/);
  });
});
