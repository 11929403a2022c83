/**
 * The rules for transforms. A transform with everything around it is one plan (transform-body.ts). If the device can't bind all of that at
 * once, core's lowerings divide it; a bare transform is then copied to its output and transformed in place.
 */
import { isTransform, type Op, type TransformOp } from "@dechirp/core";
import { filterHookOf, type PlanBody, type Rule, type RuleContext } from "@dechirp/core/backend";
import type { Preferences } from "./candidates.ts";
import type { BodySpec } from "./dispatch.ts";
import type { Engine } from "./engine.ts";
import type { GpuArray } from "./memory.ts";
import type { GpuOptions } from "./options.ts";
import { fittingSpec, isBare } from "./transform-body.ts";

/** The rules for transforms. `variants` are those that plans may ask for. With the effort `measure`, plans that are not known are measured. */
export function fftRules(
  engine: Engine,
  { variants = {}, effort = "estimate" }: Pick<GpuOptions, "variants" | "effort"> = {},
): readonly Rule<GpuArray>[] {
  /** Descriptions of ops without hooks, by the op's data, so that planning the same op again is quick. */
  const known = new Map<string, BodySpec | undefined>();
  const specOf = (op: TransformOp): BodySpec | undefined => {
    if (op.load || op.store || filterHookOf(op)) return fittingSpec(op, engine.limits);
    const key = JSON.stringify(op);
    if (!known.has(key)) {
      if (known.size >= mostKnown) known.clear();
      known.set(key, fittingSpec(op, engine.limits));
    }
    return known.get(key);
  };
  const measured = async (op: TransformOp, context: RuleContext): Promise<Preferences> => {
    const found = await (await import("./measure.ts")).measuredPreferences(engine, op, context);
    engine.known.set(op, found);
    return found;
  };
  const rule = async (op: Op, context: RuleContext): Promise<PlanBody<GpuArray> | undefined> => {
    if (!isTransform(op) || (op.cornerTurn && !turns(op, context.options.inPlace))) return undefined;
    const { variant } = context.options;
    if (variant !== undefined) return (await import("./variant-body.ts")).variantBody(engine, op, variant, variants[variant], context);
    const preferences = engine.known.get(op) ?? (effort === "measure" ? await measured(op, context) : undefined);
    // Preferences that were measured with other limits may have no plan here.
    const spec = (preferences && fittingSpec(op, engine.limitsWith(preferences))) ?? specOf(op);
    return spec && engine.body({ ...spec, op }, context);
  };
  return [
    { name: "lines", fused: false, try: (op, context) => (isBare(op) ? rule(op, context) : undefined) },
    { name: "lines, fused", fused: true, try: (op, context) => rule(op, context) },
  ];
}

const mostKnown = 256;

/**
 * Whether results can be transposed while they are written: for complex lines along one of the last two axes, not in place. Only in one
 * pass, because with several passes the last writes would be scattered, and a separate corner turn is faster.
 */
const turns = (op: TransformOp, inPlace: boolean): boolean => op.op !== "real-fft" && op.axis >= op.layout.shape.length - 2 && !inPlace;
