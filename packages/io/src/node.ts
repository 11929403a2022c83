/** `@dechirp/io/node`: recordings from paths, scenes into folders, and files, for Node. Everything else is in `@dechirp/io` and `@dechirp/io/formats`. */

export { whileUnchanged } from "./node-commit.ts";
export { type OpenFileOptions, openFile, readBytes, systemError } from "./node-files.ts";
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
  writeSceneFolder,
} from "./node-readers.ts";
export { cleanupTemporaries, type FileContent, tryFolder, writeFolderAtomically } from "./node-writing.ts";
export type { OnProgress, ReadFilesOptions } from "./place.ts";
export type { ReadRecordingOptions, Recording } from "./recording.ts";
