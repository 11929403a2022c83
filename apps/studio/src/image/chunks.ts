/**
 * Where the numbers of an image are kept: in chunks, numbered from 0, each of which has its own length. A chunk that was never changed is all
 * zero. In memory here; file-chunks.ts keeps them in a file.
 */
import { RadarError } from "@dechirp/core";

/** Chunks of float32 numbers. */
export interface Chunks {
  readonly kept: "memory" | "file";
  /** The numbers of a chunk. The array is valid until the next call; call `changed` before that if its numbers were changed. */
  get(chunk: number): Float32Array;
  /** Says that the numbers of the chunk that was got last were changed. */
  changed(chunk: number): void;
  /** Frees the numbers. */
  close(): void;
}

/** Lengths of chunks, and where they begin if they follow each other. */
export interface ChunkLayout {
  readonly count: number;
  /** Numbers of all chunks. */
  readonly total: number;
  /** Index of a chunk's first number, and its length. */
  place(chunk: number): readonly [first: number, length: number];
}

/** Keeps chunks in memory, each from its first use. `get` throws `out-of-memory` if there is no room. */
export function memoryChunks({ place }: ChunkLayout): Chunks {
  const arrays = new Map<number, Float32Array>();
  return {
    kept: "memory",
    get(chunk) {
      const known = arrays.get(chunk);
      if (known) return known;
      const made = allocate(place(chunk)[1]);
      arrays.set(chunk, made);
      return made;
    },
    changed() {},
    close: () => arrays.clear(),
  };
}

function allocate(length: number): Float32Array {
  try {
    return new Float32Array(length);
  } catch (error) {
    throw new RadarError("out-of-memory", "the browser has no memory left for this image", { bytes: 4 * length }, error);
  }
}
