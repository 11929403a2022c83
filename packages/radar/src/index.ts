/** The public surface of radar: what the packages for SAR, STAP and files share. */

export type { ArrayFacts, ElementSpacing, RangeAxis, SteeringVectors } from "./array.ts";
export { type Chirp, type ChirpOptions, chirpReplica, chirpSamples, type RatedChirp } from "./chirp.ts";
export type { CollectionDoppler, CollectionProcessing, ImageCollection, RecordedCollection, WavePolarisation } from "./collection.ts";
export { speedOfLight, wavelengthMeters } from "./constants.ts";
export { checkImageWindow, createImageRegion, formatImageWindow, type ImageRegion, type ImageWindow } from "./image-window.ts";
export type {
  AntennaPositions,
  Aperture,
  EarthFrame,
  HistoryGeometry,
  PhaseHistory,
  PulseCorrections,
  PulseFrequencies,
} from "./phase-history.ts";
export {
  checkPlacement,
  type ImagePlacement,
  type MapPlacement,
  type PlacementAxis,
  type PlanePlacement,
  type PlatformPoint,
  type PlatformPolynomial,
  type PlatformStates,
  type SlantPlacement,
} from "./placement.ts";
export type { ComplexSamples } from "./samples.ts";
export { besselI0, sinc, sincHalfPowerWidth } from "./special-functions.ts";
export type { EchoType, Orbit, PointTarget, RadarOrbit, RecordedRadar, StripmapRadar } from "./stripmap.ts";
export type { WindowShape } from "./window-shapes.ts";
export { type Window, type WindowKind, type WindowParameter, type WindowRow, windowTable } from "./window-table.ts";
export { partialIrwTimesBandwidth, type WindowTheory, type WindowTheoryOptions, windowTheory } from "./window-theory.ts";
export {
  checkWindow,
  formatWindow,
  isContinuous,
  parseWindow,
  type WindowChoice,
  windowFunction,
  windowKinds,
  windowOfKind,
  windowSamples,
  windowSyntax,
} from "./windows.ts";
