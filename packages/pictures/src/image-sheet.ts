/** The sheet of an image with axes: where its parts are, and the pixels in it. */
import { inputError } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import type { PngImage } from "@dechirp/io";
import type { Axis, Mark } from "vega";
import { checkSignal } from "./check.ts";
import { barLabels, barWidth, colourBar } from "./colour-bar.ts";
import { type ColourMap, colourMap, colourMapNames } from "./colours.ts";
import type { ImageAxis, ImagePicture } from "./image.ts";
import type { PictureOptions } from "./options.ts";
import { pngUrl } from "./raster.ts";
import {
  header,
  plotArea,
  rasterUrl,
  rectMark,
  ruleMark,
  type Sheet,
  textMark,
  textSize,
  titleBelow,
  titleBeside,
  valuesOf,
} from "./sheet.ts";
import { textWidth } from "./text.ts";
import { lengthText, niceLength, scaledUnit } from "./units.ts";

/** Largest and smallest length of an image's longer side, in pixels of the picture. */
const longestSide = 1024;
const shortestLongSide = 400;
/** An image narrower than this many pixels is drawn this wide. */
const narrowest = 16;
/** Margins. The top margin depends on the text there. */
const margin = { left: 100, right: 16, bottom: 50 };
const barGap = 16;
/** Shortest and longest colour bar. */
const barHeights = { least: 130, most: 420 };
/** Smallest width, so that titles have room beside narrow images. */
const leastWidth = 460;
/** Height of the space for a scale bar below the axis's title. */
const scaleBarRoom = 28;
/** Length of a scale bar: at most this share of the image, within these limits in pixels. */
const scaleBar = { share: 0.3, least: 60, most: 240 };

/** A picture as a sheet, and the pixels in it, first row at the top, with the place where they are drawn. */
export interface ImageSheet {
  readonly sheet: Sheet;
  readonly pixels: PngImage;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Makes the sheet of an image, with its pixels or without them. Rejects as `imagePicture` does. */
export async function imageSheet(image: ImagePicture, options: PictureOptions, hasPixels: boolean): Promise<ImageSheet> {
  checkImage(image);
  checkSignal(options);
  const { title, notes = [], width: columns, height: rows, data, upwards = false, lowDb, highDb, unit = "dB" } = image;
  const metric = [image.x, image.y].map(({ unit: name, metersPerUnit }) => metersPerUnit ?? (name === "m" ? 1 : undefined));
  const [xMeters, yMeters] = metric.includes(undefined)
    ? []
    : [image.x, image.y].map(({ step }, i) => Math.abs(step) * (metric[i] as number));
  const size = sizeOf(columns, rows, xMeters ?? 1, yMeters ?? 1);
  const { width, height } = size;
  const barHeight = Math.min(barHeights.most, Math.max(barHeights.least, height));
  const sheetWidth = Math.max(leastWidth, margin.left + width + barGap + barWidth + barLabels + margin.right);
  const head = header(title, [...notes, size.note], margin.left, sheetWidth - margin.left - margin.right);
  const top = head.bottom + 18;
  const sheetHeight = Math.max(top + height + margin.bottom + (xMeters === undefined ? 0 : scaleBarRoom), top + barHeight + 24);
  const colours = await colourMap(image.colours ?? "grey");
  const rowsDown = { width: columns, height: rows, data: upwards ? upsideDown(data, columns) : data };
  // Enlarged here, because renderers differ in how they draw enlarged images.
  const levels = size.pixels >= 2 ? enlarged(rowsDown, Math.round(width), Math.round(height)) : rowsDown;
  const pixels = image.colours === undefined || image.colours === "grey" ? levels : coloured(levels, colours);
  const x = axisOf(image.x, columns);
  const y = axisOf(image.y, rows);
  const marks: Mark[] = [
    ...head.marks,
    plotArea({
      name: "image",
      left: margin.left,
      top,
      width,
      height,
      scales: [
        { name: "x", type: "linear", domain: x.edges, range: [0, width], zero: false },
        { name: "y", type: "linear", domain: y.edges, range: upwards ? [height, 0] : [0, height], zero: false },
      ],
      axes: [
        { orient: "bottom", scale: "x", title: x.title, ...ticksOf(x.edges, width, 90), ...titleBelow(width), ...axisLine },
        {
          orient: "left",
          scale: "y",
          title: y.title,
          ...ticksOf(y.edges, height, 60),
          ...titleBeside(height, margin.left),
          // For a low image the centred title would begin above the sheet.
          titleY: Math.max(height / 2, textWidth(y.title, textSize.axis) / 2 - top + 8),
          ...axisLine,
        },
      ],
      marks: [
        ...(hasPixels ? [pixelMark(width, height, size.pixels < 2)] : []),
        rectMark("frame", [-0.5, -0.5, width + 0.5, height + 0.5], { stroke: "#000" }),
      ],
    }),
    ...colourBar({ left: margin.left + width + barGap, top, height: barHeight, colours, lowDb, highDb, unit }),
    ...(xMeters === undefined ? [] : scaleBarMarks(width / (columns * xMeters), width, margin.left, top + height + margin.bottom + 6)),
  ];
  const rasters = hasPixels ? [await pngUrl(pixels, options)] : [];
  return { sheet: { width: sheetWidth, height: sheetHeight, title, rasters, marks }, pixels, left: margin.left, top, width, height };
}

const pixelMark = (width: number, height: number, smooth: boolean): Mark => ({
  type: "image",
  name: "pixels",
  encode: { enter: valuesOf({ url: rasterUrl(0), x: 0, y: 0, width, height, aspect: false, smooth }) },
});

/** The frame of the image serves as the axes' lines. */
const axisLine = { domain: false, offset: 1 } as const;

/** Ticks at round numbers, about `apart` pixels apart, or one in the middle if there is no room for several. */
function ticksOf(edges: readonly [number, number], pixels: number, apart: number): Partial<Axis> {
  if (pixels < apart) return { values: [Number(((edges[0] + edges[1]) / 2).toPrecision(6))], format: ".6~g" };
  return { tickCount: Math.max(2, Math.round(pixels / apart)), format: "f" };
}

interface Size {
  readonly width: number;
  readonly height: number;
  /** Pixels of the picture per pixel of the image, on the side where it is smaller. */
  readonly pixels: number;
  readonly note?: string;
}

/** Chooses the size of the drawn image. */
function sizeOf(columns: number, rows: number, xMeters: number, yMeters: number): Size {
  const fine = Math.min(xMeters, yMeters);
  // A pixel of the finer side is one pixel of the picture, so that none is left out.
  const [width, height] = [(columns * xMeters) / fine, (rows * yMeters) / fine];
  const longer = Math.max(width, height);
  const scale = longer > longestSide ? longestSide / longer : Math.max(1, Math.ceil(shortestLongSide / longer));
  const drawn = { width: Math.round(width * scale), height: Math.round(height * scale), pixels: scale };
  const narrow = drawn.width < drawn.height ? "width" : "height";
  if (drawn[narrow] >= narrowest) return drawn;
  const ratio = Number((narrowest / (scale * Math.min(width, height))).toPrecision(2));
  return { ...drawn, [narrow]: narrowest, note: `Not in true proportions: the ${narrow} is drawn ${ratio} times as large as it is.` };
}

/** Converts an axis to the unit in which it is shown. */
function axisOf({ label, unit, start, step }: ImageAxis, count: number): { readonly edges: [number, number]; readonly title: string } {
  const edges = [start - step / 2, start + (count - 0.5) * step];
  const { name, factor } = scaledUnit(unit, Math.max(...edges.map(Math.abs)));
  return { edges: edges.map((value) => value * factor) as [number, number], title: name === "" ? label : `${label}, ${name}` };
}

/** Draws a scale bar of a round length, with the length beside it. */
function scaleBarMarks(pixelsPerMeter: number, width: number, left: number, y: number): readonly Mark[] {
  const most = Math.min(scaleBar.most, Math.max(scaleBar.least, scaleBar.share * width));
  const meters = niceLength(most / pixelsPerMeter);
  const right = left + meters * pixelsPerMeter;
  const style = { stroke: "#000", strokeWidth: 2 };
  return [
    ruleMark("scale-bar", [left, y, right, y], style),
    ...[left, right].map((x) => ruleMark("scale-bar-end", [x, y - 5, x, y + 5], style)),
    textMark("scale-bar-length", lengthText(meters), right + 8, y + 4),
  ];
}

/** Repeats each pixel to the right and downwards. */
function enlarged({ width: columns, height: rows, data }: PngImage, width: number, height: number): PngImage {
  const larger = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = columns * Math.floor(((y + 0.5) * rows) / height);
    for (let x = 0; x < width; x++) larger[width * y + x] = data[row + Math.floor(((x + 0.5) * columns) / width)];
  }
  return { width, height, data: larger };
}

/** Levels as red, green, blue and opacity. */
function coloured({ width, height, data }: PngImage, colours: ColourMap): PngImage {
  const pixels = new Uint8Array(4 * data.length).fill(255);
  for (let i = 0; i < data.length; i++)
    for (let channel = 0; channel < 3; channel++) pixels[4 * i + channel] = colours[3 * data[i] + channel];
  return { width, height, data: pixels };
}

function upsideDown(data: Uint8Array | Uint8ClampedArray, columns: number): Uint8Array {
  const turned = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += columns) turned.set(data.subarray(at, at + columns), data.length - columns - at);
  return turned;
}

function checkImage(image: ImagePicture): void {
  if (typeof image !== "object" || image === null) throw inputError("image", "an image", image);
  const { title, notes, unit, lowDb, highDb, width, height, data } = image;
  if (typeof title !== "string") throw inputError("title", "text", title);
  if (notes !== undefined && !(Array.isArray(notes) && notes.every((note) => typeof note === "string")))
    throw inputError("notes", "a list of texts", notes);
  if (unit !== undefined && typeof unit !== "string") throw inputError("unit", "text", unit);
  for (const [field, extent] of Object.entries({ width, height })) {
    if (!Number.isInteger(extent) || extent < 1 || extent > 65535) throw inputError(field, "an integer from 1 to 65535", extent);
  }
  if (!isArrayOf(data, Uint8Array, Uint8ClampedArray) || data.length !== width * height)
    throw inputError("data", `${height} · ${width} bytes`, data);
  if (image.colours !== undefined && !colourMapNames.includes(image.colours))
    throw inputError("colours", colourMapNames.join(" or "), image.colours);
  if (!Number.isFinite(lowDb)) throw inputError("lowDb", "a finite number", lowDb);
  if (!Number.isFinite(highDb) || highDb <= lowDb) throw inputError("highDb", "a number above lowDb", highDb);
  for (const name of ["x", "y"] as const) {
    const axis = image[name];
    for (const field of ["label", "unit"] as const)
      if (typeof axis?.[field] !== "string") throw inputError(`${name}.${field}`, "text", axis?.[field]);
    const { start, step, metersPerUnit = 1 } = axis;
    if (!Number.isFinite(start)) throw inputError(`${name}.start`, "a finite number", start);
    if (!Number.isFinite(step) || step === 0) throw inputError(`${name}.step`, "a finite number other than 0", step);
    if (!Number.isFinite(metersPerUnit) || metersPerUnit <= 0)
      throw inputError(`${name}.metersPerUnit`, "a positive number of metres", metersPerUnit);
  }
}
