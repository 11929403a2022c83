/**
 * WebAssembly of stencils. A module has three functions: `main`, which goes through blocks; the images, computed for a part of a row; and
 * the expression, computed for a row of a block. The last two are maps. They read and write rows of the block's buffers, because `main`
 * passes addresses for which the flat index of an element falls into these rows. Between the two, sums are passes over whole buffers,
 * four numbers at a time.
 *
 * The work memory of a unit: the arguments of both maps, then the buffers of a block.
 */
import type { DType } from "../layout.ts";
import type { Boundary } from "../ops/stencil.ts";
import type { BlockPlan, Blocks, Pass } from "./stencil-blocks.ts";
import type { StencilFacts } from "./stencil-check.ts";
import { functionOfExpression } from "./wasm.ts";
import { type Code, type Draft, four, integer, Locals, local, loop, memory, moduleOf, one, op, set, type, when } from "./wasm-bytes.ts";

/** A stencil's module, and the work memory that a unit needs. */
export interface StencilWasm {
  readonly module: (shared: boolean) => Uint8Array<ArrayBuffer>;
  readonly workBytes: number;
}

/** More bytes after a buffer, which passes may read and write. */
const margin = 64;
const [storeWord, loadPair, storePair] = [0x36, 0x29, 0x37];

const sum = (...codes: readonly Code[]): Code => codes.reduce((a, b) => op(one.add, a, b));
const product = (a: Code, b: number): Code => (b === 1 ? a : op(one.mul, a, integer(b)));
const least = (a: Code, b: Code): Code => op(one.select, a, b, op(one.lt_s, a, b));
const call = (index: number, ...operands: readonly Code[]): Code => [...operands, 0x10, index];
const fill = (address: Code, bytes: Code): Code => [address, integer(0), bytes, 0xfc, 11, 0];
/** The remainder that is not negative. */
const wrapped = (index: Code, extent: number): Code =>
  op(one.rem_s, sum(op(one.rem_s, index, integer(extent)), integer(extent)), integer(extent));

/** Makes the module. Undefined if an element type has no form in WebAssembly. */
export function wasmOfStencil(checked: StencilFacts, plan: BlockPlan, blocks: Blocks): StencilWasm | undefined {
  const { op: stencil, images, reach } = checked;
  const inputs = Object.keys(stencil.sources).length;
  const outputs: readonly DType[] = Object.values(stencil.outputs);
  const uniforms = Object.keys(stencil.uniforms ?? {}).length;
  const imageTypes = images.map((isComplex): DType => (isComplex ? "c64" : "f32"));
  const centre = functionOfExpression(stencil.centres, checked.centres, checked.centreDomain, { kind: "map", outputs: imageTypes });
  const bytesOf = (buffer: number): number => (plan.buffers[buffer].isComplex ? 8 : 4);
  /** The windows, which share the address of their buffer. It takes the word of the buffer's first window. */
  const wordOf = (buffer: number): number => inputs + plan.values.findIndex(([other]) => other === buffer);
  const beside = plan.values.map(
    ([buffer, rows, columns], i) =>
      [checked.windows[i].name, { word: wordOf(buffer), offset: (rows * blocks.pitch + columns) * bytesOf(buffer) }] as const,
  );
  const form = { kind: "map", outputs } as const;
  const main = functionOfExpression(stencil.expression, checked.facts, checked.domain, form, new Map(beside));
  if (!centre || !main) return undefined;
  /** The arguments: sources, images or windows, outputs, uniforms. */
  const centreWords = inputs + images.length + uniforms;
  const mainWords = inputs + plan.values.length + outputs.length + uniforms;
  const bufferRows = blocks.rows + reach.rows[1] - reach.rows[0];
  const places: number[] = [];
  let workBytes = 64 * Math.ceil((4 * (centreWords + mainWords)) / 64);
  for (const buffer of plan.buffers.keys()) {
    places.push(workBytes);
    workBytes += 64 * Math.ceil((bytesOf(buffer) * blocks.pitch * bufferRows + margin) / 64);
  }

  const locals = new Locals(4);
  const [argument, item, end, unit] = [0, 1, 2, 3].map(local);
  const variable = (): Code => locals.new(type.i32);
  const [work, first, tall, wide, x0, y0, r, flat] = [0, 1, 2, 3, 4, 5, 6, 7].map(variable);
  const word = (index: number): Code => memory(one.load, 4 * index, argument);
  const workWord = inputs + outputs.length + uniforms;

  const setUp: Draft = [set(work, sum(word(workWord), op(one.mul, unit, word(workWord + 1))))];
  const copy = (to: number, from: number): void => {
    setUp.push(memory(storeWord, 4 * to, work, word(from)));
  };
  for (let i = 0; i < inputs; i++) for (const base of [0, centreWords]) copy(base + i, i);
  for (const i of outputs.keys()) copy(centreWords + inputs + plan.values.length + i, inputs + i);
  for (let i = 0; i < uniforms; i++) {
    copy(inputs + images.length + i, inputs + outputs.length + i);
    copy(centreWords + inputs + plan.values.length + outputs.length + i, inputs + outputs.length + i);
  }

  const { images: imageRows } = imageCode();
  const row = sum(first, y0, r);
  const rowOfBlock: Draft = [set(flat, sum(product(row, checked.columns), x0))];
  for (const buffer of new Set(plan.values.map(([buffer]) => buffer))) {
    const place = sum(product(op(one.sub, product(r, blocks.pitch), flat), bytesOf(buffer)), work);
    rowOfBlock.push(memory(storeWord, 4 * (centreWords + wordOf(buffer)), work, sum(place, integer(places[buffer]))));
  }
  rowOfBlock.push(call(2, sum(work, integer(4 * centreWords)), flat, sum(flat, wide), integer(0)));

  const number = variable();
  const body: Draft = [
    set(number, op(one.div_u, item, integer(blocks.across))),
    set(x0, product(op(one.sub, item, product(number, blocks.across)), blocks.columns)),
    set(y0, product(op(one.rem_u, number, integer(blocks.down)), blocks.rows)),
    set(first, product(op(one.div_u, number, integer(blocks.down)), checked.rows)),
    set(tall, least(integer(blocks.rows), op(one.sub, integer(checked.rows), y0))),
    set(wide, least(integer(blocks.columns), op(one.sub, integer(checked.columns), x0))),
    imageRows,
    ...plan.passes.map(passCode),
    countTo(tall, rowOfBlock),
    set(item, sum(item, integer(1))),
  ];
  const isMore = op(one.lt_u, item, end);
  const driver = { locals, body: [setUp, when(isMore, loop(body, isMore))] };
  return { module: moduleOf(4, [driver, centre, main]), workBytes };

  /** Repeats code for r = 0 … count − 1. The count is at least 1. */
  function countTo(count: Code, code: Code): Code {
    return [set(r, integer(0)), loop([code, set(r, sum(r, integer(1)))], op(one.lt_s, r, count))];
  }

  /** Computes the images around a block. */
  function imageCode(): { readonly images: Code } {
    const [y, position, stop, shift, run, column] = [0, 1, 2, 3, 4, 5].map(variable);
    const [rowRule, columnRule] = checked.boundary;
    const [top, left] = [reach.rows[0], reach.columns[0]];
    const extent = integer(checked.columns);
    const address = (image: number, index: Code): Code => sum(work, product(index, bytesOf(image)), integer(places[image]));
    /** Computes `run` cells from `column` on, for `position` on. */
    const cells = (count: Code): Code => [
      ...images.map((_, i) => memory(storeWord, 4 * (inputs + i), work, address(i, op(one.sub, sum(shift, position), sum(flat, column))))),
      call(1, work, sum(flat, column), sum(flat, column, count), integer(0)),
    ];
    const isBefore = op(one.lt_s, position, integer(0));
    const toEdge = set(run, op(one.sub, op(one.select, least(integer(0), stop), stop, isBefore), position));
    const beyond: Readonly<Record<Boundary, () => Code>> = {
      zero: () => [toEdge, images.map((_, i) => fill(address(i, sum(shift, position)), product(run, bytesOf(i))))],
      clamp: () => {
        const at = variable();
        const copies = images.map((isComplex, i) => {
          const [load, store] = isComplex ? [loadPair, storePair] : [one.load, storeWord];
          const place = address(i, sum(shift, position));
          return memory(store, 0, sum(place, product(at, bytesOf(i))), memory(load, 0, place));
        });
        const isLeft = op(one.lt_s, at, run);
        return [
          toEdge,
          set(column, op(one.select, integer(0), integer(checked.columns - 1), isBefore)),
          cells(integer(1)),
          set(at, integer(1)),
          when(isLeft, loop([...copies, set(at, sum(at, integer(1)))], isLeft)),
        ];
      },
      wrap: () => [
        set(column, wrapped(position, checked.columns)),
        set(run, least(op(one.sub, extent, column), op(one.sub, stop, position))),
        cells(run),
      ],
    };
    const inside: Code = [set(column, position), set(run, op(one.sub, least(extent, stop), position)), cells(run)];
    const line: Code = [
      set(flat, product(sum(first, y), checked.columns)),
      set(position, sum(x0, integer(left))),
      set(stop, sum(x0, wide, integer(reach.columns[1]))),
      set(shift, op(one.sub, product(r, blocks.pitch), position)),
      loop(
        [when(op(one.lt_u, position, extent), inside, beyond[columnRule]()), set(position, sum(position, run))],
        op(one.lt_s, position, stop),
      ),
    ];
    const isInside = op(one.lt_u, y, integer(checked.rows));
    const nothing = images.map((_, i) => fill(address(i, product(r, blocks.pitch)), integer(blocks.pitch * bytesOf(i))));
    const nearest = op(one.select, integer(0), integer(checked.rows - 1), op(one.lt_s, y, integer(0)));
    const moved = rowRule === "wrap" ? wrapped(y, checked.rows) : nearest;
    const rowCode: Code = [
      set(y, sum(y0, r, integer(top))),
      rowRule === "zero" ? when(isInside, line, nothing) : [set(y, op(one.select, y, moved, isInside)), line],
    ];
    return { images: countTo(sum(tall, integer(reach.rows[1] - top)), rowCode) };
  }

  /** A pass over whole buffers: each vector of the result is the sum of the terms' vectors. */
  function passCode({ to, terms, moreRows }: Pass): Code {
    const bytes = bytesOf(to);
    const [at, stop] = [variable(), variable()];
    const used = Math.max(...terms.map(([, , columns]) => columns));
    const place = (buffer: number, rows: number, columns: number): number => places[buffer] + (rows * blocks.pitch + columns) * bytes;
    const step = (more: number): Code => {
      const value = terms.map(([buffer, rows, columns]) => memory(four.load, place(buffer, rows, columns) + more, at));
      return memory(
        four.store,
        places[to] + more,
        at,
        value.reduce((a, b) => op(four.fadd, a, b)),
      );
    };
    // The last cells of the last row are beyond what the terms reach.
    const length = op(one.sub, product(sum(tall, integer(moreRows)), blocks.pitch * bytes), integer(used * bytes));
    return [set(at, work), set(stop, sum(work, length)), loop([step(0), step(16), set(at, sum(at, integer(32)))], op(one.lt_u, at, stop))];
  }
}
