/**
 * Callbacks that users pass to long work: whatever they throw or reject with becomes one `failed` error with its cause, and a signal
 * ends waiting for them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { type Device, type Kernel, layout, open } from "@dechirp/core";
import { runToEnd } from "@dechirp/core/internal";
import { cpu } from "@dechirp/fft-cpu";
import { gpu, timeOnDevice } from "@dechirp/fft-gpu";
import { readBytes, writeFolderAtomically } from "@dechirp/io/node";
import {
  bestEffort,
  cpuPool,
  type ExecutableTask,
  type Executor,
  exampleSet,
  gpuSlots,
  measureResponses,
  profileTask,
  recommendRho,
  rhoSweepSteps,
} from "@dechirp/realtime";
import { backproject, imageEntropy, measureDopplerCentroid, type SimulationOptions, simulateStripmap } from "@dechirp/sar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const shape = layout("c64", [8]);
const copy: Kernel = {
  op: "kernel",
  name: "copy",
  ports: { in: { access: "read", layout: shape }, out: { access: "write", layout: shape } },
  items: 8,
  reference({ in: x, out }, _uniforms, start, end) {
    for (let i = start; i < end; i++) out.set(i, x.re(i), x.im(i));
  },
};

let device: Device;
let dir: string;
beforeAll(async () => {
  device = await open(cpu({ workers: 1 }));
  dir = mkdtempSync(join(tmpdir(), "dechirp-listeners-"));
  writeFileSync(join(dir, "file"), new Uint8Array(1000));
});
afterAll(() => {
  expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  device[Symbol.dispose]();
  rmSync(dir, { recursive: true });
});

async function withExecutor<T>(work: (executor: Executor, task: ExecutableTask) => Promise<T>): Promise<T> {
  using a = device.alloc(shape);
  using b = device.alloc(shape);
  using plan = await device.plan(copy);
  const task: ExecutableTask = { id: "copy", runs: [{ plan, bindings: { in: a, out: b } }] };
  using executor = bestEffort(device, [task]);
  return await work(executor, task);
}

const simulation: SimulationOptions = {
  radar: {
    carrierHz: 5.3e9,
    samplingRateHz: 150e6,
    prfHz: 160,
    chirpRateHzPerSecond: 500e12,
    pulseSeconds: 0.2e-6,
    velocityMetersPerSecond: 130,
    nearRangeMeters: 3000,
    dopplerCentroidHz: 20,
  },
  beam: { kind: "sinc2", bandwidthHz: 120 },
  lines: 4,
  samples: 64,
  targets: [],
};
const repeated = { runs: 2, warmUp: 0, interference: "none", kind: "gpu-chunks" } as const;

type Listener = () => never;

/** Work that calls a callback of the user. */
const works: Readonly<Record<string, (listener: Listener, signal?: AbortSignal) => Promise<unknown>>> = {
  "readBytes, onProgress": (onProgress, signal) => readBytes(join(dir, "file"), { onProgress, ...(signal && { signal }) }),
  "simulateStripmap, onProgress": (onProgress, signal) => simulateStripmap(simulation, { onProgress, ...(signal && { signal }) }),
  "measure, prepare": (prepare, signal) => withExecutor((e) => measureResponses(e, { jobs: 2, prepare, ...(signal && { signal }) })),
  "measure, check": (check, signal) => withExecutor((e) => measureResponses(e, { jobs: 2, check, ...(signal && { signal }) })),
  "measure, onProgress": (onProgress, signal) =>
    withExecutor((e) => measureResponses(e, { jobs: 2, onProgress, ...(signal && { signal }) })),
  "profile, prepare": (prepare, signal) =>
    withExecutor((_, task) => profileTask(device, task, { ...repeated, prepare, ...(signal && { signal }) })),
  "profile, onProgress": (onProgress, signal) =>
    withExecutor((_, task) => profileTask(device, task, { ...repeated, onProgress, ...(signal && { signal }) })),
};

const thrown: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  "an error": () => new Error("mine"),
  "an object without a prototype": () => Object.create(null),
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  "an error of another realm": () => runInNewContext("new RangeError('theirs')"),
};

describe.each(Object.entries(works))("%s", (_name, work) => {
  it.each(Object.entries(thrown))("that throws or rejects with %s", async (_what, make) => {
    for (const rejects of [false, true]) {
      const value = make();
      const listener = (): never => {
        if (rejects) return Promise.reject(value) as never;
        throw value;
      };
      const error = await work(listener).then(
        () => "no error",
        (reason: unknown) => reason,
      );
      expect(error).toMatchObject({ name: "RadarError", code: "failed" });
      expect(Object.is((error as Error).cause, value)).toBe(true);
    }
  });

  it("that never settles, until the signal fires", async () => {
    const controller = new AbortController();
    const never = (): never => {
      setTimeout(() => controller.abort());
      return new Promise(() => {}) as never;
    };
    await expect(work(never, controller.signal)).rejects.toMatchObject({ code: "aborted" });
  });
});

it("a sweep of rho can't wait: it fails if a listener throws or returns a promise", () => {
  for (const listener of [
    () => {
      throw null;
    },
    () => Promise.reject(new Error("late")),
  ])
    expect(() => runToEnd(rhoSweepSteps(exampleSet(3), undefined, listener as never))).toThrowError(
      expect.objectContaining({ code: "failed" }),
    );
});

it("timing fails if the timed work throws or returns a promise", { timeout: 60_000 }, async () => {
  using other = await open(gpu());
  for (const one of [device, other]) {
    const cause = Object.create(null);
    const fails = (): never => {
      throw cause;
    };
    const error = await timeOnDevice(one, fails).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "RadarError", code: "failed" });
    expect((error as Error).cause).toBe(cause);
    await expect(timeOnDevice(one, () => Promise.reject(cause) as never)).rejects.toMatchObject({ code: "failed" });
    await timeOnDevice(one, () => {});
  }
});

it("a convolution fails if its callback throws or returns nothing", async () => {
  const scene = { ...simulation, background: { levelDb: -10 } };
  const mine = new Error("mine");
  await expect(simulateStripmap(scene, { convolve: () => Promise.reject(mine) })).rejects.toMatchObject({ code: "failed", cause: mine });
  await expect(simulateStripmap(scene, { convolve: async () => undefined as never })).rejects.toMatchObject({
    code: "input",
    fields: { field: "convolve" },
  });
});

describe("arrays of another realm, such as a test sandbox", () => {
  it("are accepted as contents of files", async () => {
    await writeFolderAtomically(join(dir, "results"), { bytes: runInNewContext("Uint8Array.of(1, 2, 3)") });
    expect([...readFileSync(join(dir, "results", "bytes"))]).toEqual([1, 2, 3]);
  });

  it("are accepted by sar", () => {
    expect(imageEntropy(runInNewContext("Float32Array.of(1, 0, 1, 0)"))).toBe(imageEntropy(Float32Array.of(1, 0, 1, 0)));
  });
});

describe("options that are not objects or are misspelt are refused by name", () => {
  const refused = (field: string) =>
    expect.objectContaining({ name: "RadarError", code: "input", fields: expect.objectContaining({ field }) });

  it.each([
    ["options of measureResponses", null],
    ["job", { job: 2 }],
    ["prepare", { prepare: 5 }],
  ])("measure: %s", (field, options) =>
    withExecutor((executor) => expect(measureResponses(executor, options as never)).rejects.toEqual(refused(field))),
  );

  it.each([
    ["options of profileTask", null],
    ["run", { run: 2 }],
    ["prepare", { prepare: null }],
  ])("profile: %s", (field, options) =>
    withExecutor((_, task) => expect(profileTask(device, task, options as never)).rejects.toEqual(refused(field))),
  );

  it("other options, and values that are not devices or executors, are refused", async () => {
    await expect(measureResponses(null as never)).rejects.toEqual(refused("executor"));
    await expect(profileTask(null as never, { id: "a", runs: [] })).rejects.toEqual(refused("device"));
    expect(() => bestEffort(null as never, [])).toThrowError(refused("device"));
    expect(() => cpuPool(null as never, [])).toThrowError(refused("device"));
    expect(() => cpuPool(device, [], null as never)).toThrowError(refused("options of cpuPool"));
    expect(() => recommendRho(exampleSet(3), null as never)).toThrowError(refused("options of recommendRho"));
    await expect(gpuSlots(device, [], null as never)).rejects.toEqual(refused("options of gpuSlots"));
    await expect(measureDopplerCentroid(null as never, device, new Float32Array(2))).rejects.toEqual(refused("params"));
    await expect(measureDopplerCentroid(simulation as never, device, new Float32Array(2), null as never)).rejects.toEqual(
      refused("options"),
    );
    await expect(backproject(device, {} as never, {} as never, null as never)).rejects.toEqual(refused("the options of backprojection"));
  });

  it("fields of a class, undefined fields and objects without a prototype are accepted", () =>
    withExecutor(async (executor) => {
      class Options {
        jobs = 2;
        warmUp = undefined;
        prepared = 0;
        prepare(): void {}
      }
      const { prepared: _, ...options } = new Options();
      expect((await measureResponses(executor, options as never)).overall.finished).toBe(2);
      expect((await measureResponses(executor, Object.assign(Object.create(null), { jobs: 3 }))).overall.finished).toBe(3);
    }));
});
