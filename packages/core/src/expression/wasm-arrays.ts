/** Elements of arrays in WebAssembly: loads at computed indices, and stores of four elements or of the last few of a row. */
import { type DType, dtypes, type Layout } from "../layout.ts";
import { kindOfElement } from "./check.ts";
import { type Code, four, integer, lane, memory, memoryLane, one, op, type Section, set, shuffle, type, when } from "./wasm-bytes.ts";
import type { Run, Value } from "./wasm-run.ts";

const [s8, u8, s16, u16] = [0xfd00 + 135, 0xfd00 + 137, 0xfd00 + 167, 0xfd00 + 169];
const high16 = 0xfd00 + 168;

/**
 * How the elements of a type become float32: the instruction that loads one scalar and the one that converts it, and the ones that
 * convert four elements in one vector. Complex integers take the second list for the last two elements.
 */
const forms: Readonly<Partial<Record<DType, readonly [load: number, convert: number, all: readonly number[], more?: readonly number[]]>>> =
  {
    f32: [0x2a, 0, []],
    c64: [0x2a, 0, []],
    u32: [0x28, 0, []],
    i8: [0x2c, 0xb2, [s8, s16, four.fromI32]],
    u8: [0x2d, 0xb2, [u8, u16, four.fromI32]],
    i16: [0x2e, 0xb2, [s16, four.fromI32]],
    ci8: [0x2c, 0xb2, [s16, four.fromI32], [high16, four.fromI32]],
    ci16: [0x2e, 0xb2, [s16, four.fromI32], [high16, four.fromI32]],
  };

/** Whether there is code for this element type. */
export const hasForm = (dtype: DType): boolean => forms[dtype] !== undefined;

const times = (code: Code, factor: number): Code =>
  factor === 1
    ? code
    : (factor & (factor - 1)) === 0 && factor > 0
      ? op(one.shl, code, integer(Math.log2(factor)))
      : op(one.mul, code, integer(factor));

/** Four elements of a type from vectors that hold their bytes: one vector of numbers, or two of complex numbers. */
function decode(dtype: DType, raw: readonly Code[]): readonly Code[] {
  const [, , all, more] = forms[dtype] as NonNullable<(typeof forms)[DType]>;
  const convert = (list: readonly number[], code: Code): Code => list.reduce<Code>((value, instruction) => op(instruction, value), code);
  return more ? [convert(all, raw[0]), convert(more, raw[0])] : raw.map((code) => convert(all, code));
}

/** Four neighbouring elements, `offset` bytes beyond an address. */
export function adjacent(run: Run, dtype: DType, address: Code, offset = 0): readonly Code[] {
  const { bytes } = dtypes[dtype];
  if (bytes === 8) return [offset, offset + 16].map((at) => memory(four.load, at, address));
  const instruction = dtype === "ci8" ? four.load8 : [four.load32, four.load64, 0, four.load][bytes - 1];
  return decode(dtype, [run.keep(memory(instruction, offset, address))]);
}

/** Four elements, `offset` bytes beyond addresses, which lie `pitch` bytes apart if there is one address. */
export function gathered(run: Run, dtype: DType, addresses: readonly Code[], pitch = 0, offset = 0): readonly Code[] {
  const { bytes } = dtypes[dtype];
  const read = (first: number, end: number): Code => {
    let code: Code = run.bits(0);
    for (let i = first; i < end; i++)
      code = memoryLane(true, bytes, i - first, offset + i * pitch, addresses[addresses.length > 1 ? i : 0], code);
    return code;
  };
  if (bytes === 8) return [read(0, 2), read(2, 4)];
  return decode(dtype, [run.keep(dtype === "ci8" ? op(s8, read(0, 4)) : read(0, 4))]);
}

export const lanesOf = (run: Run, vector: Code): readonly Code[] => {
  const kept = run.keep(vector);
  return [0, 1, 2, 3].map((i) => run.keep(lane(four.lane, i, kept), type.i32));
};

/** Elements of an array at a constant distance of `stride` bytes, the one of index 0 at `address`. */
function strided(run: Run, dtype: DType, address: Code, stride: number): readonly Code[] {
  const { bytes } = dtypes[dtype];
  if (run.tail || stride < 0 || stride >= 2 ** 29)
    return gathered(run, dtype, lanesOf(run, op(four.add, op(four.splat, address), run.indices(stride))));
  const here = run.keep(op(one.add, address, times(run.index, stride)), type.i32);
  return stride === bytes ? adjacent(run, dtype, here) : gathered(run, dtype, [here], stride);
}

/** Four elements from `address`, which is that of index 0 of the last axis. */
export function readRun(run: Run, dtype: DType, address: Code): readonly Code[] {
  return strided(run, dtype, address, dtypes[dtype].bytes);
}

/** An element of a source. `inside`: zero if an index is outside the array. Otherwise the nearest index inside counts. */
export function load(
  run: Run,
  base: Code,
  { dtype, shape }: Layout,
  indices: readonly Value[],
  ranges: readonly (readonly [number, number])[],
  inside: boolean,
  place: number,
): Value {
  const { bytes } = dtypes[dtype];
  const [loadOne, convert] = forms[dtype] as NonNullable<(typeof forms)[DType]>;
  const kind = kindOfElement(dtype);
  const count = kind === "complex" ? 2 : 1;
  let numbers = 0;
  /** Computes a number that all bodies share, if it does not belong to one of them. */
  const put = (section: Section, code: Code): Code =>
    section === run.once || section === run.row
      ? run.shared(section, `${place} ${numbers++}`, type.i32, () => code)
      : run.put(section, type.i32, code);
  let section = run.once;
  let stride = 0;
  let address = base;
  let isInside: Code | undefined;
  const others: { value: Value; last: number; scale: number; proven: boolean }[] = [];
  let scale = bytes;
  const isProven = (axis: number): boolean => ranges[axis][0] >= 0 && ranges[axis][1] < shape[axis];
  // With one index that passes the end of its axis along the row, the row is split there.
  const open = indices
    .map((_, axis) => axis)
    .filter((axis) => indices[axis].stride === undefined || (indices[axis].stride !== 0 && !isProven(axis)));
  const parting =
    open.length === 1
      ? run.ofNode(place, () => (run.canSplit(indices[open[0]]) ? splitAt(run, indices[open[0]], shape[open[0]] - 1) : undefined))
      : undefined;
  let partingScale = 0;
  for (let axis = shape.length - 1; axis >= 0; scale *= shape[axis--]) {
    const value = indices[axis];
    const last = Math.min(shape[axis], 2 ** 31) - 1;
    const proven = isProven(axis);
    if (parting && axis === open[0]) {
      section = run.inner(section, run.row);
      partingScale = scale;
      continue;
    }
    if (value.stride === undefined || (value.stride !== 0 && !proven)) {
      others.push({ value, last, scale, proven });
      continue;
    }
    section = run.inner(section, value.section);
    run.at = section;
    let [index] = run.scalarOf(value);
    if (!proven && inside) {
      const flag = put(value.section, op(one.le_u, index, integer(last)));
      isInside = isInside ? op(one.and, isInside, flag) : flag;
      index = op(one.select, index, integer(0), flag);
    } else if (!proven) {
      index = put(value.section, op(one.select, index, integer(last), op(one.lt_s, index, integer(last))));
      index = op(one.select, index, integer(0), op(one.lt_s, integer(0), index));
    }
    stride += value.stride * scale;
    if (index[0] !== 0x41 || index[1] !== 0 || index.length > 2) address = put(section, op(one.add, address, times(index, scale)));
  }
  const at = section;
  if (others.length === 0 && stride === 0 && !parting) {
    const scalar = Array.from({ length: count }, (_, part) => {
      const raw = memory(loadOne, (part * bytes) / 2, address);
      const number = convert ? op(convert, raw) : raw;
      const zero = kind === "u32" ? integer(0) : [0x43, 0, 0, 0, 0];
      return run.put(at, kind === "u32" ? type.i32 : type.f32, isInside ? op(one.select, number, zero, isInside) : number);
    });
    return { kind, section: at, stride: 0, scalar };
  }
  section = run.inner(at, run.body, ...others.map(({ value }) => value.section));
  run.at = section;
  const parts = Array.from({ length: count }, () => run.variable(section, type.v128));
  const assign = (codes: readonly Code[]): void => {
    for (const [i, code] of codes.entries()) run.at.code.push(set(parts[i], code));
  };
  const elsewhere = (): void => {
    let places: Code = op(four.splat, address);
    if (stride !== 0) places = op(four.add, places, run.indices(stride));
    let mask: Code | undefined;
    for (const { value, last, scale, proven } of others) {
      const [index] = run.vectorOf(value);
      const limited = proven ? index : op(four.min, op(four.max, index, run.bits(0)), run.bits(last));
      const product =
        (scale & (scale - 1)) === 0 ? op(four.shl, limited, integer(Math.log2(scale))) : op(four.mul, limited, run.bits(scale));
      places = op(four.add, places, product);
      if (proven || !inside) continue;
      const flag = op(four.leu, index, run.bits(last));
      mask = mask ? op(four.and, mask, flag) : flag;
    }
    const vector = run.keep(places);
    const apart = (): void => assign(gathered(run, dtype, lanesOf(run, vector)));
    if (run.tail || fast || !others.some(({ scale }) => scale === bytes)) apart();
    else {
      // Neighbours are read together.
      const first = run.keep(lane(four.lane, 0, vector), type.i32);
      const expected = op(
        four.add,
        op(four.splat, first),
        run.shared(run.once, `lanes ${bytes}`, type.v128, () => lanesTimes(bytes)),
      );
      const together = run.branch(() => assign(adjacent(run, dtype, first)));
      run.at.code.push(when(op(four.all, op(four.eq, vector, expected)), together, run.branch(apart)));
    }
    if (mask) {
      const kept = run.keep(mask);
      const masks = count === 1 ? [kept] : [shuffle(kept, kept, 0, 0, 1, 1), shuffle(kept, kept, 2, 2, 3, 3)];
      assign(parts.map((part, i) => op(four.and, part, masks[i])));
    }
  };
  const [{ value, last, scale: step } = { value: undefined, last: 0, scale: 0 }] = others;
  const fast = !run.tail && others.length === 1 && value?.stride === 1 && step === bytes && stride === 0 && last >= 3;
  if (parting) {
    const [isIn, first, nearest] = parting;
    // The other indices may change with the terms of a sum. Then the address is not known yet when the row begins.
    const known = at === run.row;
    const sumOf = (offset: Code): Code => op(one.add, address, times(offset, partingScale));
    const early = (offset: Code): Code => put(run.row, known ? sumOf(offset) : offset);
    const late = (offset: Code): Code => (known ? offset : run.keep(sumOf(offset), type.i32));
    const inner = early(op(one.sub, first, run.index));
    const outer = inside ? [] : early(nearest);
    const within = run.branch(() => assign(strided(run, dtype, late(inner), stride + partingScale)));
    const beyond = run.branch(() => assign(inside ? parts.map(() => run.bits(0)) : strided(run, dtype, late(outer), stride)));
    run.at.code.push(run.apart ? when(isIn, within, beyond) : within);
  } else if (others.length === 0) assign(strided(run, dtype, address, stride));
  else if (fast) {
    const first = run.keep(op(one.add, run.scalarOf(value as Value)[0], run.index), type.i32);
    const together = run.branch(() => {
      const here = run.keep(op(one.add, address, times(first, bytes)), type.i32);
      assign(adjacent(run, dtype, here));
    });
    run.at.code.push(when(op(one.lt_u, first, integer(last - 2)), together, run.branch(elsewhere)));
  } else elsewhere();
  if (isInside) {
    const mask = run.keep(op(four.splat, op(one.sub, integer(0), isInside)));
    assign(parts.map((part) => op(four.and, part, mask)));
  }
  return { kind, section, ...(count === 2 ? { pairs: parts } : { vector: parts }) };
}

/** Splits rows where an index enters or leaves an axis: whether it is on it, its first value, and the nearest index on the axis. */
function splitAt(run: Run, { scalar }: Value, last: number): readonly [Code, Code, Code] {
  const [base] = scalar as readonly Code[];
  const isNegative = (first: Code): Code => op(one.lt_s, first, integer(0));
  const first = run.split(base, (first) => {
    const beyond = op(one.select, integer(last), integer(2 ** 31 - 1), op(one.le_s, first, integer(last)));
    return op(one.select, integer(-1), beyond, isNegative(first));
  });
  const nearest = op(one.select, integer(0), integer(last), isNegative(first));
  const isIn = run.put(run.row, type.i32, op(one.le_u, first, integer(last)));
  run.partings.push(isIn);
  return [isIn, first, nearest];
}

/** 0, 1, 2, 3 times a number of bytes. */
export const lanesTimes = (bytes: number): Code => {
  const out = [0xfd, 12];
  for (let i = 0; i < 4; i++) out.push(i * bytes, 0, 0, 0);
  return out;
};

/** Writes four elements, or the last few, from `address`, which is that of index 0 of the last axis. */
export function writeRun(run: Run, dtype: DType, address: Code, value: Value): void {
  run.at = run.body;
  const { bytes, components, float } = dtypes[dtype];
  const raw = components === 2 ? encodeComplex(run, dtype, value) : [encodeReal(run, dtype, float, value)];
  const here = run.keep(op(one.add, address, times(run.index, bytes)), type.i32);
  const kept = raw.map((code) => run.keep(code));
  const { code } = run.at;
  if (!run.tail) {
    if (bytes >= 4) for (const [i, part] of kept.entries()) code.push(memory(four.store, 16 * i, here, part));
    else code.push(memoryLane(false, 4 * bytes, 0, 0, here, kept[0]));
    return;
  }
  for (let i = 0; i < 3; i++) {
    const part = bytes === 8 && i > 1 ? kept[1] : kept[0];
    const write = memoryLane(false, bytes, bytes === 8 ? i & 1 : i, i * bytes, here, part);
    code.push(i === 0 ? write : when(op(one.lt_s, op(one.add, run.index, integer(i)), run.end), write));
  }
}

/** Rounds to the nearest integer, ties away from zero: adds the largest number below ½ with the same sign. */
const rounded = (run: Run, code: Code, instruction: number = four.toI32): Code => {
  const x = run.keep(code);
  const half = op(four.or, op(four.and, x, run.bits(0x80000000)), run.bits(0x3effffff));
  return op(instruction, op(four.fadd, x, half));
};

const narrow = (run: Run, dtype: DType, a: Code, b: Code): Code => {
  const short = run.keep(op(four.narrow16, a, b));
  return dtype.endsWith("16") ? short : op(dtype === "u8" ? four.narrow8u : four.narrow8s, short, short);
};

function realOf(run: Run, value: Value): Code {
  const [part] = run.vectorOf(value);
  if (value.kind === "bool") return op(four.fromI32, op(four.and, part, run.bits(1)));
  return value.kind === "i32" ? op(four.fromI32, part) : value.kind === "u32" ? op(four.fromU32, part) : part;
}

function encodeComplex(run: Run, dtype: DType, value: Value): readonly Code[] {
  const pairs =
    value.kind === "complex"
      ? run.pairsOf(value)
      : run.pairsOf({ kind: "complex", section: run.body, vector: [run.keep(realOf(run, value)), run.bits(0)] });
  return dtype === "c64" ? pairs : [narrow(run, dtype, rounded(run, pairs[0]), rounded(run, pairs[1]))];
}

function encodeReal(run: Run, dtype: DType, isFloat: boolean, value: Value): Code {
  if (isFloat) return realOf(run, value);
  const { kind } = value;
  const [part] = run.vectorOf(value);
  const unsigned = dtype === "u32";
  const whole =
    kind === "real" || kind === "complex"
      ? rounded(run, part, unsigned ? four.toU32 : four.toI32)
      : kind === "bool"
        ? op(four.and, part, run.bits(1))
        : kind === "i32"
          ? unsigned
            ? op(four.max, part, run.bits(0))
            : part
          : unsigned
            ? part
            : op(four.minu, part, run.bits(0x7fffffff));
  if (unsigned) return whole;
  const kept = run.keep(whole);
  return narrow(run, dtype, kept, kept);
}
