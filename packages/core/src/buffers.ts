/**
 * The buffers of a device: allocation, writes, reads and freeing. The memory of a disposed buffer is freed when no queued work uses it
 * any more.
 */
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
} from "./layout.ts";
import { firstFailure, type Outcome, outcomeOf, succeeded } from "./taint.ts";

/** What a device knows about one of its buffers. */
export interface BufferState<S> {
  readonly storage: S;
  readonly label: string;
  /** Number of unfinished reads and runs that use the buffer. */
  pending: number;
  disposed: boolean;
  freed: boolean;
  /** Outcome of the last run or write that was queued for this array. A read keeps the outcome that it saw when it was queued. */
  content: Outcome;
}

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
  /** Buffers whose memory has not been freed. */
  readonly live: ReadonlySet<Buffer>;
  alloc<D extends DType>(layout: Layout<D>, label?: string): Buffer<D>;
  /** Frees the buffer's memory if it was disposed of and no queued work uses it. */
  release(buffer: Buffer): void;
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

  const free = (buffer: Buffer, h: BufferState<S>): void => {
    if (!h.disposed || h.freed || h.pending > 0) return;
    h.freed = true;
    meter.add(-byteLength(buffer.layout));
    live.delete(buffer);
    h.storage.free();
  };

  const assertUsable = (h: BufferState<S>): void => {
    if (h.disposed) throw new RadarError("disposed", `buffer ${h.label} was disposed`, { buffer: h.label });
    assertOpen();
  };

  function alloc<D extends DType>(given: Layout<D>, name?: string): Buffer<D> {
    assertOpen();
    checkLayout(given, "layout");
    const label = name ?? formatLayout(given);
    if (typeof label !== "string") throw layoutError("label", "a string", label);
    checkArray(given, "layout", driver);
    const layout: Layout<D> = { dtype: given.dtype, shape: Object.freeze([...given.shape]) };
    const h: BufferState<S> = {
      storage: driver.allocate(layout, label),
      label,
      pending: 0,
      disposed: false,
      freed: false,
      content: succeeded,
    };
    const { components } = dtypes[layout.dtype];
    const buffer: Buffer<D> = {
      layout,
      label,
      write(data, offset = 0) {
        assertUsable(h);
        checkData(data, offset, layout, label);
        const before = data.length === scalarCount(layout) ? succeeded : h.content;
        try {
          const written = h.storage.write(data, offset * components);
          h.content = written ? firstFailure([before, outcomeOf(label, () => written)]) : before;
        } catch (error) {
          throw asHostError(error, label);
        }
      },
      async read(span: Span = { start: 0, count: elementCount(layout) }) {
        assertUsable(h);
        checkSpan(span, layout, label);
        h.pending += 1;
        const { content } = h;
        try {
          const data = await h.storage.read(span.start * components, span.count * components);
          const failure = await content;
          if (failure) throw failure;
          return data as TypedArrayOf<D>;
        } catch (error) {
          throw asHostError(error, label);
        } finally {
          h.pending -= 1;
          free(buffer as Buffer, h);
        }
      },
      [Symbol.dispose]() {
        if (h.disposed) return;
        h.disposed = true;
        free(buffer as Buffer, h);
      },
    };
    if (h.storage.view) {
      buffer.view = () => {
        assertUsable(h);
        return h.storage.view?.() as TypedArrayOf<D>;
      };
    }
    states.set(buffer as Buffer, h);
    live.add(buffer as Buffer);
    meter.add(byteLength(layout));
    return buffer;
  }

  return {
    states,
    live,
    alloc,
    release(buffer) {
      const h = states.get(buffer);
      if (h) free(buffer, h);
    },
  };
}

/** Throws `layout` unless `data` has the right type, holds whole elements, and fits into the array from element `offset` on. */
function checkData(data: TypedArrayOf, offset: number, layout: Layout, label: string): void {
  const { array, components } = dtypes[layout.dtype];
  const fail = (wanted: string, actual: unknown): never => {
    throw new RadarError("layout", `data for ${label} must be ${wanted}, not ${describe(actual)}`, { field: "data", actual });
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
