/**
 * The surface for backends that make tables for transforms, `@dechirp/core/tables`: roots of unity, chirps and their spectra in float64, what constants of
 * short transforms lose,
 * transforms by stages to make them with. Who computes with devices needs none of it.
 */

export { chirpSpectrum } from "./chirp-spectrum.ts";
export { type Codelet, legFactors } from "./codelets.ts";
export { putChirp, putRoot, type Roots, rootsOf, unitRoot } from "./roots.ts";
export { isSmooth, type LineStages, lineStages, matrixOf, runStages, type Stage } from "./stages.ts";
