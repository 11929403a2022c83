/**
 * The entry point `@dechirp/core/compare`: cross-validation and profiling of programs, stage by stage. `compare` runs a program on two
 * devices and finds the stage and the element where their results differ. `profileProgram` measures each stage and compares it with its
 * predicted cost.
 */

import type { Device, PlanOptions, RunOptions } from "./device.ts";
import { inputError, layoutError, RadarError } from "./errors.ts";
import { bindInputs, planOptions } from "./evaluate.ts";
import { checkDevice, checkObject } from "./fields.ts";
import { fromHalf } from "./half.ts";
import { unravel } from "./kernels.ts";
import { checkLayout, dtypes, elementCount, type Layout, layout, type TypedArrayOf } from "./layout.ts";
import { portsOf } from "./op.ts";
import type { Cost } from "./ops/row.ts";
import { createPause } from "./pause.ts";
import { runInPieces, runToEnd } from "./pieces.ts";
import { type Program, type Step, valueLayouts } from "./program.ts";

/** How much two arrays a and b differ. NaN counts as equal to NaN. */
export interface Difference {
  /** ‖a − b‖/‖b‖; 0 if the arrays are equal, Infinity if the difference is not finite or only b is zero. */
  readonly relativeL2: number;
  /** Largest absolute difference of two numbers at the same index. */
  readonly maxAbsolute: number;
  /** Index of the element with the largest difference, one number for each axis. */
  readonly at: readonly number[];
}

/** The difference of one value after the stage that wrote it. */
export interface StageComparison extends Difference {
  /** Name of the stage. */
  readonly stage: string;
  /** Name of the value. */
  readonly value: string;
  /** Largest `relativeL2` that counts as agreement. */
  readonly tolerance: number;
  readonly agrees: boolean;
}

/** The result of `compare`. */
export interface Comparison {
  /** One entry for every value that a stage writes, in order. */
  readonly stages: readonly StageComparison[];
  /** The first comparison that does not agree. Undefined if all agree. */
  readonly first: StageComparison | undefined;
}

/** Options of `compare`: how both devices plan and run, and what counts as a difference. */
export interface CompareOptions extends PlanOptions, RunOptions {
  /**
   * Largest relative L2 difference that counts as agreement. Default: 8·ε·√log₂N for a value of N elements, with the ε of its precision.
   * That allows for the rounding errors of several stages.
   */
  readonly tolerance?: number;
}

/**
 * Runs `program` on devices `a` and `b` with the same inputs and compares every value that a stage writes. Rejects with `layout` if an
 * argument is wrong, and with what `compile` and runs reject with.
 */
export async function compare(
  program: Program,
  a: Device,
  b: Device,
  inputs: Readonly<Record<string, TypedArrayOf>>,
  options: CompareOptions = {},
): Promise<Comparison> {
  checkObject(options, "options");
  const { tolerance, fuse = true, inPlace: _, variant, ...run } = options;
  if (tolerance !== undefined && !(typeof tolerance === "number" && tolerance >= 0))
    throw layoutError("tolerance", "a number that is not negative", tolerance);
  valueLayouts(program);
  const traced = everyValueKept(program);
  using left = await bindInputs(traced, a, inputs, planOptions(fuse, run.signal, variant));
  using right = await bindInputs(traced, b, inputs, planOptions(fuse, run.signal, variant));
  const stages: StageComparison[] = [];
  for (const [i, stage] of left.compiled.stages.entries()) {
    await Promise.all([left, right].map((side) => side.compiled.runStage(i, side.buffers, run).done));
    for (const [port, { access, layout: shape }] of Object.entries(portsOf(stage.plan.op))) {
      if (access === "read") continue;
      const value = stage.bind[port];
      const difference = await runInPieces(
        differenceSteps(shape, await left.buffers[value].read(), await right.buffers[value].read()),
        createPause("the comparison"),
      );
      const allowed = tolerance ?? 8 * epsilonOf(shape) * Math.sqrt(Math.log2(elementCount(shape) + 1));
      stages.push({ stage: stage.name, value, tolerance: allowed, agrees: difference.relativeL2 <= allowed, ...difference });
    }
  }
  return { stages, first: stages.find((stage) => !stage.agrees) };
}

/** The difference of two arrays of layout `shape`. Throws `layout` if their lengths differ or an argument is wrong. */
export const differenceOf = (shape: Layout, a: TypedArrayOf, b: TypedArrayOf): Difference => runToEnd(differenceSteps(shape, a, b));

/** `differenceOf` in steps of about a millisecond, for `runInPieces`. */
export function* differenceSteps(shape: Layout, a: TypedArrayOf, b: TypedArrayOf): Generator<void, Difference> {
  checkLayout(shape, "shape");
  for (const [field, data] of Object.entries({ a, b })) if (!ArrayBuffer.isView(data)) throw layoutError(field, "a typed array", data);
  if (shape.dtype === "cf16")
    return yield* differenceSteps({ ...shape, dtype: "c64" }, Float32Array.from(a, fromHalf), Float32Array.from(b, fromHalf));
  if (a.length !== b.length)
    throw new RadarError("layout", `arrays of ${a.length} and ${b.length} numbers can't be compared`, { field: "data" });
  let error = 0;
  let energy = 0;
  let maxAbsolute = 0;
  let worst = 0;
  for (let i = 0; i < a.length; i++) {
    if (i % 2 ** 18 === 0) yield;
    if (a[i] === b[i] || (Number.isNaN(a[i]) && Number.isNaN(b[i]))) {
      if (Number.isFinite(b[i])) energy += b[i] * b[i];
      continue;
    }
    const apart = Math.abs(a[i] - b[i]);
    const d = Number.isNaN(apart) ? Infinity : apart;
    error += d * d;
    energy += b[i] * b[i];
    if (d > maxAbsolute) {
      maxAbsolute = d;
      worst = i;
    }
  }
  const at: number[] = [];
  unravel(Math.floor(worst / dtypes[shape.dtype].components), shape.shape, at);
  const relativeL2 = error === 0 ? 0 : Math.sqrt(error / energy);
  return {
    relativeL2: Number.isNaN(relativeL2) ? Infinity : relativeL2,
    maxAbsolute,
    at,
  };
}

/** The ε of an element type: the spacing of its numbers at 1. For integers, 0.01: a value may differ by one unit. */
function epsilonOf({ dtype }: Layout): number {
  if (dtype === "cf16") return 2 ** -10;
  return dtype === "c128" || dtype === "f64" ? 2 ** -52 : dtypes[dtype].float ? 2 ** -23 : 1e-2;
}

/** The program with every written value among its outputs, so that no later stage overwrites one. */
function everyValueKept(program: Program): Program {
  const written = program.steps.flatMap((step: Step) =>
    Object.entries(portsOf(step.op)).flatMap(([port, { access }]) => (access === "read" ? [] : [step.bind[port]])),
  );
  const outer = new Set([...program.outputs, ...written].filter((name) => !program.constants?.[name]));
  return { ...program, outputs: [...outer] };
}

/** One stage of a program: predicted cost and measured time. */
export interface StageProfile {
  /** Name of the stage. */
  readonly stage: string;
  /** `text` of its plan. */
  readonly text: string;
  /** Predicted cost. */
  readonly cost: Cost;
  /** Median time of the runs. */
  readonly milliseconds: number;
  /** Predicted bytes over the measured time, in 10⁹ bytes a second. */
  readonly gbPerSecond: number;
  /** Predicted operations over the measured time, in 10⁹ a second. */
  readonly gflops: number;
  /** `gbPerSecond` divided by the device's copy bandwidth. */
  readonly roofline: number;
}

/** The result of `profileProgram`. */
export interface ProgramProfile {
  readonly stages: readonly StageProfile[];
  /** Sum of the stages' times. */
  readonly milliseconds: number;
  /** The clock that was used. "host": the host's clock, read before and after each stage, with nothing else queued. */
  readonly clock: "host";
  /**
   * Bandwidth of a copy on the device in 10⁹ bytes a second, read and written bytes together. Measured in the same call with arrays of 16
   * MiB.
   */
  readonly copyGbPerSecond: number;
}

/** Options of `profileProgram`: how the program is planned and run, and how often. */
export interface ProfileProgramOptions extends PlanOptions, RunOptions {
  /** Number of timed runs after one run for warming up. Default: 3. */
  readonly runs?: number;
}

/**
 * Measures every stage of `program` on `device` and relates its time to the predicted cost and to the device's copy bandwidth. Rejects
 * with `input` if `runs` is wrong, `layout` if another argument is, and with what `compile` and runs reject with.
 */
export async function profileProgram(
  program: Program,
  device: Device,
  inputs: Readonly<Record<string, TypedArrayOf>>,
  options: ProfileProgramOptions = {},
): Promise<ProgramProfile> {
  checkObject(options, "options");
  const { runs = 3, fuse = true, inPlace: _, variant, ...run } = options;
  if (!Number.isInteger(runs) || runs < 1) throw inputError("runs", "a positive integer", runs);
  checkDevice(device);
  const copyGbPerSecond = await copyBandwidth(device, runs);
  using bound = await bindInputs(program, device, inputs, planOptions(fuse, run.signal, variant));
  const { compiled, buffers } = bound;
  const times = compiled.stages.map((): number[] => []);
  for (let r = 0; r <= runs; r++) {
    for (const i of compiled.stages.keys()) {
      const ms = await timed(() => compiled.runStage(i, buffers, run).done);
      if (r > 0) times[i].push(ms);
    }
  }
  const stages = compiled.stages.map(({ name, plan }, i): StageProfile => {
    const milliseconds = median(times[i]);
    const gbPerSecond = plan.cost.bytes / milliseconds / 1e6;
    return {
      stage: name,
      text: plan.text,
      cost: plan.cost,
      milliseconds,
      gbPerSecond,
      gflops: plan.cost.flops / milliseconds / 1e6,
      roofline: gbPerSecond / copyGbPerSecond,
    };
  });
  return { stages, milliseconds: stages.reduce((sum, s) => sum + s.milliseconds, 0), clock: "host", copyGbPerSecond };
}

/** Median bandwidth of a copy, in 10⁹ bytes a second. */
async function copyBandwidth(device: Device, runs: number): Promise<number> {
  const shape = layout("c64", [2 ** 21]);
  using from = device.alloc(shape, "copy from");
  using to = device.alloc(shape, "copy to");
  using plan = await device.plan({ op: "convert", layout: shape, to: "c64" });
  await plan.run({ in: from, out: to }).done;
  const times: number[] = [];
  for (let r = 0; r < runs; r++) times.push(await timed(() => plan.run({ in: from, out: to }).done));
  return plan.cost.bytes / median(times) / 1e6;
}

/** Milliseconds that `work` takes. */
async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];
