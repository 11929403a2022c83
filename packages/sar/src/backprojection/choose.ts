/**
 * Chooses a partition for the limits of a device, by the traffic model, the windows of `partition.ts` and the error
 * bounds of the anchors, and describes it as text. Nothing runs here. What is fastest on a device is measured, not modelled, so that
 * the caller can set every part of a partition.
 */
import { inputError, RadarError } from "@dechirp/core";
import { tileAnchor } from "./anchor-words.ts";
import { type AnchorOrder, anchorErrorMeters, tilesAlong } from "./anchors.ts";
import { chooseBlockTiles, shortestRangeMeters } from "./blocks.ts";
import { boundingSphere, checkGrid, type GroundGrid, type ImageGrid, isFlat } from "./grid.ts";
import {
  diagonalMeters,
  hasSets,
  hasWindows,
  invocationsOf,
  reliefOfTiles,
  type Scheme,
  schemes,
  type TileWindow,
  type Traffic,
  tileWindow,
  trafficWords,
  wordBytes,
} from "./partition.ts";
import { checkProfileGeometry, cyclesPerMeter, type ProfileGeometry, pulseCount } from "./profiles.ts";

/** Limits of a device. */
export interface PartitionLimits {
  /** Workgroup memory of a workgroup, in bytes. */
  readonly workgroupBytes: number;
  /** Invocations of a workgroup. */
  readonly invocations: number;
  /** Largest storage binding. */
  readonly storageBytes: number;
  /** Workgroups that keep the device busy. Default: 256. */
  readonly workgroups?: number;
}

/** What `choosePartition` divides, the device's limits, and choices that are already made. */
export interface PartitionRequest {
  readonly image: ImageGrid;
  readonly profiles: ProfileGeometry;
  /** Samples of a profile that one value is computed from. Default: 2, linear. */
  readonly taps?: number;
  /** Complex numbers of a bin: 1, or 2 for parabolas. Default: 1. */
  readonly numbersPerBin?: number;
  readonly limits: PartitionLimits;
  /** Error that the expansion of the range may have in the corner of a tile, and that float32 may round, in cycles. Default: 2⁻¹⁵. */
  readonly errorCycles?: number;
  /** Edge of a tile. A given one may have a larger error, and need more on chip than the device has. Default: chosen. */
  readonly tile?: number;
  /** Number of pulse sets. Default: chosen. */
  readonly sets?: number;
  /** How image and pulses are divided. Default: chosen. */
  readonly scheme?: Scheme;
  /** Whether the image is made in windows, so that it need not fit a binding as a whole. Default: false. */
  readonly inWindows?: boolean;
}

/** How the work of a backprojection is divided into image tiles and pulse sets. */
export interface Partition {
  /** Edge K of a tile in pixels. */
  readonly tile: number;
  /** Tiles along x. */
  readonly tilesX: number;
  /** Tiles along y. */
  readonly tilesY: number;
  readonly pulses: number;
  /** Pulse sets S, side by side. If there are several, each has an image of its own. */
  readonly sets: number;
  /** Pulses of a set, among those that are added at a time. */
  readonly pulsesPerSet: number;
  /** Pulses that are added to the image at a time: as many as have profiles that fit a binding, or those of a block. */
  readonly pulsesPerPass: number;
  /** Invocations of a workgroup, which share a tile, within the limits that the partition is chosen for. A device that allows more may have up to 512. */
  readonly invocations: number;
  readonly pixelsPerInvocation: number;
  readonly window: TileWindow;
  /** Order of the range within a tile. */
  readonly order: AnchorOrder;
  /** Tiles along the edge of an anchor block; 0 if the grid needs an anchor for every tile. */
  readonly blockTiles: number;
  /** Predicted traffic of the four partitionings with this tile and these sets, in bytes. */
  readonly trafficBytes: Traffic;
  readonly scheme: Scheme;
  /** Why the tile is not larger or different. */
  readonly reason: string;
}

/** Number of pulses whose anchors are staged on chip together (section V of the paper). */
export const stagedPulses = 64;
const stagedBytes = stagedPulses * tileAnchor.count * 4;
const mostPixelsPerInvocation = 16;
const mostInvocations = 256;
const smallestTile = 8;
/** Without windows, tiles of this many pixels share anchors enough. */
const largestShared = 32;
const largestTile = 128;
/** About 85 dB over a whole image. */
const preciseCycles = 2 ** -15;
/** A bin of a window on chip is a sample and the difference to the next, or just a sample if there are more than two taps. */
export const windowBytes = (bins: number, taps: number): number => bins * wordBytes * (taps === 2 ? 2 : 1);

/** What all tile edges of a request have in common. */
interface Common
  extends Required<Omit<PartitionRequest, "tile" | "sets" | "scheme" | "inWindows">>,
    Pick<PartitionRequest, "sets" | "scheme"> {
  readonly pulses: number;
  /** Complex numbers that a pulse needs of its bins for the whole image. */
  readonly bins: number;
  readonly pulsesPerPass: number;
  /** Number of images that a binding holds. */
  readonly images: number;
  readonly inWindows: boolean;
  readonly invocations: number;
  readonly workgroups: number;
  readonly nearestMeters: number;
}

/**
 * The partition of least predicted traffic among tile edges 8, 16, 32, 64 and 128 that fit: window and staged anchors in
 * workgroup memory, at most 16 pixels an invocation, at most 2⁻¹⁵ cycles of expansion error in the corner of a tile, and of rounding
 * if each tile has anchors of its own. There are as many pulse sets as give the device `workgroups` to do. If pixels are so coarse that not
 * even
 * the window of the smallest tile fits, there are no windows, and tiles share only anchors. Values that are asked for are used as
 * they are. Throws `input` naming the field; `limit` if the smallest tile is not precise enough, if it does not fit although its scheme is
 * asked for,
 * if one image or one profile does not fit, or if the images of the sets that are asked for do not.
 */
export function choosePartition(request: PartitionRequest): Partition {
  const common = prepare(request);
  const { nx, ny } = request.image;
  if (request.tile !== undefined) return askedFor(common, request.tile);
  const smallest = partitionFor(common, smallestTile);
  if (typeof smallest === "string" && common.scheme === undefined && !fitsWindow(common, windowOf(common, smallestTile)))
    return { ...choosePartition({ ...request, scheme: "pulseSets" }), reason: smallest };
  if (typeof smallest === "string")
    throw new RadarError(
      "limit",
      `backprojection can't be partitioned: ${smallest}; smaller pixels, or a flight farther away, make it possible`,
      {
        field: "grid",
        tile: smallestTile,
      },
    );
  let best = smallest;
  const largest = "larger tiles would exceed the image";
  let reason = largest;
  for (let tile = 2 * smallestTile; tile < 2 * Math.max(nx, ny); tile *= 2) {
    const next = tile > largestTile ? `tiles of ${tile} are larger than any that is considered` : partitionFor(common, tile);
    if (typeof next === "string") {
      reason = next;
      break;
    }
    const shared = !hasWindows(next.scheme) && tile <= largestShared;
    if (shared || next.trafficBytes[next.scheme] < best.trafficBytes[best.scheme]) {
      best = next;
      reason = largest;
    } else reason = `tiles of ${tile} in ${count(next.sets, "pulse set")} would move ${megabytes(next.trafficBytes[next.scheme])}`;
  }
  return { ...best, reason };
}

const windowOf = ({ profiles, image, taps }: Common, tile: number): TileWindow => tileWindow(profiles, image, tile, taps);
const bytesOnChip = ({ taps }: Common, { bins }: TileWindow): number => windowBytes(bins, taps) + stagedBytes;
const fitsWindow = (common: Common, window: TileWindow): boolean =>
  !hasWindows(common.scheme ?? "tiles") || bytesOnChip(common, window) <= common.limits.workgroupBytes;

/** The partition with a tile that the caller asks for. Its reason says what speaks against it. */
function askedFor(common: Common, tile: number): Partition {
  if (!Number.isInteger(tile) || tile < smallestTile || tile > largestTile || tile % 8 !== 0)
    throw inputError("tile", `a multiple of 8 from ${smallestTile} to ${largestTile}`, tile);
  const made = partitionFor(common, tile);
  const asked = `tiles of ${tile} were asked for`;
  if (typeof made !== "string") return { ...made, reason: asked };
  return { ...makePartition(common, tile, windowOf(common, tile), orderFor(common, tile) ?? 3), reason: `${asked}, though ${made}` };
}

function checkRequest({ scheme, sets, errorCycles }: PartitionRequest): void {
  if (scheme !== undefined && !schemes.includes(scheme)) throw inputError("scheme", schemes.join(", "), scheme);
  if (sets !== undefined) {
    const most = scheme === undefined || hasSets(scheme) ? 1024 : 1;
    if (!Number.isInteger(sets) || sets < 1 || sets > most) throw inputError("sets", `an integer from 1 to ${most}`, sets);
  }
  if (errorCycles !== undefined && !(errorCycles > 0 && errorCycles < 1)) throw inputError("errorCycles", "between 0 and 1", errorCycles);
}

function prepare(request: PartitionRequest): Common {
  const { image, profiles, taps = 2, numbersPerBin = 1, limits, errorCycles = preciseCycles, inWindows = false } = request;
  checkRequest(request);
  checkProfileGeometry(profiles);
  checkGrid(image);
  const { workgroupBytes, invocations, storageBytes, workgroups = 256 } = limits;
  for (const [field, value] of Object.entries({ workgroupBytes, invocations, storageBytes, workgroups })) {
    if (!Number.isInteger(value) || value < 1) throw inputError(`limits.${field}`, "a positive integer", value);
  }
  const pulses = pulseCount(profiles);
  // One more than bins, if these repeat.
  const profileBytes = wordBytes * numbersPerBin * (profiles.bins + (numbersPerBin > 1 ? 1 : 0));
  const imageBytes = wordBytes * image.nx * image.ny;
  for (const [what, bytes] of [
    ["a range profile", profileBytes],
    ["the image", inWindows ? 0 : imageBytes],
  ] as const) {
    if (bytes > storageBytes)
      throw new RadarError("limit", `${what} of ${bytes} bytes exceeds a storage binding of ${storageBytes}`, { bytes, storageBytes });
  }
  return {
    image,
    profiles,
    taps,
    numbersPerBin,
    limits,
    errorCycles,
    ...(request.sets !== undefined && { sets: request.sets }),
    ...(request.scheme !== undefined && { scheme: request.scheme }),
    pulses,
    bins: numbersPerBin * Math.min(profiles.bins, Math.ceil((2 * boundingSphere(image).radius) / profiles.binMeters) + taps),
    pulsesPerPass: Math.min(pulses, Math.floor(storageBytes / profileBytes)),
    images: Math.max(1, Math.floor(storageBytes / imageBytes)),
    inWindows,
    invocations: 2 ** Math.floor(Math.log2(Math.min(invocations, mostInvocations))),
    workgroups,
    nearestMeters: shortestRangeMeters(profiles, image),
  };
}

/** The partition with this tile edge, or what speaks against it. */
function partitionFor(common: Common, tile: number): Partition | string {
  const { limits, invocations } = common;
  const window = windowOf(common, tile);
  if (!fitsWindow(common, window))
    return `tiles of ${tile} need ${bytesOnChip(common, window)} bytes of workgroup memory (a window of ${window.bins} bins), the device has ${limits.workgroupBytes}`;
  if (tile * tile > mostPixelsPerInvocation * invocations)
    return `tiles of ${tile} are more than ${mostPixelsPerInvocation} pixels an invocation`;
  const order = orderFor(common, tile);
  if (order === undefined)
    return `tiles of ${tile} err by more than ${common.errorCycles.toPrecision(2)} cycles: the platform is within ${Math.round(common.nearestMeters)} m of the image`;
  if (tile > smallestTile && roundingCycles(common, tile) > common.errorCycles)
    return `the ranges of tiles of ${tile} are rounded by more than ${common.errorCycles.toPrecision(2)} cycles`;
  return makePartition(common, tile, window, order);
}

function makePartition(common: Common, tile: number, window: TileWindow, order: AnchorOrder): Partition {
  const { image, profiles, pulses } = common;
  const { nx, ny } = image;
  const invocations = invocationsOf(tile, common.invocations);
  const [tilesX, tilesY] = tilesAlong(image, tile);
  const fill = Math.min(pulses, common.images, Math.ceil(common.workgroups / (tilesX * tilesY)));
  const sets = common.scheme !== undefined && !hasSets(common.scheme) ? 1 : Math.min(pulses, common.sets ?? fill);
  if (sets > common.images && !common.inWindows)
    throw new RadarError("limit", `images of ${sets} pulse sets exceed a storage binding, which holds ${common.images}`, {
      field: "sets",
      sets,
      storageBytes: common.limits.storageBytes,
    });
  const words = trafficWords({ pixels: nx * ny, pulses, bins: common.bins, tile, sets });
  return {
    tile,
    tilesX,
    tilesY,
    pulses,
    sets,
    pulsesPerSet: Math.ceil(common.pulsesPerPass / sets),
    pulsesPerPass: common.pulsesPerPass,
    invocations,
    pixelsPerInvocation: tile ** 2 / invocations,
    window,
    order,
    blockTiles: isLattice(image) ? chooseBlockTiles(profiles, image as GroundGrid, tile) : 0,
    trafficBytes: {
      unpartitioned: wordBytes * words.unpartitioned,
      pulseSets: wordBytes * words.pulseSets,
      tiles: wordBytes * words.tiles,
      dual: wordBytes * words.dual,
    },
    scheme: common.scheme ?? (sets === 1 ? "tiles" : "dual"),
    reason: "",
  };
}

/** Whether anchors are those of blocks of tiles. */
const isLattice = (image: ImageGrid): boolean => image.kind === "ground" && isFlat(image);

/** From the anchor of a tile to its corner. */
const reachMeters = (image: ImageGrid, tile: number): number =>
  diagonalMeters(image, tile / 2, isFlat(image) ? 0 : reliefOfTiles(image, tile));

/**
 * The lowest order that is precise enough within a tile. Only parabolas round as much as an error of the second order that is just small enough; what reads
 * samples gets the third order then.
 */
function orderFor({ image, profiles, nearestMeters, errorCycles, numbersPerBin }: Common, tile: number): AnchorOrder | undefined {
  const reach = reachMeters(image, tile);
  const cycles = (order: AnchorOrder): number => anchorErrorMeters(reach, nearestMeters, order) * cyclesPerMeter(profiles);
  const finer = numbersPerBin === 1 && errorCycles <= preciseCycles;
  if (cycles(2) <= errorCycles / (finer ? 8 : 1)) return 2;
  return cycles(3) <= errorCycles ? 3 : undefined;
}

/**
 * What float32 rounds off the range of a tile's corner: with anchors of tiles one bit of it (anchors.ts), with anchors of blocks a
 * negligible part.
 */
const roundingCycles = ({ image, profiles }: Common, tile: number): number =>
  isLattice(image) ? 0 : 2 ** -24 * reachMeters(image, tile) * cyclesPerMeter(profiles);

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toPrecision(3)} MB`;

/** A partition as text for people: how it divides the work, how many bytes it moves, and why it was chosen. */
export function describePartition(partition: Partition): string {
  const { tile, tilesX, tilesY, sets, pulsesPerSet, pulses, pulsesPerPass, window, trafficBytes, scheme, order, blockTiles } = partition;
  const passes = Math.ceil(pulses / pulsesPerPass);
  const anchors = blockTiles > 0 ? `a block of ${blockTiles} × ${blockTiles} tiles` : "a tile";
  return [
    `${tilesX} × ${tilesY} tiles of ${tile} × ${tile} pixels, ${count(sets, "pulse set")} of ${pulsesPerSet}, ${passes === 1 ? "1 pass" : `${passes} passes`} over the image`,
    `${partition.invocations} invocations of ${count(partition.pixelsPerInvocation, "pixel")}, a window of ${window.bins} bins (${wordBytes * window.bins} bytes)`,
    `ranges of order ${order}, an anchor for ${anchors} and pulse`,
    `traffic: ${scheme} ${megabytes(trafficBytes[scheme])}; unpartitioned ${megabytes(trafficBytes.unpartitioned)}, pulse sets ${megabytes(trafficBytes.pulseSets)}, tiles ${megabytes(trafficBytes.tiles)}, dual ${megabytes(trafficBytes.dual)}`,
    `because ${partition.reason}`,
  ].join("\n");
}
