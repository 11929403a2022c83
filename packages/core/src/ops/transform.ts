/**
 * What all transforms have in common: fields, checks, ports, hooks, padding, cropping, the corner turn, and their lowering. A transform
 * works along one axis of a dense array of any rank. The array's lines along that axis are independent.
 *
 * The forward transform is y[k] = Σ x[i]·exp(−j2πik/n). The inverse has the opposite sign and divides by n. If the axis is shorter than
 * `n`, zeros are appended; if it is longer, it is cropped. `layout` is always the layout of the array that the op reads.
 */
import { RadarError } from "../errors.ts";
import { checkFields, type FieldsOf } from "../fields.ts";
import { checkNamed, fieldsOfCode, type Load, referenceOf, type Store } from "../hooks.ts";
import { unravel } from "../kernels.ts";
import { checkLayout, type DType, dtypes, elementCount, formatLayout, isKeyOf, isWhole, type Layout, withAxis } from "../layout.ts";
import { requireSynchronous } from "../listener.ts";
import { wgslIndex, wgslLoaded, wgslStored } from "../wgsl.ts";
import type { Kernel } from "./kernel.ts";
import { type MapOp, mapOfHook, mapTo, ownPlaces, turnedStore } from "./map.ts";
import { fail, type LoweredStep, type OpRow, type Port, type Ports, read, step } from "./row.ts";

/** The range of outputs to keep along the axis: `count` outputs, beginning with output `start`. */
export type Keep = readonly [start: number, count: number];

/** The fields that all transforms have. */
export interface Transform {
  /** Axis to transform along, from 0. */
  readonly axis: number;
  /** Number of points of the transform. Default: the extent of the axis (for an inverse `real-fft`, 2·(extent − 1)). */
  readonly n?: number;
  /** Outputs to keep. Default: all. */
  readonly keep?: Keep;
  /**
   * Whether to exchange the last two axes when the result is written (a corner turn), so that the next operation finds its lines
   * contiguous. Hooks are called with indices as they are before the corner turn. Default: false.
   */
  readonly cornerTurn?: boolean;
  /** Hook that computes the input. The op then has no port `in`, and the hook's sources are ports. */
  readonly load?: Load;
  /**
   * Hook that maps each result to the value that is written. The hook's sources are ports. If one is called `out`, the port `out` has
   * access `update`. Default: results are written unchanged.
   */
  readonly store?: Store;
}

/** Options of the builders of transforms. `S` is the element type that a store hook writes. */
export interface TransformOpOptions<S extends DType> extends Omit<Transform, "store"> {
  /** Hook that maps each result to the value that is written. The hook's sources are ports. Default: results are written unchanged. */
  readonly store?: Store & { readonly dtype: S };
}

/** The shape of a filter: "line" is one line that filters all lines, "all" is an array of the shape of the spectrum. */
export type FilterShape = "line" | "all";

/** Largest transform length on any device. Up to this length the product of two indices is exact in float64. */
export const maxTransformLength = 2 ** 26;

/** The fields of an op that may hold hooks. */
type HasHooks = Pick<Transform, "load" | "store"> & { readonly h?: FilterShape | Load };

/**
 * The hook that computes the filter of an op. Undefined if the filter is an array at port `h`, or if the op has no filter. The hook is
 * called with indices of the spectrum: at[axis] is the bin, in natural frequency order.
 */
export const filterHookOf = ({ h }: HasHooks): Load | undefined => (typeof h === "object" ? h : undefined);

const hooksOf = (op: HasHooks) => ({ load: op.load, h: filterHookOf(op), store: op.store });

type AnyTransform = Transform & HasHooks & { readonly op: string; readonly layout: Layout };

/** The row of a transform. It always has the field `transform`. */
export type TransformRow<T extends AnyTransform> = OpRow<T> & { readonly transform: NonNullable<OpRow<T>["transform"]> };

/** What one kind of transform has that others don't. `transformRow` makes a row of it. */
interface TransformSpec<T extends AnyTransform> {
  /** The fields that this kind has besides those of all transforms. */
  readonly fields: Omit<FieldsOf<T>, keyof Transform | "op" | "layout">;
  /** Element types that the op can read. */
  inputs(op: T): readonly DType[];
  /** Throws `layout` if a field of this kind is wrong. */
  check(op: T): void;
  /** Number of points. */
  length(op: T): number;
  /** Layout of the full results of an op with n points. */
  layout(op: T, n: number): Layout;
  /** Text for the fields of this kind, for `formatOp`. */
  words(op: T): readonly string[];
  /** Ports besides `in` and `out`. Default: none. */
  ports?(op: T, n: number): Record<string, Port>;
  /** Floating-point operations for one line of n points. */
  flopsOfLine(op: T, n: number): number;
}

/** Names that sources of hooks can't have, because ports or values of lowerings have them. */
const reservedPorts = new Set(["in", "h", "out", "result"]);

const fieldsOfTransforms = {
  op: true,
  layout: true,
  axis: true,
  n: true,
  keep: true,
  cornerTurn: "boolean",
  load: "object",
  store: "object",
} as const;

const fieldsOfHook = {
  ...fieldsOfCode,
  sources: "object",
  shape: true,
  reference: "function",
  expression: "object",
  tuned: "object",
} as const;
const fieldsOf = (field: "load" | "h" | "store"): FieldsOf<Load> =>
  ({ ...fieldsOfHook, ...(field === "store" ? { dtype: true } : { wgslPair: "object" }) }) as never;

/** Extent of the transformed axis of the input. */
export const extentOf = ({ layout, axis }: { readonly layout: Layout; readonly axis: number }): number => layout.shape[axis];

/** 5·n·log₂n, the convention of benchFFT for a complex transform. */
export const transformFlops = (n: number): number => 5 * n * Math.log2(Math.max(n, 2));

/** Makes the row of one kind of transform. */
export function transformRow<T extends AnyTransform>(spec: TransformSpec<T>): TransformRow<T> {
  const length = (op: T): number => spec.length(op);
  const layout = (op: T): Layout => spec.layout(op, length(op));
  const row: TransformRow<T> = {
    fields: { ...fieldsOfTransforms, ...spec.fields } as unknown as FieldsOf<T>,
    check(op) {
      checkAxis(op, spec.inputs(op));
      spec.check(op);
      const n = length(op);
      if (!isWhole(n, 1)) fail("n", "a positive integer", op.n);
      checkLength(n, maxTransformLength);
      const full = layout(op);
      checkLayout(full, "transformed layout");
      checkKeep(op, full);
      if (op.cornerTurn && op.layout.shape.length < 2) fail("layout.shape", "of at least two axes for a corner turn", op.layout.shape);
      const { load, store, h } = hooksOf(op);
      const taken: Taken = { sources: new Set(reservedPorts), uniforms: new Set() };
      if (load) checkHook(load, "load", op.layout, taken);
      if (store) {
        checkHook(store, "store", keptLayout(row, op), taken);
        if (!isKeyOf(dtypes, store.dtype)) fail("store.dtype", "an element type", store.dtype);
      }
      if (h) checkHook(h, "h", withAxis(op.layout, op.axis, n), taken);
    },
    ports(op) {
      const result = keptLayout(row, op);
      const stored = op.store ? { dtype: op.store.dtype, shape: result.shape } : result;
      return {
        ...(op.load ? sourcePorts(op.load) : { in: read(op.layout) }),
        ...spec.ports?.(op, length(op)),
        ...(op.store && sourcePorts(op.store)),
        out: { access: readsOut(op) ? "update" : "write", layout: op.cornerTurn ? cornerTurnedLayout(stored) : stored },
      };
    },
    uniforms: (op) => ({ ...op.load?.uniforms, ...filterHookOf(op)?.uniforms, ...op.store?.uniforms }),
    text(op) {
      const words = [op.op, formatLayout(op.layout), `axis=${op.axis}`, `n=${length(op)}`, ...spec.words(op)];
      if (op.keep) words.push(`keep=${op.keep.join("+")}`);
      if (op.cornerTurn) words.push("corner-turn");
      return `${words.join(" ")}${hooksText(op)}`;
    },
    flops: (op) => (elementCount(op.layout) / extentOf(op)) * spec.flopsOfLine(op, length(op)),
    transform: { length, layout },
  };
  return row;
}

/** Whether the store reads what `out` held before. */
const readsOut = ({ store }: { readonly store?: Store | undefined }): boolean => store !== undefined && Object.hasOwn(store.sources, "out");

/** Layout of a transform's results after `keep`, and before `store` and the corner turn: the layout whose indices a store sees. */
export function keptLayout<T extends AnyTransform>({ transform }: TransformRow<T>, op: T): Layout {
  const full = transform.layout(op);
  return op.keep ? withAxis(full, op.axis, op.keep[1]) : full;
}

/** The layout with its last two axes exchanged. */
export const cornerTurnedLayout = <D extends DType>({ dtype, shape }: Layout<D>): Layout<D> => ({
  dtype,
  shape: [...shape.slice(0, -2), shape[shape.length - 1], shape[shape.length - 2]],
});

/** Layout of the filter at port `h` for lines of n points along `axis`. */
export function filterLayout(layout: Layout, axis: number, n: number, h: FilterShape): Layout {
  return h === "line" ? { dtype: layout.dtype, shape: [n] } : withAxis(layout, axis, n);
}

/** The names of a transform's hooks for its text: ` load=gain h=chirp store=power`. `how` is appended to each name. */
export const hooksText = (op: HasHooks, how = ""): string =>
  Object.entries(hooksOf(op))
    .map(([end, hook]) => (hook ? ` ${end}=${hook.name}${how}` : ""))
    .join("");

/** The sources of a hook as ports. */
export const sourcePorts = (hook: Load | Store): Record<string, Port> =>
  Object.fromEntries(Object.entries(hook.sources).map(([name, layout]) => [name, read(layout)]));

/** Throws `layout` unless the axis exists and the elements have one of `types`. */
export function checkAxis({ axis, layout }: { readonly axis: number; readonly layout: Layout }, types: readonly DType[]): void {
  if (!types.includes(layout.dtype)) fail("layout.dtype", types.join(" or "), layout.dtype);
  const last = layout.shape.length - 1;
  if (!isWhole(axis, 0, last)) fail("axis", `an integer from 0 to ${last}`, axis);
}

/** Throws `layout` unless `inverse` is given. Its type has been checked already. */
export const checkInverse = ({ inverse }: { readonly inverse: boolean }): void => {
  if (inverse === undefined) fail("inverse", "true or false", inverse);
};

/** Throws `layout` unless `h` is "line" or "all", or an object if the op may have a hook there. */
export const checkFilter = ({ h }: { readonly h: FilterShape | Load }, mayBeHook = false): void => {
  if (h === "line" || h === "all" || (mayBeHook && typeof h === "object" && h !== null)) return;
  fail("h", `"line" or "all"${mayBeHook ? " or a hook" : ""}`, h);
};

/** Throws `limit` if a transform has more than `most` points. `whose` is text for the message that says whose limit it is. */
export function checkLength(n: number, most: number, whose = ""): void {
  if (n > most) throw new RadarError("limit", `n may be at most ${most}${whose}, not ${n}`, { field: "n", limit: most, actual: n });
}

function checkKeep({ keep, axis }: AnyTransform, full: Layout): void {
  if (keep === undefined) return;
  const outputs = full.shape[axis];
  const [start, count, ...more]: readonly number[] = Array.isArray(keep) ? keep : [];
  if (!isWhole(start, 0) || !isWhole(count, 1, outputs - start) || more.length > 0)
    fail("keep", `[start, count], whole numbers within the ${outputs} outputs`, keep);
}

/** The names of ports and uniforms that an op's hooks have taken. */
export interface Taken {
  readonly sources: Set<string>;
  readonly uniforms: Set<string>;
}

/**
 * Throws `layout` if something is wrong with the hook, which is called with the indices of an array of this shape. Adds the names of its
 * sources and uniforms to those that are taken.
 */
export function checkHook(hook: Load | Store, field: "load" | "store" | "h", { shape }: Layout, { sources, uniforms }: Taken): void {
  checkFields(hook, fieldsOf(field), `the ${field} of an op`, "layout", `${field}.`);
  checkNamed(hook, `${field}.`);
  checkForms(hook, field);
  if (hook.shape && `${hook.shape}` !== `${shape}`) fail(`${field}.shape`, `[${shape.join(", ")}]`, hook.shape);
  for (const [name, source] of Object.entries(hook.sources ?? fail(`${field}.sources`, "named layouts", hook.sources))) {
    // Only expressions may read what they overwrite; planning checks how.
    const isPrevious = field === "store" && name === "out" && hook.expression;
    if (sources.has(name) && !isPrevious) fail(`${field}.sources.${name}`, "a free port name", name);
    sources.add(name);
    checkLayout(source, `${field}.sources.${name}`);
  }
  for (const name of Object.keys(hook.uniforms ?? {})) {
    if (uniforms.has(name)) fail(`${field}.uniforms.${name}`, "a name that no other hook of the op uses", name);
    uniforms.add(name);
  }
}

/** Throws `layout` unless the hook is either an expression, perhaps with tuned code, or a reference, perhaps with other code. */
function checkForms(hook: Load | Store, field: string): void {
  const { expression, reference } = hook;
  for (const [name, given] of Object.entries(hook)) {
    const other = expression ? ["reference", "wgsl", "wgslPair", "wasm", "constants"] : ["tuned"];
    if (given && other.includes(name)) fail(`${field}.${name}`, `absent ${expression ? "beside" : "without"} an expression`, given);
  }
  if (!expression && !reference) fail(`${field}.reference`, "a function", reference);
}

/** The lowering of a transform. The corner turn and the hooks become steps of their own. `plain` lowers what is left. */
export function lowerTransform<T extends AnyTransform>(
  row: TransformRow<T>,
  op: T,
  plain: (op: T) => readonly LoweredStep[] | undefined,
): readonly LoweredStep[] | undefined {
  if (op.cornerTurn) return thenCornerTurn(row, op);
  if (op.load || op.store) return withoutHooks(row, op);
  return plain(op);
}

/** A step that exchanges the last two axes of an array. */
export function cornerTurnStep(layout: Layout, from: string, to: string): LoweredStep {
  const rank = layout.shape.length;
  const permutation = Array.from({ length: rank }, (_, axis) => (axis < rank - 2 ? axis : 2 * rank - 3 - axis));
  return step("corner turn", { op: "transpose", layout, permutation }, { in: from, out: to });
}

/** Lowers a transform with a corner turn to the transform and a transpose. */
function thenCornerTurn<T extends AnyTransform>(row: TransformRow<T>, { cornerTurn: _, ...rest }: T): readonly LoweredStep[] {
  const { store, ...storeless } = rest;
  // What a store adds to `out` must have the order of `out`.
  const last = readsOut({ store }) ? store : undefined;
  const op = (last ? storeless : rest) as unknown as T;
  const { out, ...ports } = row.ports(op);
  const to = last ? "turned" : "out";
  const steps = [
    step("transform", op, { ...Object.fromEntries(Object.keys(ports).map((name) => [name, name])), out: "result" }),
    cornerTurnStep(out.layout, "result", to),
  ];
  return last ? [...steps, storeStep(turnedStore(last, true), cornerTurnedLayout(out.layout), to)] : steps;
}

/** A step that maps the results, an array of `layout` that is the value `from`, to what is written. */
const storeStep = (store: Store, layout: Layout, from: string): LoweredStep =>
  step(`store ${store.name}`, hookStep("store", store, layout), { ...sameNames(store.sources), result: from, out: "out" });

/**
 * Lowers a transform with hooks: the load becomes a kernel before it, the store a kernel after it. The values in between are called `in`
 * and `result`, names that the sources of hooks can't have.
 */
function withoutHooks<T extends AnyTransform>(row: TransformRow<T>, op: T): readonly LoweredStep[] {
  const { load, store, ...hookless } = op;
  const result = store ? "result" : "out";
  const steps: LoweredStep[] = [];
  if (load) steps.push(step(`load ${load.name}`, hookStep("load", load, op.layout), { ...sameNames(load.sources), out: "in" }));
  const h = filterHookOf(op);
  steps.push(step("transform", hookless, { in: "in", ...(h ? sameNames(h.sources) : "h" in op && { h: "h" }), out: result }));
  if (store) steps.push(storeStep(store, keptLayout(row, op), result));
  return steps;
}

/** Binds the ports of sources to values of the same names. */
export const sameNames = (sources: Readonly<Record<string, Layout>>): Record<string, string> =>
  Object.fromEntries(Object.keys(sources).map((name) => [name, name]));

/** A map that crops or pads: y[i] = x[start + i] along `axis` for 0 ≤ i < extent, and 0 beyond the end of x. */
export const resizeMap = (layout: Layout, axis: number, start: number, extent: number): MapOp =>
  mapTo(`resize axis=${axis} ${start}+${extent}`, { in: layout }, withAxis(layout, axis, extent), (r) => [
    ["i32", start],
    ["add", axis, r],
    ["inside", "in", ...ownPlaces(r).map((place) => (place === axis ? r + 1 : place))],
  ]);

/** A hook as a separate operation: a map if it is an expression, else a kernel. */
export const hookStep = (end: "load" | "store", hook: Load | Store, layout: Layout): MapOp | Kernel =>
  hook.expression ? mapOfHook(end, hook, hook.expression, layout) : hookKernel(end, hook, layout);

/**
 * A hook as a separate kernel. A load's kernel computes the transform's input, an array of `layout`. A store's kernel reads the results,
 * an array of `layout`, at port `result` and writes the output.
 */
function hookKernel(end: "load" | "store", hook: Load | Store, layout: Layout): Kernel {
  const { shape } = layout;
  const result: Ports | undefined = end === "store" ? { result: read(layout) } : undefined;
  const dtype = "dtype" in hook ? hook.dtype : layout.dtype;
  const { name, constants, uniforms } = hook;
  return {
    op: "kernel",
    name: `${end}:${name}`,
    ...(constants && { constants }),
    ...(uniforms && { uniforms }),
    ports: { ...sourcePorts(hook), ...result, out: { access: "write", layout: { dtype, shape } } },
    items: elementCount(layout),
    wgsl(_constants, _limits, toolkit) {
      const code = toolkit.hook(end, hook, shape.length);
      if (code === undefined) return undefined;
      const value = result ? `, ${wgslLoaded(layout.dtype, "load_result(item)")}` : "";
      return toolkit.items(
        `let value = dechirp_${end}(${wgslIndex("item", shape)}${value});\nstore_out(item, ${wgslStored(dtype, "value")});`,
        code,
      );
    },
    reference({ out, result, ...sources }, uniforms, start, end) {
      const at: number[] = [];
      for (let e = start; e < end; e++) {
        unravel(e, shape, at);
        const [re, im] = requireSynchronous(
          result
            ? referenceOf(hook as Store)(at, [result.re(e), result.im(e)], sources, uniforms)
            : referenceOf(hook as Load)(at, sources, uniforms),
          `${name}.reference`,
        );
        out.set(e, re, im);
      }
    },
  };
}
