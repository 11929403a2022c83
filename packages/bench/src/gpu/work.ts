/** The work of a case of the GPU bench that plans do: arrays, operations, and what the result must be. */
import type { Layout, Op, PlanOptions } from "@dechirp/core";
import type { PeerWork } from "./peer.ts";
import type { Sample } from "./reference.ts";

/** An operation, and what its ports are bound to. */
interface Step {
  readonly op: Op;
  /** Names of arrays by port. */
  readonly bind: Readonly<Record<string, string>>;
  readonly options?: PlanOptions;
}

/** A way to compute the result. */
export interface Way {
  readonly name?: string;
  readonly steps: readonly Step[];
  /** Samples of its result, if it computes something else than the work's other ways. */
  readonly samples?: Work["samples"];
}

/** The work of a case. */
export interface Work {
  readonly name: string;
  /** `in`, `out`, `h` if needed (unit vectors of random phase), and intermediate arrays. */
  readonly arrays: Readonly<Record<string, Layout>>;
  readonly ways: readonly Way[];
  readonly flops: number;
  /** Energy of the result divided by that of the input. If absent, only the samples are checked. */
  readonly gain?: number;
  /** Weight of a row's element k in the result's energy. Default: 1. */
  weight?(k: number): number;
  samples(x: Float32Array, h: Float32Array): readonly Sample[];
  /** Whether a run adds to `out`. The samples are then those of two runs on zeros. Default: false. */
  readonly adds?: boolean;
  /** Bytes that a run must at least move. Default: those of `in` and `out`. */
  readonly bytes?: number;
  readonly peer?: PeerWork;
}
