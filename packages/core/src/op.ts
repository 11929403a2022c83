/** Functions of any operation: its validity, ports, layouts, text and cost. All are pure. They look up the op's row in ops/table.ts. */
import { checkFields, checkObject } from "./fields.ts";
import type { UniformTypes } from "./hooks.ts";
import { byteLength, checkLayout, isKeyOf, type Layout } from "./layout.ts";
import type { Kernel } from "./ops/kernel.ts";
import { type Cost, fail, type Ports } from "./ops/row.ts";
import { type Op, opRows, rowOf, type TransformOp } from "./ops/table.ts";
import { keptLayout as keptLayoutOf, type TransformRow } from "./ops/transform.ts";

/**
 * Throws `layout`, naming the field, unless `op` is valid: it must be a known operation, have no unknown field, and its values must fit
 * together. Throws `limit` if a transform is too long for any device.
 */
export function validateOp(op: Op): void {
  checkObject(op, "op");
  if (!isKeyOf(opRows, op.op)) fail("op.op", "a known operation", op.op);
  const row = rowOf(op);
  checkFields(op, row.fields, `an op ${op.op}`, "layout");
  if ("layout" in row.fields) checkLayout((op as { readonly layout: Layout }).layout, "layout");
  row.check(op);
}

/** The ports of an op by name: every array that it reads or writes. */
export const portsOf = (op: Op): Ports => rowOf(op).ports(op);

/** Names and types of the uniforms that every run of the op must be given. */
export const uniformsOf = (op: Op): UniformTypes => rowOf(op).uniforms?.(op) ?? {};

/** One line of text that describes the op: `fft c64[1536, 2048] axis=1 n=4096`. */
export const formatOp = (op: Op): string => rowOf(op).text(op);

/**
 * Whether one buffer may be bound to both `in` and `out` if their layouts are equal: the op never reads an element that it has
 * overwritten.
 */
export const canOverwrite = (op: Op): boolean => rowOf(op).canOverwrite?.(op) ?? true;

/**
 * Whether the op or one of its hooks is an expression, or the op is a reduction. Such an op gets its code, or further checks, when it is
 * planned (expression/forms.ts).
 */
export const hasExpression = (op: Op): boolean =>
  op.op === "reduce" ||
  op.op === "histogram" ||
  [op, ...Object.values(op)].some((part: { readonly expression?: unknown } | null | undefined) => part?.expression !== undefined);

/** Whether an operation is a transform. Transforms are the ops that accept hooks. */
export const isTransform = (op: Op): op is TransformOp => rowOf(op).transform !== undefined;

const transformRowOf = (op: TransformOp): TransformRow<TransformOp> => rowOf(op) as TransformRow<TransformOp>;

/** Number of points of a transform. For an inverse `real-fft` it is the length of the real line. */
export const transformLength = (op: TransformOp): number => transformRowOf(op).transform.length(op);

/** Layout of a transform's full results, before `keep`, `store` and the corner turn. */
export const transformLayout = (op: TransformOp): Layout => transformRowOf(op).transform.layout(op);

/**
 * Layout of a transform's results after `keep`, before `store` and the corner turn. A store hook is called with indices of this layout.
 */
export const keptLayout = (op: TransformOp): Layout => keptLayoutOf(transformRowOf(op), op);

/** Layout of the array at port `out`, after everything that the op does. */
export const resultLayout = (op: Exclude<Op, Kernel>): Layout => portsOf(op)["out"].layout;

/** Cost of the op in one pass over memory: each array is read or written once. */
export function onePassCost(op: Op): Cost {
  const bytes = Object.values(portsOf(op)).reduce((sum, { layout, access }) => sum + byteLength(layout) * (access === "update" ? 2 : 1), 0);
  return { flops: rowOf(op).flops(op), bytes, passes: 1 };
}

/** The cost of several computations that run one after the other. */
export const addCosts = (costs: readonly Cost[]): Cost =>
  costs.reduce((a, b) => ({ flops: a.flops + b.flops, bytes: a.bytes + b.bytes, passes: a.passes + b.passes }), {
    flops: 0,
    bytes: 0,
    passes: 0,
  });
