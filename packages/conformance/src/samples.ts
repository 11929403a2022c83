/**
 * The hooks and kernels that the checks use. They are written as a radar program would write them: raw integers with a gain per line, a
 * gather with a shift, detection to floats and to bytes. Their references are the specification. The checks compute the expected results
 * independently.
 */
import { type ComplexDType, type DType, elementCount, type Kernel, type Layout, type Load, layout, type Store } from "@dechirp/core";

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
