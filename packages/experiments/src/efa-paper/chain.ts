/**
 * One way of the algorithm on a device, its data sets there already: whole or by stages, timed by the device's own clock where it
 * has one. Any way is the program that `efa` makes, save the blocking factor of Gauss-Jordan elimination, which is the bench's.
 */
import { type Buffer, compile, type Device } from "@dechirp/core";
import { runAbortable } from "@dechirp/core/internal";
import { timeOnDevice } from "@dechirp/fft-gpu";
import { checkStatus, type EfaProgramOptions, efa, efaStages } from "@dechirp/stap";
import { stageFlops } from "./flops.ts";
import type { StageName } from "./published.ts";
import type { EfaProblem } from "./workload.ts";

/** Options that differ from the problem's, and how it is computed. */
export interface EfaWay extends Partial<Pick<EfaProgramOptions, "fused" | "solver" | "sharing" | "training">> {
  /** B_T; the library's choice where left out. Only unfused. */
  readonly rowsPerInvocation?: number;
}

/** Data sets and steering vectors on a device. Dispose of it to free its memory. */
export interface EfaBuffers extends Disposable {
  readonly cubes: readonly Buffer[];
  readonly steering: Buffer;
}

/** Puts data sets of a problem on a device. Throws what `alloc` throws, and `aborted`. */
export async function placeInputs(device: Device, problem: EfaProblem, dataSets: number, signal?: AbortSignal): Promise<EfaBuffers> {
  const { channels, pulses, ranges, steeringVectors, order } = problem.geometry;
  const buffers: Buffer[] = [];
  const dispose = (): void => {
    for (const buffer of buffers.splice(0)) buffer[Symbol.dispose]();
  };
  const place = (shape: readonly number[], data: Float32Array, label: string): Buffer => {
    const buffer = device.alloc({ dtype: "c64", shape }, label);
    buffers.push(buffer);
    buffer.write(data);
    return buffer;
  };
  try {
    const steering = place([steeringVectors, order], problem.steering, "steering");
    const cubes: Buffer[] = [];
    for (let set = 0; set < dataSets; set++) {
      const cube = await runAbortable(signal, "the experiment", problem.cubeSteps(set));
      cubes.push(place([channels, pulses, ranges], cube, `cube ${set}`));
    }
    return { cubes, steering, [Symbol.dispose]: dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Cancelling, and the units of a run. */
export interface ChainRunOptions {
  readonly signal?: AbortSignal;
  /** Units to use, exactly those; all where left out. */
  readonly units?: readonly number[];
}

export interface ChainStage {
  readonly name: StageName;
  /** What runs. */
  readonly text: string;
  /** As flops.ts counts them. */
  readonly flops: number;
}

/** The stages of EFA, planned on a device. */
export interface Chain extends Disposable {
  readonly stages: readonly ChainStage[];
  /** Whose time `time` gives, once it was called. */
  readonly clock: "device" | "host";
  /**
   * Milliseconds of some stages, by number, of one data set: the mean over `runs` in one submission, which take `sets` in turn. What
   * stages before them leave must be there.
   */
  time(stages: readonly number[], runs: number, sets: readonly number[], options?: ChainRunOptions): Promise<number>;
  /** y of a data set. Throws `input` where a covariance is not positive definite. */
  output(set: number, options?: ChainRunOptions): Promise<Float32Array>;
}

/** Throws what compiling throws. `inputs` stay the caller's. */
export async function openChain(device: Device, { options }: EfaProblem, inputs: EfaBuffers, way: EfaWay = {}): Promise<Chain> {
  const { rowsPerInvocation, fused, solver, sharing, training } = way;
  const own = { ...(solver && { solver }), ...(sharing && { sharing }), ...(training && { training }) };
  const program = efa({ ...options, ...own, ...(fused !== undefined && { fused }) });
  const solve = rowsPerInvocation === undefined ? undefined : efaStages({ ...options, ...own }, { rowsPerInvocation }).solve.steps[0];
  const steps = program.steps.map((step) => (step.name === "solve" && solve ? solve : step));
  const compiled = await compile({ ...program, steps }, device);
  const owned: Disposable[] = [compiled];
  const dispose = (): void => {
    for (const thing of owned.splice(0).reverse()) thing[Symbol.dispose]();
  };
  try {
    const outputs = program.outputs.map((name) => [name, device.alloc(compiled.layouts[name], name)] as const);
    owned.push(...outputs.map(([, buffer]) => buffer));
    const given: Record<string, Buffer> = { ...Object.fromEntries(outputs), steering: inputs.steering };
    const all = [...compiled.stages.keys()];
    let clock: Chain["clock"] = "host";
    const queue = (stages: readonly number[], set: number, on: ChainRunOptions): Promise<void>[] =>
      stages.map((stage) => {
        const { done } = compiled.runStage(stage, { ...given, cube: inputs.cubes[set] }, on);
        done.catch(() => {});
        return done;
      });
    return {
      stages: compiled.stages.map(({ name, plan }) => ({
        name: name as StageName,
        text: plan.text,
        flops: stageFlops(program.geometry, name as StageName),
      })),
      get clock() {
        return clock;
      },
      async time(stages, runs, sets, on = {}) {
        await device.ready();
        const ends: Promise<void>[] = [];
        const start = performance.now();
        const onDevice = await timeOnDevice(device, () => {
          for (let r = 0; r < runs; r++) ends.push(...queue(stages, sets[r % sets.length], on));
        });
        await Promise.all(ends);
        await device.ready();
        clock = onDevice === undefined ? "host" : "device";
        return (onDevice ?? performance.now() - start) / runs;
      },
      async output(set, on = {}) {
        await Promise.all(queue(all, set, on));
        const status = (await given["status"].read()) as Uint32Array;
        checkStatus(status, program.geometry);
        return (await given["y"].read()) as Float32Array;
      },
      [Symbol.dispose]: dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}
