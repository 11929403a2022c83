/**
 * Planning by measurement (`effort: "measure"` of `gpu`): a transform's plan by the rules, and others that differ from it in one respect after the
 * other (candidates.ts), are timed on the device, with arrays of the transform's own sizes. The fastest is kept in the device's wisdom.
 * This file is loaded with the first such plan, so that pages without them do not have its code.
 */
import {
  createRandom,
  dtypes,
  isRadarError,
  type Layout,
  portsOf,
  scalarCount,
  type TransformOp,
  type TypedArrayOf,
  transformLength,
  uniformsOf,
} from "@dechirp/core";
import type { PlanBody, RuleContext } from "@dechirp/core/backend";
import { unlessAborted } from "@dechirp/core/internal";
import { joined, type Preferences, respects } from "./candidates.ts";
import type { BodySpec } from "./dispatch.ts";
import type { Engine } from "./engine.ts";
import type { GpuArray } from "./memory.ts";
import type { Choice } from "./shape.ts";
import { fittingSpec } from "./transform-body.ts";

/** No further plans are tried after this time. What is being compiled or timed then still ends. */
const mostMilliseconds = 20_000;
/** Plans that are compiled at the same time. */
const together = 4;
/** Runs in one submission take at least this long, unless there are so many. */
const leastMilliseconds = 5;
const mostRuns = 256;
/** A plan that takes this many times as long as the fastest so far is not timed again. */
const hopeless = 1.3;
/** Turns of timing the plans that are left. */
const turns = 5;
/** A plan replaces another only if it takes so much less of its time: less may be noise. */
const leastGain = 0.02;
/** Clocks may be rounded to this, in Node and in pages, so that they can't be used to spy on other programs. */
const clockMilliseconds = 0.1;

/** A plan that can be tried. */
interface Candidate {
  readonly preferences: Preferences;
  readonly spec: BodySpec;
  readonly choice: Choice;
}

/** A candidate that can run. */
interface Contender extends Candidate {
  readonly body: PlanBody<GpuArray>;
  /** Runs in one submission. */
  runs: number;
}

/** Measurements on each GPU, one after the other: two at a time would disturb each other. */
const latest = new WeakMap<GPUDevice, Promise<unknown>>();

/**
 * Preferences by which the op's plan is the fastest of those that were tried; none if that is the plan by the rules. Undefined, and the rules are to be
 * used, if they have no plan, if the device has no clock, no memory for the measurement or no other results than what can't be compared. Rejects with `compile`,
 * `limit`, `failed`, `aborted`, `device-lost` or `disposed`.
 */
export async function measuredPreferences(engine: Engine, op: TransformOp, context: RuleContext): Promise<Preferences | undefined> {
  const before = latest.get(engine.gpu);
  const work = (async (): Promise<Preferences | undefined> => {
    await unlessAborted(before, context.signal);
    await context.pause();
    const known = engine.known.get(op) ?? (await measure(engine, op, context));
    if (known) engine.known.set(op, known);
    return known;
  })();
  latest.set(engine.gpu, Promise.allSettled([before, work]));
  return work;
}

async function measure(engine: Engine, op: TransformOp, context: RuleContext): Promise<Preferences | undefined> {
  const first = candidateOf(engine, op, {});
  if (!first || !engine.gpu.features.has("timestamp-query")) return undefined;
  const until = performance.now() + mostMilliseconds;
  const goOn = (): boolean => performance.now() < until;
  const arena = await Arena.make(engine, op, context).catch((error: unknown) => {
    if (isRadarError(error, "out-of-memory")) return undefined;
    throw error;
  });
  if (!arena?.comparable) {
    arena?.close();
    return undefined;
  }
  const seen = new Set([shapesOf(first)]);
  try {
    let best = await arena.open(first);
    try {
      for (const respect of respects) {
        const candidates: Candidate[] = [];
        for (const more of respect(best.choice, engine.limits)) {
          const candidate = candidateOf(engine, op, joined(best.preferences, more));
          await context.pause();
          const shapes = candidate && shapesOf(candidate);
          if (!shapes || seen.has(shapes)) continue;
          seen.add(shapes);
          candidates.push(candidate);
        }
        if (candidates.length > 0 && goOn()) best = await arena.fastest(best, candidates, goOn);
      }
      return best.preferences;
    } finally {
      best.body.dispose?.();
    }
  } finally {
    arena.close();
  }
}

/** What tells candidates apart. Their texts do not say how much workgroup memory they have. */
const shapesOf = ({ choice }: Candidate): string => JSON.stringify(choice.shapes);

function candidateOf(engine: Engine, op: TransformOp, preferences: Preferences): Candidate | undefined {
  const spec = fittingSpec(op, engine.limitsWith(preferences));
  return spec?.choice && { preferences, spec: { ...spec, op }, choice: spec.choice };
}

/** Arrays for all ports of an op, on which its plans run. */
class Arena {
  readonly #engine: Engine;
  readonly #op: TransformOp;
  readonly #context: RuleContext;
  readonly #ports: Readonly<Record<string, GpuArray>>;

  constructor(engine: Engine, op: TransformOp, context: RuleContext, ports: Readonly<Record<string, GpuArray>>) {
    [this.#engine, this.#op, this.#context, this.#ports] = [engine, op, context, ports];
  }

  static async make(engine: Engine, op: TransformOp, context: RuleContext): Promise<Arena> {
    const ports: Record<string, GpuArray> = {};
    const arena = new Arena(engine, op, context, ports);
    try {
      for (const [name, { layout, access }] of Object.entries(portsOf(op))) {
        const array = engine.allocate(layout, `${name} of a measurement`);
        ports[name] = array;
        const failure = await array.allocated;
        if (failure) throw failure;
        if (access !== "write") await fillWithNoise(array, context);
      }
      return arena;
    } catch (error) {
      arena.close();
      throw error;
    }
  }

  /** Whether the op writes numbers that can be compared. */
  get comparable(): boolean {
    return this.#written().length > 0;
  }

  close(): void {
    for (const array of Object.values(this.#ports)) array.free();
  }

  /** Compiles a candidate and runs it once. */
  async open(candidate: Candidate): Promise<Contender> {
    const { pause, signal } = this.#context;
    const body = await this.#engine.body(candidate.spec, {
      options: { fuse: true, inPlace: false },
      pause,
      ...(signal && { signal }),
    });
    try {
      await this.#run(body);
      return { ...candidate, body, runs: 1 };
    } catch (error) {
      body.dispose?.();
      throw error;
    }
  }

  /** The fastest of `best` and the candidates. All others are disposed of. */
  async fastest(best: Contender, candidates: readonly Candidate[], goOn: () => boolean): Promise<Contender> {
    const contenders = [best];
    try {
      const expected = await this.#resultsOf(best);
      let least = await this.#time(best);
      for (let i = 0; i < candidates.length && goOn(); i += together) {
        const opened = await Promise.allSettled(candidates.slice(i, i + together).map((candidate) => this.open(candidate)));
        const made = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
        contenders.push(...made);
        await this.#context.pause();
        for (const contender of made) {
          const right = goOn() && areClose(await this.#resultsOf(contender), expected, this.#tolerance(best, contender));
          const ms = right ? await this.#time(contender) : Number.POSITIVE_INFINITY;
          least = Math.min(least, ms);
          if (!(ms <= hopeless * least)) drop(contenders, contender);
        }
      }
      const winner = await this.#race(contenders, goOn);
      if (winner !== best) contenders.unshift(...contenders.splice(contenders.indexOf(winner), 1));
    } catch (error) {
      for (const contender of contenders.slice(1)) contender.body.dispose?.();
      throw error;
    }
    const [winner, ...others] = contenders;
    for (const contender of others) contender.body.dispose?.();
    return winner;
  }

  /** The contender with the least median, if it is ahead of the first by more than noise and the clock's steps. */
  async #race(contenders: readonly Contender[], goOn: () => boolean): Promise<Contender> {
    const [first] = contenders;
    if (contenders.length === 1) return first;
    const times = contenders.map((): number[] => []);
    for (let turn = 0; turn < turns && goOn(); turn++) {
      for (const [i, contender] of contenders.entries()) {
        times[i].push(await this.#time(contender));
        await this.#context.pause();
      }
    }
    if (times[0].length < turns) return first;
    const medians = times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]);
    const winner = medians.indexOf(Math.min(...medians));
    const rounded = clockMilliseconds / (medians[0] * first.runs) / Math.sqrt(turns);
    return medians[winner] < (1 - Math.max(leastGain, rounded)) * medians[0] ? contenders[winner] : first;
  }

  /** Milliseconds of one run, of as many in one submission as take long enough. Infinite if the clock shows none. */
  async #time(contender: Contender): Promise<number> {
    for (;;) {
      const { body, runs } = contender;
      const ms = await this.#timeOf(body, runs);
      if (ms >= leastMilliseconds || runs >= mostRuns) return ms > 0 ? ms / runs : Number.POSITIVE_INFINITY;
      contender.runs = Math.min(mostRuns, Math.ceil(runs * Math.max(2, Math.min(16, leastMilliseconds / ms))));
    }
  }

  async #timeOf(body: PlanBody<GpuArray>, runs: number): Promise<number> {
    const { timeline, commands } = this.#engine;
    const ended: Promise<void>[] = [];
    const queueRuns = (): void => {
      for (let i = 0; i < runs; i++) {
        const run = this.#run(body);
        run.catch(() => {}); // it is awaited below, unless the clock fails before
        ended.push(run);
      }
    };
    const ms = await timeline.record(() => commands.time(queueRuns));
    await Promise.all(ended);
    return ms ?? 0;
  }

  #run(body: PlanBody<GpuArray>): Promise<void> {
    const uniforms = Object.fromEntries(Object.keys(uniformsOf(this.#op)).map((name) => [name, 1]));
    return body.run(this.#ports, { uniforms, units: [0] });
  }

  /** The arrays that a run writes, if their numbers can be compared, and how many of the first. */
  #written(): readonly { readonly array: GpuArray; readonly count: number }[] {
    return Object.entries(portsOf(this.#op)).flatMap(([name, { layout, access }]) =>
      access !== "read" && isFloat(layout) ? [{ array: this.#ports[name], count: Math.min(mostCompared, scalarCount(layout)) }] : [],
    );
  }

  async #resultsOf({ body }: Contender): Promise<readonly Float32Array[]> {
    // What a kernel does not write must differ from results, also from those of another kernel.
    for (const { array, count } of this.#written()) await array.write(new Float32Array(count).fill(unwritten), 0);
    await this.#run(body);
    const all: Float32Array[] = [];
    for (const { array, count } of this.#written()) {
      const first = new Float32Array(count);
      await array.read(0, first);
      all.push(first);
    }
    return all;
  }

  /** How far results of two plans may differ. */
  #tolerance(...plans: readonly Candidate[]): number {
    const halves = plans.some(({ spec }) => spec.text.includes(" scratch=f16 "));
    return 8 * 2 ** -23 * Math.sqrt(Math.log2(transformLength(this.#op)) + 1) + (halves ? 2 ** -9 : 0);
  }
}

const mostCompared = 2 ** 16;
/** Larger than results of noise. */
const unwritten = 2 ** 20;

function drop(contenders: Contender[], contender: Contender): void {
  contenders.splice(contenders.indexOf(contender), 1);
  contender.body.dispose?.();
}

/** Whether results are as close as rounding leaves them. Drivers may compile a kernel wrongly, and an unusual one first. */
function areClose(actual: readonly Float32Array[], expected: readonly Float32Array[], tolerance: number): boolean {
  let [error, norm] = [0, 0];
  for (const [i, array] of actual.entries()) {
    for (const [k, value] of array.entries()) {
      const other = expected[i][k];
      if (Number.isFinite(value) !== Number.isFinite(other)) return false;
      if (!Number.isFinite(value)) continue;
      error += (value - other) ** 2;
      norm += other ** 2;
    }
  }
  return error <= norm * tolerance ** 2;
}

const isFloat = ({ dtype }: Layout): boolean => dtype === "c64" || dtype === "f32";

const noiseScalars = 2 ** 16;

/** Fills an array with noise. Elements of type u32, which may be indices, stay zero. */
async function fillWithNoise(array: GpuArray, { pause }: RuleContext): Promise<void> {
  const { dtype } = array.layout;
  if (dtype === "u32") return;
  const scalars = scalarCount(array.layout);
  const { uniform, uint32 } = createRandom(1);
  const number = isFloat(array.layout)
    ? () => 2 * uniform() - 1
    : dtype === "cf16"
      ? () => 0x3c00 | (uint32() & 0x83ff) // from 1 to 2, and negative
      : () => uint32() & 63;
  const noise = new dtypes[dtype].array(Math.min(noiseScalars, scalars)).map(number) as TypedArrayOf;
  for (let at = 0; at < scalars; at += noise.length) {
    await array.write(noise.subarray(0, Math.min(noise.length, scalars - at)), at);
    await pause();
  }
}
