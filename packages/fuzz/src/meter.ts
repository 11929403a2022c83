/**
 * Counts the bytes of every buffer that is requested, even if the request fails, by replacing the global constructors. It must be
 * installed before the metered modules are loaded, because some of them keep a reference to a constructor. It does not see Node's own
 * Buffers and WebAssembly memories; the process's resident set shows those.
 */

/** Bytes of requested buffers. */
export interface Metered {
  /** Sum over all buffers, including those that have been freed. */
  readonly total: number;
  readonly largest: number;
}

type Constructor = new (...args: never[]) => ArrayBufferView | ArrayBufferLike;

const names = [
  "ArrayBuffer",
  "SharedArrayBuffer",
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "Float32Array",
  "Float64Array",
  "BigInt64Array",
  "BigUint64Array",
] as const;

/** Starts to count. The returned function returns the counts since it was last called. */
export function installMeter(): () => Metered {
  let total = 0;
  let largest = 0;
  const count = (bytes: number): void => {
    total += bytes;
    largest = Math.max(largest, bytes);
  };
  const world = globalThis as unknown as Record<string, Constructor & { BYTES_PER_ELEMENT?: number; prototype: { constructor: unknown } }>;
  for (const name of names) {
    const Original = world[name];
    const width = Original.BYTES_PER_ELEMENT ?? 1;
    const stand = function (this: unknown, ...args: never[]): unknown {
      if (!new.target) return Reflect.apply(Original as unknown as () => unknown, this, args);
      const [first] = args as unknown[];
      // Counted before the buffer is made, so that failed requests count too.
      if (typeof first === "number") count(first * width);
      const made = Reflect.construct(Original, args, new.target === (stand as unknown) ? Original : new.target);
      if (typeof first === "object" && first !== null && !(first instanceof ArrayBuffer) && !(first instanceof SharedArrayBuffer))
        count(made.byteLength);
      return made;
    };
    Object.setPrototypeOf(stand, Original);
    Object.defineProperty(stand, "prototype", { value: Original.prototype });
    Object.defineProperty(stand, "name", { value: name });
    Original.prototype.constructor = stand;
    world[name] = stand as unknown as (typeof world)[string];
  }
  return () => {
    const metered = { total, largest };
    total = 0;
    largest = 0;
    return metered;
  };
}
