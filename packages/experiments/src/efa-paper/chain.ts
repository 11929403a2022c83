/**
 * Runs the extended factored algorithm on a device in one variant, as a whole or stage by stage, and times it with the device's clock if
 * it has one. The data sets are on the device before. Every variant is the program that `efa` returns, except for the blocking factor of
 * Gauss-Jordan elimination, which only the benchmark sets.
 */
import { type Buffer, compile, type Device } from "@dechirp/core";
import { runAbortable } from "@dechirp/core/internal";
import { timeOnDevice } from "@dechirp/fft-gpu";
import { checkStatus, type EfaProgramOptions, efa, efaStages } from "@dechirp/stap";
import { stageFlops } from "./flops.ts";
import type { StageName } from "./published.ts";
import type { EfaProblem } from "./workload.ts";

/** How a variant differs from the problem's options, and how it is computed. */
export interface EfaVariant extends Partial<Pick<EfaProgramOptions, "fused" | "solver" | "sharing" | "training">> {
  /** B_T, rows per invocation. Default: the library's choice. Only for unfused programs. */
  readonly rowsPerInvocation?: number;
}

/** Data sets and steering vectors on a device. The caller disposes of them. */
export interface EfaBuffers extends Disposable {
  /** Data cubes c64 [channel][pulse][range], one for each data set. */
  readonly cubes: readonly Buffer[];
  /** Steering vectors c64 [P][n]. */
  readonly steering: Buffer;
}

/** Writes data sets of a problem to a device. Throws as `alloc` does, and `aborted`. */
export async function uploadEfaBuffers(device: Device, problem: EfaProblem, dataSets: number, signal?: AbortSignal): Promise<EfaBuffers> {
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

/** Options of a run of a chain. */
export interface EfaChainRunOptions {
  /** Stops the run. */
  readonly signal?: AbortSignal;
  /** The units to use. Default: all. */
  readonly units?: readonly number[];
}

/** A stage of a chain. */
export interface ChainStage {
  /** Name of the stage. */
  readonly name: StageName;
  /** The text of its plan. */
  readonly text: string;
  /** Operations, as flops.ts counts them. */
  readonly flops: number;
}

/** A compiled variant of the algorithm. The caller disposes of it. */
export interface EfaChain extends Disposable {
  /** The stages, in order. */
  readonly stages: readonly ChainStage[];
  /** The clock that `time` used, once it has been called. */
  readonly clock: "device" | "host";
  /**
   * Milliseconds of the stages with the given indices for one data set: the mean over `runs` runs in one submission, which use the data
   * sets `sets` in turn. The results of the stages before them must exist, so run the whole chain first.
   */
  time(stages: readonly number[], runs: number, sets: readonly number[], options?: EfaChainRunOptions): Promise<number>;
  /** The output y of a data set, c64. Throws `input` if a covariance matrix is not positive definite. */
  output(set: number, options?: EfaChainRunOptions): Promise<Float32Array>;
}

/** Compiles a variant for a device. Throws as compiling does. The caller keeps ownership of `inputs`. */
export async function openEfaChain(device: Device, { options }: EfaProblem, inputs: EfaBuffers, way: EfaVariant = {}): Promise<EfaChain> {
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
    let clock: EfaChain["clock"] = "host";
    const queue = (stages: readonly number[], set: number, on: EfaChainRunOptions): Promise<void>[] =>
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
