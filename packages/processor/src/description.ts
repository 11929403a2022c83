/**
 * Descriptions of images: where their pixels are on earth, and how their data was collected, as far as the recording says so. Files of
 * images store them, and maps are made with them.
 */
import type { ImageCollection, ImagePlacement, PlanePlacement, RecordedCollection, Window } from "@dechirp/radar";
import { describeBackprojection, describeRangeDoppler, placeBackprojection, placeRangeDoppler } from "@dechirp/radar/images";
import { defaultWindow, type GroundGrid, type ImageGeometry } from "@dechirp/sar";
import type { PhaseHistoryRecording, StripmapRecording } from "./recording.ts";

/** What a recording says of the place and the collection of an image. */
export interface ImageDescription {
  /** Where the pixels are on earth. Absent if the recording does not say enough. */
  readonly placement?: ImagePlacement;
  /** The same as a plane in space, if `placement` is a map and the image is on a plane, too: for files that have no maps. */
  readonly plane?: PlanePlacement;
  /** How the data was collected. Absent if the recording does not say enough. */
  readonly collection?: ImageCollection;
  /**
   * Whether the image has the other sign of the phase (`phaseSign` 1): its carrier runs the other way. Files of images with a collection,
   * such as SICD, need the conjugate pixels. Reports leave the collection out then.
   */
  readonly isConjugate?: boolean;
  /** What the recording would have to say for `placement`, each worded for a sentence. */
  readonly placementNeeds: readonly string[];
  /** What it would have to say for `collection`, which needs a place, too. */
  readonly collectionNeeds: readonly string[];
}

const [whereFrame, whenPulses, whenStart] = [
  "where its frame is on earth (frame)",
  "when its pulses were sent (pulseSeconds)",
  "the time in UTC from which its times count (startUtc)",
];
const whereOrbit = "the path of the radar on earth and its look side (radar.orbit)";

/** Members that a recording states, with names for those that it does not. */
const statedBy = (collection: RecordedCollection | undefined, name: string, mode: ImageCollection["mode"]) => ({
  collector: "UNKNOWN",
  name,
  mode,
  ...collection,
});

/** The description of a backprojected image of pulses in a frame. `placement` is that of a map, if the grid is a part of one. */
export function describeBackprojected(
  recording: PhaseHistoryRecording,
  grid: GroundGrid,
  processing: { readonly window: Window; readonly autofocus: boolean },
  map?: ImagePlacement,
): ImageDescription {
  const { frame, pulseSeconds, startUtc, positions, frequency, pulseFrequencies, collection, name, badPulses = [] } = recording;
  const needs = [...(frame ? [] : [whereFrame]), ...(pulseSeconds ? [] : [whenPulses]), ...(startUtc === undefined ? [whenStart] : [])];
  const rest = { placementNeeds: frame ? [] : [whereFrame], collectionNeeds: needs };
  if (!frame) return rest;
  // A grid with heights of its own is no plane.
  const isPlane = typeof (grid.heightMeters ?? 0) === "number";
  const place = { frame, grid: isPlane ? grid : { ...grid, heightMeters: 0 }, plane: "ground" } as const;
  const plane = placeBackprojection(place);
  if (!pulseSeconds || startUtc === undefined || pulseSeconds.length - badPulses.length < 4)
    return { ...rest, placement: map ?? plane, ...(map && isPlane && { plane }) };
  const bad = new Set(badPulses);
  const used = Array.from(pulseSeconds.keys()).filter((p) => !bad.has(p));
  const made = describeBackprojection({
    ...statedBy(collection, name, "spotlight"),
    epoch: startUtc,
    rangeWindow: processing.window,
    autofocus: processing.autofocus,
    ...place,
    positions: Float64Array.from(used.flatMap((p) => [positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]])),
    pulseSeconds: used.map((p) => pulseSeconds[p]),
    frequency: pulseFrequencies ? bandOf(pulseFrequencies, frequency.count, used) : frequency,
  });
  return {
    ...rest,
    placement: map ?? made.placement,
    ...(map && isPlane && { plane: made.placement }),
    collection: made.collection,
    ...(recording.phaseSign === 1 && { isConjugate: true }),
  };
}

/** The frequencies from the lowest to the highest of pulses that differ in them. */
function bandOf(
  { firstHz, stepHz }: NonNullable<PhaseHistoryRecording["pulseFrequencies"]>,
  count: number,
  pulses: readonly number[],
): PhaseHistoryRecording["frequency"] {
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (const p of pulses) {
    low = Math.min(low, firstHz[p]);
    high = Math.max(high, firstHz[p] + (count - 1) * stepHz[p]);
  }
  return { firstHz: low, stepHz: (high - low) / (count - 1), count };
}

/** The description of a range-Doppler image. */
export function describeFocused(
  { radar: { orbit }, startUtc, collection, name, shape }: StripmapRecording,
  { radar, axes, processedBandwidthHz }: ImageGeometry,
  { rangeWindow = defaultWindow, azimuthWindow = defaultWindow }: { readonly rangeWindow?: Window; readonly azimuthWindow?: Window },
): ImageDescription {
  const placed = orbit?.lookSide !== undefined;
  const needs = [...(placed ? [] : [whereOrbit]), ...(startUtc === undefined ? [whenStart] : [])];
  const rest = { placementNeeds: placed ? [] : [whereOrbit], collectionNeeds: needs };
  if (!placed) return rest;
  const place = { radar, orbit, axes };
  if (startUtc === undefined) return { ...rest, placement: placeRangeDoppler(place) };
  return {
    ...rest,
    ...describeRangeDoppler({
      ...statedBy(collection, name, "stripmap"),
      epoch: startUtc,
      rangeWindow,
      azimuthWindow,
      ...place,
      lines: shape[0],
      processedBandwidthHz,
    }),
  };
}

/** The members of a description that reports have. */
export const reported = ({ placement, collection, isConjugate }: ImageDescription) => ({
  ...(placement && { placement }),
  ...(collection && !isConjugate && { collection }),
});
