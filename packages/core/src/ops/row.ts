/**
 * What core knows about one kind of operation. Each file in this folder holds one family of operations: the type, the builder, the row
 * (`OpRow`), the lowering (`OpLowering`), and samples for the conformance kit. table.ts lists them. Functions of any op (op.ts, lower.ts)
 * look there.
 */
import { layoutError } from "../errors.ts";
import type { FieldsOf } from "../fields.ts";
import type { UniformTypes } from "../hooks.ts";
import type { DType, Layout } from "../layout.ts";

/** How an operation uses the array at a port. `update` means that it reads the array and writes it. */
export type Access = "read" | "write" | "update";

/** A named array that an operation reads or writes. A run binds a buffer of this layout to it. */
export interface Port {
  readonly access: Access;
  readonly layout: Layout;
}

/** The ports of an operation by name. */
export type Ports = Readonly<Record<string, Port>>;

/** The predicted cost of a computation. */
export interface Cost {
  /** Floating-point operations by the convention of benchFFT: 5·n·log₂n for a complex transform of n points. */
  readonly flops: number;
  /** Bytes read and written. */
  readonly bytes: number;
  /** Passes over memory. */
  readonly passes: number;
}

/**
 * An op whose port `out` has element type `D`. Builders such as `fft` return it so that `program` can infer the types of its outputs.
 * `outputType` exists for the compiler only; no op has this field.
 */
export interface WithOutputType<D extends DType> {
  readonly outputType?: D;
}

/** The facts about one kind of operation. All functions except `check` may assume that the op has passed `check`. */
export interface OpRow<T extends { readonly op: string }> {
  /** The fields that such an op may have, and their types. */
  readonly fields: FieldsOf<T>;
  /**
   * Throws `layout`, naming the field, unless the values fit together. It is called after the names and types of the fields were checked.
   */
  check(op: T): void;
  /** The ports of the op by name. */
  ports(op: T): Ports;
  /** Names and types of the uniforms that a run must give. Default: none. */
  uniforms?(op: T): UniformTypes;
  /** One line of text: `fft c64[1536, 2048] axis=1 n=4096`. */
  text(op: T): string;
  /** Floating-point operations of the op. See `Cost.flops` for the convention. */
  flops(op: T): number;
  /** Whether ports `in` and `out` may be one buffer if their layouts are equal. Default: true. */
  canOverwrite?(op: T): boolean;
  /** Present if the op is a transform along one axis: its length, and the layout of its results before `keep` and `store`. */
  readonly transform?: {
    length(op: T): number;
    layout(op: T): Layout;
  };
}

/** One step of a lowering: a step of a program (program.ts), whose op is one of the table's. */
export interface LoweredStep {
  readonly name: string;
  readonly op: { readonly op: string };
  readonly bind: Readonly<Record<string, string>>;
  readonly inPlace?: boolean;
}

/**
 * Lowers an op: returns steps of simpler ops that bind the names of the op's ports. Returns undefined if there is no simpler form; a
 * backend must then have a rule for the op. Lowerings and samples are separate from the rows so that programs that only describe and
 * check operations don't load them.
 */
export type OpLowering<T> = (op: T) => readonly LoweredStep[] | undefined;

/** A port that the op reads. */
export const read = (layout: Layout): Port => ({ access: "read", layout });

/** Ports `in` and `out`, with the ports `more` between them. */
export const inOut = (input: Layout, output: Layout, more: Record<string, Port> = {}): Ports => ({
  in: read(input),
  ...more,
  out: { access: "write", layout: output },
});

/** A step of a lowering. `bind` maps the op's ports to the names of values. */
export const step = <T extends { readonly op: string }>(name: string, op: T, bind: Record<string, string>): LoweredStep => ({
  name,
  op,
  bind,
});

/** Throws a `layout` error: `field` must be `expected`, not `actual`. */
export function fail(field: string, expected: string, actual: unknown): never {
  throw layoutError(field, expected, actual);
}
