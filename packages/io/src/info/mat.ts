/** MAT-files: Mountain Top, arrays, and any others with their variables. Large ones are described by the headers of their variables. */
import { isRadarError } from "@dechirp/core";
import type { RecordedArray } from "../array-recording.ts";
import type { MatHead } from "../mat-types.ts";
import { matHeadsOf } from "../place.ts";
import { detectFormat, readRecordingFrom } from "../recording.ts";
import { begins, type Description, type InfoRow, quoted, type Thing } from "./thing.ts";

/** Files up to this size are read for the facts that they state of the radar. */
const mostReadBytes = 2 ** 24;

/** MAT-files of versions 4 and 5. */
export const mat: InfoRow = {
  name: "mat",
  matches: (thing) => begins(thing, "MATLAB 5.0 MAT-file") || isMat4(thing),
  async describe(thing): Promise<Description | undefined> {
    const { place, path, bytes, reading } = thing;
    // Any file may look like version 4 by its first bytes, so what follows must be sound.
    const heads = await matHeadsOf(place, { ...reading, maxBytes: Number.POSITIVE_INFINITY }).catch((error: unknown) => {
      if (!begins(thing, "MATLAB") && isRadarError(error, "input")) return undefined;
      throw error;
    });
    if (!heads || heads.length === 0) return undefined;
    const names = heads.map(({ name }) => name);
    const isMountainTop = names.includes("trecord") && names.some((name) => /^cpi\d+$/.test(name));
    const cubes = heads.filter(({ complex, shape }) => complex && shape.length >= 3);
    const isArray =
      isMountainTop || (cubes.length === 1 && (await detectFormat(place, { kind: "array", ...reading })).name === "array-mat");
    const details = { version: begins(thing, "MATLAB 5.0") ? 5 : 4, variables: heads.map(headText).join(", ").slice(0, 1000) };
    const format = isMountainTop
      ? { name: "mountain-top", title: "Mountain Top file" }
      : { name: "mat", title: isArray ? "MAT-file with a complex array" : "MAT-file" };
    if (!isArray) return { format, isRead: true, kind: "data", details, notes: ["no recording that dechirp knows is in it"] };
    const file = quoted(path);
    const common = {
      format,
      isRead: true,
      kind: "array",
      details,
      commands: [
        `dechirp stap ${file}${isMountainTop ? "" : " --axes range,pulse,channel --spacing 0.5"} --out stap`,
        `dechirp convert ${file} cube.npy`,
      ],
    } as const;
    if (!isMountainTop || bytes > mostReadBytes) {
      const shape = (cubes[0] ?? heads[0]).shape;
      return {
        ...common,
        shape,
        notes: [isMountainTop ? "the file is large, so that only headers were read" : "the file does not state its axes"],
      };
    }
    return { ...common, ...arrayFacts((await readRecordingFrom(place, { kind: "array", ...reading })).recording) };
  },
};

const headText = ({ name, kind, complex, shape }: MatHead): string =>
  `${name} ${complex ? "complex " : ""}${kind === "numeric" ? "" : `${kind} `}${shape.join("×")}`;

/** What a recording of an array states, for its description. */
export function arrayFacts({
  name,
  cube,
  facts,
  cpi,
  notes,
}: RecordedArray): Pick<Description, "name" | "shape" | "axes" | "sampleType" | "radar" | "notes"> {
  return {
    name,
    shape: [cube.channels, cube.pulses, cube.ranges],
    axes: cube.order,
    sampleType: cube.data instanceof Float32Array ? "c64" : "c128",
    radar: {
      ...(facts.carrierHz !== undefined && { carrierHz: facts.carrierHz }),
      ...(facts.prfHz !== undefined && { prfHz: facts.prfHz }),
      pulses: cube.pulses,
      ...(facts.rangeAxis && { nearRangeMeters: facts.rangeAxis.startMeters }),
    },
    notes: [...(cpi.names.length > 1 ? [`the file has ${cpi.names.length} CPIs; this is the first`] : []), ...notes],
  };
}

/** Whether the first bytes may be those of a version 4 file: a type of which no digit is too large, and sizes. */
function isMat4({ head }: Thing): boolean {
  if (head.length < 20) return false;
  const view = new DataView(head.buffer, head.byteOffset, 20);
  return [true, false].some((little) => {
    const [type, rows, columns, imaginary, name] = [0, 4, 8, 12, 16].map((at) => view.getInt32(at, little));
    const digits = Math.floor(type / 100) % 10 === 0 && Math.floor(type / 10) % 10 < 6 && type % 10 < 3;
    return (
      type >= 0 && type < 5000 && digits && rows >= 1 && columns >= 1 && (imaginary === 0 || imaginary === 1) && name >= 2 && name < 64
    );
  });
}
