/** What a target of fuzzing is, and what may become of an input. */
import type { Dice } from "./dice.ts";

/** `refused`: by an error as it should be; `how` is its code or exit status. */
export type Verdict =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly how: string; readonly message: string }
  | { readonly kind: "fault"; readonly what: string };

export const accepted: Verdict = { kind: "accepted" };
export const fault = (what: string): Verdict => ({ kind: "fault", what });

export interface Case {
  /** What makes the case, for people who repeat it: files by name, and an argument list where there is one. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly argv?: readonly string[];
  /** Runs it once. A throw is a fault. */
  run(): Verdict | Promise<Verdict>;
  /** The most bytes of buffers that the input can be a reason for. */
  readonly allowance: { readonly total: number; readonly largest: number };
}

export interface Target {
  readonly name: string;
  /** Share of the inputs, relative to others. */
  readonly weight: number;
  /** The case that the dice make; of sound files and arguments where there are none, which must be accepted. */
  make(dice: Dice | undefined): Case | Promise<Case>;
}

/** Processor time that an input may take, in seconds, of a reader and of a command; the latter gets its signal well before. */
export const mostSeconds = { reader: 5, command: 40 } as const;
