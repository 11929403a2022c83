/**
 * `@dechirp/io/formats`: the table of recording formats, format detection, and `readRecordingFrom`, which reads a recording from files in
 * memory or in a web page. For paths use `@dechirp/io/node`. Importing this module loads no parser and no Node module.
 */

export type { Format, FormatMatch, FormatOptions, Limit, RecordingKind, Recordings } from "./format.ts";
export { type OnProgress, type Place, type PlaceOptions, placeOf, type ReadFilesOptions } from "./place.ts";
export { detectFormat, type FormatFilter, type ReadRecordingOptions, type Recording, readRecordingFrom } from "./recording.ts";
export { formats, titlesOf } from "./table.ts";
