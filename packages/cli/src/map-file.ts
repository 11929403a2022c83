/** Maps of images that are in slant range or on a plane, as GeoTIFF files: the height of the ground, geocoding into a sink, and the note about it. */
import type { ImageSink } from "@dechirp/io";
import type { ImagePlacement } from "@dechirp/radar";
import type { GeocodedMap, GeocodeSource } from "@dechirp/sar/geocoding";

/** The height above the ellipsoid of the ground that an image shows, as far as its placement says: that of its middle; 0 in slant range. */
export async function groundHeight(placement: ImagePlacement, [rows, columns]: readonly [rows: number, columns: number]): Promise<number> {
  if (placement.kind === "map") return placement.heightMeters ?? 0;
  if (placement.kind === "slant") return 0;
  const { ecefToGeodetic } = await import("@dechirp/radar/geodesy");
  const { originMeters, rowStepMeters: u, columnStepMeters: v } = placement;
  const at = (k: 0 | 1 | 2): number => originMeters[k] + (u[k] * (rows - 1)) / 2 + (v[k] * (columns - 1)) / 2;
  return ecefToGeodetic([at(0), at(1), at(2)]).heightMeters;
}

/** Fills a sink with the map of an image. `onProgress` hears the share that is made. Rejects as `geocode` does. */
export async function geocodeInto(
  sink: Pick<ImageSink, "write">,
  source: GeocodeSource,
  placement: ImagePlacement,
  map: GeocodedMap,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> {
  const { geocode } = await import("@dechirp/sar/geocoding");
  let done = 0;
  const write: ImageSink["write"] = async (window, data, given) => {
    await sink.write(window, data, given);
    done += window.rows * window.columns;
    onProgress(done / (map.rows * map.columns));
  };
  await geocode(source, placement, map, { write }, { signal });
}

/** What users should know of a map. */
export function mapNote(name: string, { rows, columns, placement }: GeocodedMap): string {
  const unit = placement.epsg === 4326 ? "degrees" : "m";
  const [step, height] = [Number(placement.columnStep.toPrecision(6)), Number((placement.heightMeters ?? 0).toFixed(2))];
  const size = `${rows} × ${columns} pixels of ${step} ${unit} (EPSG:${placement.epsg})`;
  return `${name} is a map of ${size}, geocoded to the ellipsoid at a height of ${height} m; terrain is not considered`;
}
