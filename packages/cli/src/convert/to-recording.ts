/** Recordings that `dechirp convert` writes: CPHD files, scene folders, and .npy files of cubes. */
import { basename, dirname } from "node:path";
import { isRadarError } from "@dechirp/core";
import type { RecordedArray, Scene } from "@dechirp/io";
import type { WriteCphdOptions } from "@dechirp/io/cphd";
import { argumentError, blame, CommandError, optionFault } from "../errors.ts";
import { optional, parsePositive } from "../options.ts";
import type { ConvertArguments } from "./formats.ts";
import type { Source } from "./source.ts";
import type { Made, Work } from "./work.ts";

/** Parses `latitude,longitude[,height]`, in degrees and metres. Throws `argument`. */
export function parseOrigin(text: string): { latitudeDegrees: number; longitudeDegrees: number; heightMeters?: number } {
  const parts = text.split(",");
  const [latitudeDegrees, longitudeDegrees, heightMeters] = parts.map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const isSound =
    (parts.length === 2 || (parts.length === 3 && Number.isFinite(heightMeters))) &&
    Math.abs(latitudeDegrees) <= 90 &&
    Math.abs(longitudeDegrees) <= 180;
  if (!isSound) throw argumentError("--origin", "LATITUDE,LONGITUDE or LATITUDE,LONGITUDE,HEIGHT in degrees and metres", text);
  return { latitudeDegrees, longitudeDegrees, ...(parts.length === 3 ? { heightMeters } : {}) };
}

/** Options by the fields of errors of the writer. */
const cphdFields = {
  origin: "--origin",
  prfHz: "--prf",
  startUtc: "--start",
  collectorName: "--collector",
  coreName: "--name",
  version: "--format-version",
} as const;

/** Options of the writer, as far as they can be checked before the input is read. Throws `argument`. */
export const cphdOptions = (options: ConvertArguments): WriteCphdOptions => ({
  ...optional("origin", options.origin, parseOrigin),
  ...optional("prfHz", options.prf, (text) => parsePositive("--prf", text)),
  ...optional("startUtc", options.start, (text) => text),
  ...optional("collectorName", options.collector, (text) => text),
  ...optional("coreName", options.name, (text) => text),
  ...optional("version", options.formatVersion, (text) => text as never),
  ...(options.autofocus === false && { autofocus: false }),
});

/** Writes phase histories as the channels of a CPHD file. */
export async function writeCphdFile(source: Extract<Source, { kind: "phase-history" }>, work: Work): Promise<Made> {
  const { histories, cphd, files } = source;
  const { out, options, signal, progress } = work;
  const [first] = histories;
  const lacking = [
    ...(first.frame || options.origin !== undefined ? [] : ["--origin"]),
    ...(first.pulseSeconds || options.prf !== undefined ? [] : ["--prf"]),
    ...(first.startUtc !== undefined || options.start !== undefined ? [] : ["--start"]),
  ];
  if (lacking.length > 0) {
    const message = `${lacking.join(", ")} must be given: a CPHD file states the place of its origin, the times of its pulses and their start, and ${files[0]} does not`;
    throw new CommandError("argument", message, { option: lacking[0], expected: lacking, file: files[0] });
  }
  if (first.startUtc !== undefined && options.start !== undefined)
    throw argumentError("--start", `left out, as ${files[0]} states it`, options.start);
  const { encodeCphd } = await import("@dechirp/io/cphd");
  const { writeFolderAtomically } = await import("@dechirp/io/node");
  const bytes = encodeCphd(histories, {
    ...(cphd && {
      collectorName: cphd.collectorName,
      coreName: cphd.coreName,
      radarMode: cphd.radarMode as "SPOTLIGHT",
      classification: cphd.classification,
      releaseInfo: cphd.releaseInfo,
    }),
    ...cphdOptions(options),
    file: out,
    signal,
    onProgress: (share) => progress.update("pulses", share),
  });
  try {
    // The first piece checks options and histories, so that their errors are not those of writing.
    const head = await bytes.next();
    async function* pieces(): AsyncGenerator<Uint8Array> {
      if (!head.done) yield head.value;
      yield* bytes;
    }
    await writeFolderAtomically(dirname(out), { [basename(out)]: pieces() }, { signal });
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    const fault = optionFault(error, cphdFields);
    if (fault) throw fault;
    throw typeof error.fields["reason"] === "string" ? new CommandError("write", error.message, error.fields, error) : error;
  }
  const corrected = histories.some(({ autofocus }) => autofocus) && options.autofocus !== false;
  return {
    shape: [...first.shape],
    type: "c64",
    details: { channels: histories.map(({ channel, polarisation }, i) => channel ?? polarisation ?? `${i + 1}`) },
    notes: [...first.notes, ...(corrected ? ["the autofocus corrections of the files are applied: CPHD has no place for them"] : [])],
  };
}

/** Writes a stripmap recording as a scene folder, in blocks of lines. */
export async function writeScene(scene: Scene, { out, signal, progress }: Work): Promise<Made> {
  const { writeSceneFolder } = await import("@dechirp/io/node");
  await blame("write", undefined, () => writeSceneFolder(out, scene, { signal, onProgress: (share) => progress.update("lines", share) }));
  return { shape: [...scene.shape], type: scene.dtype, notes: scene.notes };
}

/** Writes the cube of an antenna array as complex64 [channel][pulse][range]. */
export async function writeCube({ cube, notes }: RecordedArray, { out, signal }: Work): Promise<Made> {
  const [{ arrayBytes, npyHeader }, { writeFolderAtomically }] = await Promise.all([import("@dechirp/io"), import("@dechirp/io/node")]);
  const shape = [cube.channels, cube.pulses, cube.ranges];
  const isExact = cube.data instanceof Float32Array;
  const data = isExact ? (cube.data as Float32Array) : Float32Array.from(cube.data);
  const file = { [basename(out)]: [npyHeader({ dtype: "c64", shape }), arrayBytes(data)] };
  await blame("write", undefined, () => writeFolderAtomically(dirname(out), file, { signal }));
  return {
    shape,
    type: "c64",
    details: { axes: [...cube.order] },
    notes: [...notes, ...(isExact ? [] : ["samples were rounded from float64 to float32"])],
  };
}
