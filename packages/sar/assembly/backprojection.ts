/**
 * AssemblyScript, the entry of a module: the load of range compression, and backprojection of tiles and pulse sets, as `WasmFunction` of
 * core
 * describes loads and kernels. Argument of a kernel: the
 * ports of kernel.ts that a form has, count u32 and the other uniforms, then nx, ny, tile, pulses, bins, sets, blockTiles, order,
 * taps, phases, and whether pulses are outermost. A form is anchors of blocks or of tiles × linear, parabolas or taps × sines
 * from the polynomial or from a table.
 *
 * The anchor of a tile and the coefficients of a row are computed in float64, as in the reference; everything done for each
 * pixel is in float32. If the ranges of a tile are known to be inside a profile, nothing is compared for its pixels; if
 * they are known to be outside, nothing is done.
 */
import { BlockAnchor, TileAnchor } from "./generated/records";
import { isInside, originOf, project, projectCurves, projectInside } from "./projection";

export { curves, curvesPart } from "./curves";

/** What a form has, as bits. */
const byBlocks: u32 = 1;
const withTaps: u32 = 2;
const withTable: u32 = 4;
const withCurves: u32 = 8;

/** Places of constants. */
const nxAt: u32 = 0;
const nyAt: u32 = 1;
const tileAt: u32 = 2;
const pulsesAt: u32 = 3;
const binsAt: u32 = 4;
const setsAt: u32 = 5;
const blockTilesAt: u32 = 6;
const orderAt: u32 = 7;
const tapsAt: u32 = 8;
const phasesAt: u32 = 9;
const outermostAt: u32 = 10;

export function blocksLinear(argument: usize, start: u32, end: u32): void {
  items(argument, start, end, byBlocks);
}
export function blocksTaps(argument: usize, start: u32, end: u32): void {
  items(argument, start, end, byBlocks | withTaps);
}
export function blocksLinearTable(argument: usize, start: u32, end: u32): void {
  items(argument, start, end, byBlocks | withTable);
}
export function blocksTapsTable(argument: usize, start: u32, end: u32): void {
  items(argument, start, end, byBlocks | withTaps | withTable);
}
export function blocksCurves(argument: usize, start: u32, end: u32): void {
  items(argument, start, end, byBlocks | withCurves);
}
export function blocksCurvesTable(argument: usize, start: u32, end: u32): void {
  items(argument, start, end, byBlocks | withCurves | withTable);
}
export function tilesCurves(argument: usize, start: u32, end: u32): void {
  items(argument, start, end, withCurves);
}
export function tilesCurvesTable(argument: usize, start: u32, end: u32): void {
  items(argument, start, end, withCurves | withTable);
}
export function tilesLinear(argument: usize, start: u32, end: u32): void {
  items(argument, start, end, 0);
}
export function tilesTaps(argument: usize, start: u32, end: u32): void {
  items(argument, start, end, withTaps);
}
export function tilesLinearTable(argument: usize, start: u32, end: u32): void {
  items(argument, start, end, withTable);
}
export function tilesTapsTable(argument: usize, start: u32, end: u32): void {
  items(argument, start, end, withTaps | withTable);
}

/** Address of the first uniform, behind the ports'. */
/* @inline */
function uniformsOf(argument: usize, form: u32): usize {
  return argument + (form & byBlocks ? 12 : 16) + (form & withTaps ? 4 : 0) + (form & withTable ? 4 : 0);
}

/** Address of the first constant. */
/* @inline */
function constantsOf(argument: usize, form: u32): usize {
  return uniformsOf(argument, form) + (form & byBlocks ? 20 : 12);
}

/** One of the constants, which are all whole numbers. */
/* @inline */
function whole(constants: usize, at: u32): u32 {
  return u32(load<f32>(constants + at * 4));
}

function items(argument: usize, start: u32, end: u32, form: u32): void {
  const uniforms = uniformsOf(argument, form);
  const constants = constantsOf(argument, form);
  const nx = whole(constants, nxAt);
  const ny = whole(constants, nyAt);
  const tile = whole(constants, tileAt);
  const pulses = min(whole(constants, pulsesAt), load<u32>(uniforms));
  const sets = whole(constants, setsAt);
  const outermost = whole(constants, outermostAt);
  const tilesX = (nx + tile - 1) / tile;
  const tiles = tilesX * ((ny + tile - 1) / tile);
  const perSet = (whole(constants, pulsesAt) + sets - 1) / sets;
  const image = usize(load<u32>(uniforms - 4));

  for (let item = start; item < end; item++) {
    const set = item / tiles;
    const ty = (item - set * tiles) / tilesX;
    const tx = item - set * tiles - ty * tilesX;
    const columns = min(tile, nx - tx * tile);
    const rows = min(tile, ny - ty * tile);
    const out = image + ((usize(set) * ny + ty * tile) * nx + tx * tile) * 8;
    if (sets > 1) for (let j: u32 = 0; j < rows; j++) memory.fill(out + j * nx * 8, 0, columns * 8);
    if (outermost) continue;
    const last = min(pulses, (set + 1) * perSet);
    for (let p = set * perSet; p < last; p++) projectTile(argument, form, tx, ty, p, out, columns, rows);
  }
  if (!outermost) return;
  for (let i: u32 = 0; i < perSet; i++) {
    for (let item = start; item < end; item++) {
      const set = item / tiles;
      const p = set * perSet + i;
      if (p >= pulses) continue;
      const ty = (item - set * tiles) / tilesX;
      const tx = item - set * tiles - ty * tilesX;
      const out = image + ((usize(set) * ny + ty * tile) * nx + tx * tile) * 8;
      projectTile(argument, form, tx, ty, p, out, min(tile, nx - tx * tile), min(tile, ny - ty * tile));
    }
  }
}

/** One tile and pulse, `columns` × `rows` pixels from `out` on. */
function projectTile(argument: usize, form: u32, tx: u32, ty: u32, p: u32, out: usize, columns: i32, rows: i32): void {
  if (form & byBlocks) projectByBlock(argument, form, tx, ty, p, out, columns, rows);
  else projectByTile(argument, form, tx, ty, p, out, columns, rows);
}

/**
 * For a tile whose places are within `reach` of one: 0 if no pixel has all its taps on the profile, 1 if some may, 2 if all have.
 * `taps` are 0 for parabolas.
 */
/* @inline */
function extent(place: f64, reach: f64, bins: i32, taps: i32): i32 {
  const far = reach + reach * 0.000001 + 0.03125; // float32's part
  const before = taps ? f64(taps / 2 - 1) : -0.5;
  const behind = taps ? f64(bins - taps / 2) : f64(bins) - 0.5;
  if (place - far >= before && place + far < behind && far < 1048576.0) return 2;
  return place + far < before || place - far >= behind ? 0 : 1;
}

/** c₀ + c₁I + c₂J + c₃I² + c₄IJ + c₅J² modulo 2³². */
/* @inline */
function quadratic(at: usize, i: i32, j: i32): i32 {
  const x = load<i32>(at, 12) * i + load<i32>(at, 16) * j;
  return load<i32>(at) + (load<i32>(at, 4) + x) * i + (load<i32>(at, 8) + load<i32>(at, 20) * j) * j;
}

const cycle: f64 = 1.0 / 4294967296.0;

/** Projects by the anchor of a block. The names are those of `anchorOfBlock`. */
function projectByBlock(argument: usize, form: u32, tx: u32, ty: u32, p: u32, out: usize, columns: i32, rows: i32): void {
  const uniforms = uniformsOf(argument, form);
  const constants = constantsOf(argument, form);
  const nx = whole(constants, nxAt);
  const tile = whole(constants, tileAt);
  const pulses = whole(constants, pulsesAt);
  const bins = i32(whole(constants, binsAt));
  const blockTiles = whole(constants, blockTilesAt);
  const cubic = whole(constants, orderAt) == 3;
  const curves = (form & withCurves) != 0;
  const taps = curves ? 0 : i32(whole(constants, tapsAt));
  const squareXX = f64(load<f32>(uniforms, 4));
  const squareXY = f64(load<f32>(uniforms, 8));
  const squareYY = f64(load<f32>(uniforms, 12));
  const cyclesPerBin = f64(load<f32>(uniforms, 16));

  const bx = tx / blockTiles;
  const by = ty / blockTiles;
  const blocksX = (nx + tile * blockTiles - 1) / (tile * blockTiles);
  const anchor = changetype<BlockAnchor>(usize(load<u32>(argument, 4)) + (usize(by * blocksX + bx) * pulses + p) * offsetof<BlockAnchor>());
  const i = i32(tx - bx * blockTiles) - i32(blockTiles >> 1);
  const j = i32(ty - by * blockTiles) - i32(blockTiles >> 1);

  // The tile's anchor.
  const slopeX = f64(anchor.binsX);
  const slopeY = f64(anchor.binsY);
  const half = f64(anchor.half);
  const x = f64(i * i32(tile));
  const y = f64(j * i32(tile));
  const along = slopeX * x + slopeY * y;
  const qx = squareXX * x + squareXY * y;
  const qy = squareXY * x + squareYY * y;
  const across = (qx * x + qy * y - along * along) * half;
  const shrink = 1.0 - 2.0 * half * along;
  const place = f64(anchor.fraction) + along + across * shrink;
  const binsX = slopeX + 2.0 * half * ((qx - along * slopeX) * shrink - across * slopeX);
  const binsY = slopeY + 2.0 * half * ((qy - along * slopeY) * shrink - across * slopeY);
  const h = half * shrink;
  const third = (anchor.phase6 * i + anchor.phase7 * j) * i * i + (anchor.phase8 * i + anchor.phase9 * j) * j * j;
  const cycles = f64(quadratic(changetype<usize>(anchor) + offsetof<BlockAnchor>("phase"), i, j) + third) * cycle;
  const cyclesX = f64(quadratic(changetype<usize>(anchor) + offsetof<BlockAnchor>("slopeX"), i, j)) * cycle;
  const cyclesY = f64(quadratic(changetype<usize>(anchor) + offsetof<BlockAnchor>("slopeY"), i, j)) * cycle;

  // Pixel (u, v) from it: w = (xx·u² + xy·uv + yy·v²)(1 − bend(binsX·u + binsY·v)).
  const xx = h * (squareXX - binsX * binsX);
  const xy = 2.0 * h * (squareXY - binsX * binsY);
  const yy = h * (squareYY - binsY * binsY);
  const bend = cubic ? 2.0 * h : 0.0;
  const edge = f64(tile) / 2.0;
  const linear = (abs(binsX) + abs(binsY)) * edge;
  const reach = linear + (abs(xx) + abs(xy) + abs(yy)) * edge * edge * (1.0 + abs(bend) * linear);
  const bin = anchor.bin;
  const where = extent(f64(bin) + place, reach, bins, taps);
  if (where == 0) return;
  const base = floor(place);
  const first = i32(f64(bin) + base);
  const bytes: usize = curves ? 16 : 8;
  const profile = usize(load<u32>(argument)) + usize(p) * bins * bytes;
  const inside = where == 2 && !(form & (withTaps | withTable));
  // The bin below is the nearest to half a bin less.
  const halfBin = inside && !curves ? 0.5 : 0.0;
  const fraction = place - base - halfBin;
  const origin = originOf(profile, first, bytes);
  const weights: usize = form & withTaps ? usize(load<u32>(argument, 8)) : 0;
  const sines: usize = form & withTable ? usize(load<u32>(uniforms - 8)) : 0;
  const phases = i32(whole(constants, phasesAt));
  const start = f32x4.add(f32x4.splat(-f32(edge)), f32x4(0.0, 1.0, 2.0, 3.0));

  for (let row: i32 = 0; row < rows; row++, out += usize(nx) * 8) {
    const v = f64(row) - edge;
    const flat = 1.0 - bend * binsY * v;
    const slant = -bend * binsX;
    const w0 = yy * v * v * flat;
    const w1 = xy * v * flat + yy * v * v * slant;
    const w2 = xx * flat + xy * v * slant;
    const w3 = xx * slant;
    const turn = cycles + cyclesY * v + cyclesPerBin * w0;
    const p0 = f32x4.splat(f32(fraction + binsY * v + w0));
    const p1 = f32x4.splat(f32(binsX + w1));
    const p2 = f32x4.splat(f32(w2));
    const p3 = f32x4.splat(f32(w3));
    const t0 = f32x4.splat(f32(turn - nearest(turn)));
    const t1 = f32x4.splat(f32(cyclesX + cyclesPerBin * w1));
    const t2 = f32x4.splat(f32(cyclesPerBin * w2));
    const t3 = f32x4.splat(f32(cyclesPerBin * w3));
    let u = start;
    let to = out;
    let left = columns;
    if (inside && curves) {
      if (!cubic) {
        for (; left >= 4; left -= 4, to += 32) {
          projectCurves(quadraticAt(p0, p1, p2, u), quadraticAt(t0, t1, t2, u), origin, to);
          u = f32x4.add(u, f32x4.splat(4.0));
        }
      }
      for (; left >= 4; left -= 4, to += 32) {
        projectCurves(cubicAt(p0, p1, p2, p3, u), cubicAt(t0, t1, t2, t3, u), origin, to);
        u = f32x4.add(u, f32x4.splat(4.0));
      }
    } else if (inside) {
      if (!cubic) {
        for (; left >= 4; left -= 4, to += 32) {
          projectInside(quadraticAt(p0, p1, p2, u), quadraticAt(t0, t1, t2, u), origin, to);
          u = f32x4.add(u, f32x4.splat(4.0));
        }
      }
      for (; left >= 4; left -= 4, to += 32) {
        projectInside(cubicAt(p0, p1, p2, p3, u), cubicAt(t0, t1, t2, t3, u), origin, to);
        u = f32x4.add(u, f32x4.splat(4.0));
      }
    }
    for (; left > 0; left -= 4, to += 32) {
      const places = f32x4.add(cubicAt(p0, p1, p2, p3, u), f32x4.splat(f32(halfBin)));
      project(places, cubicAt(t0, t1, t2, t3, u), profile, first, bins, weights, taps, phases, sines, to, left);
      u = f32x4.add(u, f32x4.splat(4.0));
    }
  }
}

/** a + bu + cu². */
/* @inline */
function quadraticAt(a: v128, b: v128, c: v128, u: v128): v128 {
  return f32x4.add(a, f32x4.mul(u, f32x4.add(b, f32x4.mul(u, c))));
}

/** a + bu + cu² + du³. */
/* @inline */
function cubicAt(a: v128, b: v128, c: v128, d: v128, u: v128): v128 {
  return f32x4.add(a, f32x4.mul(u, f32x4.add(b, f32x4.mul(u, f32x4.add(c, f32x4.mul(u, d))))));
}

/** Projects by the tile's own anchor and the offsets of its pixels. */
function projectByTile(argument: usize, form: u32, tx: u32, ty: u32, p: u32, out: usize, columns: i32, rows: i32): void {
  const uniforms = uniformsOf(argument, form);
  const constants = constantsOf(argument, form);
  const nx = whole(constants, nxAt);
  const tile = whole(constants, tileAt);
  const pulses = whole(constants, pulsesAt);
  const bins = i32(whole(constants, binsAt));
  const cubic = whole(constants, orderAt) == 3;
  const curves = (form & withCurves) != 0;
  const taps = curves ? 0 : i32(whole(constants, tapsAt));
  const quick = !(form & (withTaps | withTable));
  const last = curves ? bins - 1 : bins - 2;
  const halfBin: v128 = f32x4.splat(curves ? 0.0 : 0.5);
  const bytes: usize = curves ? 16 : 8;
  const binsPerMeter = f32x4.splat(load<f32>(uniforms, 4));
  const cyclesPerMeter = f32x4.splat(load<f32>(uniforms, 8));
  const tilesX = (nx + tile - 1) / tile;
  const index = usize(ty * tilesX + tx);
  const anchor = usize(load<u32>(argument, 4)) + (index * pulses + p) * offsetof<TileAnchor>();
  const offsets = usize(load<u32>(argument, 8)) + index * tile * tile * 16;

  const bin = changetype<TileAnchor>(anchor).bin;
  const fraction = v128.load32_splat(anchor, offsetof<TileAnchor>("fraction"));
  const cycles = v128.load32_splat(anchor, offsetof<TileAnchor>("cycles"));
  const lookX = v128.load32_splat(anchor, offsetof<TileAnchor>("lookX"));
  const lookY = v128.load32_splat(anchor, offsetof<TileAnchor>("lookY"));
  const lookZ = v128.load32_splat(anchor, offsetof<TileAnchor>("lookZ"));
  const half = v128.load32_splat(anchor, offsetof<TileAnchor>("half"));
  const bend = cubic ? f32x4.add(half, half) : f32x4.splat(0.0);
  const profile = usize(load<u32>(argument)) + usize(p) * bins * bytes;
  const weights: usize = form & withTaps ? usize(load<u32>(argument, 12)) : 0;
  const sines: usize = form & withTable ? usize(load<u32>(uniforms - 8)) : 0;
  const phases = i32(whole(constants, phasesAt));

  const origin = originOf(profile, bin, bytes);

  for (let row: i32 = 0; row < rows; row++, out += usize(nx) * 8) {
    let from = offsets + usize(row) * tile * 16;
    let to = out;
    for (let left = columns; left > 0; left -= 4, to += 32, from += 64) {
      const a = v128.load(from);
      const b = v128.load(from, 16);
      const c = v128.load(from, 32);
      const d = v128.load(from, 48);
      const abLow = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
      const abHigh = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
      const cdLow = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
      const cdHigh = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
      const x = v128.shuffle<f32>(abLow, cdLow, 0, 1, 4, 5);
      const y = v128.shuffle<f32>(abLow, cdLow, 2, 3, 6, 7);
      const z = v128.shuffle<f32>(abHigh, cdHigh, 0, 1, 4, 5);
      const q = v128.shuffle<f32>(abHigh, cdHigh, 2, 3, 6, 7);
      const along = f32x4.add(f32x4.add(f32x4.mul(lookX, x), f32x4.mul(lookY, y)), f32x4.mul(lookZ, z));
      const across = f32x4.mul(f32x4.sub(q, f32x4.mul(along, along)), half);
      const range = f32x4.add(along, f32x4.sub(across, f32x4.mul(across, f32x4.mul(bend, along))));
      const places = f32x4.add(fraction, f32x4.mul(range, binsPerMeter));
      const below = f32x4.sub(places, halfBin);
      const turns = f32x4.add(cycles, f32x4.mul(range, cyclesPerMeter));
      const inside = left >= 4 && quick && isInside(below, bin, last);
      if (inside && curves) projectCurves(below, turns, origin, to);
      else if (inside) projectInside(below, turns, origin, to);
      else project(places, turns, profile, bin, bins, weights, taps, phases, sines, to, left);
    }
  }
}
