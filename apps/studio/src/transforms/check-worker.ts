/** Checks the text of a hook while it is typed, in a worker of its own, as that of the measurements may be busy. */
import { format } from "@dechirp/core/expression/code";
import { expose } from "comlink";
import "../work/wire.ts";
import { type HookPlace, hookedOf, isComplex, type TransformChoices } from "./problem.ts";

/** What a right text means. */
export interface CheckedHook {
  /** The expression as core writes it: what is used more than once has a name. */
  readonly text: string;
  /** Number of operations and values. */
  readonly nodes: number;
  /** Element type of the result of the transform with this hook. */
  readonly output: string;
  /** Whether what is written are complex numbers. */
  readonly isComplex: boolean;
}

const api = {
  /** Rejects with `layout` and the `offset` of the character if the text is wrong. */
  check(choices: TransformChoices, place: Exclude<HookPlace, "none">): CheckedHook {
    const { op, layout, sources, output } = hookedOf(choices, place);
    const { expression } = (place === "load" ? op.load : op.store)!;
    const domain = { shape: layout.shape, sources, ...(place === "store" && { value: true }) };
    return {
      text: format(expression!, domain),
      nodes: expression!.nodes.length,
      output: output.dtype,
      isComplex: isComplex(output.dtype),
    };
  },
};

export type CheckApi = typeof api;

expose(api);
