/**
 * ARPA's Mountain Top files as a row of the table. Such a MAT-file has the variables cpi1, cpi2, …, with a column for each element and
 * a row for each range cell, pulse after pulse. It also has npulses, pri, fxmit and trecord, each with one number for all CPIs or one
 * number for each CPI.
 */

import { RadarError } from "@dechirp/core";
import { describe } from "@dechirp/core/internal";
import { speedOfLight } from "@dechirp/radar";
import { allElements, arrayCube, chosenCpi, cubeOrder, type RecordedArray } from "./array-recording.ts";
import { matLimits } from "./facts.ts";
import type { Format, FormatOptions } from "./format.ts";
import { type MatFile, matNumeric } from "./mat-types.ts";
import { headOf, isFolder, isMat, matHeadsOf, type Place, type ReadFilesOptions, readMatOf } from "./place.ts";

/** Data files of ARPA's Mountain Top program. */
export const mountainTop: Format<"array"> = {
  name: "mountain-top",
  kind: "array",
  title: "Mountain Top file (.mat)",
  file: "a Mountain Top file (MAT-file with cpi1 and trecord)",
  reads: "`cpi1`, `cpi2` … with `npulses`, `pri`, `fxmit` and `trecord`, whatever the file's name",
  refuses: "CPIs whose rows are not a whole number of pulses, radar parameters that are not positive, samples that are not finite",
  limits: matLimits,
  options: ["cpi"],
  detect: async (place, options) => {
    if (isFolder(place) || !isMat(await headOf(place, options))) return "no";
    const names = (await matHeadsOf(place, options)).map(({ name }) => name);
    return cpisOf(names).length > 0 && names.includes("trecord") ? "yes" : "no";
  },
  read: async (place, options) => recordingOf(place, await readMatOf(place, place.path, options), options),
};

/** The variables cpi1, cpi2, … sorted by number. */
const cpisOf = (names: readonly string[]): readonly string[] =>
  names.filter((name) => /^cpi\d+$/.test(name)).sort((a, b) => Number(a.slice(3)) - Number(b.slice(3)));

async function recordingOf({ path: file }: Place, mat: MatFile, options: FormatOptions & ReadFilesOptions): Promise<RecordedArray> {
  const found = cpisOf([...mat.variables.keys()]);
  const cpi = chosenCpi(file, found.length === 0 ? ["cpi1"] : found, options.cpi);
  const name = cpi.names[cpi.number - 1];
  const samples = matNumeric(mat, name);
  const pulses = factOf(mat, "npulses", cpi);
  const [rows, channels] = samples.shape;
  if (!(samples.complex && samples.shape.length === 2 && Number.isInteger(pulses) && rows >= 1 && channels >= 1 && rows % pulses === 0)) {
    const expected = `complex, with a whole number of rows for each of ${pulses} pulses and a column for each element`;
    throw new RadarError("input", `${file}: variable ${name} must be ${expected}`, { file, field: name, expected, actual: samples.shape });
  }
  const prfHz = 1 / factOf(mat, "pri", cpi);
  const metersPerMicrosecond = (speedOfLight / 2) * 1e-6;
  const startMeters = metersPerMicrosecond * factOf(mat, "trecord", cpi);
  const carrierHz = factOf(mat, "fxmit", cpi);
  const cube = await arrayCube(file, samples.data, [channels, pulses, rows / pulses], cubeOrder, options.signal);
  return {
    name: "Mountain Top",
    file,
    cube,
    ...allElements(cube),
    cpi,
    preset: { name: "mountain-top", why: "the file has the variables of a Mountain Top file" },
    // Sample S = 1, 2, … is at the range c/2·(trecord − 1 + S) µs: the sampling rate is 1 MHz.
    facts: { prfHz, carrierHz, rangeAxis: { startMeters, stepMeters: metersPerMicrosecond } },
    axesOpen: false,
    notes: mat.notes,
  };
}

/**
 * Value of a real variable for one CPI: the CPI's own value if there is one for each CPI, else the first. Throws `input` if it is
 * missing or not positive.
 */
function factOf(mat: MatFile, name: string, cpi: RecordedArray["cpi"]): number {
  const { data, complex } = matNumeric(mat, name);
  const value = data.length === 0 ? Number.NaN : decimal(data[data.length === cpi.names.length ? cpi.number - 1 : 0]);
  if (!complex && value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new RadarError("input", `${mat.file}: variable ${name} must be a positive number, not ${describe(value)}`, {
    file: mat.file,
    field: name,
    expected: "a positive number",
    actual: value,
  });
}

/** Undoes a conversion to float32: returns 0.0016 for 0.00159999996. */
function decimal(value: number): number {
  const short = Number(value.toPrecision(7));
  return Math.fround(value) === value && Math.fround(short) === value ? short : value;
}
