/**
 * The hooks and kernels that the checks use. They are written as a radar program would write them: raw integers with a gain per line, a
 * gather with a shift, detection to floats and to bytes. Their references are the specification. The checks compute the expected results
 * independently.
 */
import {
  type At,
  type ComplexDType,
  type DType,
  elementCount,
  type Kernel,
  type Layout,
  type Load,
  layout,
  type Store,
} from "@dechirp/core";

/** A load: x(line, i) = raw(line, i) · gain(line). `raw` holds integers of `lines` lines of `extent`; the transform runs along axis 1. */
export const integersTimesGain = (lines: number, extent: number, raw: "ci8" | "ci16" = "ci8"): Load => ({
  name: "integers × gain",
  sources: { raw: layout(raw, [lines, extent]), gain: layout("f32", [lines]) },
  wgsl: () => `return load_raw(at[0] * ${extent}u + at[1]) * load_gain(at[0]);`,
  reference([line, i], { raw: samples, gain }) {
    const e = line * extent + i;
    const g = gain.re(line);
    return [samples.re(e) * g, samples.im(e) * g];
  },
});

/**
 * A load: x(line, i) = table(i + shift modulo the table's length) · scale. One short table serves all lines. Has uniforms of each type.
 */
export const shiftedTable = (length: number, dtype: ComplexDType = "c64"): Load => ({
  name: "shifted table",
  uniforms: { shift: "i32", scale: "f32" },
  sources: { table: layout(dtype, [length]) },
  wgsl: () => `let shifted = (i32(at[1]) + uniforms.shift) % ${length}i;
return load_table(u32(select(shifted, shifted + ${length}i, shifted < 0i))) * uniforms.scale;`,
  reference([, i], { table }, { shift, scale }) {
    const e = (((i + shift) % length) + length) % length;
    return [table.re(e) * scale, table.im(e) * scale];
  },
});

/** The number of the line along `axis` that an index vector lies in, as WGSL and as a function, and the number of lines. */
function lineNumber(shape: readonly number[], axis: number) {
  const axes = shape.map((_, a) => a).filter((a) => a !== axis);
  return {
    text: axes.reduce((text, a) => `(${text} * ${shape[a]}u + at[${a}])`, "0u"),
    of: (at: At): number => axes.reduce((line, a) => line * shape[a] + at[a], 0),
    lines: axes.reduce((count, a) => count * shape[a], 1),
  };
}

/**
 * A computed filter: a chirp for each line, as chirp scaling needs it. h = exp(j2πp/2³²) with the 32-bit integer p = a·k² + b·k + c,
 * where k is the bin, and a, b and c are the line's row of `rates`. Whole cycles are lost to overflow.
 */
export function lineChirps({ shape }: Layout, axis: number): Load {
  const { text, of, lines } = lineNumber(shape, axis);
  return {
    name: "chirps",
    sources: { rates: layout("u32", [lines, 3]) },
    wgsl: () => `let line = ${text} * 3u;
let k = at[${axis}];
let phase = (load_rates(line) * k + load_rates(line + 1u)) * k + load_rates(line + 2u);
return cis(f32(bitcast<i32>(phase)) * 0x1p-32);`,
    reference(at, { rates }) {
      const [line, k] = [3 * of(at), at[axis]];
      const phase = (Math.imul(Math.imul(rates.re(line), k) + rates.re(line + 1), k) + rates.re(line + 2)) | 0;
      const angle = 2 * Math.PI * (phase / 2 ** 32);
      return [Math.cos(angle), Math.sin(angle)];
    },
  };
}

/**
 * A computed filter with sources of several types and a uniform of each type: h = (taper(k + offset modulo n)·level + pattern(line, k)/128)
 * · gain(line), turned by a quarter if `turn` is 1.
 */
export function weights({ shape }: Layout, axis: number): Load {
  const { text, of, lines } = lineNumber(shape, axis);
  const n = shape[axis];
  const flat = shape.reduce((index, extent, a) => `(${index} * ${extent}u + at[${a}])`, "0u");
  return {
    name: "weights",
    uniforms: { amount: "f32", offset: "i32", turn: "u32" },
    sources: { taper: layout("ci16", [n]), profile: layout("f32", [lines]), pattern: layout("ci8", shape) },
    wgsl: () => `let moved = (i32(at[${axis}]) + uniforms.offset) % ${n}i;
let taper = load_taper(u32(select(moved, moved + ${n}i, moved < 0i)));
let value = (taper * uniforms.amount + load_pattern(${flat}) * 0x1p-7) * load_profile(${text});
return select(value, vec2f(-value.y, value.x), uniforms.turn == 1u);`,
    reference(at, { taper, profile, pattern }, { amount, offset, turn }) {
      const k = (((at[axis] + offset) % n) + n) % n;
      const e = shape.reduce((index, extent, a) => index * extent + at[a], 0);
      const gain = profile.re(of(at));
      const re = (taper.re(k) * amount + pattern.re(e) / 128) * gain;
      const im = (taper.im(k) * amount + pattern.im(e) / 128) * gain;
      return turn === 1 ? [-im, re] : [re, im];
    },
  };
}

/** A store: |y|² · level. This is detection, to floats or saturated to bytes. */
export const detect = (dtype: DType = "f32"): Store => ({
  name: `detect ${dtype}`,
  dtype,
  uniforms: { level: "f32" },
  sources: {},
  wgsl: () => "return vec2f(dot(value, value) * uniforms.level, 0.0);",
  reference: (_at, [re, im], _sources, { level }) => [(re * re + im * im) * level, 0],
});

/** A store: y(line, k) · weight(k) as c64, a window on the result. */
export const weighted = (length: number): Store => ({
  name: "weighted",
  dtype: "c64",
  sources: { weight: layout("f32", [length]) },
  wgsl: () => "return value * load_weight(at[1]);",
  reference([, k], [re, im], { weight }) {
    const w = weight.re(k);
    return [re * w, im * w];
  },
});

/** A store: y · level, rounded and saturated to complex integers. */
export const quantized = (dtype: "ci8" | "ci16"): Store => ({
  name: `quantized ${dtype}`,
  dtype,
  uniforms: { level: "f32" },
  sources: {},
  wgsl: () => "return value * uniforms.level;",
  reference: (_at, [re, im], _sources, { level }) => [re * level, im * level],
});

/** A kernel: sum = a · factor + b and index = i + offset. Two reads, two writes, uniforms. */
export const combine = (n: number): Kernel => ({
  op: "kernel",
  name: "combine",
  flops: 5 * n,
  uniforms: { factor: "f32", offset: "i32" },
  ports: {
    a: { access: "read", layout: layout("f32", [n]) },
    b: { access: "read", layout: layout("f32", [n]) },
    sum: { access: "write", layout: layout("f32", [n]) },
    index: { access: "write", layout: layout("u32", [n]) },
  },
  items: n,
  wgsl: (_constants, _limits, toolkit) =>
    toolkit.items(`store_sum(item, load_a(item) * uniforms.factor + load_b(item));
store_index(item, u32(i32(item) + uniforms.offset));`),
  reference({ a, b, sum, index }, { factor, offset }, start, end) {
    for (let i = start; i < end; i++) {
      sum.set(i, a.re(i) * factor + b.re(i));
      index.set(i, i + offset);
    }
  },
});

/** A kernel: image(row) += line for the rows from `first` to `first + rows` − 1. A run changes a part of its `update` port. */
export const accumulate = (height: number, width: number, rows: number): Kernel => ({
  op: "kernel",
  name: "accumulate",
  uniforms: { first: "u32" },
  ports: {
    line: { access: "read", layout: layout("c64", [width]) },
    image: { access: "update", layout: layout("c64", [height, width]) },
  },
  items: rows,
  wgsl: (_constants, _limits, toolkit) =>
    toolkit.items(`for (var i = 0u; i < ${width}u; i++) {
  let e = (uniforms.first + item) * ${width}u + i;
  store_image(e, load_image(e) + load_line(i));
}`),
  reference({ line, image }, { first }, start, end) {
    for (let row = start; row < end; row++) {
      for (let i = 0; i < width; i++) {
        const e = (first + row) * width + i;
        image.set(e, image.re(e) + line.re(i), image.im(e) + line.im(i));
      }
    }
  },
});

/** A kernel: y = 2x. It is elementwise, so it may run in place. */
export const twice = (shape: Layout, elementwise = true): Kernel => ({
  op: "kernel",
  name: "twice",
  elementwise,
  ports: { in: { access: "read", layout: shape }, out: { access: "write", layout: shape } },
  items: elementCount(shape),
  wgsl: (_constants, _limits, toolkit) => toolkit.items("store_out(item, load_in(item) + load_in(item));"),
  reference({ in: x, out }, _uniforms, start, end) {
    for (let i = start; i < end; i++) out.set(i, 2 * x.re(i), 2 * x.im(i));
  },
});

/** A kernel that throws halfway. */
export const failing = (shape: Layout): Kernel => ({
  ...twice(shape),
  name: "failing",
  wgsl: () => undefined,
  reference({ in: x, out }, _uniforms, start, end) {
    for (let i = start; i < end; i++) {
      if (2 * i >= elementCount(shape)) throw new TypeError("the kernel gives up");
      out.set(i, x.re(i), x.im(i));
    }
  },
});
