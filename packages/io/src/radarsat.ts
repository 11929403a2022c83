/**
 * Parses RADARSAT-1 scenes from the CD of Cumming & Wong (2005, appendix A), in the form that the book's extraction scripts write:
 * parameters, data blocks and the AGC values of the pass, already read as MAT-files. It reads no folders; `radarsat-format.ts` does, and
 * decodes blocks when their lines are asked for.
 */

import { createPause, inputError, type Pause, type TypedArrayOf } from "@dechirp/core";
import { firstNotFinite, forEachSlice, isArrayOf } from "@dechirp/core/internal";
import type { EchoType } from "@dechirp/radar";
import { radarsatLimits } from "./facts.ts";
import { fieldError, stateError } from "./file-error.ts";
import { checkMatFile, type MatFile, type MatNumeric, matNumeric, matScalar } from "./mat-types.ts";
import type { NumericArray } from "./numbers.ts";
import { createPartReader, type PartReader, type PartReaderOptions } from "./parts.ts";
import { checkOptions } from "./random-access.ts";
import { type Scene, type SceneFacts, type SceneRadar, sceneOf, sensorPresets } from "./scene.ts";

/** The MAT-files of one CD extraction. */
export interface RadarsatFiles {
  readonly name: string;
  /** CD_run_params.mat. */
  readonly params: MatFile;
  /** CDdata1.mat, CDdata2.mat … in order. */
  readonly blocks: readonly MatFile[];
  /** AGC_attenuation_values.mat of the pass. Without it the lines keep their recorded gain. */
  readonly agc?: MatFile;
}

/** The checked extraction parameters that a scene needs. */
export interface RadarsatParams {
  readonly radar: SceneRadar;
  readonly lines: number;
  readonly cells: number;
  /** First range line of the scene within the pass, counted from 1. */
  readonly firstLine: number;
  readonly blocks: number;
}

const preset = sensorPresets["radarsat-1-fine"];
/** Relative tolerance for the constants that identify the sensor. */
const tolerance = 0.01;
const noAgc = "no AGC_attenuation_values.mat was found";
const maxAgcDb = radarsatLimits.attenuationDb.most;
const maxExtent = radarsatLimits.extent.most;

/** Checks CD_run_params.mat. Throws `input`, which names the file and the variable. */
export function radarsatParams(params: MatFile): RadarsatParams {
  const number = (name: string): number => {
    const value = matScalar(params, name);
    if (!(value > 0 && Number.isFinite(value))) throw fieldError(params.file, `variable ${name}`, "a positive number", value);
    return value;
  };
  const integer = (name: string): number => {
    const value = number(name);
    if (!Number.isInteger(value) || value > maxExtent)
      throw fieldError(params.file, `variable ${name}`, `an integer from 1 to ${maxExtent}`, value);
    return value;
  };
  const near = (name: string, value: number, of: number): number => {
    if (!(Math.abs(value / of - 1) <= tolerance))
      throw fieldError(params.file, `variable ${name}`, `within 1 % of ${of}, the value of RADARSAT-1's Fine beam`, value);
    return value;
  };
  const samplingRateHz = near("Fr", number("Fr"), preset.samplingRateHz);
  // Kr may be stored with either sign; the sensor transmits a down-chirp.
  const chirpRate = near("Kr", Math.abs(matScalar(params, "Kr")), preset.chirpRateMagnitudeHzPerSecond);
  const pulseSeconds = number("Tr");
  if (pulseSeconds * chirpRate > samplingRateHz)
    throw fieldError(params.file, "variable Tr", "short enough that the chirp stays within the sampling rate", pulseSeconds);
  const lightSpeed = near("c", number("c"), 299_792_458);
  return {
    radar: {
      carrierHz: near("f0", number("f0"), preset.carrierHz),
      samplingRateHz,
      prfHz: number("PRF"),
      chirpRateHzPerSecond: preset.chirpSign * chirpRate,
      pulseSeconds,
      velocityMetersPerSecond: preset.velocityMetersPerSecond,
      nearRangeMeters: number("R0") + ((integer("first_rg_cell") - 1) * lightSpeed) / (2 * samplingRateHz),
    },
    lines: integer("Nrg_lines"),
    cells: integer("Nrg_cells"),
    firstLine: integer("first_rg_line"),
    blocks: params.variables.has("Nblocks") ? integer("Nblocks") : 1,
  };
}

/** A decoded data block: its lines in row-major order, in the narrowest type that holds them. */
export interface EchoBlock {
  readonly lines: number;
  readonly dtype: EchoType;
  readonly data: TypedArrayOf<EchoType>;
}

/** Files that are read once, when a scene is opened. */
export interface RadarsatFacts {
  readonly name: string;
  readonly params: MatFile;
  readonly agc: MatFile | undefined;
  /** Remarks about the blocks. */
  readonly notes: readonly string[];
  /** Whether it was asked to use no AGC values. */
  readonly isAgcLeftOut?: boolean;
}

/**
 * Parses the scene of one CD extraction, in memory. Raw data [Nrg_lines][Nrg_cells] becomes ci8 if every value is an integer that fits,
 * else ci16, else c64. Line gains are 10^(AGC/20). The files state no Doppler centroid (see `sensorPresets`). Rejects with `input`, which
 * names the file and the variable, and with `aborted` if `signal` fires.
 */
export async function parseRadarsat(files: RadarsatFiles, options: { readonly signal?: AbortSignal } = {}): Promise<Scene> {
  const { signal } = checkOptions(options, { signal: true }, "parseRadarsat");
  const { name, params, blocks, agc } = files ?? {};
  if (typeof name !== "string") throw inputError("files.name", "a text", name);
  if (!Array.isArray(blocks)) throw inputError("files.blocks", "a list of MAT-files", blocks);
  checkMatFile(params, "files.params");
  for (const [i, block] of blocks.entries()) checkMatFile(block, `files.blocks[${i}]`);
  if (agc !== undefined) checkMatFile(agc, "files.agc");
  const pause = createPause(`reading ${name}`, signal);
  await pause();
  const { cells, blocks: blockCount } = radarsatParams(params);
  if (blocks.length !== blockCount)
    throw fieldError(params.file, "variable Nblocks", `the number of data files, ${blocks.length}`, blockCount);
  // A wrong shape is reported before the first block is converted.
  for (const block of blocks) blockArray(block, cells);
  const decoded: EchoBlock[] = [];
  for (const block of blocks) decoded.push(await echoBlock(block, cells, pause));
  const parts = decoded.map(({ lines, data }) => ({ pulses: lines, load: async () => data }));
  const facts = { name, params, agc, notes: blocks.flatMap((file) => file.notes) };
  return radarsatScene(facts, decoded, (dtype) => createPartReader(parts, partOptions(name, cells, dtype, 0)), pause);
}

/** Options of the reader of a scene's blocks. */
export const partOptions = (name: string, cells: number, dtype: EchoType, cacheBytes: number): PartReaderOptions<Echoes> => ({
  name,
  width: 2 * cells,
  array: sceneArrays[dtype] as new (length: number) => Echoes,
  cacheBytes,
});

type Echoes = TypedArrayOf<EchoType>;

/**
 * Makes the scene of blocks whose numbers of lines and types are known. `readerOf` makes the reader of their lines. Rejects with `input`
 * if they do not fit the parameters or the AGC values.
 */
export async function radarsatScene(
  { name, params, agc, notes, isAgcLeftOut = false }: RadarsatFacts,
  blocks: readonly Pick<EchoBlock, "lines" | "dtype">[],
  readerOf: (dtype: EchoType) => PartReader<Echoes>,
  pause: Pause,
): Promise<Scene> {
  const { radar, lines, cells, firstLine } = radarsatParams(params);
  const total = blocks.reduce((sum, block) => sum + block.lines, 0);
  if (total !== lines) throw fieldError(params.file, "variable Nrg_lines", `the ${total} lines of the data files`, lines);
  const dtype = blocks.reduce<EchoType>((widest, block) => (order[block.dtype] > order[widest] ? block.dtype : widest), "ci8");
  const lineGain = agc ? await lineGains(agc, firstLine, lines, pause) : undefined;
  const facts: SceneFacts = {
    name,
    radar,
    ...(lineGain ? { lineGain } : {}),
    preset: "radarsat-1-fine",
    targets: [],
    notes: [
      ...params.notes,
      ...notes,
      ...(agc ? agc.notes : [`${isAgcLeftOut ? "AGC values were left out" : noAgc}: lines keep the gain they were recorded with`]),
    ],
  };
  return sceneOf(facts, [lines, cells], dtype, readerOf(dtype));
}

/** The raw data of a block, [line][cell] in column-major order. Throws `input`. */
function blockArray(block: MatFile, cells: number): MatNumeric {
  const array = matNumeric(block, "data");
  if (!array.complex || array.shape.length !== 2 || array.shape[0] < 1 || array.shape[1] !== cells) {
    throw stateError(
      block.file,
      "variable data",
      `complex [lines, ${cells}]`,
      `${array.complex ? "complex" : "real"} [${array.shape.join(", ")}]`,
    );
  }
  return array;
}

/** Decodes a data block. Throws `input` if it does not have `cells` columns or holds a number that is not finite. */
export async function echoBlock(block: MatFile, cells: number, pause: Pause): Promise<EchoBlock> {
  const array = blockArray(block, cells);
  const dtype = await narrowest(block.file, array.data, pause);
  const data = new sceneArrays[dtype](array.data.length);
  await transpose(array, data, pause);
  return { lines: array.shape[0], dtype, data };
}

/** Whether samples of `narrow` fit `wide`. */
export const fits = (narrow: EchoType, wide: EchoType): boolean => order[narrow] <= order[wide];

const order: Readonly<Record<EchoType, number>> = { ci8: 0, ci16: 1, c64: 2 };
const sceneArrays = { ci8: Int8Array, ci16: Int16Array, c64: Float32Array } as const;

/**
 * Finds the narrowest element type that holds `data` exactly; c64 if no integer type does. Throws `input` for a number that is not
 * finite.
 */
async function narrowest(file: string, data: NumericArray, pause: Pause): Promise<EchoType> {
  if (isArrayOf(data, Int8Array)) return "ci8";
  if (isArrayOf(data, Int16Array)) return "ci16";
  const bad = await firstNotFinite(data, pause, true);
  if (bad >= 0) throw fieldError(file, "variable data", "finite numbers", data[bad]);
  let most = 0;
  let integers = true;
  await forEachSlice(data.length, pause, (from, to) => {
    for (let i = from; i < to; i++) {
      const value = data[i];
      if (integers && !Number.isInteger(value)) integers = false;
      // Negative integers reach one further than positive ones: −128 to +127.
      most = Math.max(most, value < 0 ? -value - 1 : value);
    }
  });
  return integers && most <= 127 ? "ci8" : integers && most <= 32767 ? "ci16" : "c64";
}

/** Transposes column-major `array` into row-major `out`, in tiles that fit the cache. */
async function transpose(array: MatNumeric, out: TypedArrayOf<EchoType>, pause: Pause): Promise<void> {
  const [rows, columns] = array.shape;
  const { data } = array;
  const tile = 64;
  for (let row0 = 0; row0 < rows; row0 += tile) {
    const rowEnd = Math.min(row0 + tile, rows);
    for (let column0 = 0; column0 < columns; column0 += tile) {
      const columnEnd = Math.min(column0 + tile, columns);
      transposeTile(data, out, array.shape, [row0, rowEnd], [column0, columnEnd]);
      const waiting = pause();
      if (waiting) await waiting;
    }
  }
}

/** Transposes one tile. In a function that does not wait, because engines compile those better. */
function transposeTile(
  data: NumericArray,
  out: TypedArrayOf<EchoType>,
  [rows, columns]: readonly number[],
  [row0, rowEnd]: readonly [number, number],
  [column0, columnEnd]: readonly [number, number],
): void {
  for (let row = row0; row < rowEnd; row++) {
    for (let column = column0; column < columnEnd; column++) {
      const from = 2 * (column * rows + row);
      const to = 2 * (row * columns + column);
      out[to] = data[from];
      out[to + 1] = data[from + 1];
    }
  }
}

/** Linear gains of `lines` lines from line `firstLine`, counted from 1. */
async function lineGains(agc: MatFile, firstLine: number, lines: number, pause: Pause): Promise<Float32Array> {
  const { data, complex } = matNumeric(agc, "nom_attenuation");
  const end = firstLine - 1 + lines;
  if (complex || data.length < end)
    throw stateError(agc.file, "variable nom_attenuation", `at least ${end} real values`, `${data.length} values`);
  const gains = new Float32Array(lines);
  await forEachSlice(lines, pause, (from, to) => {
    for (let i = from; i < to; i++) {
      const decibels = data[firstLine - 1 + i];
      if (!(Math.abs(decibels) <= maxAgcDb))
        throw fieldError(agc.file, `nom_attenuation(${firstLine + i})`, `an attenuation within ±${maxAgcDb} dB`, decibels);
      gains[i] = 10 ** (decibels / 20);
    }
  });
  return gains;
}
