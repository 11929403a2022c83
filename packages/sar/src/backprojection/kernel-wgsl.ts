/**
 * The backprojection kernel in WGSL: float32 with what float64 put into the anchors. With windows (`tiles`, `dual`) a workgroup
 * has a tile and a pulse set: its invocations compute the anchors of some pulses in workgroup memory, read the bins that
 * the tile needs of some of these pulses beside them, and add them to pixels that they hold in registers. Without windows
 * (`pulseSets`, `unpartitioned`, or if no window fits) bins are read from the array itself.
 *
 * The terms of a pixel are those of blocks.ts (`latticePoint`) or anchors.ts (`anchoredRange`). Means and differences of neighbouring
 * bins are computed when a window is read, so that a linear value is one load of 16 bytes and two products. Both are 0 if a bin is
 * missing, so that a missing tap adds nothing. A parabola (quadratic.ts) is 16 bytes, too.
 */
import type { WgslKernel, WgslLimits } from "@dechirp/core";
import { wgslFloat } from "@dechirp/core/internal";
import { interpolatorPolynomials } from "@dechirp/radar/interpolation";
import { weightsText } from "../weights-text.ts";
import { blockAnchor, tileAnchor } from "./anchor-words.ts";
import { type Form, formOf, patch, pixelsOf, windowLength } from "./kernel-form.ts";
import { type BackprojectionShape, blocksOf, hasPartials, tilesOf } from "./shape.ts";
import { sineOf, turnText } from "./turn-wgsl.ts";

/** The text of the kernel and its dispatches; undefined if no form fits the device. */
export function backprojectionWgsl(given: BackprojectionShape, limits: WgslLimits): WgslKernel | undefined {
  const shape: BackprojectionShape = { ...given, sine: sineOf(given.sine, limits) };
  const [tilesX, tilesY] = tilesOf(shape);
  const { pulses, sets, scheme } = shape;
  const form = formOf(shape, limits);
  if (!form) return undefined;
  const code = [
    declarations(shape, form),
    anchorText(shape, form),
    valueText(shape, form),
    scheme === "unpartitioned" ? onePulseText(shape, form) : manyPulsesText(shape, form),
  ].join("\n");
  const groups: readonly [number, number, number] = [tilesX, tilesY, sets];
  const dispatches =
    scheme === "unpartitioned"
      ? Array.from({ length: pulses }, (_, pulse) => ({ entry: "main", groups, uniforms: { pulse } }))
      : [{ entry: "main", groups }];
  return { code, dispatches };
}

/** Where bin k of a window is stored: if bins eight apart are read together, they are not in the same banks. */
const spread = ({ scattered }: BackprojectionShape, k: string): string => (scattered ? `(${k} ^ ((${k} >> 3u) & 7u))` : k);

/** Whether a value is computed from one element of 16 bytes: the mean of a bin and the next and their difference, or a parabola. */
const linear = ({ taps }: BackprojectionShape): boolean => taps === undefined;

/**
 * Declarations of an anchor in workgroup memory. `anchor_bin`: the bin that the place counts from. `anchor_place`: place, cycles, h, 0; the
 * place in a window is half a bin less if values are means of two bins. A place exactly on a bin is read from the line on either side, which
 * have the same value there; so exactly on the first or the last bin of a profile it may be the one that is missing.
 * `anchor_slope`: bins a pixel along x and y, cycles a pixel along x and y; or u, and 0.
 */
function declarations(shape: BackprojectionShape, { staged, windows }: Form): string {
  return `var<workgroup> anchor_bin: array<i32, ${staged}>;
var<workgroup> anchor_place: array<vec4f, ${staged}>;
var<workgroup> anchor_slope: array<vec4f, ${staged}>;
${windows > 0 ? `var<workgroup> bins: array<${linear(shape) ? "vec4f" : "vec2f"}, ${windows * windowLength(shape)}>;` : ""}`;
}

/** `stage(tile, pulse, slot)` puts an anchor into workgroup memory. With windows, places count from the first bin of the window. */
function anchorText(shape: BackprojectionShape, { windows }: Form): string {
  const { tile, pulses, blockTiles, window } = shape;
  const [tilesX] = tilesOf(shape);
  const before = windows > 0 ? window.before : 0;
  const first = wgslFloat(windows > 0 && !shape.curves && !shape.taps ? before - 0.5 : before);
  const word = (at: number): string => `load_anchors(at + ${at}u)`;
  const float = (at: number): string => `bitcast<f32>(${word(at)})`;
  if (blockTiles === 0) {
    const { bin, fraction, cycles, lookX, lookY, lookZ, half } = tileAnchor.at;
    return `fn stage(tile: vec2u, pulse: u32, slot: u32) {
  let at = ((tile.y * ${tilesX}u + tile.x) * ${pulses}u + pulse) * ${tileAnchor.count}u;
  anchor_bin[slot] = bitcast<i32>(${word(bin)}) - ${before}i;
  anchor_place[slot] = vec4f(${first} + ${float(fraction)}, ${float(cycles)}, ${float(half)}, 0.0);
  anchor_slope[slot] = vec4f(${float(lookX)}, ${float(lookY)}, ${float(lookZ)}, 0.0);
}`;
  }
  const half = Math.floor(blockTiles / 2);
  const [blocksX] = blocksOf(shape);
  const { bin, fraction, binsX, binsY, half: h, phase, slopeX, slopeY } = blockAnchor.at;
  // Cubic and quadratic polynomials of (i, j) modulo 2³².
  const cubic = `${word(phase)} + (${word(phase + 1)} + (${word(phase + 3)} + ${word(phase + 6)} * i + ${word(phase + 7)} * j) * i + (${word(phase + 4)} + ${word(phase + 8)} * j) * j) * i + (${word(phase + 2)} + (${word(phase + 5)} + ${word(phase + 9)} * j) * j) * j`;
  const quadratic = (c: number): string =>
    `${word(c)} + (${word(c + 1)} + ${word(c + 3)} * i + ${word(c + 4)} * j) * i + (${word(c + 2)} + ${word(c + 5)} * j) * j`;
  return `fn cycles_of(fixed: u32) -> f32 { return f32(bitcast<i32>(fixed)) * ${wgslFloat(2 ** -32)}; }
fn stage(tile: vec2u, pulse: u32, slot: u32) {
  let at = (((tile.y / ${blockTiles}u) * ${blocksX}u + tile.x / ${blockTiles}u) * ${pulses}u + pulse) * ${blockAnchor.count}u;
  let i = tile.x % ${blockTiles}u - ${half}u;
  let j = tile.y % ${blockTiles}u - ${half}u;
  let x = ${tile}.0 * f32(bitcast<i32>(i));
  let y = ${tile}.0 * f32(bitcast<i32>(j));
  let bx = ${float(binsX)};
  let by = ${float(binsY)};
  let h = ${float(h)};
  let p = bx * x + by * y;
  let qx = uniforms.squareXX * x + uniforms.squareXY * y;
  let qy = uniforms.squareXY * x + uniforms.squareYY * y;
  let w = (qx * x + qy * y - p * p) * h;
  let twice = 2.0 * h;
  let shrink = 1.0 - twice * p;
  let place = ${float(fraction)} + (p + w * shrink);
  let bin = floor(place);
  anchor_bin[slot] = bitcast<i32>(${word(bin)}) + i32(bin) - ${before}i;
  anchor_place[slot] = vec4f(${first} + (place - bin), cycles_of(${cubic}), h * shrink, 0.0);
  anchor_slope[slot] = vec4f(
    bx + twice * ((qx - p * bx) * shrink - w * bx),
    by + twice * ((qy - p * by) * shrink - w * by),
    cycles_of(${quadratic(slopeX)}),
    cycles_of(${quadratic(slopeY)}));
}`;
}

/** `add_turned` (turn-wgsl.ts), and `value_at(place, …)`: a profile between bins, from its anchor, its window or the array itself. */
function valueText(shape: BackprojectionShape, form: Form): string {
  return `${turnText(shape.sine)}
${shape.curves ? curvesText(shape, form) : linear(shape) ? linearText(shape, form) : tapsText(shape, form)}`;
}

/**
 * Statements that find the bin of a window that is nearest to `place`: `nearest`, and `index` as a whole number. 1.5·2²³ more, a number is rounded to a whole
 * one, whose lowest bits are the index. Conversions between floats and integers take several times as long on an H200. The "and" changes nothing, but
 * compilers can't know that; they would turn the difference of the sums into `place`.
 */
const nearestText = (shape: BackprojectionShape): string => `let bits = bitcast<u32>(place + 12582912.0);
  let nearest = bitcast<f32>(bits & 0x4bffffffu) - 12582912.0;
  let index = bits & ${2 ** Math.ceil(Math.log2(windowLength(shape))) - 1}u;`;

/** Between two bins. `place` counts as for anchors. */
function linearText(shape: BackprojectionShape, { windows }: Form): string {
  const { bins } = shape;
  if (windows > 0) {
    return `fn value_at(place: f32, anchor: u32, window: u32, pulse: u32) -> vec2f {
  ${nearestText(shape)}
  let bin = bins[window * ${windowLength(shape)}u + ${spread(shape, "index")}];
  return bin.xy + (place - nearest) * bin.zw;
}
fn read_bin(pulse: u32, bin: i32) -> vec4f {
  if (bin < 0i || bin >= ${bins - 1}i) { return vec4f(); }
  let at = pulse * ${bins}u + u32(bin);
  let low = load_profiles(at);
  let step = load_profiles(at + 1u) - low;
  return vec4f(low + 0.5 * step, step);
}`;
  }
  return `fn value_at(place: f32, anchor: u32, window: u32, pulse: u32) -> vec2f {
  let low = floor(place);
  let bin = anchor_bin[anchor] + i32(low);
  if (bin < 0i || bin >= ${bins - 1}i) { return vec2f(); }
  let at = pulse * ${bins}u + u32(bin);
  let near = load_profiles(at);
  return near + (place - low) * (load_profiles(at + 1u) - near);
}`;
}

/** On the parabola of the nearest bin. `place` counts as for `linearText`. */
function curvesText(shape: BackprojectionShape, { windows }: Form): string {
  const curve = `fn curve(v: vec2f, word: vec2f, mu: f32) -> vec2f {
  return v + mu * (word + mu * bitcast<vec2f>(bitcast<vec2u>(word) << vec2u(18u)));
}`;
  if (windows > 0) {
    return `${curve}
fn value_at(place: f32, anchor: u32, window: u32, pulse: u32) -> vec2f {
  ${nearestText(shape)}
  let bin = bins[window * ${windowLength(shape)}u + ${spread(shape, "index")}];
  return curve(bin.xy, bin.zw, place - nearest);
}
fn read_bin(pulse: u32, bin: i32) -> vec4f {
  if (bin < 0i || bin >= ${shape.curves}i) { return vec4f(); }
  let at = 2u * (pulse * ${shape.curves}u + u32(bin));
  return vec4f(load_curves(at), load_curves(at + 1u));
}`;
  }
  return `${curve}
fn value_at(place: f32, anchor: u32, window: u32, pulse: u32) -> vec2f {
  let nearest = round(place);
  let bin = anchor_bin[anchor] + i32(nearest);
  if (bin < 0i || bin >= ${shape.curves}i) { return vec2f(); }
  let at = 2u * (pulse * ${shape.curves}u + u32(bin));
  return curve(load_curves(at), load_curves(at + 1u), place - nearest);
}`;
}

/** From n taps, with weights from polynomials if there are any, otherwise from the table. */
function tapsText(shape: BackprojectionShape, { windows }: Form): string {
  const { bins, taps: table } = shape;
  if (!table) return "";
  const { taps, phases } = table;
  const polynomials = interpolatorPolynomials(table);
  const at = windows > 0 ? `window * ${windowLength(shape)}u + u32(i32(low) - ${taps / 2 - 1}i)` : `pulse * ${bins}u + u32(first)`;
  const sample = (j: string): string => (windows > 0 ? `bins[at + ${j}]` : `load_profiles(at + ${j})`);
  const sum = polynomials
    ? `${weightsText(polynomials, "place - low")}
  var sum = weight0 * ${sample("0u")};
${Array.from({ length: taps - 1 }, (_, j) => `  sum += weight${j + 1} * ${sample(`${j + 1}u`)};`).join("\n")}`
    : `let position = (place - low) * ${phases}.0;
  let q = min(u32(position), ${phases - 1}u);
  let blend = position - f32(q);
  var sum = vec2f();
  for (var j = 0u; j < ${taps}u; j++) {
    let near = load_taps(q * ${taps}u + j);
    sum += (near + blend * (load_taps((q + 1u) * ${taps}u + j) - near)) * ${sample("j")};
  }`;
  return `fn value_at(place: f32, anchor: u32, window: u32, pulse: u32) -> vec2f {
  let low = floor(place);
  let first = anchor_bin[anchor] + i32(low) - ${taps / 2 - 1}i;
  if (first < 0i || first > ${bins - taps}i) { return vec2f(); }
  let at = ${at};
  ${sum}
  return sum;
}
fn read_bin(pulse: u32, bin: i32) -> vec2f {
  if (bin < 0i || bin >= ${bins}i) { return vec2f(); }
  return load_profiles(pulse * ${bins}u + u32(bin));
}`;
}

/** What an invocation computes for its pixels before the first pulse: the place of the first in the tile, and squares or offsets of all. */
function pixelText(shape: BackprojectionShape, form: Form): string {
  const { tile, blockTiles } = shape;
  const { patches, stride } = form;
  const [tilesX] = tilesOf(shape);
  const lines = [
    `let column = t / 32u % ${patches}u * ${patch[0]}u + t % ${patch[0]}u;`,
    `let row = t / 32u / ${patches}u * ${patch[1]}u + t / ${patch[0]}u % ${patch[1]}u;`,
  ];
  if (blockTiles > 0) {
    lines.push(`let x = f32(column) - ${tile / 2}.0;`, `let y = f32(row) - ${tile / 2}.0;`);
    for (const [v, i, j] of pixelsOf(form)) {
      const [px, py] = [`(x + ${i * stride[0]}.0)`, `(y + ${j * stride[1]}.0)`];
      lines.push(
        `let square${v} = (uniforms.squareXX * ${px} + 2.0 * uniforms.squareXY * ${py}) * ${px} + uniforms.squareYY * ${py} * ${py};`,
      );
    }
  } else {
    lines.push(`let first_offset = (group_id.y * ${tilesX}u + group_id.x) * ${4 * tile * tile}u;`);
    for (const [v, i, j] of pixelsOf(form)) {
      const pixel = `min(row + ${j * stride[1]}u, ${tile - 1}u) * ${tile}u + column + ${i * stride[0]}u`;
      lines.push(
        `let offset${v} = first_offset + 4u * (${pixel});`,
        `let d${v} = vec4f(load_offsets(offset${v}), load_offsets(offset${v} + 1u), load_offsets(offset${v} + 2u), load_offsets(offset${v} + 3u));`,
      );
    }
  }
  return lines.join("\n  ");
}

/** A pulse, by expressions of the places of its anchor and window, and of its number. */
interface PulseAt {
  readonly anchor: string;
  readonly window: string;
  readonly pulse: string;
}

/** The contribution of a pulse to every pixel: statements that add to sum0, sum1, … */
function contributions(shape: BackprojectionShape, form: Form, { anchor, window, pulse }: PulseAt): string {
  const { blockTiles, order } = shape;
  const { stride } = form;
  const shrunk = order === 2 ? "across" : "across * (1.0 - 2.0 * place.z * along)";
  const value = (at: string): string => `value_at(${at}, ${anchor}, ${window}, ${pulse})`;
  const lines = [`let place = anchor_place[${anchor}];`, `let slope = anchor_slope[${anchor}];`];
  if (blockTiles > 0) {
    lines.push("let along_first = slope.x * x + slope.y * y;", "let cycles_first = place.y + slope.z * x + slope.w * y;");
    for (const [v, i, j] of pixelsOf(form)) {
      const step = (a: string, b: string): string => {
        const parts = [i > 0 ? `${a} * ${i * stride[0]}.0` : "", j > 0 ? `${b} * ${j * stride[1]}.0` : ""].filter((part) => part !== "");
        return parts.length > 0 ? ` + (${parts.join(" + ")})` : "";
      };
      lines.push(
        `{ let along = along_first${step("slope.x", "slope.y")};
      let across = place.z * (square${v} - along * along);
      let w = ${shrunk};
      let cycles = cycles_first${step("slope.z", "slope.w")} + uniforms.cyclesPerBin * w;
      sum${v} = add_turned(sum${v}, ${value("place.x + along + w")}, cycles); }`,
      );
    }
  } else {
    for (const [v] of pixelsOf(form)) {
      lines.push(
        `{ let along = slope.x * d${v}.x + slope.y * d${v}.y + slope.z * d${v}.z;
      let across = (d${v}.w - along * along) * place.z;
      let range = along + ${shrunk};
      sum${v} = add_turned(sum${v}, ${value("place.x + range * uniforms.binsPerMeter")}, place.y + range * uniforms.cyclesPerMeter); }`,
      );
    }
  }
  return lines.join("\n      ");
}

/** Adds the sums to the image, or writes them to the image of the set. */
function writeText(shape: BackprojectionShape, form: Form): string {
  const { nx, ny, tile } = shape;
  const { stride } = form;
  const set = hasPartials(shape) ? `group_id.z * ${nx * ny}u + ` : "";
  return pixelsOf(form)
    .map(([v, i, j]) => {
      const [x, y] = [`group_id.x * ${tile}u + column + ${i * stride[0]}u`, `row + ${j * stride[1]}u`];
      const store = hasPartials(shape) ? `store_partials(to, sum${v});` : `store_image(to, load_image(to) + sum${v});`;
      return `{ let px = ${x};
    let in_tile = ${y};
    let py = group_id.y * ${tile}u + in_tile;
    if (in_tile < ${tile}u && px < ${nx}u && py < ${ny}u) { let to = ${set}py * ${nx}u + px; ${store} } }`;
    })
    .join("\n  ");
}

const entry = (invocations: number): string => `@compute @workgroup_size(${invocations})
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) group_id: vec3u)`;

/** The text for a pulse set, all pulses in one dispatch. */
function manyPulsesText(shape: BackprojectionShape, form: Form): string {
  const { pulses, sets, window } = shape;
  const { invocations, staged, windows } = form;
  const perSet = Math.ceil(pulses / sets);
  const width = window.bins;
  const loop =
    windows > 0
      ? `for (var done = 0u; done < count; done += ${windows}u) {
      let now = min(${windows}u, count - done);
      if (done > 0u) { workgroupBarrier(); }
      for (var e = t; e < now * ${width}u; e += ${invocations}u) {
        let slot = e / ${width}u;
        let k = e % ${width}u;
        bins[slot * ${windowLength(shape)}u + ${linear(shape) ? spread(shape, "k") : "k"}] = read_bin(base + done + slot, anchor_bin[done + slot] + i32(k));
      }
      workgroupBarrier();
      for (var k = 0u; k < now; k++) {
        ${contributions(shape, form, { anchor: "done + k", window: "k", pulse: "0u" })}
      }
    }`
      : `for (var slot = 0u; slot < count; slot++) {
      ${contributions(shape, form, { anchor: "slot", window: "0u", pulse: "base + slot" })}
    }`;
  return `${entry(invocations)} {
  ${pixelText(shape, form)}
  ${pixelsOf(form)
    .map(([v]) => `var sum${v} = vec2f();`)
    .join("\n  ")}
  let last = min((group_id.z + 1u) * ${perSet}u, uniforms.count);
  for (var base = group_id.z * ${perSet}u; base < last; base += ${staged}u) {
    let count = min(${staged}u, last - base);
    workgroupBarrier();
    if (t < count) { stage(group_id.xy, base + t, t); }
    workgroupBarrier();
    ${loop}
  }
  ${writeText(shape, form)}
}`;
}

/** The text for one pulse a dispatch: every pixel is loaded, added to and stored. */
function onePulseText(shape: BackprojectionShape, form: Form): string {
  return `${entry(form.invocations)} {
  if (uniforms.pulse >= uniforms.count) { return; }
  ${pixelText(shape, form)}
  ${pixelsOf(form)
    .map(([v]) => `var sum${v} = vec2f();`)
    .join("\n  ")}
  if (t == 0u) { stage(group_id.xy, uniforms.pulse, 0u); }
  workgroupBarrier();
  ${contributions(shape, form, { anchor: "0u", window: "0u", pulse: "uniforms.pulse" })}
  ${writeText(shape, form)}
}`;
}
