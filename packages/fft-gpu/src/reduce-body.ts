/**
 * Plans of reductions and histograms. They are loaded with the first such op, so that pages without one don't have their code.
 */
import { dtypes, elementCount, type Histogram, type Layout, type Load, portsOf, type Reduce, uniformsOf } from "@dechirp/core";
import { onePassCost, type PlanBody, type RuleContext } from "@dechirp/core/backend";
import { wgslFloat, wgslIndex } from "@dechirp/core/internal";
import { binning, reducedAxes } from "@dechirp/core/reduce";
import { elementsPerQuad } from "./accessors.ts";
import type { ArrayUse, Dispatch } from "./dispatch.ts";
import type { Engine } from "./engine.ts";
import type { GpuArray } from "./memory.ts";
import { histogramDispatches } from "./wgsl/histogram.ts";
import { divide, type ReducePass, reduceDispatch, tuning, type UnitType } from "./wgsl/reduce.ts";
import { hookFunction } from "./wgsl/user-text.ts";

const isComplex = ({ dtype }: Layout): boolean => dtypes[dtype].components === 2;

/** How elements are read: the arrays, declarations, and the expression for the element or the unit of elements at a place. */
interface Elements {
  readonly arrays: Record<string, ArrayUse>;
  readonly declarations: string;
  readonly isWide: boolean;
  at(place: string): string;
}

/** Elements are read four numbers at a time if `isWide`. Undefined if a load has no WGSL. */
function elementsOf(op: { readonly layout: Layout; readonly load?: Load }, isWide: boolean): Elements | undefined {
  const { layout, load } = op;
  if (!load) {
    const use: ArrayUse = { from: { port: "in" }, layout, access: "read", ...(isWide && { pairs: true }) };
    const name = isWide ? `load${elementsPerQuad(layout.dtype)}_in` : "load_in";
    return { arrays: { in: use }, declarations: "", isWide, at: (place) => `${name}(${place})` };
  }
  const code = hookFunction("load", load, layout.shape.length);
  if (code === undefined) return undefined;
  const arrays = Object.entries(load.sources).map(([name, source]): readonly [string, ArrayUse] => [
    name,
    { from: { port: name }, layout: source, access: "read" },
  ]);
  const type = isComplex(layout) ? "vec2f" : "f32";
  return {
    arrays: Object.fromEntries(arrays),
    declarations: `${code}
fn dechirp_element(place: u32) -> ${type} { return dechirp_load(${wgslIndex("place", layout.shape)})${type === "f32" ? ".x" : ""}; }`,
    isWide: false,
    at: (place) => `dechirp_element(${place})`,
  };
}

/** Plans a reduction or a histogram. Undefined if a load has no WGSL, or the device is too small. */
export function reductionBody(op: Reduce | Histogram, engine: Engine, context: RuleContext): Promise<PlanBody<GpuArray>> | undefined {
  // Indices of elements beyond this may overflow. Arrays of so many narrow integers are left to core's lowering.
  if (elementCount(op.layout) > 2 ** 31 || engine.limits.invocations < tuning.invocations) return undefined;
  return op.op === "reduce" ? reduceBody(op, engine, context) : histogramBody(op, engine, context);
}

function reduceBody(op: Reduce, engine: Engine, context: RuleContext): Promise<PlanBody<GpuArray>> | undefined {
  const { what, layout } = op;
  const axes = reducedAxes(op);
  const last = (axes.rows ? axes.reduced : axes.kept).at(-1)?.extent ?? 1;
  const perQuad = layout.dtype === "f32" ? 4 : layout.dtype === "c64" ? 2 : 1;
  const elements = elementsOf(op, !op.load && perQuad > 1 && last % perQuad === 0);
  if (!elements) return undefined;
  const { isWide } = elements;
  const width = isWide ? (perQuad as 2 | 4) : 1;
  const complex = isComplex(layout);
  const type: UnitType = isWide ? "vec4f" : complex ? "vec2f" : "f32";
  const ports = portsOf(op);
  const isPlaced = what === "argmax";
  // The second factor is read as the first is, so that both have the same units.
  const by: ArrayUse | undefined =
    what === "product" ? { from: { port: "by" }, layout, access: "read", ...(isWide && { pairs: true }) } : undefined;
  const factor = (place: string): string => `${isWide ? `load${perQuad}_by` : "load_by"}(${place})`;
  const multiply = op.conjugate ? "cmulc" : "cmul";
  const terms: Record<string, (x: string, y: string) => string> = {
    "sum of squares": (x) => `${x} * ${x}`,
    product: (x, y) =>
      !complex ? `${x} * ${y}` : isWide ? `vec4f(${multiply}(${x}.xy, ${y}.xy), ${multiply}(${x}.zw, ${y}.zw))` : `${multiply}(${x}, ${y})`,
  };
  const { out } = ports;
  const outUse: ArrayUse = { from: { port: "out" }, layout: out.layout, access: "write" };
  const combine = what === "max" || isPlaced ? (isPlaced ? "argmax" : "max") : "add";
  const first: ReducePass = {
    ...axes,
    combine,
    type,
    width,
    loads: by ? [elements.at, factor] : [elements.at],
    unit: (x, y) => terms[what]?.(x, y) ?? x,
    folds: what === "sum of squares" && complex,
    declarations: elements.declarations,
    arrays: {},
  };
  const division = divide(first, false);
  const { chunks } = division;
  const shape = axes.rows ? [axes.outputs, chunks] : [chunks, axes.outputs];
  const temporaries: Layout[] =
    chunks === 1 ? [] : [{ dtype: isPlaced ? "f32" : out.layout.dtype, shape }, ...(isPlaced ? [{ dtype: "u32", shape } as const] : [])];
  const between = (access: "read" | "write"): Record<string, ArrayUse> =>
    Object.fromEntries(
      temporaries.map((layout, temporary) => [temporary === 0 ? "value" : "index", { from: { temporary }, layout, access }]),
    );
  const inputs = { ...elements.arrays, ...(by && { by }) };
  const uniforms = uniformsOf(op);
  const dispatches: Dispatch[] = [
    {
      ...reduceDispatch({ ...first, arrays: { ...inputs, ...(chunks === 1 ? { out: outUse } : between("write")) } }, division),
      ...(Object.keys(uniforms).length > 0 && { uniforms }),
    },
  ];
  if (chunks > 1) {
    const second: ReducePass = {
      combine,
      kept: [{ extent: axes.outputs, stride: axes.rows ? chunks : 1 }],
      reduced: [{ extent: chunks, stride: axes.rows ? 1 : axes.outputs }],
      outputs: axes.outputs,
      count: chunks,
      rows: axes.rows,
      type: isComplex(out.layout) ? "vec2f" : "f32",
      width: 1,
      loads: [(place) => `load_value(${place})`],
      unit: (x) => x,
      ...(isPlaced && { index: (place) => `load_index(${place})` }),
      folds: false,
      arrays: { ...between("read"), out: outUse },
    };
    dispatches.push(reduceDispatch(second, divide(second, true)));
  }
  const onePass = onePassCost(op);
  const bytes = temporaries.reduce((sum, layout) => sum + 8 * elementCount(layout), 0);
  const way = `${axes.rows ? "rows" : "columns"} of ${axes.count}${isWide ? " in words of 16 bytes" : ""}`;
  return engine.body(
    {
      op,
      text: `(reduce/gpu ${what} ${way}${chunks > 1 ? `, ${chunks} parts` : ""}${op.load ? ` load=${op.load.name}` : ""})`,
      cost: { ...onePass, bytes: onePass.bytes + bytes, passes: dispatches.length },
      dispatches,
      temporaries,
    },
    context,
  );
}

function histogramBody(op: Histogram, engine: Engine, context: RuleContext): Promise<PlanBody<GpuArray>> | undefined {
  const { layout, bins, low, high } = op;
  const total = elementCount(layout);
  const elements = elementsOf(op, !op.load && layout.dtype === "f32" && total % 4 === 0);
  if (!elements) return undefined;
  const width = elements.isWide ? 4 : 1;
  const edge = (value: number | undefined, name: string): string => (value === undefined ? `uniforms.${name}` : wgslFloat(value));
  const scale =
    low !== undefined && high !== undefined
      ? wgslFloat(binning(op, low, high).scale)
      : `${bins}.0 / (${edge(high, "high")} - ${edge(low, "low")})`;
  const [clear, count] = histogramDispatches({
    bins,
    units: total / width,
    width,
    load: (index) => elements.at(elements.isWide ? `4u * (${index})` : `(${index})`),
    low: edge(low, "low"),
    scale,
    declarations: elements.declarations,
    arrays: { ...elements.arrays, out: { from: { port: "out" }, layout: { dtype: "u32", shape: [bins] }, access: "write", adds: true } },
    workgroupBytes: engine.limits.workgroupBytes,
    invocations: engine.limits.invocations,
  });
  const uniforms = uniformsOf(op);
  const dispatches = [clear, { ...count, ...(Object.keys(uniforms).length > 0 && { uniforms }) }];
  const onePass = onePassCost(op);
  return engine.body(
    {
      op,
      text: `(histogram/gpu ${bins} bins${op.load ? ` load=${op.load.name}` : ""})`,
      cost: { ...onePass, passes: 2 },
      dispatches,
    },
    context,
  );
}
