/**
 * Memory that both host and device see, kept and used again: making it costs far more than filling it. Uploads take mapped
 * buffers and give them back when the device has copied; downloads take buffers in turn, a few at a time.
 */
import { mapMode, usage } from "./flags.ts";
import type { Batch } from "./pass.ts";

interface Upload {
  readonly buffer: GPUBuffer;
  /** To be told what copies it. */
  sent(batch: Batch): void;
}

export interface Download {
  readonly buffer: GPUBuffer;
  release(): void;
}

const smallBytes = 2 ** 16;
const mostUploadBytes = 2 ** 28;
const mostDownloads = 4;

export class Staging {
  /** Most bytes of one piece. */
  readonly chunkBytes = 2 ** 23;
  readonly #gpu: GPUDevice;
  /** Mapped upload buffers that nobody uses. */
  readonly #mapped: GPUBuffer[] = [];
  #uploadBytes = 0;
  readonly #all = new Set<GPUBuffer>();
  readonly #free: GPUBuffer[] = [];
  #downloads = 0;
  readonly #queue: (() => void)[] = [];
  #closed = false;

  constructor(gpu: GPUDevice) {
    this.#gpu = gpu;
  }

  /** A buffer filled with `data`, or nothing where the queue's own copy is better: little data, or too much under way. */
  upload(data: Uint8Array): Upload | undefined {
    if (data.length < smallBytes) return undefined;
    let buffer = this.#mapped.pop();
    if (!buffer) {
      if (this.#uploadBytes + this.chunkBytes > mostUploadBytes) return undefined;
      buffer = this.#gpu.createBuffer({
        label: "upload",
        size: this.chunkBytes,
        usage: usage.mapWrite | usage.copySource,
        mappedAtCreation: true,
      });
      this.#uploadBytes += this.chunkBytes;
      this.#all.add(buffer);
    }
    new Uint8Array(buffer.getMappedRange(0, data.length)).set(data);
    buffer.unmap();
    const used = buffer;
    return {
      buffer,
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
    const buffer = small
      ? this.#gpu.createBuffer({ label: "download", size: Math.max(16, size), usage: usage.mapRead | usage.copyTarget })
      : (this.#free.pop() ?? this.#make());
    this.#downloads += 1;
    return {
      buffer,
      release: () => {
        this.#downloads -= 1;
        if (small) buffer.destroy();
        else if (!this.#closed) this.#free.push(buffer);
        this.#queue.shift()?.();
      },
    };
  }

  #make(): GPUBuffer {
    const buffer = this.#gpu.createBuffer({ label: "download", size: this.chunkBytes, usage: usage.mapRead | usage.copyTarget });
    this.#all.add(buffer);
    return buffer;
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
