/**
 * Plans by variants (variants.ts). This file is loaded with the first plan that asks for one, so that pages without variants do not have its
 * code.
 */
import { fft, formatOp, layout, type Op, RadarError, type TransformOp, transformLength } from "@dechirp/core";
import type { PlanBody, RuleContext } from "@dechirp/core/backend";
import type { BodySpec } from "./dispatch.ts";
import type { Engine } from "./engine.ts";
import type { GpuArray } from "./memory.ts";
import { bodyOf, complexForm, fits, isBare, type PlanLimits } from "./transform-body.ts";
import { planBy } from "./variant-checks.ts";
import type { Unmet, Variant, VariantLimits } from "./variants.ts";

/** What has been found by comparing variants with float64 on an engine's device, by name and length. */
const proofs = new WeakMap<Engine, Map<string, Promise<Unmet | undefined>>>();

/**
 * The plan of a transform by a variant. Undefined if core can lower the transform to ones that the variant may compute. Throws `unsupported`,
 * naming what the variant needs, if it can't compute a bare transform or lacks a feature.
 */
export async function variantBody(
  engine: Engine,
  op: TransformOp,
  name: string,
  variant: Variant,
  context: RuleContext,
): Promise<PlanBody<GpuArray> | undefined> {
  const spec = variantSpec(op, name, variant, engine.limits);
  const unmet = spec && variant.prove && (await proven(engine, name, variant, transformLength(op), context));
  if (unmet) throw refusal(op, name, unmet);
  return spec && engine.body({ ...spec, op }, context);
}

/** Compares the variant with float64, once for a length. */
async function proven(engine: Engine, name: string, variant: Variant, n: number, context: RuleContext): Promise<Unmet | undefined> {
  const known = proofs.get(engine) ?? new Map<string, Promise<Unmet | undefined>>();
  proofs.set(engine, known);
  const run = async (x: Float32Array, lines: number): Promise<Float32Array> => {
    const bare = fft(layout("c64", [lines, n]), { axis: 1 });
    const spec = variantSpec(bare, name, variant, engine.limits);
    if (!spec) throw new TypeError("a variant that takes an operation must take bare lines");
    const body = await engine.body(spec, context);
    const [from, to] = ["lines", "results"].map((label) => engine.allocate(bare.layout, label));
    try {
      from.write(x, 0);
      await body.run({ in: from, out: to }, { uniforms: {}, units: [0] });
      const results = new Float32Array(x.length);
      await to.read(0, results);
      return results;
    } finally {
      body.dispose?.();
      from.free();
      to.free();
    }
  };
  const key = `${name} ${n}`;
  const proof = known.get(key) ?? variant.prove?.(run, n) ?? Promise.resolve(undefined);
  known.set(key, proof);
  try {
    return await proof;
  } catch (error) {
    // A comparison that was aborted or failed is tried again.
    known.delete(key);
    throw error;
  }
}

function variantSpec(op: TransformOp, name: string, variant: Variant, limits: PlanLimits & VariantLimits): BodySpec | undefined {
  // What the transform itself needs. A convolution, which is tried next, may need something else.
  let unmet: Unmet | undefined;
  const found =
    op.op === "real-fft"
      ? undefined
      : complexForm(op, (transform) => {
          const planned = planBy(name, variant, transform, limits);
          if ("dispatches" in planned) return planned;
          unmet ??= planned;
          return undefined;
        });
  const spec = found && bodyOf(op, found);
  if (spec && fits(spec, limits)) return spec;
  const {
    needs,
    feature,
    always = feature !== undefined,
  }: Unmet = spec ? { needs: "more bindings than the device has" } : (unmet ?? { needs: "complex lines" });
  if (!isBare(op) && !always) return undefined;
  throw refusal(op, name, { needs, ...(feature !== undefined && { feature }) });
}

const refusal = (op: Op, variant: string, { needs, feature }: Unmet): RadarError =>
  new RadarError("unsupported", `variant ${variant} can't compute ${formatOp(op)}: it needs ${needs}`, {
    ...{ field: "variant", variant, needs },
    ...(feature !== undefined && { feature }),
  });
