/**
 * What is known of formats before anything of theirs is loaded: limits, and names of files. Parsers and rows of the table share it, so that
 * neither loads the other. A format whose file does both, row and parser, keeps its facts there.
 */

/** What decoded data of one MAT-file may take where nothing else is said. */
export const matLimits = { decodedBytes: { most: 2 ** 30, of: "bytes of a MAT-file decoded (`maxBytes`)" } } as const;

/** Of scene.json, read or written: gains of half a million lines, or a hundred thousand targets. */
export const sceneFolderLimits = { descriptionBytes: { most: 2 ** 24, of: "bytes of scene.json" } } as const;

export const radarsatLimits = {
  blocks: { most: 1000, of: "blocks" },
  extent: { most: 2 ** 24, of: "lines or cells" },
  attenuationDb: { most: 100, of: "dB of attenuation, of either sign" },
} as const;

export const gotchaLimits = {
  /** A pass has 360. */
  files: { most: 4096, of: "files" },
  frequencies: { most: 2 ** 20, of: "frequencies" },
  pulses: { most: 2 ** 22, of: "pulses" },
  /** Of all files together: 2 GiB. */
  samples: { most: 2 ** 28, of: "samples" },
} as const;

/** What Gotcha's own file names tell: pass, azimuth, polarisation. */
export const gotchaName = /(?:^|[\\/])data_3dsar_pass(\d{1,6})_az(\d{1,6})_([HV]{2})\.mat$/i;
