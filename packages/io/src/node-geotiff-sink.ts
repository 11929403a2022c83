/**
 * GeoTIFF files that are written in parts, in Node. Parts are kept as .npy data in a hidden folder beside the target (node-npy-sink.ts), also
 * for a later run. `finish` makes the file of them, in the same folder, and renames it to the target.
 */
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FieldsOf } from "@dechirp/core/internal";
import { geoTiffOptionFields, geoTiffOptionsOf, geoTiffTypes } from "./geotiff-sink.ts";
import { type GeoTiffOptions, planGeoTiff, writeGeoTiff } from "./geotiff-write.ts";
import { checkSinkOptions, type SinkFormat, type SinkOptions, sinkOptionFields } from "./image-sink.ts";
import { translated } from "./node-files.ts";
import { type NpySinkOptions, openFileSink, readAll } from "./node-npy-sink.ts";
import { madeName, overviewsName } from "./node-partial.ts";
import { targetWriter } from "./npy-sink.ts";

/** Options of `geoTiffSink`. */
export interface GeoTiffSinkOptions extends SinkOptions, GeoTiffOptions, Pick<NpySinkOptions, "syncBytes"> {}

/**
 * Cloud-optimised GeoTIFF files of images of c64, f32 or u8. The target is a path. The file appears under its name, and replaces another
 * file, when it is complete. Until then the parts take as much space beside it as the image, and during `finish` overviews a third of that.
 * Place, units and provenance of the metadata are in the file. Rejects with `input` for an image in slant range without `controlPoints`, as it
 * has no map.
 */
export const geoTiffSink: SinkFormat<string, GeoTiffSinkOptions> = {
  name: "cog",
  title: "cloud-optimised GeoTIFF",
  extension: ".tif",
  async open(path, layout, metadata = {}, options = {}) {
    const fields: FieldsOf<GeoTiffSinkOptions> = { ...sinkOptionFields, ...geoTiffOptionFields, syncBytes: "number" };
    const form = geoTiffOptionsOf(checkSinkOptions(options, fields, "geoTiffSink.open"));
    return openFileSink(path, layout, metadata, options, fields, {
      name: "cog",
      types: geoTiffTypes,
      check: (known) => void planGeoTiff(layout, known, form, path),
      async make({ folder, metadata: known, read, pause }) {
        const [made, overviews] = [join(folder, madeName), join(folder, overviewsName)];
        const handles: FileHandle[] = [];
        const opened = async (name: string): Promise<FileHandle> => {
          const handle = await open(name, "w+");
          handles.push(handle);
          return handle;
        };
        try {
          const [file, scratch] = [await opened(made), await opened(overviews)];
          const writer = (handle: FileHandle) => {
            const put = async (at: number, bytes: Uint8Array) => (await handle.write(bytes, 0, bytes.length, at)).bytesWritten;
            return targetWriter({ write: (at, bytes) => translated(path, "write it", () => put(at, bytes)) }, path).write;
          };
          await writeGeoTiff(planGeoTiff(layout, known, form, path), {
            file: path,
            read: (window) => read(window, pause),
            write: writer(file),
            scratch: {
              async read(at, length) {
                const bytes = new Uint8Array(length);
                await readAll(path, scratch, at, bytes);
                return bytes;
              },
              write: writer(scratch),
            },
            pause,
          });
          await file.sync();
          return made;
        } catch (error) {
          // The parts may be kept for another run, which makes these again.
          for (const name of [made, overviews]) await rm(name, { force: true }).catch(() => undefined);
          throw error;
        } finally {
          for (const handle of handles) await handle.close();
        }
      },
    });
  },
};
