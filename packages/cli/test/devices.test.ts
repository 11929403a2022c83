/**
 * Which device `auto` chooses: with a GPU, without one, with one that is emulated in software or too small, and for images of every
 * size.
 */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Backend, type DeviceInfo, type DeviceLimits, open, RadarError } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { writeSceneFolder } from "@dechirp/io/node";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { checkDevice, createChooser } from "../src/devices.ts";
import { dechirp, simulatedScene, smallPreset, temporaryFolder } from "./command.ts";

const seen = { opens: 0, disposed: 0 };
let backend: Backend;
let least: number;
vi.mock("@dechirp/fft-gpu", async (original) => {
  const actual = await original<typeof import("@dechirp/fft-gpu")>();
  return {
    ...actual,
    gpu: () => backend,
    preferredDevice: (work: Parameters<typeof actual.preferredDevice>[0]) =>
      least > 0 ? (work.bytes >= least ? "gpu" : "cpu") : actual.preferredDevice(work),
  };
});

/** A device that claims to be a GPU. */
const pretend = (info: Partial<DeviceInfo> = {}, limits: Partial<DeviceLimits> = {}): Backend => ({
  id: "gpu",
  contract: 1,
  open: async () => {
    seen.opens += 1;
    const inner = await open(cpu({ workers: 1 }));
    return {
      ...inner,
      id: "gpu",
      info: { description: "a GPU", notes: [], ...info },
      limits: { ...inner.limits, ...limits },
      [Symbol.dispose]() {
        seen.disposed += 1;
        inner[Symbol.dispose]();
      },
    };
  },
});

const failing = (error: Error): Backend => ({ id: "gpu", contract: 1, open: () => Promise.reject(error) });
const work = (bytes: number) => ({ kind: "transforms", bytes, largestBytes: 4 * bytes }) as const;

beforeEach(() => {
  Object.assign(seen, { opens: 0, disposed: 0 });
  backend = pretend();
  least = 1000;
});

describe("--device auto", () => {
  it("uses the GPU for an image that is worth it, opens it once and closes it", async () => {
    {
      using chooser = await createChooser("auto");
      const first = await chooser.choose(work(1000));
      expect([first.device.id, first.why]).toEqual(["gpu", expect.stringContaining("worth a GPU")]);
      expect((await chooser.choose(work(2000))).device).toBe(first.device);
    }
    expect(seen).toEqual({ opens: 1, disposed: 1 });
  });

  it("uses the processor for smaller images, and opens no GPU", async () => {
    using chooser = await createChooser("auto");
    const { device, why } = await chooser.choose(work(999));
    expect([device.id, seen.opens]).toEqual(["cpu", 0]);
    expect(why).toContain("0.000953 MiB");
  });

  it("chooses for each image", async () => {
    using chooser = await createChooser("auto");
    const ids = [];
    for (const bytes of [999, 1000, 10]) ids.push((await chooser.choose(work(bytes))).device.id);
    expect(ids).toEqual(["cpu", "gpu", "cpu"]);
  });

  it("uses the processor instead of a GPU that is emulated in software", async () => {
    backend = pretend({ software: true, description: "llvmpipe" });
    {
      using chooser = await createChooser("auto");
      for (let i = 0; i < 2; i++) {
        const { device, why } = await chooser.choose(work(1e9));
        expect([device.id, why]).toEqual(["cpu", "the GPU is emulated in software (llvmpipe)"]);
      }
    }
    expect(seen).toEqual({ opens: 1, disposed: 1 });
  });

  it("uses the processor if the GPU's arrays are too small", async () => {
    backend = pretend({}, { maxBufferBytes: 4000 });
    using chooser = await createChooser("auto");
    expect((await chooser.choose(work(1000))).device.id).toBe("gpu");
    const { device, why } = await chooser.choose(work(1001));
    expect([device.id, why]).toEqual(["cpu", expect.stringContaining("the GPU's arrays are limited to 0.00381 MiB")]);
  });

  it("uses the processor if no GPU opens, and says why", async () => {
    backend = failing(new RadarError("no-backend", "no WebGPU adapter here"));
    using chooser = await createChooser("auto");
    const { device, why } = await chooser.choose(work(1e9));
    expect([device.id, why]).toEqual(["cpu", expect.stringContaining("no WebGPU adapter here")]);
  });

  it("does not hide other failures", async () => {
    backend = failing(new TypeError("a defect"));
    using chooser = await createChooser("auto");
    await expect(chooser.choose(work(1e9))).rejects.toThrow("a defect");
  });

  it("follows the rule of the GPU's package: plans are made for one image", async () => {
    least = 0;
    using chooser = await createChooser("auto");
    expect((await chooser.choose(work(2 ** 29 - 1))).device.id).toBe("cpu");
    expect((await chooser.choose(work(2 ** 29))).device.id).toBe("gpu");
  });
});

describe("--device auto, for backprojection", () => {
  const cores = availableParallelism();
  const projection = (billions: number) => ({ kind: "backprojection", backprojections: billions * 1e9, largestBytes: 1e6 }) as const;

  it("uses the GPU if all cores would work for longer than it takes to start", async () => {
    using chooser = await createChooser("auto");
    const few = await chooser.choose(projection(0.26 * cores));
    expect([few.device.id, few.why, seen.opens]).toEqual([
      "cpu",
      expect.stringMatching(/ billion backprojections are too few for a GPU/),
      0,
    ]);
    const many = await chooser.choose(projection(0.28 * cores));
    expect([many.device.id, many.why]).toEqual(["gpu", expect.stringMatching(/ billion backprojections are worth a GPU/)]);
    expect((await chooser.choose({ ...projection(cores), largestBytes: 2 ** 50 })).device.id).toBe("cpu");
  });

  it("weighs adaptive processing by its operations", async () => {
    const operations = availableParallelism() * 2 ** 33;
    using chooser = await createChooser("auto");
    const few = await chooser.choose({ kind: "adaptive", operations: 0.99 * operations, largestBytes: 1e6 });
    expect([few.device.id, few.why]).toEqual([
      "cpu",
      expect.stringMatching(/ billion operations are too few for a GPU, which has to compile/),
    ]);
    const many = await chooser.choose({ kind: "adaptive", operations, largestBytes: 1e6 });
    expect([many.device.id, many.why]).toEqual(["gpu", expect.stringMatching(/ billion operations are worth a GPU/)]);
  });
});

describe("a device by name", () => {
  it("is opened at once, and used for everything", async () => {
    using chooser = await createChooser("gpu");
    expect(seen.opens).toBe(1);
    expect(await chooser.choose(work(1))).toMatchObject({ device: { id: "gpu" } });
    expect((await chooser.choose(work(1))).why).toBeUndefined();
  });

  it("fails at once if it does not open", async () => {
    backend = failing(new RadarError("no-backend", "no WebGPU adapter here"));
    await expect(createChooser("gpu")).rejects.toMatchObject({ code: "no-backend" });
    const out = join(await temporaryFolder(), "out");
    expect(await dechirp(["demo", "--device", "gpu", "--out", out])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("no WebGPU adapter here"),
    });
    expect(existsSync(out)).toBe(false);
  });

  it("may be auto", () => {
    expect(() => checkDevice("auto")).not.toThrow();
    expect(() => checkDevice("tpu")).toThrow("cpu, gpu, gpu:K, auto");
  });
});

describe("focus --device auto", () => {
  const focus = async () => {
    const folder = await temporaryFolder();
    const [scene, out] = [join(folder, "scene"), join(folder, "out")];
    await writeSceneFolder(scene, await simulatedScene("small", smallPreset(false)));
    const { code, stdout, stderr } = await dechirp(["focus", scene, "--out", out, "--device", "auto", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const text = await dechirp(["focus", scene, "--out", out, "--device", "auto"]);
    return { ...JSON.parse(stdout).images[0].report, text: text.stdout };
  };

  it("states in report and summary which device was chosen and why", async () => {
    least = 0;
    const { device, text } = await focus();
    expect(device).toMatchObject({ id: "cpu", why: "1.41 MiB of samples are too few for a GPU, which has to compile first" });
    expect(text).toMatch(/ on cpu\n {2}device {14}cpu \(1\.41 MiB of samples/);
    expect(seen.opens).toBe(0);
  });

  it("focuses on a device that claims to be a GPU, and closes it", async () => {
    least = 1;
    const { device, targets } = await focus();
    expect(device).toMatchObject({ id: "gpu", description: "a GPU", why: "1.41 MiB of samples are worth a GPU" });
    expect(Math.abs(targets[0].measured.range.errorPixels)).toBeLessThan(0.02);
    expect(seen).toEqual({ opens: 2, disposed: 2 });
  });
});
