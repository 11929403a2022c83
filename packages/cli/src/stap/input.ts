/**
 * STAP input from disk: a cube, what its file says of the radar, and steering vectors where there are some. Reads PERFECT folders,
 * Mountain Top files and arrays of three axes (.npy, .mat); what to do with them is others' affair.
 */
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { describe, RadarError } from "@dechirp/core";
import { type MatFile, type MatNumeric, matNumeric, type PerfectSet, perfectSizes, readMat, readNpy } from "@dechirp/io";
import { readBytes, readPerfect } from "@dechirp/io/node";
import { type ComplexSamples, type Cube, type CubeOrder, cubeOrders, reorderCube, speedOfLight } from "@dechirp/stap";
import type { ArrayFacts, StapPresetName } from "./settings.ts";

/** Vectors over channels, or over the elements of a snapshot. */
export interface SteeringVectors {
  readonly file: string;
  readonly vectors: number;
  readonly elements: number;
  /** [vector][element], interleaved. */
  readonly data: ComplexSamples;
}

export interface StapInput {
  readonly name: string;
  /** Path as it was given. */
  readonly file: string;
  /** [channel][pulse][range] */
  readonly cube: Cube;
  /** The preset that goes with such files, and how they are known. */
  readonly preset?: { readonly name: StapPresetName; readonly why: string };
  readonly facts: ArrayFacts;
  /** Ranges of a training block, where the files go with one. */
  readonly blockRanges?: number;
  readonly steering?: SteeringVectors;
  /** The PERFECT set that the path itself names. */
  readonly namedSet?: PerfectSet;
  /** Whether the file left the order of its axes open. */
  readonly axesOpen: boolean;
  readonly notes: readonly string[];
}

export interface ReadStapOptions {
  readonly axes?: CubeOrder;
  readonly set?: PerfectSet;
  readonly signal?: AbortSignal;
  readonly onProgress?: (share: number) => void;
}

/** Reads the input at `path`, which is there. Throws `input` naming file and field or sample. */
export async function readStapInput(path: string, options: ReadStapOptions): Promise<StapInput> {
  const { signal, onProgress } = options;
  const set = /^(small|medium|large)_app_input\.bin$/.exec(basename(path))?.[1] as PerfectSet | undefined;
  if ((await stat(path)).isDirectory()) return perfectInput(path, path, options);
  if (set) return { ...(await perfectInput(path, dirname(path), { ...options, set })), namedSet: set };
  if (/\.bin$/i.test(path)) {
    const sets = Object.keys(perfectSizes);
    const expected = `named ${sets.map((one) => `${one}_app_input.bin`).join(" or ")}, for bare numbers have no shape`;
    throw new RadarError("input", `${path}: must be ${expected}`, { file: path, expected, actual: basename(path) });
  }
  const bytes = await readBytes(path, { ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) });
  // By its content, or by its name where it has none to go by.
  if (bytes[0] === 0x93 || /\.npy$/i.test(path)) return npyInput(path, bytes, options.axes);
  const mat = readMat(bytes, { file: path });
  return mat.variables.has("cpi1") && mat.variables.has("trecord") ? mountainTopInput(path, mat) : matInput(path, mat, options.axes);
}

async function perfectInput(file: string, folder: string, options: ReadStapOptions): Promise<StapInput> {
  const { set, sizes, samples, steering } = await readPerfect(folder, options);
  const { channels, pulses, ranges, blockRanges, temporalTaps, steeringVectors } = sizes;
  return {
    name: `PERFECT STAP, ${set} set`,
    file,
    cube: { data: samples, channels, pulses, ranges, order: cubeOrders.perfect },
    preset: { name: "perfect", why: "the files are the PERFECT suite's" },
    facts: {},
    blockRanges,
    steering: { file: folder, vectors: steeringVectors, elements: channels * temporalTaps, data: steering },
    axesOpen: false,
    notes: [],
  };
}

/** Columns are elements; rows are ranges, pulse after pulse. */
function mountainTopInput(file: string, mat: MatFile): StapInput {
  const samples = matNumeric(mat, "cpi1");
  const pulses = firstOf(mat, "npulses");
  const [rows, channels] = samples.shape;
  if (!(samples.complex && samples.shape.length === 2 && Number.isInteger(pulses) && pulses >= 1 && rows >= 1 && rows % pulses === 0)) {
    const expected = `complex, with rows for ${pulses} pulses and a column an element`;
    throw new RadarError("input", `${file}: variable cpi1 must be ${expected}`, { file, field: "cpi1", expected, actual: samples.shape });
  }
  const prfHz = 1 / firstOf(mat, "pri");
  const microseconds = firstOf(mat, "trecord");
  const later = [...mat.variables.keys()].filter((name) => /^cpi\d+$/.test(name) && name !== "cpi1");
  return {
    name: "Mountain Top",
    file,
    cube: arrayCube(file, samples.data, [channels, pulses, rows / pulses], cubeOrders.paper),
    preset: { name: "mountain-top", why: "the file has the variables of Mountain Top's" },
    facts: {
      prfHz,
      carrierHz: firstOf(mat, "fxmit"),
      // Sample S = 1, 2, … at c/2·(trecord − 1 + S) µs, sampled at 1 MHz.
      rangeAxis: { startMeters: (speedOfLight / 2) * microseconds * 1e-6, stepMeters: (speedOfLight / 2) * 1e-6 },
    },
    axesOpen: false,
    notes: later.length === 0 ? [] : [`of several intervals in the file cpi1 is processed, and not ${later.join(", ")}`],
  };
}

/** The first number of a real variable. Throws `input` where it is none or not positive. */
function firstOf(mat: MatFile, name: string): number {
  const { data, complex } = matNumeric(mat, name);
  const value = data.length === 0 ? Number.NaN : decimal(data[0]);
  if (complex || !(value > 0 && value < Number.POSITIVE_INFINITY))
    throw new RadarError("input", `${mat.file}: variable ${name} must be a positive number, not ${describe(value)}`, {
      file: mat.file,
      field: name,
      expected: "a positive number",
      actual: value,
    });
  return value;
}

/** What passed through float32 as the decimal number it was: 0.0016 for 0.00159999996. */
function decimal(value: number): number {
  const short = Number(value.toPrecision(7));
  return Math.fround(value) === value && Math.fround(short) === value ? short : value;
}

function npyInput(file: string, bytes: Uint8Array, axes: CubeOrder = cubeOrders.paper): StapInput {
  const { layout, data } = readNpy(bytes, { file, complexPairs: true });
  const { dtype, shape } = layout;
  if (!(dtype.startsWith("c") && shape.length === 3)) {
    const expected = "complex, of three axes";
    throw new RadarError("input", `${file}: must be ${expected}, not ${dtype} [${shape.join(", ")}]`, { file, expected, actual: shape });
  }
  return bareInput(file, arrayCube(file, data as MatNumeric["data"], shape, axes), []);
}

function matInput(file: string, mat: MatFile, axes: CubeOrder = cubeOrders.paper): StapInput {
  const cubes = [...mat.variables].flatMap(([name, value]) =>
    value.kind === "numeric" && value.complex && value.shape.length === 3 ? [{ name, value }] : [],
  );
  if (cubes.length !== 1) {
    const expected = "one complex array of three axes, or be a Mountain Top file (cpi1, trecord)";
    const found = cubes.length === 0 ? "none" : cubes.map(({ name }) => name).join(", ");
    throw new RadarError("input", `${file}: must have ${expected}; found ${found}`, { file, expected, actual: cubes.length });
  }
  // Column-major: the last axis is outermost.
  const [{ value }] = cubes;
  return bareInput(file, arrayCube(file, value.data, reversed(value.shape), reversed(axes) as unknown as CubeOrder), mat.notes);
}

const reversed = <T>(list: readonly T[]): readonly T[] => [...list].reverse();

const bareInput = (file: string, cube: Cube, notes: readonly string[]): StapInput => ({
  name: basename(file),
  file,
  cube,
  facts: {},
  axesOpen: true,
  notes,
});

/** `data` of `shape` with the axes `order` as [channel][pulse][range]. Throws `input` naming the first sample that is not finite. */
function arrayCube(file: string, data: MatNumeric["data"], shape: readonly number[], order: CubeOrder): Cube {
  const samples = data instanceof Float32Array || data instanceof Float64Array ? data : Float32Array.from(data);
  const bad = samples.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0) {
    const places = placesOf(bad >> 1, shape).map((at, axis) => `${order[axis]} ${at}`);
    throw new RadarError("input", `${file}: the sample at ${places.join(", ")} must be a finite number, not ${samples[bad]}`, {
      file,
      field: "samples",
      index: bad >> 1,
      expected: "a finite number",
      actual: samples[bad],
    });
  }
  const extent = (axis: CubeOrder[number]): number => shape[order.indexOf(axis)];
  const cube = { data: samples, channels: extent("channel"), pulses: extent("pulse"), ranges: extent("range"), order };
  return reorderCube(cube, cubeOrders.paper);
}

function placesOf(index: number, [, columns, depth]: readonly number[]): readonly number[] {
  return [Math.floor(index / (columns * depth)), Math.floor(index / depth) % columns, index % depth];
}

/** Steering vectors from a .npy file, complex [vector][element]. Throws `input` naming file and element. */
export async function readSteering(file: string, signal: AbortSignal): Promise<SteeringVectors> {
  const { layout, data } = readNpy(await readBytes(file, { signal, maxBytes: 2 ** 30 }), { file, complexPairs: true });
  const { dtype, shape } = layout;
  if (!((dtype === "c64" || dtype === "c128") && shape.length === 2)) {
    const expected = "complex64 or complex128 of two axes, [vector][element], or float32 or float64 [vector][element][2]";
    throw new RadarError("input", `${file}: must be ${expected}, not ${dtype} [${shape.join(", ")}]`, { file, expected, actual: shape });
  }
  const samples = data as ComplexSamples;
  const [vectors, elements] = shape;
  const bad = samples.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0) {
    const [vector, element] = [Math.floor(bad / 2 / elements), (bad >> 1) % elements];
    throw new RadarError("input", `${file}: element ${element} of vector ${vector} must be a finite number, not ${samples[bad]}`, {
      file,
      field: "steering vectors",
      index: bad >> 1,
      expected: "a finite number",
      actual: samples[bad],
    });
  }
  return { file, vectors, elements, data: samples };
}
