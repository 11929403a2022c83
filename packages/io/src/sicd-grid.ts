/**
 * What the plans of all SICD images share: the order of pixels, the members that do not depend on the kind of image, and the directions of
 * the grid with their bands and windows.
 */
import { inputError } from "@dechirp/core";
import { type ImageCollection, type Window, windowFunction, windowTheory } from "@dechirp/radar";
import type { Vector3 } from "@dechirp/radar/geodesy";
import type { Polynomial2, SicdDirection, SicdMetadata, SicdWindow } from "./sicd-metadata.ts";
import { fitPolynomial2, valueAt2 } from "./sicd-vectors.ts";

/** Versions of SICD that can be written. */
export type SicdVersion = "1.3.0" | "1.4.0";

/** How the pixels of an image become those of a SICD image. */
export interface PixelOrder {
  /** Whether rows of the SICD image are columns of the image. */
  readonly transposed: boolean;
  /** Whether the SICD image's rows, or columns, go from the last to the first of the image's. */
  readonly reversedRows: boolean;
  readonly reversedColumns: boolean;
  /** Row and column of the SICD image where pixels keep their phase. */
  readonly row: number;
  readonly column: number;
  /** Carriers that are removed: cycles per pixel along rows' and columns' increasing index of the SICD image. */
  readonly rowCycles: number;
  readonly columnCycles: number;
}

/** A SICD image that is to be written. */
export interface SicdPlan {
  readonly metadata: SicdMetadata;
  readonly order: PixelOrder;
}

/** The range window belongs to rows and the azimuth window to columns. */
export const windowsOf = ({ processing: { rangeWindow, azimuthWindow } }: ImageCollection): readonly [row: Window, column: Window] => [
  rangeWindow ?? { kind: "rect" },
  azimuthWindow ?? { kind: "rect" },
];

/** What an image has that does not depend on its kind. */
export function commonOf(
  collection: ImageCollection,
  version: SicdVersion,
): Omit<SicdMetadata, "image" | "scp" | "corners" | "grid" | "path" | "inca"> {
  const { processing, polarisation, transmitHz, prfHz } = collection;
  const { transmit, receive } = polarisation ?? { transmit: "UNKNOWN", receive: "UNKNOWN" };
  const unknown = transmit === "UNKNOWN" || receive === "UNKNOWN";
  const channel = unknown ? "UNKNOWN" : `${transmit}:${receive}`;
  return {
    version,
    collection: {
      collector: collection.collector,
      name: collection.name,
      type: "MONOSTATIC",
      mode: collection.mode.toUpperCase(),
      ...(collection.modeName !== undefined && { modeId: collection.modeName }),
      classification: collection.classification ?? "UNCLASSIFIED",
    },
    creation: { application: processing.application ?? "dechirp" },
    start: collection.start,
    durationSeconds: collection.durationSeconds,
    ...(prfHz !== undefined && { prfHz }),
    transmitHz: [transmitHz[0], transmitHz[1]],
    channels: [channel],
    processing: {
      algorithm: processing.algorithm === "backprojection" ? "OTHER" : "RMA",
      polarisation: channel,
      seconds: [processing.seconds[0], processing.seconds[1]],
      hz: [processing.bandHz[0], processing.bandHz[1]],
      autofocus: processing.autofocus ? "GLOBAL" : "NO",
    },
  };
}

/** Places along each side of an image at which polynomials are fitted. */
const gridSamples = 9;

/** The grid of a SICD image: its size, the pixel of its scene centre point, and its spacing. */
export interface Grid {
  readonly rows: number;
  readonly columns: number;
  /** Pixel of the scene centre point: the middle. */
  readonly row: number;
  readonly column: number;
  readonly rowSpacingMeters: number;
  readonly columnSpacingMeters: number;
  /** What the metadata says about an image of this size, which is whole. */
  readonly image: SicdMetadata["image"];
  /** Metres of the corners from the scene centre point. */
  readonly corners: readonly (readonly [x: number, y: number])[];
  /** Fits a polynomial of (x, y), with these orders, to a function over the image. */
  fit(orderX: number, orderY: number, value: (x: number, y: number) => number): Polynomial2;
}

/** Makes the grid of an image of a size. */
export function createGrid(rows: number, columns: number, rowSpacingMeters: number, columnSpacingMeters: number): Grid {
  const [row, column] = [Math.floor(rows / 2), Math.floor(columns / 2)];
  const xOf = (i: number): number => (i - row) * rowSpacingMeters;
  const yOf = (k: number): number => (k - column) * columnSpacingMeters;
  return {
    rows,
    columns,
    row,
    column,
    rowSpacingMeters,
    columnSpacingMeters,
    image: { pixelType: "RE32F_IM32F", rows, columns, firstRow: 0, firstColumn: 0, fullRows: rows, fullColumns: columns },
    corners: [0, rows - 1].flatMap((i) => [0, columns - 1].map((k) => [xOf(i), yOf(k)] as const)),
    fit(orderX, orderY, value) {
      const samples = Array.from({ length: gridSamples * gridSamples }, (_, k) => {
        const x = xOf(((rows - 1) * Math.floor(k / gridSamples)) / (gridSamples - 1));
        const y = yOf(((columns - 1) * (k % gridSamples)) / (gridSamples - 1));
        return { x, y, value: value(x, y) };
      });
      return fitPolynomial2(samples, orderX, orderY);
    },
  };
}

/** What a direction of a grid is made of. */
export interface DirectionFacts {
  readonly unitVector: Vector3;
  readonly spacing: number;
  /** Centre and width of the band, in cycles per metre. */
  readonly centre: number;
  readonly width: number;
  /** Middle of the band relative to its centre, of (x, y). */
  readonly middle: Polynomial2;
  readonly window: Window;
  readonly grid: Grid;
  /** Member of the placement that has the spacing. */
  readonly field: string;
}

/** Makes a direction of a grid. Throws `input` if its spacing is too large for its band. */
export function directionOf({ unitVector, spacing, centre, width, middle, window, grid, field }: DirectionFacts): SicdDirection {
  if (!(width * spacing <= 1))
    throw inputError(
      `metadata.placement.${field}`,
      `at most ${1 / width} m, so that the pixels hold the band of ${width} cycles per metre`,
      spacing,
    );
  const middles = grid.corners.map(([x, y]) => valueAt2(middle, x, y));
  const [least, largest] = [Math.min(...middles) - width / 2, Math.max(...middles) + width / 2];
  // A band beyond the frequencies that the spacing has is wrapped, so that it has all of them.
  const nyquist = 0.5 / spacing;
  const wrapped = least < -nyquist || largest > nyquist;
  return {
    unitVector,
    spacingMeters: spacing,
    responseWidthMeters: windowTheory(window).irwTimesBandwidth / width,
    sign: -1,
    bandwidthCyclesPerMeter: width,
    centreCyclesPerMeter: centre,
    edgesCyclesPerMeter: wrapped ? [-nyquist, nyquist] : [least, largest],
    middleCyclesPerMeter: middle,
    window: windowNameOf(window),
    ...(window.kind !== "rect" && { weights: weightsOf(window) }),
  };
}

const weightSamples = 65;

/** Samples of a window from one edge of the band to the other. */
const weightsOf = (window: Window): readonly number[] => {
  const w = windowFunction(window);
  return Array.from({ length: weightSamples }, (_, i) => w(i / (weightSamples - 1) - 0.5));
};

/** The name of a window in SICD, with its parameters. */
function windowNameOf(window: Window): SicdWindow {
  switch (window.kind) {
    case "rect":
      return { name: "UNIFORM", parameters: {} };
    case "hamming":
      return { name: "HAMMING", parameters: { COEFFICIENT: "0.54" } };
    case "hann":
      return { name: "HANNING", parameters: {} };
    case "kaiser":
      return { name: "KAISER", parameters: { BETA: String(window.beta) } };
    case "taylor":
      return { name: "TAYLOR", parameters: { NBAR: String(window.nbar), SLL: String(window.sidelobeDb) } };
    case "chebyshev":
      return { name: "CHEBYSHEV", parameters: { SLL: String(window.sidelobeDb) } };
  }
}
