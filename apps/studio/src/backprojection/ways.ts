/** The ways to make an image that are compared, and what is measured of each. */
import type { BackprojectorOptions } from "@dechirp/sar";

/** What the rows of a section differ in. */
export type WaySection = "division" | "blocks" | "windows" | "interpolation" | "precision";

/** A way to make an image. */
export interface Way {
  readonly section: WaySection;
  readonly name: string;
  readonly options: BackprojectorOptions;
  /** Whether the image is made in windows of a quarter of it, or as close to that as the lattice of blocks allows. */
  readonly inWindows?: boolean;
}

/** The ways, in order. All but the first differ from the first in what they say. */
export const ways: readonly Way[] = [
  { section: "division", name: "chosen by the model", options: {} },
  { section: "division", name: "unpartitioned", options: { scheme: "unpartitioned" } },
  { section: "division", name: "4 pulse sets", options: { scheme: "pulseSets", sets: 4 } },
  { section: "division", name: "tiles of 16 × 16", options: { scheme: "tiles", tile: 16 } },
  { section: "division", name: "tiles of 32 × 32", options: { scheme: "tiles", tile: 32 } },
  { section: "division", name: "tiles of 64 × 64", options: { scheme: "tiles", tile: 64 } },
  { section: "division", name: "tiles of 32 × 32, 4 pulse sets", options: { scheme: "dual", tile: 32, sets: 4 } },
  { section: "division", name: "tiles of 32 × 32, 16 pulse sets", options: { scheme: "dual", tile: 32, sets: 16 } },
  { section: "blocks", name: "32 pulses at a time", options: { pulsesPerBlock: 32 } },
  { section: "blocks", name: "128 pulses at a time", options: { pulsesPerBlock: 128 } },
  { section: "blocks", name: "1024 pulses at a time", options: { pulsesPerBlock: 1024 } },
  { section: "windows", name: "four windows, one after the other", options: { tile: 32 }, inWindows: true },
  { section: "interpolation", name: "linear", options: { interpolation: "linear" } },
  { section: "interpolation", name: "quadratic", options: { interpolation: "quadratic" } },
  { section: "interpolation", name: "sinc, 8 taps", options: { interpolation: { kind: "sinc", taps: 8, window: "knab" } } },
  { section: "interpolation", name: "sinc, 16 taps", options: { interpolation: { kind: "sinc", taps: 16, window: "knab" } } },
  { section: "precision", name: "fast: the device's sine", options: { mode: "fast" } },
  { section: "precision", name: "a table of 1024 sines", options: { sine: "table" } },
];

/** A measured way, or why it could not be. */
export interface WayResult extends Pick<Way, "section" | "name"> {
  readonly measured?: {
    readonly seconds: number;
    readonly rate: number;
    readonly runs: number;
    readonly trafficBytes: number;
    readonly serDb: number;
    readonly text: string;
  };
  readonly why?: string;
}
