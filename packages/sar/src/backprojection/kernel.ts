/**
 * Backprojection of a block of range profiles as a kernel: the work for every tile of the image and every pulse set,
 * from the profiles and from anchors that were made in float64. The reference here is in float64; WGSL is written in
 * kernel-wgsl.ts, WASM in assembly/backprojection.ts. choose.ts decides which tiles and sets there are, backprojector.ts in which
 * order blocks of pulses follow.
 *
 * Dual partitioning, sections III and IV of the C1060 paper (see partition.ts). The sum is that of `backprojectReference`.
 */
import { type ArrayView, type Kernel, RadarError, type Uniforms } from "@dechirp/core";
import { backprojectionConstants, backprojectionWasm } from "../wasm/backprojection.ts";
import { blockAnchor, tileAnchor } from "./anchor-words.ts";
import { anchorOfBlock } from "./blocks.ts";
import { backprojectionWgsl } from "./kernel-wgsl.ts";
import { hasSets } from "./partition.ts";
import { curvatureOf } from "./quadratic.ts";
import { type BackprojectionShape, blocksOf, hasPartials, kernelPorts, kernelUniforms, sineEntries, tilesOf } from "./shape.ts";

/** Floating-point operations per pixel and pulse, by the convention of the paper (section VI). */
const flopsPerProjection = 37;

/** The kernel. Throws `limit` for shapes that are not supported: tiles that are not a multiple of 8, sets with a scheme that has none. */
export function backprojectionKernel(shape: BackprojectionShape): Kernel {
  const { nx, ny, tile, pulses, scheme, sets } = shape;
  if (tile % 8 !== 0)
    throw new RadarError("limit", `tiles of backprojection are multiples of 8 pixels, not ${tile}`, { field: "tile", tile });
  if (sets > 1 && !hasSets(scheme))
    throw new RadarError("limit", `${scheme} backprojection has one pulse set, not ${sets}`, { field: "sets", sets });
  const [tilesX, tilesY] = tilesOf(shape);
  return {
    op: "kernel",
    name: kernelName(shape),
    flops: flopsPerProjection * nx * ny * pulses,
    constants: backprojectionConstants(shape),
    uniforms: kernelUniforms(shape),
    ports: kernelPorts(shape),
    items: tilesX * tilesY * sets,
    ...backprojectionWasm(shape),
    recipe: { name: "sar/backproject", parameters: { ...shape } },
    ...(shape.sine === "accurate" && { measured: ["sineError"] }),
    wgsl: (_constants, limits) => backprojectionWgsl(shape, limits),
    reference(ports, uniforms, start, end) {
      for (let item = start; item < end; item++) projectTile(shape, ports, uniforms, item);
    },
  };
}

const kernelName = ({ scheme, tile, sets, taps, curves, order, blockTiles, sine }: BackprojectionShape): string =>
  `backproject ${scheme} tile=${tile} sets=${sets} ${curves ? "quadratic" : taps ? `taps=${taps.taps}` : "linear"} order=${order} anchors=${blockTiles > 0 ? `${blockTiles}×${blockTiles}` : "tile"} sine=${sine}`;

/** One tile and pulse set, in float64. */
function projectTile(shape: BackprojectionShape, ports: Readonly<Record<string, ArrayView>>, uniforms: Uniforms, item: number): void {
  const { nx, ny, tile, pulses, sets } = shape;
  const [tilesX, tilesY] = tilesOf(shape);
  const set = Math.floor(item / (tilesX * tilesY));
  const [tx, ty] = [item % tilesX, Math.floor((item % (tilesX * tilesY)) / tilesX)];
  const perSet = Math.ceil(pulses / sets);
  const last = Math.min((set + 1) * perSet, uniforms["count"]);
  const place = shape.blockTiles > 0 ? createBlockPlaces(shape, ports, uniforms, tx, ty) : createTilePlaces(shape, ports, uniforms, tx, ty);
  const read = shape.curves ? createCurveReader(shape.curves, ports) : createReader(shape, ports);
  const sum = new Float64Array(2 * tile * tile);
  const value = new Float64Array(2);
  for (let p = set * perSet; p < last; p++) {
    const at = place(p);
    for (let j = 0; j < Math.min(tile, ny - ty * tile); j++) {
      for (let i = 0; i < Math.min(tile, nx - tx * tile); i++) {
        const [bin, bins, cycles] = at(i, j);
        if (!read(p, bin, bins, value)) continue;
        const [c, s] = turn(shape, ports, cycles);
        sum[2 * (j * tile + i)] += value[0] * c - value[1] * s;
        sum[2 * (j * tile + i) + 1] += value[0] * s + value[1] * c;
      }
    }
  }
  const partials = hasPartials(shape);
  const out = ports[partials ? "partials" : "image"];
  for (let j = 0; j < Math.min(tile, ny - ty * tile); j++) {
    for (let i = 0; i < Math.min(tile, nx - tx * tile); i++) {
      const to = ((partials ? set : 0) * ny + ty * tile + j) * nx + tx * tile + i;
      const [re, im] = [sum[2 * (j * tile + i)], sum[2 * (j * tile + i) + 1]];
      out.set(to, partials ? re : out.re(to) + re, partials ? im : out.im(to) + im);
    }
  }
}

/** For a pulse: where pixel (i, j) of a tile reads its profile, as a bin and bins beyond, and its cycles. */
type Places = (p: number) => (i: number, j: number) => readonly [bin: number, bins: number, cycles: number];

function createBlockPlaces(
  shape: BackprojectionShape,
  { anchors }: Readonly<Record<string, ArrayView>>,
  uniforms: Uniforms,
  tx: number,
  ty: number,
): Places {
  const { tile, pulses, blockTiles, order } = shape;
  const [blocksX] = blocksOf(shape);
  const half = Math.floor(blockTiles / 2);
  const block = Math.floor(ty / blockTiles) * blocksX + Math.floor(tx / blockTiles);
  const squares = [uniforms["squareXX"], uniforms["squareXY"], uniforms["squareYY"]] as const;
  const words = wordsOf(blockAnchor.count);
  return (p) => {
    words.read(anchors, (block * pulses + p) * blockAnchor.count);
    const { bin, fraction, cycles, cyclesX, cyclesY, binsX, binsY, h } = anchorOfBlock(
      words,
      squares,
      tile,
      0,
      (tx % blockTiles) - half,
      (ty % blockTiles) - half,
      (x) => x,
    );
    return (i, j) => {
      const [x, y] = [i - tile / 2, j - tile / 2];
      const along = binsX * x + binsY * y;
      const across = h * (squares[0] * x * x + 2 * squares[1] * x * y + squares[2] * y * y - along * along);
      const w = order === 2 ? across : across * (1 - 2 * h * along);
      return [bin, fraction + along + w, cycles + cyclesX * x + cyclesY * y + uniforms["cyclesPerBin"] * w];
    };
  };
}

function createTilePlaces(
  shape: BackprojectionShape,
  { anchors, offsets }: Readonly<Record<string, ArrayView>>,
  uniforms: Uniforms,
  tx: number,
  ty: number,
): Places {
  const { tile, pulses, order } = shape;
  const index = ty * tilesOf(shape)[0] + tx;
  const words = wordsOf(tileAnchor.count);
  return (p) => {
    words.read(anchors, (index * pulses + p) * tileAnchor.count);
    const { at: place } = tileAnchor;
    const bin = words.ints[place.bin];
    const [fraction, cycles, ux, uy, uz, half] = [place.fraction, place.cycles, place.lookX, place.lookY, place.lookZ, place.half].map(
      (word) => words.floats[word],
    );
    return (i, j) => {
      const at = 4 * ((index * tile + j) * tile + i);
      const along = ux * offsets.re(at) + uy * offsets.re(at + 1) + uz * offsets.re(at + 2);
      const across = (offsets.re(at + 3) - along * along) * half;
      const range = along + (order === 2 ? across : across * (1 - 2 * half * along));
      return [bin, fraction + range * uniforms["binsPerMeter"], cycles + range * uniforms["cyclesPerMeter"]];
    };
  };
}

/** Words of an anchor, seen as any type. */
function wordsOf(count: number) {
  const uints = new Uint32Array(count);
  return {
    uints,
    ints: new Int32Array(uints.buffer),
    floats: new Float32Array(uints.buffer),
    read(from: ArrayView, at: number): void {
      for (let i = 0; i < count; i++) uints[i] = from.re(at + i);
    },
  };
}

/** Reads the profile of pulse p `bins` beyond `bin` into `value`. Returns false if a tap is missing. */
function createReader(
  { bins: count, taps: interpolator }: BackprojectionShape,
  { profiles, taps: table }: Readonly<Record<string, ArrayView>>,
): (p: number, bin: number, bins: number, value: Float64Array) => boolean {
  const { taps = 2, phases = 1 } = interpolator ?? {};
  return (p, bin, bins, value) => {
    const low = Math.floor(bins);
    const mu = bins - low;
    const first = bin + low - taps / 2 + 1;
    if (!(first >= 0 && first + taps <= count)) return false;
    const row = Math.min(Math.floor(mu * phases), phases - 1);
    const blend = mu * phases - row;
    value.fill(0);
    for (let j = 0; j < taps; j++) {
      const weight = interpolator ? (1 - blend) * table.re(row * taps + j) + blend * table.re((row + 1) * taps + j) : j === 0 ? 1 - mu : mu;
      value[0] += weight * profiles.re(p * count + first + j);
      value[1] += weight * profiles.im(p * count + first + j);
    }
    return true;
  };
}

/** The same from parabolas, of which a pulse has `count`. */
function createCurveReader(
  count: number,
  { curves }: Readonly<Record<string, ArrayView>>,
): (p: number, bin: number, bins: number, value: Float64Array) => boolean {
  return (p, bin, bins, value) => {
    const nearest = Math.floor(bins + 0.5);
    const k = bin + nearest;
    if (!(k >= 0 && k < count)) return false;
    const mu = bins - nearest;
    const at = 2 * (p * count + k);
    const [slopeRe, slopeIm] = [curves.re(at + 1), curves.im(at + 1)];
    value[0] = curves.re(at) + mu * (slopeRe + mu * curvatureOf(slopeRe));
    value[1] = curves.im(at) + mu * (slopeIm + mu * curvatureOf(slopeIm));
    return true;
  };
}

function turn(
  { sine }: BackprojectionShape,
  { sines }: Readonly<Record<string, ArrayView>>,
  cycles: number,
): readonly [c: number, s: number] {
  const rest = cycles - Math.round(cycles);
  if (sine !== "table") return [Math.cos(2 * Math.PI * rest), Math.sin(2 * Math.PI * rest)];
  const entry = Math.round(rest * sineEntries) & (sineEntries - 1);
  return [sines.re(entry), sines.im(entry)];
}

/** image += Σ partials over the pulse sets: ports `partials` c64 [sets][ny][nx], `image` c64 [ny][nx]. */
export function sumSetsKernel({ nx, ny, sets }: Pick<BackprojectionShape, "nx" | "ny" | "sets">): Kernel {
  const pixels = nx * ny;
  return {
    op: "kernel",
    name: `sum of ${sets} pulse sets`,
    flops: 2 * sets * pixels,
    ports: {
      partials: { access: "read", layout: { dtype: "c64", shape: [sets, ny, nx] } },
      image: { access: "update", layout: { dtype: "c64", shape: [ny, nx] } },
    },
    items: pixels,
    recipe: { name: "sar/sum-sets", parameters: { nx, ny, sets } },
    wgsl: (_constants, _limits, toolkit) =>
      toolkit.items(`var sum = load_image(item);
for (var s = 0u; s < ${sets}u; s++) { sum += load_partials(s * ${pixels}u + item); }
store_image(item, sum);`),
    reference({ partials, image }, _uniforms, start, end) {
      for (let pixel = start; pixel < end; pixel++) {
        let [re, im] = [image.re(pixel), image.im(pixel)];
        for (let set = 0; set < sets; set++) {
          re += partials.re(set * pixels + pixel);
          im += partials.im(set * pixels + pixel);
        }
        image.set(pixel, re, im);
      }
    },
  };
}
