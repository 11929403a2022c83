/**
 * Arrays on the device: one buffer each, or several segments if one buffer would be larger than a binding may be. A write copies the data
 * into reused staging memory at once. A read copies pieces through reused staging memory into the returned array.
 */
import { byteLength, dtypes, type Layout, RadarError, type TypedArrayOf, typedArray } from "@dechirp/core";
import type { Storage } from "@dechirp/core/backend";
import { elementsPerWord, wordBytes } from "./accessors.ts";
import { allocated, ignoringErrors } from "./allocation.ts";
import { mapMode, usage } from "./flags.ts";
import type { Batch, Commands } from "./pass.ts";
import type { Download, Staging } from "./staging.ts";
import type { Timeline } from "./timeline.ts";

/** The parts of the engine that arrays need. */
export interface Host {
  readonly gpu: GPUDevice;
  readonly commands: Commands;
  readonly timeline: Timeline;
  readonly staging: Staging;
  /** The largest size of a segment in bytes, a power of two. */
  readonly segmentBytes: number;
  /** Overwrites some bytes of a word. */
  patch(array: GpuArray, segment: number, word: number, mask: number, value: number): Batch;
  /** The error that ended the device, if it has ended. */
  ended(): RadarError | undefined;
}

/** Arrays of this many bytes or more are used in separate submissions until the device has confirmed their memory. */
const doubtfulBytes = 2 ** 24;

let count = 0;

/** The buffers of an array, which its parts share. */
class Memory {
  /** Unique among all arrays. */
  readonly id = count++;
  readonly bytes: number;
  readonly segments: readonly GPUBuffer[];
  readonly allocated: Promise<RadarError | undefined>;
  failure: RadarError | undefined;
  settled = false;
  reading: Promise<unknown> | undefined;
  freed = false;

  constructor(layout: Layout, label: string, { gpu, commands, segmentBytes }: Host) {
    this.bytes = byteLength(layout);
    const size = 4 * Math.ceil(this.bytes / 4);
    const segments: GPUBuffer[] = [];
    const make = (): void => {
      for (let start = 0; start < size; start += segmentBytes) {
        segments.push(
          gpu.createBuffer({
            label,
            size: Math.max(16, Math.min(segmentBytes, size - start)),
            usage: usage.storage | usage.copySource | usage.copyTarget,
          }),
        );
      }
    };
    try {
      this.allocated = allocated(gpu, label, size, make).refused.then((refused) => {
        this.failure = refused;
        this.settled = true;
        return refused;
      });
    } catch (error) {
      for (const segment of segments) segment.destroy();
      throw error;
    }
    commands.doubt(this.allocated);
    this.segments = segments;
  }
}

/** An array on the device, or a part of one that begins at byte `start` of its memory. */
export class GpuArray implements Storage {
  readonly layout: Layout;
  readonly memory: Memory;
  /** Equal for arrays of one layout only if they are the same array. */
  readonly id: string;
  readonly #start: number;
  readonly #host: Host;

  constructor(layout: Layout, host: Host, memory: Memory, start: number) {
    this.layout = layout;
    this.memory = memory;
    this.id = `${memory.id}+${start}`;
    this.#start = start;
    this.#host = host;
  }

  static allocate(layout: Layout, label: string, host: Host): GpuArray {
    return new GpuArray(layout, host, new Memory(layout, label, host), 0);
  }

  /** The part that has `layout` from scalar `start` on. Throws `limit` if it lies in two segments and does not begin with one. */
  part(start: number, layout: Layout, label: string): GpuArray {
    const { segmentBytes } = this.#host;
    const { components, bytes } = dtypes[layout.dtype];
    const byte = (start / components) * bytes;
    if (byte % segmentBytes !== 0 && (byte % segmentBytes) + byteLength(layout) > segmentBytes)
      throw new RadarError(
        "limit",
        `${label} must not contain byte ${segmentBytes * Math.ceil(byte / segmentBytes)} of the array unless it begins there, as the device binds at most ${segmentBytes} bytes at once`,
        { field: "first", limit: segmentBytes, actual: byte },
      );
    return new GpuArray(layout, this.#host, this.memory, byte);
  }

  /** What a kernel binds: one buffer for each segment. */
  get bindings(): readonly GPUBufferBinding[] {
    const { segmentBytes } = this.#host;
    const { bytes, segments } = this.memory;
    const length = byteLength(this.layout);
    if (length === bytes) return segments.map((buffer) => ({ buffer }));
    const first = Math.floor(this.#start / segmentBytes);
    const offset = this.#start % segmentBytes;
    return Array.from({ length: Math.ceil((offset + length) / segmentBytes) }, (_, s) => ({
      buffer: segments[first + s],
      offset,
      // Whole words. A part that ends within a word is followed by no other part in that word.
      size: 4 * Math.ceil(Math.min(segmentBytes, length - s * segmentBytes) / 4),
    }));
  }

  get segments(): readonly GPUBuffer[] {
    return this.memory.segments;
  }

  /** Resolves with the error if the allocation failed, else with undefined. */
  get allocated(): Promise<RadarError | undefined> {
    return this.memory.allocated;
  }

  /** The same error, once it is known. */
  get failure(): RadarError | undefined {
    return this.memory.failure;
  }

  get settled(): boolean {
    return this.memory.settled;
  }

  /** Settles when reads in several pieces are done. Writes to the array wait for it. */
  get reading(): Promise<unknown> | undefined {
    return this.memory.reading;
  }

  /** Writes data. The returned promise rejects if the device refuses the copy. */
  write(data: TypedArrayOf, offset: number): Promise<void> | undefined {
    const { timeline } = this.#host;
    if (!timeline.busy && !this.reading) return this.writeNow(data, offset);
    // A copy, as the caller may change the data. slice() of a Node Buffer would share its memory.
    const copy = typedArray(this.layout.dtype, data.length);
    copy.set(data);
    return timeline
      .after(
        [this.memory],
        () => [this.reading],
        // Wrapped in an object so that it is not awaited, as the timeline need not wait for the device.
        () => ({ written: this.writeNow(copy, offset) }),
      )
      .then(({ written }) => written);
  }

  /** Whether the array is large and the device has not confirmed its memory yet. */
  get doubtful(): boolean {
    return !this.settled && this.memory.bytes >= doubtfulBytes;
  }

  /** Records the copy now, without waiting for the timeline. */
  writeNow(data: TypedArrayOf, offset: number): Promise<void> | undefined {
    if (data.length === 0 || this.memory.freed || this.failure) return undefined;
    const source = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const start = this.#start + offset * data.BYTES_PER_ELEMENT;
    const batches = this.doubtful ? this.#host.commands.apart(() => this.#writeBytes(source, start)) : this.#writeBytes(source, start);
    if (batches.size === 0) return undefined;
    const written = Promise.all([...batches].map(({ done }) => done)).then(() => {});
    written.catch(() => {});
    return written;
  }

  /** Writes bytes from byte `start` of the memory on: whole words by copies, parts of words by patches. Returns the batches that contain the writes. */
  #writeBytes(source: Uint8Array, start: number): ReadonlySet<Batch> {
    const { segmentBytes } = this.#host;
    const batches = new Set<Batch>();
    let at = 0;
    while (at < source.length) {
      const byte = start + at;
      const segment = Math.floor(byte / segmentBytes);
      const within = byte % segmentBytes;
      const room = Math.min(segmentBytes - within, source.length - at);
      const wholeWords = within % 4 === 0 ? 4 * Math.floor(room / 4) : 0;
      if (wholeWords > 0) {
        this.#copyIn(source.subarray(at, at + wholeWords), segment, within, batches);
        at += wholeWords;
      } else {
        const size = Math.min(4 - (within % 4), room);
        let [mask, value] = [0, 0];
        for (let b = 0; b < size; b++) {
          const shift = 8 * ((within % 4) + b);
          mask |= 255 << shift;
          value |= source[at + b] << shift;
        }
        batches.add(this.#host.patch(this, segment, Math.floor(within / 4), mask >>> 0, value >>> 0));
        at += size;
      }
    }
    return batches;
  }

  #copyIn(source: Uint8Array, segment: number, offset: number, batches: Set<Batch>): void {
    const { commands, staging } = this.#host;
    for (let at = 0; at < source.length; at += staging.chunkBytes) {
      const part = source.subarray(at, at + staging.chunkBytes);
      const stage = staging.upload(part);
      if (stage) {
        const batch = commands.copy(stage.buffer, 0, this.segments[segment], offset + at, part.length);
        stage.sent(batch);
        batches.add(batch);
      } else commands.write(this.segments[segment], offset + at, part, !this.settled);
    }
  }

  async read(offset: number, target: TypedArrayOf): Promise<void> {
    const { timeline, staging } = this.#host;
    if (target.length === 0) return;
    const start = offset * target.BYTES_PER_ELEMENT;
    const record = (): Promise<void> => {
      const work = this.readNow(new Uint8Array(target.buffer, target.byteOffset, target.byteLength), start);
      // Long reads take several pieces, so later writes must wait until all have been read.
      if (target.byteLength > staging.chunkBytes) this.#guard(work);
      return work;
    };
    await (timeline.isWritten(this.memory) ? timeline.record(record) : record());
  }

  /** Calls `use` with a span of a mapped buffer. Undefined if it does not fit one. */
  borrow(offset: number, length: number, use: (data: TypedArrayOf) => Promise<void>): Promise<void> | undefined {
    const { staging, segmentBytes } = this.#host;
    const { array } = dtypes[this.layout.dtype];
    const size = length * array.BYTES_PER_ELEMENT;
    const byte = this.#start + offset * array.BYTES_PER_ELEMENT;
    const within = byte % segmentBytes;
    if (length === 0 || size > staging.chunkBytes || within + size > segmentBytes || within % 4 !== 0 || size % 4 !== 0) return undefined;
    return this.#lend(byte, size, (mapped) => use(new array(mapped.buffer as ArrayBuffer, mapped.byteOffset, length) as TypedArrayOf));
  }

  /** Calls `use` with bytes of one segment in a mapped buffer. */
  async #lend(byte: number, size: number, use: (mapped: Uint8Array) => Promise<void>): Promise<void> {
    const { timeline, staging, segmentBytes, commands } = this.#host;
    await staging.room();
    const record = (): Promise<void> => {
      if (this.failure) throw this.failure;
      const stage = staging.download(size);
      const copy = (): Batch => commands.copy(this.segments[Math.floor(byte / segmentBytes)], byte % segmentBytes, stage.buffer, 0, size);
      const batch = this.doubtful ? commands.apart(copy) : copy();
      commands.flush();
      return this.#arrive(batch, stage, size, use);
    };
    await (timeline.isWritten(this.memory) ? timeline.record(record) : record());
  }

  #guard(read: Promise<void>): void {
    const { memory } = this;
    const all = Promise.allSettled([memory.reading, read]).then(() => {
      if (memory.reading === all) memory.reading = undefined;
    });
    memory.reading = all;
  }

  /** Reads bytes from `start` on, as of the commands recorded so far, without waiting for the timeline. */
  async readNow(target: Uint8Array, start: number): Promise<void> {
    const { commands, staging, segmentBytes } = this.#host;
    if (this.failure) throw this.failure;
    const pending: Promise<void>[] = [];
    let at = 0;
    while (at < target.length) {
      const byte = this.#start + start + at;
      const segment = Math.floor(byte / segmentBytes);
      const within = byte % segmentBytes;
      const skip = within % 4;
      const size = Math.min(segmentBytes - within, target.length - at, staging.chunkBytes - skip);
      const part = target.subarray(at, at + size);
      const wide = 4 * Math.ceil((skip + size) / 4);
      if (at > 0) await staging.room();
      const stage = staging.download(wide);
      const copy = (): Batch => commands.copy(this.segments[segment], within - skip, stage.buffer, 0, wide);
      const batch = this.doubtful ? commands.apart(copy) : copy();
      commands.flush();
      const arrived = this.#arrive(batch, stage, wide, (mapped) => part.set(mapped.subarray(skip, skip + size)));
      arrived.catch(() => {});
      pending.push(arrived);
      at += size;
    }
    await Promise.all(pending);
  }

  async #arrive(
    batch: Batch,
    { buffer, refused: none, isNew, release }: Download,
    size: number,
    use: (mapped: Uint8Array) => unknown,
  ): Promise<void> {
    const mapped = ignoringErrors(this.#host.gpu, isNew, () => buffer.mapAsync(mapMode.read, 0, size)).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    let worked = false;
    try {
      // If the device refuses the copy, the buffer keeps its old contents and can still be mapped, so the batch is awaited first.
      await batch.done;
      const refused = await mapped;
      if (refused) throw await this.#host.commands.failure("a read", refused.error);
      const ended = this.#host.ended();
      if (ended) throw ended;
      worked = true;
      await use(new Uint8Array(buffer.getMappedRange(0, size)));
    } catch (error) {
      throw (await this.allocated) ?? (await none) ?? error;
    } finally {
      mapped.then((refused) => {
        if (!refused) buffer.unmap();
        release(worked);
      });
    }
  }

  free(): void {
    this.memory.freed = true;
    this.#host.commands.retire(this.segments);
  }
}

/** Number of elements in one segment of an array of this layout. */
export function segmentElements(layout: Layout, segmentBytes: number): number {
  const { dtype } = layout;
  return (segmentBytes / wordBytes(dtype)) * elementsPerWord(dtype);
}
