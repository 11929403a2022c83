/**
 * Prepares a backprojection: options are checked before any work, choices are made for a device or taken from a plan, and from these
 * follow profiles, partition, shape of the kernel and pulses of a block. No memory of the size of the data is taken here.
 */

import { type Device, inputError } from "@dechirp/core";
import type { HistoryGeometry, Window } from "@dechirp/radar";
import { interpolatorTable } from "@dechirp/radar/interpolation";
import { blockAnchor, tileAnchor } from "./anchor-words.ts";
import type { AnchorOrder } from "./anchors.ts";
import { choosePartition, type Partition, type PartitionRequest } from "./choose.ts";
import { boundingSphere, checkGrid, type ImageGrid } from "./grid.ts";
import { midpointErrorMeters } from "./midpoint.ts";
import { diagonalMeters, type Scheme } from "./partition.ts";
import {
  type BackprojectionPlan,
  backprojectionPlanFormat,
  backprojectionPlanVersion,
  checkInvocations,
  checkKernelOptions,
  checkPlan,
  identityOf,
} from "./plan.ts";
import {
  checkProfileInterpolation,
  defaultInterpolation,
  designOversampling,
  type ProfileInterpolation,
  profileTaps,
} from "./profile-interpolation.ts";
import {
  type Compression,
  checkHistoryGeometry,
  checkProfileGeometry,
  cyclesPerMeter,
  type ProfileGeometry,
  planCompression,
  pulseCount,
} from "./profiles.ts";
import { curveNumbers, curvesOf, lastRangeMeters } from "./quadratic.ts";
import type { BackprojectionShape, SineSource } from "./shape.ts";

/** Options of `createBackprojector` and `planBackprojection`: interpolation, precision, and how the work is divided. */
export interface BackprojectorOptions {
  /** How profiles are read between bins. Default: `defaultInterpolation`. */
  readonly interpolation?: ProfileInterpolation;
  /**
   * How exactly ranges and phases are computed. `precise`: at least 80 dB against the same sum in float64 with the same
   * interpolation; with the default interpolation, at least 70 dB against the sum over the frequencies of any phase history. On polar
   * grids, and
   * with a height for every pixel, this holds if pixels are at most 45 wavelengths apart, because there are no tiles smaller than 8 × 8.
   * `fast`: at least 60 dB against either, with the sine of the device. Default: `precise`.
   */
  readonly mode?: "precise" | "fast";
  /** Length of zero-padded profiles, a power of two. Phase histories only. Default: as `CompressionOptions` says. */
  readonly bins?: number;
  /** Window over the band, any of `@dechirp/radar`. Phase histories only. Default: none. */
  readonly window?: Window;
  /** The frequency that profiles have at zero. Phase histories only. Default: the centre of the band. */
  readonly carrier?: "centre" | "first";
  /** How the work is divided. Default: chosen by the model. */
  readonly scheme?: Scheme;
  /** Edge of a tile in pixels, a multiple of 8. Default: chosen by the model. */
  readonly tile?: number;
  /** Pulse sets side by side, for schemes that have them. Default: chosen by the model. */
  readonly sets?: number;
  /** Where sine and cosine come from. Default: by the mode. */
  readonly sine?: SineSource;
  /** Order of the range within a tile. Default: by the error bound. */
  readonly order?: AnchorOrder;
  /** Invocations of a workgroup on a GPU, a power of two. Default: chosen. */
  readonly invocations?: number;
  /** Largest workgroup memory for windows of profiles on a GPU, in bytes; 0 for none. Default: chosen. */
  readonly windowBytes?: number;
  /** Pulses sent to the device at once, fewer if their profiles or anchors are too many. Default: chosen. */
  readonly pulsesPerBlock?: number;
  /**
   * Whether only the ranges that a window of the image can need are kept of a pulse's profile, which takes less memory and time. The image has
   * the same bits. Default: true.
   */
  readonly rangeParts?: boolean;
  /** A plan that `planBackprojection` made for this aperture, grid and kind of device. It is used as it is, and no option may be given that it decides. */
  readonly plan?: BackprojectionPlan;
}

/** What pulses are: phase histories or range profiles, without their samples. */
export type BackprojectionSource = HistoryGeometry | ProfileGeometry;

/** Whether `source` is a phase history, not range profiles. Throws `input` if it is neither. */
export function isHistory<T extends object>(source: T): source is T & HistoryGeometry {
  if (typeof source !== "object" || source === null) throw inputError("source", "a phase history or range profiles", source);
  return "frequency" in source;
}

/**
 * A block ends at about this many bytes of its samples or profiles, whichever is more, and of its anchors. Parabolas take twice as much
 * in addition: blocks of half as many pulses lose more to the work that is done once a block (measured on an H200:
 * bench/notes/backprojection.md).
 */
const blockBytes = 2 ** 25;
const mostPulsesPerBlock = 1024;
/** Largest number of bytes of a block's anchors, however many pulses are asked for. */
const mostAnchorBytes = 2 ** 29;
/** Images of more pixels are made in windows. Only the anchors of so many pixels count for the pulses of a block. */
const mostPixelsAtOnce = 2 ** 26;
/** WebGPU's default limits, which every device has. */
const portable = { workgroupBytes: 16384, invocations: 256 };
/** Workgroups that keep a large GPU busy, and the threads of a host (measured on an H100: bench/notes/backprojection.md). */
const busyWorkgroups = { device: 1024, host: 32 };
/** With at least this many bins a pixel, windows in workgroup memory are read without conflicts only if they are scattered. */
const scatteredBins = 4;

/** Bins from a pixel to the next, along the axis on which they are most, for a look along the ground. */
const binsPerPixel = ({ binMeters }: ProfileGeometry, grid: ImageGrid): number => diagonalMeters(grid, 1, 0) / Math.SQRT2 / binMeters;

/** How a device makes an image: what is compressed, how profiles are read, and how the work is divided. */
export interface PreparedBackprojection {
  /** Everything that determines the bits of the image, as data. */
  readonly plan: BackprojectionPlan;
  readonly profiles: ProfileGeometry;
  readonly interpolation: ProfileInterpolation;
  readonly grid: ImageGrid;
  readonly compression: Compression | undefined;
  /** The partition. Its sets and passes are those of blocks of `shape.pulses`. */
  readonly partition: Partition;
  /** The shape of the whole image. That of a window differs in `nx` and `ny`, and in `curves` if it reads a part of the profiles. */
  readonly shape: BackprojectionShape;
  /** Whether windows may read a part of the profiles. */
  readonly rangeParts: boolean;
}

/** Whether threads of the host do the work of a device. They then share its memory. */
function isHost(device: Device): boolean {
  using probe = device.alloc({ dtype: "f32", shape: [1] });
  return probe.view !== undefined;
}

/** Options of phase histories only; profiles are compressed already. */
const historyOptions = ["bins", "window", "carrier"] as const;

/** Options that a plan decides. */
const plannedOptions = [
  ...historyOptions,
  "interpolation",
  "mode",
  "scheme",
  "tile",
  "sets",
  "sine",
  "order",
  "invocations",
  "windowBytes",
  "pulsesPerBlock",
] as const;

/**
 * Plans backprojection of an aperture onto a grid for devices like `device`: all choices that determine the bits of the image, as plain
 * data. The plan is for the whole image, which need not fit the device: windows of it can be made. Throws `input` naming the field, also
 * for options of phase histories with range profiles, and `limit` if the grid can't be divided into tiles.
 */
export const planBackprojection = (
  device: Device,
  source: BackprojectionSource,
  grid: ImageGrid,
  options: BackprojectorOptions = {},
): BackprojectionPlan => prepareBackprojection(device, source, grid, options).plan;

/**
 * How a device will do it: everything checked, except the device's own plans and memory. Makes a plan, or uses that of the options. Throws
 * in the cases of `planBackprojection`.
 */
export function prepareBackprojection(
  device: Device,
  source: BackprojectionSource,
  grid: ImageGrid,
  options: BackprojectorOptions = {},
): PreparedBackprojection {
  const { mode = "precise", plan: given, rangeParts = true } = options;
  if (typeof rangeParts !== "boolean") throw inputError("rangeParts", "true or false", rangeParts);
  if (mode !== "precise" && mode !== "fast") throw inputError("mode", "precise or fast", mode);
  if (options.interpolation !== undefined) checkProfileInterpolation(options.interpolation);
  checkKernelOptions(options);
  const unused = isHistory(source) ? undefined : historyOptions.find((field) => options[field] !== undefined);
  if (unused) throw inputError(unused, "left out if the source is range profiles", options[unused]);
  const planned = given === undefined ? undefined : plannedOptions.find((field) => options[field] !== undefined);
  if (planned) throw inputError(planned, "left out if a plan is given", options[planned]);
  if (given !== undefined) {
    if (isHistory(source)) checkHistoryGeometry(source);
    else checkProfileGeometry(source as ProfileGeometry);
    checkGrid(grid);
    checkPlan(given, { device, grid, source });
  }
  const compressing = given?.compression ?? options;
  const compression = isHistory(source) ? planCompression(source, compressing) : undefined;
  const profiles = compression ? compression.geometry : (source as ProfileGeometry);
  checkProfileGeometry(profiles);
  checkGrid(grid);
  checkSwath(profiles, grid);
  if (isHistory(source)) checkMidpoint(source, profiles, grid);
  const { interpolation = defaultInterpolation(profiles) } = given ?? options;
  const taps = profileTaps(interpolation);
  const curves = interpolation === "quadratic" ? curvesOf(profiles) : undefined;
  const { tile, sets, scheme } = given ?? options;
  const request: PartitionRequest = {
    image: grid,
    profiles,
    taps,
    ...(curves && { numbersPerBin: curveNumbers }),
    limits: { ...portable, storageBytes: device.limits.maxBufferBytes, workgroups: busyWorkgroups[isHost(device) ? "host" : "device"] },
    inWindows: true,
    ...(tile !== undefined && { tile }),
    ...(sets !== undefined && { sets }),
    ...(scheme !== undefined && { scheme }),
    ...(mode === "fast" && { errorCycles: 2 ** -12 }),
  };
  const choice = choosePartition(request);
  const { order = choice.order } = given ?? options;
  const chosen = { ...choice, order, ...(given && { blockTiles: given.blockTiles, reason: given.reason }) };
  checkInvocations(options.invocations, chosen.tile);
  const pulses = given?.pulsesPerBlock ?? blockPulses(device, profiles.bins, source, chosen, options);
  const partition = given
    ? { ...chosen, pulsesPerSet: Math.ceil(pulses / chosen.sets), pulsesPerPass: pulses }
    : inBlocks(request, chosen, pulses);
  const { invocations, windowBytes } = given ?? options;
  const plan: BackprojectionPlan = given ?? {
    format: backprojectionPlanFormat,
    version: backprojectionPlanVersion,
    ...identityOf({ device, grid, source }),
    ...(compression && {
      compression: { bins: profiles.bins, window: options.window ?? { kind: "rect" }, carrier: options.carrier ?? "centre" },
    }),
    interpolation,
    scheme: partition.scheme,
    tile: partition.tile,
    blockTiles: partition.blockTiles,
    sets: partition.sets,
    order: partition.order,
    sine: options.sine ?? (mode === "fast" ? "native" : "accurate"),
    pulsesPerBlock: pulses,
    ...(invocations !== undefined && { invocations }),
    ...(windowBytes !== undefined && { windowBytes }),
    reason: partition.reason,
  };
  return {
    plan,
    profiles,
    interpolation,
    grid,
    compression,
    partition,
    rangeParts,
    shape: {
      nx: grid.nx,
      ny: grid.ny,
      tile: partition.tile,
      pulses,
      bins: profiles.bins,
      scheme: partition.scheme,
      sets: partition.sets,
      blockTiles: partition.blockTiles,
      order: plan.order,
      window: partition.window,
      ...(curves && { curves }),
      ...(interpolation !== "linear" &&
        interpolation !== "quadratic" && { taps: interpolatorTable(interpolation, { oversampling: designOversampling(profiles) }) }),
      sine: plan.sine,
      ...(invocations !== undefined && { invocations }),
      ...(windowBytes !== undefined && { windowBytes }),
      scattered: binsPerPixel(profiles, grid) > scatteredBins,
    },
  };
}

/** Throws `input` naming `grid` unless a profile of some pulse reaches some pixel. */
function checkSwath(profiles: ProfileGeometry, grid: ImageGrid): void {
  const { positions, referenceRangeMeters, firstRangeMeters } = profiles;
  const { centre, radius } = boundingSphere(grid);
  const last = lastRangeMeters(profiles);
  for (let p = 0; p < referenceRangeMeters.length; p++) {
    const away = Math.hypot(positions[3 * p] - centre[0], positions[3 * p + 1] - centre[1], positions[3 * p + 2] - centre[2]);
    const range = away - referenceRangeMeters[p];
    if (range + radius >= firstRangeMeters && range - radius <= last) return;
  }
  throw inputError(
    "grid",
    `within the swath of the profiles, ${firstRangeMeters.toPrecision(4)} to ${last.toPrecision(4)} m from the reference range`,
    `an image whose centre is at (${centre.map((x) => x.toPrecision(4)).join(", ")})`,
  );
}

/** By how many cycles the midpoint of two antennas may err. */
const mostMidpointCycles = 1 / 16;

/** Throws `input` naming `history.antennas` if one position cannot stand for two that are far apart. */
function checkMidpoint(history: HistoryGeometry, profiles: ProfileGeometry, grid: ImageGrid): void {
  if (!history.antennas) return;
  const cycles = midpointErrorMeters(history, grid) * cyclesPerMeter(profiles);
  if (cycles > mostMidpointCycles)
    throw inputError(
      "history.antennas",
      `so close to each other that their midpoint errs by at most ${mostMidpointCycles} cycles on this grid (bistatic images are not made)`,
      `${cycles.toPrecision(3)} cycles`,
    );
}

function blockPulses(
  device: Device,
  bins: number,
  source: BackprojectionSource,
  partition: Partition,
  { pulsesPerBlock }: BackprojectorOptions,
): number {
  const total = pulseCount(source);
  const { tilesX, tilesY, blockTiles, tile } = partition;
  const count =
    blockTiles > 0
      ? Math.ceil(tilesX / blockTiles) * Math.ceil(tilesY / blockTiles) * blockAnchor.count
      : tilesX * tilesY * tileAnchor.count;
  const anchors = Math.ceil(count * Math.min(1, mostPixelsAtOnce / (tilesX * tilesY * tile ** 2)));
  if (pulsesPerBlock !== undefined) {
    if (!(Number.isInteger(pulsesPerBlock) && pulsesPerBlock >= 1))
      throw inputError("pulsesPerBlock", "a positive integer", pulsesPerBlock);
    const most = Math.floor(Math.min(mostAnchorBytes, device.limits.maxBufferBytes) / (4 * anchors));
    return Math.min(pulsesPerBlock, total, partition.pulsesPerPass, Math.max(1, most));
  }
  const bytes = Math.max(8 * bins, isHistory(source) ? 8 * source.frequency.count : 0, 4 * anchors);
  const most = Math.max(1, Math.min(mostPulsesPerBlock, partition.pulsesPerPass, Math.floor(blockBytes / bytes)));
  // Blocks of nearly equal length.
  return Math.ceil(total / Math.ceil(total / most));
}

/** The partition for blocks of `pulses` pulses, which may be fewer than the sets. */
function inBlocks(request: PartitionRequest, chosen: Partition, pulses: number): Partition {
  const sets = Math.min(chosen.sets, pulses);
  const { tile, scheme, order, reason } = chosen;
  const own = sets === chosen.sets ? chosen : { ...choosePartition({ ...request, tile, scheme, sets }), order, reason };
  return { ...own, pulsesPerSet: Math.ceil(pulses / sets), pulsesPerPass: pulses };
}
