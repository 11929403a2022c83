/**
 * Tests planning by measurement: every plan that is tried is right, the fastest by the device's clock is taken unless its results are wrong, what was
 * found is kept as wisdom, and planning can be aborted. The clock is a stand-in where a test must know which plan is the fastest.
 */
import { gate, random, randomArray } from "@dechirp/conformance";
import {
  type Device,
  fft,
  formatOp,
  layout,
  type Op,
  open,
  portsOf,
  type RadarError,
  realFft,
  spectralFilter,
  type TransformOp,
  transformLength,
} from "@dechirp/core";
import { load } from "@dechirp/core/expression";
import { cpu } from "@dechirp/fft-cpu";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { cardOf } from "../src/adapter-info.ts";
import { joined, type Preferences, respects } from "../src/candidates.ts";
import { Engine } from "../src/engine.ts";
import { type GpuOptions, generatedKernels, gpu, type Wisdom, wisdomOf } from "../src/index.ts";
import { Commands } from "../src/pass.ts";
import { Pipelines } from "../src/pipelines.ts";
import type { Choice } from "../src/shape.ts";
import { fittingSpec } from "../src/transform-body.ts";
import { adapterOf, rawDevice, refuse } from "./raw-device.ts";
import { distance } from "./real-lines.ts";

const rows = (lines: number, n: number): TransformOp => fft(layout("c64", [lines, n]), { axis: 1 });

/** Runs an op on random inputs, by the same seed on every device. */
async function run(device: Device, op: Op): Promise<{ readonly out: Float32Array; readonly text: string; readonly convolved?: true }> {
  using plan = await device.plan(op);
  const buffers = Object.entries(portsOf(op)).map(([name, { layout: shape, access }], i) => {
    const buffer = device.alloc(shape);
    if (access === "read") buffer.write(randomArray(shape, random(i)) as never);
    return [name, buffer] as const;
  });
  try {
    const bound = Object.fromEntries(buffers);
    await plan.run(bound).done;
    return { out: (await bound["out"].read()) as Float32Array, text: plan.text, ...(plan.convolved && { convolved: plan.convolved }) };
  } finally {
    for (const [, buffer] of buffers) buffer[Symbol.dispose]();
  }
}

/**
 * Makes the device's clock return what `ms` says of the plan whose runs it sees, and the host's clock so slow that a busy machine does not use up the
 * time for planning. Returns the plans that were timed.
 */
function withClock(ms: (text: string) => number): Set<string> {
  const { now } = performance;
  vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) / 100);
  const timed = new Set<string>();
  let runs: string[] = [];
  const { body } = Engine.prototype;
  vi.spyOn(Engine.prototype, "body").mockImplementation(async function (this: Engine, spec, context) {
    const made = await body.call(this, spec, context);
    return {
      ...made,
      run: (ports, options) => {
        runs.push(spec.text);
        return made.run(ports, options);
      },
    };
  });
  const { time } = Commands.prototype;
  vi.spyOn(Commands.prototype, "time").mockImplementation(async function (this: Commands, work) {
    runs = [];
    const ended = time.call(this, work);
    const [text] = runs;
    const count = runs.length;
    await ended;
    timed.add(text);
    return ms(text) * count;
  });
  return timed;
}

afterEach(() => vi.restoreAllMocks());

const wisdomFor = (raw: GPUDevice, op: TransformOp, preferences: Preferences): Wisdom => ({
  version: 1,
  devices: { [cardOf(raw.adapterInfo)]: { [formatOp(op)]: preferences } },
});

describe("every plan that is tried is right", () => {
  let reference: Device;
  let raw: GPUDevice;
  beforeAll(async () => {
    raw = await rawDevice();
    reference = await open(cpu({ workers: 1 }));
  });
  afterAll(() => {
    reference[Symbol.dispose]();
    raw.destroy();
  });

  /** WebGPU's default limits. */
  const limits = { workgroupBytes: 16_384, invocations: 256, storageBuffers: 8, segmentElements: () => 2 ** 20 };
  const ops: readonly (readonly [string, TransformOp])[] = [
    ["rows", rows(37, 60)],
    ["rows of a prime", rows(33, 17)],
    ["long rows", rows(3, 1024)],
    ["columns", fft(layout("c64", [96, 21]), { axis: 0, inverse: true })],
    ["long columns", fft(layout("c64", [640, 24]), { axis: 0 })],
    ["real rows", realFft(layout("f32", [9, 256]), { axis: 1 })],
    ["real rows, back", { op: "real-fft", layout: layout("c64", [9, 129]), axis: 1, inverse: true }],
    ["a filter", spectralFilter(layout("c64", [40, 90]), { axis: 1 })],
    ["convolved rows", rows(5, 59)],
  ];
  it.each(ops)("%s", async (_, op) => {
    const wanted = await run(reference, op);
    const choiceWith = (preferences: Preferences): Choice | undefined => fittingSpec(op, { ...limits, ...preferences })?.choice;
    const seen = new Set<string>();
    const tried: Preferences[] = [];
    // Each respect beside none and beside preferences of the others.
    const beside: readonly Preferences[] = [{}, { prefer: { exchange: "both" } }, { longestPass: 30, longestFactor: 32 }];
    for (const before of beside) {
      const choice = choiceWith(before);
      for (const more of choice ? respects.flatMap((respect) => respect(choice, limits)) : []) {
        const preferences = joined(before, more);
        const text = fittingSpec(op, { ...limits, ...preferences })?.text;
        if (text === undefined || seen.has(text)) continue;
        seen.add(text);
        tried.push(preferences);
      }
    }
    expect(tried.length).toBeGreaterThan(2);
    const few = everyOf(tried, Math.min(6, tried.length));
    for (const preferences of few) {
      using device = await open(gpu({ device: raw, wisdom: wisdomFor(raw, op, preferences) }));
      const got = await run(device, op);
      expect(seen).toContain(got.text);
      const n = transformLength(op);
      expect(distance(got.out, wanted.out), `${JSON.stringify(preferences)} ${got.text}`).toBeLessThan(
        2 * (gate(n, got) + gate(n, wanted)),
      );
    }
  });
});

const afterTurns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setTimeout(resolve));
};

/** So many of a list, evenly spread. */
const everyOf = <T>(list: readonly T[], count: number): readonly T[] =>
  list.filter((_, i) => Math.floor((i * count) / list.length) !== Math.floor(((i - 1) * count) / list.length));

describe("planning by measurement", () => {
  const op = rows(48, 64);
  const measuring = (options: GpuOptions = {}): Promise<Device> => open(gpu({ effort: "measure", ...options }));
  const textOn = async (device: Device, of: TransformOp = op): Promise<string> => {
    using plan = await device.plan(of);
    return plan.text;
  };

  it("takes the plan with the least time, and frees what it used", async () => {
    const timed = withClock((text) => (text.includes("radix=4·4·4") ? 1 : 3));
    using device = await measuring();
    expect(await textOn(device)).toContain("radix=4·4·4");
    expect(timed.size).toBeGreaterThan(5);
    expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0, plans: 0 });
  });

  it("keeps the plan by the rules if others gain less than noise", async () => {
    using plain = await open(gpu());
    const usual = await textOn(plain);
    withClock((text) => (text === usual ? 1 : 0.99));
    using device = await measuring();
    expect(await textOn(device)).toBe(usual);
  });

  it("goes on from the fastest plan in one respect to the next", async () => {
    withClock((text) => 4 - (text.includes("2-pass") ? 2 : 0) - (text.includes("exchange=both") ? 1 : 0));
    using device = await measuring();
    expect(await textOn(device, rows(5, 512))).toMatch(/2-pass.*exchange=both.*exchange=both/);
  });

  it("does not take a plan whose results are wrong", async () => {
    const { get } = Pipelines.prototype;
    vi.spyOn(Pipelines.prototype, "get").mockImplementation(function (this: Pipelines, spec, what) {
      const body = spec.code.indexOf("{", spec.code.indexOf(`fn ${spec.entry}(`)) + 1;
      const nothing = `${spec.code.slice(0, body)} if (group_id.x < 4000000u) { return; } ${spec.code.slice(body)}`;
      return get.call(this, what.includes("radix=4·4·4") ? { ...spec, code: nothing } : spec, what);
    });
    withClock((text) => (text.includes("radix=4·4·4") ? 1 : 3));
    using device = await measuring();
    expect(await textOn(device)).not.toContain("radix=4·4·4");
  });

  it("skips plans that the device does not compile", async () => {
    const { get } = Pipelines.prototype;
    vi.spyOn(Pipelines.prototype, "get").mockImplementation(function (this: Pipelines, spec, what) {
      return get.call(this, what.includes("radix=4·4·4") ? { ...spec, code: `${spec.code} not WGSL` } : spec, what);
    });
    withClock((text) => (text.includes("radix=4·4·4") ? 1 : 3));
    using device = await measuring();
    expect(await textOn(device)).not.toContain("radix=4·4·4");
  });

  it("gives right results, by the device's own clock", async () => {
    using reference = await open(cpu({ workers: 1 }));
    using device = await measuring();
    for (const of of [rows(40, 30), fft(layout("c64", [30, 16]), { axis: 0 })]) {
      const [wanted, got] = [await run(reference, of), await run(device, of)];
      expect(distance(got.out, wanted.out)).toBeLessThan(2 * gate(30, got));
    }
  });

  it("plans by the rules without a clock", async () => {
    const adapter = await adapterOf();
    const raw = await adapter.requestDevice();
    using device = await measuring({ device: raw });
    using plain = await open(gpu({ device: raw }));
    const kernels = await generatedKernels(device, async () => expect(await textOn(device)).toBe(await textOn(plain)));
    expect([kernels.length, wisdomOf(device).devices]).toEqual([1, {}]);
    raw.destroy();
  });

  it.each(["cf16", "ci16"] as const)("measures with noise as samples of %s", async (dtype) => {
    const { get } = Pipelines.prototype;
    // Kernels whose results differ from those of others, but not if all input is zero.
    vi.spyOn(Pipelines.prototype, "get").mockImplementation(function (this: Pipelines, spec, what) {
      const code = what.includes("radix=4·4·4") ? spec.code.replaceAll("= cmul(", "= -cmul(") : spec.code;
      return get.call(this, { ...spec, code }, what);
    });
    withClock((text) => (text.includes("radix=4·4·4") ? 1 : text.includes("exchange=split") ? 2 : 3));
    using device = await measuring();
    const shape = layout("c64", [48, 64]);
    const samples = load({ layout: shape, sources: { raw: layout(dtype, [48, 64]) } }, ({ at, raw }) => raw(at));
    const of = fft(shape, { axis: 1, load: samples });
    expect(await textOn(device, of)).toMatch(/radix=(?!4·4·4).*exchange=split/);
  });

  it("chooses between plans with half precision between passes", async () => {
    withClock((text) => (/\(16: radix=4·4 /.test(text) ? 1 : 3));
    using device = await measuring({ scratch: "f16", planning: { longestPass: 511 } });
    expect(await textOn(device, rows(5, 512))).toMatch(/\(16: radix=4·4 .*scratch=f16/);
  });

  it("does not believe a rounded clock more than it can tell", async () => {
    using plain = await open(gpu());
    const usual = await textOn(plain);
    // 256 runs take a third of a millisecond, which is three steps of the clock.
    withClock((text) => (text === usual ? 0.0013 : 0.0012));
    using device = await measuring();
    expect(await textOn(device)).toBe(usual);
  });

  it("plans by the rules if there is no memory for the measurement", async () => {
    const raw = await rawDevice();
    refuse(raw, "in of a measurement");
    using device = await measuring({ device: raw });
    expect((await run(device, op)).text).toContain("n=64");
    expect(wisdomOf(device).devices).toEqual({});
    raw.destroy();
  });

  it("measures an operation once, even if it is planned twice at the same time", async () => {
    const timed = withClock(() => 1);
    using device = await measuring();
    const before = await generatedKernels(device, () => Promise.all([textOn(device), textOn(device)]));
    expect(before.length).toBeGreaterThan(5);
    const count = timed.size;
    const after = await generatedKernels(device, () => textOn(device));
    expect([after.length, timed.size]).toEqual([1, count]);
  });

  it("leaves what it knows as wisdom, which another device uses without measuring", async () => {
    withClock((text) => (text.includes("radix=4·4·4") ? 1 : 3));
    using first = await measuring();
    const text = await textOn(first);
    const wisdom = JSON.parse(JSON.stringify(wisdomOf(first))) as Wisdom;
    expect(Object.values(wisdom.devices).map((known) => Object.keys(known))).toEqual([[formatOp(op)]]);
    for (const effort of ["estimate", "measure"] as const) {
      using second = await open(gpu({ effort, wisdom }));
      const kernels = await generatedKernels(second, () => textOn(second));
      expect(kernels.map(({ plan }) => plan)).toEqual([text]);
      expect(wisdomOf(second)).toEqual(wisdom);
    }
  });

  it("keeps wisdom of other devices, and does not use it", async () => {
    using plain = await open(gpu());
    const wisdom: Wisdom = { version: 1, devices: { "another card": { [formatOp(op)]: { prefer: { exchange: "split" } } } } };
    using device = await open(gpu({ wisdom }));
    expect(await textOn(device)).toBe(await textOn(plain));
    expect(wisdomOf(device)).toEqual(wisdom);
  });

  it.each<[string, TransformOp, Preferences]>([
    [
      "has too many invocations",
      rows(2, 4096),
      { longestPass: 4096, prefer: { radices: { 4096: [2, 2, 4, 4, 4, 4, 4] }, threads: { 4096: 2048 } } },
    ],
    ["needs too much memory", realFft(layout("f32", [32, 2048]), { axis: 0 }), { prefer: { tile: 2048 } }],
  ])("plans by the rules where a plan of wisdom %s", async (_, of, preferences) => {
    const raw = await rawDevice();
    using plain = await open(gpu({ device: raw }));
    using device = await open(gpu({ device: raw, wisdom: wisdomFor(raw, of, preferences) }));
    const [wanted, got] = [await run(plain, of), await run(device, of)];
    expect(distance(got.out, wanted.out)).toBeLessThan(2 * gate(4096, got));
    raw.destroy();
  });

  it("is aborted while it waits for another measurement, which goes on", async () => {
    using device = await measuring();
    const first = device.plan(op);
    const controller = new AbortController();
    const second = device.plan(rows(9, 32), { signal: controller.signal });
    const order: string[] = [];
    const ends = [first.then(() => order.push("first")), second.catch(({ code }: RadarError) => order.push(code))];
    await afterTurns(5);
    controller.abort();
    await Promise.all(ends);
    expect(order).toEqual(["aborted", "first"]);
    (await first)[Symbol.dispose]();
  });

  it("ends with device-lost when the device is lost meanwhile", async () => {
    const raw = await rawDevice();
    using device = await measuring({ device: raw });
    const { time } = Commands.prototype;
    vi.spyOn(Commands.prototype, "time").mockImplementation(function (this: Commands, work) {
      raw.destroy();
      return time.call(this, work);
    });
    await expect(device.plan(op)).rejects.toMatchObject({ code: "device-lost" });
  });

  it("ends with aborted, and holds nothing then", async () => {
    using device = await measuring();
    const controller = new AbortController();
    let timings = 0;
    const { time } = Commands.prototype;
    vi.spyOn(Commands.prototype, "time").mockImplementation(function (this: Commands, work) {
      if (++timings === 3) controller.abort();
      return time.call(this, work);
    });
    await expect(device.plan(op, { signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });
    await device.ready();
    expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0, plans: 0 });
    expect(wisdomOf(device).devices).toEqual({});
    expect(await textOn(device, rows(4, 8))).toContain("one-pass");
  });

  it("ends with disposed when the device is disposed of meanwhile", async () => {
    const device = await measuring();
    const { time } = Commands.prototype;
    vi.spyOn(Commands.prototype, "time").mockImplementation(function (this: Commands, work) {
      queueMicrotask(() => device[Symbol.dispose]());
      return time.call(this, work);
    });
    await expect(device.plan(op)).rejects.toMatchObject({ code: "disposed" });
  });
});

describe("wisdom is refused with", () => {
  const entry = (preferences: unknown): unknown => ({ version: 1, devices: { card: { fft: preferences } } });
  it.each<[string, unknown]>([
    ["wisdom.version", { version: 2, devices: {} }],
    ["wisdom.devices", { version: 1, devices: "none" }],
    ["wisdom", { version: 1, devices: {}, of: () => 0 }],
    ["wisdom.devices.card", { version: 1, devices: { card: [] } }],
    ["wisdom.devices.card.fft.longestPass", entry({ longestPass: 0.5 })],
    ["wisdom.devices.card.fft.longestPas", entry({ longestPas: 8 })],
    ["wisdom.devices.card.fft.prefer.exchange", entry({ prefer: { exchange: "none" } })],
    ["wisdom.devices.card.fft.prefer.radices.64", entry({ prefer: { radices: { 64: [4, 4] } } })],
    ["wisdom.devices.card.fft.prefer.radices.64", entry({ prefer: { radices: { 64: [64, 1] } } })],
    ["wisdom.devices.card.fft.prefer.radices.x", entry({ prefer: { radices: { x: [4, 4] } } })],
    ["wisdom.devices.card.fft.prefer.threads.64", entry({ prefer: { threads: { 64: 8 } } })],
    ["wisdom.devices.card.fft.prefer.threads.64", entry({ prefer: { radices: { 64: [8, 8] }, threads: { 64: 1 } } })],
  ])("%s", async (field, wisdom) => {
    await expect(open(gpu({ wisdom: wisdom as Wisdom }))).rejects.toMatchObject({
      code: "input",
      fields: { field: expect.stringContaining(field) },
    });
  });

  it("an effort that does not exist", async () => {
    await expect(open(gpu({ effort: "patient" } as unknown as GpuOptions))).rejects.toMatchObject({
      code: "input",
      fields: { field: "effort" },
    });
    expect(() => wisdomOf({} as Device)).toThrow("device");
  });
});
