/**
 * Memory that both host and device see, kept and used again: making it costs far more than filling it. Uploads take mapped
 * buffers and give them back when the device has copied; downloads take buffers in turn, a few at a time.
 */
import type { RadarError } from "@dechirp/core";
import { type Allocated, allocated } from "./allocation.ts";
import { mapMode, usage } from "./flags.ts";
import type { Batch } from "./pass.ts";

interface Upload {
  readonly buffer: GPUBuffer;
  /** To be told what copies it. */
  sent(batch: Batch): void;
}

export interface Download {
  readonly buffer: GPUBuffer;
  /** Resolves with what went wrong with its allocation. */
  readonly refused: Promise<RadarError | undefined>;
  /** Whether it was made just now, and may be no use. */
  readonly isNew: boolean;
  release(): void;
}

const smallBytes = 2 ** 16;
const mostUploadBytes = 2 ** 28;
const mostDownloads = 4;

export class Staging {
  /** Most bytes of one piece. */
  readonly chunkBytes = 2 ** 23;
  readonly #gpu: GPUDevice;
  readonly #doubt: (refused: Promise<RadarError | undefined>) => void;
  /** Mapped upload buffers that nobody uses. */
  readonly #mapped: GPUBuffer[] = [];
  #uploadBytes = 0;
  readonly #all = new Set<GPUBuffer>();
  readonly #free: Allocated<GPUBuffer>[] = [];
  #downloads = 0;
  readonly #queue: (() => void)[] = [];
  #closed = false;

  /** `doubt` is told of allocations that may yet turn out to have failed. */
  constructor(gpu: GPUDevice, doubt: (refused: Promise<RadarError | undefined>) => void) {
    this.#gpu = gpu;
    this.#doubt = doubt;
  }

  /**
   * A buffer filled with `data`, or nothing where the queue's own copy is better: little data, too much under way, or no memory that
   * can be mapped.
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

  /** Waits until few downloads are under way. */
  async room(): Promise<void> {
    while (this.#downloads >= mostDownloads && !this.#closed) await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  /** A buffer of at least `size` bytes. */
  download(size: number): Download {
    const small = size <= smallBytes;
    const kept = small ? undefined : this.#free.pop();
    const held = kept ?? this.#makeDownload(small ? Math.max(16, size) : this.chunkBytes);
    const { made: buffer, refused } = held;
    if (!small) this.#all.add(buffer);
    this.#downloads += 1;
    return {
      buffer,
      refused,
      isNew: kept === undefined,
      release: () => {
        if (small) buffer.destroy();
        // By now the device has said whether it is any good: nobody who waits makes another before it is free.
        refused.then((failure) => {
          if (failure) this.#all.delete(buffer);
          else if (!small && !this.#closed) this.#free.push(held);
          this.#downloads -= 1;
          this.#queue.shift()?.();
        });
      },
    };
  }

  /** A mapped buffer, or nothing where there is no memory for one. */
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
