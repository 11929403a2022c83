/** The types that planning uses: a transform of lines of any kind of elements, and the limits of a pass. */
import type { Gains, TransformKind } from "./gains.ts";
import type { ShapeOptions } from "./shape.ts";
import type { FilterReader, Reader, Writer } from "./wgsl/line-kernel.ts";

/** A transform of lines of any kind of elements. (outer, inner) is a line, and adjacent inner indices are at adjacent addresses. */
export interface Transform {
  readonly n: number;
  readonly kind: TransformKind;
  readonly outers: number;
  readonly inners: number;
  readonly read: Reader;
  readonly write: Writer;
  readonly filter?: FilterReader;
  /** Whether results are written with a corner turn: then adjacent lines are at adjacent addresses on one side only, and there must be one pass. */
  readonly turned?: boolean;
  /** The factors of its stages. Default: as `gainsOf` returns. */
  readonly gains?: Gains;
}

/** The device's limits and the preferences that plans depend on. */
export interface PassLimits {
  readonly workgroupBytes: number;
  readonly invocations: number;
  /** Bytes of intermediate results of the lines that go through all passes together. */
  readonly cacheBytes?: number;
  /** Preferences of shapes, for measurements. */
  readonly prefer?: Partial<Omit<ShapeOptions, "mapping" | "count">>;
  /** The longest line of one pass, wherever it fits. Default: the longest that is faster in one pass. For measurements. */
  readonly longestPass?: number;
  /**
   * The longest column of which eight adjacent ones are transformed together; longer ones are transformed four at a time in pairs. For
   * measurements.
   */
  readonly longestWideTile?: number;
  /** The longest factor of several passes. For measurements. */
  readonly longestFactor?: number;
  /** The format of intermediate results between passes. */
  readonly scratch?: "f32" | "f16";
  /** Whether every other pass begins with the last lines, which are still in cache. Default: true. */
  readonly backwards?: boolean;
}
