/** Types of fuzzing: targets, cases and verdicts. */
import type { Dice } from "./dice.ts";

/** The result of a case. `refused`: by a proper error; `how` is its code or exit status. */
export type Verdict =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly how: string; readonly message: string }
  | { readonly kind: "fault"; readonly what: string };

export const accepted: Verdict = { kind: "accepted" };
export const fault = (what: string): Verdict => ({ kind: "fault", what });

export interface Case {
  /** The input of the case, for people who repeat it: files by name, and arguments if it is a command. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly argv?: readonly string[];
  /** Runs the case once. If it throws, that is a fault. */
  run(): Verdict | Promise<Verdict>;
  /** The most bytes of buffers that the input can justify. */
  readonly allowance: { readonly total: number; readonly largest: number };
}

export interface Target {
  readonly name: string;
  /** Share of the inputs, relative to other targets. */
  readonly weight: number;
  /** Makes a case from the dice. Without dice, makes the case of sound files and arguments, which must be accepted. */
  make(dice: Dice | undefined): Case | Promise<Case>;
}

/** Limits on processor time per input in seconds, for readers and commands. A command gets its signal well before that. */
export const mostSeconds = { reader: 5, command: 40 } as const;
