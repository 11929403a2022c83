/**
 * The rules for transforms. A transform with everything around it (padding, cropping, hooks, filters, real lines, any axis) is one plan of
 * one to five passes. If the device can't bind all of that at once, core's lowerings divide it; a bare transform is then copied to its
 * output and transformed in place.
 */
import {
  type Cost,
  elementCount,
  type Fft,
  fft,
  formatOp,
  isTransform,
  type Layout,
  layout,
  nextFastLength,
  type Op,
  portsOf,
  RadarError,
  sameLayout,
  type TransformOp,
  transformLength,
} from "@dechirp/core";
import { axisView, filterHookOf, hooksText, onePassCost, type PlanBody, type Rule, type RuleContext } from "@dechirp/core/backend";
import { bluestein } from "./bluestein.ts";
import { type ArrayUse, type BodySpec, type Dispatch, spread } from "./dispatch.ts";
import type { Engine } from "./engine.ts";
import type { GpuArray } from "./memory.ts";
import { type Planned, planTransform } from "./passes.ts";
import { stagesOf } from "./shape.ts";
import type { PassLimits, Transform } from "./transform.ts";
import type { Unmet, Variant, VariantLimits, Variants } from "./variants.ts";
import { filterOf, linesOf, readerOf, writerOf } from "./wgsl/elements.ts";

/** The rules for transforms. `variants` are those that plans may ask for. */
export function fftRules(engine: Engine, variants: Variants = {}): readonly Rule<GpuArray>[] {
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
  const proofs = new Map<string, Promise<Unmet | undefined>>();
  /** Throws `unsupported` if the variant compares its results with float64 and they are wrong. */
  const proven = async (op: TransformOp, name: string, context: RuleContext): Promise<void> => {
    const variant = variants[name];
    if (!variant.prove) return;
    const n = transformLength(op);
    const run = async (x: Float32Array, lines: number): Promise<Float32Array> => {
      const bare = fft(layout("c64", [lines, n]), { axis: 1 });
      const spec = variantSpec(bare, name, variant, engine.limits);
      if (!spec) throw new TypeError("a variant that takes an operation must take bare lines");
      const body = await engine.body(spec, context);
      const [from, to] = ["lines", "results"].map((label) => engine.allocate(bare.layout, label));
      try {
        from.write(x, 0);
        await body.run({ in: from, out: to }, { uniforms: {}, units: [0] });
        return (await to.read(0, x.length)) as Float32Array;
      } finally {
        body.dispose?.();
        from.free();
        to.free();
      }
    };
    const key = `${name} ${n}`;
    const proof = proofs.get(key) ?? variant.prove(run, n);
    proofs.set(key, proof);
    // A proof that was aborted or failed is tried again.
    const unmet = await proof.catch((error: unknown) => {
      proofs.delete(key);
      throw error;
    });
    if (unmet) throw refusal(op, name, unmet);
  };
  const rule = async (op: Op, context: RuleContext): Promise<PlanBody<GpuArray> | undefined> => {
    if (!isTransform(op) || (op.cornerTurn && !turns(op, context.options.inPlace))) return undefined;
    const { variant } = context.options;
    const spec = variant === undefined ? specOf(op) : variantSpec(op, variant, variants[variant], engine.limits);
    if (spec && variant !== undefined) await proven(op, variant, context);
    return spec && engine.body({ ...spec, op }, context);
  };
  return [
    { name: "lines", fused: false, try: (op, context) => (isBare(op) ? rule(op, context) : undefined) },
    { name: "lines, fused", fused: true, try: (op, context) => rule(op, context) },
  ];
}

const mostKnown = 256;

const isBare = (op: Op): boolean => (op.op === "fft" || op.op === "real-fft") && !op.load && !op.store;

/**
 * The transform by a variant. If the variant can't compute it, core lowers it to transforms without hooks and filters; `unsupported` if it
 * has none.
 */
function variantSpec(op: TransformOp, name: string, variant: Variant, limits: PlanLimits & VariantLimits): BodySpec | undefined {
  // What the transform itself needs. A convolution, which is tried next, may need something else.
  let unmet: Unmet | undefined;
  const found =
    op.op === "real-fft"
      ? undefined
      : complexForm(op, (transform) => {
          const planned = variant.plan(transform, limits);
          if ("dispatches" in planned) return planned;
          unmet ??= planned;
          return undefined;
        });
  const spec = found && bodyOf(op, found);
  if (spec && fits(spec, limits)) return spec;
  const { needs, feature }: Unmet = spec ? { needs: "more bindings than the device has" } : (unmet ?? { needs: "complex lines" });
  if (!isBare(op) && feature === undefined) return undefined;
  throw refusal(op, name, { needs, ...(feature !== undefined && { feature }) });
}

const refusal = (op: Op, variant: string, { needs, feature }: Unmet): RadarError =>
  new RadarError("unsupported", `variant ${variant} can't compute ${formatOp(op)}: it needs ${needs}`, {
    ...{ field: "variant", variant, needs },
    ...(feature !== undefined && { feature }),
  });

/**
 * Whether results can be transposed while they are written: for complex lines along one of the last two axes, not in place. Only in one
 * pass, because with several passes the last writes would be scattered, and a separate corner turn is faster.
 */
const turns = (op: TransformOp, inPlace: boolean): boolean => op.op !== "real-fft" && op.axis >= op.layout.shape.length - 2 && !inPlace;

/** The transform, or its staged form, whichever binds no more than the device allows. */
function fittingSpec(op: TransformOp, limits: PlanLimits): BodySpec | undefined {
  const spec = transformBody(op, limits);
  if (spec && fits(spec, limits)) return spec;
  const staged = spec && stagedBody(op, spec);
  return staged && fits(staged, limits) ? staged : undefined;
}

/** What a variant, or the planner without one, plans for complex lines, without a device. Undefined or `Unmet` if they can't be computed. */
export function plannedLines(op: Fft, variant: Variant | undefined, limits: PassLimits & VariantLimits): Planned | Unmet | undefined {
  const transform = complexTransform(op);
  return transform && (variant ? variant.plan(transform, limits) : planTransform(transform, limits));
}

/** The limits of a device that planning depends on. */
export interface PlanLimits extends PassLimits {
  /** The number of arrays, or segments of arrays, that a dispatch may bind. */
  readonly storageBuffers: number;
  segmentElements(layout: Layout): number;
}

/** Whether every dispatch binds few enough segments. */
function fits({ dispatches }: BodySpec, limits: PlanLimits): boolean {
  const segments = ({ layout, alias }: ArrayUse): number =>
    alias === undefined ? Math.ceil(elementCount(layout) / limits.segmentElements(layout)) : 0;
  return dispatches.every(({ arrays }) => Object.values(arrays).reduce((sum, use) => sum + segments(use), 0) <= limits.storageBuffers);
}

/** Plans the transform as dispatches. Returns undefined if no form of it fits the device or a hook has no WGSL. */
export function transformBody(op: TransformOp, limits: PassLimits): BodySpec | undefined {
  const found = realInHalf(op, limits) ?? complexForm(op, (transform) => planTransform(transform, limits));
  return found && bodyOf(op, found);
}

function bodyOf(op: TransformOp, { planned, how, convolved }: Found): BodySpec {
  const hooks = `${op.cornerTurn ? " corner-turn" : ""}${hooksText(op)}`;
  return {
    op,
    text: `(${op.op}/gpu n=${transformLength(op)} ${how}${planned.text}${hooks})`,
    cost: costOf(op, planned),
    ...(convolved && { convolved }),
    dispatches: planned.dispatches,
    temporaries: planned.temporaries,
  };
}

interface Found {
  readonly planned: Planned;
  readonly how: string;
  readonly convolved?: true;
}

function costOf(op: TransformOp, planned: Planned): Cost {
  const once = onePassCost(op);
  const { outers, inners } = axisView(op.layout, op.axis);
  const between = 2 * (planned.elementBytes ?? 8) * outers * inners * transformLength(op);
  return { flops: once.flops, bytes: once.bytes + (planned.passes - 1) * between, passes: planned.passes };
}

/** Transforms real lines of even length as complex lines of half the length, if these fit into one pass. */
function realInHalf(op: TransformOp, limits: PassLimits): Found | undefined {
  const n = transformLength(op);
  if (op.op !== "real-fft" || n % 2 !== 0 || !stagesOf(n / 2)) return undefined;
  const read = readerOf(op, op.inverse ? "half pairs" : "pairs");
  const write = writerOf(op, op.inverse ? "pairs" : "split");
  if (!read || !write) return undefined;
  const { outers, inners } = axisView(op.layout, op.axis);
  const planned = planTransform({ n: n / 2, kind: op.inverse ? "inverse" : "forward", outers, inners, read, write }, limits);
  return planned?.passes === 1 ? { planned, how: "half-length " } : undefined;
}

/** The transform of complex lines. Undefined if a hook has no WGSL. */
function complexTransform(op: TransformOp): Transform | undefined {
  const n = transformLength(op);
  const read = readerOf(op, "complex");
  const write = writerOf(op, "complex");
  const filter = op.op === "spectral-filter" ? filterOf(op) : undefined;
  if (!read || !write || (op.op === "spectral-filter" && !filter)) return undefined;
  return {
    n,
    kind: op.op === "spectral-filter" ? "filter" : op.op === "filter-inverse" || op.inverse ? "inverse" : "forward",
    ...linesOf(op),
    read,
    write,
    ...(filter && { filter }),
  };
}

function complexForm(op: TransformOp, plan: (transform: Transform) => Planned | undefined): Found | undefined {
  const transform = complexTransform(op);
  if (!transform) return undefined;
  const direct = plan(transform);
  if (direct) return op.cornerTurn && direct.passes > 1 ? undefined : { planned: direct, how: "" };
  // A filter by convolutions would need two of them, so core composes it.
  if (transform.kind === "filter") return undefined;
  const m = nextFastLength(2 * transform.n - 1);
  const planned = op.cornerTurn ? undefined : plan(bluestein(transform, m));
  return planned && { planned, how: `bluestein m=${m} `, convolved: true };
}

/** Copies to the output and transforms in place there, which needs half the bindings and one more pass. */
function stagedBody(op: TransformOp, spec: BodySpec): BodySpec | undefined {
  const { in: input, out } = portsOf(op);
  if (op.op !== "fft" || op.load || op.store || op.cornerTurn || !sameLayout(input.layout, out.layout)) return undefined;
  const grid = spread(Math.ceil(elementCount(out.layout) / 256));
  const copy: Dispatch = {
    code: `@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) group_id: vec3u) {
let i = ${grid.index} * 256u + tid;
if (i < ${elementCount(out.layout)}u) { store_out(i, load_in(i)); }
}`,
    entry: "main",
    arrays: {
      in: { from: { port: "in" }, layout: input.layout, access: "read" },
      out: { from: { port: "out" }, layout: out.layout, access: "write" },
    },
    groups: grid.groups,
  };
  const dispatches = spec.dispatches.map((dispatch): Dispatch => {
    const { in: source, out: target } = dispatch.arrays;
    if (!source) return dispatch;
    const copied: ArrayUse = { ...source, from: { port: "out" }, ...(target && { alias: "out" }) };
    return { ...dispatch, arrays: { ...dispatch.arrays, in: copied } };
  });
  return {
    ...spec,
    text: `(fft/gpu copied ${spec.text})`,
    cost: { ...spec.cost, bytes: spec.cost.bytes + 16 * elementCount(out.layout), passes: spec.cost.passes + 1 },
    dispatches: [copy, ...dispatches],
  };
}
