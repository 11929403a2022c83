/** Tests of rejected arguments and late failures: writes that fail after the call, arrays without memory, arguments of the wrong type. */
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { Rule } from "../src/backend.ts";
import { compile, createPause, evaluate, type Kernel, layout, type Op, open, type Program, RadarError } from "../src/index.ts";
import { c64, type FakeStorage, fake, taker } from "./fake.ts";

const copy: Kernel = {
  op: "kernel",
  name: "copy",
  ports: { in: { access: "read", layout: c64(2) }, out: { access: "write", layout: c64(2) } },
  items: 2,
  reference({ in: x, out }, _uniforms, start, end) {
    for (let i = start; i < end; i++) out.set(i, x.re(i), x.im(i));
  },
};
const data = Float32Array.of(1, 2, 3, 4);
const code = (expected: string) => expect.objectContaining({ name: "RadarError", code: expected });

describe("a write that fails later", () => {
  const refused = (): Promise<void> => Promise.reject(new RadarError("failed", "refused"));

  test("fails every reader of the array until all of it is written again", async () => {
    const { device, storages } = fake();
    const plan = await device.plan(copy);
    const [a, b] = [device.alloc(c64(2)), device.alloc(c64(2))];
    a.write(data);
    const { write } = storages[0];
    storages[0].write = refused;
    const before = a.read();
    a.write(data.subarray(0, 2));
    storages[0].write = write;
    expect(await before).toEqual(data);
    a.write(data.subarray(2), 1); // the other part; the first part is still missing
    await expect(a.read()).rejects.toThrowError(code("failed"));
    await expect(plan.run({ in: a, out: b }).done).rejects.toThrowError(code("failed"));
    await expect(b.read()).rejects.toThrowError(code("failed"));
    a.write(data);
    await plan.run({ in: a, out: b }).done;
    expect(await b.read()).toEqual(data);
  });

  test("causes no unhandled rejection", async () => {
    const { device, storages } = fake();
    const a = device.alloc(c64(2));
    storages[0].write = refused;
    a.write(data);
    a[Symbol.dispose]();
    await device.ready();
    expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0 });
  });
});

describe("a host without memory for its own arrays", () => {
  const none = (): never => {
    throw new RangeError("Array buffer allocation failed");
  };

  test("gives out-of-memory everywhere, and only then", async () => {
    const { device, storages } = fake({ rules: [{ ...taker("convert", []), try: none }] });
    await expect(device.plan({ op: "convert", layout: layout("c64", [2]), to: "ci8" })).rejects.toThrowError(code("out-of-memory"));
    const a = device.alloc(c64(2), "a");
    const { read, write } = storages[0];
    Object.assign(storages[0], { read: async () => none(), write: none });
    expect(() => a.write(data)).toThrowError(expect.objectContaining({ code: "out-of-memory", fields: { what: "a" } }));
    await expect(a.read()).rejects.toThrowError(code("out-of-memory"));
    Object.assign(storages[0], { read, write });
    a.write(data);
    expect(await a.read()).toEqual(data);
    expect(device.memory()).toMatchObject({ buffers: 1, plans: 0 });
    const backend = { id: "poor", contract: 1, open: async () => none() } as const;
    await expect(open(backend)).rejects.toThrowError(
      expect.objectContaining({ code: "no-backend", message: expect.stringContaining("memory") }),
    );
    const defect = { id: "defect", contract: 1, open: async () => Promise.reject(new TypeError("a defect")) } as const;
    await expect(open(defect)).rejects.toThrowError(code("failed"));
  });
});

const program: Program = {
  name: "one",
  inputs: { x: c64(2) },
  steps: [{ name: "copy", op: copy, bind: { in: "x", out: "y" } }],
  outputs: ["y"],
};

describe("arguments of the wrong type", () => {
  const refused = (call: () => unknown, field: string): void => {
    let error: unknown;
    try {
      call();
    } catch (thrown) {
      error = thrown;
    }
    expect(error, field).toEqual(code("layout"));
    expect((error as RadarError).message).toContain(field);
  };

  test("data that is detached, out of bounds, or not a typed array", async () => {
    const { device } = fake();
    const a = device.alloc(c64(2), "a");
    a.write(data);
    const moved = Float32Array.of(9, 9, 9, 9);
    structuredClone(moved, { transfer: [moved.buffer] });
    refused(() => a.write(moved), "data for a must be a Float32Array that is not detached");
    const Resizable = ArrayBuffer as unknown as new (
      bytes: number,
      options: { maxByteLength: number },
    ) => ArrayBuffer & { resize(bytes: number): void };
    const memory = new Resizable(16, { maxByteLength: 16 });
    const beyond = new Float32Array(memory, 8, 2);
    memory.resize(4);
    refused(() => a.write(beyond), "data for a");
    const pretender = new Proxy(Float32Array.of(1, 2, 3, 4), {});
    for (const wrong of [
      pretender,
      Object.create(Float32Array.prototype),
      new DataView(new ArrayBuffer(16)),
      null,
      [1, 2, 3, 4],
      Symbol("x"),
    ])
      refused(() => a.write(wrong as never), "data for a");
    for (const offset of [Symbol("x"), null, "0", 0n, {}, Number.NaN]) refused(() => a.write(data, offset as never), "offset");
    expect(await a.read()).toEqual(data);
    a.write(new Float32Array(0));
    const shared = new Float32Array(new SharedArrayBuffer(16));
    shared.set([5, 6, 7, 8]);
    a.write(shared as never);
    expect(await a.read()).toEqual(Float32Array.of(5, 6, 7, 8));
  });

  test("spans, labels, options, bindings and uniforms", async () => {
    const { device } = fake();
    const [a, b] = [device.alloc(c64(2)), device.alloc(c64(2))];
    refused(() => device.alloc(c64(2), Symbol("label") as never), "label");
    for (const span of [null, 5, "x", [], { start: 0n, count: 1 }, { start: Symbol("x"), count: 1 }, { start: 0, length: 1 }])
      await expect(a.read(span as never)).rejects.toEqual(code("layout"));
    for (const options of [null, 5, "x", [], () => {}, { fuse: null }, { inPlace: 1 }, { signal: null }])
      await expect(device.plan(copy, options as never)).rejects.toEqual(code("layout"));
    const plan = await device.plan(copy);
    for (const bindings of [null, undefined, 5, "x", [], () => {}]) refused(() => plan.run(bindings as never), "bindings");
    for (const buffer of [5, "x", {}, [], () => {}, Symbol("x")]) refused(() => plan.run({ in: a, out: buffer } as never), "port out");
    for (const options of [null, 5, "x", []]) refused(() => plan.run({ in: a, out: b }, options as never), "options of a run");
    for (const field of ["units", "uniforms", "signal"] as const)
      for (const value of [null, 5, "x", () => {}]) refused(() => plan.run({ in: a, out: b }, { [field]: value } as never), field);
    await plan.run({ in: a, out: b }).done;
  });

  test("programs, devices, inputs and outputs", async () => {
    const { device } = fake();
    const x = { x: data };
    const fails = (work: Promise<unknown>, text: string) =>
      expect(work).rejects.toMatchObject({ code: "layout", message: expect.stringContaining(text) });
    expect((await evaluate(program, device, x))["y"]).toEqual(data);
    await fails(evaluate(device as never, program as never, x), "device must be a device, as open() returns, not Object");
    for (const none of [null, undefined, 5, "x", Symbol("x"), () => {}]) {
      await fails(evaluate(none as never, device, x), "program must be an object");
      await fails(evaluate(program, none as never, x), "device must be a device");
      await fails(evaluate(program, device, none as never), "inputs must be an object");
      await fails(compile(none as never, device), "program must be an object");
      await fails(compile(program, none as never), "device must be a device");
      if (none === undefined) continue;
      await fails(evaluate(program, device, x, none as never), "options of evaluate must be an object");
      await fails(compile(program, device, none as never), "options must be an object");
    }
    await fails(evaluate(program, device, { ...x, z: data }), "there is no input z; the inputs are x");
    await fails(evaluate(program, device, {}), "input x is missing");
    for (const wrong of [null, 5, "1234", new Float32Array(3), [1, 2, 3, 4]])
      await fails(evaluate(program, device, { x: wrong } as never), "x");
    for (const outputs of [[], undefined, null, "y", {}]) await fails(evaluate({ ...program, outputs } as never, device, x), "outputs");
    for (const steps of [[], undefined, null, "y", {}, [null]]) await fails(compile({ ...program, steps } as never, device), "step");
    for (const name of [undefined, null, Symbol("x")]) await fails(compile({ ...program, name } as never, device), "name must be a string");
    for (const field of ["inputs", "constants"]) await fails(compile({ ...program, [field]: "x" } as never, device), field);
    await fails(compile({ ...program, constants: { h: null } } as never, device), "constants.h");
    await fails(compile({ ...program, steps: [{ ...program.steps[0], bind: null }] } as never, device), "bind");
    const compiled = await compile(program, device);
    refused(() => compiled.run(null as never), "bindings");
    refused(() => compiled.run({}, null as never), "options of a run");
    refused(() => compiled.run({}, { onProgress: 5 } as never), "onProgress");
    refused(() => compiled.runStage(1, {}), "index");
    compiled[Symbol.dispose]();
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  test("an error of onProgress, thrown or rejected, is the run's only failure", async () => {
    const { device } = fake();
    for (const cause of [Object.create(null), null, Symbol("x"), new Error("x")]) {
      const onProgress = (): never => {
        throw cause;
      };
      const failure = { code: "failed", message: expect.stringContaining("onProgress failed"), cause };
      await expect(evaluate(program, device, { x: data }, { onProgress })).rejects.toMatchObject(failure);
      await expect(evaluate(program, device, { x: data }, { onProgress: async () => onProgress() })).rejects.toMatchObject(failure);
      const backend: Rule<FakeStorage> = { ...taker("convert", []), try: onProgress };
      const op: Op = { op: "convert", layout: c64(2), to: "ci8" };
      await expect(fake({ rules: [backend] }).device.plan(op)).rejects.toMatchObject({ code: "failed", cause });
    }
    expect((await evaluate(program, device, { x: data }))["y"]).toEqual(data);
  });
});

describe("listeners", () => {
  const program: Program = {
    name: "copied",
    inputs: { x: c64(2) },
    steps: [{ name: "copy", op: copy, bind: { in: "x", out: "y" } }],
    outputs: ["y"],
  };
  const never = () => new Promise<never>(() => {});

  test("that return a promise that never settles end when the signal fires", async () => {
    const { device } = fake();
    for (const at of [0, 1]) {
      const controller = new AbortController();
      const onProgress = ({ finished }: { finished: number }) => {
        if (finished !== at) return undefined;
        setTimeout(() => controller.abort());
        return never();
      };
      await expect(evaluate(program, device, { x: data }, { signal: controller.signal, onProgress })).rejects.toThrowError(code("aborted"));
      const itself = new AbortController();
      const aborting = () => {
        itself.abort();
        return never();
      };
      await expect(evaluate(program, device, { x: data }, { signal: itself.signal, onProgress: aborting })).rejects.toThrowError(
        code("aborted"),
      );
    }
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  test("that reject, throw or return promises are awaited, one call at a time", async () => {
    const { device } = fake();
    const seen: string[] = [];
    const onProgress = async ({ stage }: { stage: string }) => {
      seen.push(`${stage} begins`);
      await new Promise((resolve) => setTimeout(resolve));
      seen.push(`${stage} ends`);
    };
    await evaluate(program, device, { x: data }, { onProgress });
    expect(seen).toEqual(["copy begins", "copy ends", "done begins", "done ends"]);
  });

  test("of turns are awaited too, and their failure fails the work", async () => {
    for (const thrown of [undefined, Object.create(null), new Error("x")]) {
      for (const listener of [
        () => {
          throw thrown;
        },
        () => Promise.reject(thrown),
      ]) {
        const pause = createPause("work", undefined, listener);
        await new Promise((resolve) => setTimeout(resolve, 15));
        const error = await Promise.resolve(pause()).catch((reason: unknown) => reason);
        expect(error).toMatchObject({ code: "failed" });
        expect(Object.is((error as RadarError).cause, thrown)).toBe(true);
      }
    }
  });
});

describe("unusual arguments that are right", () => {
  const plan = async () => {
    const { device } = fake();
    return { device, plan: await device.plan(copy), a: device.alloc(c64(2)), b: device.alloc(c64(2)) };
  };

  test("arrays of another realm are accepted, but not those of another type", async () => {
    const { a } = await plan();
    a.write(runInNewContext("Float32Array.of(1, 2, 3, 4)"));
    expect(await a.read()).toEqual(data);
    for (const wrong of ["Float64Array.of(1, 2, 3, 4)", "[1, 2, 3, 4]", "new DataView(new ArrayBuffer(16))", "({ length: 4 })"])
      expect(() => a.write(runInNewContext(wrong))).toThrowError(code("layout"));
    expect(() => a.write(Object.create(Float32Array.prototype))).toThrowError(code("layout"));
    expect(() => a.write(new Proxy(data, {}))).toThrowError(code("layout"));
  });

  test("bindings may have undefined fields, and getters of a class", async () => {
    const { plan: made, a, b } = await plan();
    a.write(data);
    await made.run({ in: a, out: b, more: undefined } as never).done;
    expect(await b.read()).toEqual(data);
    class Pair {
      get in() {
        return b;
      }
      get out() {
        return a;
      }
    }
    b.write(Float32Array.of(5, 6, 7, 8));
    await made.run(new Pair() as never).done;
    expect(await a.read()).toEqual(Float32Array.of(5, 6, 7, 8));
  });
});

describe("arguments that can't be read", () => {
  const revoked = (): never => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy as never;
  };
  const throwing = {
    get fuse(): boolean {
      throw undefined;
    },
  };

  test("are rejected by name", async () => {
    const { device } = fake();
    const plan = await device.plan(copy);
    const a = device.alloc(c64(2));
    for (const [call, field] of [
      [() => device.plan(revoked()), "op"],
      [() => device.plan(copy, revoked()), "options of a plan"],
      [() => device.plan(copy, throwing), "options of a plan"],
      [async () => plan.run(revoked()), "bindings"],
      [() => a.read(revoked()), "span"],
      [() => evaluate(revoked(), device, {}), "program"],
    ] as const)
      await expect(call()).rejects.toThrowError(expect.objectContaining({ code: "layout", fields: expect.objectContaining({ field }) }));
  });

  test("shapes and units with holes are rejected", async () => {
    const { device } = fake();
    const plan = await device.plan(copy);
    const [a, b] = [device.alloc(c64(2)), device.alloc(c64(2))];
    expect(() => device.alloc({ dtype: "c64", shape: new Array(2) })).toThrowError(/layout\.shape\[0\] must be a positive integer/);
    expect(() => plan.run({ in: a, out: b }, { units: new Array(1) })).toThrowError(code("layout"));
  });
});
