/**
 * The public surface of `@dechirp/io`: everything that runs both in Node and in a browser, in reading order. Functions that take paths
 * are in `@dechirp/io/node`.
 */

export type { ArrayAxes, ArrayAxis, ArrayCube, RecordedArray } from "./array-recording.ts";
export { canonicalJson, parametersDigest } from "./digest.ts";
export { createNameCheck } from "./field-names.ts";
export { type ForeignFormat, foreignBytes, foreignFormat } from "./foreign.ts";
export { type GotchaOptions, parseGotcha } from "./gotcha.ts";
export { type OpenUrlOptions, openUrl } from "./http-access.ts";
export type {
  FinishOptions,
  ImageAxisMetadata,
  ImageMetadata,
  ImageSink,
  SinkFormat,
  SinkOptions,
} from "./image-sink.ts";
export { type ReadMatOptions, readMat, readMatHeads } from "./mat.ts";
export {
  type MatCell,
  type MatChar,
  type MatFile,
  type MatHead,
  type MatNumeric,
  type MatNumericClass,
  type MatSkipped,
  type MatStruct,
  type MatValue,
  matField,
  matNumeric,
  matScalar,
  matStruct,
  matText,
} from "./mat-types.ts";
export { arrayBytes, type NpyArray, npyHeader, type ReadNpyOptions, readNpy, writeNpy } from "./npy.ts";
export { type NpyRows, openNpy } from "./npy-rows.ts";
export { type ByteTarget, type CreateNpySinkOptions, createNpySink } from "./npy-sink.ts";
export type { NumericArray } from "./numbers.ts";
export { type PerfectInput, type PerfectOptions, type PerfectSet, type PerfectSizes, parsePerfect, perfectSizes } from "./perfect.ts";
export type { Polarisation, RecordedPhaseHistory } from "./phase-history.ts";
export { encodePng, type PngImage } from "./png.ts";
export type { BlocksOptions, PulseReader, PulsesOptions, RecordedPulses } from "./pulses.ts";
export { parseRadarsat, type RadarsatFiles } from "./radarsat.ts";
export { type ByteSource, type OpenBytesOptions, openBlob, openBytes, type RandomAccess, type ReadOptions } from "./random-access.ts";
export {
  createScene,
  type Scene,
  type SceneData,
  type SceneFacts,
  type SceneOrbit,
  type SceneRadar,
  type SensorFacts,
  type SensorPreset,
  sceneData,
  sensorPresets,
} from "./scene.ts";
export { parseSceneDescription, type SceneDescription } from "./scene-description.ts";
export { encodeScene, type ParseSceneOptions, parseScene } from "./scene-json.ts";
export { transposeArray } from "./transpose.ts";
export type { FetchAnswer, FetchRequest, WebBlob, WebFetch, WebUrl } from "./web-types.ts";
