/** Every public function that people call with data of their own, called with values of the wrong type. */
import * as core from "@dechirp/core";
import { compare, differenceOf, profileProgram } from "@dechirp/core/compare";
import * as internal from "@dechirp/core/internal";
import { percentileOf } from "@dechirp/core/reduce";
import { cpu } from "@dechirp/fft-cpu";
import { generatedKernels, gpu, preferredDevice, timeOnDevice } from "@dechirp/fft-gpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultsOf, type Subject } from "./wrong-arguments.ts";

const shape = core.layout("c64", [2, 8]);
const numbers = (): Float32Array => Float32Array.from({ length: 32 }, (_, i) => i);

const load = (): core.Load => ({
  name: "gain",
  constants: { a: 1 },
  uniforms: { level: "f32" },
  sources: { x: shape },
  wgsl: () => "return load_x(at[0] * 8u + at[1]);",
  reference: ([row, column], { x }) => [x.re(8 * row + column), x.im(8 * row + column)],
});
const store = (): core.Store => ({ name: "same", sources: {}, dtype: "c64", wgsl: () => "return value;", reference: (_, value) => value });
const kernel = (): core.Kernel => ({
  op: "kernel",
  name: "copy",
  flops: 1,
  constants: {},
  uniforms: { level: "f32" },
  ports: { in: { access: "read", layout: shape }, out: { access: "write", layout: shape } },
  items: 16,
  elementwise: true,
  wgsl: (_constants, _limits, toolkit) => toolkit.items("store_out(item, load_in(item));"),
  reference({ in: x, out }, _uniforms, start, end) {
    for (let i = start; i < end; i++) out.set(i, x.re(i), x.im(i));
  },
});
const ops = (): Readonly<Record<string, core.Op>> => ({
  fft: { op: "fft", layout: shape, axis: 1, n: 8, inverse: false, keep: [0, 4], cornerTurn: false, load: load(), store: store() },
  "real-fft": { op: "real-fft", layout: core.layout("f32", [2, 8]), axis: 1, n: 8, inverse: false },
  "spectral-filter": { op: "spectral-filter", layout: shape, axis: 1, h: "line" },
  "filter-inverse": { op: "filter-inverse", layout: shape, axis: 1, h: "all" },
  multiply: { op: "multiply", layout: shape, axis: 1, h: "line" },
  transpose: { op: "transpose", layout: shape, permutation: [1, 0] },
  convert: { op: "convert", layout: shape, to: "ci16", scale: 2 },
  reduce: { op: "reduce", layout: shape, what: "product", axes: [1], conjugate: true },
  histogram: { op: "histogram", layout: core.layout("f32", [2, 8]), bins: 4, low: 0, high: 1 },
  kernel: kernel(),
});
const program = (): core.Program => ({
  name: "two",
  inputs: { x: shape },
  constants: { h: { layout: core.layout("c64", [8]), data: numbers().subarray(0, 16) } },
  steps: [
    { name: "filter", op: { op: "multiply", layout: shape, axis: 1, h: "line" }, bind: { in: "x", h: "h", out: "y" } },
    { name: "copy", op: kernel(), bind: { in: "y", out: "z" }, inPlace: false },
  ],
  outputs: ["z"],
});
const runOptions = (): core.ProgramRunOptions => ({ uniforms: { level: 1 }, signal: new AbortController().signal, onProgress: () => {} });

/** Methods that every device has. */
function deviceSubjects(device: () => core.Device): readonly Subject[] {
  const plan = { name: "plan", parameters: ["op", "options"] };
  const close = (made: Disposable): void => made[Symbol.dispose]();
  return [
    {
      name: "alloc",
      parameters: ["layout", "label"],
      sound: () => [{ dtype: "c64", shape: [2, 8] }, "an array"],
      call: (...args) => close(device().alloc(...(args as Parameters<core.Device["alloc"]>))),
    },
    ...Object.keys(ops()).map(
      (kind): Subject => ({
        ...plan,
        name: `plan ${kind}`,
        sound: () => [ops()[kind], { fuse: true, inPlace: false }],
        more: { options: ["signal", "fused"] },
        call: async (...args) => close(await device().plan(...(args as Parameters<core.Device["plan"]>))),
      }),
    ),
    {
      name: "write",
      parameters: ["data", "offset"],
      sound: () => [numbers(), 0],
      call(...args) {
        using a: core.Buffer = device().alloc(shape, "data");
        a.write(args[0] as Float32Array, args[1] as number);
      },
    },
    {
      name: "read",
      parameters: ["span"],
      sound: () => [{ start: 0, count: 3 }],
      async call(...args) {
        using a = device().alloc(shape);
        await a.read(...(args as Parameters<core.Buffer["read"]>));
      },
    },
    {
      name: "part",
      parameters: ["first", "count"],
      sound: () => [0, 2],
      call(...args) {
        using a = device().alloc(shape);
        a.part(...(args as Parameters<core.Buffer["part"]>));
      },
    },
    {
      name: "run",
      parameters: ["bindings", "options"],
      sound: () => [
        { in: 0, out: 1 },
        { units: [0], uniforms: { level: 1 }, signal: new AbortController().signal },
      ],
      async call(given, options) {
        using a = device().alloc(shape);
        using b = device().alloc(shape);
        using made = await device().plan(kernel());
        const bound = (value: unknown): unknown => (value === 0 ? a : value === 1 ? b : value);
        const bindings =
          typeof given === "object" && given !== null ? Object.fromEntries(Object.entries(given).map(([k, v]) => [k, bound(v)])) : given;
        await made.run(bindings as core.Bindings, options as core.RunOptions).done;
      },
    },
    {
      name: "compile",
      parameters: ["program", "device", "options"],
      sound: () => [program(), device(), { fuse: true, inPlace: false }],
      more: { options: ["signal", "fused"] },
      call: async (...args) => close(await core.compile(...(args as Parameters<typeof core.compile>))),
    },
    {
      name: "evaluate",
      parameters: ["program", "device", "inputs", "options"],
      sound: () => [program(), device(), { x: numbers() }, { ...runOptions(), fuse: true }],
      more: { options: ["units", "inPlace", "progress"], inputs: ["z"] },
      call: (...args) => core.evaluate(...(args as Parameters<typeof core.evaluate>)),
    },
    {
      name: "compiled run",
      parameters: ["bindings", "options"],
      sound: () => [{}, runOptions()],
      more: { options: ["units"], bindings: ["x", "z", "unknown"] },
      async call(given, options) {
        using compiled = await core.compile(program(), device());
        using x = device().alloc(shape);
        using z = device().alloc(shape);
        const bindings = typeof given === "object" && given !== null && !Array.isArray(given) ? { x, z, ...given } : given;
        await compiled.run(bindings as core.Bindings, options as core.ProgramRunOptions).done;
      },
    },
    {
      name: "runStage",
      parameters: ["index", "bindings", "options"],
      sound: () => [0, {}, { uniforms: {} }],
      more: { options: ["units", "signal", "onProgress"] },
      async call(index, given, options) {
        using compiled = await core.compile(program(), device());
        using x = device().alloc(shape);
        using z = device().alloc(shape);
        const bindings = typeof given === "object" && given !== null && !Array.isArray(given) ? { x, z, ...given } : given;
        await compiled.runStage(index as number, bindings as core.Bindings, options as core.RunOptions).done;
      },
    },
    {
      name: "compare",
      parameters: ["program", "device", "device", "inputs", "options"],
      sound: () => [program(), device(), device(), { x: numbers() }, { uniforms: { level: 1 }, tolerance: 1 }],
      call: (...args) => compare(...(args as Parameters<typeof compare>)),
    },
    {
      name: "profile",
      parameters: ["program", "device", "inputs", "options"],
      // A profile measures a copy of 32 MiB; what is in its program is compiled and evaluated here.
      sound: () => [0, device(), { x: numbers() }, { runs: 1 }],
      call: (given, ...rest) =>
        given === 0 ? rest : profileProgram(...([given, ...rest] as unknown as Parameters<typeof profileProgram>)),
    },
    {
      name: "generatedKernels",
      parameters: ["device", "work"],
      sound: () => [device(), async () => {}],
      call: (...args) => generatedKernels(...(args as Parameters<typeof generatedKernels>)),
    },
    {
      name: "timeOnDevice",
      parameters: ["device", "work"],
      sound: () => [device(), () => {}],
      call: (...args) => timeOnDevice(...(args as Parameters<typeof timeOnDevice>)),
    },
  ];
}

const subjects: readonly Subject[] = [
  {
    name: "open",
    parameters: ["backends"],
    sound: () => [cpu({ workers: 1 })],
    call: async (...args) => void (await core.open(...(args as core.Backend[])))[Symbol.dispose](),
  },
  {
    name: "cpu",
    parameters: ["options"],
    sound: () => [{ workers: 1, kernels: "js", maxBufferBytes: 4096 }],
    more: { options: ["unit"] },
    call: async (options) => (await core.open(cpu(options as never)))[Symbol.dispose](),
  },
  {
    name: "layout",
    parameters: ["dtype", "shape"],
    sound: () => ["c64", [2, 8]],
    call: (...args) => core.layout(...(args as Parameters<typeof core.layout>)),
  },
  {
    name: "createRandom",
    parameters: ["seed", "stream"],
    sound: () => [1, 0],
    call: (...args) => core.createRandom(...(args as [number, number])),
  },
  { name: "checkSeed", parameters: ["seed"], sound: () => [1], call: (seed) => internal.checkSeed(seed as number) },
  { name: "nextFastLength", parameters: ["n"], sound: () => [17], call: (n) => core.nextFastLength(n as number) },
  {
    name: "onAbort",
    parameters: ["signal", "call"],
    sound: () => [new AbortController().signal, () => {}],
    call: (...args) => internal.onAbort(...(args as Parameters<typeof internal.onAbort>))(),
  },
  { name: "validateOp", parameters: ["op"], sound: () => [ops()["fft"]], call: (op) => core.validateOp(op as core.Op) },
  { name: "describe", parameters: ["value"], sound: () => [5], call: (value) => internal.describe(value) },
  { name: "messageOf", parameters: ["error"], sound: () => [new Error("x")], call: (error) => core.messageOf(error) },
  {
    name: "differenceOf",
    parameters: ["shape", "a", "b"],
    sound: () => [{ dtype: "c64", shape: [2, 8] }, numbers(), numbers()],
    call: (...args) => differenceOf(...(args as Parameters<typeof differenceOf>)),
  },
  {
    name: "percentileOf",
    parameters: ["counts", "low", "high", "percent"],
    sound: () => [[1, 2, 3], 0, 1, 50],
    call: (...args) => percentileOf(...(args as Parameters<typeof percentileOf>)),
  },
  {
    name: "preferredDevice",
    parameters: ["work"],
    sound: () => [{ bytes: 2 ** 20, data: "host", plans: "kept" }],
    call: (work) => preferredDevice(work as never),
  },
];

const report = async (list: readonly Subject[]): Promise<void> => {
  const faults: string[] = [];
  for (const subject of list) faults.push(...(await faultsOf(subject)));
  expect(faults, `${faults.length} faults\n${faults.join("\n")}`).toEqual([]);
};

it("functions of core and the backends", { timeout: 120_000 }, () => report(subjects));

describe.each([
  ["cpu", () => cpu({ workers: 1 })],
  ["cpu in JavaScript", () => cpu({ kernels: "js" })],
  ["gpu", () => gpu()],
])("of a device of %s", (_name, backend) => {
  let device: core.Device;
  beforeAll(async () => {
    device = await core.open(backend());
  }, 60_000);
  afterAll(() => device[Symbol.dispose]());

  it.each(deviceSubjects(() => device).map((subject) => [subject.name, subject] as const))(
    "%s",
    { timeout: 600_000 },
    async (_, subject) => {
      await report([subject]);
      await device.ready();
      expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
    },
  );
});
