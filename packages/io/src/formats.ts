/**
 * `@dechirp/io/formats`: the table of formats, which format a place holds, and the recording in it. A place is files in memory or in a page
 * here; `@dechirp/io/node` takes paths. Importing it loads no parser, and nothing of Node.
 */

export type { Format, FormatMatch, FormatOptions, Limit, RecordingKind, Recordings } from "./format.ts";
export { type OnProgress, type Place, type PlaceOptions, placeOf, type ReadFilesOptions } from "./place.ts";
export { detectFormat, type ReadRecordingOptions, type Recording, recordingOf, type WhichFormat } from "./recording.ts";
export { formats, titlesOf } from "./table.ts";
