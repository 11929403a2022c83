/**
 * Tests of documents that a stranger has changed: every field of sound documents replaced by every hostile value, random changes from a seed,
 * and documents that are made to take long or much memory. Each must end in one `input` or `limit`, or be a program that is valid.
 */
import { describe, expect, test } from "vitest";
import { map } from "../src/expression.ts";
import { createRandom, fft, isRadarError, layout, type Program } from "../src/index.ts";
import { type DecodeOptions, decodeProgram, type EncodedProgram, encodeProgram } from "../src/json.ts";
import { valueLayouts } from "../src/program.ts";
import { everything, plainOps, programOf, recipes } from "./json-programs.ts";

type Json = Record<string, unknown>;

const documents: readonly EncodedProgram[] = [everything(), ...plainOps().map(programOf)].map((program) => encodeProgram(program));

/** Values that a field is replaced by. */
const hostile: readonly unknown[] = [
  null,
  undefined,
  true,
  0,
  -0,
  -1,
  0.5,
  1e308,
  2 ** 32,
  2 ** 53,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  "",
  "x",
  "__proto__",
  "constructor",
  "toString",
  "=".repeat(8),
  "x".repeat(100_000),
  [],
  [[]],
  [null],
  [-1],
  [1e308],
  [0.5, "a"],
  ["real", Number.NaN],
  new Array(3),
  new Array(2 ** 32 - 1),
  Array.from({ length: 40 }, () => 1),
  {},
  { a: 1 },
  { length: 2 ** 32 - 1 },
  JSON.parse('{"__proto__":{"op":"fft"}}'),
  { constructor: 1 },
  { $array: 0 },
  { $array: -1 },
  { $array: 1e9 },
  { $array: "length" },
  { $number: "NaN" },
  { $number: "1" },
  { $recipe: { name: "scaled", parameters: {} } },
  { $recipe: { name: "toString" } },
  { $recipe: null },
  { $other: 1 },
  { dtype: "f32", shape: [2 ** 31] },
  { nodes: [], results: [] },
  new Uint8Array(4),
  new Map([["a", 1]]),
  () => 1,
  Symbol("s"),
  1n,
];

/** Those that JSON text can hold. */
const portable = hostile.filter(
  (value) => value !== undefined && !["function", "symbol", "bigint"].includes(typeof value) && !isLong(value),
);
function isLong(value: unknown): boolean {
  return Array.isArray(value) && value.length > 1000;
}

/** The place of every value in a document. */
function places(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => [[...path, name], ...places(field, [...path, name])]);
}

function replaced(document: unknown, path: readonly string[], value: unknown): EncodedProgram {
  const copy = structuredClone(document) as Json;
  const parent = path.slice(0, -1).reduce((at, name) => at[name] as Json, copy);
  parent[path.at(-1) as string] = value;
  return copy as unknown as EncodedProgram;
}

/** Decodes; the result is the error's code and field, or "accepted" if the program is valid. Anything else is a fault of decodeProgram. */
function judge(document: EncodedProgram | string, options: DecodeOptions = recipes): string {
  let program: Program;
  try {
    program = decodeProgram(document, options);
  } catch (error) {
    if (!isRadarError(error)) throw error;
    const { code, message, fields } = error;
    // One comparison: there are thousands of calls.
    const isClear = (code === "input" || code === "limit") && typeof fields["field"] === "string";
    if (!isClear || /\p{Cc}/u.test(message) || message.length > 1000) expect(error).toBe("one clear line, and a field");
    return `${code} ${fields["field"]}`;
  }
  valueLayouts(program);
  encodeProgram(program);
  return "accepted";
}

describe("a document that was changed", () => {
  test("in one field", () => {
    const seen = new Map<string, number>();
    const tried = new Set<string>();
    let turn = 0;
    for (const document of documents) {
      const { op = "kernel" } = document.steps[0].op as Json;
      // Strings of base64 are many; the changes of one stand for all.
      for (const path of places(document).filter(([field, index]) => field !== "arrays" || Number(index) < 2)) {
        // Every value at the first of alike places, such as the extents of a shape or the nodes of an expression; a few at the others.
        const names = path.map((name) => (Number.isNaN(Number(name)) ? name : "#")).join(".");
        const kind = names.startsWith("steps.#.op.") ? `${op} ${names}` : names;
        const isFirst = !tried.has(kind);
        tried.add(kind);
        for (const [i, value] of hostile.entries()) {
          if (!isFirst && (i + turn) % 50 !== 0) continue;
          const verdict = judge(replaced(document, path, value)).split(" ")[0];
          seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
        }
        turn++;
      }
    }
    expect(seen.get("input")).toBeGreaterThan(5000);
    expect(seen.get("limit")).toBeGreaterThan(100);
    // Names, gains and the like can have other values.
    expect(seen.get("accepted")).toBeGreaterThan(100);
  });

  test("in several places at random", () => {
    const random = createRandom(22);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random.uniform() * list.length)];
    const seen = new Set<string>();
    for (let turn = 0; turn < 400; turn++) {
      let document = pick(documents);
      for (let changes = 1 + Math.floor(3 * random.uniform()); changes > 0; changes--) {
        const all = places(document);
        const value = pick([() => pick(portable), () => at(pick(documents), pick(places(pick(documents)))), () => 3 * random.gaussian()])();
        try {
          document = replaced(document, pick(all), value);
        } catch {
          break; // a value that can't be cloned is in it already
        }
      }
      seen.add(judge(document).split(" ")[0]);
      const text = JSON.stringify(document);
      const cut = Math.floor(random.uniform() * text.length);
      judge(text.slice(0, cut) + text.slice(cut + Math.floor(3 * random.uniform())));
    }
    expect([...seen].sort()).toEqual(["accepted", "input", "limit"]);
  });
});

const at = (document: unknown, path: readonly string[]): unknown =>
  path.reduce((value: unknown, name) => (typeof value === "object" && value !== null ? (value as Json)[name] : undefined), document);

const document = documents[0];
const lines = layout("c64", [2, 8]);
const mapped = encodeProgram(
  programOf(
    map({ shape: [4], sources: { x: layout("f32", [4]) }, outputs: { y: "f32" } }, "y = x * 2 + x") as Parameters<typeof programOf>[0],
  ),
);
const ring = documents.find(({ name }) => name === "stencil") as EncodedProgram;
const transformed = encodeProgram(programOf(fft(lines, { axis: 1 })));

describe("an error names the field", () => {
  const change = (of: EncodedProgram, path: string, value: unknown): EncodedProgram => replaced(of, path.split("."), value);
  const withNodes = (...nodes: unknown[]): EncodedProgram =>
    change(mapped, "steps.0.op.expression", { nodes, results: [nodes.length - 1] });
  test.each<[string, EncodedProgram, string]>([
    ["an unknown schema", change(document, "schema", 2), "input schema"],
    ["no schema", change(document, "schema", undefined), "input schema"],
    ["an unknown field", change(document, "more", 1), "input more"],
    ["an unknown field of a step", change(document, "steps.0.more", 1), "input steps[0].more"],
    ["an unknown field of an op", change(transformed, "steps.0.op.more", 1), "input steps[0].op.more"],
    ["an unknown field of a layout", change(transformed, "steps.0.op.layout.more", 1), "input steps[0].op.layout.more"],
    ["an unknown field of an input", change(document, "inputs.x.more", 1), "input inputs.x.more"],
    ["an unknown field of a constant", change(document, "constants.f32.more", 1), "input constants.f32.more"],
    ["an unknown field of an expression", change(mapped, "steps.0.op.expression.more", 1), "input steps[0].op.expression.more"],
    ["an unknown field of images", change(ring, "steps.0.op.centres.more", 1), "input steps[0].op.centres.more"],
    ["an unknown field of a hole", change(ring, "steps.0.op.windows.ring.hole.more", 1), "input steps[0].op.windows.ring.hole.more"],
    ["an unknown field of an array", change(document, "arrays.0.more", 1), "input arrays[0].more"],
    ["an unknown op", change(transformed, "steps.0.op.op", "fftt"), "input steps[0].op.op"],
    ["an unknown tag", change(document, "steps.0.op", { $kernel: 1 }), "input steps[0].op.$kernel"],
    ["an unknown kernel", change(document, "steps.0.op.$recipe.name", "toString"), "input steps[0].op.$recipe.name"],
    ["an unknown hook", change(document, "steps.1.op.load.$recipe.name", "constructor"), "input steps[1].op.load.$recipe.name"],
    ["code", change(document, "steps.2.op.load.tuned", { wgsl: "while (true) {}" }), "input steps[2].op.load.tuned"],
    [
      "a kernel without recipe",
      change(document, "steps.0.op", { op: "kernel", name: "k", ports: {}, items: 1 }),
      "input steps[0].op.reference",
    ],
    ["a wrong length", change(transformed, "steps.0.op.n", 0.5), "input steps[0].op.n"],
    ["a length beyond all limits", change(transformed, "steps.0.op.n", 2 ** 30), "limit steps[0].op.n"],
    ["a forward operand", withNodes(["load", "x", 1], ["index", 0]), "input steps[0].op.expression.nodes[0]"],
    ["a node that uses itself", withNodes(["index", 0], ["neg", 1]), "input steps[0].op.expression.nodes[1]"],
    ["an axis out of range", withNodes(["index", 1]), "input steps[0].op.expression.nodes[0]"],
    ["a result out of range", change(mapped, "steps.0.op.expression.results", [99]), "input steps[0].op.expression.results[0]"],
    ["a port that is not bound", change(transformed, "steps.0.bind", { in: "in" }), "input steps[0].bind.out"],
    ["a value that no step writes", change(transformed, "steps.0.bind.in", "nothing"), "input steps[0].bind.in"],
    ["an output that nobody writes", change(transformed, "outputs", ["nothing"]), "input outputs"],
    ["an output twice", change(transformed, "outputs", ["out", "out"]), "input outputs[1]"],
    ["the place of no array", change(document, "constants.f32.data", { $array: 99 }), "input constants.f32.data"],
    ["an array of another length", change(document, "arrays.0.shape", [5]), "input arrays[0].base64"],
    ["an array of another type", change(document, "arrays.0.dtype", "<f2"), "input arrays[0].dtype"],
    ["what is no base64", change(document, "arrays.0.base64", "*".repeat(32)), "input arrays[0].base64"],
    [
      "__proto__",
      JSON.parse(JSON.stringify(transformed).replace('"bind":{', '"bind":{"__proto__":"in",')),
      "input steps[0].bind.__proto__",
    ],
  ])("%s", (_, changed, verdict) => {
    expect(judge(changed)).toBe(verdict);
    expect(judge(JSON.stringify(changed))).toBe(verdict);
  });

  test("of a parameter", () => {
    const refuse = (): never => {
      throw new TypeError("by must be small");
    };
    expect(judge(document, { ...recipes, kernels: { scaled: refuse } })).toBe("input steps[0].op.$recipe.parameters");
  });

  test("that is there twice", () => {
    const text = JSON.stringify(transformed);
    expect(judge(text.replace('"steps":', '"name":"other","steps":'))).toBe("input program");
    expect(judge(text.replace('"axis":1', '"axis":1,"\\u0061xis":0'))).toBe("input program");
  });
});

describe("a document that is made to take long", () => {
  /** The verdict on a document, which may take five seconds of processor time on a slow machine. */
  const quickly = (make: () => EncodedProgram | string, options?: DecodeOptions): string => {
    const given = make();
    const start = process.cpuUsage();
    const verdict = judge(given, options);
    const { user, system } = process.cpuUsage(start);
    expect(user + system).toBeLessThan(5e6);
    return verdict;
  };
  const withOp = (op: unknown): EncodedProgram => replaced(transformed, ["steps", "0", "op"], op);
  const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
  const nested = (depth: number, open: string): string => open.repeat(depth);
  const shared = (depth: number): unknown => {
    let value: unknown = 1;
    for (let i = 0; i < depth; i++) value = [value, value];
    return value;
  };
  const itself: Json = {};
  itself["steps"] = [itself];
  const throwing = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error("no");
      },
    },
  );
  const lengthless = new Proxy([], {
    get: (target, name) => (name === "length" ? 2 ** 32 - 1 : Reflect.get(target, name)),
  });
  const getter = Object.defineProperty({ ...transformed }, "steps", {
    enumerable: true,
    get: () => {
      throw new Error("no");
    },
  });
  const { proxy: revoked, revoke } = Proxy.revocable([], {});
  revoke();

  const mapOf = (nodes: unknown, more: Json = {}) =>
    withOp({ op: "map", name: "m", shape: [4], sources: {}, outputs: { out: "f32" }, expression: { nodes, results: [0] }, ...more });
  test.each<[string, () => EncodedProgram | string, string]>([
    ["a million brackets", () => nested(1e6, "["), "limit program"],
    ["a million objects", () => nested(1e6, '{"a":'), "limit program"],
    ["three million values", () => `[${"0,".repeat(3e6)}0]`, "limit program"],
    ["30 MB of spaces", () => " ".repeat(3e7), "input program"],
    ["10 MB of quotes", () => '\\"'.repeat(5e6), "input program"],
    ["a name of 30 MB", () => ({ ...transformed, name: "x".repeat(3e7) }), "limit name"],
    ["a text with a name of 30 MB", () => JSON.stringify({ ...transformed, name: "x".repeat(3e7) }), "limit name"],
    ["names of 80 MB", () => ({ ...transformed, outputs: many(8000, () => "x".repeat(1e4)) }), "limit program"],
    ["an object that contains itself", () => itself as unknown as EncodedProgram, "limit program"],
    ["an object that shares its parts", () => ({ ...transformed, steps: shared(60) }) as EncodedProgram, "limit program"],
    ["a list with four billion holes", () => ({ ...transformed, steps: new Array(2 ** 32 - 1) }), "limit steps"],
    ["a proxy that throws", () => throwing as EncodedProgram, "input program"],
    ["a proxy with a long length", () => ({ ...transformed, steps: lengthless }), "limit steps"],
    ["a proxy that was revoked", () => ({ ...transformed, steps: revoked }), "input steps"],
    ["a getter that throws", () => getter as EncodedProgram, "input program"],
    ["a million nodes", () => mapOf(many(2e5, () => ["real", 1])), "limit steps[0].op.expression.nodes"],
    ["more nodes than an expression may have", () => mapOf(many(5000, () => ["real", 1])), "limit steps[0].op.expression.nodes"],
    ["5000 steps", () => ({ ...transformed, steps: many(5000, () => transformed.steps[0]) }), "limit steps"],
    [
      "a hundred thousand axes",
      () => withOp({ op: "fft", layout: { dtype: "c64", shape: many(1e5, () => 1) }, axis: 0, inverse: false }),
      "limit steps[0].op.layout.shape",
    ],
    [
      "a permutation of as many",
      () => withOp({ op: "transpose", layout: { dtype: "c64", shape: many(2e5, () => 1) }, permutation: many(2e5, (i) => i) }),
      "limit steps[0].op.layout.shape",
    ],
    [
      "a node with 300000 operands",
      () =>
        mapOf([
          ["real", 0],
          ["add", ...many(3e5, () => 0)],
        ]),
      "input steps[0].op.expression.nodes[1]",
    ],
    [
      "a source of as many",
      () => mapOf([["real", 0]], { sources: Object.fromEntries(many(3e4, (i) => [`x${i}`, { dtype: "f32", shape: [1] }])) }),
      "input steps[0].bind.in",
    ],
    [
      "work for an element",
      () =>
        mapOf([
          ["i32", 1],
          ["term", 0],
          ["sum", 0, 0, 1, 2 ** 20],
          ["term", 1],
          ["sum", 1, 0, 2, 2 ** 20],
        ]),
      "limit steps[0].op.expression",
    ],
    ["an input of 16 GiB", () => withInput(2 ** 31), "limit program"],
  ])("%s", (_, make, verdict) => {
    expect(quickly(make)).toBe(verdict);
  });

  const withInput = (extent: number): EncodedProgram => ({
    ...transformed,
    inputs: { in: { dtype: "c64", shape: [extent] } },
    steps: [{ name: "copy", op: { op: "convert", layout: { dtype: "c64", shape: [extent] }, to: "c64" }, bind: { in: "in", out: "out" } }],
  });

  test("is accepted with a higher limit, if it is only large", () => {
    expect(judge(withInput(2 ** 31), { maxBytes: 2 ** 36 })).toBe("accepted");
    expect(judge(transformed, { maxBytes: 256 })).toBe("accepted");
    expect(judge(transformed, { maxBytes: 255 })).toBe("limit program");
    expect(judge(document, { ...recipes, maxBytes: 100 })).toBe("limit arrays");
  });

  test("of the largest valid expressions ends soon, too", () => {
    // Sums whose counts depend on long chains: the work of the check grows with the nodes alone.
    const chain = many(1300, (i) => (i === 0 ? ["i32", 1] : ["add", i - 1, i - 1]));
    const sums = many(1300, (i) => [
      ["term", i],
      ["sum", i, 1299, 1300 + 2 * i, 1],
    ]).flat();
    const op = {
      op: "map",
      name: "m",
      shape: [4],
      sources: {},
      outputs: { out: "i32" },
      expression: { nodes: [...chain, ...sums], results: [0] },
    };
    const outputs = { out: "f32" };
    const steps = many(20, (i) => ({ name: "s", op: { ...op, outputs }, bind: { out: `y${i}` } }));
    expect(quickly(() => ({ ...transformed, inputs: {}, steps, outputs: ["y0"] }))).toBe("accepted");
  });
});
