/** Tests of what core does for every backend: rules and lowerings, ownership, failures, limits, lost devices. */
import { describe, expect, test } from "vitest";
import { lower } from "../src/backend.ts";
import { compile, type Kernel, layout, type Op, type Program, RadarError } from "../src/index.ts";
import { c64, fake, taker } from "./fake.ts";

const copy = (name = "copy", before: () => void = () => {}): Kernel => ({
  op: "kernel",
  name,
  elementwise: true,
  ports: { in: { access: "read", layout: c64(2) }, out: { access: "write", layout: c64(2) } },
  items: 2,
  reference({ in: x, out }, _uniforms, start, end) {
    before();
    for (let i = start; i < end; i++) out.set(i, x.re(i), x.im(i));
  },
});
const throwing = copy("throwing", () => {
  throw new RadarError("compile", "no");
});
const data = Float32Array.of(1, 2, 3, 4);
const code = (expected: string) => expect.objectContaining({ name: "RadarError", code: expected });

describe("planning", () => {
  const op: Op = { op: "spectral-filter", layout: c64(3, 8), axis: 1, h: "line" };

  test("takes the first rule that does not decline, and fused rules only with fuse", async () => {
    const log: string[] = [];
    const rules = [
      taker("convert", log),
      taker("spectral-filter", log, { fused: true, name: "fused" }),
      taker("spectral-filter", log, { name: "plain" }),
    ];
    const { device } = fake({ rules });
    expect((await device.plan(op)).text).toBe("(fused)");
    expect((await device.plan(op, { fuse: false })).text).toBe("(plain)");
  });

  test("lowers an op that no rule takes, and says so in the text", async () => {
    const log: string[] = [];
    const { device } = fake({ rules: [taker("fft", log)] });
    const plan = await device.plan(op);
    expect(plan.text).toBe(
      "(spectral-filter/lowered (spectral-filter (fft) (multiply/lowered (multiply (kernel multiply h=line))) (fft)))",
    );
    expect(plan.cost.passes).toBe(3);
    expect(device.memory()).toMatchObject({ plans: 5, buffers: 1, bytes: 3 * 8 * 8 });
    plan[Symbol.dispose]();
    expect(device.memory()).toMatchObject({ plans: 0, buffers: 0, bytes: 0 });
  });

  test("is unsupported if a lowering needs an op that no rule takes, and leaves nothing allocated", async () => {
    const { device } = fake();
    await expect(device.plan(op)).rejects.toThrowError(code("unsupported"));
    expect(device.memory()).toMatchObject({ plans: 0, buffers: 0 });
  });

  test("rejects an op beyond the device's limits before it asks any rule", async () => {
    const log: string[] = [];
    const { device } = fake({ rules: [taker("fft", log), taker("transpose", log)] });
    await expect(device.plan({ op: "fft", layout: c64(2), axis: 0, n: 8192, keep: [0, 2], inverse: false })).rejects.toThrowError(
      code("limit"),
    );
    await expect(device.plan({ op: "transpose", layout: c64(2 ** 18), permutation: [0] })).rejects.toMatchObject({
      code: "limit",
      fields: { field: "in" },
    });
    await expect(device.plan({ op: "transpose", layout: layout("c128", [2]), permutation: [0] })).rejects.toThrowError(code("unsupported"));
  });

  test("names unknown options", async () => {
    const { device } = fake();
    await expect(device.plan(copy(), { inplace: true } as never)).rejects.toMatchObject({ code: "layout", fields: { field: "inplace" } });
    await expect(device.plan(copy(), null as never)).rejects.toMatchObject({ code: "layout" });
    for (const [field, value] of Object.entries({ signal: 5, inPlace: "yes", fuse: 1 }))
      await expect(device.plan(copy(), { [field]: value } as never)).rejects.toMatchObject({ code: "layout", fields: { field } });
    const plan = await device.plan(copy());
    const [a, b] = [device.alloc(c64(2)), device.alloc(c64(2))];
    expect(() => plan.run({ in: a, out: b }, { signal: {} } as never)).toThrowError(
      expect.objectContaining({ code: "layout", fields: expect.objectContaining({ field: "signal" }) }),
    );
    const options = { unit: [0] } as never;
    expect(() => plan.run({ in: a, out: b }, options)).toThrowError(
      expect.objectContaining({ fields: expect.objectContaining({ field: "unit" }) }),
    );
  });

  test("disposes of a plan if the device is lost while the rule makes it", async () => {
    const log: string[] = [];
    const rule = taker("fft", log);
    const { device } = fake({ rules: [{ ...rule, try: async (o, context) => rule.try(o, context) }] });
    const planning = device.plan({ op: "fft", layout: c64(2), axis: 0, inverse: false });
    device[Symbol.dispose]();
    await expect(planning).rejects.toThrowError(code("disposed"));
    expect(rule.disposed).toBe(1);
    expect(device.memory().plans).toBe(0);
  });

  test("inPlace needs one layout at in and out, and an elementwise kernel", async () => {
    const log: string[] = [];
    const { device } = fake({ rules: [taker("fft", log)] });
    await expect(device.plan({ op: "fft", layout: c64(4), axis: 0, n: 5, inverse: false }, { inPlace: true })).rejects.toMatchObject({
      fields: { field: "inPlace" },
    });
    await expect(device.plan({ ...copy(), elementwise: false }, { inPlace: true })).rejects.toMatchObject({ fields: { field: "inPlace" } });
    await expect(device.plan(copy(), { inPlace: true })).resolves.toBeDefined();
  });
});

describe("ownership", () => {
  test("storage is freed once, when no queued work uses it", async () => {
    const { device, storages, start } = fake({ held: true });
    const plan = await device.plan(copy());
    const [a, b] = [device.alloc(c64(2)), device.alloc(c64(2))];
    const { done } = plan.run({ in: a, out: b });
    const read = b.read();
    for (const item of [a, b, a, b, plan, plan]) item[Symbol.dispose]();
    expect(storages.map((s) => s.freed)).toEqual([0, 0]);
    expect(device.memory()).toMatchObject({ buffers: 2, plans: 0 });
    start();
    await Promise.all([done, read]);
    expect(storages.map((s) => s.freed)).toEqual([1, 1]);
    expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0 });
  });

  test("a plan's body is disposed of after its last run", async () => {
    const log: string[] = [];
    const rule = taker("fft", log);
    const { device } = fake({ rules: [rule] });
    const plan = await device.plan({ op: "fft", layout: c64(2), axis: 0, inverse: false });
    const [a, b] = [device.alloc(c64(2)), device.alloc(c64(2))];
    const { done } = plan.run({ in: a, out: b });
    plan[Symbol.dispose]();
    expect(rule.disposed).toBe(0);
    await done;
    expect(rule.disposed).toBe(1);
  });

  test("a backend that throws in run makes the run reject and frees its buffers", async () => {
    const { device, storages } = fake({
      rules: [
        {
          name: "broken",
          fused: false,
          try: (op) => ({
            text: "broken",
            cost: { flops: 0, bytes: 0, passes: 1 },
            run() {
              throw new RadarError("out-of-memory", `no room for ${op.op}`);
            },
          }),
        },
      ],
    });
    const plan = await device.plan(copy());
    const [a, b] = [device.alloc(c64(2)), device.alloc(c64(2))];
    await expect(plan.run({ in: a, out: b }).done).rejects.toThrowError(code("out-of-memory"));
    a[Symbol.dispose]();
    expect(storages[0].freed).toBe(1);
  });

  test("memory reports its peak, and buffers have labels", () => {
    const { device } = fake();
    const a = device.alloc(c64(4), "mine");
    const b = device.alloc(c64(2));
    expect([a.label, b.label]).toEqual(["mine", "c64[2]"]);
    b[Symbol.dispose]();
    expect(device.memory()).toEqual({ buffers: 1, bytes: 32, peakBytes: 48, plans: 0 });
  });

  test("a buffer's layout is a copy", () => {
    const { device } = fake();
    const shape = [2, 3];
    const buffer = device.alloc({ dtype: "c64", shape });
    shape[0] = 100;
    expect(buffer.layout.shape).toEqual([2, 3]);
  });
});

describe("failures", () => {
  test("reach later reads and runs through any number of runs, but no earlier read", async () => {
    const { device } = fake();
    const [good, bad] = [await device.plan(copy()), await device.plan(throwing)];
    const [a, b, c, d] = [1, 2, 3, 4].map(() => device.alloc(c64(2)));
    b.write(data);
    const before = b.read();
    const runs = [bad.run({ in: a, out: b }), good.run({ in: b, out: c }), good.run({ in: c, out: d })].map((run) => run.done);
    const after = d.read();
    await expect(before).resolves.toEqual(data);
    for (const run of runs) await expect(run).rejects.toThrowError(code("compile"));
    await expect(after).rejects.toThrowError(code("compile"));
    await expect(d.read()).rejects.toThrowError(code("compile"));
  });

  test("a lowered run passes its failure on, although it takes longer to fail", async () => {
    const { device } = fake({
      rules: [
        {
          name: "failing fft",
          fused: false,
          try: (op) =>
            op.op === "fft"
              ? { text: "", cost: { flops: 0, bytes: 0, passes: 1 }, run: async () => Promise.reject(new RadarError("limit", "no")) }
              : undefined,
        },
      ],
    });
    const lowered = await device.plan({ op: "filter-inverse", layout: c64(2), axis: 0, h: "line" });
    const next = await device.plan(copy());
    const [a, h, b, c] = [1, 2, 3, 4].map(() => device.alloc(c64(2)));
    lowered.run({ in: a, h, out: b });
    await expect(next.run({ in: b, out: c }).done).rejects.toThrowError(code("limit"));
  });

  test.each(["lowered", "compiled"])("a %s run rejects when all its stages have ended, and then holds nothing", async (form) => {
    let end = (): void => {};
    const late = new Promise<void>((resolve) => {
      end = resolve;
    });
    const outcomes = { multiply: Promise.reject(new RadarError("limit", "no")), fft: late };
    outcomes.multiply.catch(() => {});
    const rules = (["multiply", "fft"] as const).map((name) => ({
      name,
      fused: false,
      try: (op: Op) => (op.op === name ? { text: "", cost: { flops: 0, bytes: 0, passes: 1 }, run: () => outcomes[name] } : undefined),
    }));
    const { device } = fake({ rules });
    const op: Op = { op: "filter-inverse", layout: c64(2), axis: 0, h: "line" };
    const made = form === "lowered" ? await device.plan(op) : await compile(lower(op) as Program, device);
    const [a, h, b] = [1, 2, 3].map(() => device.alloc(c64(2)));
    const { done } = made.run({ in: a, h, out: b });
    for (const item of [made, a, h, b]) item[Symbol.dispose]();
    let over = false;
    const told = done.finally(() => {
      over = true;
    });
    told.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve));
    expect(over).toBe(false);
    end();
    await expect(told).rejects.toThrowError(code("limit"));
    expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0, plans: 0 });
  });

  test("reads succeed after a full write, but not after a partial one", async () => {
    const { device } = fake();
    const bad = await device.plan(throwing);
    const [a, b] = [device.alloc(c64(2)), device.alloc(c64(2))];
    bad.run({ in: a, out: b });
    const between = b.read();
    b.write(data);
    await expect(b.read()).resolves.toEqual(data);
    await expect(between).rejects.toThrowError(code("compile"));
    bad.run({ in: a, out: b });
    b.write(data.subarray(0, 2));
    await expect(b.read()).rejects.toThrowError(code("compile"));
  });

  test("an update of an array fails if the write before it failed", async () => {
    const { device } = fake();
    const bad = await device.plan(throwing);
    const touch = await device.plan({
      ...copy("touch"),
      ports: { in: { access: "read", layout: c64(2) }, out: { access: "update", layout: c64(2) } },
    });
    const [a, b] = [device.alloc(c64(2)), device.alloc(c64(2))];
    bad.run({ in: a, out: b });
    await expect(touch.run({ in: a, out: b }).done).rejects.toThrowError(code("compile"));
  });
});

describe("runs", () => {
  test("copy uniforms when they are called", async () => {
    const seen: number[] = [];
    const { device } = fake();
    const kernel: Kernel = { ...copy(), uniforms: { k: "u32" }, reference: (_ports, { k }) => void seen.push(k) };
    const plan = await device.plan(kernel);
    const [a, b] = [device.alloc(c64(2)), device.alloc(c64(2))];
    const uniforms = { k: 1 };
    const first = plan.run({ in: a, out: b }, { uniforms }).done;
    uniforms.k = 2;
    await first;
    expect(seen).toEqual([1]);
  });

  test.each([[-1], [2 ** 32], [1.5], [Number.NaN], [undefined]])("reject %s as u32", async (k) => {
    const { device } = fake();
    const plan = await device.plan({ ...copy(), uniforms: { k: "u32" } });
    const [a, b] = [device.alloc(c64(2)), device.alloc(c64(2))];
    expect(() => plan.run({ in: a, out: b }, { uniforms: { k } as never })).toThrowError(
      expect.objectContaining({ code: "layout", fields: expect.objectContaining({ field: "uniforms.k" }) }),
    );
  });

  test("use the units in the options, or all by default", async () => {
    const given: (readonly number[])[] = [];
    const { device } = fake({
      units: 3,
      rules: [
        {
          name: "units",
          fused: false,
          try: () => ({ text: "", cost: { flops: 0, bytes: 0, passes: 1 }, run: async (_ports, { units }) => void given.push(units) }),
        },
      ],
    });
    const plan = await device.plan(copy());
    const [a, b] = [device.alloc(c64(2)), device.alloc(c64(2))];
    await plan.run({ in: a, out: b }).done;
    await plan.run({ in: a, out: b }, { units: [2, 0] }).done;
    expect(given).toEqual([
      [0, 1, 2],
      [2, 0],
    ]);
    expect(() => plan.run({ in: a, out: b }, { units: [3] })).toThrowError(code("layout"));
  });

  test("of a lowered plan queue all stages when they are called, also with a signal", async () => {
    const log: string[] = [];
    const { device, log: kernels } = fake({ rules: [taker("fft", log)] });
    const lowered = await device.plan({ op: "filter-inverse", layout: c64(2), axis: 0, n: 3, keep: [0, 2], h: "line" });
    const later = await device.plan(copy("later"));
    const [a, b, c] = [1, 2, 3].map(() => device.alloc(c64(2)));
    lowered.run({ in: a, h: device.alloc(c64(3)), out: b }, { signal: new AbortController().signal });
    await later.run({ in: b, out: c }).done;
    expect(kernels).toEqual(["resize axis=0 0+3", "multiply h=line", "later"]);
  });
});

describe("a lost device", () => {
  test("throws device-lost, and can still be disposed of", async () => {
    const { device, lose } = fake();
    const plan = await device.plan(copy());
    const [a, b] = [device.alloc(c64(2)), device.alloc(c64(2))];
    lose(new RadarError("device-lost", "unplugged"));
    expect((await device.lost).message).toBe("unplugged");
    for (const call of [() => device.alloc(c64(1)), () => a.write(data), () => plan.run({ in: a, out: b })]) {
      expect(call).toThrowError(expect.objectContaining({ code: "device-lost", message: "unplugged" }));
    }
    await expect(device.plan(copy())).rejects.toThrowError(code("device-lost"));
    await expect(device.ready()).rejects.toThrowError(code("device-lost"));
    await expect(a.read()).rejects.toThrowError(code("device-lost"));
    device[Symbol.dispose]();
    expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0, plans: 0 });
    expect(() => device.alloc(c64(1))).toThrowError(code("disposed"));
  });
});

test("a disposed device closes its driver once and rejects queued work", async () => {
  const backend = fake({ held: true });
  const { device, start } = backend;
  const plan = await device.plan(copy());
  const [a, b] = [device.alloc(c64(2)), device.alloc(c64(2))];
  const waiting: Promise<unknown>[] = [plan.run({ in: a, out: b }).done, b.read()];
  device[Symbol.dispose]();
  device[Symbol.dispose]();
  expect(backend.closed).toBe(true);
  start();
  for (const one of waiting) await expect(one).rejects.toThrowError(code("disposed"));
  expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0, plans: 0 });
});

test("ready() waits until queued work has released its arrays, also for lowered plans", async () => {
  const { device, start } = fake({ held: true });
  const shape = c64(4);
  const plan = await device.plan({ op: "convert", layout: shape, to: "c64", scale: 2 });
  const from = device.alloc(shape);
  const to = device.alloc(shape);
  plan.run({ in: from, out: to });
  for (const item of [plan, from, to]) item[Symbol.dispose]();
  expect(device.memory().buffers).toBe(2);
  const ready = device.ready();
  start();
  await ready;
  expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0, plans: 0 });
});
