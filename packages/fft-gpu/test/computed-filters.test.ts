/**
 * Tests filters that a hook computes at the index of a line and a bin, against the same filter as an array: in one pass and in several,
 * along any axis, padded, cropped, kept in part, with a corner turn, in pairs, as a convolution, with other hooks, and without WGSL.
 */
import { correct, random, randomArray } from "@dechirp/conformance";
import {
  type Device,
  type DType,
  elementCount,
  type FilterInverse,
  type Load,
  layout,
  open,
  portsOf,
  type SpectralFilter,
  type Store,
  type TypedArrayOf,
  transformLength,
  withAxis,
} from "@dechirp/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GpuOptions, gpu } from "../src/index.ts";

type Filter = SpectralFilter | FilterInverse;
type Fields = Omit<Filter, "h">;

const uniforms = { slope: 0.037, factor: -1.5 };

/** A phase that is quadratic in the bin, with a rate that depends on all other indices, times the weight of the bin. */
function phase(shape: readonly number[], axis: number): Load {
  return {
    name: "quadratic phase",
    uniforms: { slope: "f32" },
    sources: { weight: layout("f32", [shape[axis]]) },
    wgsl: () =>
      `let line = ${shape.map((_, a) => (a === axis ? "0u" : `${a + 1}u * at[${a}]`)).join(" + ")};
let k = f32(at[${axis}]) / ${shape[axis]}.0;
let cycles = uniforms.slope * f32(line) * k * k;
return load_weight(at[${axis}]) * cis(cycles);`,
    reference(at, { weight }, { slope }) {
      const line = at.reduce((sum, index, a) => (a === axis ? sum : sum + (a + 1) * index), 0);
      const angle = 2 * Math.PI * slope * line * (at[axis] / shape[axis]) ** 2;
      const w = weight.re(at[axis]);
      return [w * Math.cos(angle), w * Math.sin(angle)];
    },
  };
}

const load: Omit<Load, "sources"> = {
  name: "factor",
  uniforms: { factor: "f32" },
  wgsl: () => "return uniforms.factor * load_x((at[0] * 16u + at[1]));",
  reference: ([row, column], { x }, { factor }) => [factor * x.re(16 * row + column), factor * x.im(16 * row + column)],
};
const store: Store = {
  name: "conjugate",
  dtype: "c64",
  sources: {},
  wgsl: () => "return vec2f(value.x, -value.y);",
  reference: (_at, [re, im]) => [re, -im],
};

async function run(
  device: Device,
  op: Filter,
  data: Readonly<Record<string, TypedArrayOf>>,
  fuse = true,
): Promise<readonly [Float32Array, string]> {
  using plan = await device.plan(op, { fuse });
  const ports = portsOf(op);
  const buffers = Object.fromEntries(Object.entries(ports).map(([name, { layout }]) => [name, device.alloc(layout)]));
  for (const [name, { access }] of Object.entries(ports)) if (access === "read") buffers[name].write(data[name] as never);
  const used = { ...(op.load && { factor: uniforms.factor }), ...(typeof op.h === "object" && { slope: uniforms.slope }) };
  await plan.run(buffers, { uniforms: used }).done;
  const out = (await buffers["out"].read()) as Float32Array;
  for (const buffer of Object.values(buffers)) buffer[Symbol.dispose]();
  return [out, plan.text];
}

/** Compares an op whose filter a hook computes with the op whose filter is the same array. Returns the plan's text. */
async function compare(device: Device, op: Fields, change: Partial<Load> = {}, fuse = true): Promise<string> {
  const n = transformLength(op as Filter);
  const { shape } = withAxis(op.layout, op.axis, n);
  const h = { ...phase(shape, op.axis), ...change } as Load;
  const weight = randomArray(layout("f32", [n]), random(3)) as Float32Array;
  const input = randomArray(layout("c64", op.layout.shape), random(4)) as Float32Array;
  const all = new Float32Array(2 * elementCount({ dtype: "c64" as DType, shape }));
  for (let e = 0; e < all.length / 2; e++) {
    const at: number[] = [];
    for (let a = shape.length - 1, rest = e; a >= 0; rest = Math.floor(rest / shape[a--])) at[a] = rest % shape[a];
    const view = { re: (i: number) => weight[i] };
    all.set(phase(shape, op.axis).reference?.(at, { weight: view as never }, { slope: Math.fround(uniforms.slope) }) as never, 2 * e);
  }
  const data = { in: input, x: input, weight, h: all };
  const [wanted] = await run(device, { ...op, h: "all" } as Filter, data);
  const [found, text] = await run(device, { ...op, h } as Filter, data, fuse);
  let [error, energy] = [0, 0];
  for (let i = 0; i < wanted.length; i++) {
    error += (found[i] - wanted[i]) ** 2;
    energy += wanted[i] ** 2;
  }
  expect(energy).toBeGreaterThan(0);
  // The device's phase is right to 2⁻²² cycles, and as a float32 to 2⁻²³ of its size, which is a few cycles.
  expect(Math.sqrt(error / energy)).toBeLessThan(2 * correct(n, "c64") + 2 ** -19);
  return text;
}

const c64 = (...shape: number[]) => layout("c64", shape);
const fields: readonly (readonly [string, Omit<Fields, "op">])[] = [
  ["rows", { layout: c64(6, 64), axis: 1 }],
  ["columns", { layout: c64(48, 10), axis: 0 }],
  ["columns, an odd number", { layout: c64(16, 7), axis: 0 }],
  ["the middle axis, padded and kept in part", { layout: c64(3, 20, 4), axis: 1, n: 32, keep: [3, 11] }],
  ["cropped", { layout: c64(5, 40), axis: 1, n: 24 }],
  ["rows, with a corner turn", { layout: c64(8, 32), axis: 1, cornerTurn: true }],
  ["columns, with a corner turn", { layout: c64(32, 8), axis: 0, cornerTurn: true }],
  ["between a load and a store", { layout: c64(12, 16), axis: 0, load: { ...load, sources: { x: c64(12, 16) } }, store }],
  ["one point", { layout: c64(5, 1), axis: 1 }],
];

const open_ = (options: GpuOptions = {}): Promise<Device> => open(gpu(options));

describe.each(["spectral-filter", "filter-inverse"] as const)("%s with a computed filter", (op) => {
  let device: Device;
  let passes: Device;
  beforeAll(async () => {
    [device, passes] = await Promise.all([open_(), open_({ planning: { longestPass: 8, longestFactor: 8, longestWideTile: 8 } })]);
  });
  afterAll(() => {
    for (const one of [device, passes]) {
      expect(one.memory()).toMatchObject({ buffers: 0, bytes: 0, plans: 0 });
      one[Symbol.dispose]();
    }
  });

  it.each(fields)("%s", async (_name, rest) => {
    const text = await compare(device, { op, ...rest } as Fields);
    expect(text).toContain(`(${op}/gpu`);
    expect(text).toContain(" h=quadratic phase");
    expect(text).not.toContain("kernel");
  });

  it("in several passes", async () => {
    for (const rest of [
      { layout: c64(3, 64), axis: 1 },
      { layout: c64(2, 60, 6), axis: 1, n: 64, keep: [10, 50] },
    ] as const)
      expect(await compare(passes, { op, ...rest } as Fields)).toContain("-pass");
  });

  it("of a length with a large prime factor", async () => {
    const text = await compare(device, { op, layout: c64(4, 106), axis: 1 } as Fields);
    if (op === "filter-inverse") expect(text).toContain("bluestein");
  });

  it("without WGSL, and without fusion, takes the hook as a step of its own", async () => {
    const rest = { op, layout: c64(4, 16), axis: 1 } as Fields;
    const host = await compare(device, rest, { wgsl: undefined } as never);
    expect(host).toContain("kernel/host");
    expect(await compare(device, rest, {}, false)).toContain("kernel/wgsl");
  });

  it("is planned anew for another hook of the same name", async () => {
    const rest = { op, layout: c64(4, 16), axis: 1 } as Fields;
    await compare(device, rest);
    const h: Load = { ...phase([4, 16], 1), wgsl: () => "return vec2f(0.0, 0.0 * uniforms.slope * load_weight(0u));" };
    const data = { in: new Float32Array(128).fill(1), weight: new Float32Array(16).fill(1) };
    const [out] = await run(device, { ...rest, h } as Filter, data);
    expect(out.every((value) => value === 0)).toBe(true);
  });

  it("whose text does not compile is reported with its own line", async () => {
    const h: Load = { ...phase([4, 16], 1), wgsl: () => "let a = 1.0;\nreturn nonsense;" };
    const error = await device.plan({ op, layout: c64(4, 16), axis: 1, h } as Filter).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(error).toMatchObject({ code: "compile", fields: { field: "h.wgsl", line: 2, column: 8 } });
  });
});

it("columns in pairs have the filter of their own line", async () => {
  const device = await open_({ planning: { longestWideTile: 8 } });
  const text = await compare(device, { op: "filter-inverse", layout: c64(64, 8), axis: 0 });
  expect(text).toContain("in pairs");
  device[Symbol.dispose]();
});
