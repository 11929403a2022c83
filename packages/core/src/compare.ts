/**
 * The surface `@dechirp/core/compare`: cross-validation and profiling of programs, stage by stage. `compare` runs a program on two devices and says after which
 * stage, and where, they part; `profile` says what each stage is, should cost and does cost.
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

/** How far two arrays are apart. `relativeL2` is ‖a − b‖/‖b‖ (0 where both are zero), NaN against NaN counts as equal. */
export interface Difference {
  readonly relativeL2: number;
  /** Largest absolute difference of two numbers at the same place. */
  readonly maxAbsolute: number;
  /** Index vector of the element that differs most. */
  readonly at: readonly number[];
}

/** One value that a stage writes, on both devices. */
export interface StageComparison extends Difference {
  readonly stage: string;
  readonly value: string;
  /** Relative L2 distance up to which the values agree. */
  readonly tolerance: number;
  readonly agrees: boolean;
}

/** A program on two devices, stage by stage. */
export interface Comparison {
  readonly stages: readonly StageComparison[];
  /** The first stage that does not agree. */
  readonly first: StageComparison | undefined;
}

/** How both devices plan and run, and what counts as a difference. */
export interface CompareOptions extends PlanOptions, RunOptions {
  /** Relative L2 allowed after each stage; by default 8·ε·√log₂N of the value's precision, N its elements: rounding noise of some stages. */
  readonly tolerance?: number;
}

/** Runs `program` on devices `a` and `b` with the same inputs and compares every value that a stage writes. */
export async function compare(
  program: Program,
  a: Device,
  b: Device,
  inputs: Readonly<Record<string, TypedArrayOf>>,
  options: CompareOptions = {},
): Promise<Comparison> {
  checkObject(options, "options");
  const { tolerance, fuse = true, inPlace: _, ...run } = options;
  if (tolerance !== undefined && !(typeof tolerance === "number" && tolerance >= 0))
    throw layoutError("tolerance", "a number that is not negative", tolerance);
  valueLayouts(program);
  const traced = everyValueKept(program);
  using left = await bindInputs(traced, a, inputs, planOptions(fuse, run.signal));
  using right = await bindInputs(traced, b, inputs, planOptions(fuse, run.signal));
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

/** Distance of two arrays of one layout. Throws `layout` where their lengths differ. */
export const differenceOf = (shape: Layout, a: TypedArrayOf, b: TypedArrayOf): Difference => runToEnd(differenceSteps(shape, a, b));

/** `differenceOf` in steps of milliseconds, for `runInPieces`. Throws as that does. */
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

/** Spacing of numbers at 1; of one unit in an integer's scale where the value is an integer. */
function epsilonOf({ dtype }: Layout): number {
  if (dtype === "cf16") return 2 ** -10;
  return dtype === "c128" || dtype === "f64" ? 2 ** -52 : dtypes[dtype].float ? 2 ** -23 : 1e-2;
}

/** The program with every value that a step writes among its outputs, so that none is overwritten by a later one. */
function everyValueKept(program: Program): Program {
  const written = program.steps.flatMap((step: Step) =>
    Object.entries(portsOf(step.op)).flatMap(([port, { access }]) => (access === "read" ? [] : [step.bind[port]])),
  );
  const outer = new Set([...program.outputs, ...written].filter((name) => !program.constants?.[name]));
  return { ...program, outputs: [...outer] };
}

/** One stage, predicted and measured. */
export interface StageProfile {
  readonly stage: string;
  readonly text: string;
  readonly cost: Cost;
  /** Median over the runs. */
  readonly milliseconds: number;
  /** Predicted bytes over the measured time, in 10⁹ bytes a second. */
  readonly gbPerSecond: number;
  /** Predicted operations over the measured time, in 10⁹ a second. */
  readonly gflops: number;
  /** Share of the device's copy bandwidth, measured in the same call. */
  readonly roofline: number;
}

/** A program's stages, predicted and measured. */
export interface ProgramProfile {
  readonly stages: readonly StageProfile[];
  readonly milliseconds: number;
  /** Whose clock measured: the host's, around each stage with the queue empty before and after. */
  readonly clock: "host";
  /** Bytes read and written per second by a copy of 32 MiB. */
  readonly copyGbPerSecond: number;
}

/** How the program is planned and run, and how often. */
export interface ProfileProgramOptions extends PlanOptions, RunOptions {
  /** Timed runs after one that warms up; 3 where left out. */
  readonly runs?: number;
}

/** Times every stage of `program` on `device` against its predicted cost and the device's own copy bandwidth. */
export async function profileProgram(
  program: Program,
  device: Device,
  inputs: Readonly<Record<string, TypedArrayOf>>,
  options: ProfileProgramOptions = {},
): Promise<ProgramProfile> {
  checkObject(options, "options");
  const { runs = 3, fuse = true, inPlace: _, ...run } = options;
  if (!Number.isInteger(runs) || runs < 1) throw inputError("runs", "a positive integer", runs);
  checkDevice(device);
  const copyGbPerSecond = await copyBandwidth(device, runs);
  using bound = await bindInputs(program, device, inputs, planOptions(fuse, run.signal));
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

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];
