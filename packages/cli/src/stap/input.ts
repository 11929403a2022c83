/**
 * STAP input from disk: a cube, what its file says of the radar, and steering vectors where there are some. Reads PERFECT folders,
 * Mountain Top files and arrays of three axes (.npy, .mat); what to do with them is others' affair.
 */
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { createPause, describe, firstNotFinite, inSlices, type Pause, RadarError } from "@dechirp/core";
import {
  type MatFile,
  type MatNumeric,
  matNumeric,
  type PerfectSet,
  perfectSizes,
  type RandomAccess,
  readMat,
  readNpy,
  transposeArray,
} from "@dechirp/io";
import { type OpenFileOptions, openFile, readPerfect } from "@dechirp/io/node";
import type { ArrayFacts, StapPresetName } from "@dechirp/processor";
import { type ComplexSamples, type Cube, type CubeAxis, type CubeOrder, cubeOrders, speedOfLight } from "@dechirp/stap";
import { argumentError } from "../errors.ts";

/** Axes of an array on disk, outermost first. */
export type ArrayAxes = readonly (CubeAxis | "cpi")[];

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
  /** Which of the file's channels those are, from 0. */
  readonly elements: readonly number[];
  /** Channels of the file. */
  readonly fileChannels: number;
  /** Which coherent processing interval of the file it is, from 1, and what those that there are, are called. */
  readonly cpi: { readonly number: number; readonly names: readonly string[] };
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
  readonly axes?: ArrayAxes;
  readonly set?: PerfectSet;
  /** From 1; the first where left out. */
  readonly cpi?: number;
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
  const hear = signal ? { signal } : {};
  return withFile(path, { ...hear, ...(onProgress ? { onProgress } : {}) }, async (access) => {
    // By its content, or by its name where it has none to go by.
    const [first] = await access.read(0, 1);
    if (first === 0x93 || /\.npy$/i.test(path)) return npyInput(path, access, options);
    const mat = await readMat(access, { file: path, ...hear });
    return mountainTopCpis(mat).length > 0 && mat.variables.has("trecord")
      ? mountainTopInput(path, mat, options)
      : matInput(path, mat, options);
  });
}

async function withFile<T>(path: string, options: OpenFileOptions, work: (access: RandomAccess) => Promise<T>): Promise<T> {
  const access = await openFile(path, options);
  try {
    return await work(access);
  } finally {
    await access.close();
  }
}

const allElements = ({ channels }: Cube): Pick<StapInput, "elements" | "fileChannels"> => ({
  elements: Array.from({ length: channels }, (_, c) => c),
  fileChannels: channels,
});

/** The interval that was asked for, from 1, else the first. Throws a CommandError of kind `argument` that lists what there is. */
function chosenCpi(file: string, names: readonly string[], cpi = 1): StapInput["cpi"] {
  if (cpi >= 1 && cpi <= names.length) return { number: cpi, names };
  const listed = names.length > 12 ? `${names.slice(0, 10).join(", ")} … ${names[names.length - 1]}` : names.join(", ");
  const expected = names.length === 1 ? `1: ${file} has one interval` : `from 1 to ${names.length}: ${file} has ${listed}`;
  throw argumentError("--cpi", expected, cpi);
}

/** Intervals of an array along an axis of its own. */
const numberedCpis = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `interval ${i + 1}`);

/** Which interval is processed, where there are several and none was asked for. */
const cpiNotes = ({ number, names }: StapInput["cpi"], asked: number | undefined): readonly string[] =>
  names.length === 1 || asked !== undefined
    ? []
    : [`of ${names.length} intervals in the file ${names[number - 1]} is processed; --cpi 1 to ${names.length} chooses`];

async function perfectInput(file: string, folder: string, options: ReadStapOptions): Promise<StapInput> {
  const { cpi: asked, axes: _, ...reading } = options;
  const { set, sizes, samples, steering } = await readPerfect(folder, reading);
  const { channels, pulses, ranges, blockRanges, temporalTaps, steeringVectors } = sizes;
  const cube = { data: samples, channels, pulses, ranges, order: cubeOrders.perfect };
  return {
    name: `PERFECT STAP, ${set} set`,
    file,
    cube,
    ...allElements(cube),
    cpi: chosenCpi(file, ["the only one"], asked),
    preset: { name: "perfect", why: "the files are the PERFECT suite's" },
    facts: {},
    blockRanges,
    steering: { file: folder, vectors: steeringVectors, elements: channels * temporalTaps, data: steering },
    axesOpen: false,
    notes: [],
  };
}

/** cpi1, cpi2, … by their numbers. */
const mountainTopCpis = ({ variables }: MatFile): readonly string[] =>
  [...variables.keys()].filter((name) => /^cpi\d+$/.test(name)).sort((a, b) => Number(a.slice(3)) - Number(b.slice(3)));

/** Columns are elements; rows are ranges, pulse after pulse. */
async function mountainTopInput(file: string, mat: MatFile, { cpi: asked, signal }: ReadStapOptions): Promise<StapInput> {
  const cpi = chosenCpi(file, mountainTopCpis(mat), asked);
  const name = cpi.names[cpi.number - 1];
  const samples = matNumeric(mat, name);
  // A number for all intervals, or one for each.
  const first = (variable: string): number => factOf(mat, variable, cpi);
  const pulses = first("npulses");
  const [rows, channels] = samples.shape;
  if (!(samples.complex && samples.shape.length === 2 && Number.isInteger(pulses) && pulses >= 1 && rows >= 1 && rows % pulses === 0)) {
    const expected = `complex, with rows for ${pulses} pulses and a column an element`;
    throw new RadarError("input", `${file}: variable ${name} must be ${expected}`, { file, field: name, expected, actual: samples.shape });
  }
  const prfHz = 1 / first("pri");
  const microseconds = first("trecord");
  const cube = await arrayCube(file, samples.data, [channels, pulses, rows / pulses], cubeOrders.paper, signal);
  return {
    name: "Mountain Top",
    file,
    cube,
    ...allElements(cube),
    cpi,
    preset: { name: "mountain-top", why: "the file has the variables of Mountain Top's" },
    facts: {
      prfHz,
      carrierHz: first("fxmit"),
      // Sample S = 1, 2, … at c/2·(trecord − 1 + S) µs, sampled at 1 MHz.
      rangeAxis: { startMeters: (speedOfLight / 2) * microseconds * 1e-6, stepMeters: (speedOfLight / 2) * 1e-6 },
    },
    axesOpen: false,
    notes: cpiNotes(cpi, asked),
  };
}

/** The number of a real variable for an interval: its own where there is one for each, else the first. Throws `input` where it is none or not positive. */
function factOf(mat: MatFile, name: string, cpi: StapInput["cpi"]): number {
  const { data, complex } = matNumeric(mat, name);
  const value = data.length === 0 ? Number.NaN : decimal(data[data.length === cpi.names.length ? cpi.number - 1 : 0]);
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

async function npyInput(file: string, access: RandomAccess, { axes, cpi, signal }: ReadStapOptions): Promise<StapInput> {
  const { layout, data } = await readNpy(access, { file, complexPairs: true, ...(signal ? { signal } : {}) });
  const { dtype, shape } = layout;
  if (!(dtype.startsWith("c") && (shape.length === 3 || shape.length === 4))) {
    const expected = "complex, of three axes, or of four with one of intervals";
    throw new RadarError("input", `${file}: must be ${expected}, not ${dtype} [${shape.join(", ")}]`, { file, expected, actual: shape });
  }
  const usual: ArrayAxes = shape.length === 3 ? cubeOrders.paper : ["cpi", ...cubeOrders.paper];
  const notes = dtype === "c128" ? [roundedNote(file)] : [];
  return bareInput(file, { data: data as MatNumeric["data"], shape, axes: axesOf(axes, usual, shape) }, cpi, notes, signal);
}

/** What is said of complex128, which devices take as complex64. */
export const roundedNote = (file: string): string => `${file}: samples of 64 bits a part were rounded to 32 bits`;

/** A complex array of three axes or four, or several of the same extents, one an interval. */
async function matInput(file: string, mat: MatFile, { axes, cpi: asked, signal }: ReadStapOptions): Promise<StapInput> {
  const cubes = [...mat.variables].flatMap(([name, value]) =>
    value.kind === "numeric" && value.complex && (value.shape.length === 3 || value.shape.length === 4) ? [{ name, value }] : [],
  );
  const alike = cubes.every(({ value }) => `${value.shape}` === `${cubes[0].value.shape}`);
  if (cubes.length === 0 || (cubes.length > 1 && !(alike && cubes[0].value.shape.length === 3))) {
    const expected =
      "one complex array of three axes, or of four with one of intervals, several of three axes and the same extents, or be a Mountain Top file (cpi1, trecord)";
    const found = cubes.length === 0 ? "none" : cubes.map(({ name, value }) => `${name} [${value.shape.join(", ")}]`).join(", ");
    throw new RadarError("input", `${file}: must have ${expected}; found ${found}`, { file, expected, actual: cubes.length });
  }
  const several =
    cubes.length > 1
      ? chosenCpi(
          file,
          cubes.map(({ name }) => name),
          asked,
        )
      : undefined;
  const { value } = cubes[several ? several.number - 1 : 0];
  const usual: ArrayAxes = value.shape.length === 3 ? cubeOrders.paper : [...cubeOrders.paper, "cpi"];
  // Column-major: the last axis is outermost.
  const array = { data: value.data, shape: reversed(value.shape), axes: reversed(axesOf(axes, usual, value.shape)) };
  const one = await bareInput(file, array, several ? undefined : asked, mat.notes, signal);
  return several ? { ...one, cpi: several, notes: [...mat.notes, ...cpiNotes(several, asked)] } : one;
}

const reversed = <T>(list: readonly T[]): readonly T[] => [...list].reverse();

/** The axes that were given, else the usual ones. Throws a CommandError of kind `argument` where there are as many axes as that not. */
function axesOf(given: ArrayAxes | undefined, usual: ArrayAxes, shape: readonly number[]): ArrayAxes {
  if (given === undefined || given.length === shape.length) return given ?? usual;
  throw argumentError("--axes", `${shape.length} axes, as the array [${shape.join(", ")}] has`, given.join(","));
}

interface BareArray {
  readonly data: MatNumeric["data"];
  readonly shape: readonly number[];
  readonly axes: ArrayAxes;
}

async function bareInput(
  file: string,
  { data, shape, axes }: BareArray,
  asked: number | undefined,
  notes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<StapInput> {
  const along = axes.indexOf("cpi");
  const cpi = chosenCpi(file, along < 0 || shape[along] === 1 ? ["the only one"] : numberedCpis(shape[along]), asked);
  const order = axes.filter((axis): axis is CubeAxis => axis !== "cpi") as unknown as CubeOrder;
  const extents = shape.filter((_, axis) => axis !== along);
  const interval = along < 0 ? data : await intervalOf(data, shape, along, cpi.number - 1, createPause(`reading ${file}`, signal));
  const cube = await arrayCube(file, interval, extents, order, signal);
  return {
    name: basename(file),
    file,
    cube,
    ...allElements(cube),
    cpi,
    facts: {},
    axesOpen: true,
    notes: [...notes, ...cpiNotes(cpi, asked)],
  };
}

/** Samples of index `at` along an axis. */
async function intervalOf(
  data: MatNumeric["data"],
  shape: readonly number[],
  axis: number,
  at: number,
  pause: Pause,
): Promise<MatNumeric["data"]> {
  const inner = 2 * shape.slice(axis + 1).reduce((product, extent) => product * extent, 1);
  const outer = shape.slice(0, axis).reduce((product, extent) => product * extent, 1);
  const out = new (data.constructor as Float32ArrayConstructor)(inner * outer);
  for (let i = 0; i < outer; i++) {
    const from = (i * shape[axis] + at) * inner;
    await inSlices(inner, pause, (start, end) => out.set(data.subarray(from + start, from + end), i * inner + start));
  }
  return out;
}

/** Throws `input` naming the first sample that is not finite, by its axes. */
async function checkSamples(
  file: string,
  samples: ComplexSamples,
  shape: readonly number[],
  order: CubeOrder,
  pause: Pause,
): Promise<void> {
  const bad = await firstNotFinite(samples, pause);
  if (bad < 0) return;
  const places = placesOf(bad >> 1, shape).map((at, axis) => `${order[axis]} ${at}`);
  throw new RadarError("input", `${file}: the sample at ${places.join(", ")} must be a finite number, not ${samples[bad]}`, {
    file,
    field: "samples",
    index: bad >> 1,
    expected: "a finite number",
    actual: samples[bad],
  });
}

/** `data` of `shape` with the axes `order` as [channel][pulse][range]. Throws `input` naming the first sample that is not finite. */
async function arrayCube(
  file: string,
  data: MatNumeric["data"],
  shape: readonly number[],
  order: CubeOrder,
  signal: AbortSignal | undefined,
): Promise<Cube> {
  const pause = createPause(`reading ${file}`, signal);
  let samples: ComplexSamples;
  if (data instanceof Float32Array || data instanceof Float64Array) {
    samples = data;
    await checkSamples(file, samples, shape, order, pause);
  } else {
    samples = new Float32Array(data.length);
    await inSlices(data.length, pause, (from, to) => samples.set(data.subarray(from, to), from));
  }
  const [channels, pulses, ranges] = cubeOrders.paper.map((axis) => shape[order.indexOf(axis)]);
  const permutation = cubeOrders.paper.map((axis) => order.indexOf(axis));
  const turned = order.every((axis, i) => axis === cubeOrders.paper[i])
    ? samples
    : await transposeArray(samples, shape, permutation, 2, signal ? { signal } : {});
  return { data: turned, channels, pulses, ranges, order: cubeOrders.paper };
}

function placesOf(index: number, [, columns, depth]: readonly number[]): readonly number[] {
  return [Math.floor(index / (columns * depth)), Math.floor(index / depth) % columns, index % depth];
}

/** Steering vectors from a .npy file, complex [vector][element]. Throws `input` naming file and element. */
export async function readSteering(file: string, signal: AbortSignal): Promise<SteeringVectors> {
  const { layout, data } = await withFile(file, { signal, maxBytes: 2 ** 30 }, (access) =>
    readNpy(access, { file, complexPairs: true, signal }),
  );
  const { dtype, shape } = layout;
  if (!((dtype === "c64" || dtype === "c128") && shape.length === 2)) {
    const expected = "complex64 or complex128 of two axes, [vector][element], or float32 or float64 [vector][element][2]";
    throw new RadarError("input", `${file}: must be ${expected}, not ${dtype} [${shape.join(", ")}]`, { file, expected, actual: shape });
  }
  const samples = data as ComplexSamples;
  const [vectors, elements] = shape;
  const bad = await firstNotFinite(samples, createPause(`reading ${file}`, signal));
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
