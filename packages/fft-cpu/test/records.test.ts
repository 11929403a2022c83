/**
 * Tests that AssemblyScript reads by name what TypeScript writes by name, for every record of `layouts.ts` and for records that are hard to
 * align. The AssemblyScript is compiled here, so a class whose offsets differ from its record would be detected.
 */
import { describe, expect, it } from "vitest";
import { assemblyRecords } from "../../../scripts/assembly-records.mjs";
import * as layouts from "../src/wasm/layouts.ts";
import { type Fields, record } from "../src/wasm/records.ts";
import { assemble } from "./assemble.ts";
import { random } from "./wasm-support.ts";

const awkward = {
  narrowThenWide: record({ a: "u32", b: "f64", c: "f32" }),
  wideLast: record({ lists: "u32[4]", code: { one: 1, "two words": 2 }, x: "f64" }),
};

/** A record of any description. */
interface AnyRecord {
  readonly fields: Fields;
  readonly bytes: number;
  write(memory: WebAssembly.Memory, address: number, values: unknown): void;
}

const records = Object.entries<object>({ ...layouts, ...awkward }).filter((entry): entry is [string, AnyRecord] => "fields" in entry[1]);

/** Numbers that the field's type holds exactly, and what the other side should read. */
function valuesOf(fields: Fields, seed: number): { given: Record<string, number | string>; expected: number[] } {
  const next = random(seed);
  const given: Record<string, number | string> = {};
  const expected: number[] = [];
  for (const [name, type] of Object.entries(fields)) {
    if (type === "u32[4]") {
      expected.push(0);
      continue;
    }
    if (typeof type === "object") {
      const codes = Object.entries(type);
      const [code, number] = codes[Math.floor((next() + 0.5) * codes.length)] as [string, number];
      given[name] = code;
      expected.push(number);
      continue;
    }
    const value = type === "u32" ? Math.floor((next() + 0.5) * 2 ** 32) : type === "f32" ? Math.fround(next()) : next();
    given[name] = value;
    expected.push(value);
  }
  return { given, expected };
}

/** `read(record, to)` of AssemblyScript, which puts all fields down as float64, and `bytes`. */
async function reader(name: string, { fields }: AnyRecord): Promise<{ read(from: number, to: number): void; bytes(): number }> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const stores = Object.keys(fields).map((field, i) => `store<f64>(to + ${8 * i}, f64(r.${field}));`);
  const source = `${assemblyRecords({ [name]: { fields } }, "test")}
export function read(r: ${type}, to: usize): void { ${stores.join(" ")} }
export function bytes(): usize { return offsetof<${type}>(); }`;
  const { instance } = await WebAssembly.instantiate(await assemble(source, "plain"), { env: { memory } });
  return instance.exports as unknown as { read(from: number, to: number): void; bytes(): number };
}

const memory = new WebAssembly.Memory({ initial: 1 });

describe("records", () => {
  it.each(records)("%s is read as it is written", async (name, layout) => {
    const { read, bytes } = await reader(name, layout);
    expect(bytes()).toBe(layout.bytes);
    for (let seed = 0; seed < 20; seed++) {
      new Uint8Array(memory.buffer, 4096, layout.bytes + 64).fill(0xa5);
      const { given, expected } = valuesOf(layout.fields, seed);
      for (const [field, type] of Object.entries(layout.fields))
        if (type === "u32[4]") expected[Object.keys(layout.fields).indexOf(field)] = 0xa5a5a5a5; // left alone
      layout.write(memory, 4096, given);
      read(4096, 8192);
      expect([...new Float64Array(memory.buffer, 8192, expected.length)]).toEqual(expected);
      expect(new Uint32Array(memory.buffer, 4096 + layout.bytes, 1)[0]).toBe(0xa5a5a5a5);
    }
  });

  it("share the head of both tasks of lines and of both programs", () => {
    const begins = (whole: AnyRecord, head: AnyRecord): void =>
      expect(Object.entries(whole.fields).slice(0, Object.keys(head.fields).length)).toEqual(Object.entries(head.fields));
    begins(layouts.linesTask, layouts.taskHead);
    begins(layouts.longTask, layouts.taskHead);
    begins(layouts.stagesProgram, layouts.programHead);
    begins(layouts.chirpProgram, layouts.programHead);
  });

  it("do not compile with a field left out, misspelt, of another type or with an unknown code", () => {
    const pair = record({ count: "u32", way: { near: 1, far: 2 } });
    pair.write(memory, 0, { count: 1, way: "far" });
    expect([...new Uint32Array(memory.buffer, 0, 2)]).toEqual([1, 2]);
    // @ts-expect-error: a field is missing
    pair.write(memory, 0, { count: 1 });
    // @ts-expect-error: no field of that name
    pair.write(memory, 0, { count: 1, way: "near", counts: 2 });
    // @ts-expect-error: no number
    pair.write(memory, 0, { count: "1", way: "near" });
    // @ts-expect-error: no such code
    pair.write(memory, 0, { count: 1, way: "beside" });
  });

  it("of an unknown type are no AssemblyScript", () => {
    expect(() => assemblyRecords({ odd: { fields: { x: "u7" } } }, "test")).toThrow("x has the type u7");
  });
});
