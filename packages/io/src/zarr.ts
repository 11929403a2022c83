/**
 * `@dechirp/io/zarr`: Zarr stores of images as data, for programs that keep chunks in places of their own, such as a bucket or a job that
 * many processes work on. `zarrSink` of `@dechirp/io/node` writes a store into a folder.
 */

export {
  arrayName,
  type ChunkShape,
  chunkName,
  chunkShape,
  chunkWindow,
  readChunks,
  zarrDocuments,
} from "./zarr-chunks.ts";
export { openZarrStore, type ReadStoreFile, type ZarrImage } from "./zarr-image.ts";
