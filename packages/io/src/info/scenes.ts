/** Stripmap recordings: scene folders, whose description is read, and RADARSAT-1 CD folders, whose parameters are. */
import { isRadarError } from "@dechirp/core";
import { type SlantPlacement, speedOfLight } from "@dechirp/radar";
import { readMatOf } from "../place.ts";
import { readRecordingFrom } from "../recording.ts";
import type { SceneRadar } from "../scene.ts";
import { notComputed, placeOfPlacement } from "./geometry.ts";
import type { InfoPlace } from "./report.ts";
import { type Description, type InfoRow, quoted, type Thing } from "./thing.ts";

const commandsOf = ({ path }: Thing): readonly string[] => [
  `dechirp focus ${quoted(path)} --out image`,
  `dechirp convert ${quoted(path)} copy --to scene`,
];

/** Scene folders. */
export const sceneFolder: InfoRow = {
  name: "scene-folder",
  matches: ({ names }) => names?.includes("scene.json") ?? false,
  async describe(thing) {
    const { recording: scene } = await readRecordingFrom(thing.place, { kind: "stripmap", format: "scene-folder", ...thing.reading });
    await scene.close();
    const { radar, shape, dtype, name, targets, preset, notes } = scene;
    const centroid = radar.dopplerCentroidHz;
    const place = await placeOfScene(scene, thing.geometry);
    return {
      format: { name: "scene-folder", title: "scene folder" },
      isRead: true,
      kind: "stripmap",
      name,
      shape,
      axes: ["line", "range sample"],
      sampleType: dtype,
      radar: {
        mode: "stripmap",
        carrierHz: radar.carrierHz,
        bandHz: bandOf(radar.carrierHz, Math.abs(radar.chirpRateHzPerSecond) * radar.pulseSeconds),
        samplingRateHz: radar.samplingRateHz,
        prfHz: radar.prfHz,
        pulses: shape[0],
        durationSeconds: shape[0] / radar.prfHz,
        nearRangeMeters: radar.nearRangeMeters,
      },
      ...(place && { place }),
      details: {
        targets: targets.length,
        ...(preset !== undefined && { sensor: preset }),
        ...(radar.velocityMetersPerSecond !== undefined && { velocityMetersPerSecond: radar.velocityMetersPerSecond }),
        ...(centroid !== undefined && { dopplerCentroidHz: centroid }),
        orbit: radar.orbit !== undefined,
      },
      commands: commandsOf(thing),
      notes: [
        ...notes,
        ...(place ? ["corners are those that zero Doppler has at the height of the ground that the orbit states"] : []),
        ...(radar.orbit && !thing.geometry ? [notComputed] : []),
      ],
    };
  },
};

const bandOf = (carrierHz: number, bandwidthHz: number): readonly [number, number] => [
  carrierHz - bandwidthHz / 2,
  carrierHz + bandwidthHz / 2,
];

/** The place of a scene with an orbit. Scenes whose orbit does not cover their lines, or sees no ground, have none. */
async function placeOfScene(
  { radar, shape }: { readonly radar: SceneRadar; readonly shape: readonly [number, number] },
  geometry: Thing["geometry"],
): Promise<InfoPlace | undefined> {
  const { orbit, prfHz, startSeconds = 0, nearRangeMeters, samplingRateHz } = radar;
  if (!orbit) return undefined;
  const { timesSeconds, positionsMeters, velocitiesMetersPerSecond, lookSide, groundHeightMeters = 0 } = orbit;
  const placement: SlantPlacement = {
    kind: "slant",
    platform: { kind: "states", timesSeconds, positionsMeters, ...(velocitiesMetersPerSecond && { velocitiesMetersPerSecond }) },
    azimuthSeconds: { first: startSeconds, step: 1 / prfHz },
    slantRangeMeters: { first: nearRangeMeters, step: speedOfLight / 2 / samplingRateHz },
    lookSide,
  };
  try {
    return await placeOfPlacement(placement, shape, geometry, { heightMeters: groundHeightMeters });
  } catch (error) {
    if (isRadarError(error, "input")) return undefined;
    throw error;
  }
}

const paramsFile = "CD_run_params.mat";

/** RADARSAT-1 CD folders. */
export const radarsat: InfoRow = {
  name: "radarsat-1-cd",
  matches: ({ names }) => names?.includes(paramsFile) ?? false,
  async describe(thing): Promise<Description> {
    const { matScalar } = await import("../mat-types.ts");
    const { place, reading } = thing;
    const params = await readMatOf(place, place.pathOf(paramsFile), { ...reading, maxBytes: 2 ** 24 });
    const number = (name: string): number => matScalar(params, name);
    const [lines, prfHz, carrierHz] = [number("Nrg_lines"), number("PRF"), number("f0")];
    return {
      format: { name: "radarsat-1-cd", title: "RADARSAT-1 CD folder" },
      isRead: true,
      kind: "stripmap",
      shape: [lines, number("Nrg_cells")],
      axes: ["line", "range sample"],
      radar: {
        collector: "RADARSAT-1",
        mode: "stripmap",
        carrierHz,
        bandHz: bandOf(carrierHz, Math.abs(number("Kr")) * number("Tr")),
        samplingRateHz: number("Fr"),
        prfHz,
        pulses: lines,
        durationSeconds: lines / prfHz,
        nearRangeMeters: number("R0") + ((number("first_rg_cell") - 1) * number("c")) / (2 * number("Fr")),
      },
      details: { blocks: params.variables.has("Nblocks") ? number("Nblocks") : 1, firstLine: number("first_rg_line") },
      commands: commandsOf(thing),
      notes: ["size and radar are those that CD_run_params.mat states; the type of the samples depends on their values"],
    };
  },
};
