/**
 * The WASM kernels as functions. They are compiled once for each kind of memory and SIMD, instantiated on a memory, planned and run. The
 * owner of the memory allocates addresses and frees them. All addresses, pitches and strides are in bytes and multiples of four. No
 * buffer may end on the last byte of a 4 GiB memory.
 */
import { lazyModules } from "@dechirp/core/internal";
import * as binaries from "./binaries.ts";
import { type LinesOp, placePlan } from "./program.ts";

export type { Kind, LinesOp } from "./program.ts";

/** A compiled build of the kernels. */
export interface KernelModule {
  readonly module: WebAssembly.Module;
  readonly shared: boolean;
  readonly relaxed: boolean;
}

/** Which build of the kernels to load. The plain build needs simd128; the others need more. */
export interface KernelOptions {
  /** Whether the memory is shared. Default: false. */
  readonly shared?: boolean;
  /**
   * Whether to use relaxed SIMD if the host has it. Without it, results do not depend on whether the machine fuses multiplication and
   * addition. Default: true.
   */
  readonly relaxed?: boolean;
}

const builds = { plain: lazyModules(binaries.plain), relaxed: lazyModules(binaries.relaxed) };

/** Compiled builds. A second device uses code that the engine has already optimised for the first. */
const compiled = new Map<Uint8Array, Promise<WebAssembly.Module | undefined>>();

/**
 * Loads the build that fits, compiled once. Resolves with undefined if the host has no SIMD in WASM or forbids WASM, as a page does whose
 * content security policy lacks 'wasm-unsafe-eval'.
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

/**
 * Where lines or columns are in memory. `pitch` is the distance in bytes from one line to the next, or for columns from one row to the
 * next.
 */
export interface Place {
  readonly address: number;
  readonly pitch: number;
}

/** The kernels on one memory. */
export interface Kernels {
  /**
   * Transforms `count` contiguous lines. `work` is memory of the plan's `rowsWorkBytes` that no other call uses at the time. `h` (for
   * filters) is in natural frequency order; a pitch of 0 means one line for all. `to` may be `from` if the pitches are equal.
   */
  rows(plan: number, from: Place, to: Place, count: number, work: number, h?: Place): void;
  /**
   * Transforms `count` adjacent columns. Pitches are from row to row. `h` with pitch 0 is one contiguous line, otherwise it has columns
   * too.
   */
  columns(plan: number, from: Place, to: Place, count: number, work: number, h?: Place): void;
  /** Multiplies `count` lines of n complex numbers with those of `h`, or with one line if its pitch is 0. `to` may be `from`. */
  multiply(n: number, from: Place, to: Place, count: number, h: Place): void;
}

/** A plan for transforming lines, in WASM memory. */
export interface LinesPlan {
  /** Its address, which `rows` and `columns` take. Any instance on the same memory can run it. */
  readonly address: number;
  readonly rowsWorkBytes: number;
  readonly columnsWorkBytes: number;
  /** Number of lines along memory that are transformed together. */
  readonly rowsTogether: number;
  /** The most columns that are transformed together. Fewer are possible, in multiples of `leastColumns`. */
  readonly tileColumns: number;
  readonly text: string;
  /** Whether a convolution computes the transform. */
  readonly convolved: boolean;
  /** Makes the tables, step by step. The plan must not run before this has ended. */
  tables(): Generator<void>;
  /** Frees the plan's memory. */
  free(): void;
}

/** The allocator of the memory. */
export interface MemoryOwner {
  /** Allocates bytes at an address that is a multiple of 64. */
  allocate(bytes: number): number;
  free(address: number): void;
}

/** Number of entries of the function table that the kernels use themselves. Hooks come after them. */
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

/** Instantiates the kernels on a memory. It must be shared if the module is for shared memories (at most 65536 pages), and only then. */
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

/** Allocates and lays out a plan in memory. Its tables must then be made with `tables`. If `owner` throws, nothing stays allocated. */
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
