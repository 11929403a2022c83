/**
 * Checks of ops, once, before any backend code: a backend may assume that an op which reaches it is sound. Every failure
 * is a `RadarError` with code `layout` (or `unsupported` where the op is sound but not offered) that names the field.
 */
import { layoutError, RadarError } from "./errors.ts";
import { checkFields, type FieldsOf } from "./fields.ts";
import { checkLayout, dtypes, isComplex, isKeyOf, type Layout } from "./layout.ts";
import type { Kernel, Load, Op, Port, Store } from "./op.ts";
import { type TransformOp, transformLayout, transformLength } from "./ports.ts";

/** Largest transform length: indices times frequency indices stay exact in float64. */
export const maxTransformLength = 2 ** 26;

const reserved = new Set(["in", "h", "out", "result"]);

const ofTransforms = {
  op: true,
  layout: true,
  axis: true,
  n: true,
  keep: true,
  turned: "boolean",
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
  if (typeof op !== "object" || op === null) fail("op", "an operation", op);
  if (isKeyOf(fieldsOfOps, op.op)) checkFields(op, fieldsOfOps[op.op], `an op ${op.op}`, "layout");
  switch (op.op) {
    case "fft":
    case "spectral-filter":
    case "filter-inverse":
      checkFloat(op.layout, true);
      checkTransform(op);
      break;
    case "real-fft":
      checkFloat(op.layout, op.inverse);
      checkTransform(op);
      break;
    case "multiply":
      checkFloat(op.layout, true);
      checkAxis(op.axis, op.layout);
      checkFilterShape(op.h);
      break;
    case "transpose": {
      checkLayout(op.layout, "layout");
      const rank = op.layout.shape.length;
      const axes = op.permutation;
      const complete = Array.isArray(axes) && axes.length === rank && op.layout.shape.every((_, axis) => axes.includes(axis));
      if (!complete) fail("permutation", `each of the axes 0 to ${rank - 1} once`, axes);
      break;
    }
    case "convert":
      checkLayout(op.layout, "layout");
      if (!isKeyOf(dtypes, op.to)) fail("to", "an element type", op.to);
      if (isComplex(op.layout.dtype) !== isComplex(op.to)) fail("to", isComplex(op.layout.dtype) ? "complex" : "real", op.to);
      if (op.scale !== undefined && !Number.isFinite(op.scale)) fail("scale", "a finite number", op.scale);
      break;
    case "kernel":
      checkKernel(op);
      break;
    default:
      fail("op.op", "a known operation", (op as { op: unknown }).op);
  }
}

function checkTransform(op: TransformOp): void {
  checkAxis(op.axis, op.layout);
  if ((op.op === "fft" || op.op === "real-fft") && op.inverse === undefined) fail("inverse", "true or false", op.inverse);
  const extent = op.layout.shape[op.axis];
  if (op.n === undefined && op.op === "real-fft" && op.inverse && extent < 2)
    fail("n", "given where the half spectrum is one bin long", op.n);
  const n = transformLength(op);
  if (!Number.isInteger(n) || n < 1) fail("n", "a positive integer", op.n);
  if (n > maxTransformLength)
    throw new RadarError("limit", `n may be at most ${maxTransformLength}, not ${n}`, { field: "n", limit: maxTransformLength, actual: n });
  const full = transformLayout(op);
  checkLayout(full, "transformed layout");
  if (op.op === "spectral-filter" || op.op === "filter-inverse") checkFilterShape(op.h);
  if (op.keep !== undefined) {
    const outputs = full.shape[op.axis];
    const [start, count, ...more]: readonly number[] = Array.isArray(op.keep) ? op.keep : [-1, 0];
    if (!Number.isInteger(start) || !Number.isInteger(count) || start < 0 || count < 1 || start + count > outputs || more.length > 0)
      fail("keep", `[start, count], whole numbers within the ${outputs} outputs`, op.keep);
  }
  if (op.turned && op.layout.shape.length < 2) fail("layout.shape", "of two axes at least where results are turned", op.layout.shape);
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
  if (!Number.isInteger(op.items) || op.items < 1) fail("items", "a positive integer", op.items);
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

function checkFloat(layout: Layout, complex: boolean): void {
  checkLayout(layout, "layout");
  const expected = complex ? ["c64", "c128"] : ["f32", "f64"];
  if (!expected.includes(layout.dtype)) fail("layout.dtype", expected.join(" or "), layout.dtype);
}

function checkAxis(axis: number, layout: Layout): void {
  if (!Number.isInteger(axis) || axis < 0 || axis >= layout.shape.length)
    fail("axis", `an integer from 0 to ${layout.shape.length - 1}`, axis);
}

function checkFilterShape(h: unknown): void {
  if (h !== "line" && h !== "all") fail("h", `"line" or "all"`, h);
}

function fail(field: string, expected: string, actual: unknown): never {
  throw layoutError(field, expected, actual);
}
