/**
 * Whole images on the device's clock: the range-Doppler program from raw samples to the complex image, fused and with every
 * fusion left out, and the steps of the fused one by themselves. Results are compared with the CPU's device.
 */
import { type CompiledProgram, compile, type Device, evaluate, type PlanOptions } from "@dechirp/core";
import { timeOnDevice } from "@dechirp/fft-gpu";
import { type RangeDopplerProgram, rangeDoppler, scenePresets } from "@dechirp/sar";
import type { GpuCase } from "./cases.ts";
import type { GpuContender } from "./rounds.ts";

/** A side whose square has about so many elements. */
const sideOf = (elements: number): number => 2 ** Math.floor(Math.log2(elements) / 2);

/** The large preset's radar over `side` pulses of `side` samples. */
function programOf(side: number): RangeDopplerProgram {
  const { radar, processedBandwidthHz } = scenePresets.large;
  // A swath that is shorter than the pulse has no image.
  const pulseSeconds = Math.min(radar.pulseSeconds, side / 4 / radar.samplingRateHz);
  return rangeDoppler({ radar: { ...radar, pulseSeconds }, lines: side, samples: side, processedBandwidthHz });
}

export function imageCase(elements: number): GpuCase {
  const side = sideOf(elements);
  return {
    name: `range-Doppler c64 ${side}×${side}`,
    errorKind: "relative L2 against the CPU's device",
    clock: "device",
    async setUp({ device, data, cpu }) {
      const program = programOf(side);
      const raw = data.subarray(0, 2 * side * side);
      let wanted: Promise<Float32Array> | undefined;
      const reference = (): Promise<Float32Array> => {
        wanted ??= cpu().then(async (on) => (await evaluate(program, on, { raw })).image as Float32Array);
        return wanted;
      };
      const fused = await contenderOf("dechirp", program, device, raw, reference, {});
      const steps = await Promise.all(
        program.steps.map((_, i) => contenderOf(`dechirp, ${program.steps[i].name} alone`, program, device, raw, reference, { only: i })),
      );
      return { contenders: [fused, ...steps, await contenderOf("dechirp not fused", program, device, raw, reference, { fuse: false })] };
    },
  };
}

interface Form extends PlanOptions {
  /** One step, by number. */
  readonly only?: number;
}

async function contenderOf(
  name: string,
  program: RangeDopplerProgram,
  device: Device,
  raw: Float32Array,
  reference: () => Promise<Float32Array>,
  { only, ...options }: Form,
): Promise<GpuContender> {
  const compiled: CompiledProgram = await compile(program, device, options);
  const buffers = { raw: device.alloc(compiled.layouts["raw"], "raw"), image: device.alloc(compiled.layouts["image"], "image") };
  buffers.raw.write(raw);
  const once = (): void => {
    if (only === undefined) compiled.run(buffers);
    else compiled.runStage(only, buffers);
  };
  once();
  const stages = only === undefined ? compiled.stages : [compiled.stages[only]];
  const [flops, bytes] = stages.reduce(([f, b], { plan }) => [f + plan.cost.flops, b + plan.cost.bytes], [0, 0]);
  return {
    name: `${name} ${stages.map(({ plan }) => plan.text).join(" ")}`,
    kind: "ours",
    bytes,
    flops,
    async sample(runs) {
      const several = (): void => {
        for (let r = 0; r < runs; r++) once();
      };
      once();
      const onDevice = await timeOnDevice(device, several);
      if (onDevice !== undefined) return onDevice / runs;
      await device.ready();
      const start = performance.now();
      several();
      await device.ready();
      return (performance.now() - start) / runs;
    },
    async error() {
      if (only !== undefined) return Number.NaN;
      const wanted = await reference();
      const got = (await buffers.image.read()) as Float32Array;
      let [error, energy] = [0, 0];
      for (let i = 0; i < wanted.length; i++) {
        error += (got[i] - wanted[i]) ** 2;
        energy += wanted[i] ** 2;
      }
      return Math.sqrt(error / energy);
    },
    dispose() {
      for (const thing of [compiled, buffers.raw, buffers.image]) thing[Symbol.dispose]();
    },
  };
}
