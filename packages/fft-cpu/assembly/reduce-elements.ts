/**
 * AssemblyScript: how reductions get their elements, as f32 numbers. f32 and c64 arrays are read in place. Integers, and what hooks
 * compute, are first written to work memory.
 */
import { ElementSource, readings } from "./generated/reduce-records";

/** Elements that are fetched at a time, at most. `work` has room for eight pieces of two arrays, and for pairs. */
export const pieceElements: u32 = 1024;
/** Bytes of a piece, with 64 bytes so that neighbours fall into different cache sets. */
export const pieceBytes: usize = 8 * 1024 + 64;
/** Number of pieces in work memory before the hook's. */
const hookPiece: usize = 16;
/** Where work memory for other uses begins. */
export const ownWork: usize = 17 * pieceBytes;

/** The place in elements of an index among axes. */
export function placeOf(axes: usize, count: u32, index: u32): u32 {
  let place: u32 = 0;
  for (let axis = count; axis > 0; axis--) {
    const at = axes + 8 * usize(axis - 1);
    const extent = load<u32>(at);
    // The outermost axis needs no remainder, and most reductions have no other.
    if (axis == 1) return place + index * load<u32>(at, 4);
    place += (index % extent) * load<u32>(at, 4);
    index /= extent;
  }
  return place;
}

function widen<T>(from: usize, count: usize, to: usize): void {
  for (let i: usize = 0; i < count; i++) store<f32>(to + 4 * i, f32(load<T>(from + i * sizeof<T>())));
}

/** The address of `count` elements from `place` on, as f32 numbers. They may be written to piece `piece` of work memory. */
export function fetch(from: ElementSource, isSecond: bool, place: u32, count: u32, work: usize, piece: u32): usize {
  const reading = from.reading;
  const array: usize = isSecond ? from.second : from.source;
  // The second factor is an array also if a hook computes the first.
  if (reading == readings.F32 || (isSecond && reading == readings.Hook)) return array + usize(place) * from.bytes;
  const to = work + usize(piece) * pieceBytes;
  const numbers: usize = usize(count) * from.numbers;
  if (reading != readings.Hook) {
    const address = array + usize(place) * from.bytes;
    if (reading == readings.I8) widen<i8>(address, numbers, to);
    else if (reading == readings.I16) widen<i16>(address, numbers, to);
    else widen<u8>(address, numbers, to);
    return to;
  }
  const isReal = from.numbers == 1;
  const pairs = isReal ? work + hookPiece * pieceBytes : to;
  const row = from.row;
  for (let done: u32 = 0; done < count; ) {
    const run = min(count - done, row - ((place + done) % row));
    call_indirect<void>(from.hook, usize(from.hookArgument), place + done, run, pairs + 8 * usize(done));
    done += run;
  }
  if (isReal) for (let i: usize = 0; i < usize(count); i++) store<f32>(to + 4 * i, load<f32>(pairs + 8 * i));
  return to;
}
