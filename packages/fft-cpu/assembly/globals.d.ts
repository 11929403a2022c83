/** What asc is told by `--use`: whether the build has relaxed SIMD. */
declare const RELAXED: bool;
