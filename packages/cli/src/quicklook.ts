/** Draws quicklook.png: a complex image with axes, scale bar and colour bar, or only its grey levels. */
import { runAbortable } from "@dechirp/core/internal";
import type { ImageAxis } from "@dechirp/pictures";
import type { ReportAxis } from "@dechirp/processor";
import type { GrayPicture, Looks } from "@dechirp/sar";

/** Options of the drawing. */
export interface Drawing {
  /** Draw only the grey levels. Default: false. */
  readonly bare?: boolean;
  /** Decibels from black to white. Default: 40. */
  readonly dynamicRangeDb?: number;
}

/** Axes of the image's rows and columns, as in reports. */
export type ImageAxes =
  | { readonly azimuthMeters: ReportAxis; readonly slantRangeMeters: ReportAxis }
  | { readonly xMeters: ReportAxis; readonly yMeters: ReportAxis };

/** An image to draw. */
export interface DrawnImage {
  readonly title: string;
  /** [row][column] complex, interleaved. */
  readonly image: Float32Array;
  readonly axes: ImageAxes;
}

/** The picture fits a screen, and land and water can be told apart in it. */
const picturing = { maxSide: 1024, dynamicRangeDb: 40, percentile: 99.5 } as const;

/** Options of quicklooks of images whose axes are not known yet. Pixels are square in metres: power is averaged over cells. */
export const drawnOptions = ({ bare: _, ...asked }: Drawing) => ({ ...picturing, ...asked, square: true });

/** Options of the quicklook of an image with these axes. */
export function quicklookOptions(axes: ImageAxes, drawing: Drawing) {
  const { rows, columns } = placed(axes);
  return {
    ...drawnOptions(drawing),
    rowSpacingMeters: Math.abs(rows.step),
    columnSpacingMeters: Math.abs(columns.step),
  };
}

/** Makes the PNG file of an image in memory. Rejects with `aborted` if the signal fires. */
export async function quicklookPng(drawn: DrawnImage, drawing: Drawing, signal: AbortSignal): Promise<Uint8Array> {
  const { quicklookSteps } = await import("@dechirp/sar");
  const { rows, columns } = placed(drawn.axes);
  const options = quicklookOptions(drawn.axes, drawing);
  const grey = await runAbortable(signal, "the quicklook", quicklookSteps(drawn.image, rows.count, columns.count, options));
  return greyPng({ ...drawn, grey }, drawing, signal);
}

/** Makes the PNG file of a quicklook that has been made with `quicklookOptions`. Rejects with `aborted` if the signal fires. */
export async function greyPng(
  { title, axes, grey }: Omit<DrawnImage, "image"> & { readonly grey: GrayPicture & Looks },
  { bare = false, ...asked }: Drawing,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { encodePng } = await import("@dechirp/io");
  const { rows, columns, upwards } = placed(axes);
  if (bare) return encodePng(upwards ? upsideDown(grey) : grey, { signal });
  const options = { ...picturing, ...asked };
  const { imagePng } = await import("@dechirp/pictures/png");
  return imagePng(
    {
      title,
      notes: notesOf(grey, options.percentile),
      ...grey,
      x: pixelAxis(columns, grey.rangeLooks),
      y: pixelAxis(rows, grey.azimuthLooks),
      upwards,
      lowDb: -options.dynamicRangeDb,
      highDb: 0,
    },
    { signal },
  );
}

interface NamedAxis extends ReportAxis {
  readonly label: string;
}

/** Assigns axes to rows and columns. Azimuth increases downwards; y increases upwards, as on a map, whichever way the rows go. */
function placed(axes: ImageAxes): { readonly rows: NamedAxis; readonly columns: NamedAxis; readonly upwards: boolean } {
  return "xMeters" in axes
    ? { rows: { ...axes.yMeters, label: "y" }, columns: { ...axes.xMeters, label: "x" }, upwards: axes.yMeters.step > 0 }
    : { rows: { ...axes.azimuthMeters, label: "azimuth" }, columns: { ...axes.slantRangeMeters, label: "slant range" }, upwards: false };
}

/** The axis of the picture's pixels, each of which is the mean of `looks` cells. */
const pixelAxis = ({ label, start, step }: NamedAxis, looks: number): ImageAxis => ({
  label,
  unit: "m",
  start: start + ((looks - 1) / 2) * step,
  step: step * looks,
});

function notesOf({ lowDb, highDb, azimuthLooks, rangeLooks }: GrayPicture & Looks, percentile: number): readonly string[] {
  const white =
    lowDb === highDb
      ? "No pixel has a finite intensity above zero."
      : `0 dB: intensity |z|² of ${(highDb + 0).toFixed(1).replace("-", "−")} dB, percentile ${percentile} of the pixels.`;
  const [down, across] = [azimuthLooks, rangeLooks].map((looks) => Number(looks.toFixed(2)));
  return [white, ...(down === 1 && across === 1 ? [] : [`A pixel is the mean of ${down} × ${across} cells, down × across.`])];
}

function upsideDown(picture: GrayPicture): GrayPicture {
  const { data, width, height } = picture;
  const turned = new Uint8Array(data.length);
  for (let row = 0; row < height; row++) turned.set(data.subarray(row * width, (row + 1) * width), (height - 1 - row) * width);
  return { ...picture, data: turned };
}
