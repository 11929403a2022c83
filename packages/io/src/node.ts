/**
 * `@dechirp/io/node`: reads recordings from paths, writes scene folders and opens files in Node. Everything else is in `@dechirp/io`
 * and `@dechirp/io/formats`.
 */

export { readConsistently } from "./node-commit.ts";
export { type OpenFileOptions, openFile, readBytes, systemError } from "./node-files.ts";
export { type GeoTiffSinkOptions, geoTiffSink } from "./node-geotiff-sink.ts";
export { removeIncompleteImage } from "./node-incomplete.ts";
export { type NpySinkOptions, npySink } from "./node-npy-sink.ts";
export { placeAt } from "./node-place.ts";
export {
  formatAt,
  type ReadArrayOptions,
  type ReadPhaseHistoryOptions,
  type ReadSceneOptions,
  readArray,
  readPhaseHistory,
  readRecording,
  readScene,
  readSteeringVectors,
  type WriteSceneOptions,
  writeSceneFolder,
} from "./node-readers.ts";
export { type SicdSinkOptions, sicdSink } from "./node-sicd-sink.ts";
export {
  checkFolderWritable,
  cleanupTemporaries,
  type FileContent,
  type MadeFolders,
  makeFolders,
  writeFolderAtomically,
} from "./node-writing.ts";
export { openZarrImage } from "./node-zarr-image.ts";
export { type ZarrSinkOptions, zarrSink } from "./node-zarr-sink.ts";
export type { OnProgress, ReadFilesOptions } from "./place.ts";
export type { ReadRecordingOptions, Recording } from "./recording.ts";
export type { ZarrImage } from "./zarr-image.ts";
