/**
 * Plans a block of pulses on a device as `backproject` does, and runs and times its steps one by one. So the kernel can be timed without
 * transfers and host work. Times come from the device's clock if it has one.
 */
import { type Buffer, compile, type Device, RadarError, type Run } from "@dechirp/core";
import { timeOnDevice } from "@dechirp/fft-gpu";
import {
  type BackprojectorOptions,
  backprojectionProgram,
  blockAnchors,
  type GroundGrid,
  type Partition,
  prepareBackprojection,
} from "@dechirp/sar";
import type { BackprojectionWorkload, SampleForm } from "./workload.ts";

/** A step of the program. `curves` computes the parabolas of quadratic interpolation, which `backproject` reads. */
export type PulseBlockStep = "compress" | "curves" | "backproject" | "sum";

/** A planned block of pulses. The caller disposes of it. */
export interface PulseBlock extends Disposable {
  /** How the image and the pulses are divided. */
  readonly partition: Partition;
  /** Number of pulses of the block. */
  readonly pulses: number;
  /** The steps of the program, in order. */
  readonly steps: readonly PulseBlockStep[];
  /** The text of the compiled program. */
  readonly text: string;
  /** The clock that `time` used, once it has been called. */
  readonly clock: "device" | "host";
  /** Loads the pulses from `first` on into the block. */
  load(first: number): void;
  /**
   * Milliseconds of one run of the given steps: the mean over `runs` runs in one submission. Throws the errors of a run, including
   * `aborted`.
   */
  time(steps: readonly PulseBlockStep[], runs: number, options?: PulseBlockRunOptions): Promise<number>;
  /** The image of the loaded pulses only: complex, interleaved [ny][nx]. */
  image(options?: PulseBlockRunOptions): Promise<Float32Array>;
}

/** Options of a run of a block. */
export interface PulseBlockRunOptions {
  /** Stops the run. */
  readonly signal?: AbortSignal;
  /** The units to use. Default: all. */
  readonly units?: readonly number[];
}

/**
 * Plans a block of `workload` for images of `grid`. Throws as planning and compiling do, and `unsupported` for a grid without anchors of
 * blocks.
 */
export async function openPulseBlock(
  device: Device,
  workload: BackprojectionWorkload,
  grid: GroundGrid,
  options: BackprojectorOptions & { readonly form?: SampleForm } = {},
): Promise<PulseBlock> {
  const { form = "history" } = options;
  const { shape, profiles, compression, partition } = prepareBackprojection(device, workload.source(form), grid, {
    ...options,
    ...(form === "history" && { bins: options.bins ?? workload.bins }),
  });
  if (shape.blockTiles === 0) throw new RadarError("unsupported", "only images with anchors of blocks can be timed", {});
  const program = backprojectionProgram(shape, compression);
  const compiled = await compile(program, device);
  const owned: Disposable[] = [compiled];
  const dispose = (): void => {
    for (const thing of owned.splice(0).reverse()) thing[Symbol.dispose]();
  };
  try {
    const buffers: Record<string, Buffer> = {};
    for (const [name, of] of Object.entries(compiled.layouts)) {
      buffers[name] = device.alloc(of, `block.${name}`);
      owned.push(buffers[name]);
    }
    const steps = compiled.stages.map(({ name }) => name as PulseBlockStep);
    let uniforms = {};
    let clock: PulseBlock["clock"] = "host";
    const runs = (wanted: readonly PulseBlockStep[], on: PulseBlockRunOptions): Run[] =>
      [...steps.keys()].filter((i) => wanted.includes(steps[i])).map((i) => compiled.runStage(i, buffers, { ...on, uniforms }));
    return {
      partition,
      pulses: shape.pulses,
      steps,
      text: compiled.text,
      get clock() {
        return clock;
      },
      load(first) {
        const { tile, blockTiles, pulses } = shape;
        const anchors = blockAnchors(profiles, grid, tile, { blockTiles, pulses: [first, pulses], capacity: pulses });
        const [squareXX, squareXY, squareYY] = anchors.squares;
        uniforms = { squareXX, squareXY, squareYY, cyclesPerBin: anchors.cyclesPerBin, count: pulses };
        buffers["anchors"].write(anchors.uints);
        let at = 0;
        for (const portion of workload.portions(form, first, pulses)) {
          buffers["samples"].write(portion, at);
          at += portion.length / 2;
        }
        for (const { done } of runs(["compress", "curves"], {})) done.catch(() => {});
      },
      async time(wanted, times, on = {}) {
        await device.ready();
        const ends: Promise<void>[] = [];
        const start = performance.now();
        const onDevice = await timeOnDevice(device, () => {
          for (let r = 0; r < times; r++) {
            for (const { done } of runs(wanted, on)) {
              done.catch(() => {});
              ends.push(done);
            }
          }
        });
        await Promise.all(ends);
        await device.ready();
        clock = onDevice === undefined ? "host" : "device";
        return (onDevice ?? performance.now() - start) / times;
      },
      async image(on = {}) {
        buffers["image"].write(new Float32Array(2 * grid.nx * grid.ny));
        for (const { done } of runs(steps, on)) done.catch(() => {});
        return (await buffers["image"].read()) as Float32Array;
      },
      [Symbol.dispose]: dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}
