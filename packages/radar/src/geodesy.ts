/**
 * The entry point `@dechirp/radar/geodesy`: positions on earth. The WGS 84 ellipsoid, Earth-fixed and geodetic coordinates, local frames,
 * UTM, and maps by their EPSG codes.
 */

// The ellipsoid.

export { ecefToGeodetic, type GeodeticPosition, geodeticToEcef, type Vector3, wgs84 } from "./geodesy/ellipsoid.ts";

// Frames and maps.

export { isUtmEpsg } from "./geodesy/epsg.ts";
export { createLocalFrame, type LocalFrame } from "./geodesy/local-frame.ts";
export { type MapPosition, type MapProjection, mapProjection } from "./geodesy/map-projection.ts";
export { geodeticToUtm, type UtmPoint, type UtmPosition, utmEpsg, utmToGeodetic } from "./geodesy/utm.ts";
