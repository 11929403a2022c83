/**
 * The WASM kernels as functions: compiled once for each kind of memory and SIMD, instantiated on a memory, planned and run. Who
 * owns the memory gives addresses out (`allocate`) and takes them back; nothing here grows or keeps it. All addresses, pitches
 * and strides are bytes, and multiples of four; no buffer may end on the last byte of a 4 GiB memory.
 */
import { lazyModules } from "@dechirp/core/internal";
import * as binaries from "./binaries.ts";
import { type LinesOp, placePlan } from "./program.ts";

export type { Kind, LinesOp } from "./program.ts";

export interface KernelModule {
  readonly module: WebAssembly.Module;
  readonly shared: boolean;
  readonly relaxed: boolean;
}

/** Fewest features first asked for: the plain build needs simd128, the others more. */
export interface KernelOptions {
  /** For a shared memory. */
  readonly shared?: boolean;
  /** False for results that do not depend on the machine's fused multiplication; else relaxed SIMD is used where there is. */
  readonly relaxed?: boolean;
}

const builds = { plain: lazyModules(binaries.plain), relaxed: lazyModules(binaries.relaxed) };

/** Compiled builds: a second device starts with code that the engine has optimised for the first. */
const compiled = new Map<Uint8Array, Promise<WebAssembly.Module | undefined>>();

/**
 * The build that fits, compiled once. Undefined where the host has no SIMD in WASM, or forbids WASM: a page whose content
 * security policy names scripts without 'wasm-unsafe-eval'.
 */
export async function loadKernels({ shared = false, relaxed = true }: KernelOptions = {}): Promise<KernelModule | undefined> {
  for (const isRelaxed of relaxed ? [true, false] : [false]) {
    const bytes = builds[isRelaxed ? "relaxed" : "plain"]()[shared ? "shared" : "plain"];
    let compiling = compiled.get(bytes);
    if (!compiling) {
      if (!WebAssembly.validate(bytes)) continue;
      compiling = WebAssembly.compile(bytes).catch(() => {
        compiled.delete(bytes);
        return undefined;
      });
      compiled.set(bytes, compiling);
    }
    const module = await compiling;
    return module && { module, shared, relaxed: isRelaxed };
  }
  return undefined;
}

/** Lines in memory, or columns: the distance in bytes from one line to the next, or from one row to the next. */
export interface Place {
  readonly address: number;
  readonly pitch: number;
}

export interface Kernels {
  /**
   * Contiguous lines, `count` of them. `work` is memory of the plan's `rowsWorkBytes`, used by no other call at the time; `h` (filters
   * only) is in natural frequency order, one line for all where its pitch is 0. `to` may be `from`, with equal pitches.
   */
  rows(plan: number, from: Place, to: Place, count: number, work: number, h?: Place): void;
  /** Adjacent columns, `count` of them; pitches are from row to row. h with pitch 0 is one contiguous line, else columns too. */
  columns(plan: number, from: Place, to: Place, count: number, work: number, h?: Place): void;
  /** `count` lines of n complex numbers times those of h, or one line for all where its pitch is 0. `to` may be `from`. */
  multiply(n: number, from: Place, to: Place, count: number, h: Place): void;
}

export interface LinesPlan {
  /** What `rows` and `columns` take; any instance on the same memory may run it. */
  readonly address: number;
  readonly rowsWorkBytes: number;
  readonly columnsWorkBytes: number;
  /** Columns that are taken together: work is best handed over in multiples of so many. */
  readonly tileColumns: number;
  readonly text: string;
  /** Whether a convolution computes the transform. */
  readonly convolved: boolean;
  /** Makes the tables, piece by piece. Before it is through, the plan is not to be run. */
  tables(): Generator<void>;
  /** Gives the plan's memory back. */
  free(): void;
}

export interface MemoryOwner {
  /** An address that is a multiple of 64. */
  allocate(bytes: number): number;
  free(address: number): void;
}

/** Places of the table of hooks that are the kernels' own; hooks come behind them. */
export const tableStart = 32;

interface Exports {
  multiplyRows(n: number, src: number, srcPitch: number, dst: number, dstPitch: number, lines: number, h: number, hPitch: number): void;
  rows(
    plan: number,
    src: number,
    srcPitch: number,
    dst: number,
    dstPitch: number,
    lines: number,
    h: number,
    hPitch: number,
    work: number,
  ): void;
  columns(
    plan: number,
    src: number,
    srcStride: number,
    dst: number,
    dstStride: number,
    count: number,
    h: number,
    hStride: number,
    work: number,
  ): void;
}

const nowhere: Place = { address: 0, pitch: 0 };

/** Puts the kernels onto a memory, which is shared exactly where the module is for shared ones (at most 65536 pages). */
export function createKernels(kernels: KernelModule, memory: WebAssembly.Memory): Kernels {
  const table = new WebAssembly.Table({ initial: tableStart, element: "anyfunc" });
  const instance = new WebAssembly.Instance(kernels.module, { env: { memory, table, abort: () => {} } });
  const { rows, columns, multiplyRows } = instance.exports as unknown as Exports;
  return {
    rows(plan, from, to, count, work, h = nowhere) {
      rows(plan, from.address, from.pitch, to.address, to.pitch, count, h.address, h.pitch, work);
    },
    multiply(n, from, to, count, h) {
      multiplyRows(n, from.address, from.pitch, to.address, to.pitch, count, h.address, h.pitch);
    },
    columns(plan, from, to, count, work, h = nowhere) {
      columns(plan, from.address, from.pitch, to.address, to.pitch, count, h.address, h.pitch, work);
    },
  };
}

/** Lays a plan out in memory; its tables are yet to be made (`tables`). What `owner` throws leaves nothing taken. */
export function planLines(op: LinesOp, memory: WebAssembly.Memory, owner: MemoryOwner): LinesPlan {
  const taken: number[] = [];
  const free = (): void => {
    for (const address of taken.splice(0)) owner.free(address);
  };
  try {
    const placed = placePlan(op, memory, (bytes) => {
      const address = owner.allocate(bytes);
      taken.push(address);
      return address;
    });
    return { ...placed, free };
  } catch (error) {
    free();
    throw error;
  }
}
