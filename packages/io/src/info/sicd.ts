/** SICD images, and NITF files that are none. Headers and XML are read, no pixel. */
import { isRadarError } from "@dechirp/core";
import { ecefToGeodetic, type Vector3 } from "@dechirp/radar/geodesy";
import type { SicdMetadata } from "../sicd-metadata.ts";
import { viewOf } from "./geometry.ts";
import type { InfoPlace } from "./report.ts";
import { begins, type Description, type InfoRow, quoted, withFile } from "./thing.ts";

/** NITF files: SICD images, and others, which are not read. */
export const sicd: InfoRow = {
  name: "sicd",
  matches: (thing) => begins(thing, "NITF") || begins(thing, "NSIF"),
  describe: (thing) =>
    withFile(thing, async (access): Promise<Description> => {
      const [{ openSicd }, projection] = await Promise.all([import("../sicd-reader.ts"), import("../sicd-projection.ts")]);
      try {
        const { metadata, notes } = await openSicd(access, { file: thing.path, ...thing.reading });
        const { collection, image, grid, processing, transmitHz } = metadata;
        const file = quoted(thing.path);
        return {
          format: { name: "sicd", title: "SICD image", version: metadata.version },
          isRead: true,
          kind: "image",
          name: collection.name,
          shape: [image.rows, image.columns],
          axes: ["row", "column"],
          sampleType: image.pixelType,
          radar: {
            collector: collection.collector,
            mode: collection.mode,
            collectType: collection.type,
            carrierHz: (processing.hz[0] + processing.hz[1]) / 2,
            bandHz: transmitHz,
            ...(metadata.prfHz !== undefined && { prfHz: metadata.prfHz }),
            polarisation: processing.polarisation,
            startUtc: metadata.start,
            durationSeconds: metadata.durationSeconds,
          },
          place: placeOf(metadata, projection),
          details: {
            classification: collection.classification,
            plane: grid.plane,
            grid: grid.type,
            algorithm: processing.algorithm,
            rowSpacingMeters: grid.row.spacingMeters,
            columnSpacingMeters: grid.column.spacingMeters,
            rowResolutionMeters: grid.row.responseWidthMeters,
            columnResolutionMeters: grid.column.responseWidthMeters,
            ...(metadata.creation?.application !== undefined && { application: metadata.creation.application }),
          },
          commands: [`dechirp convert ${file} map.tif`, `dechirp convert ${file} image.npy`, `dechirp convert ${file} picture.png`],
          notes,
        };
      } catch (error) {
        if (!(isRadarError(error, "input") && error.fields["field"] === "the file")) throw error;
        return {
          format: { name: "nitf", title: "NITF file without a SICD image" },
          isRead: false,
          kind: "picture",
          notes: ["of NITF files, only SICD images are read"],
        };
      }
    }),
};

/** The place of the image's middle: the scene centre point if it is there, which it need not be in a part of a larger image. */
function placeOf(metadata: SicdMetadata, { sicdScpCoa, sicdToGround }: typeof import("../sicd-projection.ts")): InfoPlace {
  const { scp, corners, image } = metadata;
  const { positionMeters, velocityMetersPerSecond } = sicdScpCoa(metadata);
  const [row, column] = [(image.rows - 1) / 2, (image.columns - 1) / 2];
  const isScp = Math.hypot(row + image.firstRow - scp.row, column + image.firstColumn - scp.column) <= 1;
  const middle = isScp ? undefined : pointOf(() => sicdToGround(metadata, { row, column }));
  const view = viewOf(positionMeters, velocityMetersPerSecond, middle ?? scp.ecefMeters);
  const centre = middle ? ecefToGeodetic(middle) : scp.geodetic;
  return { centre, ...(corners.length === 4 && { corners }), ...(view && { view }) };
}

/** The point of a pixel, or undefined if it shows none. */
function pointOf(find: () => Vector3): Vector3 | undefined {
  try {
    return find();
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    return undefined;
  }
}
