/**
 * The local frame of a CPHD file: its origin is the reference point of the scene (IARP), and its axes x and y are those of the image area
 * coordinates. If these are on a surface of constant height above the ellipsoid, the frame is tangent to it at the reference point.
 */
import type { EarthFrame } from "@dechirp/radar";
import { createLocalFrame, type Vector3, wgs84 } from "@dechirp/radar/geodesy";
import type { CphdMetadata } from "./cphd-metadata.ts";
import { stateError } from "./file-error.ts";

const cross = (a: Vector3, b: Vector3): Vector3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

const unit = (v: Vector3): Vector3 => {
  const length = Math.hypot(...v);
  return [v[0] / length, v[1] / length, v[2] / length];
};

/** The local frame, and remarks about it, one sentence each. */
export function cphdFrame({ surface, iarpEcef, iarpGeodetic, imageArea, xml: { file } }: CphdMetadata): {
  readonly frame: EarthFrame;
  readonly notes: readonly string[];
} {
  if (surface.kind === "planar") {
    const { xAxis, yAxis } = surface;
    const z = unit(cross(xAxis, yAxis));
    if (!(z[0] * iarpEcef[0] + z[1] * iarpEcef[1] + z[2] * iarpEcef[2] > 0))
      throw stateError(
        file,
        "CPHD/SceneCoordinates/ReferenceSurface/Planar",
        "such that uIAX × uIAY points away from the earth",
        "towards it",
      );
    return { frame: { originMeters: iarpEcef, axes: [xAxis, unit(cross(z, xAxis)), z] }, notes: [] };
  }
  const enu = createLocalFrame(iarpEcef);
  const latitude = (iarpGeodetic[0] * Math.PI) / 180;
  const height = iarpGeodetic[2];
  // Radii of curvature in the meridian and across it.
  const { semiMajorAxisMeters: a, eccentricitySquared: e2 } = wgs84;
  const w = Math.sqrt(1 - e2 * Math.sin(latitude) ** 2);
  const [north, east] = [(a * (1 - e2)) / w ** 3 + height, (a / w + height) * Math.cos(latitude)];
  const [latitudes, longitudes] = surface.xAxis;
  const x = unit(enu.directionToEcef([longitudes * east, latitudes * north, 0]));
  const z = enu.axes[2];
  const far = Math.hypot(...[imageArea.xMeters, imageArea.yMeters].map(([from, to]) => Math.max(Math.abs(from), Math.abs(to))));
  const drop = far ** 2 / (2 * a);
  return {
    frame: { originMeters: iarpEcef, axes: [x, cross(z, x), z] },
    notes: [
      `the image area lies on a surface of constant height; images are made on the plane that touches it at the reference point, up to ${drop.toPrecision(2)} m above it`,
    ],
  };
}

/** Local coordinates of Earth-fixed positions [n][3]. */
export function toLocalFrame({ originMeters: [ox, oy, oz], axes }: EarthFrame, positions: Float64Array): Float64Array {
  const local = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = [positions[i] - ox, positions[i + 1] - oy, positions[i + 2] - oz];
    for (let k = 0; k < 3; k++) local[i + k] = axes[k][0] * x + axes[k][1] * y + axes[k][2] * z;
  }
  return local;
}
