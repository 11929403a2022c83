/**
 * The rules for transforms. A transform with everything around it is one plan (transform-body.ts). If the device can't bind all of that at
 * once, core's lowerings divide it; a bare transform is then copied to its output and transformed in place.
 */
import { isRadarError, isTransform, type Op, type TransformOp } from "@dechirp/core";
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
  const specOf = (op: TransformOp, preferences: Preferences = {}): BodySpec | undefined => {
    const planned = (): BodySpec | undefined => fittingSpec(op, engine.limitsWith(preferences));
    if (op.load || op.store || filterHookOf(op)) return planned();
    const key = JSON.stringify([op, preferences]);
    if (!known.has(key)) {
      if (known.size >= mostKnown) known.clear();
      known.set(key, planned());
    }
    return known.get(key);
  };
  /** The plan by what is known of the op, or is measured now. Undefined if there is nothing, or it does not suit this device. */
  const preferred = async (op: TransformOp, context: RuleContext): Promise<PlanBody<GpuArray> | undefined> => {
    const preferences =
      engine.known.get(op) ??
      (effort === "measure" ? await (await import("./measure.ts")).measuredPreferences(engine, op, context) : undefined);
    const spec = preferences && specOf(op, preferences);
    if (!spec) return undefined;
    try {
      return await engine.body({ ...spec, op }, context);
    } catch (error) {
      if (isRadarError(error, "compile") || isRadarError(error, "limit")) return undefined;
      throw error;
    }
  };
  const rule = async (op: Op, context: RuleContext): Promise<PlanBody<GpuArray> | undefined> => {
    if (!isTransform(op) || (op.cornerTurn && !turns(op, context.options.inPlace))) return undefined;
    const { variant } = context.options;
    if (variant !== undefined) return (await import("./variant-body.ts")).variantBody(engine, op, variant, variants[variant], context);
    const body = await preferred(op, context);
    if (body) return body;
    const spec = specOf(op);
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
