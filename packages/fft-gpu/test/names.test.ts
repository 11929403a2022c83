/** Tests that uniforms may have names that are reserved in WGSL, in kernels, hooks and expressions. */
import { type Device, type Kernel, layout, open } from "@dechirp/core";
import { checkExpression, type Domain, type Node } from "@dechirp/core/expression";
import { nameOfExpression, wgslOfMap } from "@dechirp/core/expression/code";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gpu } from "../src/index.ts";
import { identifier, memberOf } from "../src/wgsl/names.ts";
import { rawDevice } from "./raw-device.ts";

/** Words that are names or reserved in WGSL or in a language that it is translated to. */
const words = (
  "NULL Self abstract active alias alignas alignof as asm asm_fragment async attribute auto await become break case cast catch class " +
  "co_await co_return co_yield coherent column_major common compile compile_fragment concept const const_assert const_cast consteval " +
  "constexpr constinit continue continuing crate debugger decltype default delete demote demote_to_helper diagnostic discard do " +
  "dynamic_cast else enable enum explicit export extends extern external fallthrough false filter final finally fn for friend from " +
  "fxgroup get goto groupshared highp if impl implements import inline instanceof interface layout let loop lowp macro macro_rules " +
  "match mediump meta mod module move mut mutable namespace new nil noexcept noinline nointerpolation non_coherent noncoherent " +
  "noperspective null nullptr of operator override package packoffset partition pass patch pixelfragment precise precision premerge " +
  "priv protected pub public readonly ref regardless register reinterpret_cast require requires resource restrict return self set " +
  "shared sizeof smooth snorm static static_assert static_cast std struct subroutine super switch target template this thread_local " +
  "throw trait true try type typedef typeid typename typeof union unless unorm unsafe unsized use using var varying virtual volatile " +
  "wgsl where while with writeonly yield " +
  // Not reserved: types, builtin functions, attributes, and words of other languages.
  "f32 vec2f array min select position binding uniform storage function private workgroup float int double half main in out inout " +
  "handle signed unsigned binding_array CompileShader ComputeShader DomainShader GeometryShader Hullshader i64 u64 atomic ptr array_ " +
  "constant kernel device thread threadgroup sampler texture buffer discard_ bool bitcast sqrt cis cmul uniforms item at value n0 gain K"
).split(" ");

let device: Device;
beforeAll(async () => {
  device = await open(gpu());
});
afterAll(() => device[Symbol.dispose]());

describe("uniforms", () => {
  it("of an expression may have any name that expressions allow", async () => {
    // One struct of all of them shows that their members' names are valid and different.
    const one: Domain = { shape: [words.length], sources: {}, uniforms: Object.fromEntries(words.map((word) => [word, "u32" as const])) };
    expect(words.every((word) => nameOfExpression.test(word))).toBe(true);
    const nodes: Node[] = [["index", 0], ["u32", 0], ...words.map((word): Node => ["uniform", word])];
    let last = 1;
    words.forEach((_word, i) => {
      nodes.push(["i32", i], ["eq", 0, nodes.length], ["select", nodes.length + 1, 2 + i, last]);
      last = nodes.length - 1;
    });
    const expression = { nodes, results: [last] };
    const facts = checkExpression(expression, one);
    const out = layout("u32", [words.length]);
    const op: Kernel = {
      op: "kernel",
      name: "names",
      items: words.length,
      uniforms: one.uniforms as Kernel["uniforms"] & object,
      ports: { out: { access: "write", layout: out } },
      wgsl: (_constants, _limits, toolkit) => toolkit.items(wgslOfMap(expression, facts, one, { out: "u32" })),
      reference() {},
    };
    using plan = await device.plan(op);
    using found = device.alloc(out);
    plan.run({ out: found }, { uniforms: Object.fromEntries(words.map((word, i) => [word, 1000 + i])) });
    expect(Array.from(await found.read())).toEqual(words.map((_, i) => 1000 + i));
  });

  it("get other members' names where WGSL reserves theirs, and only there", async () => {
    const raw = await rawDevice();
    const isRefused = async (name: string): Promise<boolean> => {
      raw.pushErrorScope("validation");
      const module = raw.createShaderModule({ code: `struct S { ${name}: u32, }` });
      const { messages } = await module.getCompilationInfo();
      await raw.popErrorScope();
      return messages.some(({ type }) => type === "error");
    };
    for (const word of words) {
      expect([word, memberOf(word) !== word]).toEqual([word, await isRefused(word)]);
      expect([word, await isRefused(memberOf(word))]).toEqual([word, false]);
    }
    for (const name of ["_", "__", "__x", "1k", "a b", ""]) expect([name, identifier.test(name)]).toEqual([name, false]);
    for (const name of ["_x", "_0", "x__", "é", "loop"]) expect([name, identifier.test(name)]).toEqual([name, true]);
    raw.destroy();
  });

  it("that are reserved do not move the columns of compilers' messages", async () => {
    const op: Kernel = {
      op: "kernel",
      name: "columns",
      items: 1,
      uniforms: { loop: "f32", gain: "f32" },
      ports: { out: { access: "write", layout: layout("f32", [1]) } },
      wgsl: (_constants, _limits, toolkit) => toolkit.items("store_out(item, uniforms.loop + uniforms . gain + nonsense);"),
      reference() {},
    };
    const error = await device.plan(op).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(error).toMatchObject({ code: "compile", fields: { field: "the body of items()", line: 1, column: 51 } });
  });
});
