/** `@dechirp/io/node`: scenes from and to folders, phase histories and STAP input from files, and files, for Node. Everything else is in `@dechirp/io`. */

export { whileUnchanged } from "./node-commit.ts";
export { type OnProgress, type OpenFileOptions, openFile, readBytes, systemError } from "./node-files.ts";
export { type ReadGotchaOptions, readGotcha } from "./node-gotcha.ts";
export type { ReadFilesOptions } from "./node-mat.ts";
export { type ReadPerfectOptions, readPerfect } from "./node-perfect.ts";
export {
  type ReadRadarsatOptions,
  type ReadSceneOptions,
  readRadarsatScene,
  readScene,
  readSceneFolder,
  writeSceneFolder,
} from "./node-scenes.ts";
export { cleanupTemporaries, type FileContent, tryFolder, writeFolderAtomically } from "./node-writing.ts";
