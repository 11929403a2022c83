/** Whether the build has relaxed SIMD. The compiler gets it by `--use`. */
declare const RELAXED: bool;
