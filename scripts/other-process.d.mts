import type { TypedArrayOf } from "@dechirp/core";

/** What `runElsewhere` sends. */
export interface Errand {
  /** The folder of the package, below which the receiver's imports are looked up. */
  readonly folder: string;
  /** Code of the receiver that declares `options` of `decodeProgram`. */
  readonly options: string;
  /** The program as JSON. */
  readonly text: string;
  readonly inputs: Readonly<Record<string, TypedArrayOf>>;
  readonly uniforms?: Readonly<Record<string, number>>;
  readonly devices: readonly ("cpu" | "gpu")[];
}

/** Runs a program in another process, on each device. Resolves with the bytes of every output, by device and name. */
export function runElsewhere(errand: Errand): Promise<Record<string, Record<string, Buffer>>>;
