/** Files in memory for tests of SICD: a target that grows, images that are written to it, and files of other pixel types. */

import type { Layout } from "@dechirp/core";
import { createPause } from "@dechirp/core";
import type { ImageMetadata } from "@dechirp/io";
import type { ImageWindow } from "@dechirp/radar";
import { nitfHeaders, planNitf } from "../src/nitf-write.ts";
import { type CreateSicdSinkOptions, createSicdSink, type SicdMetadata } from "../src/sicd.ts";
import { pixelTypes } from "../src/sicd-metadata.ts";
import { sicdWriter } from "../src/sicd-sink.ts";
import { encodeSicdXml } from "../src/sicd-xml.ts";
import type { KnownImage } from "./sicd-support.ts";

export const created = "2026-03-14T12:00:00Z";

/** A file in memory. */
export function memoryTarget() {
  let bytes = new Uint8Array(0);
  return {
    write(at: number, part: Uint8Array): void {
      if (at + part.length > bytes.length) {
        const longer = new Uint8Array(at + part.length);
        longer.set(bytes);
        bytes = longer;
      }
      bytes.set(part, at);
    },
    bytes: (): Uint8Array => bytes,
  };
}

export const layoutOf = ({ rows, columns }: KnownImage): Layout => ({ dtype: "c64", shape: [rows, columns] });

/** The file of an image. `metadata` replaces members of the image's own. */
export async function sicdFile(image: KnownImage, metadata: ImageMetadata = {}, options: CreateSicdSinkOptions = {}): Promise<Uint8Array> {
  const target = memoryTarget();
  const sink = await createSicdSink(target, layoutOf(image), { ...image.metadata, ...metadata }, { created, ...options });
  await sink.write({ row: 0, column: 0, rows: image.rows, columns: image.columns }, image.data);
  await sink.finish();
  return target.bytes();
}

/** The file of an image whose segments have at most `segmentBytes`, written as `windows`. */
export async function segmentedFile(image: KnownImage, segmentBytes: number, parts: readonly (readonly [ImageWindow, Float32Array])[]) {
  const target = memoryTarget();
  const pause = createPause("writing", undefined);
  const writer = sicdWriter(target, layoutOf(image), image.metadata, "x.nitf", { created }, segmentBytes);
  for (const [window, data] of parts) await writer.put(window, data, pause);
  await writer.finish({}, pause);
  return { bytes: target.bytes(), writer };
}

/** A file with stored pixels of any type. */
export function sicdFileOf(metadata: SicdMetadata, pixels: Uint8Array): Uint8Array {
  const { rows, columns, pixelType } = metadata.image;
  const { bytes, bits, PVTYPE, ISUBCAT } = pixelTypes[pixelType];
  const plan = planNitf(rows, columns, bytes);
  const target = memoryTarget();
  target.write(plan.segments[0].at, pixels);
  const headers = nitfHeaders("x.nitf", plan, {
    columns,
    pixelBytes: bytes,
    bits,
    PVTYPE,
    ISUBCAT,
    title: "any",
    station: "test",
    source: "test",
    classification: "UNCLASSIFIED",
    created,
    taken: metadata.start,
    corners: [metadata.corners],
    xml: encodeSicdXml(metadata, "x.nitf"),
    content: { DESSHTN: `urn:SICD:${metadata.version}`, DESCRC: 99_999 },
  });
  for (const { at, bytes: part } of headers) target.write(at, part);
  return target.bytes();
}
