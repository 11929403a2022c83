/**
 * The entry point `@dechirp/io/sicd`: SICD images, complex SAR images in NITF 2.1 files with their geometry as XML. It runs in Node and in
 * browsers; `sicdSink` of `@dechirp/io/node` writes files in Node.
 */

// Reading.

export type {
  PathPolynomial,
  Polynomial,
  Polynomial2,
  SicdDirection,
  SicdInca,
  SicdMetadata,
  SicdPfa,
  SicdPixelType,
  SicdScpCoa,
  SicdWindow,
} from "./sicd-metadata.ts";
export { openSicd, type SicdImage } from "./sicd-reader.ts";
export { type XmlElement, xmlAll, xmlFind, xmlText } from "./xml.ts";

// Geometry.

export { placementOfSicd, type SicdControlPoint, type SicdPlacement, sicdControlPoints } from "./sicd-placement.ts";
export { groundToSicd, type RangeContour, type SicdPixel, sicdContours, sicdScpCoa, sicdToGround } from "./sicd-projection.ts";

// Writing.

export type { CopiedSicd } from "./sicd-copy.ts";
export type { SicdVersion } from "./sicd-grid.ts";
export { type CreateSicdSinkOptions, createSicdSink, type SicdFileOptions } from "./sicd-sink.ts";
