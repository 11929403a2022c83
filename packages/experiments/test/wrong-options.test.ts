/** Tests invalid options, hooks and devices of experiments: each gives one error that names the field, before any work. */
import { type Device, isRadarError, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  backprojectionExperiment,
  type ExperimentHooks,
  efaExperiment,
  fftPaperExperiment,
  fusedSarExperiment,
  memoryExperiment,
  realtimeExperiment,
} from "../src/index.ts";

let device: Device;
/** The device of experiments that run on GPUs only. */
let graphics: Device;
beforeAll(async () => {
  [device, graphics] = await Promise.all([open(cpu({ workers: 1 })), open(gpu())]);
});
afterAll(() => {
  for (const one of [device, graphics]) {
    expect(one.memory()).toMatchObject({ buffers: 0, plans: 0 });
    one[Symbol.dispose]();
  }
});

type Run = (on: Device, options: never, hooks?: ExperimentHooks) => Promise<unknown>;
const experiments: readonly (readonly [name: string, run: Run, options: object])[] = [
  ["fused SAR", fusedSarExperiment, { lines: 256, samples: 256, turns: 1 }],
  ["backprojection", (on, ...more) => backprojectionExperiment([{ device: on }], ...more), { sides: [16], pulses: 4, bins: 512 }],
  ["EFA", (on, ...more) => efaExperiment([{ device: on }], ...more), { quick: true, only: ["stages"] }],
  [
    "transforms",
    (on, ...more) => fftPaperExperiment([{ device: on }], ...more),
    { quick: true, seconds: 0.01, sizes: [16], only: ["sizes"] },
  ],
  ["real time", (on, ...more) => realtimeExperiment([{ device: on }], ...more), { exponents: [10], tasks: 1, jobs: 1, runs: 1, rhos: [] }],
  ["memory", (on, ...more) => memoryExperiment(on === device ? graphics : on, ...more), { quick: true, seconds: 0.001, only: ["strided"] }],
];

const thrown = async (work: Promise<unknown>): Promise<unknown> => {
  const error = await work.then(
    () => "nothing was thrown",
    (reason: unknown) => reason,
  );
  return isRadarError(error) ? { code: error.code, field: error.fields["field"], message: error.message } : error;
};

describe.each(experiments)("%s", (_, run, sound) => {
  it("rejects options of another name or type", async () => {
    expect(await thrown(run(device, { ...sound, line: 256 } as never))).toMatchObject({
      code: "input",
      message: expect.stringContaining("line"),
    });
    for (const name of Object.keys(sound)) {
      for (const wrong of [null, "x", {}, Number.NaN, -1, []]) {
        if (name === "rhos" && Array.isArray(wrong)) continue;
        const error = await thrown(run(device, { ...sound, [name]: wrong } as never));
        expect(error, `${name} = ${JSON.stringify(wrong)}`).toMatchObject({ code: "input", message: expect.stringContaining(name) });
      }
    }
    expect(await thrown(run(device, null as never))).toMatchObject({ code: "input" });
  });

  it("rejects hooks that are not functions, and invalid devices", async () => {
    expect(await thrown(run(device, sound as never, { progress: () => {} } as ExperimentHooks))).toMatchObject({ code: "input" });
    expect(await thrown(run(device, sound as never, { onProgress: "x" as never }))).toMatchObject({ code: "input", field: "onProgress" });
    for (const none of [undefined, null, {}, "cpu"])
      expect(await thrown(run(none as never, sound as never))).toMatchObject({ code: "input", field: "device" });
  });

  it("fails if a hook throws", async () => {
    const onProgress = (): void => {
      throw new Error("no");
    };
    expect(await thrown(run(device, sound as never, { onProgress }))).toMatchObject({
      code: "failed",
      message: expect.stringContaining("onProgress"),
    });
  });
});
