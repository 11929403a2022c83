/** Tests how the model counts the work of kernels: the parser, and the census on code whose work is known by hand or by the algorithm. */
import { isRadarError } from "@dechirp/core";
import { kernelsOf, type LabKernel, radicesOf, variants } from "@dechirp/fft-gpu/lab";
import { describe, expect, it } from "vitest";
import { censusOf } from "../src/fft-model/census.ts";
import { barriersOf, radixTable } from "../src/fft-model/synthesize.ts";
import { parseWgsl } from "../src/fft-model/wgsl-parser.ts";

const codeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return isRadarError(error) ? [error.code, error.fields["field"] ?? error.fields["what"] ?? error.fields["text"]] : error;
  }
};

/** The census of a kernel of two workgroups of 64 invocations with this body. */
const count = (body: string, declarations = "") => {
  const kernel: LabKernel = {
    code: `${declarations}
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) group: vec3u) {\n${body}\n}`,
    entry: "main",
    groups: [2, 1, 1],
    arrays: {
      in: { dtype: "c64", bytes: 1024, access: "read", table: false },
      half: { dtype: "cf16", bytes: 1024, access: "read", table: false },
      table: { dtype: "c64", bytes: 1024, access: "read", table: true },
      out: { dtype: "c64", bytes: 1024, access: "write", table: false },
    },
  };
  const { exchange, ...rest } = censusOf(kernel);
  return { ...rest, exchange: Object.fromEntries(exchange) };
};

describe("the parser", () => {
  it("knows precedence, shifts and angle brackets", () => {
    const { functions } = parseWgsl(
      "fn f(v: ptr<function, array<vec2<f32>, 4>>, t: u32) { let a = t + 2u * 3u >> 1u & 7u; let b = t >= 3u; }",
    );
    const [declared, compared] = functions.get("f")?.body ?? [];
    expect(functions.get("f")?.parameters[0].type).toBe("ptr<function, array<vec2f, 4>>");
    expect(declared).toMatchObject({
      value: { operator: "&", left: { operator: ">>", left: { operator: "+", right: { operator: "*" } } } },
    });
    expect(compared).toMatchObject({ value: { operator: ">=" } });
  });

  it("skips attributes of statements", () => {
    const { functions } = parseWgsl(
      "fn f() @diagnostic(off, a.b) { @diagnostic(off, a.b) { let a = 1u; } @diagnostic(off, a.b) if true { } }",
    );
    expect(functions.get("f")?.body.map(({ kind }) => kind)).toEqual(["block", "if"]);
  });

  it("refuses what it does not know", () => {
    for (const [code, text] of [
      ["fn f() { switch a { } }", "a"],
      ["struct S { a: f32 }", "struct"],
      ["fn f() { let a = §; }", "§; }"],
      ["fn f() {", "the end"],
    ])
      expect(codeOf(() => parseWgsl(code))).toEqual(["unsupported", text]);
  });
});

describe("the census", () => {
  it("counts operations by the width of their types", () => {
    const { flops, sines } = count(`let a = load_in(tid);
let b = 2.0 * a; // 2
let c = a + b; // 2
let d = vec2f(a.x - a.y, -a.x); // 1
let e = cmul(c, d); // 6
let f = cos(e.x) + sin(e.y); // 1, and 2 sines
let i = tid * 4u + 3u;
store_out(i, fma(e, d, vec2f(f, 0.0))); // 2`);
    expect([flops, sines]).toEqual([14 * 128, 2 * 128]);
  });

  it("counts bytes of device memory and of tables", () => {
    const found = count(
      "let a = load_in(tid); let b = load_half(tid); let w = load_table(tid & 3u); if (tid < 16u) { store_out(tid, a); }",
    );
    expect(found).toMatchObject({ reads: 2 * 64 * (8 + 4), tableReads: 2 * 64 * 8, writes: 2 * 16 * 8, workgroups: 2, threads: 64 });
  });

  it("counts accesses to workgroup memory by the words of a bank that a subgroup needs at once", () => {
    const declared = "var<workgroup> m: array<f32, 4096>;";
    const read = (index: string) => count(`let a = m[${index}];`, declared).exchange;
    expect(read("tid")).toEqual({ 1: 2 * 64 * 4 });
    expect(read("tid * 2u")).toEqual({ 2: 2 * 64 * 4 });
    expect(read("tid * 33u")).toEqual({ 1: 2 * 64 * 4 });
    expect(read("tid * 32u")).toEqual({ 32: 2 * 64 * 4 });
    // One word for all lanes is no conflict.
    expect(read("7u")).toEqual({ 1: 2 * 64 * 4 });
    expect(read("(tid * 32u) ^ (tid & 31u)")).toEqual({ 1: 2 * 64 * 4 });
    // Half of the lanes read two words at a time.
    const pairs = count("let a = m[tid]; m[tid * 16u] = a;", "var<workgroup> m: array<vec2f, 1024>;");
    expect(pairs).toMatchObject({ exchange: { 1: 2 * 64 * 8, 16: 2 * 64 * 8 }, workgroupBytes: 8192 });
  });

  it("follows loops, branches, functions, and lanes that leave", () => {
    const found = count(
      `var v: array<vec2f, 4>;
for (var i = 0u; i < 4u; i++) { v[i] = load_in(tid + i * 64u); if (i == 2u) { continue; } workgroupBarrier(); }
twice(&v, 3u);
if (tid >= 32u) { return; }
store_out(tid, v[0]);`,
      "const step = 2u;\nfn twice(v: ptr<function, array<vec2f, 4>>, n: u32) { var i = 0u; loop { if (i >= n) { break; } (*v)[i] = 2.0 * (*v)[i]; i += step; } }",
    );
    expect(found).toMatchObject({ reads: 2 * 4 * 64 * 8, barriers: 3, writes: 2 * 32 * 8, flops: 2 * 64 * 2 * 2 });
  });

  it("counts shuffles, and products of matrices by subgroup", () => {
    const found = count("let a = load_in(tid); let b = subgroupShuffleXor(a, 1u); let c = subgroupShuffle(b.x, 0u);");
    expect(found.shuffles).toBe(2 * 64 * (8 + 4));
    const matrices = count(
      `var sum: Sum;
let a = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&m, 0u, false, 8u);
let b = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>>(&m, 0u, false, 8u);
sum = subgroupMatrixMultiplyAccumulate(a, b, sum);
subgroupMatrixStore(&m, 0u, sum, false, 8u);`,
      "alias Sum = subgroup_matrix_result<f32, 8, 8>;\nvar<workgroup> m: array<f32, 64>;",
    );
    // Two subgroups of each workgroup; 2·8³ operations and three tiles of 256 bytes each.
    expect(matrices).toMatchObject({ matrixFlops: 2 * 2 * 1024, exchange: { 1: 2 * 2 * 3 * 256 }, tableReads: 0 });
    const bound = count("let a = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>>(&roots, 0u, false, 8u);");
    expect(bound).toMatchObject({ tableReads: 2 * 2 * 128, exchange: {} });
  });

  it("counts both sides of conditions on data, and no longer knows what they assign", () => {
    const given = "var i = tid; if (load_in(0u).x > 0.0) { i = tid * 2u; store_out(i, vec2f()); } else { workgroupBarrier(); }";
    expect(count(given)).toMatchObject({ writes: 2 * 64 * 8, barriers: 1 });
    const declared = "var<workgroup> m: array<f32, 256>;";
    expect(codeOf(() => count(`${given} let a = m[i];`, declared))).toEqual(["unsupported", expect.stringMatching(/depends on data/)]);
    expect(count("for (var i = 0u; i < 3u; i++) { if (load_in(0u).x > 0.0) { break; } workgroupBarrier(); }")).toMatchObject({
      barriers: 3,
    });
  });

  it("refuses code that it can't follow", () => {
    const declared = "var<workgroup> m: array<u32, 64>;";
    expect(codeOf(() => count("let a = m[m[tid]];", declared))).toEqual(["unsupported", expect.stringMatching(/depends on data/)]);
    expect(codeOf(() => count("while (load_in(0u).x > 0.0) { }"))).toEqual(["unsupported", expect.stringMatching(/depends on data/)]);
    expect(codeOf(() => count("loop { }"))).toEqual(["unsupported", expect.stringMatching(/does not end/)]);
    expect(codeOf(() => count("let a = nothing(1u);"))).toEqual(["unsupported", expect.stringMatching(/nothing/)]);
  });

  const limits = {
    workgroupBytes: 32_768,
    invocations: 1024,
    features: new Set<string>(),
    language: new Set(["subgroup_id"]),
    matrices: [],
  };

  it.each([4, 8, 16] as const)("radix %i: stages, barriers, exchanges and operations of 4096 points are those of the algorithm", (r) => {
    const batch = 3;
    const found = kernelsOf({ n: 4096, batch, variant: variants[`radix-${r}`], limits });
    if (!("kernels" in found)) throw new Error(found.needs);
    const census = censusOf(found.kernels[0]);
    const stages = radicesOf(4096, r).length;
    const [row] = radixTable().filter(({ radix }) => radix === r);
    expect(census).toMatchObject({ reads: 8 * 4096 * batch, writes: 8 * 4096 * batch, barriers: barriersOf(stages), threads: 4096 / r });
    // Each exchange writes and reads the line once, without conflicts.
    expect([...census.exchange]).toEqual([[1, 16 * 4096 * (stages - 1) * batch]]);
    // The first stage needs no twiddle factors.
    const butterflies = 4096 / r;
    expect(census.flops).toBe(batch * butterflies * (stages * row.butterflyFlops + (stages - 1) * (row.flops - row.butterflyFlops)));
  });

  it("can follow every kernel of the laboratory and of the planner, or says why not", () => {
    for (const [name, variant] of [...Object.entries(variants), ["planner", undefined] as const])
      for (const n of [256, 512, 4096, 16_384, 65_536]) {
        const found = kernelsOf({
          n,
          batch: 64,
          ...(variant && { variant }),
          limits: { ...limits, subgroups: [32, 32], features: new Set(["subgroups"]) },
        });
        if (!("kernels" in found)) {
          expect(found.needs, name).toMatch(/./);
          continue;
        }
        const all = found.kernels.map((kernel) => censusOf(kernel));
        const [reads, writes] = [all.reduce((sum, one) => sum + one.reads, 0), all.reduce((sum, one) => sum + one.writes, 0)];
        // Every pass reads and writes the whole batch.
        expect([name, n, reads, writes]).toEqual([name, n, 8 * n * 64 * all.length, 8 * n * 64 * all.length]);
      }
  });
});
