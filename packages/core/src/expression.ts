/**
 * The entry point `@dechirp/core/expression`: fused steps written once, as data. `load`, `store` and `map` make hooks and ops from
 * functions that read like the formula, or from texts. Core makes the code for every device from them.
 */

// Hooks and maps.

export { type LoadOptions, load, type MapOptions, type MapWith, map, type Names, type StoreOptions, store } from "./expression/hooks.ts";
export { type SampleLoadOptions, sampleLoad } from "./expression/loads.ts";

// The functions that expressions are written with.

export {
  abs,
  and,
  asI32,
  asU32,
  atan2,
  cis,
  complex,
  conj,
  divide,
  equal,
  finite,
  floor,
  greater,
  greaterOrEqual,
  type Index,
  i32,
  im,
  inside,
  type KindOf,
  type KindOfBoth,
  less,
  lessOrEqual,
  log,
  max,
  min,
  minus,
  mod,
  negate,
  not,
  notEqual,
  type Operand,
  or,
  plus,
  re,
  real,
  round,
  type SourceOf,
  select,
  shiftLeft,
  shiftRight,
  sqrt,
  sum,
  taps,
  times,
  toI32,
  toReal,
  toU32,
  u32,
  type Value,
  xor,
} from "./expression/build.ts";

// Expressions as data: their nodes and checks.

export { checkExpression, type NodeFacts } from "./expression/check.ts";
export type { Binary, Domain, Expression, Kind, Node, NodePlace, Unary } from "./expression/nodes.ts";
