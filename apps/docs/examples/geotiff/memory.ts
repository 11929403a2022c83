// A GeoTIFF in memory, as a page makes it for a download.
import { layout } from "@dechirp/core";
import { createGeoTiffSink } from "@dechirp/io/geotiff";

// #region memory
let bytes = new Uint8Array(0);
const target = {
  write(at: number, given: Uint8Array) {
    const longer = new Uint8Array(Math.max(bytes.length, at + given.length));
    longer.set(bytes);
    longer.set(given, at);
    bytes = longer;
  },
};
const placement = { kind: "map", epsg: 32632, origin: [500_001, 5_799_999], columnStep: 2, rowStep: -2 } as const;
const sink = await createGeoTiffSink(target, layout("c64", [300, 200]), { pixels: "gray", metadata: { placement } });
await sink.write({ row: 0, column: 0, rows: 300, columns: 200 }, new Float32Array(2 * 300 * 200).fill(1));
await sink.finish();
const file = new Blob([bytes], { type: "image/tiff" });
// #endregion memory
console.log(file.size > 1000, String.fromCharCode(bytes[0], bytes[1]));
