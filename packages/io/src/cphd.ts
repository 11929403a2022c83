/**
 * `@dechirp/io/cphd`: CPHD files (Compensated Phase History Data, NGA.STND.0068-1, versions 1.0.1 and 1.1.0), read by ranges and written in
 * blocks.
 */

// Reading.

export { type CphdFile, type CphdHistory, openCphd } from "./cphd-file.ts";
export type { CphdBlock, CphdHeader, CphdVersion } from "./cphd-header.ts";
export type { CphdChannel, CphdField, CphdMetadata, CphdSampleFormat, CphdSurface } from "./cphd-metadata.ts";
export type { CphdStoredSamples } from "./cphd-samples.ts";
export type { CphdVectors } from "./cphd-vectors.ts";

// Writing.

export { encodeCphd, type WriteCphdOptions, writeCphd } from "./cphd-write.ts";
export type { CphdPlaceOptions, WritableHistory } from "./cphd-write-vectors.ts";
export type { CphdDescription } from "./cphd-write-xml.ts";
