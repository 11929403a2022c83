/** Tests the CPU device as a whole: which rules handle what, units, memory beyond 2 GiB, WASM kernels, disposal. */
import { random, randomArray } from "@dechirp/conformance";
import { type DType, type Kernel, type Load, layout, type Op, open, type Store, type TypedArrayOf } from "@dechirp/core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { cpu } from "../src/index.ts";
import { assembleBoth } from "./assemble.ts";

const rejected = (code: string) => expect.objectContaining({ code });

test("describes itself", async () => {
  using both = await open(cpu({ workers: 2 }));
  using alone = await open(cpu({ workers: 1, kernels: "plain" }));
  using script = await open(cpu({ kernels: "js" }));
  expect([both, alone, script].map(({ units }) => units)).toEqual([2, 1, 1]);
  expect(both.info.description).toMatch(/^WASM SIMD(, relaxed)?, 2 workers/);
  expect(alone.info.description).toMatch(/^WASM SIMD, one thread/);
  expect(script.info.description).toMatch(/^JavaScript, one thread/);
});

test.each([{ units: 0 }, { units: 1.5 }, { units: 65 }, { kernels: "fast" as "js" }, { unit: 2 } as object])(
  "rejects %o",
  async (options) => {
    await expect(cpu(options).open()).rejects.toEqual(rejected("input"));
  },
);

test("reports missing WebAssembly", async () => {
  vi.stubGlobal("WebAssembly", undefined);
  try {
    for (const kernels of ["wasm", "js"] as const) await expect(cpu({ kernels }).open()).rejects.toEqual(rejected("no-backend"));
  } finally {
    vi.unstubAllGlobals();
  }
});

test("float32 goes to WASM, float64 to JavaScript", async () => {
  using device = await open(cpu());
  const text = async (op: Op): Promise<string> => (await device.plan(op)).text;
  const single = layout("c64", [8, 360]);
  const double = layout("c128", [8, 360]);
  for (const axis of [0, 1]) {
    expect(await text({ op: "fft", layout: single, axis, inverse: true })).toMatch(/^\(fft\/wasm/);
    expect(await text({ op: "spectral-filter", layout: single, axis, h: "line" })).toMatch(/^\(spectral-filter\/wasm/);
    expect(await text({ op: "fft", layout: double, axis, inverse: true })).toMatch(/^\(fft\/lines/);
    expect(await text({ op: "multiply", layout: single, axis, h: "all" })).toMatch(/^\(multiply\/wasm/);
  }
  expect(await text({ op: "real-fft", layout: layout("f32", [8, 36]), axis: 1, inverse: false })).toMatch(/^\(real-fft\/wasm/);
  expect(await text({ op: "transpose", layout: single, permutation: [1, 0] })).toMatch(/^\(transpose\/wasm/);
  expect(await text({ op: "convert", layout: layout("ci8", [9]), to: "c64" })).toMatch(/^\(convert\/wasm/);
});

test("a hook without a WASM form runs by its reference, as the plan's text says", async () => {
  using device = await open(cpu());
  const shape = layout("c64", [4, 8]);
  const load: Load = { name: "ones", sources: {}, reference: () => [1, 0] };
  const store: Store = { name: "real part", dtype: "f32", sources: {}, reference: (_, value) => value };
  using plan = await device.plan({ op: "fft", layout: shape, axis: 1, inverse: false, load, store });
  expect(plan.text).toMatch(/^\(fft\/lines .* load=ones by reference store=real part by reference\)$/);
});

test("every choice of units gives the same bits", async () => {
  using device = await open(cpu({ workers: 3 }));
  const shape = layout("c64", [61, 500]);
  const data = randomArray(shape, random(1));
  using input = device.alloc(shape);
  input.write(data as Float32Array);
  const ops: Op[] = [
    { op: "fft", layout: shape, axis: 0, inverse: false },
    { op: "fft", layout: shape, axis: 1, inverse: true },
    { op: "transpose", layout: shape, permutation: [1, 0] },
    { op: "convert", layout: shape, to: "ci16", scale: 1000 },
  ];
  for (const op of ops) {
    using plan = await device.plan(op);
    const written = op.op === "transpose" ? layout("c64", [500, 61]) : op.op === "convert" ? layout("ci16", [61, 500]) : shape;
    const results: TypedArrayOf<DType>[] = [];
    for (const units of [[0], [2], [1, 0], [0, 1, 2]]) {
      using output = device.alloc(written);
      await plan.run({ in: input, out: output }, { units }).done;
      results.push(await output.read());
    }
    for (const result of results.slice(1)) expect(result).toEqual(results[0]);
  }
});

test("corner turns of large odd matrices, every element size", async () => {
  using device = await open(cpu({ workers: 2 }));
  for (const dtype of ["u8", "i16", "f32", "c64", "c128"] as const) {
    const shape = layout(dtype, [3, 131, 77]);
    const components = dtype.startsWith("c") ? 2 : 1;
    using input = device.alloc(shape);
    using output = device.alloc(layout(dtype, [3, 77, 131]));
    const data = randomArray(shape, random(2));
    input.write(data as never);
    using plan = await device.plan({ op: "transpose", layout: shape, permutation: [0, 2, 1] });
    await plan.run({ in: input, out: output }).done;
    const turned = await output.read();
    for (let e = 0; e < 3 * 131 * 77; e++) {
      const [m, r, c] = [Math.floor(e / (131 * 77)), Math.floor(e / 77) % 131, e % 77];
      for (let k = 0; k < components; k++) {
        if (turned[components * ((m * 77 + c) * 131 + r) + k] !== data[components * e + k]) throw new Error(`${dtype} element ${e}`);
      }
    }
  }
});

describe("memory", () => {
  test("memory beyond 2 GiB is used, beyond 4 GiB throws limit, and freed memory is available again", async () => {
    using device = await open(cpu({ workers: 2 }));
    using low = device.alloc(layout("u8", [2.25 * 2 ** 30]), "low");
    const shape = layout("c64", [40, 1000]);
    using input = device.alloc(shape, "in");
    using output = device.alloc(shape, "out");
    const data = randomArray(shape, random(3));
    input.write(data as Float32Array);
    for (const axis of [0, 1]) {
      using forward = await device.plan({ op: "fft", layout: shape, axis, inverse: false });
      using inverse = await device.plan({ op: "fft", layout: shape, axis, inverse: true }, { inPlace: true });
      forward.run({ in: input, out: output });
      await inverse.run({ in: output, out: output }).done;
      const back = await output.read();
      // The error of a round trip is below 2·0.4·ε·√log₂n of the largest number, with a margin for the maximum over 80,000 numbers.
      for (let i = 0; i < back.length; i++) expect(Math.abs(back[i] - data[i])).toBeLessThan(2 ** -23 * 8);
    }
    expect(() => device.alloc(layout("u8", [2 * 2 ** 30]), "too much")).toThrowError(rejected("limit"));
    low[Symbol.dispose]();
    device.alloc(layout("u8", [2 * 2 ** 30]), "again")[Symbol.dispose]();
  });

  test("1000 plans and 30 devices leave no memory allocated", async () => {
    using device = await open(cpu({ workers: 2 }));
    const shape = layout("c64", [4, 60]);
    using array = device.alloc(shape);
    const cycle = async (): Promise<void> => {
      using plan = await device.plan({ op: "fft", layout: shape, axis: 1, inverse: false }, { inPlace: true });
      plan.run({ in: array, out: array });
    };
    for (let i = 0; i < 1000; i++) await cycle();
    await device.ready();
    expect(device.memory()).toMatchObject({ buffers: 1, plans: 0 });
    const workers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Worker" || kind === "MessagePort").length;
    const before = workers();
    for (let i = 0; i < 30; i++) {
      using other = await open(cpu({ workers: 2 }));
      using buffer = other.alloc(shape);
      await buffer.read();
    }
    // Node counts a worker until it has ended.
    await expect.poll(workers).toBeLessThanOrEqual(before);
  });
});

test("disposing a device ends a long run", async () => {
  const device = await open(cpu({ workers: 2 }));
  const shape = layout("c64", [8, 2 ** 20]);
  const plan = await device.plan({ op: "fft", layout: shape, axis: 1, inverse: false });
  const [input, output] = [device.alloc(shape), device.alloc(shape)];
  // Six runs are queued at all times.
  const endless = async (): Promise<never> => {
    for (;;) await plan.run({ in: input, out: output }).done;
  };
  const outcomes = Promise.allSettled(Array.from({ length: 6 }, endless));
  setTimeout(() => device[Symbol.dispose](), 5);
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: "rejected", reason: { code: "disposed" } });
});

describe("kernels in WASM", () => {
  const source = `
    // y = x·factor + offset; words: x, y, factor, offset
    export function affine(argument: usize, start: u32, end: u32): void {
      const x: usize = load<u32>(argument), y: usize = load<u32>(argument, 4);
      for (let i = start; i < end; i++) store<f32>(y + 4 * i, load<f32>(x + 4 * i) * load<f32>(argument, 8) + load<f32>(argument, 12));
    }
    // Writes the number of items of each call at the index of its first item.
    export function calls(argument: usize, start: u32, end: u32): void { store<f32>(load<u32>(argument, 4) + 4 * start, f32(end - start)); }
    // Counts up in work memory from zero, and writes the count; words: x, y, factor, offset, work, pitch.
    export function counts(argument: usize, start: u32, end: u32, unit: u32): void {
      const y: usize = load<u32>(argument, 4), work: usize = load<u32>(argument, 16) + unit * load<u32>(argument, 20);
      store<u32>(work, 0);
      store<u32>(work, start, 65532);
      for (let i = start; i < end; i++) {
        store<u32>(work, load<u32>(work) + 1);
        store<f32>(y + 4 * i, f32(load<u32>(work) + load<u32>(work, 65532)));
      }
    }
    export function trap(argument: usize, start: u32, end: u32): void { unreachable(); }
  `;
  let modules: Awaited<ReturnType<typeof assembleBoth>>;

  beforeAll(async () => {
    modules = await assembleBoth(source);
  });

  const shape = layout("f32", [100_000]);
  const affine = (entry: string): Kernel => ({
    op: "kernel",
    name: entry,
    uniforms: { factor: "f32" },
    constants: { offset: 0.5 },
    ports: { in: { access: "read", layout: shape }, out: { access: "write", layout: shape } },
    items: 100_000,
    elementwise: true,
    reference: ({ in: x, out }, { factor }, start, end) => {
      for (let i = start; i < end; i++) out.set(i, x.re(i) * factor + 0.5);
    },
    wasm: { ...modules, entry, precision: "f32" },
  });

  test.each([1, 2])("run on %d units as their reference does", async (units) => {
    using device = await open(cpu({ workers: units }));
    using plan = await device.plan(affine("affine"));
    expect(plan.text).toBe("(kernel/wasm affine)");
    using input = device.alloc(shape);
    using output = device.alloc(shape);
    const data = randomArray(shape, random(4)) as Float32Array;
    input.write(data);
    for (const factor of [2, -0.25]) {
      await plan.run({ in: input, out: output }, { uniforms: { factor } }).done;
      const result = await output.read();
      for (let i = 0; i < result.length; i++) expect(result[i]).toBe(Math.fround(Math.fround(data[i] * factor) + 0.5));
    }
  });

  const callsOf = async (units: number, more: Partial<Kernel>): Promise<number[]> => {
    using device = await open(cpu({ workers: units }));
    using plan = await device.plan({ ...affine("calls"), ...more });
    using input = device.alloc(shape);
    using output = device.alloc(shape);
    output.write(new Float32Array(100_000));
    await plan.run({ in: input, out: output }, { uniforms: { factor: 0 } }).done;
    return [...(await output.read())].filter((items) => items > 0);
  };
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

  test("are called for a few milliseconds at a time, as far as items allow", async () => {
    const light = await callsOf(2, {});
    expect(sum(light)).toBe(100_000);
    expect(light).toHaveLength(32);
    // Ten seconds by the estimate of 5 gigaflops per second: 0.1 ms per item, then 100 ms.
    const heavy = await callsOf(2, { flops: 5e10 });
    expect(sum(heavy)).toBe(100_000);
    expect(Math.max(...heavy)).toBe(80);
    const heavier = await callsOf(2, { flops: 5e10, items: 100 });
    expect(heavier).toEqual(new Array(100).fill(1));
  });

  test.each([2, 3])("are called once on each of %d units if they request it", async (units) => {
    const whole = { ...modules, entry: "calls", precision: "f32", whole: true } as const;
    const calls = await callsOf(units, { flops: 5e10, wasm: whole });
    expect(sum(calls)).toBe(100_000);
    expect(calls).toHaveLength(units);
  });

  test.each([1, 2, 3])("have the work memory that they request on each of %d units", async (units) => {
    const more = { flops: 5e9, wasm: { ...modules, entry: "counts", precision: "f32", workBytes: 65536 } } as const;
    using device = await open(cpu({ workers: units }));
    using plan = await device.plan({ ...affine("counts"), ...more });
    using input = device.alloc(shape);
    using output = device.alloc(shape);
    await plan.run({ in: input, out: output }, { uniforms: { factor: 0 } }).done;
    expect((await output.read()).findIndex((count, i) => count !== i + 1)).toBe(-1);
  });

  test.each([1, 2])("that trap on %d units make their run fail, and the device works on", async (units) => {
    using device = await open(cpu({ workers: units }));
    using input = device.alloc(shape);
    using output = device.alloc(shape);
    using broken = await device.plan(affine("trap"));
    using sound = await device.plan(affine("affine"));
    await expect(broken.run({ in: input, out: output }, { uniforms: { factor: 1 } }).done).rejects.toEqual(rejected("failed"));
    await expect(output.read()).rejects.toEqual(rejected("failed"));
    await sound.run({ in: input, out: output }, { uniforms: { factor: 1 } }).done;
    expect((await output.read())[7]).toBe(0.5);
  });
});
