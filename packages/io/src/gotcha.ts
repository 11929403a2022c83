/**
 * Parses phase histories of AFRL's Gotcha volumetric SAR data set (Casteel et al., "A challenge problem for 2D/3D imaging of targets
 * from a volumetric data set in an urban environment", SPIE 6568, 2007). The input is MAT-files, already read, whose struct `data`
 * holds one degree of azimuth each; they become one phase history. The numbers of pulses and frequencies are taken from the files. This
 * file reads no folders; `gotcha-format.ts` does. The phase convention is described in `phase-history.ts`; the origin is the centre of
 * the scene.
 */
import { createPause, inputError, type Pause } from "@dechirp/core";
import { firstNotFinite, isArrayOf } from "@dechirp/core/internal";
import { gotchaLimits, gotchaName } from "./facts.ts";
import { fieldError, pathError, stateError } from "./file-error.ts";
import { checkMatFile, kindText, type MatFile, type MatStruct, type MatValue, matField } from "./mat-types.ts";
import type { NumericArray } from "./numbers.ts";
import { createPartReader, type PartReader } from "./parts.ts";
import type { Polarisation, RecordedPhaseHistory } from "./phase-history.ts";
import { createPulseReader } from "./pulses.ts";
import { checkOptions } from "./random-access.ts";

/** Options of `parseGotcha`. */
export interface GotchaOptions {
  /** Cancels the work, which rejects with `aborted`. */
  readonly signal?: AbortSignal;
  /**
   * Which evenly spaced frequencies replace those of the files: `fit` is the least-squares line through all of them, `ends` is the line
   * from the first to the last. Default: `fit`.
   */
  readonly frequencies?: "fit" | "ends";
}

/** What one checked file says about its pulses. Its arrays are those of the file. */
export interface GotchaPart {
  readonly file: string;
  readonly frequency: FrequencyGrid;
  readonly pulses: number;
  /** x, y, z. */
  readonly position: readonly NumericArray[];
  readonly r0: NumericArray;
  /** th, phi, in degrees. */
  readonly angles: readonly NumericArray[] | undefined;
  /** r_correct, ph_correct. */
  readonly autofocus: readonly NumericArray[] | undefined;
  readonly pass: number | undefined;
  readonly polarisation: Polarisation | undefined;
  readonly notes: readonly string[];
}

/** One checked file with its samples. */
export interface GotchaFile {
  readonly part: GotchaPart;
  /** [pulse][frequency], interleaved: a column of `fp` is a pulse. All are finite as float32. */
  readonly samples: NumericArray;
}

interface FrequencyGrid {
  readonly firstHz: number;
  readonly stepHz: number;
  readonly count: number;
  /** How far a frequency may deviate from the grid. */
  readonly toleranceHz: number;
  /** Root-mean-square deviation of the frequencies from the grid. */
  readonly unevenHz: number;
}

/** A struct and its position in a file. */
interface Place {
  readonly file: string;
  readonly path: string;
  readonly struct: MatStruct;
}

/**
 * Allowed deviation of a frequency, in steps. At the edge of the unambiguous range, c/(4·step) from r₀, this is a phase error of π/100.
 */
const frequencyTolerance = 0.01;
const maxHz = 1e15;
const maxFrequencies = gotchaLimits.frequencies.most;
const maxPulses = gotchaLimits.pulses.most;

/**
 * Parses the phase history of one or several Gotcha files and joins them in the given order. The samples stay in the arrays of the files.
 * The struct `data` of each file has `fp`
 * complex [frequency][pulse], `freq` (Hz), `x`, `y`, `z`, `r0` (m), optionally `th`, `phi` (degrees) and `af.r_correct` (m),
 * `af.ph_correct` (radians). The frequencies are replaced by evenly spaced ones (see `frequencies`). None may be further from the line
 * between the first and the last than 1 % of the step, or than one unit in the last place if they are stored as single. Pass and
 * polarisation are taken from the file names.
 *
 * Rejects with `input`, which names the file and the field, if a field is absent, has the wrong type, shape or length, or is not
 * finite; if frequencies are not evenly spaced and ascending; and if a file differs from the first one in its frequencies, in having
 * angles or autofocus, in pass or in polarisation. Rejects with `aborted` if the signal fires.
 */
export async function parseGotcha(files: readonly MatFile[], options: GotchaOptions = {}): Promise<RecordedPhaseHistory> {
  checkOptions(options, { frequencies: true, signal: true }, "parseGotcha");
  checkFrequencies(options);
  if (!Array.isArray(files)) throw inputError("files", "a list of MAT-files", files);
  const parts: GotchaPart[] = [];
  const samples: NumericArray[] = [];
  for (const [i, file] of files.entries()) {
    checkMatFile(file, `files[${i}]`);
    const found = await gotchaPart(file, parts, options);
    parts.push(found.part);
    samples.push(found.samples);
  }
  const loaded = parts.map(({ pulses }, i) => ({ pulses, load: async () => samples[i] }));
  return joinGotcha(parts, (name, width) => createPartReader(loaded, { name, width, array: Float32Array, cacheBytes: 0 }), options);
}

/** Throws `input` if `frequencies` is neither `fit` nor `ends`. */
export function checkFrequencies({ frequencies = "fit" }: GotchaOptions): void {
  if (frequencies !== "fit" && frequencies !== "ends") throw inputError("frequencies", "fit or ends", frequencies);
}

/** Checks one more file, by itself and against the files `before` it. Throws `input`, which names the file and the field. */
export async function gotchaPart(
  mat: MatFile,
  before: readonly GotchaPart[],
  { frequencies = "fit", signal }: GotchaOptions = {},
): Promise<GotchaFile> {
  const { file } = mat;
  const data = structAt(file, "data", mat.variables.get("data"));
  const frequency = frequencyGrid(file, vector(data, "freq", undefined), frequencies);
  const { count } = frequency;
  const fp = matField(data.struct, "fp");
  if (fp?.kind !== "numeric" || !fp.complex || fp.shape.length !== 2 || fp.shape[0] !== count || fp.shape[1] < 1)
    throw stateError(file, "data.fp", `complex [${count}, pulses], with at least one pulse`, kindText(fp));
  const pulses = fp.shape[1];
  const allPulses = before.reduce((sum, part) => sum + part.pulses, pulses);
  if (allPulses > maxPulses)
    throw stateError(file, "data.fp", `at most ${maxPulses} pulses together with the files before it`, `${allPulses}`);
  const pause = createPause(`reading ${file}`, signal);
  await checkSamples(file, fp.data, count, pause);

  const finite = async (place: Place, names: readonly string[]): Promise<NumericArray[]> => {
    const found: NumericArray[] = [];
    for (const name of names) {
      found.push(finiteVector(place, name, pulses));
      await pause();
    }
    return found;
  };
  const position = await finite(data, ["x", "y", "z"]);
  const [r0] = await finite(data, ["r0"]);
  const near = r0.findIndex((range) => range <= 0);
  if (near !== -1) throw fieldError(file, `data.r0(${near + 1})`, "a positive number", r0[near]);
  const angles = ["th", "phi"].some((name) => data.struct.fields.has(name)) ? await finite(data, ["th", "phi"]) : undefined;
  const af = matField(data.struct, "af");
  const autofocus = af === undefined ? undefined : await finite(structAt(file, "data.af", af), ["r_correct", "ph_correct"]);
  const name = gotchaName.exec(file);
  const part: GotchaPart = {
    file,
    frequency,
    pulses,
    position,
    r0,
    angles,
    autofocus,
    pass: name ? Number(name[1]) : undefined,
    polarisation: name ? (name[3].toUpperCase() as Polarisation) : undefined,
    notes: mat.notes,
  };
  if (before.length > 0) checkAlike(part, before[0]);
  return { part, samples: fp.data };
}

/** Throws `input`, which names the file, if it does not say what it said before. */
export function checkUnchanged(now: GotchaPart, before: GotchaPart): void {
  const facts = ({ frequency, pulses, r0, position, autofocus }: GotchaPart): string =>
    JSON.stringify([frequency, pulses, [...(position ?? []), r0, ...(autofocus ?? [])].map((values) => [values[0], values[pulses - 1]])]);
  if (facts(now) !== facts(before))
    throw pathError(now.file, "as it was when the recording was opened", "a file with other pulses, positions or frequencies");
}

/** Throws `input`, which names the file of `part`, if it can't be joined to `first`. */
function checkAlike(part: GotchaPart, first: GotchaPart): void {
  const { file, frequency } = part;
  const lastHz = ({ firstHz, stepHz, count }: FrequencyGrid): number => firstHz + (count - 1) * stepHz;
  const tolerance = first.frequency.toleranceHz;
  if (
    frequency.count !== first.frequency.count ||
    Math.abs(frequency.firstHz - first.frequency.firstHz) > tolerance ||
    Math.abs(lastHz(frequency) - lastHz(first.frequency)) > tolerance
  ) {
    const text = (grid: FrequencyGrid): string => `${grid.count} frequencies from ${grid.firstHz} to ${lastHz(grid)} Hz`;
    throw stateError(file, "data.freq", `${text(first.frequency)} as in ${first.file}`, text(frequency));
  }
  const presence = (value: unknown): string => (value === undefined ? "absent" : "present");
  for (const [field, here, there] of [
    ["data.th", presence(part.angles), presence(first.angles)],
    ["data.af", presence(part.autofocus), presence(first.autofocus)],
    ["the pass in its name", `${part.pass ?? "absent"}`, `${first.pass ?? "absent"}`],
    ["the polarisation in its name", part.polarisation ?? "absent", first.polarisation ?? "absent"],
  ]) {
    if (here !== there) throw stateError(file, field, `${there} as in ${first.file}`, here);
  }
}

/** Joins the checked parts in order. `readerOf` makes the reader of their samples, `width` numbers for each pulse. */
export async function joinGotcha(
  parts: readonly GotchaPart[],
  readerOf: (name: string, width: number) => PartReader<Float32Array>,
  options: GotchaOptions,
): Promise<RecordedPhaseHistory> {
  const pause = createPause("joining phase histories", options.signal);
  if (parts.length === 0) throw inputError("files", "at least one file", parts);
  const [first] = parts;
  const { firstHz, stepHz, count } = first.frequency;
  const pulses = parts.reduce((sum, part) => sum + part.pulses, 0);
  const positions = new Float64Array(3 * pulses);
  let start = 0;
  for (const { position, pulses: here } of parts) {
    for (let p = 0; p < here; p++) {
      for (let axis = 0; axis < 3; axis++) positions[3 * (start + p) + axis] = position[axis][p];
    }
    await pause();
    start += here;
  }
  const joined = async (of: (part: GotchaPart) => NumericArray): Promise<Float64Array> => {
    await pause();
    const all = new Float64Array(pulses);
    let at = 0;
    for (const part of parts) {
      all.set(of(part), at);
      at += part.pulses;
    }
    return all;
  };
  const pair = async (of: (part: GotchaPart) => readonly NumericArray[] | undefined): Promise<readonly Float64Array[] | undefined> => {
    const one = (i: number) => joined((part) => (of(part) as readonly NumericArray[])[i]);
    return of(first) && [await one(0), await one(1)];
  };
  const angles = (await pair((part) => part.angles))?.map((values) => values.map((degrees) => (degrees * Math.PI) / 180));
  const autofocus = await pair((part) => part.autofocus);
  const name = ["Gotcha", ...(first.pass === undefined ? [] : [`pass ${first.pass}`]), first.polarisation ?? []].flat().join(" ");
  const shape = [pulses, count] as const;
  const { read, close } = readerOf(name, 2 * count);
  return {
    name,
    shape,
    positions,
    referenceRangeMeters: await joined((part) => part.r0),
    frequency: { firstHz, stepHz, count },
    ...(angles ? { azimuthRadians: angles[0], elevationRadians: angles[1] } : {}),
    ...(autofocus ? { autofocus: { rangeMeters: autofocus[0], phaseRadians: autofocus[1] } } : {}),
    ...(first.polarisation === undefined ? {} : { polarisation: first.polarisation }),
    ...(first.pass === undefined ? {} : { pass: first.pass }),
    notes: [...parts.flatMap((part) => part.notes), ...unevenNote(parts)],
    ...createPulseReader({ name, shape, pulseBytes: 8 * count, read, close }),
  };
}

/** Above this level in dB the deviation is not worth a note. */
const quietDb = 80;

/**
 * Notes how well an image from evenly spaced frequencies matches the sum over the stored frequencies. A deviation of Δf causes a phase
 * error of 4πΔf·ΔR/c in a pixel. Over the swath, with ΔR from −c/(4·step) to c/(4·step), the RMS error is π/√3·Δf/step.
 */
function unevenNote(parts: readonly GotchaPart[]): string[] {
  const { unevenHz, stepHz } = parts.reduce(
    (most, { frequency }) => (frequency.unevenHz > most.unevenHz ? frequency : most),
    parts[0].frequency,
  );
  const db = -20 * Math.log10((Math.PI / Math.sqrt(3)) * (unevenHz / stepHz));
  if (db >= quietDb) return [];
  return [
    `frequencies are taken as evenly spaced and differ from the stored ones by ${unevenHz.toPrecision(3)} Hz (root mean square): an image of the whole swath matches the sum over the stored frequencies to about ${db.toFixed(0)} dB`,
  ];
}

function structAt(file: string, path: string, value: MatValue | undefined): Place {
  if (value?.kind !== "struct" || value.shape.some((extent) => extent !== 1)) throw stateError(file, path, "one struct", kindText(value));
  return { file, path, struct: value };
}

/** Returns the real vector `name`, a row or a column, and checks its `length` if that is given. */
function vector({ file, path, struct }: Place, name: string, length: number | undefined): NumericArray {
  const value = matField(struct, name);
  const expected = length === undefined ? "a real vector" : `a real vector of ${length}`;
  if (value?.kind !== "numeric" || value.complex || value.shape.length !== 2 || !value.shape.includes(1))
    throw stateError(file, `${path}.${name}`, expected, kindText(value));
  if (length !== undefined && value.data.length !== length) throw stateError(file, `${path}.${name}`, expected, kindText(value));
  return value.data;
}

function finiteVector(place: Place, name: string, length: number): NumericArray {
  const data = vector(place, name, length);
  const bad = data.findIndex((number) => !Number.isFinite(number));
  if (bad !== -1) throw fieldError(place.file, `${place.path}.${name}(${bad + 1})`, "a finite number", data[bad]);
  return data;
}

/** Throws `input`, which names row and column, for a sample that is not finite as float32. */
async function checkSamples(file: string, data: NumericArray, count: number, pause: Pause): Promise<void> {
  const bad = await firstNotFinite(data, pause, true);
  if (bad === -1) return;
  const sample = Math.floor(bad / 2);
  throw fieldError(file, `data.fp(${(sample % count) + 1}, ${Math.floor(sample / count) + 1})`, "a finite float32", data[bad]);
}

/**
 * In steps: if all frequencies are this close to the line from the first to the last, they count as lying on it. The error is less than
 * 1e-5 of a cycle everywhere.
 */
const evenTolerance = 1e-6;

/**
 * Fits evenly spaced frequencies to the stored ones. The published files store frequencies as float32, where the last place is 1024 Hz.
 * The difference of two neighbours is therefore wrong by up to 0.07 % of the step, which adds up to 0.3 of a step over 424 steps. The
 * first and the last frequency are each wrong by up to half a unit, which shifts the middle of the line between them by 222 Hz.
 * Compared with the sum over the stored frequencies, an image of 100 m is correct to 71.1 dB with the least-squares line and to 69.4 dB
 * with the line between the ends. Other software images these files with the line between the ends; results can be compared to more
 * than 74 dB only if the same line is used.
 */
function frequencyGrid(file: string, freq: NumericArray, line: NonNullable<GotchaOptions["frequencies"]>): FrequencyGrid {
  const count = freq.length;
  if (count < 2 || count > maxFrequencies) throw stateError(file, "data.freq", `2 to ${maxFrequencies} frequencies`, `${count}`);
  const outside = freq.findIndex((hertz) => !(hertz > 0 && hertz <= maxHz));
  if (outside !== -1) throw fieldError(file, `data.freq(${outside + 1})`, `a positive number of at most ${maxHz}`, freq[outside]);
  const ends = { firstHz: freq[0], stepHz: (freq[count - 1] - freq[0]) / (count - 1) };
  if (!(ends.stepHz > 0)) throw stateError(file, "data.freq", "ascending", `${ends.stepHz} Hz a step`);
  const off = (hertz: number, k: number, { firstHz, stepHz }: typeof ends): number => Math.abs(hertz - (firstHz + k * stepHz));
  // Rounding to nearest errs by half a unit, and so do the ends.
  const rounding = isArrayOf(freq, Float32Array) ? 2 ** (Math.floor(Math.log2(freq[count - 1])) - 23) : 0;
  const toleranceHz = Math.max(frequencyTolerance * ends.stepHz, rounding);
  const wrong = freq.findIndex((hertz, k) => off(hertz, k, ends) > toleranceHz);
  if (wrong !== -1) {
    const expected = `${(ends.firstHz + wrong * ends.stepHz).toPrecision(10)} ± ${toleranceHz.toPrecision(3)}, evenly spaced`;
    throw fieldError(file, `data.freq(${wrong + 1})`, expected, freq[wrong]);
  }
  const even = !freq.some((hertz, k) => off(hertz, k, ends) > evenTolerance * ends.stepHz);
  const found = line === "ends" || even ? ends : leastSquares(freq, ends);
  let squares = 0;
  freq.forEach((hertz, k) => {
    squares += off(hertz, k, found) ** 2;
  });
  return { ...found, count, toleranceHz, unevenHz: Math.sqrt(squares / count) };
}

/** Least-squares line, computed from the deviations from a nearby line. */
function leastSquares(freq: NumericArray, near: { readonly firstHz: number; readonly stepHz: number }) {
  const middle = (freq.length - 1) / 2;
  let [sum, turn, squares] = [0, 0, 0];
  freq.forEach((hertz, k) => {
    const off = hertz - (near.firstHz + k * near.stepHz);
    sum += off;
    turn += (k - middle) * off;
    squares += (k - middle) ** 2;
  });
  const slope = turn / squares;
  return { firstHz: near.firstHz + sum / freq.length - middle * slope, stepHz: near.stepHz + slope };
}
