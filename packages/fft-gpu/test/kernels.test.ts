/** Tests kernels: stores to arrays of every type, any number of items, shared pipelines, and texts that do not compile. */
import { random } from "@dechirp/conformance";
import { type Device, type DType, isRadarError, type Kernel, layout, open, type RadarError, typedArray } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { gpu } from "../src/index.ts";
import { adapterOf, adding, counted, inWgsl, openForEach } from "./raw-device.ts";

let device: Device;
let raw: GPUDevice;
openForEach((opened, on) => {
  [device, raw] = [opened, on];
});

/** Runs an elementwise kernel once. */
async function once(kernel: Kernel, input: Float32Array | Uint32Array): Promise<ArrayLike<number>> {
  using plan = await device.plan(kernel);
  expect(plan.text).toContain("kernel/wgsl");
  using from = device.alloc(kernel.ports["in"].layout);
  using to = device.alloc(kernel.ports["out"].layout);
  from.write(input as never);
  await plan.run({ in: from, out: to }).done;
  return to.read();
}

describe("stores to integers", () => {
  const below = (x: number): number => x - x * 2 ** -24; // the next smaller float, for powers of two and their halves
  const values = [0, 0.5, below(0.5), 1.5, 2.5, 126.5, 127.4, 127.5, 128, 254.5, 255.5, 32766.5, 32767.5, 40000.5]
    .concat([8388607.5, 8388609, 2 ** 24 + 2, 2 ** 31, 2 ** 32 - 256, 2 ** 32, 1e30, Number.POSITIVE_INFINITY])
    .flatMap((v) => [v, -v])
    .concat(Number.NaN);
  const ranges: Partial<Record<DType, [low: number, high: number]>> = {
    i8: [-128, 127],
    u8: [0, 255],
    i16: [-32768, 32767],
    u32: [0, 2 ** 32 - 1],
    ci8: [-128, 127],
    ci16: [-32768, 32767],
  };
  /** To the nearest integer, ties away from zero, saturated. NaN gives 0. */
  const stored = (x: number, [low, high]: [number, number]): number => {
    if (Number.isNaN(x)) return 0;
    const magnitude = Math.abs(x);
    const whole = Math.floor(magnitude);
    return Math.min(high, Math.max(low, Math.sign(x) * (magnitude - whole >= 0.5 ? whole + 1 : whole))) + 0;
  };

  it.each(Object.entries(ranges) as [DType, [number, number]][])("%s: nearest, ties away from zero, saturated", async (dtype, range) => {
    const complex = dtype.startsWith("c");
    const input = Float32Array.from(complex ? values.flatMap((v, i) => [v, values[(i + 5) % values.length]]) : values);
    const shapes = { in: layout(complex ? "c64" : "f32", [values.length]), out: layout(dtype, [values.length]) };
    const body = dtype === "u32" ? "store_out(item, round_u32(load_in(item)));" : "store_out(item, load_in(item));";
    const out = await once(inWgsl(`to ${dtype}`, shapes, body), input);
    expect([...Array.from(out)]).toEqual(Array.from(input, (v) => stored(v, range)));
  });

  it.each(["i8", "u8", "i16", "ci8"] as const)(
    "%s: do not change neighbours in a word, whichever invocation writes them",
    async (dtype) => {
      const length = 1009;
      const shape = layout(dtype, [length]);
      const components = dtype === "ci8" ? 2 : 1;
      const kernel: Kernel = {
        ...inWgsl("every third", { in: layout("f32", [length]), out: shape }, ""),
        ports: { in: { access: "read", layout: layout("f32", [length]) }, out: { access: "update", layout: shape } },
        wgsl: (_constants, _limits, toolkit) =>
          toolkit.items(
            `if (item % 3u == 1u) { store_out(item, ${components === 2 ? "vec2f(load_in(item), 1.0)" : "load_in(item)"}); }
else if (item % 3u == 2u) { store_out(item, load_out(item)); }`,
          ),
      };
      using plan = await device.plan(kernel);
      using from = device.alloc(layout("f32", [length]));
      using to = device.alloc(shape);
      from.write(Float32Array.from({ length }, (_, i) => i % 100));
      const before = typedArray(dtype, components * length).map((_, i) => (7 * i) % 100);
      to.write(before as never);
      await plan.run({ in: from, out: to }).done;
      const expected = Array.from(before, (v, i) => {
        const item = Math.floor(i / components);
        return item % 3 === 1 ? (i % components === 1 ? 1 : item % 100) : v;
      });
      expect(Array.from(await to.read())).toEqual(expected);
    },
  );
});

describe("items", () => {
  it("may be more than one dimension of a dispatch allows", async () => {
    // With 512 items a workgroup. Each 64th item marks its place.
    const items = 512 * 65_535 + 12_345;
    const marks = Math.ceil((items - 7) / 64);
    const kernel: Kernel = {
      op: "kernel",
      name: "mark",
      ports: { out: { layout: layout("u32", [marks]), access: "write" } },
      items,
      reference: () => {
        throw new Error("the reference must not run");
      },
      wgsl: (_constants, _limits, toolkit) => toolkit.items("if (item % 64u == 7u) { store_out(item / 64u, item ^ 5u); }"),
    };
    using plan = await device.plan(kernel);
    using to = device.alloc(kernel.ports["out"].layout);
    plan.run({ out: to });
    const out = (await to.read()) as Uint32Array;
    const wrong = out.findIndex((mark, i) => mark !== ((64 * i + 7) ^ 5) >>> 0);
    expect(wrong).toBe(-1);
  });
});

describe("items", () => {
  it.each([2 ** 18 - 1, 2 ** 18, 2 ** 18 + 1, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 257])("%i items are computed once each", async (n) => {
    const input = Uint32Array.from({ length: n }, (_, i) => Math.imul(i, 2654435761) >>> 8);
    const out = { layout: layout("u32", [n]), access: "update" } as const;
    const kernel: Kernel = {
      op: "kernel",
      name: "add to what is there",
      ports: { in: { layout: layout("u32", [n]), access: "read" }, out },
      items: n,
      reference: () => {
        throw new Error("the reference must not run");
      },
      wgsl: (_constants, _limits, toolkit) => toolkit.items("store_out(item, load_out(item) + load_in(item));"),
    };
    using plan = await device.plan(kernel);
    using from = device.alloc(kernel.ports["in"].layout);
    using to = device.alloc(out.layout);
    from.write(input as never);
    to.write(input as never);
    plan.run({ in: from, out: to });
    const got = await to.read();
    expect(input.findIndex((x, i) => (got as Uint32Array)[i] !== 2 * x)).toBe(-1);
  });
});

describe("workgroups", () => {
  /** Sums of rows by a workgroup each, within subgroups first if there are any, and through workgroup memory in any case. */
  const rowSums = (rows: number, columns: number, taken: { subgroups?: boolean }): Kernel => ({
    op: "kernel",
    name: "row sums",
    ports: {
      in: { layout: layout("f32", [rows, columns]), access: "read" },
      out: { layout: layout("f32", [rows]), access: "write" },
    },
    uniforms: { factor: "f32" },
    items: rows,
    reference: () => {
      throw new Error("the reference must not run");
    },
    wgsl(_, { subgroups }) {
      taken.subgroups = subgroups !== undefined;
      const within = subgroups ? "sum = subgroupAdd(sum); let holds = lane == 0u;" : "let holds = true;";
      return {
        code: `var<workgroup> parts: array<f32, 64>;
@compute @workgroup_size(64)
fn sums(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) tid: u32${subgroups ? ", @builtin(subgroup_invocation_id) lane: u32" : ""}) {
  var sum = 0.0;
  for (var i = tid; i < ${columns}u; i += 64u) { sum += load_in(group.x * ${columns}u + i); }
  ${within}
  parts[tid] = select(0.0, sum, holds);
  workgroupBarrier();
  if (tid == 0u) {
    var all = 0.0;
    for (var i = 0u; i < 64u; i++) { all += parts[i]; }
    store_out(group.x, uniforms.factor * all);
  }
}`,
        dispatches: [{ entry: "sums", groups: [rows, 1, 1] }],
      };
    },
  });

  /** Runs it on `on` and compares the result. Returns whether subgroups were offered. */
  async function offersSubgroups(on: Device): Promise<boolean> {
    const [rows, columns] = [37, 1000];
    const taken: { subgroups?: boolean } = {};
    const kernel = rowSums(rows, columns, taken);
    using plan = await on.plan(kernel);
    expect(plan.text).toContain("kernel/wgsl");
    using from = on.alloc(kernel.ports["in"].layout);
    using to = on.alloc(kernel.ports["out"].layout);
    const source = random(31);
    const input = Float32Array.from({ length: rows * columns }, () => source.next() - 0.5);
    from.write(input as never);
    plan.run({ in: from, out: to }, { uniforms: { factor: -0.5 } });
    const out = (await to.read()) as Float32Array;
    for (let row = 0; row < rows; row++) {
      let [sum, magnitude] = [0, 0];
      for (let i = 0; i < columns; i++) {
        sum += input[row * columns + i];
        magnitude += Math.abs(input[row * columns + i]);
      }
      // At most 16 + 64 + 1 partial sums in a chain, each rounded once.
      expect(Math.abs(out[row] + 0.5 * sum)).toBeLessThanOrEqual(0.5 * magnitude * 81 * 2 ** -24);
    }
    return taken.subgroups ?? false;
  }

  it("have workgroup memory, and subgroups if the adapter has them", async () => {
    using own = await open(gpu());
    const adapter = await adapterOf();
    expect(await offersSubgroups(own)).toBe(adapter.features.has("subgroups"));
  });

  it("have no subgroups on a device that was opened without them", async () => {
    expect(raw.features.has("subgroups")).toBe(false);
    expect(await offersSubgroups(device)).toBe(false);
  });
});

describe("pipelines", () => {
  it("are compiled once for the same text, also for concurrent requests", async () => {
    const made = counted(raw, "createComputePipelineAsync");
    const plans = await Promise.all(Array.from({ length: 5 }, () => device.plan(adding(100))));
    plans.push(await device.plan(adding(100)));
    expect(made()).toBe(1);
    for (const plan of plans) plan[Symbol.dispose]();
    // Uniforms belong to the run, constants to the text.
    using other = await device.plan(adding(101));
    expect([made(), other.text.includes("adding")]).toEqual([2, true]);
  });

  it("that do not compile report why and where, and affect nothing else", async () => {
    const shape = layout("f32", [64]);
    const broken = inWgsl("broken", { in: shape, out: shape }, "let wrong: u32 = load_in(item);");
    const failures = await Promise.all(
      [0, 1].map(() =>
        device.plan(broken).then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    );
    for (const failure of failures) {
      expect(isRadarError(failure, "compile")).toBe(true);
      const error = failure as RadarError;
      expect(error.message).toMatch(/\(kernel\/wgsl broken\) does not compile: [\w ()]+, line \d+, column \d+: /);
      expect(error.fields["code"]).toContain("let wrong");
    }
    const entry = { ...adding(64), wgsl: () => ({ code: "fn other() {}", dispatches: [{ entry: "absent", groups: [1, 1, 1] as const }] }) };
    await expect(device.plan(entry)).rejects.toMatchObject({ code: "compile", message: expect.stringContaining("absent") });
    using plan = await device.plan(adding(64));
    using from = device.alloc(shape);
    using to = device.alloc(shape);
    await plan.run({ in: from, out: to }, { uniforms: { add: 2 } }).done;
    expect(await to.read()).toEqual(new Float32Array(64).fill(2));
    expect(device.memory().plans).toBe(1);
  });

  it("are rejected if a dispatch is too large or binds too much", async () => {
    const large = {
      ...adding(64),
      wgsl: () => ({ code: "fn other() {}", dispatches: [{ entry: "main", groups: [65_536, 1, 1] as const }] }),
    };
    await expect(device.plan(large)).rejects.toMatchObject({ code: "limit", fields: { actual: 65_536 } });
    const most = raw.limits.maxStorageBuffersPerShaderStage;
    const shape = layout("f32", [64]);
    const ports = Array.from({ length: most + 1 }, (_, i) => [`p${i}`, { access: i === 0 ? "write" : "read", layout: shape }] as const);
    const sum = ports.slice(1).map(([name]) => `load_${name}(item)`);
    const wide: Kernel = {
      ...adding(64),
      elementwise: false,
      uniforms: {},
      ports: Object.fromEntries(ports),
      wgsl: (_constants, _limits, toolkit) => toolkit.items(`store_p0(item, ${sum.join(" + ")});`),
    };
    await expect(device.plan(wide)).rejects.toMatchObject({ code: "limit", fields: { limit: most, actual: most + 1 } });
  });
});

describe("kernels on the host", () => {
  const shape = layout("f32", [64]);
  const halves: Kernel = {
    ...adding(64),
    name: "halves",
    uniforms: {},
    wgsl: () => undefined,
    reference(ports, _uniforms, start, end) {
      for (let i = start; i < end; i++) ports["out"].set(i, ports["in"].re(i) / 2);
    },
  };

  it("are named in the plan's text, and work in place", async () => {
    using plan = await device.plan(halves, { inPlace: true });
    expect(plan.text).toBe("(kernel/host halves)");
    using buffer = device.alloc(shape);
    buffer.write(new Float32Array(64).fill(3));
    plan.run({ in: buffer, out: buffer });
    expect(await buffer.read()).toEqual(new Float32Array(64).fill(1.5));
  });

  it("let timers run", async () => {
    const slow: Kernel = {
      ...halves,
      items: 4096,
      reference(_ports, _uniforms, start, end) {
        const until = performance.now() + 0.02 * (end - start);
        while (performance.now() < until) {} // 80 ms in all
      },
    };
    using plan = await device.plan(slow);
    using from = device.alloc(shape);
    using to = device.alloc(shape);
    let [ticks, done] = [0, false];
    const tick = (): void => {
      ticks += 1;
      if (!done) setTimeout(tick);
    };
    setTimeout(tick);
    await plan.run({ in: from, out: to }).done;
    done = true;
    expect(ticks).toBeGreaterThan(2);
  });

  it("that throw reject as failed with the exception's message, and the queue goes on", async () => {
    const throwing: Kernel = {
      ...halves,
      reference: () => {
        throw new Error("singular matrix");
      },
    };
    using plan = await device.plan(throwing);
    using good = await device.plan(halves);
    using from = device.alloc(shape);
    using to = device.alloc(shape);
    using other = device.alloc(shape);
    from.write(new Float32Array(64).fill(4));
    const bad = plan.run({ in: from, out: to });
    good.run({ in: from, out: other });
    await expect(bad.done).rejects.toMatchObject({ code: "failed", message: expect.stringContaining("singular matrix") });
    expect(await other.read()).toEqual(new Float32Array(64).fill(2));
  });
});
