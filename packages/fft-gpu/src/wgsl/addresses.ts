/**
 * Where elements of a line are in workgroup memory while it is exchanged: their addresses, and in which window they are if a line goes through in several.
 * Words are left free between elements if there is room (spread.ts), or bits of indices are moved, so that the invocations of a subgroup use
 * different banks.
 */
import { isPowerOfTwo, windowElements } from "../crowd.ts";
import type { LineShape } from "../shape.ts";
import { type Spread, spreadOf, spreadWords } from "../spread.ts";
import type { Mapping } from "../stage-choice.ts";
import type { Text } from "./text.ts";

/** An index as a sum. */
export interface IndexSum {
  readonly base: string;
  readonly offset: number;
  /** Of an operand of a stage: the offset of the butterfly's first operand. Results have none. */
  readonly near?: number;
}

/** The position of an element, without its value. */
export interface Place {
  readonly index: string;
  /** Bounds of the index, as far as they are known when generating. */
  readonly low: number;
  readonly high: number;
  /** A condition under which the element exists. */
  readonly guard: string | undefined;
  /** The index as the sum of a name and a constant. If n is a power of two, the addition has no carry. */
  readonly sum?: IndexSum;
}

/** The position of an invocation in its workgroup. */
export interface Position {
  /** Its number among the invocations of its line. */
  readonly t: string;
  /** The number of its line in the workgroup. */
  readonly c: string;
  /** Which invocations are adjacent. Default: those of a line. */
  readonly mapping?: Mapping;
}

/** Between which stages elements are exchanged. */
export interface Between {
  /** Points of the transforms that were complete before the stage that writes, and its radix. */
  readonly span: number;
  readonly radix: number;
  /** Radix of the stage that reads. */
  readonly next: number;
}

/** The conjunction of two optional conditions. */
export const both = (a: string | undefined, b: string | undefined): string | undefined => (a && b ? `${a} && ${b}` : (a ?? b));

/** Generates addresses and conditions of one exchange after the other. */
export class Addresses {
  readonly #text: Text;
  readonly #shape: LineShape;
  /** Names of common parts of addresses. */
  readonly #common = new Map<string, string>();
  /** Where elements of the present exchange are, if words are left free between them. */
  #spread: Spread | undefined;
  /** Elements of a window of the present exchange. */
  #size = 0;
  /** Words of workgroup memory that the exchanges so far use. */
  words = 0;

  constructor(text: Text, shape: LineShape) {
    [this.#text, this.#shape] = [text, shape];
  }

  /**
   * Begins an exchange. `between` says between which stages it is, so that words can be left free. Addresses are then sums with constants, which take no
   * instructions, and compilers see that they are within the memory, so that Dawn does not clamp them. Elements stay where they are, or bits are
   * moved, if there is no room, or if powers of two would have conflicts of banks.
   */
  begin(between: Between | undefined, from: Position, to: Position): void {
    this.#spread = undefined;
    const { n, threads, together, windows, room } = this.#shape;
    const lines = this.#shape.lines / together;
    const size = windowElements(n, windows, between?.next);
    this.#size = size;
    this.words = Math.max(this.words, size * lines);
    if (between === undefined || room === undefined) return;
    const { mapping: reading = "line" } = to;
    const { mapping: writing = "line" } = from;
    const spread = spreadOf({ n, ...between, threads, lines, from: writing, to: reading, size, room });
    if (this.#bitwise && spread.most > 1) return;
    this.#spread = spread;
    this.words = Math.max(this.words, spreadWords(spread, size, lines));
  }

  /** The condition for an element to be in window `w`, besides its guard. `false` if it never is. */
  within({ index, low, high, guard, sum }: Place, w: number): string | undefined | false {
    const { n, windows } = this.#shape;
    const size = this.#size;
    const [first, last] = [w * size, Math.min(n, (w + 1) * size) - 1];
    if (high < first || low > last) return false;
    if (low >= first && high <= last) return guard;
    // The results of a butterfly are in one group, and groups are in one window.
    if (this.#spread && sum && sum.near === undefined) {
      return both(guard, `${this.#once(`${sum.base} / ${size}u`)} == ${w}u`);
    }
    if (this.#bitwise && sum && windows === 2) return both(guard, `(${sum.base} & ${size}u) == ${first}u`);
    return both(guard, first === 0 ? `${index} <= ${last}u` : last === n - 1 ? `${index} >= ${first}u` : `${index} / ${size}u == ${w}u`);
  }

  /**
   * The address of an element of line c in window `w`. For powers of two, addresses are spread over the 32 banks for every stride, if no words are left
   * free. Bits are only moved and added without carry, so that the constant part of an index gives a constant part of its address.
   */
  of({ index, sum }: Place, { c }: Position, w: number): string {
    const { n, windows, radices, together } = this.#shape;
    const lines = this.#shape.lines / together;
    const size = this.#size;
    if (this.#spread) return this.#spreadAddress(index, sum, lines === 1 ? undefined : c, this.#spread);
    const beginning = lines === 1 ? "" : `${c} * ${size}u + `;
    if (!this.#bitwise || n < 64) return `${beginning}${w === 0 ? index : `(${index} - ${w * size}u)`}`;
    const shift = Math.log2(Math.max(...radices));
    const apart = lines > 1 && isPowerOfTwo(lines) && lines <= 32 ? ` ^ (${c} * ${32 / lines}u)` : "";
    const { base, offset } = sum ?? { base: index, offset: 0 };
    const common = this.#once(`${base} ${c}`, () => {
      const at = windows === 1 ? base : this.#text.let(`${base} & ${size - 1}u`, "a");
      return `${beginning}(${at} ^ ((${at} >> ${shift}u) & 31u)${apart})`;
    });
    const at = offset & (size - 1);
    const turned = at ^ ((at >> shift) & 31);
    const bank = turned & 31;
    const turn = bank === 0 ? common : this.#once(`${common} ${bank}`, () => `${common} ^ ${bank}u`);
    return turned === bank ? turn : `${turn} + ${turned - bank}u`;
  }

  /** The same with words left free. Constant parts of an index that fill whole groups, or stay in one, are constant in the address. */
  #spreadAddress(index: string, sum: IndexSum | undefined, c: string | undefined, { group, pad, line }: Spread): string {
    const size = this.#size;
    const beginning = c === undefined ? "" : `${c} * ${line}u + `;
    const padded = (at: string): string => (pad === 0 ? `${beginning}${at}` : `${beginning}${at} + ${pad}u * (${at} / ${group}u)`);
    const inWindow = (at: string): string => (this.#shape.windows === 1 ? at : this.#once(`${at} % ${size}u`));
    if (!sum) return padded(inWindow(index));
    const { base, offset, near } = sum;
    // Results of a stage are in the group of their base; operands are whole groups apart from the first one.
    const rest = offset - (near ?? 0);
    if (near !== undefined && rest % group !== 0) return padded(inWindow(index));
    const at = near === undefined ? inWindow(base) : near === 0 ? base : this.#once(`${base} + ${near}u`);
    const common = this.#once(`${at} ${c} ${group} ${pad} ${line}`, () => padded(at));
    const within = rest % size;
    const further = near === undefined ? within : within + (pad * within) / group;
    return further === 0 ? common : `${common} + ${further}u`;
  }

  /** Whether the digits of an index are bits of it. */
  get #bitwise(): boolean {
    return isPowerOfTwo(this.#shape.n) && isPowerOfTwo(this.#shape.threads);
  }

  /** The name of an expression, which is computed once. `key` tells it apart; it is the expression unless `value` makes that. */
  #once(key: string, value = () => key): string {
    let name = this.#common.get(key);
    if (name === undefined) {
      name = this.#text.let(value(), "a");
      this.#common.set(key, name);
    }
    return name;
  }
}
