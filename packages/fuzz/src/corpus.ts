/** The corpus of sound files: made here, made by the project's own writers, and measured ones if `DECHIRP_DATA` has them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom, type Layout, scalarCount, typedArray } from "@dechirp/core";
import { encodeScene, perfectSizes, type SceneData, writeNpy } from "@dechirp/io";
import { encodeCphd, type WritableHistory } from "@dechirp/io/cphd";
import type { EchoType } from "@dechirp/radar";
import { concat } from "./bytes.ts";
import { mat4, mat5, type Words } from "./mat.ts";

const random = createRandom(1);
const noise = (n: number, scale = 1): number[] => Array.from({ length: n }, () => scale * random.gaussian());
const integers = (n: number, most: number): number[] => Array.from({ length: n }, () => Math.floor(random.uniform() * most));
const ramp = (n: number, first: number, step: number): number[] => Array.from({ length: n }, (_, i) => first + i * step);
const double = (...values: number[]): Words => ({ type: 9, values });

/** Reads a measured file, if it exists. */
function measured(data: string | undefined, ...path: string[]): Uint8Array[] {
  const file = data === undefined ? undefined : join(data, ...path);
  // Copied to a plain Uint8Array, because slices of a Buffer are views.
  return file !== undefined && existsSync(file) ? [new Uint8Array(readFileSync(file))] : [];
}

export function npyFiles(): Uint8Array[] {
  const layouts: Layout[] = [
    { dtype: "f32", shape: [7] },
    { dtype: "f64", shape: [3, 2] },
    { dtype: "c64", shape: [4, 3, 2] },
    { dtype: "c128", shape: [2, 2] },
    { dtype: "f32", shape: [3, 4, 2] },
    { dtype: "f64", shape: [4, 2] },
    { dtype: "ci8", shape: [5, 4] },
    { dtype: "ci16", shape: [5, 4] },
    { dtype: "u8", shape: [16, 16] },
    { dtype: "u32", shape: [2, 3] },
  ];
  return layouts.map((layout) => {
    const data = typedArray(layout.dtype, scalarCount(layout));
    data.set(noise(data.length, 50));
    return writeNpy(layout, data as never);
  });
}

export function matFiles(data: string | undefined): Uint8Array[] {
  const files: Uint8Array[] = [];
  for (const little of [true, false]) {
    const m = mat5(little);
    const elements = [
      m.real("d", [2, 3], double(1.5, -2, 3, 4, 5, 1e300)),
      m.real("n", [1, 5], { type: 1, values: [-1, 2, -3, 4, 127] }),
      m.real("wide", [1, 2], { type: 13, values: [1, 2 ** 53] }, 15),
      m.complex("z", [2, 2], { type: 7, values: [1, 2, 3, 4] }, { type: 7, values: [5, 6, 7, 8] }, 7),
      m.complex("mixed", [1, 2], { type: 1, values: [1, -2] }, { type: 3, values: [300, -400] }),
      m.text("t", "some text"),
      m.struct("s", { a: m.real("", [1, 1], double(1)), b: m.cell("", [m.text("", "deep"), m.cell("", [])]) }),
      m.cell("c", [m.real("", [1, 1], double(7)), m.real("", [0, 0], double())]),
    ];
    files.push(m.file(...elements), m.file(...elements.map(m.compressed)));
    files.push(
      concat(
        mat4(little, "a", 0, [2, 2], [1.25, -2, 3, 4]),
        mat4(little, "b", 1, [1, 2], [0.5, -0.25], [8, 9]),
        mat4(little, "c", 2, [1, 1], [-70000]),
        mat4(little, "d", 3, [1, 3], [-300, 1, 2]),
        mat4(little, "t", 5, [1, 2], [72, 105], undefined, 1),
      ),
    );
  }
  return [
    ...files,
    ...measured(data, "radarsat1", "AGC_attenuation_values.mat"),
    ...measured(data, "radarsat1", "scene5-english-bay-ships", "CD_run_params.mat"),
  ];
}

/** Gotcha files with few pulses and frequencies; with and without compression, autofocus and angles. */
export function gotchaFiles(): Uint8Array[] {
  const m = mat5(true);
  const [count, pulses] = [8, 6];
  const row = (values: number[]): Uint8Array => m.real("", [1, values.length], { type: 7, values }, 7);
  const fields = {
    fp: m.complex("", [count, pulses], { type: 7, values: noise(count * pulses) }, { type: 7, values: noise(count * pulses) }, 7),
    freq: row(ramp(count, 9.5e9, 1.5 * 2 ** 20)),
    x: row(ramp(pulses, 7000, 1)),
    y: row(ramp(pulses, 20, 9)),
    z: row(ramp(pulses, 7200, 1)),
    // Puts the scene's centre into the middle of the profiles.
    r0: row(Array.from({ length: pulses }, (_, i) => Math.hypot(7000 + i, 20 + 9 * i, 7200 + i))),
  };
  const angles = { th: row(ramp(pulses, 0, 0.1)), phi: row(ramp(pulses, 45, 0.01)) };
  const af = m.struct("", { r_correct: row(noise(pulses, 0.01)), ph_correct: row(noise(pulses)) });
  return [m.file(m.struct("data", { ...fields, ...angles, af })), m.file(m.compressed(m.struct("data", fields)))];
}

/** CPHD files with few vectors: plain ones, and those whose vectors differ in frequencies and reference points; several channels. */
export async function cphdFiles(data: string | undefined): Promise<Uint8Array[]> {
  const [pulses, count] = [6, 8];
  const history = (channel: string, varying: boolean): WritableHistory => {
    const samples = Float32Array.from(noise(2 * pulses * count));
    const positions = Array.from({ length: pulses }, (_, p) => [7000, 20 + 9 * p, 7200]).flat();
    const away = Float64Array.from({ length: pulses }, (_, p) => Math.hypot(7000, 20 + 9 * p, 7200) + (varying ? Math.sin(p) : 0));
    const hertz = (middle: number, half: number): Float64Array => Float64Array.from(noise(pulses), (x) => middle + half * Math.tanh(x));
    return {
      name: "noise",
      channel,
      polarisation: "VV",
      shape: [pulses, count],
      positions: Float64Array.from(positions),
      referenceRangeMeters: away,
      frequency: { firstHz: 9.5e9, stepHz: 1.5e6, count },
      ...(varying && { pulseFrequencies: { firstHz: hertz(9.5e9, 1e6), stepHz: hertz(1.5e6, 1e4) }, badPulses: [2], phaseSign: 1 }),
      pulses: (from, some) => samples.subarray(2 * from * count, 2 * (from + some) * count),
    };
  };
  const place = { origin: { latitudeDegrees: 40, longitudeDegrees: -84 }, prfHz: 500, startUtc: "2026-11-01T12:00:00Z" };
  const files: Uint8Array[] = [];
  for (const histories of [[history("a", false)], [history("a", true), history("b", true)]]) {
    const pieces: Uint8Array[] = [];
    for await (const piece of encodeCphd(histories, place)) pieces.push(piece);
    files.push(concat(...pieces));
  }
  return [...files, ...measured(data, "cphd", "five-points-fx-cf8.cphd")];
}

export const measuredGotcha = (data: string | undefined): Uint8Array[] => measured(data, "gotcha", "data_3dsar_pass1_az001_HH.mat");

/** CD_run_params.mat, CDdata1.mat and AGC_attenuation_values.mat of a small scene. */
export function radarsatFiles(): Record<string, Uint8Array> {
  const m = mat5(true);
  const [lines, cells] = [48, 1500];
  const params = { Fr: 32.317e6, PRF: 1256.98, f0: 5.3e9, Tr: 41.74e-6, R0: 988_647.462, c: 2.9979e8, Kr: 0.72135e12 };
  const extents = { Nrg_cells: cells, first_rg_cell: 1, first_rg_line: 1, Nrg_lines: lines, Nblocks: 1 };
  const scalars = Object.entries({ ...params, ...extents }).map(([name, value]) => m.real(name, [1, 1], double(value)));
  const samples = { type: 1, values: [] as number[] };
  const part = (): Words => ({ ...samples, values: integers(lines * cells, 31).map((value) => value - 15) });
  return {
    "CD_run_params.mat": m.file(...scalars),
    "CDdata1.mat": m.file(m.compressed(m.complex("data", [lines, cells], part(), part()))),
    "AGC_attenuation_values.mat": m.file(m.real("nom_attenuation", [lines, 1], double(...integers(lines, 20)))),
  };
}

/** A scene of noise, for a radar with a pulse of 32 samples. */
export async function sceneFolder(type: EchoType | "c128" | "f32"): Promise<Record<string, Uint8Array>> {
  const [lines, samples] = [64, 128];
  const parts = noise(2 * lines * samples, 30);
  const written: EchoType = type === "ci8" || type === "ci16" ? type : "c64";
  const data = { ci8: Int8Array, ci16: Int16Array, c64: Float32Array }[written].from(parts);
  // An aircraft that flies along the equator at a height of 3 km.
  const times = ramp(5, -1, 0.5);
  const path = times.map((time) => [6_381_137 * Math.cos(time * 2.35e-5), 6_381_137 * Math.sin(time * 2.35e-5), 0]);
  const scene: SceneData = {
    name: "noise",
    radar: {
      carrierHz: 5.3e9,
      samplingRateHz: 20e6,
      prfHz: 300,
      chirpRateHzPerSecond: 1e13,
      pulseSeconds: 1.6e-6,
      ...(type === "c128" ? { orbit: { timesSeconds: times, positionsMeters: path, lookSide: "left" } } : { velocityMetersPerSecond: 150 }),
      nearRangeMeters: 5000,
      dopplerCentroidHz: 20,
    },
    raw: { layout: { dtype: written, shape: [lines, samples] }, data },
    ...(written === "c64" ? {} : { lineGain: new Float32Array(lines).fill(0.5) }),
    processedBandwidthHz: 240,
    targets: [{ name: "one", azimuthSeconds: 0.1, slantRangeMeters: 5300, amplitude: 1, phaseRadians: 0 }],
    notes: [],
  };
  const files = Object.fromEntries(Object.entries(await encodeScene(scene)).map(([name, chunks]) => [name, concat(...chunks)]));
  // Types that are read but not written.
  if (type === "c128") files["raw.npy"] = writeNpy({ dtype: "c128", shape: [lines, samples] }, Float64Array.from(parts));
  if (type === "f32") files["raw.npy"] = writeNpy({ dtype: "f32", shape: [lines, samples, 2] }, Float32Array.from(parts));
  return files;
}

export function perfectFiles(data: string | undefined): { readonly input: Uint8Array; readonly steering: Uint8Array } {
  const { channels, pulses, ranges, temporalTaps, steeringVectors } = perfectSizes.small;
  const bytesOf = (n: number): Uint8Array => new Uint8Array(Float32Array.from(noise(2 * n)).buffer);
  const [input = bytesOf(channels * pulses * ranges)] = measured(data, "perfect-stap-small", "small_app_input.bin");
  const [steering = bytesOf(steeringVectors * channels * temporalTaps)] = measured(
    data,
    "perfect-stap-small",
    "small_app_steering_vectors.bin",
  );
  return { input, steering };
}

export const stapShape = [2, 8, 40] as const;

/** A cube of noise, [channel][pulse][range], as .npy and as the only array of MAT-files. */
export function cubeFiles(): Record<string, Uint8Array> {
  const [channels, pulses, ranges] = stapShape;
  const n = channels * pulses * ranges;
  const m = mat5(true);
  const parts = [noise(n), noise(n)] as const;
  return {
    "cube.npy": writeNpy({ dtype: "c64", shape: stapShape }, Float32Array.from(noise(2 * n))),
    "cube.mat": m.file(m.compressed(m.complex("x", [ranges, pulses, channels], double(...parts[0]), double(...parts[1])))),
    "steering.npy": writeNpy({ dtype: "c64", shape: [3, channels] }, Float32Array.from(noise(6 * channels))),
  };
}

/** A small file with the variables of a Mountain Top file. The measured one is too large to process often. */
export function mountainTopFile(): Uint8Array {
  const [pulses, ranges, channels] = [8, 60, 3];
  const n = pulses * ranges * channels;
  return concat(
    mat4(false, "cpi1", 1, [pulses * ranges, channels], noise(n), noise(n)),
    ...Object.entries({ npulses: pulses, pri: 0.0016, fxmit: 435e6, trecord: 1000 }).map(([name, value]) =>
      mat4(false, name, 0, [1, 1], [value]),
    ),
  );
}

/** A sound recording of a format: files by name, and which of them to read if it is a file and not a folder. */
export interface Seed {
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly file?: string;
}

export interface SeedsOfFormat {
  /** Share of the inputs, relative to other targets. */
  readonly weight: number;
  seeds(data: string | undefined): readonly Seed[] | Promise<readonly Seed[]>;
}

const oneFile = (file: string, bytes: Uint8Array): Seed => ({ files: { [file]: bytes }, file });

/** The sound recordings of every format in io's table, by the format's name. A format without an entry fails a test that says so. */
export const recordingSeeds: Readonly<Record<string, SeedsOfFormat>> = {
  "scene-folder": {
    weight: 16,
    seeds: async () =>
      (await Promise.all((["ci8", "c64", "c128", "f32"] as const).map((type) => sceneFolder(type)))).map((files) => ({ files })),
  },
  cphd: {
    weight: 14,
    seeds: async (data) => (await cphdFiles(data)).map((bytes) => oneFile("x.cphd", bytes)),
  },
  "radarsat-1-cd": { weight: 5, seeds: () => [{ files: radarsatFiles() }] },
  gotcha: {
    weight: 14,
    seeds: () => {
      const [first, second] = gotchaFiles();
      const folder = { "data_3dsar_pass1_az001_HH.mat": first, "data_3dsar_pass1_az002_HH.mat": first };
      return [oneFile("x.mat", first), oneFile("x.mat", second), { files: folder }];
    },
  },
  "perfect-stap": {
    weight: 1,
    seeds: (data) => {
      const { input, steering } = perfectFiles(data);
      const files = { "small_app_input.bin": input, "small_app_steering_vectors.bin": steering };
      return [{ files }, { files, file: "small_app_input.bin" }];
    },
  },
  "mountain-top": { weight: 4, seeds: () => [oneFile("x.mat", mountainTopFile())] },
  "array-npy": { weight: 4, seeds: () => [oneFile("cube.npy", cubeFiles()["cube.npy"]), oneFile("cube", cubeFiles()["cube.npy"])] },
  "array-mat": { weight: 6, seeds: () => [oneFile("cube.mat", cubeFiles()["cube.mat"])] },
};

export const taskSets: readonly object[] = [
  { units: 19, rho: 1.1, tasks: [{ id: "fft", wcet: { 1: 9101, 2: 4700, 4: 2501 }, deadline: 15_000, count: 10 }] },
  {
    units: 4,
    tasks: [
      { id: "range", wcet: { 1: 100, 2: 55, 4: 30 }, sizes: [1, 2], period: 1000, deadline: 900 },
      { id: "track", wcet: { 1: 20 }, rho: 1.5, count: 3 },
    ],
  },
];

/** Task sets for `schedule run`, with little work. */
export const workSets: readonly object[] = [
  {
    rho: 1.3,
    tasks: [
      { id: "a", samples: 256, deadline: 1e9, count: 2 },
      { id: "b", samples: 128, line: 16, sizes: [1] },
    ],
  },
];
