/**
 * Whole images on the device's clock: the range-Doppler program from raw samples to the complex image, fused and unfused, and the steps of
 * the fused program one by one. Results are compared with the CPU device.
 */
import { type CompiledProgram, compile, type Device, evaluate, type PlanOptions } from "@dechirp/core";
import { fusedSarScene, type RangeDopplerProgram, rangeDoppler, withQuicklook } from "@dechirp/sar";
import { type GpuCase, sideOf, timeRuns } from "./cases.ts";
import type { GpuContender } from "./rounds.ts";

/** The program for the published experiment's scene of `side` pulses of `side` samples. */
function programOf(side: number, rawType: "c64" | "ci8" = "c64"): RangeDopplerProgram<Float32Array> {
  const { radar, processedBandwidthHz, lines, samples, rangeLength } = fusedSarScene(side, side);
  // As many rows as pulses, as in the paper. Rows that are only partly illuminated are aliased.
  const azimuthLength = lines;
  return rangeDoppler({ radar, lines, samples, processedBandwidthHz, rawType, azimuthLength, ...(rangeLength && { rangeLength }) });
}

/** The case of a complex image. */
export function imageCase(elements: number): GpuCase {
  const side = sideOf(elements);
  return {
    name: `range-Doppler c64 ${side}×${side}`,
    errorKind: "relative L2 against the CPU's device",
    clock: "device",
    peer: { kind: "range-doppler", lines: side, n: side },
    async setUp({ device, data, cpu }) {
      const program = programOf(side);
      const raw = data.subarray(0, 2 * side * side);
      let wanted: Promise<Float32Array> | undefined;
      const reference = (): Promise<Float32Array> => {
        wanted ??= cpu().then(async (on) => (await evaluate(program, on, { raw })).image);
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

/** The case of 8-bit samples on the host to an 8-bit picture on the host: write, focus, average two by two, read. */
export function quicklookCase(elements: number): GpuCase {
  const side = sideOf(elements);
  return {
    name: `quicklook of ci8 ${side}×${side}, host to host`,
    errorKind: "largest difference in grey levels from the CPU's device beyond one of rounding, over 255",
    clock: "host",
    async setUp({ device, data, cpu }) {
      const program = withQuicklook(programOf(side, "ci8"), { azimuthLooks: 2, rangeLooks: 2 });
      const raw = Int8Array.from(data.subarray(0, 2 * side * side), (value) => 127 * value);
      const compiled = await compile(program, device);
      const buffers = {
        raw: device.alloc(compiled.layouts["raw"], "raw"),
        quicklook: device.alloc(compiled.layouts["quicklook"], "quicklook"),
      };
      let back = new Uint8Array();
      const once = async (): Promise<void> => {
        buffers.raw.write(raw);
        compiled.run(buffers);
        back = (await buffers.quicklook.read()) as Uint8Array<ArrayBuffer>;
      };
      const ours: GpuContender = {
        name: `dechirp ${program.rows}×${program.columns} ${compiled.text}`,
        kind: "ours",
        bytes: raw.length + program.rows * program.columns,
        flops: compiled.cost.flops,
        async sample(runs) {
          const start = performance.now();
          for (let r = 0; r < runs; r++) await once();
          return (performance.now() - start) / runs;
        },
        async error() {
          await once();
          const wanted = (await evaluate(program, await cpu(), { raw })).quicklook as Uint8Array;
          return wanted.reduce((most, value, i) => Math.max(most, Math.abs(value - back[i]) - 1), 0) / 255;
        },
        dispose() {
          for (const thing of [compiled, buffers.raw, buffers.quicklook]) thing[Symbol.dispose]();
        },
      };
      return { contenders: [ours] };
    },
  };
}

interface Form extends PlanOptions {
  /** The index of a single step to run. */
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
      return timeRuns(device, runs, several);
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
