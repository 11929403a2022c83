/**
 * Buffers that both host and device access. They are reused, as allocating them takes much longer than filling them. Uploads use mapped
 * buffers until the device has copied them. Downloads use a few buffers at a time.
 */
import type { RadarError } from "@dechirp/core";
import { type Allocated, allocated } from "./allocation.ts";
import { mapMode, usage } from "./flags.ts";
import type { Batch } from "./pass.ts";

interface Upload {
  readonly buffer: GPUBuffer;
  /** Must be called with the batch that copies the buffer. */
  sent(batch: Batch): void;
}

/** A buffer for a read. */
export interface Download {
  readonly buffer: GPUBuffer;
  /** Resolves with the error if its allocation failed. */
  readonly refused: Promise<RadarError | undefined>;
  /** Whether it was allocated just now, so that its allocation may have failed. */
  readonly isNew: boolean;
  /** Gives the buffer back. One that did not work is not used again. */
  release(worked: boolean): void;
}

const smallBytes = 2 ** 16;
/** The least size of a download buffer. The largest is that of a piece, which is a power of two, too. */
const leastBytes = 256;
const mostUploadBytes = 2 ** 28;
const mostDownloads = 4;

/** The staging buffers of a device. */
export class Staging {
  /** The most bytes of one piece. */
  readonly chunkBytes = 2 ** 23;
  readonly #gpu: GPUDevice;
  readonly #doubt: (refused: Promise<RadarError | undefined>) => void;
  /** Mapped upload buffers that are free. */
  readonly #mapped: GPUBuffer[] = [];
  #uploadBytes = 0;
  readonly #all = new Set<GPUBuffer>();
  /** Download buffers that are free, by size. */
  readonly #free = new Map<number, Allocated<GPUBuffer>[]>();
  #downloads = 0;
  readonly #queue: (() => void)[] = [];
  #closed = false;

  /** `doubt` is called with allocations that may still fail. */
  constructor(gpu: GPUDevice, doubt: (refused: Promise<RadarError | undefined>) => void) {
    this.#gpu = gpu;
    this.#doubt = doubt;
  }

  /**
   * Returns a buffer filled with `data`. Returns undefined if the queue's own copy is better: for little data, with many uploads in
   * flight, or without mappable memory.
   */
  upload(data: Uint8Array): Upload | undefined {
    if (data.length < smallBytes) return undefined;
    const used = this.#mapped.pop() ?? this.#makeUpload();
    if (!used) return undefined;
    try {
      new Uint8Array(used.getMappedRange(0, data.length)).set(data);
    } catch {
      this.#drop(used);
      return undefined;
    }
    used.unmap();
    return {
      buffer: used,
      sent: (batch) => {
        const again = async (): Promise<void> => {
          if (this.#closed) return;
          await used.mapAsync(mapMode.write);
          this.#mapped.push(used);
        };
        batch.done.then(again, again).catch(() => this.#drop(used));
      },
    };
  }

  /** Waits until there are few downloads in flight. */
  async room(): Promise<void> {
    while (this.#downloads >= mostDownloads && !this.#closed) await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  /** Returns a buffer of at least `size` bytes. */
  download(size: number): Download {
    // Sizes are powers of two, so that few are kept, and many reads at the same time take no more memory than twice what they read. On an H200, a read
    // through a new buffer takes 0.94 ms, and 0.09 ms through one that was kept.
    const bytes = Math.max(leastBytes, 2 ** Math.ceil(Math.log2(size)));
    const free = this.#free.get(bytes) ?? [];
    this.#free.set(bytes, free);
    const kept = free.pop();
    const held = kept ?? this.#makeDownload(bytes);
    const { made: buffer, refused } = held;
    this.#all.add(buffer);
    this.#downloads += 1;
    return {
      buffer,
      refused,
      isNew: kept === undefined,
      release: (worked) => {
        // Waits for the result of the allocation, so that nobody allocates another buffer before this one is free again.
        refused.then((failure) => {
          if (failure) this.#all.delete(buffer);
          else if (!this.#closed) {
            // Reads of large arrays wait for room, small ones don't, so there may be many of them.
            if (worked && free.length < mostDownloads) free.push(held);
            else {
              this.#all.delete(buffer);
              buffer.destroy();
            }
          }
          this.#downloads -= 1;
          this.#queue.shift()?.();
        });
      },
    };
  }

  /** A mapped buffer, or undefined if there is no memory for one. */
  #makeUpload(): GPUBuffer | undefined {
    if (this.#uploadBytes + this.chunkBytes > mostUploadBytes) return undefined;
    const descriptor = { label: "upload", size: this.chunkBytes, usage: usage.mapWrite | usage.copySource, mappedAtCreation: true };
    try {
      const { made } = allocated(this.#gpu, "upload", this.chunkBytes, () => this.#gpu.createBuffer(descriptor));
      this.#uploadBytes += this.chunkBytes;
      this.#all.add(made);
      return made;
    } catch {
      return undefined;
    }
  }

  #makeDownload(size: number): Allocated<GPUBuffer> {
    const descriptor = { label: "download", size, usage: usage.mapRead | usage.copyTarget };
    const made = allocated(this.#gpu, "download", size, () => this.#gpu.createBuffer(descriptor));
    this.#doubt(made.refused);
    return made;
  }

  #drop(buffer: GPUBuffer): void {
    if (!this.#all.delete(buffer)) return;
    this.#uploadBytes -= this.chunkBytes;
    buffer.destroy();
  }

  close(): void {
    this.#closed = true;
    for (const buffer of this.#all) buffer.destroy();
    this.#all.clear();
    for (const resolve of this.#queue.splice(0)) resolve();
  }
}
