/** TIFF, GeoTIFF and PNG files: their headers. Their pixels are not read. */
import type { MapPlacement } from "@dechirp/radar";
import { createLocalFrame, ecefToGeodetic, isUtmEpsg, mapProjection, type Vector3 } from "@dechirp/radar/geodesy";
import type { TiffPlace } from "../tiff-header.ts";
import { outline } from "./geometry.ts";
import type { InfoPlace, InfoPosition } from "./report.ts";
import { begins, type Description, type InfoRow, withFile } from "./thing.ts";

/** TIFF and GeoTIFF files. */
export const tiff: InfoRow = {
  name: "tiff",
  matches: (thing) => ["II*\0", "MM\0*", "II+\0", "MM\0+"].some((magic) => begins(thing, magic)),
  describe: (thing) =>
    withFile(thing, async (access): Promise<Description> => {
      const { readTiffHeader } = await import("../tiff-header.ts");
      const { isBig, images, place } = await readTiffHeader(access, { file: thing.path, ...thing.reading });
      const [image] = images;
      const overviews = images.filter(({ isOverview }) => isOverview);
      const shape = [image.rows, image.columns];
      const known = place && placeOf(place, shape);
      return {
        format: { name: place ? "geotiff" : "tiff", title: `${place ? "GeoTIFF" : "TIFF"} file`, ...(isBig && { version: "BigTIFF" }) },
        isRead: false,
        kind: place ? "map" : "picture",
        shape: image.samples > 1 ? [...shape, image.samples] : shape,
        axes: image.samples > 1 ? ["row", "column", "band"] : ["row", "column"],
        sampleType: image.type,
        ...(known && { place: known }),
        details: {
          compression: image.compression,
          ...(image.tile && { tiles: image.tile.join(" × ") }),
          overviews: overviews.length,
          ...(place && place.epsg === undefined && { map: mapText(place) }),
          ...(place?.transform && pixelSize(place)),
          ...(place?.controlPoints && { controlPoints: place.controlPoints.length }),
        },
        notes: [
          "dechirp writes GeoTIFF files and does not read them",
          ...(place && !known
            ? ["the place is not computed: of maps, EPSG 4326, UTM zones on WGS 84 and local tangent planes are known"]
            : []),
        ],
      };
    }),
};

const mapText = ({ citation, model }: TiffPlace): string => citation ?? model;

function pixelSize({ transform, model }: TiffPlace): Readonly<Record<string, number>> {
  const [a, b, , d, e] = transform as NonNullable<TiffPlace["transform"]>;
  const unit = model === "geographic" ? "Degrees" : "Meters";
  return { [`columnSpacing${unit}`]: Math.hypot(a, d), [`rowSpacing${unit}`]: Math.hypot(b, e) };
}

/** The place of an image on a known map. Undefined for other maps, and for coordinates that are no places. */
function placeOf(place: TiffPlace, [rows, columns]: readonly number[]): InfoPlace | undefined {
  const toPlace = projectionOf(place);
  if (!toPlace) return undefined;
  try {
    const { transform, controlPoints, epsg } = place;
    const edges = outline(rows, columns).map(([row, column]) => [row + 0.5, column + 0.5] as const);
    if (transform) {
      const [a, b, c, d, e, f] = transform;
      const at = (row: number, column: number): InfoPosition => toPlace(a * column + b * row + c, d * column + e * row + f);
      return {
        centre: at(rows / 2, columns / 2),
        corners: edges.map(([row, column]) => at(row, column)),
        ...(epsg !== undefined && { epsg }),
      };
    }
    const near = (row: number, column: number): InfoPosition => {
      const [first, ...others] = controlPoints ?? [];
      const away = (point: typeof first): number => Math.hypot(point.row - row, point.column - column);
      const point = others.reduce((best, one) => (away(one) < away(best) ? one : best), first);
      return toPlace(point.x, point.y);
    };
    return controlPoints && controlPoints.length >= 3
      ? { centre: near(rows / 2, columns / 2), corners: edges.map(([row, column]) => near(row, column)) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** From coordinates of the map to places. Undefined for a map that is not known. */
function projectionOf({ epsg, model, orthographic }: TiffPlace): ((x: number, y: number) => InfoPosition) | undefined {
  const code: MapPlacement["epsg"] | undefined = epsg ?? (model === "geographic" ? 4326 : undefined);
  if (code !== undefined && (code === 4326 || isUtmEpsg(code))) {
    const { toGeodetic } = mapProjection(code);
    return (x, y) => {
      const { latitudeDegrees, longitudeDegrees } = toGeodetic([x, y]);
      return { latitudeDegrees, longitudeDegrees };
    };
  }
  if (!orthographic) return undefined;
  const frame = createLocalFrame(orthographic);
  return (x, y) => {
    // Along the axis of the map to the ellipsoid.
    let z = 0;
    for (let turn = 0; turn < 20; turn++) z -= ecefToGeodetic(frame.toEcef([x, y, z])).heightMeters;
    const local: Vector3 = [x, y, z];
    const { latitudeDegrees, longitudeDegrees } = ecefToGeodetic(frame.toEcef(local));
    return { latitudeDegrees, longitudeDegrees };
  };
}

/** Colour types of PNG. */
const colours: Readonly<Record<number, string>> = { 0: "grey", 2: "RGB", 3: "palette", 4: "grey with alpha", 6: "RGB with alpha" };

/** PNG pictures. */
export const png: InfoRow = {
  name: "png",
  matches: (thing) => begins(thing, "\x89PNG\r\n\x1a\n") && begins(thing, "IHDR", 12) && thing.head.length >= 26,
  async describe({ head }) {
    const view = new DataView(head.buffer, head.byteOffset, head.length);
    return {
      format: { name: "png", title: "PNG picture" },
      isRead: false,
      kind: "picture",
      shape: [view.getUint32(20), view.getUint32(16)],
      axes: ["row", "column"],
      sampleType: `${colours[head[25]] ?? "unknown colours"}, ${head[24]} bits`,
      notes: ["dechirp writes PNG pictures and does not read them"],
    };
  },
};
