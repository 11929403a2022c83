/**
 * Questions about any operation: whether it is sound, its ports, its layouts, its text, its cost. All are pure functions; the answers come from
 * the op's row (ops/table.ts).
 */
import { checkFields, checkObject } from "./fields.ts";
import type { UniformTypes } from "./hooks.ts";
import { byteLength, checkLayout, isKeyOf, type Layout } from "./layout.ts";
import type { Kernel } from "./ops/kernel.ts";
import { type Cost, fail, type Ports } from "./ops/row.ts";
import { type Op, opRows, rowOf, type TransformOp } from "./ops/table.ts";
import { keptLayout as keptLayoutOf, type TransformRow } from "./ops/transform.ts";

/** Throws `layout`, naming the field, unless `op` is sound: a known op, no unknown field, values that fit together. */
export function validateOp(op: Op): void {
  checkObject(op, "op");
  if (!isKeyOf(opRows, op.op)) fail("op.op", "a known operation", op.op);
  const row = rowOf(op);
  checkFields(op, row.fields, `an op ${op.op}`, "layout");
  if ("layout" in row.fields) checkLayout((op as { readonly layout: Layout }).layout, "layout");
  row.check(op);
}

/** Every port of an op, by name. */
export const portsOf = (op: Op): Ports => rowOf(op).ports(op);

/** Uniforms that a run of the op must give. */
export const uniformsOf = (op: Op): UniformTypes => rowOf(op).uniforms?.(op) ?? {};

/** One line of text that says what the op is: `fft c64[1536, 2048] axis=1 n=4096`. */
export const formatOp = (op: Op): string => rowOf(op).text(op);

/** Whether one buffer may be bound to ports `in` and `out`: both exist, have one layout, and the op never reads an element that it has overwritten. */
export const canOverwrite = (op: Op): boolean => rowOf(op).canOverwrite?.(op) ?? true;

/** Whether an operation is a transform, which hooks attach to. */
export const isTransform = (op: Op): op is TransformOp => rowOf(op).transform !== undefined;

const transformRowOf = (op: TransformOp): TransformRow<TransformOp> => rowOf(op) as TransformRow<TransformOp>;

/** Length of a transform. For an inverse `real-fft` that is the length of the real line. */
export const transformLength = (op: TransformOp): number => transformRowOf(op).transform.length(op);

/** Layout of a transform's results before `keep` and `store`. */
export const transformLayout = (op: TransformOp): Layout => transformRowOf(op).transform.layout(op);

/** Layout of a transform's results after `keep`, and before `store` and the corner turn: the layout whose indices a store sees. */
export const keptLayout = (op: TransformOp): Layout => keptLayoutOf(transformRowOf(op), op);

/** Layout of the array that an op writes to its port `out`, after everything that the op does. */
export const resultLayout = (op: Exclude<Op, Kernel>): Layout => portsOf(op)["out"].layout;

/** Cost of the op done in one pass over memory: each array read or written once. */
export function onePassCost(op: Op): Cost {
  const bytes = Object.values(portsOf(op)).reduce((sum, { layout, access }) => sum + byteLength(layout) * (access === "update" ? 2 : 1), 0);
  return { flops: rowOf(op).flops(op), bytes, passes: 1 };
}

/** The cost of several computations, one after the other. */
export const addCosts = (costs: readonly Cost[]): Cost =>
  costs.reduce((a, b) => ({ flops: a.flops + b.flops, bytes: a.bytes + b.bytes, passes: a.passes + b.passes }), {
    flops: 0,
    bytes: 0,
    passes: 0,
  });
