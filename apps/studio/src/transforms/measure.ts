/**
 * Measures a transform on a device: a copy of as many bytes, the transform, and the transform with its hook take turns, so that a disturbance
 * affects all of them. A turn is many runs, because clocks of browsers are coarse.
 */
import {
  type Bindings,
  type Buffer,
  byteLength,
  type Cost,
  createPause,
  type Device,
  isRadarError,
  type Layout,
  layout,
  messageOf,
  type Plan,
  runInPieces,
  type TypedArrayOf,
  throwIfAborted,
} from "@dechirp/core";
import { quantile, timeRuns, warmUp } from "@dechirp/experiments/timing";
import { type GeneratedKernel, generatedKernels } from "@dechirp/fft-gpu";
import { type HookedProblem, hannWindow, hookedOf, noiseSteps, type Problem, problemOf, type TransformChoices } from "./problem.ts";
import { bytesOf, type Deviation, deviationOf, type HostArrays, roundingError } from "./reference.ts";

/** What takes turns. */
export type ContenderName = "copy" | "transform" | "with the hook";

/** A contender's plan. */
export interface PlanFacts {
  readonly text: string;
  readonly cost: Cost;
  readonly layouts: Readonly<Record<string, string>>;
  /** The WGSL of the plan. Empty on the processor. */
  readonly kernels: readonly GeneratedKernel[];
  /** Bytes of the WebAssembly module that the hook became. */
  readonly hookBytes?: number;
}

/** What was measured of a contender. */
export interface Timed {
  readonly microseconds: number;
  readonly quartiles: readonly [number, number];
  readonly turns: number;
  /** Runs in a turn. */
  readonly runs: number;
  readonly clock: "device" | "host";
  /** Bytes read and written in a second, in 10⁹. */
  readonly gigabytesPerSecond: number;
  /** 10⁹ operations in a second, by 5 n log₂ n for a complex transform of n points. */
  readonly gflops?: number;
  /** `gigabytesPerSecond` divided by that of the copy. */
  readonly ofCopy?: number;
  readonly deviation?: Deviation;
}

/** A row of the table: what was measured, or why it can't be. */
export interface ContenderResult {
  readonly name: ContenderName;
  readonly plan?: PlanFacts;
  readonly timed?: Timed;
  readonly why?: string;
}

/** What was measured on a device. */
export interface Measured {
  readonly rows: readonly ContenderResult[];
  /** ε √log₂ n. */
  readonly rounding: number;
}

/** How a measurement is made. */
export interface MeasureOptions {
  /** Approximate seconds of a row. */
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly onProgress: (what: string, share: number) => void;
  /** A device that computes in float64. */
  readonly float64: Device;
}

const mostTurns = 9;
/** Approximate length of a turn: two hundred times the resolution of a clock in a page that is not isolated. */
const turnMilliseconds = 20;

interface Contender extends Disposable {
  readonly name: ContenderName;
  readonly plan: Plan;
  readonly facts: PlanFacts;
  readonly bindings: Bindings;
  readonly bytes: number;
  readonly problem?: Problem;
  readonly times: number[];
  runs: number;
  turns: number;
  clock: "device" | "host";
}

/** Measures on an open device. Throws `input`, `aborted` and errors of devices other than that they can't do something. */
export async function measureTransforms(device: Device, choices: TransformChoices, options: MeasureOptions): Promise<Measured> {
  const { signal, onProgress } = options;
  const problem = problemOf(choices);
  onProgress("making noise", 0);
  const x = await runInPieces(noiseSteps(problem.input, choices.seed), createPause("making noise", signal));
  const rows = new Map<ContenderName, ContenderResult>();
  const open: Contender[] = [];
  const bytes = bytesOf(problem.input) + bytesOf(problem.output);
  const add = async (name: ContenderName, make: () => Promise<Contender>): Promise<void> => {
    throwIfAborted(signal, "the measurement");
    try {
      const contender = await make();
      open.push(contender);
      rows.set(name, { name, plan: contender.facts });
    } catch (error) {
      rows.set(name, { name, why: whyNot(error) });
    }
  };
  try {
    const copied = copyLayout(device, bytes);
    onProgress("planning", 0.1);
    await add("copy", () =>
      openContender(device, "copy", { op: "convert", layout: copied, to: copied.dtype }, { in: copied, out: copied }, {}),
    );
    const arrays: HostArrays = { x, w: hannWindow(windowLayout(choices, problem)) };
    await add("transform", () =>
      openContender(device, "transform", problem.op, { in: problem.input, out: problem.output }, { in: x }, problem),
    );
    let hooked: HookedProblem | undefined;
    const { hook } = choices;
    if (hook !== "none") {
      await add("with the hook", async () => {
        hooked = hookedOf(choices, hook);
        const layouts = { ...(hook === "store" && { in: hooked.input }), ...hooked.sources, out: hooked.output };
        return openContender(device, "with the hook", hooked.op, layouts, { in: x, x, w: arrays.w }, hooked);
      });
    }
    await timeTurns(device, open, options);
    onProgress("comparing with float64", 0.9);
    const copy = open.find(({ name }) => name === "copy");
    const copyRate = copy && copy.bytes / quantile(copy.times, 0.5) / 1e6;
    for (const one of open) {
      throwIfAborted(signal, "the measurement");
      const milliseconds = quantile(one.times, 0.5);
      const rate = one.bytes / milliseconds / 1e6;
      const deviation = one.problem && (await deviationOf(one.problem, arrays, one.bindings["out"] as Buffer, options.float64));
      rows.set(one.name, {
        ...rows.get(one.name)!,
        timed: {
          microseconds: 1e3 * milliseconds,
          quartiles: [1e3 * quantile(one.times, 0.25), 1e3 * quantile(one.times, 0.75)],
          turns: one.times.length,
          runs: one.runs,
          clock: one.clock,
          gigabytesPerSecond: rate,
          ...(one.problem && { gflops: one.plan.cost.flops / milliseconds / 1e6 }),
          ...(one.problem && copyRate !== undefined && { ofCopy: rate / copyRate }),
          ...(deviation && { deviation }),
        },
      });
    }
    onProgress("done", 1);
    return { rows: [...rows.values()], rounding: roundingError(problem, choices.n) };
  } finally {
    for (const one of open) one[Symbol.dispose]();
  }
}

/** The layout of a copy of `bytes` bytes in all, half of them read. The processor copies real numbers by WebAssembly. */
const copyLayout = (device: Device, bytes: number): Layout<"f32"> | Layout<"c64"> =>
  device.id === "cpu" ? layout("f32", [Math.ceil(bytes / 8)]) : layout("c64", [Math.ceil(bytes / 16)]);

const windowLayout = ({ hook }: TransformChoices, { input, output, axis, isDouble }: Problem): Layout =>
  layout(isDouble ? "f64" : "f32", [(hook === "store" ? output : input).shape[axis]]);

/** Plans an op, allocates its arrays and fills them. */
async function openContender(
  device: Device,
  name: ContenderName,
  op: Parameters<Device["plan"]>[0],
  layouts: Readonly<Record<string, Layout>>,
  data: Readonly<Record<string, TypedArrayOf>>,
  problem?: Problem,
): Promise<Contender> {
  const held: Disposable[] = [];
  const dispose = (): void => {
    for (const one of held.splice(0)) one[Symbol.dispose]();
  };
  try {
    let plan: Plan | undefined;
    const kernels = await generatedKernels(device, async () => {
      plan = await device.plan(op);
      held.push(plan);
    });
    const bindings: Record<string, Buffer> = {};
    for (const [port, shape] of Object.entries(layouts)) {
      bindings[port] = device.alloc(shape, port);
      held.push(bindings[port]);
      if (data[port]) bindings[port].write(data[port]);
    }
    await device.ready();
    const { text, cost } = plan!;
    const hookBytes = device.id === "cpu" && problem && "place" in problem ? await moduleBytes(problem as HookedProblem) : undefined;
    return {
      name,
      plan: plan!,
      facts: {
        text,
        cost,
        layouts: Object.fromEntries(Object.entries(layouts).map(([port, shape]) => [port, layoutText(shape)])),
        kernels,
        ...(hookBytes !== undefined && { hookBytes }),
      },
      bindings,
      bytes: Object.values(layouts).reduce((sum, shape) => sum + byteLength(shape), 0),
      ...(problem && { problem }),
      times: [],
      runs: 1,
      turns: 1,
      clock: "host",
      [Symbol.dispose]: dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

const layoutText = ({ dtype, shape }: Layout): string => `${dtype}[${shape.join(", ")}]`;

/** Bytes of the hook as WebAssembly. Undefined if the processor computes it by its float64 reference. */
async function moduleBytes({ op, isDouble }: HookedProblem): Promise<number | undefined> {
  if (isDouble) return undefined;
  const { withForms } = await import("@dechirp/core/expression/code");
  const { load, store } = withForms(op) as HookedProblem["op"];
  return (load ?? store)?.wasm?.plain.length;
}

/** Lets the contenders take turns until each has had its seconds. */
async function timeTurns(device: Device, open: readonly Contender[], { seconds, signal, onProgress }: MeasureOptions): Promise<void> {
  let slowest = 0;
  for (const [i, one] of open.entries()) {
    throwIfAborted(signal, "the measurement");
    onProgress(`first run: ${one.name}`, 0.2 + (0.2 * i) / open.length);
    const first = await timeRuns(device, one.plan, one.bindings, 1);
    // Where a run takes longer than a row may, the first one says enough.
    const { milliseconds, clock } = first.milliseconds > 1000 * seconds ? first : await timeRuns(device, one.plan, one.bindings, 1);
    slowest = Math.max(slowest, milliseconds);
    const once = Math.max(milliseconds, 1e-3);
    const affordable = (1000 * seconds) / once;
    one.clock = clock;
    one.turns = Math.max(1, Math.min(mostTurns, Math.floor(Math.min(affordable, (1000 * seconds) / turnMilliseconds))));
    one.runs = Math.max(1, Math.min(Math.ceil(turnMilliseconds / once), Math.floor(affordable / one.turns)));
  }
  if (slowest < 1000 * seconds) await warm(device, open, seconds, signal);
  const most = Math.max(...open.map(({ turns }) => turns));
  for (let turn = 0; turn < most; turn++) {
    onProgress("timing", 0.4 + (0.5 * turn) / most);
    for (const one of open) {
      if (turn >= one.turns) continue;
      throwIfAborted(signal, "the measurement");
      one.times.push((await timeRuns(device, one.plan, one.bindings, one.runs)).milliseconds);
    }
  }
}

/** Runs the contenders until they have become no faster for a while. */
function warm(device: Device, open: readonly Contender[], seconds: number, signal: AbortSignal): Promise<void> {
  return warmUp({ still: 100 * Math.min(1, seconds), most: 500 * Math.min(1, seconds) }, async () => {
    let milliseconds = 0;
    for (const { plan, bindings } of open) {
      throwIfAborted(signal, "the measurement");
      milliseconds += (await timeRuns(device, plan, bindings, 1)).milliseconds;
    }
    return milliseconds;
  });
}

/** The reason why a device can't do something. Throws errors that end the measurement. */
function whyNot(error: unknown): string {
  if (isRadarError(error, "aborted") || isRadarError(error, "device-lost") || isRadarError(error, "disposed")) throw error;
  if (!isRadarError(error)) throw error;
  return messageOf(error);
}
