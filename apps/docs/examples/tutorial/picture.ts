import { mkdir, writeFile } from "node:fs/promises";
import { type ImageAxis, imagePicture } from "@dechirp/pictures";
import { pngOfSvg } from "@dechirp/pictures/png";
import type { ComplexSamples } from "@dechirp/radar";
import { quicklook, rangeSpacingMeters } from "@dechirp/sar";
import { lines, radar, samples } from "./scene.ts";

/** What the rows or columns of an array stand for. */
type ArrayAxis = ImageAxis & { readonly count: number };

/** The rows of raw data: pulses. */
export const slowTime: ArrayAxis = {
  label: "slow time",
  unit: "s",
  start: 0,
  step: 1 / radar.prfHz,
  count: lines,
  metersPerUnit: radar.velocityMetersPerSecond, // for true proportions and the scale bar
};
/** Their columns: samples. */
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

/** The axis of pixels, each of which is the mean of so many cells; the first pixel's middle is the middle of its cells. */
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
