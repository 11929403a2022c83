/** Small SICD files for the fuzzer, and changes of them: of bytes, of the digits of headers, and of the values of the XML. */
import type { ImageMetadata } from "@dechirp/io";
import { createSicdSink } from "@dechirp/io/sicd";
import { type Change, changeBytes, edges } from "./bytes.ts";

const xy = [0.6, 0.3, 0.74] as const;

/** Files of small images on a plane and in slant range, of both versions that are written. */
export async function sicdFiles(): Promise<Uint8Array[]> {
  const velocity = [0, 7600 * 0.927, -7600 * 0.376];
  const position = [6_871_000, 3000, -1000];
  const platform = { kind: "polynomial", coefficients: position.map((p, i) => [p, velocity[i], -4.2 * (p / 6_871_000)]) } as const;
  const collection = {
    collector: "FUZZ",
    name: "SMALL",
    mode: "spotlight",
    start: "2026-03-14T11:00:00Z",
    durationSeconds: 2,
    platform,
    transmitHz: [9.6e9, 9.7e9],
    prfHz: 2000,
    polarisation: { transmit: "V", receive: "V" },
    processing: { algorithm: "backprojection", seconds: [0.5, 1.5], bandHz: [9.6e9, 9.7e9], rangeWindow: { kind: "hamming" } },
  } as const;
  const origin = [6_371_000 * 0.9985, 6_371_000 * 0.0548, 0];
  const plane = {
    kind: "plane",
    plane: "ground",
    originMeters: origin,
    rowStepMeters: [0, 0, 0.8],
    columnStepMeters: [-0.0548 * 0.8, 0.9985 * 0.8, 0],
  };
  const slant = {
    kind: "slant",
    platform,
    azimuthSeconds: { first: 0.9, step: 4e-4 },
    slantRangeMeters: { first: 620e3, step: 1.2 },
    lookSide: "left",
  };
  const images = [
    { placement: plane, collection },
    {
      placement: slant,
      collection: {
        ...collection,
        processing: { ...collection.processing, algorithm: "range-doppler" },
        doppler: { centroidHz: [300, 0.01], bandwidthHz: 1900 },
      },
    },
  ] as unknown as readonly ImageMetadata[];
  const files: Uint8Array[] = [];
  for (const version of ["1.3.0", "1.4.0"] as const)
    for (const metadata of images) {
      const parts: (readonly [number, Uint8Array])[] = [];
      const target = { write: (at: number, bytes: Uint8Array) => void parts.push([at, bytes.slice()]) };
      const sink = await createSicdSink(target, { dtype: "c64", shape: [6, 5] }, metadata, { version, created: "2026-03-14T12:00:00Z" });
      await sink.write(
        { row: 0, column: 0, rows: 6, columns: 5 },
        Float32Array.from({ length: 60 }, (_, i) => xy[i % 3] * i),
      );
      await sink.finish();
      const file = new Uint8Array(Math.max(...parts.map(([at, { length }]) => at + length)));
      for (const [at, bytes] of parts) file.set(bytes, at);
      files.push(file);
    }
  return files;
}

const values = [
  "",
  "0",
  "-1",
  "1e309",
  "NaN",
  "9".repeat(30),
  "1:FRFC",
  "<a/>",
  "&amp;",
  "&x;",
  "<!DOCTYPE a>",
  "RE16I_IM16I",
  "AMP8I_PHS8I",
  "RGAZIM",
];

/** Changes of a SICD file. */
export const changeSicd: Change = (bytes, dice, other) => {
  if (dice.chance(0.3)) return changeBytes(bytes, dice, other);
  const text = new TextDecoder("latin1").decode(bytes);
  // Runs of digits of the headers, or the text and attributes of elements.
  const spots = [...text.matchAll(dice.chance(0.5) ? /\d{1,12}/g : />[^<>]{1,40}<|"[^"<>]{1,40}"/g)];
  const spot = spots.length > 0 ? dice.pick(spots) : undefined;
  if (!spot) return changeBytes(bytes, dice, other);
  const [found] = spot;
  const isNumber = /^\d+$/.test(found);
  const fresh = isNumber
    ? String(dice.pick(edges)).padStart(found.length, "0").slice(-found.length)
    : `${found[0]}${dice.pick(values)}${found[found.length - 1]}`;
  const out = `${text.slice(0, spot.index)}${fresh}${text.slice(spot.index + found.length)}`;
  return Uint8Array.from(out, (character) => character.charCodeAt(0));
};
