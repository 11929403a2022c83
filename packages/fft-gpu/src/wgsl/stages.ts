/**
 * Generates what happens to a line between reading and writing: butterflies in registers, exchanges through workgroup memory, and other
 * communication between a line's invocations. It works for any number of adjacent lines; line.ts reads and writes them.
 */
import { wgslFloat } from "@dechirp/core/internal";
import { inTwo } from "../gains.ts";
import { type LineShape, workgroupBytes } from "../shape.ts";
import { factorRows, rowsOfLeg, stageTwiddles, type TableBuilder } from "../tables.ts";
import { Addresses, type Between, both, type Place, type Position } from "./addresses.ts";
import { dft, type Sign } from "./codelets.ts";
import type { Text } from "./text.ts";

/** An element of a line that an invocation holds. */
export interface Held extends Place {
  readonly value: string;
}

/** The line of a workgroup that has the mirror images of another one's elements. */
export interface Mirror {
  /** Its number in the workgroup. */
  readonly c: string;
  /** Index of the mirror image of element k. */
  index(k: string): string;
}

/** The elements that an invocation holds before a stage of radix r: butterfly b has elements t + b·threads + q·n/r. */
export function placesOf(text: Text, { n, threads }: LineShape, r: number, t: string, always?: string): Place[] {
  const butterflies = n / r;
  const places: Place[] = [];
  for (let b = 0; b * threads < butterflies; b++) {
    const j = b === 0 ? t : text.let(`${t} + ${b * threads}u`, "j");
    const highest = Math.min(butterflies, (b + 1) * threads) - 1;
    const guard = (b + 1) * threads > butterflies ? `${j} < ${butterflies}u` : always;
    for (let q = 0; q < r; q++) {
      const offset = q * butterflies;
      const index = offset === 0 ? j : text.let(`${j} + ${offset}u`, "i");
      places.push({
        index,
        low: b * threads + offset,
        high: highest + offset,
        guard,
        sum: { base: t, offset: b * threads + offset, near: b * threads },
      });
    }
  }
  return places;
}

/**
 * The elements of the two butterflies of a stage that an invocation holds if it holds mirror images together: t and n/r − t, and of invocation 0
 * those of 0 and n/(2r), each of which has its own mirror images.
 */
export function mirroredPlaces(text: Text, { n, threads }: LineShape, r: number, t: string): Place[] {
  const butterflies = n / r;
  if (butterflies !== 2 * threads) throw new TypeError("mirror images are together if invocations have two butterflies each");
  const other = text.let(`select(${butterflies}u - ${t}, ${threads}u, ${t} == 0u)`, "j");
  return [t, other].flatMap((base, b) =>
    Array.from({ length: r }, (_, q): Place => {
      const offset = q * butterflies;
      return {
        index: offset === 0 ? base : text.let(`${base} + ${offset}u`, "i"),
        low: b * threads + offset,
        high: (b + 1) * threads - 1 + offset,
        guard: undefined,
        sum: { base, offset, near: 0 },
      };
    }),
  );
}

/** For each of the `2r` values at `mirroredPlaces`, that of its mirror image. That of element 0 is `ofZero`. */
export function mirrorImages(text: Text, values: readonly string[], t: string, ofZero: string): string[] {
  const r = values.length / 2;
  const isFirst = text.let(`${t} == 0u`);
  return values.map((_, i) => {
    const q = i % r;
    const [usual, first] = i < r ? [values[2 * r - 1 - q], q === 0 ? ofZero : values[r - q]] : [values[r - 1 - q], values[2 * r - 1 - q]];
    return text.let(`select(${usual}, ${first}, ${isFirst})`, "m");
  });
}

/** A stage of a transform. */
export interface Stage {
  readonly r: number;
  /** Number of points of the transforms that are complete before the stage. */
  readonly span: number;
  readonly sign: Sign;
  /** Offset of the stage's twiddle factors in the table. */
  readonly offset: number;
  /** The factor of the stage's results. Its twiddle factors include it already. */
  readonly scale?: number;
  /** Twiddle factors that another line of the invocation has looked up. */
  readonly factors?: Map<string, string>;
}

/** Generates stages and exchanges, and records the workgroup memory that they need. */
export class Stages {
  protected readonly text: Text;
  protected readonly shape: LineShape;
  protected readonly name: string;
  /** What workgroup memory holds for a whole value, if those are exchanged. */
  protected readonly word: { readonly type: string; pack(value: string): string; unpack(word: string): string } = {
    type: "vec2f",
    pack: (value) => value,
    unpack: (word) => word,
  };
  #used = false;
  #scales = false;
  /** Whether workgroup memory was read since the last barrier. */
  #busy = false;
  readonly #addresses: Addresses;
  /** Words of workgroup memory that are borrowed. */
  #borrowed = 0;

  /** `name` is a prefix of the names of workgroup memory. */
  constructor(text: Text, shape: LineShape, name = "exchange") {
    this.text = text;
    this.shape = shape;
    this.name = name;
    this.#addresses = new Addresses(text, shape);
  }

  places(r: number, { t }: Position): Place[] {
    return placesOf(this.text, this.shape, r, t);
  }

  stage(held: readonly Held[], { r, span, sign, offset, scale = 1, factors = new Map() }: Stage): Held[] {
    const text = this.text;
    const { n, threads } = this.shape;
    const butterflies = n / r;
    const out: Held[] = [];
    // Where invocations are whole spans, all butterflies of one have the same twiddle factors.
    const same = threads % span === 0 ? text.let(span === 1 ? "0u" : `${held[0].index} % ${span}u`, "k") : undefined;
    for (let b = 0; b * r < held.length; b++) {
      const first = held[b * r];
      const highest = Math.min(butterflies, (b + 1) * threads) - 1;
      const k = span === butterflies ? first.index : (same ?? text.let(`${first.index} % ${span}u`, "k"));
      const values = held.slice(b * r, (b + 1) * r).map((h) => h.value);
      const [before, after] = r === n ? inTwo(scale) : [scale, 1];
      const times = (factor: number, value: string): string => (factor === 1 ? value : text.let(`${wgslFloat(factor)} * ${value}`));
      const scaled = (value: string): string => times(before, value);
      const turned =
        span === 1 ? values.map(scaled) : [scaled(values[0]), ...this.#turn(values.slice(1), k, { r, span, sign, offset, scale, factors })];
      const base =
        span === butterflies
          ? k
          : span === 1
            ? text.let(`${first.index} * ${r}u`, "b")
            : text.let(`${first.index} / ${span}u * ${span * r}u + ${k}`, "b");
      dft(text, turned, sign).forEach((value, q) => {
        const index = q === 0 ? base : text.let(`${base} + ${q * span}u`, "i");
        const last = span === butterflies;
        out.push({
          index,
          low: (last ? b * threads : 0) + q * span,
          high: last ? highest + q * span : n - 1,
          guard: first.guard,
          sum: { base, offset: q * span },
          value: times(after, value),
        });
      });
    }
    return out;
  }

  /**
   * The workgroup memory of exchanges, of at least this many whole values, or parts of values if these are exchanged one by one, for whoever uses it between
   * exchanges. It adds a barrier if an exchange has read the memory before.
   */
  borrow(words: number): string {
    this.#used = true;
    this.#borrowed = Math.max(this.#borrowed, words);
    if (this.#busy) this.text.line("workgroupBarrier();");
    this.#busy = true;
    return this.name;
  }

  /** Adds the tables that the stages need, and returns the offset of each in the table. */
  prepare(table: TableBuilder, radices: readonly number[], shares: readonly number[]): readonly number[] {
    return stageTwiddles(table, radices, shares, this.shape.products);
  }

  /** Multiplies all values but the first by the stage's twiddle factors exp(sign·j2π·k·q/(span·r)). */
  #turn(values: readonly string[], k: string, stage: Stage): string[] {
    const multiply = stage.sign < 0 ? "cmul" : "cmulc";
    const found = this.twiddles(k, stage);
    return values.map((value, i) => this.text.let(`${multiply}(${value}, ${found[i]})`));
  }

  /**
   * The names of exp(−j2π·k·q/(span·r)) for q from 1 to r − 1, times the stage's scale. All of them come before the products with values, so that
   * look-ups overlap with these.
   */
  protected twiddles(k: string, { r, span, offset, scale = 1, factors = new Map() }: Stage): readonly string[] {
    const once = (value: string): string => {
      const name = factors.get(value) ?? this.text.let(value, "w");
      factors.set(value, name);
      return name;
    };
    const rows = factorRows(r, this.shape.products, scale);
    return Array.from({ length: r - 1 }, (_, i) => {
      const found = rowsOfLeg(rows, i + 1).map((row) => once(`load_dechirp_table(${k} + ${offset + row * span}u)`));
      return found.length === 1 ? found[0] : once(`cmul(${found.join(", ")})`);
    });
  }

  /** Passes elements to the invocations that hold their indices next. `between` lets them be spread over the banks of workgroup memory. */
  exchange(held: readonly Held[], from: Position, places: readonly Place[], to: Position, between?: Between): Held[] {
    this.#addresses.begin(between, from, to);
    if (this.shape.exchange === "both") {
      const values = this.#through(held, from, places, to, "");
      return places.map((place, i) => ({ ...place, value: this.word.unpack(values[i]) }));
    }
    const re = this.#through(held, from, places, to, ".x");
    const im = this.#through(held, from, places, to, ".y");
    return places.map((place, i) => ({ ...place, value: this.text.let(`vec2f(${re[i]}, ${im[i]})`) }));
  }

  /** The values at the mirrored indices of the given elements: (n − index) mod n of the same line, or as `mirror` says. */
  mirror(held: readonly Held[], to: Position, mirror?: Mirror): string[] {
    const { n } = this.shape;
    const indexOf = mirror?.index ?? ((k: string) => `select(${n}u - ${k}, 0u, ${k} == 0u)`);
    const places = held.map((h): Place => ({ index: this.text.let(indexOf(h.index), "m"), low: 0, high: n - 1, guard: h.guard }));
    return this.exchange(held, to, places, mirror ? { ...to, c: mirror.c } : to).map((h) => h.value);
  }

  /**
   * Divides the values by the power of two that brings the largest part of the line to 2¹⁴…2¹⁵, the upper end of half precision.
   * Infinities and NaN are not changed. The first invocation of the line passes the scale on.
   */
  scale(held: readonly Held[], to: Position, valid: string | undefined, hand: (scale: string) => void): Held[] {
    const text = this.text;
    this.#scales = true;
    const peak = text.variable("f32", "peak");
    for (const h of held) text.when(h.guard, () => text.line(`${peak} = max(${peak}, max(abs(${h.value}.x), abs(${h.value}.y)));`));
    text.line(`atomicMax(&dechirp_peaks[${to.c}], bitcast<u32>(${peak}));`);
    text.line("workgroupBarrier();");
    const found = text.let(`atomicLoad(&dechirp_peaks[${to.c}]) >> 23u`, "e");
    const exponent = text.let(`select(clamp(${found}, 15u, 254u), 141u, ${found} == 255u)`, "e");
    const down = text.let(`bitcast<f32>((268u - ${exponent}) << 23u)`);
    const up = text.let(`bitcast<f32>((${exponent} - 14u) << 23u)`);
    text.when(both(valid, `${to.t} == 0u`), () => hand(up));
    return held.map((h) => ({ ...h, value: text.let(`${down} * ${h.value}`) }));
  }

  /** Passes whole values, or one part of them, through workgroup memory. */
  #through(held: readonly Held[], from: Position, places: readonly Place[], to: Position, part: "" | ".x" | ".y"): string[] {
    const text = this.text;
    const { windows } = this.shape;
    const type = part === "" ? this.word.type : "f32";
    const values = new Array<string>(places.length);
    this.#used = true;
    for (let w = 0; w < windows; w++) {
      // Addresses and variables first, so that elements with the same condition share one block.
      const reach = (place: Place, by: Position): { readonly condition: string | undefined | false; readonly address: string } => {
        const condition = this.#addresses.within(place, w);
        return { condition, address: condition === false ? "" : this.#addresses.of(place, by, w) };
      };
      const targets = held.map((h) => ({ ...reach(h, from), value: h.value }));
      const sources = places.map((place) => reach(place, to));
      sources.forEach(({ condition }, i) => {
        if (condition) values[i] ??= text.variable(type, "e");
      });
      if (this.#busy) text.line("workgroupBarrier();");
      for (const { condition, value, address } of targets) {
        if (condition === false) continue;
        text.when(condition, () => text.line(`${this.name}[${address}] = ${part === "" ? this.word.pack(value) : `${value}${part}`};`));
      }
      text.line("workgroupBarrier();");
      sources.forEach(({ condition, address }, i) => {
        const read = `${this.name}[${address}]`;
        if (condition === undefined) values[i] = text.let(read, "e");
        else if (condition !== false) text.when(condition, () => text.line(`${values[i]} = ${read};`));
      });
      this.#busy = true;
    }
    return values;
  }

  declarations(): string {
    const { exchange, lines, together, leastWords = 0 } = this.shape;
    const size = Math.max(this.#addresses.words, this.#borrowed, leastWords, workgroupBytes({ ...this.shape, exchange: "split" }) / 4);
    const parts = [
      this.#used ? `var<workgroup> ${this.name}: array<${exchange === "both" ? this.word.type : "f32"}, ${size}>;` : "",
      this.#scales ? `var<workgroup> dechirp_peaks: array<atomic<u32>, ${lines / together}>;` : "",
    ];
    return parts.filter((part) => part !== "").join("\n");
  }
}
