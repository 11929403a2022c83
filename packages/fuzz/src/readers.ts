/** The readers of io as targets: given bytes, each must return plain data or throw one `RadarError` `input` that names the file. */
import { isRadarError } from "@dechirp/core";
import { type ByteSource, encodePng, parseGotcha, readMat, readNpy } from "@dechirp/io";
import { type Format, formats, placeOf, readRecordingFrom } from "@dechirp/io/formats";
import { createGeoTiffSink, readTiffHeader } from "@dechirp/io/geotiff";
import { groundToSicd, openSicd, sicdToGround } from "@dechirp/io/sicd";
import { type Change, changeBytes } from "./bytes.ts";
import { matFiles, measuredGotcha, npyFiles, recordingSeeds, type SeedsOfFormat } from "./corpus.ts";
import { changeCphd } from "./cphd.ts";
import type { Dice } from "./dice.ts";
import { changeJson } from "./json.ts";
import { changeMat } from "./mat.ts";
import { changeNpy } from "./npy.ts";
import { changeSicd, sicdFiles } from "./sicd.ts";
import { accepted, type Case, fault, type Target, type Verdict } from "./target.ts";

/**
 * Limit on the buffers of a reader. Deflate expands at most 1032-fold, so a compressed file can justify 1032 times its size. Complex
 * numbers with an int8 and an int16 part become two doubles, 16 bytes from 3, beside copies of the parts. An inflated variable grows by
 * doubling, and fflate copies its window as it slides. The first mebibyte is for tables.
 */
export function readerAllowance(bytes: number, compressed: boolean): Case["allowance"] {
  const plausible = (compressed ? 1033 : 1) * bytes;
  return { largest: 2 ** 20 + 6 * plausible, total: 2 ** 21 + 24 * plausible };
}

/** Runs `work`. If it throws, the error must be an `input` error about one of `files`. */
export async function judge(files: readonly string[], work: () => unknown): Promise<Verdict> {
  try {
    await work();
    return accepted;
  } catch (error) {
    if (!isRadarError(error)) return fault(error instanceof Error ? `${error.stack}` : `threw ${String(error)}`);
    const { code, message, fields } = error;
    // An error about a whole file or folder names no position.
    const isOfWhole = message.startsWith(`${String(fields["file"])}: must be `) && message.endsWith(`, not ${String(fields["actual"])}`);
    const demands: readonly (readonly [holds: boolean, otherwise: string])[] = [
      [code === "input", `code ${code}`],
      [files.includes(String(fields["file"])), `fields.file is ${String(fields["file"])}`],
      [files.some((file) => message.startsWith(`${file}: `)), "the message does not begin with the file"],
      [typeof fields["expected"] === "string", "fields.expected is not a text"],
      ["actual" in fields && (["field", "offset"].some((at) => at in fields) || isOfWhole), "fields lack the found value or its position"],
      [!/\p{Cc}/u.test(message), "control characters"],
      [message.length <= 1000, `${message.length} characters`],
      [!/undefined|\[object/.test(message), "words of the machine"],
    ];
    const wrong = demands.find(([holds]) => !holds)?.[1];
    return wrong === undefined ? { kind: "refused", how: code, message } : fault(`${wrong}: ${message.slice(0, 300)}`);
  }
}

/** Changes bytes once, or in three of ten cases several times in a row. */
export function changed(bytes: Uint8Array, change: Change, dice: Dice, other: Uint8Array): Uint8Array {
  let out = change(bytes, dice, other);
  while (dice.chance(0.3)) out = changeSafely(out, change, dice, other);
  return out;
}

/** If the previous change broke the structure that a change needs, falls back to a change of bytes. */
function changeSafely(bytes: Uint8Array, change: Change, dice: Dice, other: Uint8Array): Uint8Array {
  try {
    return change(bytes, dice, other);
  } catch {
    return changeBytes(bytes, dice, other);
  }
}

/** A file that is cut to `left` bytes after its size has been read, as another process could do. */
const shrinking = (bytes: Uint8Array, left: number): ByteSource => ({
  name: "a file that is cut short",
  size: bytes.length,
  read: async (at, length) => bytes.slice(at, Math.max(at, Math.min(at + length, left))),
  close: async () => {},
});

function reader(
  name: string,
  weight: number,
  seeds: readonly Uint8Array[],
  change: Change,
  read: (source: ByteSource, file: string, size: number) => unknown,
): Target {
  const compressed = change === changeMat;
  return {
    name,
    weight,
    make(dice) {
      const bytes = dice ? changed(dice.pick(seeds), change, dice, dice.pick(seeds)) : seeds[0];
      const source = dice?.chance(0.2) ? shrinking(bytes, dice.below(bytes.length + 1)) : bytes;
      return {
        files: { "x.bin": bytes },
        allowance: readerAllowance(bytes.length, compressed),
        run: () => judge(["x.bin"], () => read(source, "x.bin", bytes.length)),
      };
    },
  };
}

/** Chooses the kind of change for a file, by its name, or by its content if the name does not tell. */
export function changeOf(file: string, bytes: Uint8Array): Change {
  if (file.endsWith(".json")) return changeJson;
  if (file.endsWith(".npy") || bytes[0] === 0x93) return changeNpy;
  if (file.endsWith(".cphd")) return changeCphd;
  if (file.endsWith(".nitf")) return changeSicd;
  return file.endsWith(".mat") ? changeMat : changeBytes;
}

/**
 * Makes the target of a format in io's table: one of a recording's files is changed, the others are sound. In half of the cases the
 * format is detected, otherwise it is given. An error may be about any of the files, or about the place if none of them is what was
 * expected.
 */
export async function recordingTarget({ name, kind }: Format, { weight, seeds }: SeedsOfFormat, data: string | undefined): Promise<Target> {
  const all = await seeds(data);
  return {
    name,
    weight,
    make(dice) {
      const seed = dice ? dice.pick(all) : all[0];
      const names = Object.keys(seed.files);
      const which = dice ? dice.pick(names) : names[0];
      const other = dice ? seed.files[dice.pick(names)] : seed.files[which];
      const change = changeOf(which, seed.files[which]);
      const bytes = dice ? changed(seed.files[which], change, dice, other) : seed.files[which];
      const files = { ...seed.files, [which]: bytes };
      const source = dice?.chance(0.2) ? shrinking(bytes, dice.below(bytes.length + 1)) : bytes;
      const told = dice ? dice.pick([{}, {}, { kind }, { format: name }] as const) : {};
      const place = { path: "folder", ...(seed.file === undefined ? {} : { file: seed.file }) };
      return {
        files,
        argv: [seed.file ?? "folder", JSON.stringify(told)],
        allowance: readerAllowance(
          Object.values(files).reduce((sum, { length }) => sum + length, 0),
          change === changeMat,
        ),
        run: () =>
          judge([...names, "folder"], async () => {
            const { recording } = await readRecordingFrom(placeOf({ ...files, [which]: source }, place), told);
            if (!("blocks" in recording)) return;
            // The samples are read, and checked, only when they are asked for.
            await using read = recording;
            for await (const { count, data } of read.blocks({ count: 3 }))
              if (data.length !== 2 * count * read.shape[1]) throw new Error(`${data.length} numbers for ${count} pulses`);
          }),
      };
    },
  };
}

/** Formats in io's table for which the corpus has no files. */
export const withoutSeeds = (): readonly string[] => formats.map(({ name }) => name).filter((name) => recordingSeeds[name] === undefined);

export async function readerTargets(data: string | undefined): Promise<readonly Target[]> {
  const pngSides = [1, 2, 16, 0, -1, 0.5, Number.NaN, 65535, 65536, 1e9, Number.POSITIVE_INFINITY];
  return [
    reader("mat", 30, matFiles(data), changeMat, (source, file) => readMat(source, { file })),
    reader("npy", 20, npyFiles(), changeNpy, (source, file, size) => readNpy(source, { file, complexPairs: size % 2 === 0 })),
    reader("tiff", 5, await tiffFiles(), changeBytes, (source, file) => readTiffHeader(source, { file })),
    reader("sicd", 20, await sicdFiles(), changeSicd, async (source, file) => {
      const image = await openSicd(source, { file });
      const [rows, columns] = image.layout.shape;
      await image.read({ row: 0, column: columns - 1, rows, columns: 1 });
      // Geometry that makes no sense is refused or gives some place; it must not hang.
      try {
        groundToSicd(image.metadata, sicdToGround(image.metadata, { row: 1, column: 1 }));
      } catch (error) {
        if (!isRadarError(error, "input")) throw error;
      }
    }),
    ...(measuredGotcha(data).length > 0
      ? [
          reader("gotcha-measured", 1, measuredGotcha(data), changeMat, async (source, file) =>
            parseGotcha([await readMat(source, { file })]),
          ),
        ]
      : []),
    ...(await Promise.all(
      formats.flatMap((format) => (recordingSeeds[format.name] ? [recordingTarget(format, recordingSeeds[format.name], data)] : [])),
    )),
    {
      name: "png",
      weight: 2,
      make(dice) {
        const [width, height] = dice ? [dice.pick(pngSides), dice.pick(pngSides)] : [2, 3];
        const bytes = new Uint8Array(!dice || dice.chance(0.5) ? Math.min(1024, Math.abs(width * height) || 0) : dice.below(1024));
        return {
          files: { "pixels.bin": bytes },
          argv: [`${width}`, `${height}`],
          allowance: readerAllowance(bytes.length + 4096, false),
          async run() {
            try {
              await encodePng({ width, height, data: bytes });
              return accepted;
            } catch (error) {
              return isRadarError(error, "input") && String(error.fields["field"]).startsWith("image.")
                ? { kind: "refused", how: "input", message: error.message }
                : fault(String(error));
            }
          },
        };
      },
    },
  ];
}

/** GeoTIFF files of 40 × 30 pixels: on a map with overviews, BigTIFF, and with control points. */
async function tiffFiles(): Promise<Uint8Array[]> {
  const files: Uint8Array[] = [];
  const placement = { kind: "map", epsg: 32632, origin: [5e5, 5e6], columnStep: 2, rowStep: -2 } as const;
  const points = [0, 1, 2, 3].map((i) => ({
    row: 39 * (i >> 1),
    column: 29 * (i % 2),
    latitudeDegrees: 47 - (i >> 1) / 99,
    longitudeDegrees: 8 + (i % 2) / 99,
  }));
  for (const options of [{ metadata: { placement } }, { metadata: { placement }, bigTiff: true }, { controlPoints: points }]) {
    let bytes = new Uint8Array(0);
    const write = (at: number, part: Uint8Array): void => {
      const longer = new Uint8Array(Math.max(bytes.length, at + part.length));
      longer.set(bytes);
      longer.set(part, at);
      bytes = longer;
    };
    const sink = await createGeoTiffSink({ write }, { dtype: "f32", shape: [40, 30] }, { tile: 16, ...options });
    await sink.write({ row: 0, column: 0, rows: 40, columns: 30 }, new Float32Array(1200));
    await sink.finish();
    files.push(bytes);
  }
  return files;
}
