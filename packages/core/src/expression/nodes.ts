/**
 * Expressions as data: what a fused step computes for one element, as JSON. An expression is a list of nodes. A node is a list: its
 * operator, then its operands. Most operands are places of earlier nodes, so a value that is used twice is one node, and the list is a
 * directed acyclic graph that no code expands. The functions of build.ts and the parser of text.ts make expressions; check.ts checks
 * them and infers the kind of every node; reference.ts, wgsl.ts and wasm.ts turn them into code.
 *
 * What the operators compute, for all devices:
 *
 * - Real numbers are float64 in the reference and float32 in WGSL and WebAssembly. The reference and WebAssembly follow IEEE 754: division
 *   by zero gives ±∞ or NaN, −0 is kept. WGSL may flush subnormal numbers to zero, may lose the sign of zero, and gives an unspecified
 *   number where the result or an operand is infinite or NaN, except for `finite` and the conversions, which look at bits.
 * - i32 and u32 are 32-bit integers that wrap. All devices compute them with the same bits.
 * - Division of integers truncates. Division and modulo by zero give 0; the smallest i32 divided by −1 gives itself.
 * - Shifts use the lowest five bits of the count. The right shift of an i32 keeps its sign.
 */
import type { Layout } from "../layout.ts";

/** The kinds of values: a real or complex number, a 32-bit integer with or without sign, a truth value. */
export type Kind = "real" | "complex" | "i32" | "u32" | "bool";

/** The place of a node in its list. An operand's place is smaller than the place of the node that uses it. */
export type NodePlace = number;

/** Operators with one operand. */
export type Unary =
  /** −x: real, complex, i32, u32. */
  | "neg"
  /** |x|: real, i32 (the smallest i32 stays as it is), or complex, whose magnitude is real, does not overflow before it must, and is NaN if a part is. */
  | "abs"
  /** The largest whole number that is not larger: real. */
  | "floor"
  /** The nearest whole number, ties to even: real. */
  | "round"
  /** Square root: real. NaN below zero. */
  | "sqrt"
  /** Natural logarithm: real. −∞ at zero, NaN below. */
  | "log"
  /** exp(j2πx): complex. x is a real number of cycles, or a u32 in units of 2⁻³² cycles. */
  | "cis"
  /** Real part, imaginary part, complex conjugate of a complex number. */
  | "re"
  | "im"
  | "conj"
  /** Not: bool; i32 and u32 bit by bit. */
  | "not"
  /** The real number nearest to an i32 or u32. */
  | "real-of"
  /** A real number rounded to the nearest integer, ties to even, and saturated. NaN becomes 0. */
  | "i32-of"
  | "u32-of"
  /** The same 32 bits as the other kind of integer: i32 to u32 and u32 to i32. */
  | "bits"
  /** Whether a real number is neither infinite nor NaN; of a complex number, whether both parts are. Decided by bits. */
  | "finite";

/** Operators with two operands of one kind, unless said otherwise. The result has that kind. */
export type Binary =
  /** Real, complex, i32, u32. */
  | "add"
  | "sub"
  /** Real, complex, i32, u32; real times complex is complex. */
  | "mul"
  /** Real; i32 and u32 truncate; complex divided by real is complex. */
  | "div"
  /** x − y·floor(x/y): real, i32, u32. The result has the sign of y. */
  | "mod"
  /** Real, i32, u32. If one operand is NaN, the result is one of the operands. */
  | "min"
  | "max"
  /** Angle of x + jy in radians, −π … π: operands y, x, real. 0 if both are zero. */
  | "atan2"
  /** i32, u32; the count is a u32 or an i32. */
  | "shl"
  | "shr"
  /** Bool; i32 and u32 bit by bit. */
  | "and"
  | "or"
  | "xor"
  /** A complex number from its real and imaginary part. */
  | "complex"
  /** Comparisons of real, i32, u32: bool. With NaN all are false but `ne`. */
  | "lt"
  | "le"
  /** `eq` and `ne` also compare bool. */
  | "eq"
  | "ne";

/** A node of an expression. */
export type Node =
  /** A finite number. On devices that compute in float32 it is rounded to float32. */
  | readonly ["real", number]
  | readonly ["i32", number]
  | readonly ["u32", number]
  | readonly ["bool", boolean]
  /** The index of the element that is computed, along an axis: i32. */
  | readonly ["index", number]
  /** The value of a uniform: real if it is declared f32, else its own type. */
  | readonly ["uniform", string]
  /** In a store: the result of the transform, complex. The imaginary part of a real result is 0. */
  | readonly ["value"]
  /**
   * An element of a source; the operands after its name are an index for each axis, i32. Complex sources give complex numbers, u32 gives
   * u32, and all other types give real numbers. `load` moves an index outside the array to the nearest end of its axis. `inside` gives
   * zero there.
   */
  | readonly ["load" | "inside", string, ...NodePlace[]]
  /**
   * The sum of COUNT neighbouring elements of a source along an axis, each times its weight, added in this order: real or complex, as
   * the source. Operands: the name of the source, the axis, COUNT, the weights (real), and an index for each axis (i32), which is that of
   * the first element. Elements outside the array do not count.
   */
  | readonly ["taps", string, number, number, ...NodePlace[]]
  /** The index of a term of the sum with this number: i32, from 0. Only nodes that the sum's term uses may depend on it. */
  | readonly ["term", number]
  /**
   * The sum of the terms 0 … count − 1, added in this order to zero: real, complex, i32, u32. Operands: the sum's number, the count (an
   * i32 that depends only on constants and uniforms), the term, and the largest count. A larger count counts as that, a negative one as 0.
   */
  | readonly ["sum", number, NodePlace, NodePlace, number]
  /** The second operand if the first, a bool, is true, else the third. Both have one kind, and both are computed. */
  | readonly ["select", NodePlace, NodePlace, NodePlace]
  | readonly [Unary, NodePlace]
  | readonly [Binary, NodePlace, NodePlace];

/** An expression, as plain JSON. */
export interface Expression {
  /** The nodes. Operands come before the nodes that use them. */
  readonly nodes: readonly Node[];
  /** The places of the results. A hook has one. A map has one for each output, in their order. A bool counts as 1 or 0. */
  readonly results: readonly NodePlace[];
}

/** What the nodes of an expression can refer to, and the indices for which it is computed. */
export interface Domain {
  /** Extents of the indices: the shape of what is computed. */
  readonly shape: readonly number[];
  /** Layouts of the sources by name. */
  readonly sources: Readonly<Record<string, Layout>>;
  /** Types of the uniforms by name. */
  readonly uniforms?: Readonly<Record<string, "f32" | "i32" | "u32">>;
  /** Whether there is a `value`, as in a store. Default: false. */
  readonly value?: boolean;
}

/** Largest number of nodes of an expression. */
export const maxNodes = 4096;
/** Largest number of nodes that may be computed for one element, with every term of every sum. */
export const maxWork = 2 ** 20;
/** Largest number of sums in one another. */
export const maxDepth = 16;
/** Largest number of elements that one `taps` adds. */
export const maxTaps = 64;
/** Names of sources and uniforms of expressions. */
export const nameOfExpression = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;

/** Operators without operands. */
const leaves: readonly string[] = ["real", "i32", "u32", "bool", "index", "uniform", "value", "term"];
/** Where the operands of other nodes begin, if not behind the operator. */
const firstOperand: Readonly<Record<string, number>> = { sum: 2, load: 2, inside: 2, taps: 4 };

/** The node with other operands: `change` gets the place of each operand, in order. The node must be valid. */
export function withOperands(node: Node, change: (place: NodePlace) => NodePlace): Node {
  const [operator] = node;
  if (leaves.includes(operator)) return node;
  const first = firstOperand[operator] ?? 1;
  // A sum ends with its largest count.
  const end = operator === "sum" ? 4 : node.length;
  return node.map((item, i) => (i >= first && i < end ? change(item as number) : item)) as unknown as Node;
}
