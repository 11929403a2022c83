/**
 * .npy files with complex arrays of three axes, or of four with an axis of CPIs, as a row of the table. It also reads steering vectors,
 * which are .npy files too.
 */
import { createPause, isRadarError, type Layout, RadarError } from "@dechirp/core";
import { firstNotFinite } from "@dechirp/core/internal";
import type { SteeringVectors } from "@dechirp/radar";
import { type ArrayAxes, cubeOrder, type RecordedArray } from "./array-recording.ts";
import { axesOf, bareRecording } from "./bare-array.ts";
import type { Format, FormatOptions } from "./format.ts";
import { type NumericArray, roundedNote } from "./numbers.ts";
import { headOf, isFolder, isNpy, type Place, type ReadFilesOptions, signalOption, withFileOf } from "./place.ts";

/** Any complex .npy array of three axes, or of four with an axis of CPIs. */
export const arrayNpy: Format<"array"> = {
  name: "array-npy",
  kind: "array",
  title: "complex array of three axes (.npy)",
  file: "a .npy file of a complex array of three axes",
  reads: "a complex array of three axes, or of four with an axis of CPIs, also as pairs of integers; `readNpy` from bytes",
  refuses: "real arrays, other numbers of axes, samples that are not finite",
  limits: {},
  options: ["axes", "cpi"],
  // Decides by content. The file name decides only if the content does not look like a .npy file.
  detect: async (place, options) => {
    if (isFolder(place)) return "no";
    const head = await headOf(place, options);
    if (!isNpy(head)) return /\.npy$/i.test(place.path) ? "maybe" : "no";
    try {
      const { npyLayout } = await import("./npy.ts");
      return isCube(npyLayout(place.path, head, head.length)) ? "yes" : "maybe";
    } catch (error) {
      if (isRadarError(error, "input")) return "maybe";
      throw error;
    }
  },
  read,
};

const isCube = ({ dtype, shape }: Layout): boolean => dtype.startsWith("c") && (shape.length === 3 || shape.length === 4);

/** Makes the error for a file whose array has the wrong type or shape. */
function wrongArray(file: string, expected: string, { dtype, shape }: Layout): RadarError {
  const message = `${file}: must be ${expected}, not ${dtype} [${shape.join(", ")}]`;
  return new RadarError("input", message, { file, field: "shape", expected, actual: shape });
}

async function read(place: Place, options: FormatOptions & ReadFilesOptions): Promise<RecordedArray> {
  const { readNpy } = await import("./npy.ts");
  const { path: file } = place;
  const { layout, data } = await withFileOf(place, file, options, (access) =>
    readNpy(access, { file, complexPairs: true, ...signalOption(options) }),
  );
  const { dtype, shape } = layout;
  if (!isCube(layout)) {
    const expected = "complex, of three axes, or of four with an axis of CPIs";
    throw wrongArray(file, expected, layout);
  }
  const usual: ArrayAxes = shape.length === 3 ? cubeOrder : ["cpi", ...cubeOrder];
  const notes = dtype === "c128" ? [roundedNote(file)] : [];
  const array = { data: data as NumericArray, shape, axes: axesOf(file, options.axes, usual, shape) };
  return bareRecording(place, array, options.cpi, notes, options.signal);
}

/** The most bytes of a file of steering vectors. */
export const maxSteeringBytes = 2 ** 30;

/** Reads steering vectors, complex [vector][element]. Throws `input`, which names the file and the element. */
export async function steeringOf(place: Place, options: ReadFilesOptions): Promise<SteeringVectors> {
  const { readNpy } = await import("./npy.ts");
  const { path: file } = place;
  const { layout, data } = await withFileOf(place, file, { maxBytes: maxSteeringBytes, ...options }, (access) =>
    readNpy(access, { file, complexPairs: true, ...signalOption(options) }),
  );
  const { dtype, shape } = layout;
  if (!((dtype === "c64" || dtype === "c128") && shape.length === 2)) {
    const expected = "complex64 or complex128 of two axes, [vector][element], or float32 or float64 [vector][element][2]";
    throw wrongArray(file, expected, layout);
  }
  const samples = data as SteeringVectors["data"];
  const [vectors, elements] = shape;
  const bad = await firstNotFinite(samples, createPause(`reading ${file}`, options.signal));
  if (bad < 0) return { file, vectors, elements, data: samples };
  const [vector, element] = [Math.floor(bad / 2 / elements), (bad >> 1) % elements];
  throw new RadarError("input", `${file}: element ${element} of vector ${vector} must be a finite number, not ${samples[bad]}`, {
    file,
    field: "steering vectors",
    index: bad >> 1,
    expected: "a finite number",
    actual: samples[bad],
  });
}
