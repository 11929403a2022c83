/**
 * Universal Transverse Mercator (UTM) on WGS 84: EPSG 32601 … 32660 (north) and 32701 … 32760 (south). The projection is Krüger's series in
 * the third flattening n to order 6.
 * Source: Karney, Transverse Mercator with an accuracy of a few nanometers, Journal of Geodesy 85 (2011), section 4; zones: NGA.SIG.0012,
 * The Universal Grids.
 */
import { inputError } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf } from "@dechirp/core/internal";
import { checkGeodetic, type GeodeticPosition, normalLongitude, radians, sinCosDegrees, wgs84 } from "./ellipsoid.ts";
import { isUtmEpsg } from "./epsg.ts";

/** A place in a UTM zone. */
export interface UtmPosition {
  /** 326zz in the north, 327zz in the south, where zz is the zone. */
  readonly epsg: number;
  readonly eastingMeters: number;
  readonly northingMeters: number;
}

/** A place in a UTM zone, and what the map does to it. */
export interface UtmPoint extends UtmPosition {
  /** From true north to grid north, clockwise. */
  readonly convergenceDegrees: number;
  /** Length on the map divided by length on the ellipsoid. */
  readonly scale: number;
}

const { semiMajorAxisMeters, flattening, eccentricitySquared: e2 } = wgs84;
const e = Math.sqrt(e2);
const n = flattening / (2 - flattening);
/** Scale on the central meridian. */
const k0 = 0.9996;
/** Length of a quarter meridian divided by π/2. */
const rectifyingMeters = (semiMajorAxisMeters / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64 + n ** 6 / 256);
const falseEastingMeters = 500_000;
const southNorthingMeters = 10_000_000;
/**
 * Farthest isometric longitude from the central meridian, about 5800 km at the equator. The series is accurate to 5 nm up to 3900 km, and to
 * a micrometre here.
 */
const mostEta = 0.9;

/** Coefficients of n^j, n^(j + 1), … n^6 of the j-th term of the series, j = 1 … 6 (equations 35 and 36). */
const forward = series([
  [1 / 2, -2 / 3, 5 / 16, 41 / 180, -127 / 288, 7891 / 37800],
  [13 / 48, -3 / 5, 557 / 1440, 281 / 630, -1983433 / 1935360],
  [61 / 240, -103 / 140, 15061 / 26880, 167603 / 181440],
  [49561 / 161280, -179 / 168, 6601661 / 7257600],
  [34729 / 80640, -3418889 / 1995840],
  [212378941 / 319334400],
]);
const inverse = series([
  [1 / 2, -2 / 3, 37 / 96, -1 / 360, -81 / 512, 96199 / 604800],
  [1 / 48, 1 / 15, -437 / 1440, 46 / 105, -1118711 / 3870720],
  [17 / 480, -37 / 840, -209 / 4480, 5569 / 90720],
  [4397 / 161280, -11 / 504, -830251 / 7257600],
  [4583 / 161280, -108847 / 3991680],
  [20648693 / 638668800],
]);

function series(rows: readonly (readonly number[])[]): readonly number[] {
  return rows.map((row, j) => row.reduce((sum, factor, k) => sum + factor * n ** (j + 1 + k), 0));
}

/**
 * EPSG code of the UTM zone of a place, with the wider zones of Norway (32V) and Svalbard (31X, 33X, 35X, 37X). The equator is north. Throws
 * `input` for latitudes beyond 84° north and 80° south, where UTM ends.
 */
export function utmEpsg(position: GeodeticPosition): number {
  checkGeodetic(position);
  const { latitudeDegrees: latitude } = position;
  if (!(latitude >= -80 && latitude <= 84)) throw inputError("position.latitudeDegrees", "from -80 to 84, where UTM is defined", latitude);
  const normal = normalLongitude(position.longitudeDegrees);
  const longitude = normal === 180 ? -180 : normal;
  return (latitude < 0 ? 32700 : 32600) + zoneAt(latitude, longitude);
}

function zoneAt(latitude: number, longitude: number): number {
  if (latitude >= 56 && latitude < 64 && longitude >= 3 && longitude < 12) return 32;
  if (latitude >= 72 && longitude >= 0 && longitude < 42) {
    if (longitude < 9) return 31;
    if (longitude < 21) return 33;
    return longitude < 33 ? 35 : 37;
  }
  return Math.floor((longitude + 180) / 6) + 1;
}

/** Longitude of the central meridian of a zone. */
const centralMeridian = (epsg: number): number => 6 * (epsg % 100) - 183;
const originNorthing = (epsg: number): number => (epsg > 32700 ? southNorthingMeters : 0);

function checkEpsg(epsg: number, field: string): void {
  if (!isUtmEpsg(epsg)) throw inputError(field, "the EPSG code of a UTM zone on WGS 84, 32601 to 32660 or 32701 to 32760", epsg);
}

/**
 * Easting and northing of a place in a UTM zone, by default its own, with the convergence and scale there. The height does not matter. Accurate to 5 nm within 3900 km of the central meridian, and to a
 * micrometre within 5700 km. Throws `input`, also for places that are farther away.
 */
export function geodeticToUtm(position: GeodeticPosition, epsg: number = utmEpsg(position)): UtmPoint {
  checkGeodetic(position);
  checkEpsg(epsg, "epsg");
  const { latitudeDegrees, longitudeDegrees } = position;
  const [sinLat, cosLat] = sinCosDegrees(latitudeDegrees);
  const [sinLon, cosLon] = sinCosDegrees(longitudeDegrees - centralMeridian(epsg));
  // tan φ. At a pole, a number whose square is finite does as well as infinity.
  const tau = sinLat / Math.max(cosLat, 1e-20);
  const secant = Math.sqrt(1 + tau * tau);
  const tauConformal = conformalOf(tau, secant);
  const across = Math.hypot(tauConformal, cosLon);
  const xiSphere = Math.atan2(tauConformal, cosLon);
  const etaSphere = Math.asinh(sinLon / across);
  if (!(Math.abs(etaSphere) <= mostEta))
    throw inputError("position", `within 5700 km of the central meridian of EPSG ${epsg}`, `longitude ${longitudeDegrees}`);
  const { xi, eta, p, q } = shifted(forward, xiSphere, etaSphere, 1);
  const sineConformal = tauConformal / Math.sqrt(1 + tauConformal * tauConformal);
  return {
    epsg,
    eastingMeters: falseEastingMeters + k0 * rectifyingMeters * eta,
    northingMeters: originNorthing(epsg) + k0 * rectifyingMeters * xi,
    convergenceDegrees: (Math.atan2(sineConformal * sinLon, cosLon) + Math.atan2(q, p)) / radians,
    scale: k0 * ((Math.sqrt(1 - e2 * sinLat * sinLat) * secant) / across) * (rectifyingMeters / semiMajorAxisMeters) * Math.hypot(p, q),
  };
}

const utmFields: FieldsOf<UtmPoint> = {
  epsg: "number",
  eastingMeters: "number",
  northingMeters: "number",
  convergenceDegrees: "number",
  scale: "number",
};

/**
 * The place of a UTM position, at height 0. As accurate as `geodeticToUtm`. Throws `input`, also for positions that are more than 5700 km
 * from the central meridian.
 */
export function utmToGeodetic(position: UtmPosition): Required<GeodeticPosition> {
  checkObject(position, "position", "input");
  checkFields<UtmPoint>(position as UtmPoint, utmFields, "a position", "input", "position.");
  const { epsg, eastingMeters, northingMeters } = position;
  checkEpsg(epsg, "position.epsg");
  const eta = (eastingMeters - falseEastingMeters) / (k0 * rectifyingMeters);
  const xi = (northingMeters - originNorthing(epsg)) / (k0 * rectifyingMeters);
  if (!(Math.abs(eta) <= mostEta * 1.02))
    throw inputError("position.eastingMeters", "a number within 5800 km of the central meridian", eastingMeters);
  if (!(Math.abs(xi) <= Math.PI)) throw inputError("position.northingMeters", "a number that is on earth", northingMeters);
  const sphere = shifted(inverse, xi, eta, -1);
  const [sinXi, cosXi] = [Math.sin(sphere.xi), Math.cos(sphere.xi)];
  const sinhEta = Math.sinh(sphere.eta);
  const tau = geographicOf(sinXi / Math.max(Math.hypot(sinhEta, cosXi), 1e-20));
  return {
    latitudeDegrees: Math.atan(tau) / radians,
    longitudeDegrees: normalLongitude(centralMeridian(epsg) + Math.atan2(sinhEta, cosXi) / radians),
    heightMeters: 0,
  };
}

/** ξ + iη plus (`sign` 1) or minus (−1) the series, and its derivative p − iq by the old ξ + iη. */
function shifted(coefficients: readonly number[], xi: number, eta: number, sign: 1 | -1) {
  const out = { xi, eta, p: 1, q: 0 };
  coefficients.forEach((factor, at) => {
    const j = 2 * (at + 1);
    const [sin, cos, sinh, cosh] = [Math.sin(j * xi), Math.cos(j * xi), Math.sinh(j * eta), Math.cosh(j * eta)];
    out.xi += sign * factor * sin * cosh;
    out.eta += sign * factor * cos * sinh;
    out.p += sign * j * factor * cos * cosh;
    out.q += sign * j * factor * sin * sinh;
  });
  return out;
}

/** Tangent of the conformal latitude from that of the geographic latitude, whose secant is given (equations 7 to 9). */
function conformalOf(tau: number, secant: number): number {
  const sigma = Math.sinh(e * Math.atanh((e * tau) / secant));
  return tau * Math.sqrt(1 + sigma * sigma) - sigma * secant;
}

/** The inverse of `conformalOf`, by Newton's method (equations 19 to 21). Two turns give full precision. */
function geographicOf(conformal: number): number {
  // Exact near a pole.
  let tau = conformal * Math.exp(e * Math.atanh(e));
  if (Math.abs(tau) > 1e15) return tau;
  tau = Math.abs(tau) > 70 ? tau : conformal / (1 - e2);
  for (let turn = 0; turn < 5; turn++) {
    const secant = Math.sqrt(1 + tau * tau);
    const now = conformalOf(tau, secant);
    const slope = (1 + (1 - e2) * tau * tau) / ((1 - e2) * Math.sqrt(1 + now * now) * secant);
    const step = (conformal - now) * slope;
    tau += step;
    if (!(Math.abs(step) > 1e-16 * Math.max(1, Math.abs(tau)))) break;
  }
  return tau;
}
