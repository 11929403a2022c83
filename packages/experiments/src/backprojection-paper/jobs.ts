/** The list of the experiment's measurements as data, in the order in which they are done. */
import type { BackprojectorOptions } from "@dechirp/sar";
import { published } from "./published.ts";
import type { KernelRow, WholeRow } from "./report.ts";

/** A measurement of the kernel alone. */
export interface KernelJob {
  readonly kind: "kernel";
  readonly name: string;
  readonly section: KernelRow["section"];
  readonly side: number;
  readonly options: BackprojectorOptions;
  readonly units?: number;
}

/** A measurement of a whole image, from host to host. */
export interface WholeJob {
  readonly kind: "whole";
  readonly name: string;
  readonly section: WholeRow["section"];
  readonly side: number;
  readonly form: WholeRow["form"];
  readonly asynchronous: boolean;
  /** Number of pulses of the circle. Default: all. */
  readonly pulses?: number;
}

/** A measurement. */
export type Job = KernelJob | WholeJob;

/** What the list of measurements depends on. */
export interface Bounds {
  readonly sides: readonly number[];
  readonly pulses: number;
  readonly units: number;
  /** Whether the device is the host's processor. If so, transfers are not measured, but numbers of threads are. */
  readonly host: boolean;
}

const smallSides = [128, 256];
const tiles = [8, 16, 24, 32, 40, 48, 64, 96, 128];
const schemes = ["unpartitioned", "pulseSets", "tiles", "dual"] as const;
const sines = ["polynomial", "native", "table"] as const;
/** Edge of both image and tile for the measurement of pulse sets, in pixels (Figures 10 to 12). */
const oneTile = 64;
/** The largest number of pulse sets that is measured. */
export const mostSets = 1024;

/** Returns the measurements of a device, in order. */
export function jobsOf({ sides, pulses, units, host }: Bounds): readonly Job[] {
  const [first] = sides;
  const kernel = (section: KernelJob["section"], side: number, options: BackprojectorOptions, what: string, on?: number): KernelJob => ({
    kind: "kernel",
    name: `${side}×${side}, ${what}`,
    section,
    side,
    options,
    ...(on !== undefined && { units: on }),
  });
  const whole = (section: WholeJob["section"], side: number, form: WholeJob["form"], asynchronous: boolean, of?: number): WholeJob => ({
    kind: "whole",
    name: `${side}×${side} from ${form === "history" ? "phase histories" : "profiles"}, ${asynchronous ? "overlapped" : "in turn"}`,
    section,
    side,
    form,
    asynchronous,
    ...(of !== undefined && { pulses: of }),
  });
  const allSides = [...new Set([...smallSides, ...sides])].sort((a, b) => a - b);
  const sets = Array.from({ length: Math.log2(mostSets) + 1 }, (_, i) => 2 ** i).filter((count) => count <= pulses);
  const parts = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1].map((part) => Math.max(1, Math.round(part * pulses)));
  return [
    ...allSides.map((side) => kernel("sizes", side, {}, "kernel")),
    ...sides.flatMap((side) =>
      (["profiles", "history"] as const).flatMap((form) => (host ? [true] : [false, true]).map((on) => whole("transfers", side, form, on))),
    ),
    ...schemes.map((scheme) => kernel("schemes", first, { scheme, tile: 32 }, scheme)),
    ...sines.map((sine) => kernel("sines", first, { sine }, `sine ${sine}`)),
    ...(host ? sides.filter((side) => Object.hasOwn(published.cpuSeconds.one.whole, side) || side === first) : []).flatMap((side) =>
      (units > 1 ? [1, units] : [1]).flatMap((on) => [
        // Both use anchors of tiles of the same size, so that only the partitioning differs.
        kernel("threads", side, { scheme: "unpartitioned", tile: published.cpuTile }, `no tiles, ${on} of ${units} threads`, on),
        kernel(
          "threads",
          side,
          { scheme: "tiles", tile: published.cpuTile },
          `tiles of ${published.cpuTile}, ${on} of ${units} threads`,
          on,
        ),
      ]),
    ),
    ...tiles.filter((tile) => tile <= first).map((tile) => kernel("tiles", first, { scheme: "tiles", tile }, `tiles of ${tile}`)),
    ...sets.map((count) => kernel("sets", oneTile, { scheme: "dual", tile: oneTile, sets: count }, `${count} pulse sets`)),
    ...parts.map((of) => whole("pulses", first, "history", true, of)),
  ];
}
