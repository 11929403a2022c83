/**
 * What planning by measurement tries (measure.ts): preferences of the planner as data, and for a plan the preferences that differ from it in one
 * respect. Stages and invocations are ranked by the cost that the planner's rules use (stage-choice.ts), and only the best are tried.
 */
import { valuesOf } from "./crowd.ts";
import type { Choice, GroupLimits, LineShape } from "./shape.ts";
import { allRadices, costOf, mildCosts, mostValues, mostValuesOfPrimes } from "./stage-choice.ts";
import type { PassLimits } from "./transform.ts";
import { primeRadices } from "./wgsl/codelets.ts";

/** Preferences by which a plan can differ from the one of the rules. They are JSON. */
export interface Preferences extends Pick<PassLimits, "longestPass" | "longestFactor" | "longestWideTile"> {
  readonly prefer?: Pick<NonNullable<PassLimits["prefer"]>, "exchange" | "tile" | "staged" | "crowded" | "radices" | "threads">;
}

/** `more` beside `preferences`. Those of `more` take precedence. */
export function joined({ prefer, ...others }: Preferences, { prefer: more, ...rest }: Preferences): Preferences {
  const radices = { ...prefer?.radices, ...more?.radices };
  const threads = { ...prefer?.threads, ...more?.threads };
  const forLengths = Object.keys(radices).length > 0 && { radices, threads };
  return { ...others, ...rest, ...((prefer ?? more) && { prefer: { ...prefer, ...more, ...forLengths } }) };
}

/** Alternatives to a plan in one respect. */
export type Respect = (choice: Choice, limits: GroupLimits) => readonly Preferences[];

/** In this order. Each starts from the fastest plan of those before. */
export const respects: readonly Respect[] = [passes, memory, stages, exchange];

/** Shorter lines take one pass: a line fits any workgroup. */
const shortestDivided = 512;
/** Factors of several passes that are tried as the longest. */
const longestFactors = [32, 64, 128, 256, 512, 1024, 2048, 4096];

/** More passes or fewer, and other factors of several. */
function passes({ points, shapes }: Choice): readonly Preferences[] {
  const inOne = shapes.length === 1;
  if (points < shortestDivided) return [];
  const longest = Math.max(...shapes.map(({ n }) => n));
  const divided = longestFactors.filter((f) => f < points && (inOne || f !== longest)).map((longestFactor) => ({ longestFactor }));
  return [...(inOne ? [] : [{ longestPass: points }]), ...divided.map((one) => ({ ...one, longestPass: points - 1 }))];
}

/** How many adjacent lines are read together, singly or in pairs, and whether short rows pass through workgroup memory. */
function memory({ mapping, shapes }: Choice): readonly Preferences[] {
  if (mapping === "line" && shapes.length === 1) return [{ prefer: { staged: true } }, { prefer: { staged: false } }];
  const wide: Preferences[] = [{ longestWideTile: 1 }, { longestWideTile: Number.MAX_SAFE_INTEGER }];
  return [...wide, ...[4, 8, 16, 32].map((tile) => ({ longestWideTile: Number.MAX_SAFE_INTEGER, prefer: { tile } }))];
}

const exchanges = ["split", "both"] as const;

/** Both parts of numbers exchanged together, or one after the other; and workgroups that take what memory there is, on cards that have more of it. */
function exchange(): readonly Preferences[] {
  return [...exchanges.map((one) => ({ prefer: { exchange: one } })), { prefer: { crowded: false } }];
}

/** The most combinations of stages and invocations that are tried for one length. */
const mostTried = 15;

/** Other stages, orders of stages and invocations of each length. */
function stages({ mapping, shapes, half }: Choice, limits: GroupLimits): readonly Preferences[] {
  const lengths = new Map(shapes.map((shape) => [shape.n, shape]));
  return [...lengths].flatMap(([n, shape]) =>
    stagesFor(shape, half, limits).map(({ radices, threads }) => ({
      prefer: { ...(shapes.length === 1 && othersOf(shape, mapping)), radices: { [n]: radices }, threads: { [n]: threads } },
    })),
  );
}

/** What rules choose together with the stages of a single pass, so that it does not change with them: the lines of a tile, and how rows are staged. */
export const othersOf = ({ lines, staged, exchange }: LineShape, mapping: Choice["mapping"]): NonNullable<Preferences["prefer"]> => ({
  ...(mapping === "tile" && { tile: lines }),
  ...(staged !== undefined && { staged: true, exchange }),
});

interface Ranked {
  readonly radices: readonly number[];
  readonly threads: number;
  readonly cost: number;
}

/** A stage's exchange, in passes over the line. */
const exchangeCost = 0.4;

function stagesFor(shape: LineShape, half: boolean, { invocations }: GroupLimits): readonly Ranked[] {
  const { n, lines, together } = shape;
  const most = (invocations * together) / (together > 1 || shape.staged !== undefined ? lines : 1);
  const ranked: Ranked[] = [];
  for (const sorted of productsOf(n, shape.radices.length + 1)) {
    // Mirror images are together where an invocation has two butterflies of a stage.
    const counts = half ? sorted.flatMap((r) => [n / r, n / r / 2]) : sorted.map((r) => n / r);
    for (const threads of new Set(counts.filter(Number.isInteger))) {
      const values = valuesOf(n, sorted, threads);
      if (threads > most || values * together > largestOf(sorted)) continue;
      const cost = costOf(n, sorted, threads, values * together, mildCosts) + exchangeCost * sorted.length;
      ranked.push(...ordersOf(sorted).map((radices) => ({ radices, threads, cost })));
    }
  }
  return ranked.sort((a, b) => a.cost - b.cost).slice(0, mostTried);
}

/** The most values that an invocation may hold. */
export const largestOf = (radices: readonly number[]): number => (radices.some((r) => r > mostValues) ? mostValuesOfPrimes : mostValues);

const everyRadix: readonly number[] = [...allRadices, ...primeRadices];

/** Whether the stages are those of a line of n points. */
export const isStages = (n: number, radices: readonly number[]): boolean =>
  radices.every((r) => everyRadix.includes(r)) && radices.reduce((product, r) => product * r, 1) === n;

/** All products of at most `count` radices that are n, each in ascending order. */
function productsOf(n: number, count: number, least = 2): readonly (readonly number[])[] {
  const whole = n >= least && everyRadix.includes(n) ? [[n]] : [];
  if (count === 1) return whole;
  const longer = everyRadix
    .filter((r) => r >= least && r * r <= n && n % r === 0)
    .flatMap((r) => productsOf(n / r, count - 1, r).map((rest) => [r, ...rest]));
  return [...whole, ...longer];
}

/** Ascending, with the largest stage in the middle, and descending: each was the fastest for some length. */
function ordersOf(ascending: readonly number[]): readonly (readonly number[])[] {
  const middle = [...ascending];
  middle.splice(1, 0, ...middle.splice(-1));
  const orders = [ascending, middle, [...ascending].reverse()];
  return orders.filter((order, i) => orders.findIndex((other) => other.join() === order.join()) === i);
}
