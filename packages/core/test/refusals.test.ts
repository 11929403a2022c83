/** What comes too late for the call that it is about, or from the host itself: writes that are refused, arrays without memory. */
import { describe, expect, test } from "vitest";
import { type Kernel, layout, open, RadarError } from "../src/index.ts";
import { c64, fake, taker } from "./fake.ts";

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

  test("is the failure of what reads the array, until all of it is written anew", async () => {
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
    a.write(data.subarray(2), 1); // the other part: the first is still missing
    await expect(a.read()).rejects.toThrowError(code("failed"));
    await expect(plan.run({ in: a, out: b }).done).rejects.toThrowError(code("failed"));
    await expect(b.read()).rejects.toThrowError(code("failed"));
    a.write(data);
    await plan.run({ in: a, out: b }).done;
    expect(await b.read()).toEqual(data);
  });

  test("nobody needs to look", async () => {
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

  test("is out-of-memory wherever it shows, and nothing else is", async () => {
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
    await expect(open(defect)).rejects.toThrowError(TypeError);
  });
});
