/**
 * The compact anchors of flat ground grids: a cubic polynomial of the range for a block of tiles and a pulse, with the
 * carrier phase in whole numbers of 2⁻³² cycles, from which a device computes the anchor of every tile itself.
 * This is the recommended form if the grid is flat. Signal-to-error ratios against float64, with all arithmetic emulated in float32 and
 * every operation rounded, for tiles of 32 pixels at corners and middle of 512 × 512, second / third order within a tile; bytes
 * of a tile and pulse:
 *
 * | anchors             | bytes | aircraft, 10 km | measured clutter, 10 km | orbit, 850 km |
 * | ------------------- | ----- | --------------- | ----------------------- | ------------- |
 * | none, plain float32 |    – | 14 dB           | 12 dB                   | −0.5 dB       |
 * | of tiles            |   32 | 83 / 84         | 87 / 87                 | 91 / 91       |
 * | of blocks of 8 × 8  | 1.75 | 92 / 94         | 94 / 97                 | 106 / 106     |
 * | of blocks of 4 × 4  |    7 | 94 / 107        | 94 / 105                | 110 / 110     |
 *
 * There are two reasons. Phase counts modulo one cycle, and u32 arithmetic is modulo 2³² and exact on every device,
 * however it orders or fuses floating-point sums: polynomials with integer arguments lose only the rounding of
 * their coefficients (2⁻³³ cycles times the power of the argument). And pixels are integers, too: the phase slope from pixel to
 * pixel may itself be taken modulo one cycle, so that the linear phase within a tile is at most tile/2 cycles instead of
 * 2·carrier·|d|/c, which is hundreds: float32 rounds it about twenty times less. Positions in bins need no such care: an error
 * of 10⁻⁴ bins of a profile 8 times oversampled is at most −90 dB.
 *
 * In bins and pixels (i, j) from the block's anchor, with the names of `anchors.ts`: P = bx·i + by·j, Q = e₁₁i² + 2e₁₂ij + e₂₂j²,
 * h = binMeters/(2R₀), W = h(Q − P²): range = R₀ + P + W(1 − 2hP) to the third order, tile (I, J) of the block at
 * i = tile·I, j = tile·J. The remaining error is `anchorErrorMeters` of the farthest tile anchor, order 3.
 */
import { inputError } from "@dechirp/core";
import { blockAnchor } from "./anchor-words.ts";
import {
  type AnchorMemory,
  type AnchorRange,
  anchorErrorMeters,
  anchorPixel,
  checkTile,
  newAnchorMemory,
  tilesAlong,
  writePlace,
} from "./anchors.ts";
import { boundingSphere, checkGrid, createPositions, dot, type GroundGrid, type ImageGrid, isFlat } from "./grid.ts";
import { checkGridWindow, wholeImage } from "./grid-window.ts";
import { checkProfileGeometry, cyclesPerMeter, type ProfileGeometry, pulseCount } from "./profiles.ts";
import { checkPulses } from "./reference.ts";

/** Blocks [block][capacity] of a run of pulses; `blockAnchor` describes their words. The two arrays are views of one buffer. */
export interface BlockAnchors {
  /** Edge of a tile in pixels. */
  readonly tile: number;
  /** Tiles along the edge of a block. Tile coordinates I and J start at −⌊blockTiles/2⌋. */
  readonly blockTiles: number;
  /** Blocks along x. */
  readonly blocksX: number;
  /** Blocks along y. */
  readonly blocksY: number;
  readonly firstPulse: number;
  readonly pulses: number;
  /** e₁₁, e₁₂, e₂₂: products of the pixel steps in bins². */
  readonly squares: readonly [xx: number, xy: number, yy: number];
  readonly cyclesPerBin: number;
  /** The buffer as 32-bit integers, [block][capacity][28]. */
  readonly ints: Int32Array;
  /** The same buffer as unsigned integers. */
  readonly uints: Uint32Array;
  /** The same buffer as float32 numbers. */
  readonly floats: Float32Array;
}

/** Throws `input` unless every tile of `grid` is a translate of the others. */
export function checkLattice(grid: ImageGrid): asserts grid is GroundGrid {
  checkGrid(grid);
  if (grid.kind !== "ground" || !isFlat(grid))
    throw inputError("grid", "a ground grid of one height", grid.kind === "ground" ? "one with heights" : grid.kind);
}

/** Products of the pixel steps in bins². */
export function stepSquares(
  { xStepMeters: x, yStepMeters: y }: GroundGrid,
  binMeters: number,
): readonly [xx: number, xy: number, yy: number] {
  return [dot(x, x) / binMeters ** 2, dot(x, y) / binMeters ** 2, dot(y, y) / binMeters ** 2];
}

/**
 * The largest edge of a block whose polynomial has an error of at most `cycles`, a power of two from 1 to 8. Larger blocks would save
 * little
 * beyond 1.75 bytes, and the float32 places within a block lose 6 dB with every doubling.
 */
export function chooseBlockTiles(profiles: ProfileGeometry, grid: GroundGrid, tile: number, cycles = 2 ** -16): number {
  let blockTiles = 8;
  while (blockTiles > 1 && !(blockErrorCycles(profiles, grid, tile, blockTiles) <= cycles)) blockTiles /= 2;
  return blockTiles;
}

/** Bound of the error of a block's polynomials, in cycles of carrier phase at the anchor of a tile. */
export function blockErrorCycles(profiles: ProfileGeometry, grid: GroundGrid, tile: number, blockTiles: number): number {
  const { xStepMeters: x, yStepMeters: y } = grid;
  const across = Math.sqrt(dot(x, x) + 2 * Math.abs(dot(x, y)) + dot(y, y));
  return anchorErrorMeters(Math.floor(blockTiles / 2) * tile * across, shortestRangeMeters(profiles, grid), 3) * cyclesPerMeter(profiles);
}

/** A lower bound of the range from the platform to any pixel; 0 if the platform may be among the pixels. */
export function shortestRangeMeters({ positions }: Pick<ProfileGeometry, "positions">, grid: ImageGrid): number {
  const { centre, radius } = boundingSphere(grid);
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < positions.length; at += 3) {
    const dx = positions[at] - centre[0];
    const dy = positions[at + 1] - centre[1];
    const dz = positions[at + 2] - centre[2];
    least = Math.min(least, dx * dx + dy * dy + dz * dz);
  }
  return Math.max(0, Math.sqrt(least) - radius);
}

const cycle = 2 ** 32;
/**
 * A number whose low word is the u32 of a number of cycles modulo 1: the sum has steps of 1, so that the addition rounds. This takes a quarter of
 * the time of `Math.round(…) >>> 0`.
 */
const fixed = (cycles: number): number => (cycles - Math.floor(cycles)) * cycle + 1.5 * 2 ** 52;

/** Words of the phase and its slopes, which follow each other, and the first of them. */
const phaseWords = 22;
const firstPhaseWord = blockAnchor.at.phase;
const sums = new Float64Array(phaseWords);
/** The words of the sums, the low one first, as every machine that runs this has them. */
const sumWords = new Uint32Array(sums.buffer);

/**
 * Block anchors of a flat ground grid, from float64. Throws `input`, naming the field, for other grids, for a tile that is not even, for
 * pulses that do not exist, and for a window that is not on the lattice of blocks.
 */
export function blockAnchors(
  profiles: ProfileGeometry,
  grid: ImageGrid,
  tile: number,
  options: AnchorRange & { readonly blockTiles?: number } = {},
): BlockAnchors {
  checkProfileGeometry(profiles);
  checkLattice(grid);
  checkTile(tile);
  const { blockTiles = chooseBlockTiles(profiles, grid, tile), pulses = [0, pulseCount(profiles)] } = options;
  if (!Number.isInteger(blockTiles) || blockTiles < 1 || blockTiles > 64)
    throw inputError("blockTiles", "an integer from 1 to 64", blockTiles);
  const window = checkGridWindow(options.window ?? wholeImage(grid), grid, tile * blockTiles, "window");
  checkPulses(pulses, pulseCount(profiles));
  const room = Math.max(pulses[1], options.capacity ?? 0);
  const [blocksX, blocksY] = tilesAlong(window, tile * blockTiles);
  if (blocksX * blocksY * room > 2 ** 24) throw inputError("pulses[1]", "small enough for at most 2^24 blocks", room);
  return checkedBlockAnchors(profiles, grid, tile, { blockTiles, pulses, capacity: room, window });
}

/** `blockAnchors` for arguments that were checked before. */
export function checkedBlockAnchors(
  profiles: ProfileGeometry,
  grid: GroundGrid,
  tile: number,
  { blockTiles, pulses: [firstPulse, pulses], capacity: room, window }: Required<AnchorRange> & { readonly blockTiles: number },
  words: AnchorMemory = newAnchorMemory,
): BlockAnchors {
  const edge = tile * blockTiles;
  const [blocksX, blocksY] = tilesAlong(window, edge);
  const { positions, referenceRangeMeters, binMeters } = profiles;
  const [ex0, ex1, ex2] = grid.xStepMeters;
  const [ey0, ey1, ey2] = grid.yStepMeters;
  const squares = stepSquares(grid, binMeters);
  const [exx, exy, eyy] = squares;
  const cyclesPerBin = cyclesPerMeter(profiles) * binMeters;
  const { ints, uints, floats } = words(blocksX * blocksY * room * blockAnchor.count);
  if (pulses < room) ints.fill(0);
  const position = createPositions(grid);
  const half = Math.floor(blockTiles / 2);
  for (let block = 0; block < blocksX * blocksY; block++) {
    let at = block * room * blockAnchor.count;
    const [bx0, by0] = [window.ix / edge + (block % blocksX), window.iy / edge + Math.floor(block / blocksX)];
    const [ix, iy] = anchorPixel(tile, bx0 * blockTiles + half, by0 * blockTiles + half);
    const [x, y, z] = position(ix, iy);
    for (let p = firstPulse; p < firstPulse + pulses; p++, at += blockAnchor.count) {
      const dx = x - positions[3 * p];
      const dy = y - positions[3 * p + 1];
      const dz = z - positions[3 * p + 2];
      const range = Math.sqrt(dx * dx + dy * dy + dz * dz);
      const scale = range > 0 ? 1 / (range * binMeters) : 0;
      const bx = (dx * ex0 + dy * ex1 + dz * ex2) * scale;
      const by = (dx * ey0 + dy * ey1 + dz * ey2) * scale;
      const h = range > 0 ? binMeters / (2 * range) : 0;
      writePlace(profiles, range - referenceRangeMeters[p], ints, floats, at);
      const bins = (range - referenceRangeMeters[p]) / binMeters;
      writePhase(uints, at + firstPhaseWord, bins, bx, by, h, exx, exy, eyy, cyclesPerBin, tile);
      floats[at + blockAnchor.at.binsX] = bx;
      floats[at + blockAnchor.at.binsY] = by;
      floats[at + blockAnchor.at.half] = h;
      ints[at + blockAnchor.at.unused] = 0;
    }
  }
  return { tile, blockTiles, blocksX, blocksY, firstPulse, pulses, squares, cyclesPerBin, ints, uints, floats };
}

/** Writes the phase and its slopes, from word `at` on. */
function writePhase(
  uints: Uint32Array,
  at: number,
  bins: number,
  bx: number,
  by: number,
  h: number,
  exx: number,
  exy: number,
  eyy: number,
  cyclesPerBin: number,
  tile: number,
): void {
  // Coefficients of the range in pixels, in cycles.
  const k = cyclesPerBin;
  const xx = k * h * (exx - bx * bx);
  const xy = 2 * k * h * (exy - bx * by);
  const yy = k * h * (eyy - by * by);
  const xxx = -2 * h * xx * bx;
  const xxy = -2 * h * (xx * by + xy * bx);
  const xyy = -2 * h * (xy * by + yy * bx);
  const yyy = -2 * h * yy * by;
  // The same in tiles, and their derivatives by pixels in tiles.
  const t = tile;
  const t2 = t * t;
  const t3 = t2 * t;
  sums[0] = k * bins;
  sums[1] = k * bx * t;
  sums[2] = k * by * t;
  sums[3] = xx * t2;
  sums[4] = xy * t2;
  sums[5] = yy * t2;
  sums[6] = xxx * t3;
  sums[7] = xxy * t3;
  sums[8] = xyy * t3;
  sums[9] = yyy * t3;
  sums[10] = k * bx;
  sums[11] = 2 * xx * t;
  sums[12] = xy * t;
  sums[13] = 3 * xxx * t2;
  sums[14] = 2 * xxy * t2;
  sums[15] = xyy * t2;
  sums[16] = k * by;
  sums[17] = xy * t;
  sums[18] = 2 * yy * t;
  sums[19] = xxy * t2;
  sums[20] = 2 * xyy * t2;
  sums[21] = 3 * yyy * t2;
  for (let i = 0; i < phaseWords; i++) sums[i] = fixed(sums[i]);
  for (let i = 0; i < phaseWords; i++) uints[at + i] = sumWords[2 * i];
}

/** c₀ + c₁I + c₂J + c₃I² + c₄IJ + c₅J² modulo 2³², and the cubic terms if there are ten coefficients. */
function polynomial(c: Uint32Array, at: number, i: number, j: number, cubic: boolean): number {
  const m = Math.imul;
  let x = m(c[at + 3], i) + m(c[at + 4], j);
  let y = m(c[at + 5], j);
  if (cubic) {
    x += m(m(c[at + 6], i) + m(c[at + 7], j), i) + m(m(c[at + 8], j), j);
    y += m(m(c[at + 9], j), j);
  }
  return (c[at] + m((c[at + 1] + x) | 0, i) + m((c[at + 2] + y) | 0, j)) | 0;
}

/** The anchor of a tile: bin and fraction of a bin, cycles, cycles and bins a pixel along x and y, binMeters/(2R₀). */
export interface TileAnchor {
  readonly bin: number;
  readonly fraction: number;
  readonly cycles: number;
  readonly cyclesX: number;
  readonly cyclesY: number;
  readonly binsX: number;
  readonly binsY: number;
  readonly h: number;
}

/**
 * The anchor of tile (I, J) of a block: phases in integers modulo 2³², everything else with each operation rounded by `f`.
 * `words` are those of a `BlockAnchors`, `at` is the first word of block and pulse, (block·pulses + pulse)·28.
 */
export function anchorOfBlock(
  { ints, uints, floats }: Pick<BlockAnchors, "ints" | "uints" | "floats">,
  [exx, exy, eyy]: readonly [xx: number, xy: number, yy: number],
  tile: number,
  at: number,
  i: number,
  j: number,
  f: (x: number) => number,
): TileAnchor {
  const { binsX, binsY, half, phase, slopeX, slopeY } = blockAnchor.at;
  const [bx, by, h] = [floats[at + binsX], floats[at + binsY], floats[at + half]];
  const [x, y] = [f(tile * i), f(tile * j)];
  const p = f(f(bx * x) + f(by * y));
  const qx = f(f(exx * x) + f(exy * y)); // half the derivatives of Q
  const qy = f(f(exy * x) + f(eyy * y));
  const q = f(f(qx * x) + f(qy * y));
  const w = f(f(q - f(p * p)) * h);
  const twice = f(2 * h);
  const shrink = f(1 - f(twice * p));
  const place = f(floats[at + blockAnchor.at.fraction] + f(p + f(w * shrink)));
  const bin = Math.floor(place);
  // ∂(P + W(1 − 2hP)) = b + 2h(∂Q/2 − P·b)(1 − 2hP) − 2hW·b
  const slope = (b: number, e: number): number => f(b + f(twice * f(f(f(e - f(p * b)) * shrink) - f(w * b))));
  return {
    bin: ints[at + blockAnchor.at.bin] + bin,
    fraction: f(place - bin),
    cycles: f(polynomial(uints, at + phase, i, j, true) * 2 ** -32),
    cyclesX: f(polynomial(uints, at + slopeX, i, j, false) * 2 ** -32),
    cyclesY: f(polynomial(uints, at + slopeY, i, j, false) * 2 ** -32),
    binsX: slope(bx, qx),
    binsY: slope(by, qy),
    h: f(h * shrink),
  };
}
