/**
 * Commands in program order. Only this file uses encoders and compute passes. Dispatches and copies are appended to one encoder, which is
 * submitted when the caller's synchronous section ends or when the encoder has many commands. So queueing a run takes a few calls and no
 * promise of its own.
 */
import { RadarError } from "@dechirp/core";
import { allocated, firstLine, ignoringErrors } from "./allocation.ts";
import { mapMode, usage } from "./flags.ts";

/** A dispatch with its GPU objects. */
export interface DispatchCommand {
  readonly pipeline: GPUComputePipeline;
  readonly group: GPUBindGroup;
  /** The words of `uniforms`, if the kernel has any. */
  readonly uniforms?: Uint32Array;
  readonly groups: readonly [number, number, number];
}

/** One submission. */
export interface Batch {
  /** Resolves when the device has finished it. Rejects with `failed`, `device-lost` or `disposed`. */
  readonly done: Promise<void>;
}

interface OpenBatch extends Batch {
  commands: number;
  settle(error?: RadarError): void;
}

const mostCommands = 256;
/** After a failure, how long to wait for the message that the device was lost, which would be the reason. */
const patienceMilliseconds = 250;
const slotBytes = 256;
const ringBytes = 256 * slotBytes;

/** Records commands and submits them. */
export class Commands {
  readonly #gpu: GPUDevice;
  readonly #ring: GPUBuffer;
  /** Resolves with the error if the memory for uniforms could not be allocated. The device can not be used then. */
  readonly allocated: Promise<RadarError | undefined>;
  /** Allocations that the device has not confirmed yet. */
  readonly #doubts = new Set<Promise<RadarError | undefined>>();
  readonly #mirror = new Uint8Array(ringBytes);
  #ringUsed = 0;
  #encoder: GPUCommandEncoder | undefined;
  #pass: GPUComputePassEncoder | undefined;
  /** The state that the open pass has set. */
  #pipeline: GPUComputePipeline | undefined;
  #group: GPUBindGroup | undefined;
  #batch: OpenBatch | undefined;
  /** Batches that the device has not finished. */
  readonly #open = new Set<OpenBatch>();
  /** Buffers to destroy after the next submission, as recorded commands may use them. */
  readonly #retired: GPUBuffer[] = [];
  #timing: { readonly queries: GPUQuerySet; started: boolean } | undefined;
  #ended: RadarError | undefined;

  constructor(gpu: GPUDevice) {
    this.#gpu = gpu;
    const descriptor = { label: "uniforms", size: ringBytes, usage: usage.uniform | usage.copyTarget };
    const ring = allocated(gpu, "uniforms", ringBytes, () => gpu.createBuffer(descriptor));
    this.#ring = ring.made;
    this.allocated = ring.refused;
  }

  /** Until `refused` resolves, commands may fail because of this allocation. They then fail with its error. */
  doubt(refused: Promise<RadarError | undefined>): void {
    this.#doubts.add(refused);
    refused.then(() => this.#doubts.delete(refused));
  }

  /** The buffer that dynamic offsets of uniforms refer to. */
  get uniformRing(): GPUBuffer {
    return this.#ring;
  }

  /** Number of bytes that a bind group binds for a struct of `words` words. */
  static uniformBytes(words: number): number {
    return Math.max(16, 16 * Math.ceil(words / 4));
  }

  dispatch({ pipeline, group, uniforms, groups }: DispatchCommand): Batch {
    let offset: number | undefined;
    if (uniforms) {
      const size = slotBytes * Math.ceil(Commands.uniformBytes(uniforms.length) / slotBytes);
      if (this.#ringUsed + size > ringBytes) this.flush();
      offset = this.#ringUsed;
      this.#mirror.set(new Uint8Array(uniforms.buffer, uniforms.byteOffset, uniforms.byteLength), offset);
      this.#ringUsed += size;
    }
    const batch = this.#begin();
    if (!this.#pass) this.#pass = (this.#encoder as GPUCommandEncoder).beginComputePass(this.#passDescriptor());
    const pass = this.#pass;
    if (pipeline !== this.#pipeline) pass.setPipeline(pipeline);
    if (offset !== undefined) pass.setBindGroup(0, group, [offset]);
    else if (group !== this.#group) pass.setBindGroup(0, group);
    this.#pipeline = pipeline;
    this.#group = group;
    pass.dispatchWorkgroups(groups[0], groups[1], groups[2]);
    return this.#count(batch);
  }

  copy(from: GPUBuffer, fromOffset: number, to: GPUBuffer, toOffset: number, size: number): Batch {
    const batch = this.#begin();
    this.#endPass();
    (this.#encoder as GPUCommandEncoder).copyBufferToBuffer(from, fromOffset, to, toOffset, size);
    return this.#count(batch);
  }

  /**
   * Writes a small amount of data through the queue, in order. `data` may change after the call. A `doubtful` buffer may have failed to
   * allocate.
   */
  write(to: GPUBuffer, offset: number, data: Uint8Array, doubtful: boolean): void {
    this.flush();
    const { buffer } = data;
    // Workaround: Dawn in Node ends the process if the memory is shared (webgpu 0.6.2, Node 20, Linux). Delete this when it is fixed.
    // WebGPU refuses resizable memory (Web IDL, "AllowResizable").
    const plain = buffer instanceof ArrayBuffer && !(buffer as { resizable?: boolean }).resizable;
    const source = (plain ? data : data.slice()) as Uint8Array<ArrayBuffer>;
    ignoringErrors(this.#gpu, doubtful, () => this.#gpu.queue.writeBuffer(to, offset, source));
  }

  /** Records `action` in a submission of its own, because an invalid command invalidates its whole submission. */
  apart<T>(action: () => T): T {
    if (this.#timing) return action(); // timed commands must be in one submission
    this.flush();
    try {
      return action();
    } finally {
      this.flush();
    }
  }

  /** Destroys buffers after the recorded commands have been submitted. */
  retire(buffers: readonly GPUBuffer[]): void {
    this.#retired.push(...buffers);
    if (!this.#batch) this.#sweep();
  }

  /** Submits the recorded commands. */
  flush(): void {
    const [encoder, batch] = [this.#encoder, this.#batch];
    if (!encoder || !batch) return;
    this.#endPass();
    this.#encoder = undefined;
    this.#batch = undefined;
    const gpu = this.#gpu;
    if (this.#ringUsed > 0) gpu.queue.writeBuffer(this.#ring, 0, this.#mirror, 0, this.#ringUsed);
    this.#ringUsed = 0;
    gpu.pushErrorScope("validation");
    gpu.queue.submit([encoder.finish()]);
    const scope = gpu.popErrorScope();
    this.#sweep();
    const doubts = [...this.#doubts];
    const refused = async (error: GPUError): Promise<RadarError> =>
      (await Promise.all(doubts)).find((failure) => failure !== undefined) ??
      new RadarError("failed", `the device refused commands: ${firstLine(error)}`, { device: "gpu" }, error);
    Promise.all([scope, gpu.queue.onSubmittedWorkDone()]).then(
      async ([error]) => batch.settle(error ? await refused(error) : undefined),
      async (error) => batch.settle(await this.failure("a submission", error)),
    );
  }

  /** The error for work that the device has abandoned: that the device was lost, if so, else `failed`. */
  async failure(what: string, cause: unknown): Promise<RadarError> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMilliseconds);
    });
    await Promise.race([this.#gpu.lost, patience]);
    clearTimeout(timer);
    return this.#ended ?? new RadarError("failed", `${what} failed on the device: ${firstLine(cause)}`, { device: "gpu" }, cause);
  }

  /** Waits for all recorded commands. Their errors are reported to their owners. */
  async idle(): Promise<void> {
    this.flush();
    await Promise.allSettled([...this.#open].map((batch) => batch.done));
    if (this.#ended) throw this.#ended;
  }

  /**
   * Measures the device's time in milliseconds for the commands that `work` records. Resolves with undefined if the device has no clock.
   */
  async time(work: () => void): Promise<number | undefined> {
    const gpu = this.#gpu;
    if (!gpu.features.has("timestamp-query")) {
      work();
      return undefined;
    }
    this.flush();
    const queries = gpu.createQuerySet({ type: "timestamp", count: 2 });
    const resolved = gpu.createBuffer({ size: 16, usage: usage.queryResolve | usage.copySource });
    const read = gpu.createBuffer({ size: 16, usage: usage.mapRead | usage.copyTarget });
    try {
      this.#timing = { queries, started: false };
      try {
        work();
      } finally {
        const begun = this.#timing.started;
        this.#endPass();
        this.#timing = undefined;
        if (begun) {
          const encoder = this.#encoder as GPUCommandEncoder;
          encoder.resolveQuerySet(queries, 0, 2, resolved, 0);
          encoder.copyBufferToBuffer(resolved, 0, read, 0, 16);
        }
        this.flush();
      }
      await read.mapAsync(mapMode.read).catch(async (error: unknown) => {
        throw await this.failure("reading the clock", error);
      });
      const [begin, end] = new BigUint64Array(read.getMappedRange());
      return Number(end - begin) / 1e6;
    } finally {
      queries.destroy();
      resolved.destroy();
      read.destroy();
    }
  }

  /** Ends all work. Unfinished batches reject with `error`. */
  end(error: RadarError): void {
    this.#ended = error;
    this.#encoder = undefined;
    this.#pass = undefined;
    this.#batch = undefined;
    for (const batch of [...this.#open]) batch.settle(error);
    this.#sweep();
    this.#ring.destroy();
  }

  #passDescriptor(): GPUComputePassDescriptor {
    const timing = this.#timing;
    if (!timing) return {};
    const first = !timing.started;
    timing.started = true;
    return {
      timestampWrites: { querySet: timing.queries, ...(first && { beginningOfPassWriteIndex: 0 }), endOfPassWriteIndex: 1 },
    };
  }

  #begin(): OpenBatch {
    if (this.#ended) throw this.#ended;
    if (this.#batch) return this.#batch;
    this.#encoder = this.#gpu.createCommandEncoder();
    let resolve!: () => void;
    let reject!: (error: RadarError) => void;
    const done = new Promise<void>((yes, no) => {
      resolve = yes;
      reject = no;
    });
    done.catch(() => {});
    const batch: OpenBatch = {
      done,
      commands: 0,
      settle: (error) => {
        if (!this.#open.delete(batch)) return;
        if (this.#ended ?? error) reject((this.#ended ?? error) as RadarError);
        else resolve();
      },
    };
    this.#open.add(batch);
    this.#batch = batch;
    queueMicrotask(() => {
      if (this.#batch === batch && !this.#ended) this.flush();
    });
    return batch;
  }

  #count(batch: OpenBatch): Batch {
    batch.commands += 1;
    if (batch.commands >= mostCommands && !this.#timing) this.flush();
    return batch;
  }

  #endPass(): void {
    this.#pass?.end();
    this.#pass = undefined;
    this.#pipeline = undefined;
    this.#group = undefined;
  }

  #sweep(): void {
    for (const buffer of this.#retired.splice(0)) buffer.destroy();
  }
}
