/** The types of the kernel of lines: what is generated for one element of one line by readers, writers and filters, and how lines are found. */
import type { Dispatch } from "../dispatch.ts";
import type { Gains } from "../gains.ts";
import type { LineShape } from "../shape.ts";
import type { Mapping } from "../stage-choice.ts";
import type { TableBuilder } from "../tables.ts";
import type { Held, Mirror, Stages } from "./stages.ts";
import type { Text } from "./text.ts";

/** The position of a line, as WGSL expressions of type u32. */
export interface LineAt {
  readonly outer: string;
  readonly inner: string;
  /** Further digits of the line's number, for passes of a longer transform. */
  readonly digits: Readonly<Record<string, string>>;
}

export type Arrays = Dispatch["arrays"];

interface Port {
  readonly arrays?: Arrays;
  readonly uniforms?: Dispatch["uniforms"];
  /** WGSL functions that the element's text calls. */
  readonly declarations?: string;
}

/** Generates the expression for an element of a line, of type vec2f. */
export interface Reader extends Port {
  /** Elements from this index on are zero and are not read. */
  readonly extent: number;
  line(text: Text, at: LineAt, table: TableBuilder): (text: Text, i: string) => string;
  /** The same for a line and the next one together, of type vec4f. */
  readonly paired?: { readonly arrays: Arrays; line(text: Text, at: LineAt, table: TableBuilder): (text: Text, i: string) => string };
  /** Whether an element is computed from several others, with much waiting. Computing two together is less work then. */
  readonly worked?: boolean;
  /**
   * For elements that are made of two parts, one at index i and one at n − i: reads a part, and makes an element of both. Invocations that hold both
   * elements of two parts read each part once. The other part of element 0 is at `ofZero`.
   */
  mirrored?(
    text: Text,
    at: LineAt,
    table: TableBuilder,
  ): {
    part(text: Text, i: string): string;
    whole(text: Text, i: string, part: string, other: string): string;
    readonly ofZero: string;
  };
}

/** Results 0 … n that are made of elements and their mirror images, apart from how they are written. */
export interface MirroredWriter {
  /** Generates result k < n of element k and its mirror image. */
  whole(table: TableBuilder): (text: Text, k: string, element: string, image: string) => string;
  /** Generates result n of element 0. */
  last(text: Text, first: string): string;
  /** The results that are written. Others are dropped. */
  readonly keep: Writer["keep"];
  /** Writes a result. */
  readonly line: Writer["line"];
}

/** Generates the statement that takes a result of a line. */
export interface Writer extends Port {
  /** The results that are written. Others are dropped. */
  readonly keep: readonly [start: number, count: number];
  line(text: Text, at: LineAt, table: TableBuilder): (text: Text, k: string, value: string) => void;
  /** The same for a line and the next one together, of type vec4f. */
  readonly paired?: { readonly arrays: Arrays; line(text: Text, at: LineAt): (text: Text, k: string, value: string) => void };
  /** A factor for every result, given its position. It is computed unconditionally, also if the result is not written. */
  factor?(text: Text, at: LineAt, table: TableBuilder): (place: Pick<Held, "index" | "sum">) => string;
  /**
   * If present, results are divided by a power of two that the line shares, so that they fit into half precision. The function takes the
   * `scale`.
   */
  readonly scaled?: (text: Text, at: LineAt, scale: string) => void;
  /** If present, `line` takes element `k` together with its mirror image: that at (n − k) mod n, unless the lines say where it is. */
  readonly mirrored?: MirroredWriter;
}

/** Generates the filter's value at a frequency. */
export interface FilterReader extends Port {
  line(text: Text, at: LineAt, table: TableBuilder): (text: Text, k: string) => string;
}

/** The lines of a dispatch: how many there are, and the position of a line by number. */
export interface Lines {
  readonly count: number;
  locate(text: Text, line: string): LineAt;
  /** An additional condition for a line to exist, besides a number below `count`. */
  exists?(at: LineAt): string | undefined;
  /** Where the mirror images of a line's elements are. Default: in the same line, at (n − k) mod n. */
  mirror?(text: Text, at: LineAt): Mirror;
}

/** What the kernel of lines is generated from. */
export interface LineKernel {
  readonly shape: LineShape;
  readonly kind: "forward" | "inverse" | "filter";
  readonly load: Mapping;
  readonly store: Mapping;
  readonly lines: Lines;
  readonly read: Reader;
  readonly write: Writer;
  readonly filter?: FilterReader;
  /** The factors of the stages. Default: as `gainsOf` returns. */
  readonly gains?: Gains;
  /** Makes the stages. Default: those of stages.ts, with tables of twiddle factors. */
  readonly stages?: (text: Text, shape: LineShape) => Stages;
  /** Whether the last lines come first, as they are still in cache from the pass before. */
  readonly backwards?: boolean;
}
