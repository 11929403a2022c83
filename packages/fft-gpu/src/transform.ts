/** What is planned, and for what: a transform of lines whatever they are made of, and what a device lets a pass have. */
import type { Gains, TransformKind } from "./gains.ts";
import type { ShapeOptions } from "./shape.ts";
import type { FilterReader, Reader, Writer } from "./wgsl/line.ts";

/** A transform of lines, whatever they are made of: (outer, inner) is a line, adjacent inners lie at adjacent addresses. */
export interface Transform {
  readonly n: number;
  readonly kind: TransformKind;
  readonly outers: number;
  readonly inners: number;
  readonly read: Reader;
  readonly write: Writer;
  readonly filter?: FilterReader;
  /** What its stages multiply with; as `gainsOf` says where left out. */
  readonly gains?: Gains;
}

/** What plans are made for. */
export interface PassLimits {
  readonly workgroupBytes: number;
  readonly invocations: number;
  /** Bytes of intermediate results of lines that go through all passes together. */
  readonly cacheBytes?: number;
  /** Preferences of shapes, for measuring. */
  readonly prefer?: Partial<Omit<ShapeOptions, "mapping" | "count">>;
  /** Longest line of one pass; whatever fits where left out. */
  readonly longestPass?: number;
  /** Longest column of which eight lie side by side: of longer ones, four in pairs. Likewise. */
  readonly longestWideTile?: number;
  /** Longest factor of several passes, likewise. */
  readonly longestFactor?: number;
  /** How intermediate results lie in memory between passes. */
  readonly scratch?: "f32" | "f16";
  /** Every other pass begins with the last lines, which are still in cache; true where left out. */
  readonly backwards?: boolean;
}
