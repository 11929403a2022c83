/**
 * Generates how short rows are read and written if few invocations share a row: these would read few adjacent elements at a time. Instead, adjacent
 * invocations move adjacent elements of all rows of the workgroup, between memory and the workgroup memory of exchanges. There, each row has
 * `stagedPlaces`.
 */
import { type LineShape, stagedPlaces } from "../shape.ts";
import type { TableBuilder } from "../tables.ts";
import { both, type Position } from "./addresses.ts";
import type { LineAt, LineKernel } from "./line-kernel.ts";
import { type Held, placesOf, type Stages } from "./stages.ts";
import type { Text } from "./text.ts";

/** An element that an invocation moves. */
interface Moved {
  readonly at: LineAt;
  readonly index: string;
  /** Its place in workgroup memory. */
  readonly place: string;
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

/**
 * Generates how the elements of a workgroup's rows are moved. `several` generates moves that overlap, and `single` one. Only the last workgroup may have
 * fewer rows. It moves elements one by one.
 */
function moveRows(
  text: Text,
  kernel: LineKernel,
  name: string,
  { start, extent }: Part,
  several: (moves: readonly Moved[]) => void,
  single: (move: Moved) => void,
): void {
  const { shape, lines: rows } = kernel;
  const { n, lines, threads } = shape;
  if (rows.exists) throw new TypeError("rows that may not exist can't be staged");
  const invocations = threads * lines;
  const row = (element: string): readonly [row: string, line: string] => {
    const row = text.let(`${element} / ${extent}u`, "r");
    return [row, text.let(`group * ${lines}u + ${row}`, "line")];
  };
  const apart = stagedPlaces(n, threads) - extent;
  const moved = (element: string, row: string, line: string): Moved => {
    const index = text.let(`${element} - ${row} * ${extent}u`, "i");
    const place = [element, ...(apart === 0 ? [] : [`${apart}u * ${row}`]), ...(start === 0 ? [] : [`${start}u`])].join(" + ");
    return { at: rows.locate(text, line), index, place: `${name}[${place}]` };
  };
  const whole = Math.floor(rows.count / lines);
  const partial = rows.count % lines > 0;
  if (partial) text.line(`if (group < ${whole}u) {`);
  const each = Math.floor((extent * lines) / invocations);
  const inBlocks = each >= 2 * block ? each - (each % block) : 0;
  const together = (first: string, count: number): void =>
    several(
      Array.from({ length: count }, (_, q) => {
        const element = q === 0 ? first : text.let(`${first} + ${q * invocations}u`, "e");
        return moved(element, ...row(element));
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
    single(moved(element, ...row(element)));
    text.line("}");
  }
  if (!partial) return;
  text.line("} else {");
  const element = text.fresh("e");
  text.line(`for (var ${element} = tid; ${element} < ${extent * lines}u; ${element} += ${invocations}u) {`);
  const [number, line] = row(element);
  text.line(`if (${line} < ${rows.count}u) {`);
  single(moved(element, number, line));
  text.line("}}}");
}

/** The base of the row of an invocation in workgroup memory. */
const rowBase = (text: Text, { c }: Position, { n, threads }: LineShape): string => text.let(`${c} * ${stagedPlaces(n, threads)}u`, "a");

/** Generates the loads. Returns the elements that an invocation holds of its row before the first stage. */
export function emitStagedLoad(text: Text, kernel: LineKernel, stages: Stages, from: Position, table: TableBuilder): Held[] {
  const { read, shape } = kernel;
  const name = stages.borrow(stagedPlaces(shape.n, shape.threads) * shape.lines);
  const extent = Math.min(read.extent, shape.n);
  const load = ({ at, index }: Moved): string => read.line(text, at, table)(text, index);
  moveRows(
    text,
    kernel,
    name,
    { start: 0, extent },
    (moves) => {
      const values = moves.map((move) => text.let(load(move)));
      moves.forEach(({ place }, q) => text.line(`${place} = ${values[q]};`));
    },
    (move) => text.line(`${move.place} = ${load(move)};`),
  );
  text.line("workgroupBarrier();");
  const base = rowBase(text, from, shape);
  return placesOf(text, shape, shape.radices[0], from.t).map((place) => {
    if (place.low >= extent) return { ...place, value: text.let("vec2f()") };
    const element = `${name}[${base} + ${place.index}]`;
    const condition = both(place.guard, place.high < extent ? undefined : `${place.index} < ${extent}u`);
    if (condition === undefined) return { ...place, value: text.let(element) };
    const value = text.variable("vec2f");
    text.when(condition, () => text.line(`${value} = ${element};`));
    return { ...place, value };
  });
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
  const [start, extent] = write.keep;
  const name = stages.borrow(stagedPlaces(shape.n, shape.threads) * shape.lines);
  const base = rowBase(text, to, shape);
  for (const { index, value, guard } of held) text.when(guard, () => text.line(`${name}[${base} + ${index}] = ${value};`));
  text.line("workgroupBarrier();");
  const store = ({ at, index }: Moved, value: string): void => write.line(text, at, table)(text, index, value);
  moveRows(
    text,
    kernel,
    name,
    { start, extent },
    (moves) => {
      const values = moves.map(({ place }) => text.let(place));
      moves.forEach((move, q) => store(move, values[q]));
    },
    (move) => store(move, move.place),
  );
}
