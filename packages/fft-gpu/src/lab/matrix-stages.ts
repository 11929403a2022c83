/**
 * Transforms whose stages are products of matrices: decimation in frequency in place, with split real and imaginary parts in workgroup
 * memory (fused-SAR paper, section III.A and B; radix-8 paper, section V.C). The radix is the K of the products: 8 on Apple's and lavapipe's,
 * 8 or 16 on NVIDIA's. The last stage is scalar, and writes its results to their places in the line, so that no pass reverses digits.
 *
 * A stage of radix r and stride s replaces elements b·r·s + q·s + k, 0 ≤ q < r, by their DFT times the twiddle factors of p·k. They are a
 * row of r values for each k < s, and neighbouring k are the columns of the product. With several lines in a workgroup (what the papers
 * name as future work), element e of line l is at e·lines + l, which is a stage of stride s·lines: columns are lines, too.
 *
 * If the sums have the type of the values, they are stored in place, and the twiddle factors are applied by another pass over workgroup
 * memory, after the last product as part of the last stage. Otherwise sums go to memory of their own, in rounds if it is small.
 */
import { wgslFloat } from "@dechirp/core/internal";
import { unitRoot } from "@dechirp/core/tables";
import type { Planned } from "../passes.ts";
import type { TableBuilder } from "../tables.ts";
import type { Transform } from "../transform.ts";
import type { Unmet, VariantLimits } from "../variants.ts";
import { dft } from "../wgsl/codelets.ts";
import { type Frame, framed } from "./frame.ts";
import { lineScale, MatrixMemory, memoryBytes, peakBytes } from "./matrix-memory.ts";
import {
  bytesOf,
  dftMatrix,
  enablesOf,
  formOf,
  formText,
  type MatrixForm,
  type MatrixOptions,
  matrixName,
  matrixScale,
  Products,
  scales,
  uniformBySubgroup,
} from "./matrix-products.ts";
import { unfit } from "./stockham.ts";

/** How a workgroup computes lines of n points. */
interface Design {
  readonly n: number;
  readonly form: MatrixForm;
  /** The radix of the products and of the last stage. */
  readonly r: number;
  /** The radix of the first stage, which is scalar. 1 if there is none. */
  readonly rest: number;
  /** The number of stages that are products. */
  readonly products: number;
  readonly lines: number;
  readonly threads: number;
  /** Subgroups that compute products. There may be more. */
  readonly subgroups: number;
  /** Products between two barriers. */
  readonly round: number;
  /** Whether sums are stored where the values were. */
  readonly inPlace: boolean;
}

/** Most invocations of a workgroup: as many as the papers' kernel has. */
const mostThreads = 512;
/** Most values that an invocation holds. */
const mostValues = 32;

/** Lines of a workgroup if they are batched, at least. */
const batch = 8;

/** Plans a transform with stages that are products. */
export function planStages(transform: Transform, limits: VariantLimits, options: MatrixOptions, batched: boolean): Planned | Unmet {
  const { n } = transform;
  const form = formOf(options, limits, ({ M, N, K }) => usable(M, N, K));
  if ("needs" in form) return form;
  const lines = batched ? Math.max(batch, form.n) : 1;
  const design = unfit(n) ? undefined : designOf(n, form, lines, limits);
  if (!design) {
    const longest = longestOf(form, lines, limits);
    if (longest === undefined) return { needs: "more workgroup memory" };
    return { needs: longest === 256 ? "lines of 256 points" : `lines of 256 to ${longest} points, a power of two` };
  }
  const frameOptions = {
    lines,
    threads: design.threads,
    enables: enablesOf(form),
    builtins: ["@builtin(subgroup_id) subgroup: u32"],
    text: `one-pass matrix ${radicesText(design)} ${formText(form)} threads=${design.threads}${lines > 1 ? ` lines=${lines}` : ""}`,
  };
  const planned = framed(transform, frameOptions, (frame) => new StagesText(frame, design, transform.inners === 1).write());
  if (!planned) return { needs: "complex lines in one pass" };
  const matrix = dftMatrix(form, design.r, transform.kind === "forward" ? -1 : 1);
  const dispatches = planned.dispatches.map((dispatch) => ({ ...dispatch, arrays: { ...dispatch.arrays, [matrixName]: matrix } }));
  return { ...planned, dispatches };
}

/** Whether a shape's tiles divide the matrix of a DFT of K values. Columns must not be longer than a stage's stride, which is at least K. */
const usable = (m: number, n: number, k: number): boolean => (k === 8 || k === 16) && n <= k && (2 * k) % m === 0;

const longestOf = (form: MatrixForm, lines: number, limits: VariantLimits): number | undefined =>
  [16_384, 8192, 4096, 2048, 1024, 512, 256].find((n) => designOf(n, form, lines, limits));

function designOf(
  n: number,
  form: MatrixForm,
  lines: number,
  { workgroupBytes, invocations, subgroups }: VariantLimits,
): Design | undefined {
  const r = form.k;
  const width = subgroups?.[1] ?? 1;
  const products = Math.floor(Math.log2(n) / Math.log2(r)) - 1;
  const rest = n / r ** (products + 1);
  const most = Math.min(mostThreads, 2 ** Math.floor(Math.log2(invocations)));
  const threads = Math.max(width, lines, Math.min(most, (n * lines) / r));
  const own = threads / lines;
  const left = workgroupBytes - memoryBytes(form, n * lines) - peakBytes(form, lines);
  if (products < 1 || left < 0 || threads > invocations || n / own > mostValues || own > n / rest) return undefined;
  const tiles = (n * lines) / (r * form.n);
  const inPlace = form.component === form.sums && form.m <= r;
  const fitting = inPlace ? tiles : Math.floor(left / (2 * r * form.n * bytesOf(form.sums)));
  if (fitting < 1) return undefined;
  const round = Math.min(tiles, 2 ** Math.floor(Math.log2(fitting)));
  return { n, form, r, rest, products, lines, threads, subgroups: Math.min(round, threads / width), round, inPlace };
}

const radicesOf = ({ rest, r, products }: Design): readonly number[] => [
  ...(rest > 1 ? [rest] : []),
  ...Array<number>(products + 1).fill(r),
];
const radicesText = (design: Design): string => `radix=${radicesOf(design).join("·")}`;

/** Twiddle factors of a stage of radix r over `size` points by position: exp(−j2π·p·k/size) at p·size/r + k. */
const stageTable = (table: TableBuilder, size: number, r: number): number =>
  table.add(`places ${size}/${r}`, size, (i) => unitRoot(Math.floor((i * r) / size) * (i % (size / r)), size));

/** Writes the kernel. */
class StagesText {
  readonly #frame: Frame;
  readonly #design: Design;
  readonly #memory: MatrixMemory;
  readonly #products: Products;
  /** The number of the invocation's line in the workgroup, and of the invocation among those of the line. */
  readonly #c: string;
  readonly #t: string;
  /** Invocations of a line. */
  readonly #own: number;

  constructor(frame: Frame, design: Design, rows: boolean) {
    const { lines, threads, form, n, r, round, inPlace } = design;
    const { text } = frame;
    this.#frame = frame;
    this.#design = design;
    this.#memory = new MatrixMemory(frame, form, n * lines);
    this.#products = new Products(text, form, r);
    if (!inPlace) frame.declare(`var<workgroup> dechirp_sums: array<${form.sums}, ${round * 2 * r * form.n}>;`);
    this.#own = threads / lines;
    this.#c = lines === 1 ? "0u" : text.let(rows ? `tid / ${this.#own}u` : `tid % ${lines}u`, "c");
    this.#t = lines === 1 ? "tid" : text.let(rows ? `tid % ${this.#own}u` : `tid / ${lines}u`, "t");
  }

  write(): void {
    const { n, rest, r, products, form, inPlace } = this.#design;
    const { text } = this.#frame;
    const line = this.#frame.line(this.#c);
    const held = Array.from({ length: n / this.#own }, (_, h) =>
      line.load(h === 0 ? this.#t : text.let(`${this.#t} + ${h * this.#own}u`, "element"), Math.min(n, (h + 1) * this.#own) - 1),
    );
    const up = this.#first(held);
    const tiles = 2 * r;
    const factors = Array.from({ length: tiles / form.m }, (_, i) => [0, 1].map((j) => this.#products.factors(`${i}u`, `${j}u`)));
    let size = n / rest;
    for (let stage = 0; stage < products; stage++) {
      text.line("workgroupBarrier();");
      const last = stage === products - 1;
      if (inPlace) this.#inPlace(size, factors, last);
      else this.#inRounds(size, factors);
      size /= r;
    }
    text.line("workgroupBarrier();");
    this.#last(line, up);
  }

  /** The first, scalar stage, and the scale of the line. Returns the inverse of the scale. */
  #first(held: readonly string[]): string | undefined {
    const { n, rest, lines, form } = this.#design;
    const { text, table, sign } = this.#frame;
    const results: { readonly element: string; readonly value: string }[] = [];
    const legs = n / rest;
    const offset = rest > 1 ? stageTable(table, n, rest) : 0;
    for (let b = 0; b < legs / this.#own; b++) {
      const first = b === 0 ? this.#t : text.let(`${this.#t} + ${b * this.#own}u`, "element");
      const values = Array.from({ length: rest }, (_, q) => held[b + (q * legs) / this.#own]);
      dft(text, values, sign).forEach((value, p) => {
        const element = p === 0 ? first : text.let(`${first} + ${p * legs}u`, "element");
        results.push({ element, value: p === 0 ? value : this.#turn(value, `${element} + ${offset}u`) });
      });
    }
    const scale = scales(form)
      ? lineScale(
          this.#frame,
          lines,
          this.#c,
          results.map(({ value }) => value),
        )
      : undefined;
    for (const { element, value } of results)
      this.#memory.put(this.#address(element), scale ? text.let(`${scale.down} * ${value}`) : value);
    return scale?.up;
  }

  /** The products of a stage of `size` points, stored in place, and the twiddle factors unless the last stage applies them. */
  #inPlace(size: number, factors: readonly (readonly (readonly string[])[])[], last: boolean): void {
    const { n, lines, threads, form } = this.#design;
    const { text, table } = this.#frame;
    this.#eachTile("0u", (tile) => {
      const { base, stride } = this.#tile(tile, size);
      this.#sums(base, stride, factors).forEach((sum, i) => {
        const { array, row } = this.#rowOf(i);
        this.#products.store(array, row === 0 ? base : `${base} + ${row * stride}u`, sum, stride);
      });
    });
    if (last) return;
    text.line("workgroupBarrier();");
    const offset = stageTable(table, size, form.k);
    text.line(`for (var a = tid; a < ${n * lines}u; a += ${threads}u) {`);
    const value = this.#memory.get("a");
    this.#memory.put("a", this.#turn(value, `${offset}u + ((a / ${lines}u) & ${size - 1}u)`));
    text.line("}");
  }

  /** The array and the row in it of tile row i of the sums, if they are stored in place. */
  #rowOf(i: number): { readonly array: string; readonly row: number } {
    const { form, r } = this.#design;
    const row = (i * form.m) % r;
    return { array: this.#memory.arrays(i * form.m < r ? "re" : "im")[0], row };
  }

  /** The products of a stage of `size` points. Sums go to memory of their own, and from there, turned and scaled, to their places. */
  #inRounds(size: number, factors: readonly (readonly (readonly string[])[])[]): void {
    const { n, r, lines, threads, form, round } = this.#design;
    const { text, table } = this.#frame;
    const cell = 2 * r * form.n;
    const rounds = (n * lines) / (r * form.n) / round;
    const offset = stageTable(table, size, r);
    const start = rounds === 1 ? "0u" : "start";
    if (rounds > 1) text.line(`for (var start = 0u; start < ${rounds * round}u; start += ${round}u) {`);
    this.#eachTile(start, (tile) => {
      const { base, stride } = this.#tile(tile, size);
      this.#sums(base, stride, factors).forEach((sum, i) =>
        this.#products.store("dechirp_sums", `(${tile} - ${start}) * ${cell}u + ${i * form.m * form.n}u`, sum, form.n),
      );
    });
    text.line("workgroupBarrier();");
    text.line(`for (var f = tid; f < ${(round * cell) / 2}u; f += ${threads}u) {`);
    const tile = text.let(`f / ${cell / 2}u`, "g");
    const [row, column] = [text.let(`(f / ${form.n}u) % ${r}u`, "p"), text.let(`f % ${form.n}u`, "k")];
    const { base, stride } = this.#tile(text.let(`${start} + ${tile}`, "tile"), size);
    const from = text.let(`${tile} * ${cell}u + ${row} * ${form.n}u + ${column}`, "a");
    const factor = scales(form) ? 1 / r / matrixScale(form, r) : 1;
    const sum = text.let(`vec2f(f32(dechirp_sums[${from}]), f32(dechirp_sums[${from} + ${r * form.n}u]))`);
    const value = factor === 1 ? sum : text.let(`${wgslFloat(factor)} * ${sum}`);
    const address = text.let(`${base} + ${row} * ${stride}u + ${column}`, "a");
    this.#memory.put(address, this.#turn(value, `${offset}u + ((${address} / ${lines}u) & ${size - 1}u)`));
    text.line("}");
    if (rounds > 1) text.line("workgroupBarrier();\n}");
  }

  /** The last stage: scalar, from neighbouring elements, to the results' places in the line. */
  #last(line: ReturnType<Frame["line"]>, up: string | undefined): void {
    const { n, r, products, inPlace: turned } = this.#design;
    const { text, table, sign, gain } = this.#frame;
    const butterflies = n / r;
    const offset = turned ? stageTable(table, r * r, r) : 0;
    // Each product divides by r, or has done so in its matrix.
    const scaled = up !== undefined;
    const factor = gain * (scaled ? r ** products : 1);
    for (let b = 0; b < Math.max(1, butterflies / this.#own); b++) {
      const k = b === 0 ? this.#t : text.let(`${this.#t} + ${b * this.#own}u`, "k");
      const inside = this.#own > butterflies ? `${k} < ${butterflies}u` : undefined;
      const block = text.let(inside ? `min(${this.#reversed(k)}, ${butterflies - 1}u)` : this.#reversed(k), "j");
      const values = Array.from({ length: r }, (_, q) => {
        const value = this.#memory.get(this.#address(text.let(`${block} * ${r}u + ${q}u`, "element")));
        return turned && q > 0 ? this.#turn(value, `${offset}u + (${block} % ${r}u) * ${r}u + ${q}u`) : value;
      });
      dft(text, values, sign).forEach((value, p) => {
        const one = factor === 1 ? value : text.let(`${wgslFloat(factor)} * ${value}`);
        const result = scaled ? text.let(`${up} * ${one}`) : one;
        text.when(inside, () => line.store(p === 0 ? k : text.let(`${k} + ${p * butterflies}u`, "k"), result));
      });
    }
  }

  /** The block of the last stage whose first result is k: its digits in reverse. */
  #reversed(k: string): string {
    let low = 0;
    let high = Math.log2(this.#design.n / this.#design.r);
    const digits = radicesOf(this.#design)
      .slice(0, -1)
      .map((radix) => {
        const bits = Math.log2(radix);
        high -= bits;
        const digit = low === 0 ? `(${k} & ${radix - 1}u)` : `((${k} >> ${low}u) & ${radix - 1}u)`;
        low += bits;
        return high === 0 ? digit : `(${digit} << ${high}u)`;
      });
    return digits.join(" | ");
  }

  /** Has each subgroup work on its tiles of a round that begins at `start`. */
  #eachTile(start: string, body: (tile: string) => void): void {
    const { round, subgroups } = this.#design;
    const { text } = this.#frame;
    text.line(`${uniformBySubgroup} {`);
    text.line(`if (subgroup < ${subgroups}u) {`);
    text.line(`for (var u = 0u; u < ${round / subgroups}u; u++) {`);
    body(text.let(`${start} + u * ${subgroups}u + subgroup`, "tile"));
    text.line("}\n}\n}");
  }

  /** Where a tile of a stage begins in workgroup memory, and the distance of its rows. */
  #tile(tile: string, size: number): { readonly base: string; readonly stride: number } {
    const { r, lines, form } = this.#design;
    const stride = (size / r) * lines;
    const perBlock = stride / form.n;
    const base = `(${tile} / ${perBlock}u) * ${r * stride}u + (${tile} % ${perBlock}u) * ${form.n}u`;
    return { base: this.#frame.text.let(base, "base"), stride };
  }

  /** The sums of a tile: one for each row of tiles of the matrix. */
  #sums(base: string, stride: number, factors: readonly (readonly (readonly string[])[])[]): readonly string[] {
    const values = (["re", "im"] as const).map((part) => this.#products.values(this.#memory.arrays(part), base, stride));
    return factors.map((row) => {
      const sum = this.#products.sum();
      row.forEach((factor, j) => this.#products.add(sum, factor, values[j]));
      return sum;
    });
  }

  /** The value times a twiddle factor of the table. */
  #turn(value: string, index: string): string {
    const { text, sign } = this.#frame;
    return text.let(`${sign < 0 ? "cmul" : "cmulc"}(${value}, load_dechirp_table(${index}))`);
  }

  #address(element: string): string {
    const { lines } = this.#design;
    return lines === 1 ? element : this.#frame.text.let(`${element} * ${lines}u + ${this.#c}`, "a");
  }
}
