/**
 * A stage of a transform across the lanes of a subgroup: each lane holds one element of every butterfly, and lanes exchange them by
 * `subgroupShuffleXor`, in steps of radix 2 (radix-8 paper, section V.E).
 */
import type { TableBuilder } from "../tables.ts";
import type { Place } from "../wgsl/addresses.ts";
import type { Sign } from "../wgsl/codelets.ts";
import type { Held } from "../wgsl/stages.ts";
import type { Text } from "../wgsl/text.ts";
import { stageRoots } from "./roots.ts";

/** How the invocations of a line are arranged for a stage of radix s across lanes. */
export interface LaneStage {
  readonly n: number;
  /** Invocations of the line. */
  readonly threads: number;
  /** Neighbouring invocations of the line that are in one subgroup, a power of two. */
  readonly lanes: number;
  readonly s: number;
}

/** The positions of an invocation in a stage. */
export interface LanePosition {
  /** Which element of its butterflies across lanes it holds. */
  readonly digit: string;
  /** Its number among the invocations that hold this element. */
  readonly rest: string;
}

/** The positions of invocation t of a line. Invocations of one butterfly are lanes/s apart. */
export function lanePosition(text: Text, { lanes, s }: LaneStage, t: string): LanePosition {
  if (s === 1) return { digit: "0u", rest: t };
  const apart = lanes / s;
  const digit = text.let(`(${t} / ${apart}u) & ${s - 1}u`, "digit");
  const rest = text.let(`(${t} / ${lanes}u) * ${apart}u${apart === 1 ? "" : ` + (${t} & ${apart - 1}u)`}`, "rest");
  return { digit, rest };
}

/**
 * The elements that an invocation holds before a stage of radix r in its registers that a stage of radix s across lanes follows: element
 * q·n/r + digit·n/(r·s) + rest + b·threads/s of the line, for each butterfly b and q < r.
 */
export function lanePlaces(text: Text, { n, threads, s }: LaneStage, { digit, rest }: LanePosition, r: number, values: number): Place[] {
  const base = s === 1 ? rest : text.let(`${digit} * ${n / (r * s)}u + ${rest}`, "base");
  const highest = ((s - 1) * n) / (r * s) + threads / s - 1;
  return Array.from({ length: values }, (_, i) => {
    const offset = Math.floor(i / r) * (threads / s) + (i % r) * (n / r);
    const index = offset === 0 ? base : text.let(`${base} + ${offset}u`, "i");
    return { index, low: offset, high: highest + offset, guard: undefined, sum: { base, offset } };
  });
}

/** What a stage across lanes computes. */
export interface LaneWork extends LaneStage {
  /** Points of the transforms that are complete before it. */
  readonly span: number;
  readonly sign: Sign;
  /** The factor of its results. */
  readonly scale: number;
}

/**
 * Transforms across lanes. `held` are the results of a stage of radix r in registers: element digit·n/s + j of its result for some j. All
 * invocations of the workgroup must take part.
 */
export function laneStage(text: Text, table: TableBuilder, held: readonly Held[], r: number, digit: string, work: LaneWork): Held[] {
  const { n, lanes, s, span, sign, scale } = work;
  const multiply = sign < 0 ? "cmul" : "cmulc";
  const twiddles = stageRoots(table, { r: s, span, scale, first: 0 });
  const row = text.let(`${digit} * ${span}u + ${twiddles}u`, "row");
  /** The factor of each step, which all values share: 1 in the lower half of the step's butterfly. */
  const steps = Array.from({ length: Math.log2(s) }, (_, i) => {
    const half = s >> (i + 1);
    const upper = text.let(`(${digit} & ${half}u) != 0u`, "upper");
    const side = text.let(`select(1.0, -1.0, ${upper})`, "side");
    if (half === 1) return { half, side, turn: (value: string) => value };
    if (half === 2) {
      const quarter = text.let(`(${digit} & 3u) == 3u`, "quarter");
      const turned = (v: string): string => (sign < 0 ? `vec2f(${v}.y, -${v}.x)` : `vec2f(-${v}.y, ${v}.x)`);
      return { half, side, turn: (value: string) => text.let(`select(${value}, ${turned(value)}, ${quarter})`) };
    }
    // A row of ones, then exp(−jπi/half).
    const offset = stageRoots(table, { r: 2, span: half, scale: 1, first: 0 });
    const factor = text.let(`load_dechirp_table((${digit} & ${2 * half - 1}u) + ${offset}u)`, "w");
    return { half, side, turn: (value: string) => text.let(`${multiply}(${value}, ${factor})`) };
  });
  const bits = Math.log2(s);
  const result = text.let(`reverseBits(${digit}) >> ${32 - bits}u`, "u");
  const out: Held[] = [];
  for (let b = 0; b * r < held.length; b++) {
    const first = held[b * r];
    // The place of register 0 as the result of the registers' stage, without its lane's digit.
    const j = text.let(`${first.index} - ${digit} * ${n / s}u`, "j");
    const k = span === 1 ? "0u" : text.let(`${j} & ${span - 1}u`, "k");
    const at = text.let(`${row} + ${k}`, "at");
    const base = text.let(`(${j} - ${k}) * ${s}u + ${k} + ${result} * ${span}u`, "base");
    for (let q = 0; q < r; q++) {
      const offset = (q * span) / r;
      let value = text.let(`${multiply}(${held[b * r + q].value}, load_dechirp_table(${at} + ${offset}u))`);
      for (const { half, side, turn } of steps) {
        const other = text.let(`subgroupShuffleXor(${value}, ${(half * lanes) / s}u)`, "other");
        value = turn(text.let(`${other} + ${side} * ${value}`));
      }
      const index = offset === 0 ? base : text.let(`${base} + ${offset}u`, "i");
      out.push({ index, low: 0, high: n - 1, guard: undefined, sum: { base, offset }, value });
    }
  }
  return out;
}
