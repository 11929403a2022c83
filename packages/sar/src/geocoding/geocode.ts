/**
 * Images of slant range as maps: for every pixel of the map the place in the image, and the image's power there. Tile by tile, with a few
 * MB of the image in memory.
 *
 * Complex images are interpolated as complex numbers, about the middle of their spectrum, because their power is sampled too coarsely to be
 * interpolated; phases on a map would mean nothing without the path of the waves, so the map has amplitudes.
 */
import { createPause, inputError, isRadarError, type Layout, messageOf, type Pause, RadarError, type TypedArrayOf } from "@dechirp/core";
import { checkFields, checkObject, isArrayOf } from "@dechirp/core/internal";
import { checkPlacement, type ImagePlacement, type ImageWindow } from "@dechirp/radar";
import { geodeticToEcef, mapProjection } from "@dechirp/radar/geodesy";
import { type InterpolatorSpec, type InterpolatorTable, interpolatorTable } from "@dechirp/radar/interpolation";
import { createImageGeometry } from "./geometry.ts";
import { checkShape, type GeocodedMap } from "./map-of-image.ts";

/** An image that can be read by windows, such as a sink before it is finished. */
export interface GeocodeSource {
  /** c64, or f32 for amplitudes; shape [rows][columns]. */
  readonly layout: Layout;
  /** Pixels of a window, [rows][columns]. */
  read(window: ImageWindow, options?: { readonly signal?: AbortSignal }): Promise<TypedArrayOf>;
}

/** What takes the map by windows, such as a sink of f32. */
export interface GeocodeSink {
  write(window: ImageWindow, data: Float32Array, options?: { readonly signal?: AbortSignal }): Promise<void>;
}

/** Options of `geocode`. */
export interface GeocodeOptions {
  /** Kernel of both axes. Default: a sinc of 12 taps with Kaiser's window, −42 dB of error if the band is 1/1.2 of the sampling rate. */
  readonly interpolator?: InterpolatorSpec;
  readonly signal?: AbortSignal;
}

/** Rows and columns of the windows that are written. */
const tileSide = 256;
/** Pixels of the image in memory; tiles that need more are divided. */
const mostPixels = 2 ** 22;
/** Pixels between places that are computed exactly, at most. */
const nodeStep = 16;
/** Places between them may be wrong by so many pixels of the image. */
const placeError = 0.01;
/** Values of a map's pixel along each axis, at most. */
const mostLooks = 16;
const [usualKernel, oversampling, phases] = [{ kind: "sinc", taps: 12, window: "kaiser" } as const, 1.2, 256];

/**
 * Writes the map of an image. Pixels have the image's amplitude on the ellipsoid at the map's height, NaN where the image shows nothing;
 * where the map is coarser than the image, the root of the mean power. Windows come by rows of tiles of 256 × 256. Rejects with `input` for
 * bad arguments and if the image is neither complex nor of amplitudes, with what the source or the sink reject with, and with `aborted`.
 */
export async function geocode(
  source: GeocodeSource,
  placement: ImagePlacement,
  map: GeocodedMap,
  sink: GeocodeSink,
  options: GeocodeOptions = {},
): Promise<void> {
  checkFields(options, { interpolator: true, signal: "object" }, "the options of geocode");
  checkObject(source, "source", "input");
  if (typeof source.read !== "function") throw inputError("source.read", "a function", source.read);
  checkObject(source.layout, "source.layout", "input");
  const { dtype, shape } = source.layout;
  if (dtype !== "c64" && dtype !== "f32") throw inputError("source.layout.dtype", "c64 or f32", dtype);
  checkShape(shape, "source.layout.shape");
  checkObject(map, "map", "input");
  if (map.placement?.kind !== "map") throw inputError("map.placement.kind", "map", map.placement?.kind);
  checkObject(sink, "sink", "input");
  if (typeof sink.write !== "function") throw inputError("sink.write", "a function", sink.write);
  checkPlacement(map.placement, "map.placement");
  checkShape([map.rows, map.columns], "map.rows and map.columns");
  const { interpolator = usualKernel, signal } = options;
  const kernel = interpolatorTable(interpolator, { oversampling, phases });
  const places = placesOf(placement, shape[0], map);
  const pause = createPause("geocoding", signal);
  const work: Work = { source, shape: [shape[0], shape[1]], complex: dtype === "c64", kernel, places, pause, ...(signal && { signal }) };
  for (let row = 0; row < map.rows; row += tileSide)
    for (let column = 0; column < map.columns; column += tileSide) {
      const window = { row, column, rows: Math.min(tileSide, map.rows - row), columns: Math.min(tileSide, map.columns - column) };
      const out = new Float32Array(window.rows * window.columns).fill(Number.NaN);
      await fill(work, window, out, window.columns, 0);
      await called("sink.write", () => sink.write(window, out, signal ? { signal } : {}));
    }
}

/** Calls a function of the caller. What it throws that is no `RadarError` becomes the cause of one. */
async function called<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw isRadarError(error) ? error : new RadarError("failed", `${what} failed: ${messageOf(error)}`, { what }, error);
  }
}

interface Work {
  readonly source: GeocodeSource;
  readonly shape: readonly [rows: number, columns: number];
  readonly complex: boolean;
  readonly kernel: InterpolatorTable;
  /** Writes row and column of the image that shows a pixel of the map, or NaN, to `out`. */
  places(row: number, column: number, out: Float64Array, at: number): void;
  readonly pause: Pause;
  readonly signal?: AbortSignal;
}

function placesOf(placement: ImagePlacement, rows: number, { placement: map }: GeocodedMap): Work["places"] {
  const geometry = createImageGeometry(placement, rows);
  const { toGeodetic } = mapProjection(map.epsg, "map.placement.epsg");
  const { origin, columnStep, rowStep, heightMeters = 0 } = map;
  return (row, column, out, at) => {
    const place = toGeodetic([origin[0] + column * columnStep, origin[1] + row * rowStep]);
    const found = geometry.toPixel(geodeticToEcef({ ...place, heightMeters }));
    out[at] = found ? found[0] : Number.NaN;
    out[at + 1] = found ? found[1] : Number.NaN;
  };
}

/** Places of all pixels of a window, as pairs of row and column; between nodes they are linear. */
async function latticeOf({ places, pause }: Work, { row, column, rows, columns }: ImageWindow): Promise<Float64Array> {
  const out = new Float64Array(2 * rows * columns);
  for (let step = nodeStep; ; step /= 2) {
    const [down, across] = [Math.max(1, Math.ceil((rows - 1) / step)) + 1, Math.max(1, Math.ceil((columns - 1) / step)) + 1];
    const nodes = new Float64Array(2 * down * across);
    for (let i = 0; i < down; i++) {
      const waiting = pause();
      if (waiting) await waiting;
      for (let k = 0; k < across; k++) places(row + i * step, column + k * step, nodes, 2 * (i * across + k));
    }
    if (step > 1 && !(await isLinear({ places, pause }, nodes, row, column, step, down, across))) continue;
    for (let r = 0; r < rows; r++) {
      const waiting = pause();
      if (waiting) await waiting;
      const i = Math.min(down - 2, Math.floor(r / step));
      const y = (r - i * step) / step;
      for (let c = 0; c < columns; c++) {
        const k = Math.min(across - 2, Math.floor(c / step));
        const x = (c - k * step) / step;
        const at = 2 * (i * across + k);
        const below = at + 2 * across;
        for (let part = 0; part < 2; part++)
          out[2 * (r * columns + c) + part] =
            (1 - y) * ((1 - x) * nodes[at + part] + x * nodes[at + 2 + part]) +
            y * ((1 - x) * nodes[below + part] + x * nodes[below + 2 + part]);
      }
    }
    return out;
  }
}

/** Whether places in the middles of cells are those between the nodes. One cell in sixteen is looked at, and the last. */
async function isLinear(
  { places, pause }: Pick<Work, "places" | "pause">,
  nodes: Float64Array,
  row: number,
  column: number,
  step: number,
  down: number,
  across: number,
): Promise<boolean> {
  const exact = new Float64Array(2);
  for (let i = 0; i < down - 1; i = i === down - 2 ? down : Math.min(down - 2, i + 4)) {
    await pause();
    for (let k = 0; k < across - 1; k = k === across - 2 ? across : Math.min(across - 2, k + 4)) {
      places(row + (i + 0.5) * step, column + (k + 0.5) * step, exact, 0);
      for (let part = 0; part < 2; part++) {
        const at = 2 * (i * across + k) + part;
        const mean = (nodes[at] + nodes[at + 2] + nodes[at + 2 * across] + nodes[at + 2 * across + 2]) / 4;
        // Where some are seen and some are not, all places are computed.
        if (Number.isNaN(mean) !== Number.isNaN(exact[part])) return false;
        if (Math.abs(mean - exact[part]) > placeError) return false;
      }
    }
  }
  return nodes.every((value) => Number.isNaN(value)) || !nodes.some((value) => Number.isNaN(value));
}

/** Fills a window of the map, whose pixels are in `out` from `at` on, in rows of `stride` pixels. */
async function fill(work: Work, window: ImageWindow, out: Float32Array, stride: number, at: number): Promise<void> {
  const { shape, kernel, source, signal } = work;
  const { rows, columns } = window;
  const places = await latticeOf(work, window);
  const bounds = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < places.length; i += 2) {
    const [r, c] = [places[i], places[i + 1]];
    if (!(r >= -0.5 && r <= shape[0] - 0.5 && c >= -0.5 && c <= shape[1] - 0.5)) continue;
    if (r < bounds[0]) bounds[0] = r;
    if (c < bounds[1]) bounds[1] = c;
    if (r > bounds[2]) bounds[2] = r;
    if (c > bounds[3]) bounds[3] = c;
  }
  if (!(bounds[2] >= bounds[0])) return;
  const looks = looksOf(places, rows, columns);
  const [top, left] = [0, 1].map((k) => Math.max(0, Math.floor(bounds[k]) - kernel.taps - Math.ceil(looks.spread[k])));
  const [bottom, right] = [0, 1].map((k) => Math.min(shape[k], Math.ceil(bounds[k + 2]) + kernel.taps + 1 + Math.ceil(looks.spread[k])));
  if ((bottom - top) * (right - left) > mostPixels && rows * columns > 1) {
    const half = rows >= columns ? { rows: Math.ceil(rows / 2), columns } : { rows, columns: Math.ceil(columns / 2) };
    await fill(work, { ...window, ...half }, out, stride, at);
    if (rows >= columns)
      await fill(work, { ...window, row: window.row + half.rows, rows: rows - half.rows }, out, stride, at + half.rows * stride);
    else
      await fill(
        work,
        { ...window, column: window.column + half.columns, columns: columns - half.columns },
        out,
        stride,
        at + half.columns,
      );
    return;
  }
  const part: ImageWindow = { row: top, column: left, rows: bottom - top, columns: right - left };
  const given = await called("source.read", () => source.read(part, signal ? { signal } : {}));
  const parts = work.complex ? 2 : 1;
  if (!isArrayOf(given, Float32Array) || given.length !== part.rows * part.columns * parts)
    throw inputError("source.read", `a function that resolves with a Float32Array of ${part.rows * part.columns * parts} numbers`, given);
  const data = work.complex ? await centred(Float32Array.from(given as Float32Array), part.columns, work.pause) : (given as Float32Array);
  await resample(work, data, part, places, looks, { rows, columns, stride, at, out });
}

/** How many values make a pixel of the map, along its columns and rows, and how far they are from it in the image. */
interface PixelLooks {
  readonly down: number;
  readonly across: number;
  readonly spread: readonly [rows: number, columns: number];
}

function looksOf(places: Float64Array, rows: number, columns: number): PixelLooks {
  const span = (step: number, count: number): readonly [number, number] => {
    const steps = [0, 0];
    for (let i = 0; i + 2 * step + 1 < places.length; i += 2 * Math.max(1, count)) {
      for (let k = 0; k < 2; k++) steps[k] = Math.max(steps[k], Math.abs(places[i + 2 * step + k] - places[i + k]) || 0);
    }
    return [steps[0], steps[1]];
  };
  const down = rows > 1 ? span(columns, 7) : [0, 0];
  const across = columns > 1 ? span(1, columns) : [0, 0];
  const count = (steps: readonly number[]): number => Math.min(mostLooks, Math.max(1, Math.round(Math.max(...steps))));
  return { down: count(down), across: count(across), spread: [(down[0] + across[0]) / 2, (down[1] + across[1]) / 2] };
}

/** Shifts the spectrum of complex pixels so that its middle is at 0 in both axes, which does not change their power. In place. */
async function centred(data: Float32Array, columns: number, pause: Pause): Promise<Float32Array> {
  const sums = [0, 0, 0, 0];
  const rowLength = 2 * columns;
  for (let row = 0; row < data.length; row += rowLength) {
    const waiting = pause();
    if (waiting) await waiting;
    for (let i = row; i < row + rowLength; i += 2) {
      const [re, im] = [data[i], data[i + 1]];
      for (const [k, next] of [
        [0, i + rowLength],
        [2, i + 2],
      ] as const) {
        if (next >= (k === 0 ? data.length : row + rowLength)) continue;
        const [x, y] = [data[next], data[next + 1]];
        const [a, b] = [x * re + y * im, y * re - x * im];
        if (!Number.isFinite(a + b)) continue;
        sums[k] += a;
        sums[k + 1] += b;
      }
    }
  }
  const [perRow, perColumn] = [Math.atan2(sums[1], sums[0]), Math.atan2(sums[3], sums[2])];
  for (let row = 0, r = 0; row < data.length; row += rowLength, r++) {
    const waiting = pause();
    if (waiting) await waiting;
    for (let c = 0; c < columns; c++) {
      const angle = -(perRow * r + perColumn * c);
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const i = row + 2 * c;
      const [re, im] = [data[i], data[i + 1]];
      data[i] = re * cos - im * sin;
      data[i + 1] = re * sin + im * cos;
    }
  }
  return data;
}

interface Wanted {
  readonly rows: number;
  readonly columns: number;
  readonly stride: number;
  readonly at: number;
  readonly out: Float32Array;
}

async function resample(
  { shape, complex, kernel, pause }: Work,
  data: Float32Array,
  part: ImageWindow,
  places: Float64Array,
  { down, across }: PixelLooks,
  { rows, columns, stride, at, out }: Wanted,
): Promise<void> {
  const value = powerAt(data, part, complex, kernel);
  for (let r = 0; r < rows; r++) {
    const waiting = pause();
    if (waiting) await waiting;
    for (let c = 0; c < columns; c++) {
      const i = 2 * (r * columns + c);
      const [y, x] = [places[i], places[i + 1]];
      if (!(y >= -0.5 && y <= shape[0] - 0.5 && x >= -0.5 && x <= shape[1] - 0.5)) continue;
      if (down === 1 && across === 1) {
        out[at + r * stride + c] = Math.sqrt(value(y, x));
        continue;
      }
      // Steps of the place from a row and a column of the map to the next.
      const lower = 2 * ((r + 1 < rows ? r + 1 : Math.max(0, r - 1)) * columns + c);
      const beside = 2 * (r * columns + (c + 1 < columns ? c + 1 : Math.max(0, c - 1)));
      let [sum, count] = [0, 0];
      for (let a = 0; a < down; a++)
        for (let b = 0; b < across; b++) {
          const [s, t] = [(a + 0.5) / down - 0.5, (b + 0.5) / across - 0.5];
          const [v, u] = [0, 1].map(
            (k) => places[i + k] + s * (places[lower + k] - places[i + k]) + t * (places[beside + k] - places[i + k]),
          );
          if (!(v >= -0.5 && v <= shape[0] - 0.5 && u >= -0.5 && u <= shape[1] - 0.5)) continue;
          sum += value(v, u);
          count++;
        }
      if (count > 0) out[at + r * stride + c] = Math.sqrt(sum / count);
    }
  }
}

/** The power of the image at any place of a window. Pixels beyond the window count as 0. */
function powerAt(data: Float32Array, part: ImageWindow, complex: boolean, { taps, table, phases: steps }: InterpolatorTable) {
  const before = taps / 2 - 1;
  return (y: number, x: number): number => {
    const [row, column] = [Math.floor(y), Math.floor(x)];
    const ofRow = Math.round((y - row) * steps) * taps;
    const ofColumn = Math.round((x - column) * steps) * taps;
    let [re, im] = [0, 0];
    for (let j = 0; j < taps; j++) {
      const r = row - before + j - part.row;
      if (r < 0 || r >= part.rows) continue;
      let [a, b] = [0, 0];
      const line = r * part.columns;
      for (let k = 0; k < taps; k++) {
        const c = column - before + k - part.column;
        if (c < 0 || c >= part.columns) continue;
        const weight = table[ofColumn + k];
        if (complex) {
          a += weight * data[2 * (line + c)];
          b += weight * data[2 * (line + c) + 1];
        } else a += weight * data[line + c];
      }
      re += table[ofRow + j] * a;
      im += table[ofRow + j] * b;
    }
    return complex ? re * re + im * im : re > 0 || Number.isNaN(re) ? re * re : 0;
  };
}
