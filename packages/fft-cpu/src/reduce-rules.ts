/** The rule in WASM for reductions and histograms in single precision. Its code is loaded with the first such op. */
import type { Rule } from "@dechirp/core/backend";
import type { Engine } from "./engine.ts";
import type { HostArray } from "./memory.ts";

/** The rule for reductions. */
export const reduceRules = (engine: Engine): readonly Rule<HostArray>[] => [
  {
    name: "wasm reduction",
    fused: false,
    async try(op, context) {
      if (op.op !== "reduce" && op.op !== "histogram") return undefined;
      if (op.load && !(context.options.fuse && op.load.wasm)) return undefined;
      return (await import("./reduce-body.ts")).reductionBody(op, engine);
    },
  },
];
