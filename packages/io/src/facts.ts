/**
 * Limits and file names of the formats. Parsers and format rows both import this file, so that a row does not load its parser. A format
 * whose row and parser share one file keeps its limits there.
 */

/** Default limit on the decoded size of one MAT-file. */
export const matLimits = { decodedBytes: { most: 2 ** 30, of: "bytes of a MAT-file decoded (`maxBytes`)" } } as const;

/**
 * Limit on the size of scene.json, when read and when written. It leaves room for gains of half a million lines, or for a hundred
 * thousand targets.
 */
export const sceneFolderLimits = { descriptionBytes: { most: 2 ** 24, of: "bytes of scene.json" } } as const;

/** Limits of the RADARSAT-1 CD reader. `extent` bounds the number of lines and of range cells. */
export const radarsatLimits = {
  blocks: { most: 1000, of: "blocks" },
  extent: { most: 2 ** 24, of: "lines or cells" },
  attenuationDb: { most: 100, of: "dB of attenuation, of either sign" },
} as const;

/** Limits of the Gotcha reader. */
export const gotchaLimits = {
  /** One circular pass has 360 files. */
  files: { most: 4096, of: "files" },
  frequencies: { most: 2 ** 20, of: "frequencies" },
  pulses: { most: 2 ** 22, of: "pulses" },
} as const;

/** Limits of the CPHD reader. */
export const cphdLimits = {
  xmlBytes: { most: 2 ** 23, of: "bytes of XML" },
  channels: { most: 4096, of: "channels" },
  vectors: { most: 2 ** 22, of: "vectors of a channel" },
  samples: { most: 2 ** 20, of: "samples of a vector" },
  vectorBytes: { most: 2 ** 16, of: "bytes of a vector's parameters" },
} as const;

/** Matches the file names of the Gotcha data set. The groups are the pass, the azimuth in degrees and the polarisation. */
export const gotchaName = /(?:^|[\\/])data_3dsar_pass(\d{1,6})_az(\d{1,6})_([HV]{2})\.mat$/i;
