/**
 * The entry point `@dechirp/core/tables`, for backends that make tables for transforms, in float64. Users of devices don't need it.
 */

// Roots of unity, chirps and their spectra.

export { chirpSpectrum } from "./chirp-spectrum.ts";
export { putChirp, putRoot, type Roots, rootsOf, unitRoot } from "./roots.ts";

// Transforms by stages, to compute tables with.

export { isSmooth, type LineStages, lineStages, matrixOf, type RadixStage, runStages } from "./stages.ts";

// Corrections for the rounded constants of short transforms.

export { type Codelet, legFactors } from "./codelets.ts";
