/** Writes a finished image to a file for the user: .npy, cloud-optimised GeoTIFF or SICD, through a file of the browser or memory. */
import { dtypes, inputError, type Layout } from "@dechirp/core";
import { type ByteTarget, createNpySink, type ImageMetadata, type ImageSink } from "@dechirp/io";
import type { ImageWindow } from "@dechirp/radar";
import type { Made } from "./maker.ts";
import { scratchFile } from "./scratch-file.ts";

/** Files that an image can become. */
export type FileFormat = "npy" | "cog" | "sicd";

/** What is told, and what stops it. */
export interface SaveHooks {
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
}

/** Bytes of pixels that are written at once. */
const partBytes = 2 ** 23;

/**
 * Writes the image and resolves with the file, which may be on the disk; it is removed when the next one is made. Rejects with `input` if the
 * format needs what the recording does not say, and with `aborted`.
 */
export async function saveImage(made: Made, format: FileFormat, name: string, { signal, onProgress }: SaveHooks): Promise<Blob> {
  const { facts, store, description, report } = made;
  const { rows, columns, rowAxis, columnAxis } = facts;
  const layout = { dtype: "c64", shape: [rows, columns] } as const satisfies Layout;
  const { placement, plane, collection } = description;
  const axes = [
    { name: rowAxis.label, unit: rowAxis.unit, first: rowAxis.start, step: rowAxis.step },
    { name: columnAxis.label, unit: columnAxis.unit, first: columnAxis.start, step: columnAxis.step },
  ] as const;
  const metadata: ImageMetadata = { axes, provenance: report, ...(placement && { placement }) };
  const file = await scratchFile(1.5 * dtypes.c64.bytes * rows * columns);
  try {
    const options = { file: name, signal };
    const sinks: Readonly<Record<FileFormat, (target: ByteTarget) => Promise<ImageSink>>> = {
      npy: (target) => createNpySink(target, layout, options),
      async cog(target) {
        const [{ createGeoTiffSink }, controlPoints] = await Promise.all([import("@dechirp/io/geotiff"), pointsOf(made)]);
        return createGeoTiffSink(target, layout, { metadata, pixels: "amplitude", ...(controlPoints && { controlPoints }), ...options });
      },
      async sicd(target) {
        const place = plane ?? placement;
        if (!place || !collection)
          throw inputError("recording", `one that says ${description.collectionNeeds.join(" and ")}`, "not stated");
        const { createSicdSink } = await import("@dechirp/io/sicd");
        return createSicdSink(target, layout, { ...metadata, placement: place, collection }, options);
      },
    };
    const sink = await sinks[format](file);
    const isConjugate = format === "sicd" && description.isConjugate === true;
    const height = Math.max(1, Math.floor(partBytes / dtypes.c64.bytes / columns));
    for (let row = 0; row < rows; row += height) {
      const window: ImageWindow = { row, column: 0, rows: Math.min(height, rows - row), columns };
      const data = await store.pixels(window);
      if (isConjugate) for (let i = 1; i < data.length; i += 2) data[i] = -data[i]!;
      await sink.write(window, data, { signal });
      onProgress((row + window.rows) / rows);
    }
    await sink.finish({ signal });
    return await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** Places on the ground of pixels of an image in slant range, which a map is made of elsewhere. */
async function pointsOf({ facts, description: { placement }, groundHeightMeters = 0 }: Made) {
  if (placement?.kind !== "slant") return undefined;
  const { groundControlPoints } = await import("@dechirp/sar/geocoding");
  const { rows, columns } = facts;
  return groundControlPoints(placement, [rows, columns], { heightMeters: groundHeightMeters });
}
