/**
 * Transforms as dispatches: readers and writers for the operation, a plan for its lines, and what of it fits the bindings of a device. A
 * transform with everything around it (padding, cropping, hooks, filters, real lines, any axis) is one to five passes.
 */
import {
  type Cost,
  elementCount,
  type Layout,
  nextFastLength,
  type Op,
  portsOf,
  sameLayout,
  type TransformOp,
  transformLength,
} from "@dechirp/core";
import { axisView, hooksText, onePassCost } from "@dechirp/core/backend";
import { bluestein } from "./bluestein.ts";
import { type ArrayUse, type BodySpec, type Dispatch, spread } from "./dispatch.ts";
import { type Planned, planTransform } from "./passes.ts";
import type { PassLimits, Transform } from "./transform.ts";
import { filterOf, linesOf, readerOf, writerOf } from "./wgsl/elements.ts";

/** Whether an op is a transform without hooks and filters. */
export const isBare = (op: Op): boolean => (op.op === "fft" || op.op === "real-fft") && !op.load && !op.store;

/** The transform, or its staged form, whichever binds no more than the device allows. */
export function fittingSpec(op: TransformOp, limits: PlanLimits): BodySpec | undefined {
  const spec = transformBody(op, limits);
  if (spec && fits(spec, limits)) return spec;
  const staged = spec && stagedBody(op, spec);
  return staged && fits(staged, limits) ? staged : undefined;
}

/** The limits of a device that planning depends on. */
export interface PlanLimits extends PassLimits {
  /** The number of arrays, or segments of arrays, that a dispatch may bind. */
  readonly storageBuffers: number;
  segmentElements(layout: Layout): number;
}

/** Whether every dispatch binds few enough segments. */
export function fits({ dispatches }: BodySpec, limits: PlanLimits): boolean {
  const segments = ({ layout, alias }: ArrayUse): number =>
    alias === undefined ? Math.ceil(elementCount(layout) / limits.segmentElements(layout)) : 0;
  return dispatches.every(({ arrays }) => Object.values(arrays).reduce((sum, use) => sum + segments(use), 0) <= limits.storageBuffers);
}

/** Plans the transform as dispatches. Returns undefined if no form of it fits the device or a hook has no WGSL. */
export function transformBody(op: TransformOp, limits: PassLimits): BodySpec | undefined {
  const found = realInHalf(op, limits) ?? complexForm(op, (transform) => planTransform(transform, limits));
  return found && bodyOf(op, found);
}

/** A planned transform as a body. */
export function bodyOf(op: TransformOp, found: Found): BodySpec {
  const { planned, how, convolved } = found;
  const hooks = `${op.cornerTurn ? " corner-turn" : ""}${hooksText(op)}`;
  return {
    op,
    text: `(${op.op}/gpu n=${transformLength(op)} ${how}${planned.text}${hooks})`,
    cost: costOf(op, found),
    ...(convolved && { convolved }),
    ...(planned.choice && { choice: planned.choice }),
    dispatches: planned.dispatches,
    temporaries: planned.temporaries,
  };
}

/** How a transform is planned. */
export interface Found {
  readonly planned: Planned;
  readonly how: string;
  /** Elements of a line between passes. Default: the transform's length. */
  readonly points?: number;
  readonly convolved?: true;
}

function costOf(op: TransformOp, { planned, points = transformLength(op) }: Found): Cost {
  const once = onePassCost(op);
  const { outers, inners } = axisView(op.layout, op.axis);
  const between = 2 * (planned.elementBytes ?? 8) * outers * inners * points;
  return { flops: once.flops, bytes: once.bytes + (planned.passes - 1) * between, passes: planned.passes };
}

/** Transforms real lines of even length as complex lines of half the length. Undefined if these have a large prime factor. */
function realInHalf(op: TransformOp, limits: PassLimits): Found | undefined {
  const n = transformLength(op);
  if (op.op !== "real-fft" || n % 2 !== 0) return undefined;
  const read = readerOf(op, op.inverse ? "half pairs" : "pairs");
  const write = writerOf(op, op.inverse ? "pairs" : "split");
  if (!read || !write) return undefined;
  const { outers, inners } = axisView(op.layout, op.axis);
  const planned = planTransform({ n: n / 2, kind: op.inverse ? "inverse" : "forward", outers, inners, read, write }, limits);
  return planned && { planned, how: "half-length ", points: n / 2 };
}

/** The transform of complex lines. Undefined if a hook has no WGSL. */
export function complexTransform(op: TransformOp): Transform | undefined {
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
    ...(op.cornerTurn && { turned: true }),
  };
}

/** Complex lines as `plan` plans them, or as convolutions. */
export function complexForm(op: TransformOp, plan: (transform: Transform) => Planned | undefined): Found | undefined {
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
