/**
 * The CPU backend: `await open(cpu())`. It computes transforms of any size along any axis. float32 (c64, f32) runs in WASM SIMD, on all
 * cores if workers can share memory on this host. float64 (c128, f64) runs in JavaScript on one thread. All ops have fused forms. Hooks
 * and kernels run in WASM if they have a WASM form, otherwise by their references.
 */
import { type Backend, type Device, inputError, isRadarError, maxTransformLength, messageOf, RadarError } from "@dechirp/core";
import { createDevice } from "@dechirp/core/backend";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import { arrayRules } from "./array-rules.ts";
import { createEngine } from "./engine.ts";
import { createHeap } from "./heap.ts";
import { longRules } from "./long-rules.ts";
import { allocateHostArray, partOfHostArray } from "./memory.ts";
import { nodeModule } from "./node-module.ts";
import { createPool, type Pool, poolBytes } from "./pool.ts";
import { createQueue } from "./queue.ts";
import { reduceRules } from "./reduce-rules.ts";
import { cpuRules } from "./rules.ts";
import { loadKernels } from "./wasm/kernels.ts";
import { wasmRules } from "./wasm-rules.ts";
import { type CpuWorker, workerStarter } from "./worker-host.ts";

export type { CpuWorker, CpuWorkerEvent } from "./worker-host.ts";

/** Options of `cpu`. */
export interface CpuOptions {
  /** Largest size of one array in bytes. Default: 4 GiB, the most that WASM can address. */
  readonly maxBufferBytes?: number;
  /** Number of worker threads, 1 to 64. With 1, everything runs on the caller's thread. Default: the number of cores, at most 64. */
  readonly workers?: number;
  /**
   * Which kernels to use: "wasm" is the fastest; "plain" avoids relaxed SIMD, whose last bits depend on the machine; "js" avoids WASM
   * SIMD. Default: "wasm".
   */
  readonly kernels?: "wasm" | "plain" | "js";
  /**
   * Starts one of the worker threads in a browser, from a file: `() => new Worker(new URL("@dechirp/fft-cpu/worker", import.meta.url), {
   * type: "module" })`, which bundlers such as Vite understand. The page's content security policy then needs `worker-src
   * 'self'` only. The file must be served with the same `Cross-Origin-Embedder-Policy` header as the page. If a worker does not start,
   * the device uses one thread, and `device.info.notes` says why. Not used in Node. Default: workers start from the URL of a Blob, which
   * needs no file, but a policy must allow `worker-src blob:`.
   */
  readonly startWorker?: () => CpuWorker;
}

const mostBytes = 2 ** 32 - 65_536;
const mostWorkers = 64;

/**
 * Makes the CPU backend, for `open`. Opening rejects with `input` if an option is wrong, and with `no-backend` if the host has no
 * WebAssembly, whose memory holds all arrays.
 */
export function cpu(options: CpuOptions = {}): Backend {
  return { id: "cpu", contract: 1, open: () => openCpu(options) };
}

const fieldsOfOptions: FieldsOf<CpuOptions> = { maxBufferBytes: true, workers: true, kernels: true, startWorker: true };

async function openCpu(options: CpuOptions): Promise<Device> {
  checkFields(options, fieldsOfOptions, "the options of cpu");
  const { maxBufferBytes = 2 ** 32, kernels: wanted = "wasm" } = options;
  if (!Number.isFinite(maxBufferBytes) || maxBufferBytes <= 0) throw inputError("maxBufferBytes", "a positive number", maxBufferBytes);
  if (!["wasm", "plain", "js"].includes(wanted)) throw inputError("kernels", "wasm, plain or js", wanted);
  const asked = options.workers ?? cores();
  if (!Number.isInteger(asked) || asked < 1 || asked > mostWorkers)
    throw inputError("workers", `an integer from 1 to ${mostWorkers}`, asked);
  const { startWorker } = options;
  if (startWorker !== undefined && typeof startWorker !== "function")
    throw inputError("startWorker", "a function that returns a Worker", startWorker);
  if (typeof WebAssembly === "undefined") throw new RadarError("no-backend", "this host has no WebAssembly", { backend: "cpu" });

  const shared = asked > 1 && wanted !== "js" && canShare();
  const kernels = wanted === "js" ? undefined : await loadKernels({ shared, relaxed: wanted === "wasm" });
  const wantsPool = shared && kernels !== undefined;
  const queue = createQueue();
  const heap = createHeap({ shared: wantsPool, maximumBytes: mostBytes, reservedBytes: 64 + poolBytes(wantsPool ? asked : 1) });
  // A page may share memory but not be allowed to start workers.
  let refusal = "this host does not let workers share memory";
  const refused = (error: unknown): undefined => {
    if (isRadarError(error, "input")) throw error;
    refusal = startWorker ? `startWorker: ${messageOf(error)}` : "this host does not let workers start";
  };
  const pool: Pool | undefined = wantsPool
    ? await createPool(heap.memory, 64, asked, queue, workerStarter(startWorker)).catch(refused)
    : undefined;
  const units = pool?.units ?? 1;
  const engine =
    kernels &&
    (await createEngine(kernels, heap, pool, queue).catch((error: unknown) => {
      pool?.close();
      throw error;
    }));
  const threads = units > 1 ? `${units} workers` : "one thread";
  const arithmetic = kernels ? `WASM SIMD${kernels.relaxed ? ", relaxed" : ""}` : "JavaScript";
  return createDevice({
    id: "cpu",
    info: {
      description: `${arithmetic}, ${threads}; float64 in JavaScript`,
      arithmetic,
      notes: [
        ...(kernels && asked > 1 && units === 1 ? [`single-threaded: ${refusal}`] : []),
        ...(kernels || wanted === "js" ? [] : ["this host has no WASM SIMD or forbids it: everything runs in JavaScript"]),
      ],
    },
    limits: { maxBufferBytes, maxTransformLength, dtypes: ["f32", "f64", "c64", "c128", "i8", "i16", "u8", "u32", "ci8", "ci16", "cf16"] },
    units,
    rules: [
      ...(engine ? [...longRules(engine), ...wasmRules(engine), ...arrayRules(engine), ...reduceRules(engine)] : []),
      ...cpuRules(queue),
    ],
    lost: new Promise(() => {}),
    allocate: (layout, label) => allocateHostArray(layout, label, heap, queue),
    part: partOfHostArray,
    ready: () => queue.ready(),
    close() {
      queue.close();
      pool?.close();
    },
  });
}

/** Whether workers can share WASM memory: always in Node; in browsers on cross-origin isolated pages. */
const canShare = (): boolean =>
  typeof SharedArrayBuffer !== "undefined" && (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false;

function cores(): number {
  const { navigator } = globalThis as { navigator?: { hardwareConcurrency?: number } };
  return Math.min(mostWorkers, nodeModule("node:os")?.availableParallelism() ?? navigator?.hardwareConcurrency ?? 1);
}
