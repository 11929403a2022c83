/**
 * Generates how short rows are read and written if few invocations share a row: these would read few adjacent elements at a time. Instead, adjacent
 * invocations move adjacent elements of all rows of the workgroup, between memory and the workgroup memory of exchanges. There, each row has
 * `stagedPlaces`.
 */
import { type LineShape, stagedPlaces } from "../shape.ts";
import type { TableBuilder } from "../tables.ts";
import type { LineAt, LineKernel } from "./line-kernel.ts";
import { both, type Held, type Position, placesOf, type Stages } from "./stages.ts";
import type { Text } from "./text.ts";

/** An element that an invocation moves. */
interface Moved {
  readonly at: LineAt;
  readonly index: string;
  /** Its place in workgroup memory. */
  readonly place: string;
  /** A condition for it to exist. */
  readonly valid: string | undefined;
}

/** The elements that an invocation moves. */
function movedElements(text: Text, { shape, lines: rows }: LineKernel, name: string): Moved[] {
  const { n, lines, threads } = shape;
  const invocations = threads * lines;
  const apart = stagedPlaces(n, threads) - n;
  return Array.from({ length: Math.ceil(n / threads) }, (_, q): Moved => {
    const element = q === 0 ? "tid" : text.let(`tid + ${q * invocations}u`, "e");
    const row = text.let(`${element} / ${n}u`, "r");
    const index = text.let(`${element} - ${row} * ${n}u`, "i");
    const line = text.let(`group * ${lines}u + ${row}`, "line");
    const at = rows.locate(text, line);
    const inside = (q + 1) * threads > n ? `${element} < ${n * lines}u` : undefined;
    const counted = rows.count % lines === 0 ? undefined : `${line} < ${rows.count}u`;
    return {
      at,
      index,
      place: `${name}[${element}${apart === 0 ? "" : ` + ${apart}u * ${row}`}]`,
      valid: both(both(inside, counted), rows.exists?.(at)),
    };
  });
}

/** The base of the row of an invocation in workgroup memory. */
const rowBase = (text: Text, { c }: Position, { n, threads }: LineShape): string => text.let(`${c} * ${stagedPlaces(n, threads)}u`, "a");

/** Generates the loads. Returns the elements that an invocation holds of its row before the first stage. */
export function emitStagedLoad(text: Text, kernel: LineKernel, stages: Stages, from: Position, table: TableBuilder): Held[] {
  const { read, shape } = kernel;
  const { n } = shape;
  const name = stages.borrow(stagedPlaces(n, shape.threads) * shape.lines);
  // All loads come before the stores, so that they overlap.
  const loaded = movedElements(text, kernel, name).map(({ at, index, place, valid }) => {
    const element = read.line(text, at, table);
    const condition = both(valid, read.extent < n ? `${index} < ${read.extent}u` : undefined);
    if (condition === undefined) return { place, valid, value: text.let(element(text, index)) };
    const value = text.variable("vec2f");
    text.when(condition, () => text.line(`${value} = ${element(text, index)};`));
    return { place, valid, value };
  });
  for (const { place, valid, value } of loaded) text.when(valid, () => text.line(`${place} = ${value};`));
  text.line("workgroupBarrier();");
  const base = rowBase(text, from, shape);
  return placesOf(text, shape, shape.radices[0], from.t).map((place) => {
    const read = `${name}[${base} + ${place.index}]`;
    if (place.guard === undefined) return { ...place, value: text.let(read) };
    const value = text.variable("vec2f");
    text.when(place.guard, () => text.line(`${value} = ${read};`));
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
  const { n } = shape;
  const [start, count] = write.keep;
  const name = stages.borrow(stagedPlaces(n, shape.threads) * shape.lines);
  const base = rowBase(text, to, shape);
  for (const { index, value, guard } of held) text.when(guard, () => text.line(`${name}[${base} + ${index}] = ${value};`));
  text.line("workgroupBarrier();");
  for (const { at, index, place, valid } of movedElements(text, kernel, name)) {
    const element = write.line(text, at, table);
    const kept = both(start > 0 ? `${index} >= ${start}u` : undefined, start + count < n ? `${index} < ${start + count}u` : undefined);
    text.when(both(valid, kept), () => element(text, start === 0 ? index : `(${index} - ${start}u)`, place));
  }
}
