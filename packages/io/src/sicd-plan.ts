/**
 * Makes the metadata of a SICD image of what an image's metadata says about its place and its collection, and the order in which its pixels
 * are stored. SICD wants rows to go to larger ranges, and columns so that the image is seen from above; so images are transposed and turned
 * as needed. sicd-plane.ts plans backprojected images, and sicd-slant.ts range-Doppler images. Source: NGA.STND.0024-1, sections 3 and 4.
 */
import { inputError, isRadarError, type Layout, messageOf } from "@dechirp/core";
import { ecefToGeodetic } from "@dechirp/radar/geodesy";
import type { ImageMetadata } from "./image-sink.ts";
import { checkCollection } from "./sicd-collection.ts";
import type { SicdPlan, SicdVersion } from "./sicd-grid.ts";
import type { SicdMetadata } from "./sicd-metadata.ts";
import { planPlane } from "./sicd-plane.ts";
import { sicdToGround } from "./sicd-projection.ts";
import { planSlant } from "./sicd-slant.ts";

/**
 * Plans the SICD image of an image [rows][columns]. Its metadata must have a placement of kind `plane` (of a backprojected image) or `slant`
 * (of a range-Doppler or ω-K image), and a collection. Throws `input`, which names the member, if one is missing, wrong, or can't be
 * described in SICD.
 */
export function planSicd(layout: Layout, { placement, collection }: ImageMetadata, version: SicdVersion): SicdPlan {
  if (placement === undefined) throw inputError("metadata.placement", "given, as SICD images have a place", placement);
  if (collection === undefined) throw inputError("metadata.collection", "given, as SICD images say how they were collected", collection);
  checkCollection(collection, "metadata.collection");
  const [rows, columns] = layout.shape;
  if (!(rows > 1 && columns > 1)) throw inputError("layout.shape", "at least two rows and two columns", layout.shape);
  const { algorithm } = collection.processing;
  const kind = algorithm === "backprojection" ? "plane" : "slant";
  if (placement.kind !== kind) throw inputError("metadata.placement.kind", `${kind} for an image by ${algorithm}`, placement.kind);
  const planned =
    placement.kind === "plane"
      ? planPlane(rows, columns, placement, collection, version)
      : planSlant(rows, columns, placement, collection, version);
  return { ...planned, metadata: { ...planned.metadata, corners: cornersOf(planned.metadata) } };
}

/** The corners on the ground, at the height of the scene centre point. */
function cornersOf(metadata: SicdMetadata): SicdMetadata["corners"] {
  const [row, column] = [metadata.image.rows - 1, metadata.image.columns - 1];
  const pixels = [
    [0, 0],
    [0, column],
    [row, column],
    [row, 0],
  ];
  return pixels.map(([r, c]) => {
    try {
      const { latitudeDegrees, longitudeDegrees } = ecefToGeodetic(sicdToGround(metadata, { row: r, column: c }));
      return { latitudeDegrees, longitudeDegrees };
    } catch (error) {
      if (!isRadarError(error)) throw error;
      throw inputError("metadata.placement", "of an image whose corners are on the ground", messageOf(error));
    }
  });
}
