/**
 * Windows of an image: rectangles of its pixels that are computed by themselves, with the same bits as the whole image. For that, a window
 * lies on the block lattice: it begins and ends where blocks of tiles do, so that its tiles have the anchors that they have in the whole
 * image. Data and their checks. Nothing here depends on pulses.
 */
import { inputError } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";

/** The pixels (ix … ix + nx − 1, iy … iy + ny − 1) of a grid. */
export interface GridWindow {
  /** The first pixel of each row. */
  readonly ix: number;
  /** The first row. */
  readonly iy: number;
  /** Pixels of a row. */
  readonly nx: number;
  /** Number of rows. */
  readonly ny: number;
}

/** Pixels of a grid along x and y. */
export interface Extent {
  readonly nx: number;
  readonly ny: number;
}

const fieldsOfWindow: FieldsOf<GridWindow> = { ix: "number", iy: "number", nx: "number", ny: "number" };

/** The window that is the whole image. */
export const wholeImage = ({ nx, ny }: Extent): GridWindow => ({ ix: 0, iy: 0, nx, ny });

/** Distance in pixels between the lines of the block lattice, along both axes: the edge of a block of tiles, or of a tile. */
export const latticePixels = ({ tile, blockTiles }: { readonly tile: number; readonly blockTiles: number }): number =>
  tile * Math.max(1, blockTiles);

/**
 * Throws `input`, naming `field`, unless `window` is a window of `grid` on a lattice of `lattice` pixels. With `round`, a window off the
 * lattice is extended to it. Returns the window that is computed.
 */
export function checkGridWindow(window: GridWindow, grid: Extent, lattice: number, field: string, round = false): GridWindow {
  checkFields(window, fieldsOfWindow, field, "input", `${field}.`);
  const axes = [
    ["ix", "nx"],
    ["iy", "ny"],
  ] as const;
  for (const [at, count] of axes) {
    const most = grid[count];
    if (!(Number.isInteger(window[at]) && window[at] >= 0 && window[at] < most))
      throw inputError(`${field}.${at}`, `an integer from 0 to ${most - 1}`, window[at]);
    if (!(Number.isInteger(window[count]) && window[count] >= 1 && window[at] + window[count] <= most))
      throw inputError(`${field}.${count}`, `an integer from 1 to ${most - window[at]}`, window[count]);
  }
  if (round) return roundedOut(window, grid, lattice);
  for (const [at, count] of axes) {
    const end = window[at] + window[count];
    if (window[at] % lattice !== 0 || (end % lattice !== 0 && end !== grid[count])) {
      const expected = `on the block lattice: from a multiple of ${lattice} pixels to another or to the end of the image, along x and y`;
      throw inputError(field, expected, `${window.nx} × ${window.ny} pixels from (${window.ix}, ${window.iy})`);
    }
  }
  return { ...window };
}

/** The smallest window on the lattice that contains `window`. */
function roundedOut({ ix, iy, nx, ny }: GridWindow, grid: Extent, lattice: number): GridWindow {
  const low = (first: number): number => Math.floor(first / lattice) * lattice;
  const high = (end: number, most: number): number => Math.min(Math.ceil(end / lattice) * lattice, most);
  const [x, y] = [low(ix), low(iy)];
  return { ix: x, iy: y, nx: high(ix + nx, grid.nx) - x, ny: high(iy + ny, grid.ny) - y };
}

/**
 * The windows of an image in order, row by row: each has `nx` × `ny` pixels, which are multiples of the lattice; the last of a row and of
 * a column may have fewer.
 */
export function* gridWindows(grid: Extent, [nx, ny]: readonly [nx: number, ny: number]): Generator<GridWindow, void> {
  for (let iy = 0; iy < grid.ny; iy += ny)
    for (let ix = 0; ix < grid.nx; ix += nx) yield { ix, iy, nx: Math.min(nx, grid.nx - ix), ny: Math.min(ny, grid.ny - iy) };
}
