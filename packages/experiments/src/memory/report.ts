/** The report of the microbenchmarks as plain data. Rates are per second, times in seconds. */
import type { DeviceReport } from "@dechirp/processor";
import type { Limits } from "./limits.ts";
import type { publishedMemory } from "./published.ts";

/** The groups of measurements, in order. */
export const memorySections = [
  "strided",
  "banks",
  "pairs",
  "copies",
  "shuffles",
  "barriers",
  "occupancy",
  "groups",
  "device-memory",
  "overhead",
] as const;
/** A group of measurements. */
export type MemorySection = (typeof memorySections)[number];

/** What a measured value counts: bytes per second, operations per second, or seconds. */
export type Quantity = "bytes/s" | "operations/s" | "seconds";

/** The median of several turns, and their quartiles. */
export interface Spread {
  /** The median of the turns. */
  readonly median: number;
  /** The lower quartile. */
  readonly low: number;
  /** The upper quartile. */
  readonly high: number;
  /** Number of turns. */
  readonly turns: number;
}

/** One measurement. It has a value, or the reason why it has none. */
export interface MemoryRow {
  readonly section: MemorySection;
  /** For example `read`, `copy, cold`. */
  readonly name: string;
  /** What was varied: stride, ways, threads, values, groups, bytes. */
  readonly at: Readonly<Record<string, number>>;
  readonly quantity: Quantity;
  readonly value?: Spread;
  /** Whether the kernel's output was what it should be. */
  readonly correct?: boolean;
  readonly why?: string;
}

/** The report of the microbenchmarks. */
export interface MemoryReport {
  readonly format: "dechirp-experiment";
  readonly version: 1;
  readonly experiment: "memory";
  readonly date: string;
  readonly quick: boolean;
  /** Approximate seconds of a measurement. */
  readonly seconds: number;
  readonly device: DeviceReport;
  /** Whether the GPU is emulated on the processor. */
  readonly software: boolean;
  /** Whose clock measured kernels. */
  readonly clock: "device" | "host";
  readonly limits: Limits;
  readonly rows: readonly MemoryRow[];
  readonly published: typeof publishedMemory;
}
