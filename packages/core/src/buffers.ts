/**
 * The buffers of a device: allocation, parts, writes, reads and freeing. The memory of a disposed buffer is freed when no queued work uses
 * it any more.
 */
import { type ArrayState, assertAlive, type BufferState, noteWriting, outcomesOf, places } from "./array-state.ts";
import { checkArray } from "./bindings.ts";
import type { Buffer, Span } from "./device.ts";
import type { Driver, Storage } from "./driver.ts";
import { describe, layoutError, RadarError } from "./errors.ts";
import { checkObject } from "./fields.ts";
import { asHostError } from "./host-memory.ts";
import {
  byteLength,
  checkLayout,
  type DType,
  dtypes,
  elementCount,
  formatLayout,
  isArrayOf,
  isWhole,
  type Layout,
  scalarCount,
  type TypedArrayOf,
  typedArray,
} from "./layout.ts";
import { firstFailure, outcomeOf } from "./taint.ts";

/** Counts the bytes that a device holds now and the most that it has held. */
export interface MemoryMeter {
  bytes: number;
  peakBytes: number;
  /** Counts `bytes` more; a negative number counts fewer. */
  add(bytes: number): void;
}

/** The buffers of one device. */
export interface Buffers<S> {
  /** The state of every buffer that this device made. */
  readonly states: WeakMap<Buffer, BufferState<S>>;
  /** Buffers whose memory has not been freed. Parts are not among them. */
  readonly live: ReadonlySet<Buffer>;
  alloc<D extends DType>(layout: Layout<D>, label?: string): Buffer<D>;
  /** Frees an array's memory if it was disposed of and no queued work uses it. */
  release(array: ArrayState): void;
}

/** Makes a meter that stands at zero. */
export function createMemoryMeter(): MemoryMeter {
  const meter: MemoryMeter = {
    bytes: 0,
    peakBytes: 0,
    add(bytes) {
      meter.bytes += bytes;
      meter.peakBytes = Math.max(meter.peakBytes, meter.bytes);
    },
  };
  return meter;
}

/** Makes the buffers of a device. `assertOpen` must throw if the device was disposed of or is lost. */
export function createBuffers<S extends Storage>(driver: Driver<S>, meter: MemoryMeter, assertOpen: () => void): Buffers<S> {
  const states = new WeakMap<Buffer, BufferState<S>>();
  const live = new Set<Buffer>();
  const freeing = new WeakMap<ArrayState, () => void>();

  const release = (array: ArrayState): void => {
    if (!array.disposed || array.freed || array.pending > 0) return;
    array.freed = true;
    freeing.get(array)?.();
  };

  /** The buffer of a part of an array, or of all of it. `whole` is the array's memory. */
  function bufferOf<D extends DType>(layout: Layout<D>, h: BufferState<S>, whole: S, dispose: () => void): Buffer<D> {
    const { array, label, start } = h;
    const { components } = dtypes[layout.dtype];
    const assertUsable = (): void => {
      assertAlive(h);
      assertOpen();
    };
    /** Keeps the array alive until `end` is called. `outcomes` are those of the writes of the span. */
    const beginReading = (span: Span) => {
      assertUsable();
      checkSpan(span, layout, label);
      const from = start + span.start;
      array.pending += 1;
      const end = (): void => {
        array.pending -= 1;
        release(array);
      };
      return { from, outcomes: outcomesOf(array, from, from + span.count), end };
    };
    const buffer: Buffer<D> = {
      layout,
      label,
      part: (first, count) => {
        assertUsable();
        return partOf(buffer, h, whole, first, count);
      },
      write(data, offset = 0) {
        assertUsable();
        checkData(data, offset, layout, label);
        const from = start + offset;
        try {
          const written = whole.write(data, from * components);
          noteWriting(array, from, from + data.length / components, written && outcomeOf(label, () => written));
        } catch (error) {
          throw asHostError(error, label);
        }
      },
      async read(span: Span = { start: 0, count: elementCount(layout) }) {
        const { from, outcomes, end } = beginReading(span);
        try {
          const target = typedArray(layout.dtype, span.count * components);
          await whole.read(from * components, target);
          const failure = await firstFailure(outcomes);
          if (failure) throw failure;
          return target as TypedArrayOf<D>;
        } catch (error) {
          throw asHostError(error, label);
        } finally {
          end();
        }
      },
      async readInto(target, offset = 0) {
        assertUsable();
        checkData(target, offset, layout, label, "target");
        const { length } = target;
        const { from, outcomes, end } = beginReading({ start: offset, count: length / components });
        // An array of the memory that there is now: one over memory that can grow would grow with it.
        const fixed = target.subarray(0, length);
        const assertWhole = (): void => {
          if (fixed.length !== length)
            throw layoutError("target", `${length} numbers until they are read, not detached or shorter`, fixed.length);
        };
        try {
          await whole.read(from * components, fixed);
          const failure = await firstFailure(outcomes);
          if (failure) throw failure;
          assertWhole();
        } catch (error) {
          assertWhole();
          throw asHostError(error, label);
        } finally {
          end();
        }
      },
      async borrow(span, use) {
        if (typeof use !== "function") throw layoutError("use", "a function", use);
        const { from, outcomes, end } = beginReading(span);
        let mine: { readonly error: unknown } | undefined;
        const lend = async (data: TypedArrayOf): Promise<void> => {
          const failure = await firstFailure(outcomes);
          if (failure) throw failure;
          try {
            await use(data as TypedArrayOf<D>);
          } catch (error) {
            mine = { error };
          }
        };
        try {
          const lent = whole.borrow?.(from * components, span.count * components, lend);
          if (lent) await lent;
          else {
            const copy = typedArray(layout.dtype, span.count * components);
            await whole.read(from * components, copy);
            await lend(copy);
          }
        } catch (error) {
          throw asHostError(error, label);
        } finally {
          end();
        }
        // What the caller's function throws is not an error of the device.
        if (mine) throw mine.error;
      },
      [Symbol.dispose]: dispose,
    };
    if (whole.view) {
      buffer.view = () => {
        assertUsable();
        return whole.view?.().subarray(start * components, start * components + scalarCount(layout)) as TypedArrayOf<D>;
      };
    }
    states.set(buffer as Buffer, h);
    places.set(buffer as Buffer, h);
    return buffer;
  }

  function partOf<D extends DType>({ layout }: Buffer<D>, of: BufferState<S>, whole: S, first: number, count: number): Buffer<D> {
    const [extent, ...row] = layout.shape;
    if (!isWhole(first, 0, extent - 1)) throw layoutError("first", `an integer from 0 to ${extent - 1}`, first);
    if (!isWhole(count, 1, extent - first)) throw layoutError("count", `an integer from 1 to ${extent - first}`, count);
    if (!driver.part) throw new RadarError("unsupported", `device ${driver.id} has no parts of arrays`, { device: driver.id });
    const elements = row.reduce((product, extent) => product * extent, 1);
    const label = `${of.label} part ${first}+${count}`;
    checkAlignment(first, elements, layout, label, driver);
    const part: Layout<D> = { dtype: layout.dtype, shape: Object.freeze([count, ...row]) };
    const start = of.start + first * elements;
    const storage = driver.part(whole, start * dtypes[layout.dtype].components, part, label);
    const h: BufferState<S> = { array: of.array, storage, label, start, count: count * elements, disposed: false };
    return bufferOf(part, h, whole, () => {
      h.disposed = true;
    });
  }

  function alloc<D extends DType>(given: Layout<D>, name?: string): Buffer<D> {
    assertOpen();
    checkLayout(given, "layout");
    const label = name ?? formatLayout(given);
    if (typeof label !== "string") throw layoutError("label", "a string", label);
    checkArray(given, "layout", driver);
    const layout: Layout<D> = { dtype: given.dtype, shape: Object.freeze([...given.shape]) };
    const storage = driver.allocate(layout, label);
    const array: ArrayState = { label, pending: 0, disposed: false, freed: false, writings: [] };
    const h: BufferState<S> = { array, storage, label, start: 0, count: elementCount(layout), disposed: false };
    const buffer = bufferOf(layout, h, storage, () => {
      array.disposed = true;
      release(array);
    });
    freeing.set(array, () => {
      meter.add(-byteLength(layout));
      live.delete(buffer as Buffer);
      storage.free();
    });
    live.add(buffer as Buffer);
    meter.add(byteLength(layout));
    return buffer;
  }

  return { states, live, alloc, release };
}

/** Throws `limit` unless the device can bind a part that begins with row `first`. A row is what one index of the first axis has. */
function checkAlignment(
  first: number,
  elements: number,
  { dtype }: Layout,
  label: string,
  { id, limits: { partAlignment = 1 } }: Driver<Storage>,
): void {
  const { bytes } = dtypes[dtype];
  const rowBytes = bytes * elements;
  if ((first * rowBytes) % partAlignment === 0) return;
  const padded = (Math.ceil(rowBytes / partAlignment) * partAlignment) / bytes;
  let multiple = 2;
  while ((multiple * rowBytes) % partAlignment !== 0) multiple += 1;
  throw new RadarError(
    "limit",
    `first of ${label} must be a multiple of ${multiple}, as parts begin at multiples of ${partAlignment} bytes on device ${id} and rows have ${rowBytes}; with rows of ${padded} elements in place of ${elements} it may be any`,
    { field: "first", actual: first, limit: partAlignment, rowBytes, multiple, padded },
  );
}

/** Throws `layout` unless `data` has the right type, holds whole elements, and fits into the array from element `offset` on. */
function checkData(data: TypedArrayOf, offset: number, layout: Layout, label: string, field: "data" | "target" = "data"): void {
  const { array, components } = dtypes[layout.dtype];
  const fail = (wanted: string, actual: unknown): never => {
    throw new RadarError(
      "layout",
      `${field} ${field === "data" ? "for" : "of a read of"} ${label} must be ${wanted}, not ${describe(actual)}`,
      { field, actual },
    );
  };
  if (!isArrayOf(data, array)) fail(`a ${array.name} that is not detached`, data);
  const room = isWhole(offset, 0) ? scalarCount(layout) - offset * components : -1;
  if (data.length > room || data.length % components !== 0)
    fail(`at most ${Math.max(room, 0)} numbers in whole elements from offset ${describe(offset)}`, data.length);
}

/** Throws `layout` unless `span` lies within the array. */
function checkSpan(span: Span, layout: Layout, label: string): void {
  checkObject(span, "span");
  const { start, count } = span;
  const elements = elementCount(layout);
  if (isWhole(start, 0) && isWhole(count, 0, elements - start)) return;
  throw new RadarError("layout", `span must lie within the ${elements} elements of ${label}, not ${describe(start)}+${describe(count)}`, {
    field: "span",
    start,
    count,
  });
}
