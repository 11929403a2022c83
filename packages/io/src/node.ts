/** `@dechirp/io/node`: scenes from and to folders, and files, for Node. Everything else is in `@dechirp/io`. */
export {
  cleanupTemporaries,
  type FileContent,
  readBytes,
  writeFolderAtomically,
} from "./node-files.ts";
export {
  type ReadRadarsatOptions,
  type ReadSceneOptions,
  readRadarsatScene,
  readScene,
  readSceneFolder,
  writeSceneFolder,
} from "./node-scenes.ts";
