/**
 * Sets of pulses of a backprojected image: which pulses they have, and how many there are. A node that makes tiles reads P bytes of pulses. With b
 * sets it reads P/b, but the images of the sets are written and read once more. So sets pay where pulses have many more bytes than the image, or
 * where so many machines work on one image that reading takes longer than computing: the cost model (division.ts) says so, if the number of
 * workers is known. It must predict that they save 5 % of the time.
 */
import { inputError } from "@dechirp/core";
import { isWhole } from "@dechirp/core/internal";
import { chooseDivision } from "./division.ts";
import { mostSets, mostTasks } from "./document.ts";

/** What is assumed of workers and stores where a job is planned: measured rates, and the network of a data centre. */
const assumed = {
  /** Backprojections a second: of a large card, and of a processor of 16 cores. */
  rates: { gpu: 6e11, cpu: 6e9 },
  /** 100 Gb/s. */
  nodeBytesPerSecond: 12.5e9,
  storeBytesPerSecond: 2e11,
  /** Starting a process and compiling. */
  startSeconds: 3,
  /** A worker computes the SHA-256 of all files of the recording before it makes its first task. */
  digestBytesPerSecond: 1.3e9,
} as const;

/** Sets are taken if they save this share of the seconds that one set takes. */
const worthwhile = 0.05;

/** The runs of pulses of `sets` sets, of nearly equal length. They begin where blocks of the whole image do, if there are enough blocks. */
export function pulseRuns(pulses: number, sets: number, pulsesPerBlock: number): readonly (readonly [first: number, count: number])[] {
  const blocks = Math.ceil(pulses / pulsesPerBlock);
  const start = (set: number): number =>
    sets <= blocks ? Math.min(pulses, Math.floor((set * blocks) / sets) * pulsesPerBlock) : Math.floor((set * pulses) / sets);
  return Array.from({ length: sets }, (_, set) => [start(set), (set + 1 === sets ? pulses : start(set + 1)) - start(set)]);
}

/** What is to be divided. */
export interface SetsRequest {
  readonly image: readonly [rows: number, columns: number];
  readonly pulses: number;
  /** Frequencies of a pulse. */
  readonly samples: number;
  readonly deviceClass: "cpu" | "gpu";
  /** Tiles are multiples of so many pixels. */
  readonly lattice: number;
  /** The longest edge that the memory holds. */
  readonly mostTile: number;
  /** The edge of tiles that is taken if nothing else speaks for another. */
  readonly usualTile: number;
  /** What was asked for. */
  readonly tile?: number;
  readonly pulseSets?: number;
  readonly workers?: number;
}

/** How an image is divided, and why. */
export interface SetsChoice {
  readonly tile: number;
  readonly sets: number;
  /** Why there are so many sets, as a sentence. */
  readonly reason: string;
}

/** Throws `input` if sets of pulses, or workers for the model that chooses them, are asked for where there are none. */
export function refuseSets(request: Pick<SetsRequest, "pulseSets" | "workers">, why: string): void {
  for (const name of ["pulseSets", "workers"] as const) if (request[name] !== undefined) throw inputError(name, why, request[name]);
}

/** Chooses sets and tiles. Throws `input`, naming `pulseSets` or `workers`. */
export function chooseSets(request: SetsRequest): SetsChoice {
  const { image, pulses, samples, deviceClass, lattice, mostTile, usualTile, pulseSets, workers } = request;
  const most = Math.min(pulses, mostSets);
  if (pulseSets !== undefined && !isWhole(pulseSets, 1, most))
    throw inputError("pulseSets", `an integer from 1 to ${most}, as there are ${pulses} pulses`, pulseSets);
  if (workers !== undefined && !isWhole(workers, 1, mostTasks)) throw inputError("workers", `an integer from 1 to ${mostTasks}`, workers);
  const model = {
    image,
    pulses,
    samples,
    nodes: workers ?? 1,
    rate: assumed.rates[deviceClass],
    nodeBytesPerSecond: assumed.nodeBytesPerSecond,
    storeBytesPerSecond: assumed.storeBytesPerSecond,
    warmUpSeconds: assumed.startSeconds + (8 * pulses * samples) / assumed.digestBytesPerSecond,
    lattice,
    mostTile,
    // Tasks read all frequencies of their pulses.
    readsByRanges: false,
    ...(request.tile !== undefined && { tile: request.tile }),
  };
  const whole = workers === undefined ? undefined : chooseDivision({ ...model, mostSets: 1 });
  const divided = whole && chooseDivision({ ...model, mostSets: pulseSets ?? most });
  const best = whole && divided && divided.seconds < (1 - worthwhile) * whole.seconds ? divided : whole;
  const sets = pulseSets ?? best?.sets ?? 1;
  const tile = request.tile ?? Math.max(Math.min(lattice, mostTile), Math.min(usualTile, best?.tile ?? usualTile));
  const tasks = Math.ceil(image[0] / tile) * Math.ceil(image[1] / tile) * sets;
  if (tasks > mostTasks && pulseSets !== undefined)
    throw inputError(
      "pulseSets",
      `at most ${Math.max(1, Math.floor((mostTasks * sets) / tasks))}, for at most ${mostTasks} tasks`,
      pulseSets,
    );
  return { tile, sets, reason: reasonOf() };

  function reasonOf(): string {
    if (pulseSets !== undefined) return `${pulseSets} ${pulseSets === 1 ? "set" : "sets"} of pulses, as asked for`;
    if (!whole || !best) return "1 set of pulses: a task takes all pulses, so that nothing is summed";
    const seconds = (value: number): string => `${value < 10 ? value.toPrecision(2) : Math.round(value)} s`;
    const given = `for ${workers} ${workers === 1 ? "worker" : "workers"} of ${assumed.rates[deviceClass] / 1e9}·10⁹ backprojections a second and a store of ${assumed.storeBytesPerSecond / 1e9} GB/s`;
    return best.sets === 1
      ? `1 set of pulses: the cost model predicts ${seconds(whole.seconds)} ${given}, and at most 5 % less for more sets`
      : `${best.sets} sets of pulses: the cost model predicts ${seconds(best.seconds)} ${given}, and ${seconds(whole.seconds)} for one set`;
  }
}
