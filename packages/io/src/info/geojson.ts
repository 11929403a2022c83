/**
 * Places as GeoJSON: a feature for each thing, with its footprint as a polygon. Rings are counter-clockwise, and footprints across the
 * antimeridian are cut there. Source: RFC 7946, sections 3.1.6 and 3.1.9.
 */
import { inputError, RadarError } from "@dechirp/core";
import { oneLine } from "@dechirp/core/internal";
import { notComputed } from "./geometry.ts";
import { checkThing, type InfoPlace, type InfoPosition, type InfoThing } from "./report.ts";

type Point = readonly [longitude: number, latitude: number];

/** A polygon, two of them across the antimeridian, or a point where only the middle is known. */
export type FootprintGeometry =
  | {
      readonly type: "Point";
      /** Longitude and latitude in degrees, and the height in meters where it is known. */
      readonly coordinates: readonly number[];
    }
  | {
      readonly type: "Polygon";
      /** One closed ring of points: longitude and latitude in degrees. */
      readonly coordinates: readonly (readonly Point[])[];
    }
  | {
      readonly type: "MultiPolygon";
      /** A polygon on each side of the antimeridian: one closed ring of points, longitude and latitude in degrees. */
      readonly coordinates: readonly (readonly (readonly Point[])[])[];
    };

/** Footprints, as `dechirp info --geojson` prints them. */
export interface FootprintCollection {
  readonly type: "FeatureCollection";
  readonly features: readonly {
    readonly type: "Feature";
    readonly geometry: FootprintGeometry;
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
}

/**
 * The footprints of things as GeoJSON, a feature for each. Throws `input` for the first one whose place is not known, saying why, for a
 * footprint that has a pole of the earth in it, and for anything but descriptions.
 */
export function footprintsOf(things: readonly InfoThing[]): FootprintCollection {
  if (!Array.isArray(things)) throw inputError("things", "a list of descriptions", things);
  for (const [i, thing] of things.entries()) checkThing(thing, `things[${i}]`);
  return {
    type: "FeatureCollection",
    features: things.map((thing) => {
      const { file, format, kind, name, radar, place } = thing;
      if (!place) throw placeless(thing);
      const { centre, epsg, view } = place;
      return {
        type: "Feature",
        geometry: geometryOf(place, file),
        properties: {
          file,
          format: format.name,
          kind,
          ...(name !== undefined && { name }),
          centre,
          ...(epsg !== undefined && { epsg }),
          ...view,
          ...(radar && { radar }),
        },
      };
    }),
  };
}

/** Why a thing has no place, by its kind. */
const reasons: Readonly<Record<InfoThing["kind"], string>> = {
  stripmap: "its scene states no orbit",
  "phase-history": "its positions are in a local frame whose place on earth is not stated",
  array: "recordings of antenna arrays state none",
  image: "nothing states where its pixels are",
  map: "its map is not one of those that are known",
  picture: "pictures state none",
  result: "it is no image",
  data: "it is no image and no recording that is read",
};

function placeless({ file, format, kind, notes }: InfoThing): RadarError {
  const reason = notes.includes(notComputed) ? notComputed : reasons[kind];
  const message = oneLine(`${file}: ${format.title}: its place on earth is not known: ${reason}`);
  return new RadarError("input", message, { file, field: "place", expected: "something with a place on earth", actual: format.title });
}

function geometryOf({ centre, corners }: InfoPlace, file: string): FootprintGeometry {
  if (!corners) {
    const height = centre.heightMeters === undefined ? [] : [centre.heightMeters];
    return { type: "Point", coordinates: [centre.longitudeDegrees, centre.latitudeDegrees, ...height] };
  }
  const ring = continued(corners);
  const turns = ring[ring.length - 1][0] - ring[0][0];
  if (Math.abs(turns) > 180) {
    const message = oneLine(`${file}: its footprint has a pole of the earth in it, which GeoJSON polygons can't have`);
    throw new RadarError("input", message, { file, field: "place.corners", expected: "a footprint without a pole", actual: corners });
  }
  // The copies of the earth at −360°, 0° and 360° that the ring reaches, each cut to −180…180°.
  const pieces = [-360, 0, 360].flatMap((shift) => {
    const moved = ring.slice(0, -1).map(([x, y]): Point => [x + shift, y]);
    const cut = clipped(clipped(moved, 180, 1), -180, -1);
    return cut.length >= 3 && Math.abs(area(cut)) > 0 ? [closed(cut)] : [];
  });
  return pieces.length === 1
    ? { type: "Polygon", coordinates: [pieces[0]] }
    : { type: "MultiPolygon", coordinates: pieces.map((piece) => [piece]) };
}

/** The corners as a closed ring, whose longitudes go on beyond ±180° instead of jumping. */
function continued(corners: readonly InfoPosition[]): readonly Point[] {
  const points: Point[] = [];
  for (const { longitudeDegrees, latitudeDegrees } of [...corners, corners[0]]) {
    const before = points.at(-1)?.[0] ?? longitudeDegrees;
    points.push([longitudeDegrees - 360 * Math.round((longitudeDegrees - before) / 360), latitudeDegrees]);
  }
  return points;
}

/** The part of a ring, not closed, with x·side ≤ edge·side: Sutherland and Hodgman's algorithm for one edge. */
function clipped(ring: readonly Point[], edge: number, side: 1 | -1): readonly Point[] {
  const inside = ([x]: Point): boolean => side * x <= side * edge;
  return ring.flatMap((point, i): readonly Point[] => {
    const before = ring[(i + ring.length - 1) % ring.length];
    const crossing = (): Point => {
      const share = (edge - before[0]) / (point[0] - before[0]);
      return [edge, before[1] + share * (point[1] - before[1])];
    };
    if (inside(point)) return inside(before) ? [point] : [crossing(), point];
    return inside(before) ? [crossing()] : [];
  });
}

/** Twice the area of a ring, not closed; positive if it is counter-clockwise. */
const area = (ring: readonly Point[]): number =>
  ring.reduce((sum, [x, y], i) => {
    const [u, v] = ring[(i + 1) % ring.length];
    return sum + x * v - u * y;
  }, 0);

const closed = (ring: readonly Point[]): readonly Point[] => {
  const turned = area(ring) < 0 ? [...ring].reverse() : ring;
  return [...turned, turned[0]];
};
