/** Maps by their EPSG codes: geographic coordinates (4326), whose x is the longitude and y the latitude, and UTM zones. */
import { inputError } from "@dechirp/core";
import { checkGeodetic, type GeodeticPosition, normalLongitude } from "./ellipsoid.ts";
import { isUtmEpsg } from "./epsg.ts";
import { geodeticToUtm, utmToGeodetic } from "./utm.ts";

/** Coordinates of a map: easting and northing in metres, or longitude and latitude in degrees. */
export type MapPosition = readonly [x: number, y: number];

/** Conversion between places and coordinates of a map. */
export interface MapProjection {
  /** Code of the map. */
  readonly epsg: number;
  /** Unit of both coordinates. */
  readonly unit: "m" | "degree";
  /**
   * Coordinates of a place. Longitudes of a geographic map that are 180° or more from `nearDegrees` are changed by whole turns, so that maps
   * across the antimeridian are in one piece; default: 0. Throws `input`.
   */
  toMap(position: GeodeticPosition, nearDegrees?: number): MapPosition;
  /** The place of coordinates, at height 0. Throws `input`. */
  toGeodetic(position: MapPosition): Required<GeodeticPosition>;
}

/** Throws `input` unless a position is a list of two. */
function checked(position: MapPosition): MapPosition {
  if (!Array.isArray(position) || position.length !== 2) throw inputError("position", "two numbers, x and y", position);
  return position;
}

const geographic: MapProjection = {
  epsg: 4326,
  unit: "degree",
  toMap(position, nearDegrees = 0) {
    checkGeodetic(position);
    if (!(typeof nearDegrees === "number" && Math.abs(nearDegrees) <= 720))
      throw inputError("nearDegrees", "a number from -720 to 720", nearDegrees);
    return [nearDegrees + normalLongitude(position.longitudeDegrees - nearDegrees), position.latitudeDegrees];
  },
  toGeodetic(position) {
    const [longitude, latitudeDegrees] = checked(position);
    checkGeodetic({ latitudeDegrees, longitudeDegrees: longitude });
    return { latitudeDegrees, longitudeDegrees: normalLongitude(longitude), heightMeters: 0 };
  },
};

/** The map of an EPSG code: 4326, or a UTM zone on WGS 84 (326zz, 327zz). Throws `input` for other codes, which names `field`. */
export function mapProjection(epsg: number, field = "epsg"): MapProjection {
  if (epsg === 4326) return geographic;
  if (!isUtmEpsg(epsg)) throw inputError(field, "4326, or the code of a UTM zone on WGS 84 (32601 to 32660, 32701 to 32760)", epsg);
  return {
    epsg,
    unit: "m",
    toMap(position) {
      const { eastingMeters, northingMeters } = geodeticToUtm(position, epsg);
      return [eastingMeters, northingMeters];
    },
    toGeodetic(position) {
      const [eastingMeters, northingMeters] = checked(position);
      return utmToGeodetic({ epsg, eastingMeters, northingMeters });
    },
  };
}
