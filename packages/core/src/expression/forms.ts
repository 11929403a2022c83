/**
 * Code for ops whose hooks are expressions. `withForms` replaces every expression by functions that backends know: the reference, WGSL,
 * WebAssembly. Each is made when a backend asks for it. Planning loads this file only for ops that have expressions.
 */
import { layoutError } from "../errors.ts";
import type { Complex, Load, Store, TunedHook, Uniforms, UniformTypes, WasmFunction } from "../hooks.ts";
import { unravel } from "../kernels.ts";
import { elementCount, formatLayout, type Layout, sameLayout, withAxis } from "../layout.ts";
import { isTransform, keptLayout, transformLength } from "../op.ts";
import type { Kernel } from "../ops/kernel.ts";
import { type MapOp, mapRow, readsOwn, turnedStore } from "../ops/map.ts";
import { checkReduction } from "../ops/reductions.ts";
import type { Op, TransformOp } from "../ops/table.ts";
import { wgslIndex, wgslStored } from "../wgsl.ts";
import { checkExpression, type NodeFacts } from "./check.ts";
import type { Domain, Expression } from "./nodes.ts";
import { referenceRun } from "./reference.ts";
import { type WasmForm, wasmOfExpression } from "./wasm.ts";
import { wgslOfHook, wgslOfMap, wgslOfPair } from "./wgsl.ts";

export { lowerReduction } from "../ops/reductions.ts";

/** The op as backends plan it: `withForms`, and the kernel of a stencil, whose code is loaded only then. */
export const planned = (op: Op): Op | Promise<Op> =>
  op.op === "stencil" ? import("./stencil.ts").then(({ kernelOfStencil }) => kernelOfStencil(op)) : withForms(op);

/** The op with functions in place of its expressions; a map becomes a kernel. Throws `layout`, naming the node, if one is not valid. */
export function withForms(op: Op): Op {
  if (op.op === "map") return kernelOfMap(op);
  if (op.op === "reduce" || op.op === "histogram") {
    checkReduction(op);
    return op.load?.expression ? { ...op, load: formsOf(op.load, op.load.expression, op.layout, "load") } : op;
  }
  if (!isTransform(op)) return op;
  const { load, store } = op;
  const h = "h" in op && typeof op.h === "object" ? op.h : undefined;
  return {
    ...op,
    ...(h?.expression && { h: formsOf(h, h.expression, withAxis(op.layout, op.axis, transformLength(op)), "h") }),
    ...(load?.expression && { load: formsOf(load, load.expression, op.layout, "load", neighbourAxis(op)) }),
    ...(store?.expression && { store: formsOfStore(op, store, store.expression) }),
  };
}

/** A store with functions in place of its expression. If it reads `out`, it reads it as the array is, after a corner turn. */
function formsOfStore(op: TransformOp, store: Store, expression: Expression): Store {
  const layout = keptLayout(op);
  const { dtype, sources, uniforms } = store;
  if (!sources["out"]) return formsOf(store, expression, layout, "store");
  checkExpression(expression, { ...domainOf(layout, sources, uniforms), value: true }, "store.expression");
  checkPrevious(store, expression, "out", { dtype, shape: layout.shape }, "store.");
  const turned = op.cornerTurn ? turnedStore(store, false) : store;
  return formsOf(turned, turned.expression as Expression, layout, "store");
}

/** The axis along which lines are neighbours: the last, or for lines along it the one before. Undefined if there is none. */
function neighbourAxis({ axis, layout: { shape } }: TransformOp): number | undefined {
  const last = shape.length - 1;
  return axis < last ? last : last > 0 ? last - 1 : undefined;
}

/**
 * Throws `layout` unless the source `name`, which is also an output, has the layout of the output and is read at the own index only:
 * elements at other indices may have been overwritten already.
 */
function checkPrevious(
  { sources, tuned }: Pick<Store | MapOp, "sources" | "tuned">,
  expression: Expression,
  name: string,
  output: Layout,
  path: string,
): void {
  const field = `${path}sources.${name}`;
  const given = sources[name];
  if (!sameLayout(given, output))
    throw layoutError(field, `${formatLayout(output)}, the layout of the output ${name}`, formatLayout(given));
  if (tuned) throw layoutError(`${path}tuned`, `absent if ${name} is read`, tuned);
  if (!readsOwn(expression, name)) throw layoutError(field, "read at the own index only, as it is also an output", name);
}

const domainOf = ({ shape }: Pick<Layout, "shape">, sources: Readonly<Record<string, Layout>>, uniforms?: UniformTypes): Domain => ({
  shape,
  sources,
  ...(uniforms && { uniforms }),
});

/** A hook with functions in place of its expression. `pairAxis` is the axis along which a GPU may want two elements at a time. */
function formsOf<T extends Load | Store>(hook: T, expression: Expression, layout: Layout, field: string, pairAxis?: number): T {
  const { name, sources, uniforms } = hook;
  const tuned: TunedHook = hook.tuned ?? {};
  const isStore = "dtype" in hook;
  const domain: Domain = { ...domainOf(layout, sources, uniforms), ...(isStore && { value: true }) };
  const facts = checkExpression(expression, domain, `${field}.expression`);
  const { results } = expression;
  if (results.length > 1) throw layoutError(`${field}.expression.results`, "one result", results);
  const form: WasmForm = isStore ? { kind: "store", dtype: hook.dtype } : { kind: "load" };
  const wasm = lazy(() => tuned.wasm ?? wasmFunction(expression, facts, domain, form));
  const pairs = pairAxis !== undefined && !isStore && layout.shape[pairAxis] % 2 === 0 && nodesInSums(facts) ? pairAxis : undefined;
  const pair = tuned.wgslPair ?? (tuned.wgsl === undefined && pairs !== undefined ? { axis: pairs } : undefined);
  return {
    name,
    sources,
    ...(uniforms && { uniforms }),
    ...(tuned.constants && { constants: tuned.constants }),
    ...(isStore && { dtype: hook.dtype }),
    reference: referenceOfHook(expression, facts, domain),
    wgsl: () => tuned.wgsl ?? wgslOfHook(expression, facts, domain),
    ...(pair && {
      wgslPair: { axis: pair.axis, text: () => ("text" in pair ? pair.text : wgslOfPair(expression, facts, domain, pair.axis)) },
    }),
    get wasm() {
      return wasm();
    },
  } as unknown as T;
}

const nodesInSums = (facts: readonly NodeFacts[]): boolean => facts.some(({ sums }) => sums.length > 0);

/** A function that calls `make` the first time and returns the same value ever after. */
function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function wasmFunction(expression: Expression, facts: readonly NodeFacts[], domain: Domain, form: WasmForm): WasmFunction | undefined {
  const bytes = wasmOfExpression(expression, facts, domain, form);
  if (!bytes) return undefined;
  const [plain, shared] = [lazy(() => bytes(false)), lazy(() => bytes(true))];
  return {
    get plain() {
      return plain();
    },
    get shared() {
      return shared();
    },
    entry: "main",
    precision: "f32",
  };
}

function referenceOfHook(
  expression: Expression,
  facts: readonly NodeFacts[],
  domain: Domain,
): NonNullable<Load["reference"] & Store["reference"]> {
  const { begin, compute } = referenceRun(expression, facts, domain);
  const out = new Float64Array(2);
  let current: readonly unknown[] = [];
  // A store's second argument is the value.
  return ((at: readonly number[], ...rest: readonly unknown[]): Complex => {
    const [value, sources, uniforms] = (domain.value ? rest : [undefined, ...rest]) as readonly [
      Complex | undefined,
      Parameters<typeof begin>[0],
      Uniforms,
    ];
    // Every run makes its views anew, so what was computed for these is still right.
    if (current[0] !== sources || current[1] !== uniforms) {
      current = [sources, uniforms];
      begin(sources, uniforms);
    }
    compute(at, out, value);
    return [out[0], out[1]];
  }) as never;
}

function kernelOfMap(op: MapOp): Kernel {
  const { name, shape, sources, outputs, uniforms, expression } = op;
  const domain = domainOf(op, sources, uniforms);
  const facts = checkExpression(expression, domain);
  for (const name of Object.keys(outputs))
    if (Object.hasOwn(sources, name)) checkPrevious(op, expression, name, { dtype: outputs[name], shape }, "");
  const items = elementCount({ dtype: "f32", shape });
  const wasm = lazy(() => wasmFunction(expression, facts, domain, { kind: "map", outputs: Object.values(outputs), names }));
  const { begin, compute } = referenceRun(expression, facts, domain);
  const out = new Float64Array(2 * expression.results.length);
  const names = Object.keys(outputs);
  return {
    op: "kernel",
    name,
    flops: mapRow.flops(op),
    ...(uniforms && { uniforms }),
    ports: mapRow.ports(op),
    items,
    elementwise: mapRow.canOverwrite?.(op) ?? true,
    get wasm() {
      return wasm();
    },
    wgsl(_constants, _limits, toolkit) {
      const text = op.tuned?.wgsl;
      if (text === undefined) return toolkit.items(wgslOfMap(expression, facts, domain, outputs));
      const code = toolkit.hook("load", { name, sources, reference: (): Complex => [0, 0], wgsl: () => text }, shape.length);
      const [out] = names;
      return toolkit.items(
        `let value = dechirp_load(${wgslIndex("item", shape)});\nstore_${out}(item, ${wgslStored(outputs[out], "value")});`,
        code,
      );
    },
    reference(ports, values, start, end) {
      const at: number[] = [];
      begin(ports, values);
      for (let e = start; e < end; e++) {
        unravel(e, shape, at);
        compute(at, out);
        for (const [i, port] of names.entries()) ports[port].set(e, out[2 * i], out[2 * i + 1]);
      }
    },
  } as Kernel;
}
