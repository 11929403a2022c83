/**
 * Transforms across the lanes of subgroups (radix-8 paper, section V.E, "SIMD shuffle"): an invocation holds 8 values or more, and the
 * registers and lanes of a subgroup transform 8·S points without workgroup memory (S lanes: radix 8 in registers, then S points by
 * `subgroupShuffleXor`). Subgroups exchange values through workgroup memory before the next such stage. 256 points with 32 lanes need no
 * workgroup memory at all.
 *
 * The result does not depend on how a device forms subgroups. Where the device lets a kernel ask for the subgroup's size
 * (`subgroup-size-control`), it does; else there is code for each size that the device may choose. Positions come from the number of the
 * subgroup and the lane, never from the number of the invocation. If subgroups are not full, or have another size, the workgroup
 * transforms its lines through workgroup memory instead.
 */
import { sharesOf } from "../gains.ts";
import type { Planned } from "../passes.ts";
import { type LineShape, workgroupBytes } from "../shape.ts";
import type { Transform } from "../transform.ts";
import type { Unmet, Variant, VariantLimits } from "../variants.ts";
import type { Held } from "../wgsl/stages.ts";
import { Stages } from "../wgsl/stages.ts";
import { type Frame, framed } from "./frame.ts";
import { type LaneStage, lanePlaces, lanePosition, laneStage } from "./lanes.ts";
import { stageRoots } from "./roots.ts";
import { radicesOf, tableError, unfit } from "./stockham.ts";

/** The numbers of values that an invocation may hold. */
const valuesOffered = [8, 16, 32] as const;
/** Invocations that a workgroup should have at least. */
const goodInvocations = 128;
/** The size of subgroups that kernels ask for, if the device has it: that of the paper. */
const goodSize = 32;
/** Subgroups of a workgroup that kernels may ask a size for. WebGPU does not tell a device's limit; 32 is the least that is known. */
const mostSubgroups = 32;

const control = "subgroup-size-control";

interface Shape {
  readonly line: LineShape;
  readonly values: number;
  /** The sizes of subgroups that there is code for. */
  readonly sizes: readonly number[];
  /** Whether the kernel asks for the size. */
  readonly asks: boolean;
  /** Whether WGSL has the builtin `subgroup_id`. */
  readonly numbered: boolean;
}

/** The transform. Needs the feature `subgroups`. */
export const shuffle: Variant = {
  features: [control],
  error: tableError,
  plan(transform, limits): Planned | Unmet {
    const { n } = transform;
    if (!limits.subgroups) return { needs: "the feature subgroups", feature: "subgroups" };
    const needed = unfit(n);
    if (needed) return needed;
    const shape = shapeOf(transform, limits, limits.subgroups);
    if ("needs" in shape) return shape;
    const { line, sizes, asks, numbered } = shape;
    const radices = sizes.map((size) => `${stagesText(stagesFor(shape, size))} of ${size} lanes`);
    const options = {
      lines: line.lines,
      threads: line.threads * line.lines,
      ...(asks && { enables: ["subgroup_size_control"], attributes: [`@subgroup_size(${sizes[0]})`] }),
      builtins: [
        "@builtin(subgroup_size) subgroup_size: u32",
        "@builtin(subgroup_invocation_id) lane: u32",
        ...(numbered ? ["@builtin(subgroup_id) subgroup_id: u32", "@builtin(num_subgroups) num_subgroups: u32"] : []),
      ],
      text: `one-pass shuffle radix=${radices.join(" or ")} threads=${line.threads} lines=${line.lines} exchange=${line.exchange}${line.windows > 1 ? `/${line.windows}` : ""}`,
    };
    return framed(transform, options, (frame) => emit(frame, shape)) ?? { needs: "transforms without filters" };
  },
};

/** The shape, or what it needs. */
function shapeOf({ n, outers, inners }: Transform, limits: VariantLimits, [smallest, largest]: readonly [number, number]): Shape | Unmet {
  const most = 2 ** Math.floor(Math.log2(limits.invocations));
  const values = valuesOffered.find((count) => n / count <= most);
  if (values === undefined) return { needs: `workgroups of ${n / (valuesOffered.at(-1) as number)} invocations for a line of ${n} points` };
  const threads = n / values;
  const wanted = Math.min(largest, Math.max(smallest, goodSize));
  const asks = limits.features.has(control) && smallest < largest && threads <= mostSubgroups * wanted;
  const all = [1, 2, 4, 8, 16, 32, 64, 128].filter((size) => size >= smallest && size <= largest);
  const sizes = asks ? [wanted] : all;
  const fits = (line: LineShape): boolean => workgroupBytes(line) <= limits.workgroupBytes;
  const base = { n, radices: [values], threads, together: 1 } as const;
  const forms = [
    { exchange: "both", windows: 1 },
    { exchange: "split", windows: 1 },
    { exchange: "split", windows: 2 },
  ] as const;
  // Workgroups are whole subgroups, so short lines share one even if there are no more lines.
  let lines = Math.max(1, Math.ceil(Math.max(...sizes) / threads));
  if (lines * threads > most) return { needs: `workgroups of ${lines * threads} invocations` };
  const form = forms.find((one) => fits({ ...base, ...one, lines }));
  if (!form) return { needs: `${workgroupBytes({ ...base, ...forms[2], lines })} bytes of workgroup memory for a line of ${n} points` };
  while (
    lines * threads < goodInvocations &&
    2 * lines * threads <= most &&
    lines < outers * inners &&
    workgroupBytes({ ...base, ...form, lines: 2 * lines }) <= limits.workgroupBytes / 2
  )
    lines *= 2;
  return { line: { ...base, ...form, lines }, values, sizes, asks, numbered: limits.language?.has("subgroup_id") ?? false };
}

/** A stage in registers and, unless s is 1, one across lanes. */
interface Pair {
  readonly r: number;
  readonly s: number;
}

/** The stages for subgroups of a size: as many points as registers and lanes hold, then the rest. */
function stagesFor({ line: { n, threads }, values }: Shape, size: number): readonly Pair[] {
  const stages: Pair[] = [];
  for (let rest = n; rest > 1; ) {
    const r = Math.min(values, rest);
    const s = Math.min(size, threads, rest / r);
    stages.push({ r, s });
    rest /= r * s;
  }
  return stages;
}

const stagesText = (stages: readonly Pair[]): string => stages.map(({ r, s }) => (s === 1 ? `${r}` : `${r}·(${s})`)).join("·");

function emit(frame: Frame, shape: Shape): void {
  const { text } = frame;
  const { line, sizes, numbered } = shape;
  const all = line.threads * line.lines;
  if (!numbered) {
    // Any numbers will do if every subgroup has its own.
    frame.declare("var<workgroup> dechirp_subgroups: atomic<u32>;");
    text.line("var subgroup_id = 0u;");
    text.line("if (subgroupElect()) { subgroup_id = atomicAdd(&dechirp_subgroups, 1u); }");
    text.line("subgroup_id = subgroupBroadcastFirst(subgroup_id);");
    text.line("let num_subgroups = workgroupUniformLoad(&dechirp_subgroups);");
  }
  const declarations = new Set<string>();
  for (const size of sizes) {
    text.line(`if (subgroup_size == ${size}u && num_subgroups == ${all / size}u) {`);
    declarations.add(acrossLanes(frame, shape, size, text.let(`subgroup_id * ${size}u + lane`, "p")));
    text.line("} else {");
  }
  declarations.add(throughMemory(frame, shape));
  for (const _ of sizes) text.line("}");
  for (const declaration of declarations) frame.declare(declaration);
}

/** The line and position of invocation p of a workgroup. */
function positionOf({ text }: Frame, { line: { threads, lines } }: Shape, p: string): { readonly c: string; readonly t: string } {
  if (lines === 1) return { c: "0u", t: p };
  return { c: text.let(`${p} / ${threads}u`, "c"), t: text.let(`${p} % ${threads}u`, "t") };
}

/** Transforms with full subgroups of a size. Returns the declarations of workgroup memory. */
function acrossLanes(frame: Frame, shape: Shape, size: number, p: string): string {
  const { text, table, sign, gain } = frame;
  const { line: lineShape, values } = shape;
  const { n, threads } = lineShape;
  const at = positionOf(frame, shape, p);
  const line = frame.line(at.c);
  const stages = new Stages(text, lineShape);
  const pairs = stagesFor(shape, size);
  const radices = pairs.flatMap(({ r, s }) => (s > 1 ? [r, s] : [r]));
  const shares = [...sharesOf(radices, gain)];
  let held: Held[] = [];
  let span = 1;
  pairs.forEach(({ r, s }, i) => {
    const stage: LaneStage = { n, threads, lanes: Math.min(size, threads), s };
    const position = lanePosition(text, stage, at.t);
    const places = lanePlaces(text, stage, position, r, values);
    held =
      i === 0 ? places.map((place) => ({ ...place, value: line.load(place.index, place.high) })) : stages.exchange(held, at, places, at);
    const scale = shares.shift() ?? 1;
    const offset = span === 1 ? 0 : stageRoots(table, { r, span, scale, first: 1 });
    held = stages.stage(held, { r, span, sign, offset, scale, factors: new Map() });
    span *= r;
    if (s > 1) held = laneStage(text, table, held, r, position.digit, { ...stage, span, sign, scale: shares.shift() ?? 1 });
    span *= s;
  });
  for (const { index, value } of held) line.store(index, value);
  return stages.declarations();
}

/** Transforms without subgroups. Returns the declarations of workgroup memory. */
function throughMemory(frame: Frame, shape: Shape): string {
  const { text, table, sign, gain } = frame;
  const { line: lineShape, values } = shape;
  const at = positionOf(frame, shape, "tid");
  const line = frame.line(at.c);
  const stages = new Stages(text, lineShape);
  const radices = radicesOf(lineShape.n, values);
  const shares = sharesOf(radices, gain);
  let held: Held[] = [];
  let span = 1;
  radices.forEach((r, i) => {
    const places = stages.places(r, at);
    held =
      i === 0 ? places.map((place) => ({ ...place, value: line.load(place.index, place.high) })) : stages.exchange(held, at, places, at);
    const offset = span === 1 ? 0 : stageRoots(table, { r, span, scale: shares[i], first: 1 });
    held = stages.stage(held, { r, span, sign, offset, scale: shares[i], factors: new Map() });
    span *= r;
  });
  for (const { index, value } of held) line.store(index, value);
  return stages.declarations();
}
