/**
 * How to divide a backprojected image among machines: tiles from all pulses, tiles from the ranges that they need, or sets of pulses whose
 * images are summed in their order. A cost model in closed form; it predicts seconds of a run without delays, so it compares divisions and
 * is no promise. `packages/bench` has a simulation with slow machines, failures and queues.
 *
 * N nodes of c cards make an image of X bytes from pulses of P bytes. With tiles of 1/a of the image's edge and b sets there are a²b tasks. A
 * tile needs the share w = 1/a + guard of a pulse's ranges. A node reads P/b if it keeps the pulses of its set, or wP/b for each of its tiles if
 * pulses can be read by ranges; sets move 2bX more, as each writes an image that another task reads. All nodes read at the rate of the store
 * or of their own links, whichever is less, while they compute:
 *
 *     seconds = warm-up + computing and reading + exchanging + writing
 *
 * A task computes while it reads. So tasks that read their ranges take max(computing, reading) together. Where a node keeps pulses, only its first
 * tasks wait for them: max(computing / n, reading) + computing · (n - 1) / n, if each card makes n tasks.
 */
import { inputError } from "@dechirp/core";
import { checkObject } from "@dechirp/core/internal";

/** What is to be divided, and among what. */
export interface DivisionRequest {
  /** Rows and columns of the image. */
  readonly image: readonly [rows: number, columns: number];
  readonly pulses: number;
  /** Samples of a pulse as they are stored. */
  readonly samples: number;
  /** Bytes of a sample. Default: 8. */
  readonly sampleBytes?: number;
  /**
   * Bytes of pulses that can be read by ranges (compressed and oversampled profiles) relative to those of pulses as they are stored. Default: 1,
   * for pulses that are stored by ranges anyway.
   */
  readonly rangeBytesRatio?: number;
  /** Number of machines that make the image. */
  readonly nodes: number;
  /** Cards of a node, or devices that compute side by side. Default: 1. */
  readonly cardsPerNode?: number;
  /**
   * Backprojections (one pixel and one pulse) that a card makes in a second: a number, or pairs of the pixels of a task and the rate, as small
   * tasks use a card less well. Between the pairs the rate is linear in the logarithm of the pixels.
   */
  readonly rate: number | readonly (readonly [pixels: number, rate: number])[];
  /** Bytes a second that a node can read, and write. */
  readonly nodeBytesPerSecond: number;
  /** Bytes a second that the store gives to all nodes together. */
  readonly storeBytesPerSecond: number;
  /** Seconds before a card makes its first task: starting the process, compiling. Default: 0. */
  readonly warmUpSeconds?: number;
  /** Tiles are multiples of so many pixels: the block lattice of the image. Default: 256. */
  readonly lattice?: number;
  /** The fewest tasks for each card, so that slow machines can be balanced. Default: 1. */
  readonly tasksPerCard?: number;
  /** The most sets of pulses to choose. Default: any number. */
  readonly mostSets?: number;
  /** Edge of the tiles in pixels. Default: chosen. */
  readonly tile?: number;
  /** Longest edge of tiles to choose. Default: any. It is never less than the lattice. */
  readonly mostTile?: number;
  /** Whether pulses can be read by ranges: only if they are stored as profiles. Default: true. */
  readonly readsByRanges?: boolean;
}

/** A way to divide an image. */
export interface DivisionChoice {
  /** Edge of a tile in pixels. */
  readonly tile: number;
  /** Sets of pulses. With more than one, images of the sets are summed. */
  readonly sets: number;
  /** Whether a task reads only the ranges that its tile needs. */
  readonly rangeWindows: boolean;
}

/** A way to divide an image, and what it costs. */
export interface Division extends DivisionChoice {
  /** Tiles of the image. */
  readonly tiles: number;
  /** Tasks in all, without the sums. */
  readonly tasks: number;
  /** Seconds of the whole, as the formula says. */
  readonly seconds: number;
  /** Seconds of its parts. Reading and computing overlap. */
  readonly parts: {
    readonly warmUp: number;
    readonly computing: number;
    readonly reading: number;
    readonly exchanging: number;
    readonly writing: number;
  };
  /** Bytes that a task needs of pulses, that a node reads of them, and bytes of images of sets that all nodes together write and read. */
  readonly bytes: { readonly readByTask: number; readonly readByNode: number; readonly exchanged: number };
  /** The share of the cards' time that is needed at their best rate. */
  readonly efficiency: number;
  /** The division in words. */
  readonly text: string;
}

/**
 * The share of a pulse's ranges that a tile needs beside its part of the image's: for the interpolation and the grain of chunks. With it a tile of
 * an eighth of the edge needs 17.5 % (measured on the Gotcha data: 711 of 4096 bins, 17.4 %).
 */
const guard = 0.05;

const pixelBytes = 8;

const positive = {
  pulses: true,
  samples: true,
  sampleBytes: false,
  rangeBytesRatio: false,
  nodes: true,
  cardsPerNode: false,
  nodeBytesPerSecond: true,
  storeBytesPerSecond: true,
  lattice: false,
  tasksPerCard: false,
  mostSets: false,
  tile: false,
  mostTile: false,
} as const;
const integers = ["pulses", "samples", "nodes", "cardsPerNode", "lattice", "tasksPerCard", "mostSets", "tile", "mostTile"];

function checkRequest(request: DivisionRequest): void {
  checkObject(request, "request", "input");
  const { image, rate, warmUpSeconds, readsByRanges } = request;
  if (readsByRanges !== undefined && typeof readsByRanges !== "boolean") throw inputError("readsByRanges", "true or false", readsByRanges);
  if (!(Array.isArray(image) && image.length === 2 && image.every((side) => Number.isSafeInteger(side) && side >= 1)))
    throw inputError("image", "rows and columns, two positive integers", image);
  for (const [name, isNeeded] of Object.entries(positive)) {
    const value = request[name as keyof typeof positive];
    if (value === undefined && !isNeeded) continue;
    const isInteger = integers.includes(name);
    if (!(isInteger ? Number.isSafeInteger(value) : Number.isFinite(value)) || (value as number) <= 0)
      throw inputError(name, isInteger ? "a positive integer" : "a positive number", value);
  }
  if (warmUpSeconds !== undefined && !(Number.isFinite(warmUpSeconds) && warmUpSeconds >= 0))
    throw inputError("warmUpSeconds", "a number of at least 0", warmUpSeconds);
  const pairs = typeof rate === "number" ? [[1, rate]] : rate;
  const isTable =
    Array.isArray(pairs) &&
    pairs.length > 0 &&
    pairs.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every((x) => Number.isFinite(x) && x > 0)) &&
    pairs.every(([pixels], i) => i === 0 || pixels > pairs[i - 1][0]);
  if (!isTable) throw inputError("rate", "a positive number, or pairs of pixels and rates in the order of the pixels", rate);
}

/** The rate of a card for tasks of so many pixels. */
function rateAt(rate: DivisionRequest["rate"], pixels: number): number {
  if (typeof rate === "number") return rate;
  const above = rate.findIndex(([from]) => from >= pixels);
  if (above === 0) return rate[0][1];
  if (above < 0) return rate[rate.length - 1][1];
  const [[p0, r0], [p1, r1]] = [rate[above - 1], rate[above]];
  return r0 + ((r1 - r0) * Math.log(pixels / p0)) / Math.log(p1 / p0);
}

/** The cost of a division. Throws `input`, naming the field, for bad arguments. */
export function divisionCost(request: DivisionRequest, choice: DivisionChoice): Division {
  checkRequest(request);
  checkObject(choice, "choice", "input");
  const { tile, sets, rangeWindows } = choice;
  for (const [name, value] of Object.entries({ tile, sets }))
    if (!(Number.isSafeInteger(value) && value >= 1)) throw inputError(name, "a positive integer", value);
  if (sets > request.pulses) throw inputError("sets", `at most ${request.pulses}, the number of pulses`, sets);
  if (typeof rangeWindows !== "boolean") throw inputError("rangeWindows", "true or false", rangeWindows);
  return costOf(request, choice);
}

function costOf(request: DivisionRequest, { tile, sets, rangeWindows }: DivisionChoice): Division {
  const { image, pulses, samples, sampleBytes = 8, rangeBytesRatio = 1, nodes, cardsPerNode = 1, rate, warmUpSeconds = 0 } = request;
  const { nodeBytesPerSecond, storeBytesPerSecond } = request;
  const [rows, columns] = image;
  const [tileRows, tileColumns] = [Math.min(tile, rows), Math.min(tile, columns)];
  const tiles = Math.ceil(rows / tileRows) * Math.ceil(columns / tileColumns);
  const tasks = tiles * sets;
  const cards = nodes * cardsPerNode;
  const rounds = Math.ceil(tasks / cards);
  const taskPulses = Math.ceil(pulses / sets);
  const computing = (rounds * tileRows * tileColumns * taskPulses) / rateAt(rate, tileRows * tileColumns);
  const busyNodes = Math.min(nodes, tasks);
  const tasksOfNode = Math.ceil(tasks / busyNodes);
  // A node's tasks are neighbours in the order set, row, column.
  const setsOfNode = Math.min(sets, Math.ceil(tasksOfNode / tiles));
  const pulseBytes = pulses * samples * sampleBytes;
  const whole = (pulseBytes * setsOfNode) / sets;
  const share = Math.min(1, Math.max(tileRows, tileColumns) / Math.max(rows, columns) + guard);
  const readByTask = ((rangeWindows ? rangeBytesRatio * share : 1) * pulseBytes) / sets;
  const readByNode = rangeWindows ? tasksOfNode * readByTask : whole;
  /** Seconds for bytes that all busy nodes move in equal parts. */
  const moved = (bytes: number): number => Math.max(bytes / busyNodes / nodeBytesPerSecond, bytes / storeBytesPerSecond);
  const reading = moved(readByNode * busyNodes);
  const imageBytes = rows * columns * pixelBytes;
  const exchanged = sets > 1 ? 2 * sets * imageBytes : 0;
  const parts = { warmUp: warmUpSeconds, computing, reading, exchanging: moved(exchanged), writing: moved(imageBytes) };
  // Of the tasks of a card, those that overlap with reading.
  const overlapping = rangeWindows ? computing : computing / rounds;
  const seconds = parts.warmUp + Math.max(overlapping, reading) + computing - overlapping + parts.exchanging + parts.writing;
  const ideal = (rows * columns * pulses) / rateAt(rate, rows * columns) / cards;
  const read = rangeWindows ? "the ranges that they need" : sets > 1 ? "their pulses" : "all pulses";
  return {
    tile,
    sets,
    rangeWindows,
    tiles,
    tasks,
    seconds,
    parts,
    bytes: { readByTask, readByNode, exchanged },
    efficiency: ideal / seconds,
    text: `${tiles} ${tiles === 1 ? "tile" : "tiles"} of ${tileRows} × ${tileColumns} pixels${sets > 1 ? ` × ${sets} sets of ${taskPulses} pulses` : ""}, each from ${read}`,
  };
}

/** Divisions whose seconds differ by less than this share are equal: the model can't tell. */
const same = 1e-3;

/** Edges of tiles that come into question, the longest first. */
function edgesOf({ image, lattice = 256, tile, mostTile = Number.POSITIVE_INFINITY }: DivisionRequest): readonly number[] {
  if (tile !== undefined) return [tile];
  const longer = Math.max(...image);
  const edges: number[] = [];
  for (let across = 1; edges.at(-1) !== lattice; across++) {
    const edge = lattice * Math.ceil(longer / across / lattice);
    if (edge !== edges.at(-1) && (edge <= mostTile || edge === lattice)) edges.push(edge);
  }
  return edges;
}

/**
 * Chooses the division that the model predicts to be fastest: the edge of tiles, a power of two of pulse sets, and whether tasks read by ranges. Of
 * those that are as fast to a thousandth, it is the one with the fewest sets, then one from all pulses, then the one with the fewest tasks. Throws
 * `input`, naming the field.
 */
export function chooseDivision(request: DivisionRequest): Division {
  checkRequest(request);
  const { pulses, nodes, cardsPerNode = 1, tasksPerCard = 1 } = request;
  const { mostSets = pulses, readsByRanges = true } = request;
  const cards = nodes * cardsPerNode;
  const all: Division[] = [];
  for (const tile of edgesOf(request))
    for (let sets = 1; sets <= Math.min(pulses, mostSets) && sets < 2 * cards * tasksPerCard; sets *= 2)
      for (const rangeWindows of readsByRanges ? [false, true] : [false]) all.push(costOf(request, { tile, sets, rangeWindows }));
  const least = tasksPerCard > 1 ? Math.min(cards * tasksPerCard, Math.max(...all.map(({ tasks }) => tasks))) : 1;
  const enough = all.filter(({ tasks }) => tasks >= least);
  const fastest = Math.min(...enough.map(({ seconds }) => seconds));
  const equal = enough.filter(({ seconds }) => seconds <= (1 + same) * fastest);
  const simpler = (x: Division, y: Division): number =>
    x.sets - y.sets || Number(x.rangeWindows) - Number(y.rangeWindows) || x.tasks - y.tasks;
  return equal.sort(simpler)[0];
}
