/**
 * Generates how short rows are read and written if few invocations share a row: these would read few adjacent elements at a time. Instead, adjacent
 * invocations move adjacent elements of all rows of the workgroup, between memory and the workgroup memory of exchanges. There, each row has
 * `stagedPlaces`. Rows pass through it in halves, first real and then imaginary parts, so that a core has twice as many workgroups, if an
 * invocation can hold what it moves. Rows of half spectra have n + 1 elements there. An element k of them is made of those at k and n − k.
 */
import { type LineShape, stagedPlaces } from "../shape.ts";
import type { TableBuilder } from "../tables.ts";
import { both, type Place, type Position } from "./addresses.ts";
import type { LineAt, LineKernel, MirroredWriter } from "./line-kernel.ts";
import { type Held, placesOf, type Stages } from "./stages.ts";
import type { Text } from "./text.ts";

/** An element that an invocation moves. */
interface Moved {
  /** The number of its line, which may be beyond the last one. */
  readonly line: string;
  readonly at: LineAt;
  readonly index: string;
  /** Its place in workgroup memory. */
  readonly place: string;
  /** A condition under which it is moved. */
  readonly guard?: string;
}

/** The elements of each row that are moved: `extent` of them, whose places begin at `start`. */
interface Part {
  readonly start: number;
  readonly extent: number;
}

/**
 * Moves that overlap. Compilers take time in proportion to the square of their number, so twice as many and more are divided into blocks of this. On an
 * H200, blocks of 8 are up to 1.25 times slower than all at once (17, 31 points), and one after the other 2 to 4 times.
 */
const block = 16;

/** The row of an element among those of its workgroup, and the number of its line. */
function rowOf(text: Text, { shape }: LineKernel, { extent }: Part, element: string): readonly [row: string, line: string] {
  const row = text.let(`${element} / ${extent}u`, "r");
  return [row, text.let(`group * ${shape.lines}u + ${row}`, "line")];
}

/** How an element is moved. `from`: the line that it is read from, if not its own. */
function movedBy(
  text: Text,
  { shape, lines: rows }: LineKernel,
  name: string,
  { start, extent }: Part,
  element: string,
  [row, line]: readonly [row: string, line: string],
  from = line,
): Moved {
  const apart = stagedPlaces(shape) - extent;
  const index = text.let(`${element} - ${row} * ${extent}u`, "i");
  const place = [element, ...(apart === 0 ? [] : [`${apart}u * ${row}`]), ...(start === 0 ? [] : [`${start}u`])].join(" + ");
  return { line, at: rows.locate(text, from), index, place: `${name}[${place}]` };
}

/** Throws if a row may not exist besides those beyond the last one. */
function checkRows({ lines: { exists } }: LineKernel): void {
  if (exists) throw new TypeError("rows that may not exist can't be staged");
}

/**
 * Generates how the elements of a workgroup's rows are moved. `several` generates moves that overlap, and `single` one. Only the last workgroup may have
 * fewer rows. It moves elements one by one.
 */
function moveRows(
  text: Text,
  kernel: LineKernel,
  name: string,
  part: Part,
  several: (moves: readonly Moved[]) => void,
  single: (move: Moved) => void,
): void {
  const { shape, lines: rows } = kernel;
  const { lines, threads } = shape;
  checkRows(kernel);
  const invocations = threads * lines;
  const { extent } = part;
  const row = (element: string) => rowOf(text, kernel, part, element);
  const moved = (element: string, at: readonly [row: string, line: string]) => movedBy(text, kernel, name, part, element, at);
  const whole = Math.floor(rows.count / lines);
  const partial = isPartial(kernel);
  if (partial) text.line(`if (group < ${whole}u) {`);
  const each = Math.floor((extent * lines) / invocations);
  const inBlocks = each >= 2 * block ? each - (each % block) : 0;
  const together = (first: string, count: number): void =>
    several(
      Array.from({ length: count }, (_, q) => {
        const element = q === 0 ? first : text.let(`${first} + ${q * invocations}u`, "e");
        return moved(element, row(element));
      }),
    );
  if (inBlocks > 0) {
    const first = text.fresh("e");
    text.line(`for (var ${first} = tid; ${first} < ${inBlocks * invocations}u; ${first} += ${block * invocations}u) {`);
    together(first, block);
    text.line("}");
  }
  if (each > inBlocks) together(inBlocks === 0 ? "tid" : text.let(`tid + ${inBlocks * invocations}u`, "e"), each - inBlocks);
  if (each * invocations < extent * lines) {
    text.line(`if (tid < ${extent * lines - each * invocations}u) {`);
    const element = text.let(`tid + ${each * invocations}u`, "e");
    single(moved(element, row(element)));
    text.line("}");
  }
  if (!partial) return;
  text.line("} else {");
  const element = text.fresh("e");
  text.line(`for (var ${element} = tid; ${element} < ${extent * lines}u; ${element} += ${invocations}u) {`);
  const at = row(element);
  text.line(`if (${at[1]} < ${rows.count}u) {`);
  single(moved(element, at));
  text.line("}}}");
}

/** Whether the kernel's last workgroup has fewer rows than the others. */
const isPartial = ({ shape, lines }: LineKernel): boolean => lines.count % shape.lines > 0;

/** All moves of an invocation, which holds what it moves. What is beyond the last element or row is read from that. */
function movesAtOnce(text: Text, kernel: LineKernel, name: string, part: Part): Moved[] {
  const { shape, lines: rows } = kernel;
  checkRows(kernel);
  const invocations = shape.threads * shape.lines;
  const elements = part.extent * shape.lines;
  return Array.from({ length: Math.ceil(elements / invocations) }, (_, q) => {
    const own = q === 0 ? "tid" : text.let(`tid + ${q * invocations}u`, "e");
    const isLast = (q + 1) * invocations > elements;
    const element = isLast ? text.let(`min(${own}, ${elements - 1}u)`, "e") : own;
    const at = rowOf(text, kernel, part, element);
    const from = isPartial(kernel) ? text.let(`min(${at[1]}, ${rows.count - 1}u)`, "line") : at[1];
    return { ...movedBy(text, kernel, name, part, element, at, from), ...(isLast && { guard: `${own} < ${elements}u` }) };
  });
}

/** The parts of complex numbers, in the order in which they pass through workgroup memory. */
const halves = [".x", ".y"] as const;

/** Whether an invocation has a whole row, in the order of its elements. */
const isAlone = ({ threads, radices }: Pick<LineShape, "threads" | "radices">): boolean => threads === 1 && radices.length === 1;

/** The base of the row of an invocation in workgroup memory. */
const rowBase = (text: Text, { c }: Position, shape: LineShape): string => text.let(`${c} * ${stagedPlaces(shape)}u`, "a");

/**
 * Generates the loads. Returns the elements that an invocation holds of its row before the first stage. An element k of a half spectrum's row is made of its
 * parts k and n − k.
 */
export function emitStagedLoad(
  text: Text,
  kernel: LineKernel,
  stages: Stages,
  from: Position & { readonly at: LineAt },
  table: TableBuilder,
): Held[] {
  const { read, shape } = kernel;
  const name = stages.borrow(stagedPlaces(shape) * shape.lines);
  const extent = read.mirrored ? shape.n + 1 : Math.min(read.extent, shape.n);
  const part: Part = { start: 0, extent };
  const load = ({ at, index }: Moved): string =>
    read.mirrored ? read.mirrored(text, at, table).part(text, index) : read.line(text, at, table)(text, index);
  const base = rowBase(text, from, shape);
  const places = placesOf(text, shape, shape.radices[0], from.t);
  /** The numbers at the places of the invocation's row. Those beyond the extent are 0. */
  const numbers = (type: "vec2f" | "f32", placed: readonly Place[]): string[] =>
    placed.map((place) => {
      if (place.low >= extent) return text.let(`${type}()`);
      const element = `${name}[${base} + ${place.index}]`;
      const condition = both(place.guard, place.high < extent ? undefined : `${place.index} < ${extent}u`);
      if (condition === undefined) return text.let(element);
      const value = text.variable(type);
      text.when(condition, () => text.line(`${value} = ${element};`));
      return value;
    });
  const image = ({ index, guard }: Place): Place => ({ index: text.let(`${shape.n}u - ${index}`, "m"), low: 0, high: shape.n, guard });
  // An invocation that has the whole row needs one part more. Others read all mirror images, too.
  const alone = isAlone(shape);
  const others = !read.mirrored ? [] : (alone ? places.slice(0, 1) : places).map(image);
  const whole = read.mirrored?.(text, from.at, table).whole;
  const made = (values: readonly string[]): Held[] => {
    const imageOf = (i: number): string => values[alone && i > 0 ? shape.n - i : places.length + i];
    return places.map((place, i) => ({ ...place, value: whole ? whole(text, place.index, values[i], imageOf(i)) : values[i] }));
  };
  if (shape.exchange === "both") {
    moveRows(
      text,
      kernel,
      name,
      part,
      (moves) => {
        const values = moves.map((move) => text.let(load(move)));
        moves.forEach(({ place }, q) => text.line(`${place} = ${values[q]};`));
      },
      (move) => text.line(`${move.place} = ${load(move)};`),
    );
    text.line("workgroupBarrier();");
    return made(numbers("vec2f", [...places, ...others]));
  }
  const moves = movesAtOnce(text, kernel, name, part);
  const values = moves.map((move) => text.let(load(move)));
  const [re, im] = halves.map((half, h) => {
    if (h > 0) text.line("workgroupBarrier();");
    moves.forEach(({ place, guard }, q) => text.when(guard, () => text.line(`${place} = ${values[q]}${half};`)));
    text.line("workgroupBarrier();");
    return numbers("f32", [...places, ...others]);
  });
  return made(re.map((value, i) => text.let(`vec2f(${value}, ${im[i]})`)));
}

/** The results 0 … n of a row, which are made of elements and their mirror images. */
function spectrum(
  text: Text,
  { n, ...shape }: LineShape,
  stages: Stages,
  held: readonly Held[],
  to: Position,
  mirrored: MirroredWriter,
  table: TableBuilder,
): readonly Held[] {
  const alone = isAlone(shape);
  const images = alone ? held.map((_, i) => held[(n - i) % n].value) : stages.mirror(held, to);
  const made = mirrored.whole(table);
  const last: Held = {
    index: `${n}u`,
    low: n,
    high: n,
    guard: both(held[0].guard, alone ? undefined : `${to.t} == 0u`),
    value: mirrored.last(text, held[0].value),
  };
  return [...held.map((h, i) => ({ ...h, value: made(text, h.index, h.value, images[i]) })), last];
}

/** Generates the stores of the results that an invocation holds. */
export function emitStagedStore(
  text: Text,
  kernel: LineKernel,
  stages: Stages,
  held: readonly Held[],
  to: Position,
  table: TableBuilder,
): void {
  const { write, shape } = kernel;
  const { mirrored } = write;
  const { keep, line } = mirrored ?? write;
  const results = mirrored ? spectrum(text, shape, stages, held, to, mirrored, table) : held;
  const part: Part = { start: keep[0], extent: keep[1] };
  const name = stages.borrow(stagedPlaces(shape) * shape.lines);
  const base = rowBase(text, to, shape);
  const store = ({ at, index }: Moved, value: string): void => line(text, at, table)(text, index, value);
  if (shape.exchange === "split") {
    const moves = movesAtOnce(text, kernel, name, part);
    const [re, im] = halves.map((half, h) => {
      if (h > 0) text.line("workgroupBarrier();");
      for (const { index, value, guard } of results) text.when(guard, () => text.line(`${name}[${base} + ${index}] = ${value}${half};`));
      text.line("workgroupBarrier();");
      return moves.map(({ place }) => text.let(place, "e"));
    });
    moves.forEach((move, q) => {
      const exists = isPartial(kernel) ? `${move.line} < ${kernel.lines.count}u` : undefined;
      text.when(both(move.guard, exists), () => store(move, text.let(`vec2f(${re[q]}, ${im[q]})`)));
    });
    return;
  }
  for (const { index, value, guard } of results) text.when(guard, () => text.line(`${name}[${base} + ${index}] = ${value};`));
  text.line("workgroupBarrier();");
  moveRows(
    text,
    kernel,
    name,
    part,
    (moves) => {
      const values = moves.map(({ place }) => text.let(place));
      moves.forEach((move, q) => store(move, values[q]));
    },
    (move) => store(move, move.place),
  );
}
