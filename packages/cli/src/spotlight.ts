/**
 * The preset `spotlight` of `dechirp simulate`: what an aircraft collects that flies north past point targets on a salt flat and keeps its
 * antenna on them. The phase history is computed by definition in float64 and written as a CPHD file, with the targets' places as GeoJSON.
 */
import type { PhaseHistory } from "@dechirp/radar";
import type { GeodeticPosition } from "@dechirp/radar/geodesy";
import type { PlacedTarget } from "@dechirp/sar";

/** Files that the preset writes. */
export const spotlightFiles = ["spotlight.cphd", "targets.geojson"] as const;

/** A spotlight collection. */
interface SpotlightPreset {
  readonly title: string;
  /** Where the frame of track and targets is: x points east, y north, z up. */
  readonly origin: Required<GeodeticPosition>;
  readonly startUtc: string;
  readonly collectorName: string;
  readonly coreName: string;
  readonly prfHz: number;
  readonly pulses: number;
  /** The middle of the track, and the step from a pulse to the next. */
  readonly middleMeters: readonly [number, number, number];
  readonly stepMeters: readonly [number, number, number];
  readonly frequency: PhaseHistory["frequency"];
  readonly targets: readonly PlacedTarget[];
  /** Half the side of the scene. */
  readonly reachMeters: number;
  /** Ratio of a target of amplitude 1 to the noise in one sample. */
  readonly snrDb: number;
  readonly seed: number;
}

/** Half a metre of resolution along both axes, 1.6 MB. */
export const spotlightPreset: SpotlightPreset = {
  title: "seven point targets on a salt flat, from an aircraft; a phase history of 0.5 m resolution as a CPHD file",
  origin: { latitudeDegrees: -20.1338, longitudeDegrees: -67.4891, heightMeters: 3700 },
  startUtc: "2026-05-04T14:30:00Z",
  collectorName: "DECHIRP-SIMULATOR",
  coreName: "SPOTLIGHT",
  prfHz: 150,
  pulses: 400,
  middleMeters: [-7000, 0, 7000],
  stepMeters: [0, 0.8, 0],
  frequency: { firstHz: 9.45e9, stepHz: 300e6 / 511, count: 512 },
  targets: [
    { positionMeters: [0, 0, 0], amplitude: 1 },
    { positionMeters: [40, 0, 0], amplitude: 0.8, phaseRadians: 1 },
    { positionMeters: [-40, 0, 0], amplitude: 0.8, phaseRadians: 2 },
    { positionMeters: [0, 40, 0], amplitude: 1, phaseRadians: -1 },
    { positionMeters: [10, 40, 0], amplitude: 0.7 },
    { positionMeters: [0, -40, 0], amplitude: 0.6, phaseRadians: 3 },
    { positionMeters: [25, -25, 0], amplitude: 0.5, phaseRadians: 0.5 },
  ],
  reachMeters: 60,
  snrDb: -10,
  seed: 25,
};

/** What was simulated, as the contents of files by their names. */
export async function spotlightContents(
  seed: number,
  signal: AbortSignal,
): Promise<Readonly<Record<(typeof spotlightFiles)[number], Uint8Array | AsyncIterable<Uint8Array>>>> {
  const [{ linearTrack, simulatePhaseHistory }, { encodeCphd }, { createLocalFrame, ecefToGeodetic }] = await Promise.all([
    import("@dechirp/sar"),
    import("@dechirp/io/cphd"),
    import("@dechirp/radar/geodesy"),
  ]);
  const { origin, startUtc, collectorName, coreName, prfHz, pulses, middleMeters, stepMeters, frequency, targets, reachMeters, snrDb } =
    spotlightPreset;
  const { samples, ...history } = simulatePhaseHistory({
    positions: linearTrack({ middleMeters, stepMeters, pulses }),
    frequency,
    targets,
    noise: { snrDb },
    seed,
  });
  const { count } = frequency;
  const reach = [-reachMeters, reachMeters] as const;
  const written = {
    ...history,
    name: coreName,
    shape: [pulses, count] as const,
    polarisation: "VV",
    area: { xMeters: reach, yMeters: reach },
    pulses: (from: number, some: number) => samples.subarray(2 * from * count, 2 * (from + some) * count),
  } as const;
  const frame = createLocalFrame(origin);
  const features = targets.map(({ positionMeters, amplitude, phaseRadians = 0 }, i) => {
    const { latitudeDegrees, longitudeDegrees, heightMeters } = ecefToGeodetic(frame.toEcef(positionMeters));
    return {
      type: "Feature",
      geometry: { type: "Point", coordinates: [longitudeDegrees, latitudeDegrees, heightMeters] },
      properties: { name: `T${i + 1}`, amplitude, phaseRadians, positionMeters },
    };
  });
  const file = spotlightFiles[0];
  return {
    "spotlight.cphd": encodeCphd(written, { origin, prfHz, startUtc, collectorName, coreName, file, signal }),
    "targets.geojson": new TextEncoder().encode(`${JSON.stringify({ type: "FeatureCollection", features }, null, 2)}\n`),
  };
}
