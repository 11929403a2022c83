/** The rule for reductions and histograms. Its code is loaded with the first such op. */
import type { Rule } from "@dechirp/core/backend";
import type { Engine } from "./engine.ts";
import type { GpuArray } from "./memory.ts";

/** The rule for reductions. */
export const reduceRules = (engine: Engine): readonly Rule<GpuArray>[] => [
  {
    name: "reduction",
    fused: false,
    async try(op, context) {
      if (op.op !== "reduce" && op.op !== "histogram") return undefined;
      if (op.load && !context.options.fuse) return undefined;
      return (await import("./reduce-body.ts")).reductionBody(op, engine, context);
    },
  },
];
