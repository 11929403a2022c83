/**
 * AssemblyScript. One transform of one line (or of four lines at once) by the program that the planner laid out in memory; the
 * fields of a program are described in `src/wasm/layouts.ts`. Raw pointers, no runtime, no static data; inverses divide by n, but not a chirp's convolution.
 * Directions: 0 forward, 1 inverse, 2 inverse of the product with h.
 */
import { bridge4, first_filter, first_forward, first_inverse, last_exact, last_forward, last_inverse, middle } from "./generated/codelets";
import { ChirpProgram, modes, ProgramHead, Stage, StagesProgram } from "./generated/records";

/** Lines that a program does at once. */
export function groupOf(program: ProgramHead): u32 {
  return program.mode === modes.Across ? 4 : 1;
}

/** `from`, `to` and `h` point to the addresses of as many lines as `groupOf` says. `to` may be `from`. */
export function transform(program: ProgramHead, direction: u32, from: usize, to: usize, h: usize, work: usize): void {
  const mode = program.mode;
  if (mode === modes.Within) one(changetype<StagesProgram>(program), direction, load<u32>(from), load<u32>(to), load<u32>(h), work);
  else if (mode === modes.Across) four(changetype<StagesProgram>(program), direction, from, to, h, work);
  else chirped(changetype<ChirpProgram>(program), direction, load<u32>(from), load<u32>(to), load<u32>(h), work);
}

/** The first of a program's stages. */
/* @inline */
export function firstStage(program: StagesProgram): Stage {
  return changetype<Stage>(changetype<usize>(program) + offsetof<StagesProgram>());
}

/** Vectors along the line: n is a multiple of four. */
function one(program: StagesProgram, direction: u32, src: usize, dst: usize, h: usize, work: usize): void {
  const x = work + program.first;
  const y = work + program.second;
  const stage = firstStage(program);
  const radix = stage.radix;
  const m: usize = stage.m;
  const table: usize = stage.turns;
  if (direction === 0) first_forward(radix, src, x, m, table, 0);
  else if (direction === 1) first_inverse(radix, src, x, m, table, 0);
  else first_filter(radix, src, x, m, table, h);
  finish(program, direction !== 0, middles(program, 1, x, y), dst);
}

/** Forward, times h, inverse, by two programs that meet: the one's last and the other's first radix are four. */
export function bridged(forward: StagesProgram, inverse: StagesProgram, src: usize, dst: usize, h: usize, work: usize): void {
  const x = work + forward.first;
  const y = work + forward.second;
  const begin = firstStage(forward),
    back = firstStage(inverse);
  first_forward(begin.radix, src, x, begin.m, begin.turns, 0);
  const spectrum = middles(forward, 1, x, y);
  const other = x + y - spectrum;
  bridge4(spectrum, other, back.m, back.turns, h);
  finish(inverse, true, middles(inverse, 1, other, spectrum), dst);
}

/** The stages from `start` on but the last, between two pieces of scratch; returns the one that holds the result. */
function middles(program: StagesProgram, start: u32, x: usize, y: usize): usize {
  const count = program.stages;
  let stage = changetype<Stage>(changetype<usize>(program) + offsetof<StagesProgram>() + start * offsetof<Stage>());
  for (let k = start; k < count; k++) {
    middle(stage.radix, x, y, stage.step, stage.m, stage.turns);
    const z = x;
    x = y;
    y = z;
    stage = changetype<Stage>(changetype<usize>(stage) + offsetof<Stage>());
  }
  return x;
}

/** The last stage within a line. */
function finish(program: StagesProgram, inverse: bool, x: usize, dst: usize): void {
  const n: usize = program.n;
  const last: usize = program.last;
  const factor = v128.load32_splat(changetype<usize>(program), offsetof<StagesProgram>("scale"));
  const rest = v128.load32_splat(changetype<usize>(program), offsetof<StagesProgram>("scaleRest"));
  if (last === 0) unpackBlocks(x, dst, n, inverse);
  else if (inverse && last === 4 && program.scaleRest === 0) last_exact(last, x, dst, (n * 8) / last, factor, rest);
  else if (inverse) last_inverse(last, x, dst, (n * 8) / last, factor, rest);
  else last_forward(last, x, dst, (n * 8) / last, factor, rest);
}

/** Of an inverse: a/n, rounded once. */
function divided(a: v128, inverse: bool, n: v128): v128 {
  return inverse ? f32x4.div(a, n) : a;
}

/** Blocks of four complex numbers to interleaved ones. */
function unpackBlocks(src: usize, dst: usize, n: usize, inverse: bool): void {
  const re: usize = inverse ? 16 : 0;
  const count = f32x4.splat(f32(n));
  for (let end = src + n * 8; src < end; src += 32, dst += 32) {
    const a = divided(v128.load(src + re), inverse, count);
    const b = divided(v128.load(src + (16 - re)), inverse, count);
    v128.store(dst, v128.shuffle<f32>(a, b, 0, 4, 1, 5));
    v128.store(dst, v128.shuffle<f32>(a, b, 2, 6, 3, 7), 16);
  }
}

/** Vectors across four lines: any n. */
function four(program: StagesProgram, direction: u32, from: usize, to: usize, h: usize, work: usize): void {
  const n: usize = program.n;
  const x = work + program.first;
  const y = work + program.second;
  const re: usize = direction === 0 ? 0 : 16;
  if (direction === 2) packProducts(from, h, x, n);
  else packFour(load<u32>(from), load<u32>(from, 4), load<u32>(from, 8), load<u32>(from, 12), x, n, re);
  const z = middles(program, 0, x, y);
  unpackFour(z, load<u32>(to), load<u32>(to, 4), load<u32>(to, 8), load<u32>(to, 12), n, direction !== 0);
}

/** Four lines' real parts go to `re`, their imaginary parts to 16 − `re`, of each block. */
function packFour(a: usize, b: usize, c: usize, d: usize, dst: usize, n: usize, re: usize): void {
  const im = 16 - re;
  let i: usize = 0;
  for (; i + 2 <= n; i += 2) {
    const o = i * 8;
    const ra = v128.load(a + o);
    const rb = v128.load(b + o);
    const rc = v128.load(c + o);
    const rd = v128.load(d + o);
    const t0 = v128.shuffle<f32>(ra, rb, 0, 4, 1, 5);
    const t1 = v128.shuffle<f32>(ra, rb, 2, 6, 3, 7);
    const t2 = v128.shuffle<f32>(rc, rd, 0, 4, 1, 5);
    const t3 = v128.shuffle<f32>(rc, rd, 2, 6, 3, 7);
    v128.store(dst + re, v128.shuffle<u64>(t0, t2, 0, 2));
    v128.store(dst + im, v128.shuffle<u64>(t0, t2, 1, 3));
    v128.store(dst + re, v128.shuffle<u64>(t1, t3, 0, 2), 32);
    v128.store(dst + im, v128.shuffle<u64>(t1, t3, 1, 3), 32);
    dst += 64;
  }
  if (i < n) {
    const o = i * 8;
    const t0 = v128.shuffle<f32>(v128.load64_zero(a + o), v128.load64_zero(b + o), 0, 4, 1, 5);
    const t2 = v128.shuffle<f32>(v128.load64_zero(c + o), v128.load64_zero(d + o), 0, 4, 1, 5);
    v128.store(dst + re, v128.shuffle<u64>(t0, t2, 0, 2));
    v128.store(dst + im, v128.shuffle<u64>(t0, t2, 1, 3));
  }
}

/** As `packFour` with exchanged parts, of x·h. */
function packProducts(from: usize, h: usize, dst: usize, n: usize): void {
  for (let lane: usize = 0; lane < 4; lane++) {
    const x: usize = load<u32>(from + lane * 4);
    const g: usize = load<u32>(h + lane * 4);
    for (let i: usize = 0; i < n; i++) {
      const xr = load<f32>(x + i * 8);
      const xi = load<f32>(x + i * 8, 4);
      const gr = load<f32>(g + i * 8);
      const gi = load<f32>(g + i * 8, 4);
      store<f32>(dst + i * 32 + lane * 4, xr * gi + xi * gr);
      store<f32>(dst + i * 32 + lane * 4, xr * gr - xi * gi, 16);
    }
  }
}

function unpackFour(src: usize, a: usize, b: usize, c: usize, d: usize, n: usize, inverse: bool): void {
  const re: usize = inverse ? 16 : 0;
  const im = 16 - re;
  const count = f32x4.splat(f32(n));
  let i: usize = 0;
  for (; i + 2 <= n; i += 2) {
    const o = i * 8;
    const r0 = divided(v128.load(src + re), inverse, count);
    const i0 = divided(v128.load(src + im), inverse, count);
    const r1 = divided(v128.load(src + re, 32), inverse, count);
    const i1 = divided(v128.load(src + im, 32), inverse, count);
    const t0 = v128.shuffle<f32>(r0, i0, 0, 4, 1, 5);
    const t1 = v128.shuffle<f32>(r0, i0, 2, 6, 3, 7);
    const t2 = v128.shuffle<f32>(r1, i1, 0, 4, 1, 5);
    const t3 = v128.shuffle<f32>(r1, i1, 2, 6, 3, 7);
    v128.store(a + o, v128.shuffle<u64>(t0, t2, 0, 2));
    v128.store(b + o, v128.shuffle<u64>(t0, t2, 1, 3));
    v128.store(c + o, v128.shuffle<u64>(t1, t3, 0, 2));
    v128.store(d + o, v128.shuffle<u64>(t1, t3, 1, 3));
    src += 64;
  }
  if (i < n) {
    const o = i * 8;
    const r0 = divided(v128.load(src + re), inverse, count);
    const i0 = divided(v128.load(src + im), inverse, count);
    const t0 = v128.shuffle<f32>(r0, i0, 0, 4, 1, 5);
    const t1 = v128.shuffle<f32>(r0, i0, 2, 6, 3, 7);
    v128.store64_lane(a + o, t0, 0);
    v128.store64_lane(b + o, t0, 1);
    v128.store64_lane(c + o, t1, 0);
    v128.store64_lane(d + o, t1, 1);
  }
}

/** a·b of two interleaved complex numbers each. */
export function product(a: v128, b: v128): v128 {
  const re = f32x4.mul(a, v128.shuffle<f32>(b, b, 0, 0, 2, 2));
  const im = f32x4.mul(v128.shuffle<f32>(a, a, 1, 0, 3, 2), v128.shuffle<f32>(b, b, 1, 1, 3, 3));
  return f32x4.add(re, v128.xor(im, i32x4(0x80000000, 0, 0x80000000, 0)));
}

/** dst = a·b over n complex numbers, the parts of a exchanged first, or those of the product last. `dst` may be `a`. */
export function multiply(dst: usize, a: usize, b: usize, n: usize, exchangeFirst: bool, exchangeLast: bool): void {
  const end = dst + (n & ~1) * 8;
  if (!exchangeFirst && !exchangeLast) {
    for (; dst < end; dst += 16, a += 16, b += 16) v128.store(dst, product(v128.load(a), v128.load(b)));
  } else if (exchangeFirst) {
    for (; dst < end; dst += 16, a += 16, b += 16) v128.store(dst, product(exchanged(v128.load(a)), v128.load(b)));
  } else {
    for (; dst < end; dst += 16, a += 16, b += 16) v128.store(dst, exchanged(product(v128.load(a), v128.load(b))));
  }
  if ((n & 1) === 0) return;
  const x = v128.load64_zero(a);
  const z = product(exchangeFirst ? exchanged(x) : x, v128.load64_zero(b));
  v128.store64_lane(dst, exchangeLast ? exchanged(z) : z, 0);
}

/** Two complex numbers with real and imaginary parts in each other's places. */
function exchanged(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 1, 0, 3, 2);
}

/**
 * Bluestein: times the chirp, circularly convolved with its conjugate, times the chirp. The inverse is the forward transform
 * with the parts exchanged before and after. The spectrum of the conjugate is over m and the convolver's inverse does not divide, so
 * that no number on the way is larger than a sum of the line's numbers.
 */
function chirped(program: ChirpProgram, direction: u32, src: usize, dst: usize, h: usize, work: usize): void {
  const n: usize = program.n;
  const chirp: usize = program.chirp;
  const kernel: usize = program.kernel;
  const line = work + program.line;
  const convolver = changetype<StagesProgram>(program.convolver);
  const m: usize = program.m;
  const inverse = direction !== 0;
  if (direction === 2) {
    multiply(line, src, h, n, false, false);
    src = line;
  }
  multiply(line, src, chirp, n, inverse, false);
  memory.fill(line + n * 8, 0, (m - n) * 8);
  one(convolver, 0, line, line, 0, work);
  one(convolver, 2, line, line, kernel, work);
  multiply(dst, line, inverse ? program.inverseChirp : chirp, n, false, inverse);
}
