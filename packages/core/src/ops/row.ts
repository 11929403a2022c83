/**
 * What one kind of operation brings to core. Each file in this folder holds one family of operations: its type, its
 * builder, its row, its lowering and samples for the conformance kit. table.ts lists them; everything that asks about "any op" (op.ts, lower.ts) looks there.
 */
import { layoutError } from "../errors.ts";
import type { FieldsOf } from "../fields.ts";
import type { UniformTypes } from "../hooks.ts";
import type { DType, Layout } from "../layout.ts";
import type { Step } from "../program.ts";

/** How an operation uses the array at a port. `update` reads it and writes it. */
export type Access = "read" | "write" | "update";

/** An array that an operation reads or writes. */
export interface Port {
  readonly access: Access;
  readonly layout: Layout;
}

/** The arrays of an operation by name. */
export type Ports = Readonly<Record<string, Port>>;

/** What a computation costs: floating-point operations by convention, bytes read and written, passes over memory. */
export interface Cost {
  readonly flops: number;
  readonly bytes: number;
  readonly passes: number;
}

/** Marks what a builder returns with the element type of port `out`, so that `program` knows its outputs' types. Types only: no op has this field. */
export interface Yields<D extends DType> {
  readonly outputType?: D;
}

/** The facts about one kind of operation. All functions but `check` get an op that has passed `check`. */
export interface OpRow<T extends { readonly op: string }> {
  /** Every field that such an op may have. */
  readonly fields: FieldsOf<T>;
  /** Throws `layout`, naming the field, unless the values fit together. The fields' names and types have been checked. */
  check(op: T): void;
  ports(op: T): Ports;
  /** Names and types of the uniforms that a run must give. Default: none. */
  uniforms?(op: T): UniformTypes;
  /** One line of text: `fft c64[1536, 2048] axis=1 n=4096`. */
  text(op: T): string;
  /** Floating-point operations by the convention of benchFFT: 5·n·log₂n for a complex transform. */
  flops(op: T): number;
  /** Whether ports `in` and `out` may be one buffer if their layouts are equal. Default: true. */
  canOverwrite?(op: T): boolean;
  /** Present if the op is a transform along one axis: its length, and the layout of its results before `keep` and `store`. */
  readonly transform?: {
    length(op: T): number;
    layout(op: T): Layout;
  };
}

/**
 * The op as steps of simpler ops, from ports to ports; undefined if core has no simpler form, so that a backend must have a rule. It stands apart
 * from the row, as do an op's samples: programs that only describe and check operations don't load them.
 */
export type OpLowering<T> = (op: T) => readonly Step[] | undefined;

/** A port that is read. */
export const read = (layout: Layout): Port => ({ access: "read", layout });

/** Ports `in` and `out`, with others between them. */
export const inOut = (input: Layout, output: Layout, more: Record<string, Port> = {}): Ports => ({
  in: read(input),
  ...more,
  out: { access: "write", layout: output },
});

/** One step of a lowering. */
export const step = (name: string, op: Step["op"], bind: Record<string, string>): Step => ({ name, op, bind });

/** Throws `layout`: `field` must be `expected`, not `actual`. */
export function fail(field: string, expected: string, actual: unknown): never {
  throw layoutError(field, expected, actual);
}
