/**
 * Flights: where the radar was for each pulse, its frequencies and the scene. A simulated one follows from settings alone: pulses and
 * frequencies are as close together as the scene needs to be seen without ambiguity, and targets are drawn from a seed.
 */
import { createRandom, inputError } from "@dechirp/core";
import { type HistoryGeometry, speedOfLight } from "@dechirp/radar";
import { circularTrack, linearTrack, type PlacedTarget, type Vec3 } from "@dechirp/sar";
import type { FlightChoices, Scene } from "./settings.ts";

/** What the page shows of a flight. */
export interface FlightFacts {
  /** Changes whenever the flight does. */
  readonly key: string;
  readonly name: string;
  readonly pulses: number;
  /** Points of the path [point][3] in metres, in order, and the pulse of each. */
  readonly path: Float64Array;
  readonly pathPulses: readonly number[];
  readonly frequency: HistoryGeometry["frequency"];
  readonly scene: Scene;
  /** Known targets. None for a recording. */
  readonly targets: readonly PlacedTarget[];
  readonly notes: readonly string[];
}

/** Everything of a flight but its samples. */
export interface FlightGeometry extends HistoryGeometry {
  readonly targets: readonly PlacedTarget[];
}

/** The most pulses times frequencies, which take 8 bytes each, that are kept in memory. */
export const mostSamples = 2 ** 26;
const fewestFrequencies = 16;
const mostPathPoints = 400;
const radians = Math.PI / 180;

/** The geometry of a simulated flight. Throws `input` that names the setting if there would be too many pulses. */
export function simulatedGeometry(choices: FlightChoices): FlightGeometry {
  const { track, arc, standoff, altitude, scene, centre, bandwidth } = choices;
  if (track === "linear" && arc > 150) throw inputError("arc", "at most 150 degrees on a straight track", arc);
  const half = scene / 2;
  // A corner's range differs from that of the middle by no more than the diagonal; 5 % more keeps it from the end of the profiles.
  const reach = 1.05 * Math.SQRT2 * half;
  const count = Math.max(fewestFrequencies, Math.ceil((bandwidth * 1e6 * 4 * reach) / speedOfLight));
  const frequency = { firstHz: (centre * 1e3 - bandwidth / 2) * 1e6, stepHz: (bandwidth * 1e6) / count, count };
  if (!(frequency.firstHz > 0)) throw inputError("bandwidth", "less than twice the centre frequency", bandwidth);
  // The phase of a corner changes by less than half a cycle from pulse to pulse.
  const turn = (0.9 * speedOfLight) / (4 * (centre * 1e3 + bandwidth / 2) * 1e6 * half * Math.SQRT2);
  const range = Math.hypot(standoff, altitude);
  const span = track === "circular" ? arc * radians * standoff : 2 * standoff * Math.tan((arc * radians) / 2);
  const pulses = Math.max(16, Math.ceil(span / (turn * range)) + 1);
  if (pulses * count > mostSamples)
    throw inputError(
      "arc",
      `small enough for ${Math.floor(mostSamples / count)} pulses of ${count} frequencies (a smaller scene needs fewer)`,
      `${pulses} pulses`,
    );
  const positions =
    track === "circular"
      ? circularTrack({
          radiusMeters: standoff,
          altitudeMeters: altitude,
          firstRadians: -Math.PI / 2 - (arc * radians) / 2,
          stepRadians: (arc * radians) / (pulses - 1),
          pulses,
        })
      : linearTrack({ middleMeters: [0, -standoff, altitude], stepMeters: [span / (pulses - 1), 0, 0], pulses });
  return {
    positions,
    referenceRangeMeters: Float64Array.from({ length: pulses }, (_, p) => Math.hypot(...positions.subarray(3 * p, 3 * p + 3))),
    frequency,
    targets: placedTargets(choices),
  };
}

/** How many places are drawn for a target. The one farthest from all others is taken. */
const draws = 12;

/** One target of amplitude 1 in the middle, and others of a quarter to 1 that keep away from each other. */
function placedTargets({ targets: count, scene, seed }: FlightChoices): PlacedTarget[] {
  const random = createRandom(seed);
  const targets: PlacedTarget[] = [{ positionMeters: [0, 0, 0], amplitude: 1 }];
  const distance = ([x, y]: Vec3): number =>
    Math.min(...targets.map(({ positionMeters: [otherX, otherY] }) => Math.hypot(x - otherX, y - otherY)));
  const place = (): Vec3 => [0.9 * scene * (random.uniform() - 0.5), 0.9 * scene * (random.uniform() - 0.5), 0];
  while (targets.length < count) {
    const places = Array.from({ length: draws }, place);
    const positionMeters = places.reduce((best, one) => (distance(one) > distance(best) ? one : best));
    targets.push({
      positionMeters,
      amplitude: 0.25 + 0.75 * random.uniform(),
      phaseRadians: 2 * Math.PI * random.uniform(),
    });
  }
  return targets;
}

/** What the page shows of a geometry. */
export function factsOfGeometry(
  { positions, frequency, targets }: FlightGeometry,
  rest: Pick<FlightFacts, "key" | "name" | "scene" | "notes">,
): FlightFacts {
  const pulses = positions.length / 3;
  const points = Math.min(pulses, mostPathPoints);
  const pathPulses = Array.from({ length: points }, (_, i) => (points === 1 ? 0 : Math.round((i * (pulses - 1)) / (points - 1))));
  const path = Float64Array.from(pathPulses.flatMap((p) => [...positions.subarray(3 * p, 3 * p + 3)]));
  return { ...rest, pulses, path, pathPulses, frequency, targets };
}

/** The fewest pulses of an aperture. */
const fewestPulses = 8;

/** The pulses between two percentages of a flight. */
export function aperturePulses(pulses: number, [a, b]: readonly [number, number]): readonly [first: number, count: number] {
  const least = Math.min(fewestPulses, pulses);
  const first = Math.min(Math.floor((Math.min(a, b) / 100) * pulses), pulses - least);
  const end = Math.max(first + least, Math.ceil((Math.max(a, b) / 100) * pulses));
  return [first, Math.min(end, pulses) - first];
}

/** The pulses of a run of a geometry. */
export function pulsesOf(geometry: HistoryGeometry, [first, count]: readonly [first: number, count: number]): HistoryGeometry {
  const { positions, referenceRangeMeters, pulseFrequencies, badPulses, antennas, ...rest } = geometry;
  const end = first + count;
  const vectors = (of: Float64Array): Float64Array => of.slice(3 * first, 3 * end);
  return {
    frequency: rest.frequency,
    ...(rest.phaseSign && { phaseSign: rest.phaseSign }),
    positions: vectors(positions),
    referenceRangeMeters: referenceRangeMeters.slice(first, end),
    ...(pulseFrequencies && {
      pulseFrequencies: { firstHz: pulseFrequencies.firstHz.slice(first, end), stepHz: pulseFrequencies.stepHz.slice(first, end) },
    }),
    ...(badPulses && { badPulses: badPulses.filter((p) => p >= first && p < end).map((p) => p - first) }),
    ...(antennas && { antennas: { transmit: vectors(antennas.transmit), receive: vectors(antennas.receive) } }),
  };
}
