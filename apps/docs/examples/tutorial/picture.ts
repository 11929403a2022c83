import { mkdir, writeFile } from "node:fs/promises";
import { type ImageAxis, imagePicture } from "@dechirp/pictures";
import { pngOfSvg } from "@dechirp/pictures/png";
import type { ComplexSamples } from "@dechirp/radar";
import { quicklook, rangeSpacingMeters } from "@dechirp/sar";
import { lines, radar, samples } from "./scene.ts";

/** The physical axis of the rows or columns of an array. */
type ArrayAxis = ImageAxis & { readonly count: number };

/** The rows of the raw data: pulses. */
export const slowTime: ArrayAxis = {
  label: "slow time",
  unit: "s",
  start: 0,
  step: 1 / radar.prfHz,
  count: lines,
  metersPerUnit: radar.velocityMetersPerSecond, // gives true proportions, and the scale bar
};
/** The columns of the raw data: samples. */
export const slantRange: ArrayAxis = {
  label: "slant range",
  unit: "m",
  start: radar.nearRangeMeters,
  step: rangeSpacingMeters(radar),
  count: samples,
};

/** Writes a picture of complex data [row][column] to the folder `out`: 40 dB from black to white. */
export async function savePicture(file: string, title: string, data: ComplexSamples, rows: ArrayAxis, columns: ArrayAxis): Promise<void> {
  const spacing = { rowSpacingMeters: rows.step * (rows.metersPerUnit ?? 1), columnSpacingMeters: columns.step };
  const grey = quicklook(data, rows.count, columns.count, { ...spacing, square: true, maxSide: 400, dynamicRangeDb: 40 });
  const [y, x] = [averaged(rows, grey.azimuthLooks), averaged(columns, grey.rangeLooks)];
  await savePng(file, await imagePicture({ title, ...grey, x, y, unit: "|z|², dB" }));
}

/** The axis of an image whose pixels are means of `cells` neighbouring samples of `axis`. A pixel lies at the middle of its samples. */
export const averaged = <A extends ImageAxis>(axis: A, cells: number): A => ({
  ...axis,
  start: axis.start + ((cells - 1) / 2) * axis.step,
  step: cells * axis.step,
});

/** Writes a picture to the folder `out`. */
export async function savePng(file: string, svg: string): Promise<void> {
  await mkdir("out", { recursive: true });
  await writeFile(`out/${file}`, await pngOfSvg(svg));
}
