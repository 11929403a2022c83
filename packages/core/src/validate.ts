/**
 * Checks of ops, once, before any backend code: a backend may assume that an op which reaches it is sound. Every failure
 * is a `RadarError` with code `layout` (or `unsupported` where the op is sound but not offered) that names the field.
 */
import { layoutError, RadarError } from "./errors.ts";
import { checkFields, checkObject, type FieldsOf } from "./fields.ts";
import { checkLayout, dtypes, isComplex, isKeyOf, isWhole } from "./layout.ts";
import type { Kernel, Load, Multiply, Op, Port, RealFft, Store } from "./op.ts";
import { isTransform, type TransformOp, transformLayout, transformLength } from "./ports.ts";

/** Largest transform length: indices times frequency indices stay exact in float64. */
export const maxTransformLength = 2 ** 26;

const reserved = new Set(["in", "h", "out", "result"]);

const ofTransforms = {
  op: true,
  layout: true,
  axis: true,
  n: true,
  keep: true,
  cornerTurn: "boolean",
  load: "object",
  store: "object",
} as const;

const fieldsOfOps: { readonly [K in Op["op"]]: FieldsOf<Extract<Op, { readonly op: K }>> } = {
  fft: { ...ofTransforms, inverse: "boolean" },
  "real-fft": { ...ofTransforms, inverse: "boolean" },
  "spectral-filter": { ...ofTransforms, h: true },
  "filter-inverse": { ...ofTransforms, h: true },
  multiply: { op: true, layout: true, axis: true, h: true },
  transpose: { op: true, layout: true, permutation: true },
  convert: { op: true, layout: true, to: true, scale: true },
  kernel: {
    op: true,
    name: true,
    flops: "number",
    constants: "object",
    uniforms: "object",
    ports: "object",
    items: true,
    elementwise: "boolean",
    wasm: "object",
    wgsl: "function",
    reference: true,
  },
};

const fieldsOfPorts: FieldsOf<Port> = { access: true, layout: true };
const ofHooks = {
  name: true,
  constants: "object",
  uniforms: "object",
  sources: "object",
  wgsl: "function",
  wasm: "object",
  reference: true,
} as const;
const fieldsOfHooks: { readonly load: FieldsOf<Load>; readonly store: FieldsOf<Store> } = {
  load: { ...ofHooks, wgslPair: "object" },
  store: { ...ofHooks, dtype: true },
};

/** Throws unless `op` is sound: `layout`, naming the field, also for a field that such an op does not have. */
export function validateOp(op: Op): void {
  checkObject(op, "op");
  const fields = isKeyOf(fieldsOfOps, op.op) ? fieldsOfOps[op.op] : fail("op.op", "a known operation", op.op);
  checkFields(op, fields as FieldsOf<Op>, `an op ${op.op}`, "layout");
  if (op.op === "kernel") return checkKernel(op);
  const { layout } = op;
  checkLayout(layout, "layout");
  const { dtype, shape } = layout;
  const { axis, h, inverse } = op as Partial<RealFft & Multiply>;
  if ("axis" in fields) {
    const expected = op.op === "real-fft" && !inverse ? ["f32", "f64"] : ["c64", "c128"];
    if (!expected.includes(dtype)) fail("layout.dtype", expected.join(" or "), dtype);
    if (!isWhole(axis, 0, shape.length - 1)) fail("axis", `an integer from 0 to ${shape.length - 1}`, axis);
  }
  if ("inverse" in fields && inverse === undefined) fail("inverse", "true or false", inverse);
  if ("h" in fields && h !== "line" && h !== "all") fail("h", `"line" or "all"`, h);
  if (isTransform(op)) checkTransform(op);
  if (op.op === "transpose") {
    const axes = op.permutation;
    const complete = Array.isArray(axes) && axes.length === shape.length && shape.every((_, axis) => axes.includes(axis));
    if (!complete) fail("permutation", `each of the axes 0 to ${shape.length - 1} once`, axes);
  }
  if (op.op === "convert") {
    if (!isKeyOf(dtypes, op.to)) fail("to", "an element type", op.to);
    if (isComplex(dtype) !== isComplex(op.to)) fail("to", isComplex(dtype) ? "complex" : "real", op.to);
    if (op.scale !== undefined && !Number.isFinite(op.scale)) fail("scale", "a finite number", op.scale);
  }
}

function checkTransform(op: TransformOp): void {
  const extent = op.layout.shape[op.axis];
  if (op.n === undefined && op.op === "real-fft" && op.inverse && extent < 2)
    fail("n", "given where the half spectrum is one bin long", op.n);
  const n = transformLength(op);
  if (!isWhole(n, 1)) fail("n", "a positive integer", op.n);
  checkLength(n, maxTransformLength);
  const full = transformLayout(op);
  checkLayout(full, "transformed layout");
  if (op.keep !== undefined) {
    const outputs = full.shape[op.axis];
    const [start, count, ...more]: readonly number[] = Array.isArray(op.keep) ? op.keep : [];
    if (!isWhole(start, 0) || !isWhole(count, 1, outputs - start) || more.length > 0)
      fail("keep", `[start, count], whole numbers within the ${outputs} outputs`, op.keep);
  }
  if (op.cornerTurn && op.layout.shape.length < 2) fail("layout.shape", "of two axes at least where results are turned", op.layout.shape);
  if (op.load) checkHook(op.load, "load", []);
  if (op.store) {
    checkHook(op.store, "store", Object.keys(op.load?.sources ?? {}));
    if (!isKeyOf(dtypes, op.store.dtype)) fail("store.dtype", "an element type", op.store.dtype);
  }
  for (const name of Object.keys(op.load?.uniforms ?? {})) {
    if (Object.hasOwn(op.store?.uniforms ?? {}, name)) fail(`store.uniforms.${name}`, "a name that load does not use", name);
  }
}

function checkHook(hook: Load | Store, field: "load" | "store", taken: readonly string[]): void {
  checkFields(hook, fieldsOfHooks[field], `the ${field} of an op`, "layout", `${field}.`);
  checkNamed(hook, `${field}.`);
  for (const [name, source] of Object.entries(hook.sources ?? fail(`${field}.sources`, "named layouts", hook.sources))) {
    if (reserved.has(name) || taken.includes(name)) fail(`${field}.sources.${name}`, "a free port name", name);
    checkLayout(source, `${field}.sources.${name}`);
  }
}

function checkKernel(op: Kernel): void {
  checkNamed(op, "");
  if (!isWhole(op.items, 1)) fail("items", "a positive integer", op.items);
  const ports = Object.entries(op.ports ?? {});
  for (const [name, port] of ports) {
    checkLayout(port?.layout, `ports.${name}.layout`);
    checkFields(port, fieldsOfPorts, `port ${name} of a kernel`, "layout", `ports.${name}.`);
    if (!["read", "write", "update"].includes(port.access)) fail(`ports.${name}.access`, "read, write or update", port.access);
  }
  if (!ports.some(([, port]) => port.access !== "read"))
    fail(
      "ports",
      "such that at least one is written",
      ports.map(([name]) => name),
    );
}

/** What hooks and kernels have alike. */
function checkNamed({ name, reference, uniforms = {} }: Load | Store | Kernel, path: string): void {
  if (typeof name !== "string") fail(`${path}name`, "a string", name);
  if (typeof reference !== "function") fail(`${path}reference`, "a function", reference);
  for (const [uniform, type] of Object.entries(uniforms)) {
    if (!["f32", "i32", "u32"].includes(type)) fail(`${path}uniforms.${uniform}`, "f32, i32 or u32", type);
  }
}

/** Throws `limit` for a transform of more than `most` points, which is what `whose` can do. */
export function checkLength(n: number, most: number, whose = ""): void {
  if (n > most) throw new RadarError("limit", `n may be at most ${most}${whose}, not ${n}`, { field: "n", limit: most, actual: n });
}

function fail(field: string, expected: string, actual: unknown): never {
  throw layoutError(field, expected, actual);
}
