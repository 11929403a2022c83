/**
 * The synthesis rules of the radix-8 paper (section IV) as functions: the longest transform of a workgroup (Eq. 2) and its extension by
 * registers, levels, the decomposition of longer transforms (Eq. 3, section IV.D), and the table of radices (Table IV), whose operations and
 * values are those of the generated code.
 */
import { inputError } from "@dechirp/core";
import { butterflyText, plannerNumbers, radicesOf } from "@dechirp/fft-gpu/lab";
import { flopsOfFunction } from "./census.ts";
import { checkLimits } from "./checks.ts";
import { widthOf } from "./lanes.ts";
import { type Expression, parseWgsl } from "./wgsl-parser.ts";

/** The limits that the rules depend on. */
export interface SynthesisLimits {
  /** Bytes of workgroup memory. */
  readonly workgroupBytes: number;
  /** Invocations of a workgroup, at most. */
  readonly invocations: number;
  /** Bytes of a complex number in workgroup memory. Default: 8, float32. */
  readonly elementBytes?: number;
}

/** What the rules say of a length. */
export interface Synthesis {
  /** Points of the transform. */
  readonly n: number;
  /** B_max: the longest transform whose values workgroup memory holds (Eq. 2). */
  readonly longestInWorkgroup: number;
  /**
   * The longest with values in registers and workgroup memory for exchanges only: of real or imaginary parts, half of the line at a time.
   * The paper says 2¹³ in float32 for an M1, by 256 threads of 32 values; the planner also uses more threads.
   */
  readonly longestInRegisters: number;
  /** The rule of section IV.D: one workgroup, four-step, or several levels of it. */
  readonly rule: "workgroup" | "four-step" | "multi-level";
  /** L = ⌈log₂n / log₂B⌉, and L − 1 transpositions in device memory. */
  readonly levels: number;
  /** Transpositions in device memory. */
  readonly transpositions: number;
  /** The lengths of the transforms of all levels, N₁·N₂·… = n, with the longest last. */
  readonly factors: readonly number[];
  /** Whether registers save the levels: n is longer than workgroup memory holds, but not longer than registers do. */
  readonly inRegisters: boolean;
  /** For the longest factor by radix: stages and barriers. */
  readonly stages: Readonly<Record<4 | 8, { readonly stages: number; readonly barriers: number }>>;
}

const isPowerOfTwo = (n: number): boolean => Number.isInteger(Math.log2(n));
const powerBelow = (n: number): number => 2 ** Math.floor(Math.log2(n));

/** B_max: the longest transform whose values workgroup memory holds (Eq. 2). Throws `input` for limits that hold no transform. */
export function longestInWorkgroup(workgroupBytes: number, elementBytes = 8): number {
  checkLimits({ workgroupBytes, elementBytes, invocations: 1 });
  return powerBelow(workgroupBytes / elementBytes);
}

/** The longest transform with values in registers, by the numbers of the planner. Throws `input` for limits that hold no transform. */
export function longestInRegisters(limits: SynthesisLimits): number {
  checkLimits(limits);
  const { workgroupBytes, invocations, elementBytes = 8 } = limits;
  return Math.min(
    powerBelow(invocations) * plannerNumbers.mostValues,
    // One part of half the line at a time.
    powerBelow((2 * workgroupBytes) / (elementBytes / 2)),
    plannerNumbers.longestLine,
  );
}

/**
 * Barriers of a transform by stages in one workgroup: between two stages, one after the writes and one before the next. The paper counts
 * one more, before the first writes.
 */
export const barriersOf = (stages: number): number => Math.max(0, 2 * (stages - 1) - 1);

/** Applies the rules to a length, a power of two of at least 2. Throws `input` for other lengths and for limits that are not positive. */
export function synthesize(n: number, limits: SynthesisLimits): Synthesis {
  if (!(Number.isInteger(n) && n >= 2 && n <= 2 ** 30 && isPowerOfTwo(n))) throw inputError("n", "a power of two from 2 to 2^30", n);
  checkLimits(limits);
  const { workgroupBytes, elementBytes = 8 } = limits;
  const most = longestInWorkgroup(workgroupBytes, elementBytes);
  const levels = Math.ceil(Math.log2(n) / Math.log2(most));
  const factors = Array<number>(levels - 1).fill(most);
  factors.unshift(n / most ** (levels - 1));
  const longest = factors[factors.length - 1];
  const by = (radix: number) => {
    const stages = radicesOf(longest, radix).length;
    return { stages, barriers: barriersOf(stages) };
  };
  return {
    n,
    longestInWorkgroup: most,
    longestInRegisters: longestInRegisters(limits),
    rule: n <= most ? "workgroup" : n <= 4 * most ? "four-step" : "multi-level",
    levels,
    transpositions: levels - 1,
    factors,
    inRegisters: n > most && n <= longestInRegisters(limits),
    stages: { 4: by(4), 8: by(8) },
  };
}

/** A row of Table IV. */
export interface RadixRow {
  /** The radix. */
  readonly radix: number;
  /** Operations of a butterfly of the generated code, and with the products of its twiddle factors. */
  readonly butterflyFlops: number;
  /** Operations with the products of twiddle factors. */
  readonly flops: number;
  /** The most float32 numbers that are needed at once in the generated butterfly. A lower bound of the registers that it takes. */
  readonly held: number;
  /** Stages of a transform. */
  readonly stages: number;
  /** Barriers of a transform. */
  readonly barriers: number;
  /** The paper's numbers. */
  readonly published?: { readonly flops: number; readonly registers: number; readonly stages: number; readonly barriers: number };
}

/** Table IV of the paper. */
const publishedRadices: Readonly<Record<number, RadixRow["published"]>> = {
  2: { flops: 10, registers: 8, stages: 12, barriers: 22 },
  4: { flops: 34, registers: 18, stages: 6, barriers: 10 },
  8: { flops: 94, registers: 38, stages: 4, barriers: 6 },
  16: { flops: 214, registers: 78, stages: 3, barriers: 4 },
};

/** Operations of a complex multiplication. */
const product = 6;

/** Table IV for n points, computed from the generated code. Throws `input` if n is not a power of two of at least 32. */
export function radixTable(n = 4096): readonly RadixRow[] {
  if (!(Number.isInteger(n) && n >= 32 && isPowerOfTwo(n))) throw inputError("n", "a power of two of at least 32", n);
  return [2, 4, 8, 16, 32].map((radix) => {
    const code = butterflyText(radix);
    const butterflyFlops = flopsOfFunction(code, "butterfly");
    const stages = radicesOf(n, radix).length;
    const published = n === 4096 ? publishedRadices[radix] : undefined;
    return {
      radix,
      butterflyFlops,
      flops: butterflyFlops + product * (radix - 1),
      held: heldAtOnce(code),
      stages,
      barriers: barriersOf(stages),
      ...(published && { published }),
    };
  });
}

/** The most float32 numbers that are alive at once in a function of straight-line code whose values are vec2f. */
function heldAtOnce(code: string): number {
  const [{ body }] = [...parseWgsl(code).functions.values()];
  const uses = body.map((statement) => ("value" in statement && statement.value ? namesOf(statement.value) : new Set<string>()));
  const last = new Map<string, number>();
  uses.forEach((names, i) => {
    for (const name of names) last.set(name, i);
  });
  // The inputs are there from the beginning.
  const inputs = body.filter((statement) => statement.kind === "declare" && statement.value?.kind === "index").length;
  let alive = inputs;
  let most = inputs;
  body.forEach((statement, i) => {
    if (statement.kind !== "declare" || i < inputs) return;
    for (const name of uses[i]) if (last.get(name) === i) alive -= 1;
    alive += 1;
    most = Math.max(most, alive);
  });
  return most * widthOf("vec2f");
}

function namesOf(expression: Expression, into = new Set<string>()): Set<string> {
  if (expression.kind === "name") into.add(expression.name);
  else if (expression.kind === "call") for (const arg of expression.args) namesOf(arg, into);
  else if (expression.kind === "binary") for (const side of [expression.left, expression.right]) namesOf(side, into);
  else if (expression.kind !== "number") namesOf(expression.of, into);
  return into;
}
