/**
 * Planning by measurement (`effort: "measure"` of `gpu`): a transform's plan by the rules, and others that differ from it in one respect after the
 * other (candidates.ts), are timed on the device, with arrays of the transform's own sizes. The fastest is kept in the device's wisdom.
 * This file is loaded with the first such plan, so that pages without them do not have its code.
 */
import { createRandom, type Layout, portsOf, type TransformOp, type TypedArrayOf, transformLength, uniformsOf } from "@dechirp/core";
import type { PlanBody, RuleContext } from "@dechirp/core/backend";
import { joined, type Preferences, respects } from "./candidates.ts";
import type { BodySpec } from "./dispatch.ts";
import type { Engine } from "./engine.ts";
import type { GpuArray } from "./memory.ts";
import type { Choice } from "./passes.ts";
import { fittingForm, planOf } from "./transform-body.ts";

/** No further plans are tried after this time. What is being compiled or timed then still ends. */
const mostMilliseconds = 20_000;
/** Plans that are compiled at the same time. */
const together = 4;
/** Runs in one submission take at least this long, as clocks in pages have steps of 0.1 ms. */
const leastMilliseconds = 2;
const mostRuns = 256;
/** A plan that takes this many times as long as the fastest so far is not timed again. */
const hopeless = 1.3;
/** Turns of timing the plans that are left. */
const turns = 5;
/** A plan replaces another only if it takes less than this part of its time: less may be noise. */
const worthwhile = 0.98;

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

/** Measurements of each engine, one after the other: two at a time would disturb each other. */
const latest = new WeakMap<Engine, Promise<unknown>>();

/**
 * Preferences by which the op's plan is the fastest of those that were tried; none if that is the plan by the rules, or if the rules have none. Rejects
 * with `out-of-memory`, `compile`, `aborted`, `device-lost` or `disposed`.
 */
export async function measuredPreferences(engine: Engine, op: TransformOp, context: RuleContext): Promise<Preferences> {
  const before = latest.get(engine);
  const work = (async (): Promise<Preferences> => {
    await before?.catch(() => {});
    await context.pause();
    return engine.known.get(op) ?? measure(engine, op, context);
  })();
  latest.set(engine, work);
  return work;
}

async function measure(engine: Engine, op: TransformOp, context: RuleContext): Promise<Preferences> {
  const first = candidateOf(engine, op, {});
  if (!first) return {};
  const until = performance.now() + mostMilliseconds;
  const arena = await Arena.make(engine, op, context);
  const seen = new Set([first.spec.text]);
  try {
    let best = await arena.open(first);
    try {
      for (const respect of respects) {
        const candidates: Candidate[] = [];
        for (const more of respect(best.choice, engine.limits)) {
          const candidate = candidateOf(engine, op, joined(best.preferences, more));
          await context.pause();
          if (!candidate || seen.has(candidate.spec.text)) continue;
          seen.add(candidate.spec.text);
          candidates.push(candidate);
        }
        best = await arena.fastest(best, candidates, () => performance.now() < until);
      }
      return best.preferences;
    } finally {
      best.body.dispose?.();
    }
  } finally {
    arena.close();
  }
}

function candidateOf(engine: Engine, op: TransformOp, preferences: Preferences): Candidate | undefined {
  const limits = engine.limitsWith(preferences);
  const found = planOf(op, limits);
  const spec = fittingForm(op, found, limits);
  const choice = found?.planned.choice;
  return spec && choice && { preferences, spec: { ...spec, op }, choice };
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
          const right = areClose(await this.#resultsOf(contender), expected, transformLength(this.#op));
          const ms = right ? await this.#time(contender) : Number.POSITIVE_INFINITY;
          least = Math.min(least, ms);
          if (ms > hopeless * least) drop(contenders, contender);
        }
      }
      const winner = await this.#race(contenders);
      if (winner !== best) contenders.unshift(...contenders.splice(contenders.indexOf(winner), 1));
    } catch (error) {
      for (const contender of contenders.slice(1)) contender.body.dispose?.();
      throw error;
    }
    const [winner, ...others] = contenders;
    for (const contender of others) contender.body.dispose?.();
    return winner;
  }

  async #race(contenders: readonly Contender[]): Promise<Contender> {
    const times = contenders.map((): number[] => []);
    for (let turn = 0; contenders.length > 1 && turn < turns; turn++) {
      for (const [i, contender] of contenders.entries()) {
        times[i].push(await this.#time(contender));
        await this.#context.pause();
      }
    }
    const medians = times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]);
    const winner = medians.indexOf(Math.min(...medians));
    return medians[winner] < worthwhile * medians[0] ? contenders[winner] : contenders[0];
  }

  /** Milliseconds of one run, of as many in one submission as take long enough. */
  async #time(contender: Contender): Promise<number> {
    for (;;) {
      const { body, runs } = contender;
      const ms = await this.#timeOf(body, runs);
      if (ms >= leastMilliseconds || runs >= mostRuns) return ms / runs;
      contender.runs = Math.min(mostRuns, Math.ceil(runs * Math.max(2, Math.min(16, leastMilliseconds / ms))));
    }
  }

  async #timeOf(body: PlanBody<GpuArray>, runs: number): Promise<number> {
    const { timeline, commands } = this.#engine;
    await timeline.idle();
    const ended: Promise<void>[] = [];
    const begin = performance.now();
    const ms = await commands.time(() => {
      for (let i = 0; i < runs; i++) {
        const run = this.#run(body);
        run.catch(() => {}); // it is awaited below, unless the clock fails before
        ended.push(run);
      }
    });
    await Promise.all(ended);
    return ms ?? performance.now() - begin;
  }

  #run(body: PlanBody<GpuArray>): Promise<void> {
    const uniforms = Object.fromEntries(Object.keys(uniformsOf(this.#op)).map((name) => [name, 0]));
    return body.run(this.#ports, { uniforms, units: [0] });
  }

  /** The first numbers of the arrays that a run writes, of those types that can be compared as they are. */
  async #resultsOf({ body }: Contender): Promise<readonly Float32Array[]> {
    const written = Object.entries(portsOf(this.#op)).flatMap(([name, { layout, access }]) =>
      access === "write" && isFloat(layout) ? [{ array: this.#ports[name], count: Math.min(mostCompared, scalarsOf(layout)) }] : [],
    );
    // What a kernel does not write must not be what another has written.
    for (const { array, count } of written) array.write(new Float32Array(count), 0);
    await this.#run(body);
    const all: Float32Array[] = [];
    for (const { array, count } of written) {
      const first = new Float32Array(count);
      await array.read(0, first);
      all.push(first);
    }
    return all;
  }
}

const mostCompared = 2 ** 16;

function drop(contenders: Contender[], contender: Contender): void {
  contenders.splice(contenders.indexOf(contender), 1);
  contender.body.dispose?.();
}

/** Whether results differ by no more than rounding may. Drivers may compile a kernel wrongly, and an unusual one first. */
function areClose(actual: readonly Float32Array[], expected: readonly Float32Array[], n: number): boolean {
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
  return error <= norm * (8 * 2 ** -23 * Math.sqrt(Math.log2(n) + 1)) ** 2;
}

const isFloat = ({ dtype }: Layout): boolean => dtype === "c64" || dtype === "f32";

const scalarsOf = ({ shape, dtype }: Layout): number => shape.reduce((a, b) => a * b, 1) * (dtype.startsWith("c") ? 2 : 1);

const noiseScalars = 2 ** 18;

/** Fills an array with noise. Integers, which may be indices, stay zero. */
async function fillWithNoise(array: GpuArray, { pause }: RuleContext): Promise<void> {
  if (!isFloat(array.layout)) return;
  const scalars = scalarsOf(array.layout);
  const random = createRandom(1);
  const noise: TypedArrayOf = Float32Array.from({ length: Math.min(noiseScalars, scalars) }, () => 2 * random.uniform() - 1);
  for (let at = 0; at < scalars; at += noise.length) {
    await array.write(noise.subarray(0, Math.min(noise.length, scalars - at)), at);
    await pause();
  }
}
