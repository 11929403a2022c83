/**
 * SICD files that are written in parts, in Node. Pixels are written to their places in a file in a hidden folder beside the target
 * (node-npy-sink.ts), also for a later run; headers and XML follow at the end, and the file is renamed to the target.
 */
import type { FieldsOf } from "@dechirp/core/internal";
import { checkImageLayout, checkMetadata, checkSinkOptions, type SinkFormat, type SinkOptions, sinkOptionFields } from "./image-sink.ts";
import { type NpySinkOptions, openFileSink } from "./node-npy-sink.ts";
import { type SicdFileOptions, sicdFileFields, sicdWriter } from "./sicd-sink.ts";

/** Options of `sicdSink`. */
export interface SicdSinkOptions extends SinkOptions, SicdFileOptions, Pick<NpySinkOptions, "syncBytes"> {}

/**
 * SICD files of images of c64. The target is a path. The file appears under its name, and replaces another file, when it is complete; until
 * then it is a hidden file beside it. The metadata needs a placement of kind `plane` (of a backprojected image) or `slant` (of a
 * range-Doppler or ω-K image), and a collection. The SICD image may be transposed and turned, and backprojected images lose their carriers,
 * so pixels that `read` returns have a rounding error of about 1e-7. A copy of a SICD image (`copyOf`) needs no metadata and keeps its pixels.
 */
export const sicdSink: SinkFormat<string, SicdSinkOptions> = {
  name: "sicd",
  title: "SICD file",
  extension: ".nitf",
  async open(path, layout, metadata = {}, options = {}) {
    const fields: FieldsOf<SicdSinkOptions> = { ...sinkOptionFields, ...sicdFileFields, syncBytes: "number" };
    const { version, station, created, copyOf } = checkSinkOptions(options, fields, "sicdSink.open");
    const form: SicdFileOptions = {
      ...(version !== undefined && { version }),
      ...(station !== undefined && { station }),
      ...(created !== undefined && { created }),
      ...(copyOf !== undefined && { copyOf }),
    };
    checkImageLayout(layout, ["c64"]);
    checkMetadata(metadata);
    const { order } = sicdWriter({ write: () => undefined }, layout, metadata, String(path), form);
    return openFileSink(path, layout, metadata, options, fields, {
      name: "sicd",
      types: ["c64"],
      storage: order,
      writer: (target) => sicdWriter(target, layout, metadata, path, form),
    });
  },
};
