/**
 * MAT-files with complex arrays of three axes, or of four with an axis of CPIs, as a row of the table. Mountain Top files have a format
 * of their own.
 */
import { RadarError } from "@dechirp/core";
import { oneLine } from "@dechirp/core/internal";
import { type ArrayAxes, chosenCpi, cubeOrder, type RecordedArray } from "./array-recording.ts";
import { axesOf, bareRecording } from "./bare-array.ts";
import { matLimits } from "./facts.ts";
import { brief } from "./file-error.ts";
import type { Format, FormatOptions } from "./format.ts";
import type { MatFile, MatHead, MatNumeric } from "./mat-types.ts";
import { headOf, isFolder, isMat, isNpy, matHeadsOf, type Place, type ReadFilesOptions, readMatOf } from "./place.ts";

/** Any MAT-file with one complex array of three or four axes, or with several of three axes and equal extents. */
export const arrayMat: Format<"array"> = {
  name: "array-mat",
  kind: "array",
  title: "complex array of three axes (.mat)",
  file: "a MAT-file with a complex array of three axes",
  reads:
    "one complex array of three axes, or of four with an axis of CPIs, or several arrays of three axes and equal extents, one for each CPI",
  refuses: "files that hold other complex arrays of three or four axes as well, samples that are not finite",
  limits: matLimits,
  options: ["axes", "cpi"],
  detect: async (place, options) => {
    if (isFolder(place) || /\.(bin|npy)$/i.test(place.path)) return "no";
    const head = await headOf(place, options);
    if (isNpy(head)) return "no";
    return isMat(head) && (await matHeadsOf(place, options)).some(isCube) ? "yes" : "maybe";
  },
  read: async (place, options) => arrayOf(place, await readMatOf(place, place.path, options), options),
};

interface Cube {
  readonly name: string;
  readonly value: MatNumeric;
}

const isCube = ({ kind, complex, shape }: Pick<MatHead, "kind" | "complex" | "shape">): boolean =>
  kind === "numeric" && complex && (shape.length === 3 || shape.length === 4);

const cubesOf = ({ variables }: MatFile): readonly Cube[] =>
  [...variables].flatMap(([name, value]) => (value.kind === "numeric" && isCube(value) ? [{ name, value }] : []));

async function arrayOf(place: Place, mat: MatFile, { axes, cpi, signal }: FormatOptions & ReadFilesOptions): Promise<RecordedArray> {
  const { path: file } = place;
  const cubes = cubesOf(mat);
  const alike = cubes.every(({ value }) => `${value.shape}` === `${cubes[0].value.shape}`);
  if (cubes.length === 0 || (cubes.length > 1 && !(alike && cubes[0].value.shape.length === 3))) {
    const expected =
      "one complex array of three axes, or of four with an axis of CPIs, or several of three axes and equal extents, or be a Mountain Top file (cpi1, trecord)";
    const found = cubes.length === 0 ? "none" : cubes.map(({ name, value }) => `${brief(name)} [${value.shape.join(", ")}]`).join(", ");
    throw new RadarError("input", oneLine(`${file}: must have ${expected}; found ${brief(found)}`), {
      file,
      field: "variables",
      expected,
      actual: cubes.length,
    });
  }
  const names = cubes.map(({ name }) => name);
  const several = cubes.length > 1 ? chosenCpi(file, names, cpi) : undefined;
  const { value } = cubes[several ? several.number - 1 : 0];
  const usual: ArrayAxes = value.shape.length === 3 ? cubeOrder : [...cubeOrder, "cpi"];
  // MAT-files are column-major, so the last axis is the outermost.
  const array = { data: value.data, shape: reversed(value.shape), axes: reversed(axesOf(file, axes, usual, value.shape)) };
  const one = await bareRecording(place, array, several ? undefined : cpi, mat.notes, signal);
  return several ? { ...one, cpi: several } : one;
}

const reversed = <T>(list: readonly T[]): readonly T[] => [...list].reverse();
