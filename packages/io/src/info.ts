/**
 * The entry point `@dechirp/io/info`: says what a file or folder is, as data, as text and as a footprint on earth. It works on places, so also
 * in pages. Code of a format is loaded when something is of that format.
 */

export { type FootprintCollection, type FootprintGeometry, footprintsOf } from "./info/geojson.ts";
export {
  type InfoChannel,
  type InfoPlace,
  type InfoPosition,
  type InfoRadar,
  type InfoReport,
  type InfoThing,
  type InfoView,
  infoFormat,
  infoVersion,
} from "./info/report.ts";
export { placementOfImage } from "./info/results.ts";
export { describePlace } from "./info/table.ts";
export { type InfoFact, infoFacts, infoText } from "./info/text.ts";
export type { DescribeOptions, GroundGeometry } from "./info/thing.ts";
