/** Reads GeoTIFF files with geotiff.js, for tests. */
import { fromArrayBuffer } from "geotiff";

/** The tags of an image as geotiff.js has them, loaded or not. */
type Directory = { loadValue?(name: string): Promise<ArrayLike<number> | undefined> } & Readonly<Record<string, ArrayLike<number>>>;

/** What `complexPixels` needs of an image of geotiff.js. */
interface OpenedImage {
  fileDirectory: unknown;
  getHeight(): number;
  getWidth(): number;
  getTileWidth(): number;
}

/** The numbers of a tag; none if the image does not have it. */
async function tagOf({ fileDirectory }: OpenedImage, name: string): Promise<ArrayLike<number>> {
  const directory = fileDirectory as Directory;
  try {
    return (directory.loadValue ? await directory.loadValue(name) : directory[name]) ?? [];
  } catch {
    return [];
  }
}

/** The pixels of an uncompressed or compressed complex image: geotiff.js has no complex numbers, but decodes tiles. */
export async function complexPixels(bytes: Uint8Array, found: OpenedImage): Promise<Float32Array> {
  const [offsets, sizes] = [await tagOf(found, "TileOffsets"), await tagOf(found, "TileByteCounts")];
  const [height, width, tile] = [found.getHeight(), found.getWidth(), found.getTileWidth()];
  const out = new Float32Array(2 * height * width);
  const { unzlibSync } = await import("fflate");
  const across = Math.ceil(width / tile);
  for (let i = 0; i < offsets.length; i++) {
    const stored = bytes.slice(offsets[i], offsets[i] + sizes[i]);
    const values = new Float32Array((sizes[i] === 8 * tile * tile ? stored : unzlibSync(stored)).slice().buffer);
    const [row, column] = [Math.floor(i / across) * tile, (i % across) * tile];
    for (let r = row; r < Math.min(height, row + tile); r++)
      out.set(values.subarray(2 * (r - row) * tile, 2 * ((r - row) * tile + Math.min(tile, width - column))), 2 * (r * width + column));
  }
  return out;
}

/** What a file has. `origin` is the map's place of the middle of pixel (0, 0), `step` the change to the next column and row. */
export async function readGeoTiff(given: Uint8Array) {
  const bytes = Uint8Array.from(given);
  const image = await (await fromArrayBuffer(bytes.buffer)).getImage();
  const keys = (image.getGeoKeys() ?? {}) as Readonly<Record<string, number>>;
  const [points, scale] = [await tagOf(image, "ModelTiepoint"), await tagOf(image, "ModelPixelScale")];
  const isMap = scale.length > 0;
  const step = [isMap ? scale[0] : Number.NaN, isMap ? -scale[1] : Number.NaN] as const;
  const isComplex = [5, 6].includes((await tagOf(image, "SampleFormat"))[0]);
  return {
    rows: image.getHeight(),
    columns: image.getWidth(),
    components: (isComplex ? 2 : 1) as 1 | 2,
    /** [row][column], complex numbers interleaved. */
    data: isComplex ? await complexPixels(bytes, image) : ((await image.readRasters())[0] as Float32Array),
    epsg: keys["ProjectedCSTypeGeoKey"] ?? keys["GeographicTypeGeoKey"],
    origin: [points[3] + step[0] / 2, points[4] + step[1] / 2] as const,
    step,
    controlPoints: isMap ? 0 : points.length / 6,
  };
}
