/**
 * Checks stencils against their definition in float64: random windows with and without holes, neighbours, every boundary rule on each
 * axis, shapes smaller than the windows, lines, images and batches, and element types. An error may be as large as rounding in any order
 * of addition makes it for the cells of the element's own windows. As neighbouring elements differ by factors of up to 2⁴⁰, sums that
 * depend on other cells fail.
 */
import {
  type Boundary,
  type DType,
  dtypes,
  elementCount,
  type Layout,
  layout,
  type Offsets,
  type Op,
  scalarCount,
  type TypedArrayOf,
  typedArray,
} from "@dechirp/core";
import {
  abs,
  complex,
  conj,
  im,
  inside,
  less,
  minus,
  plus,
  re,
  select,
  sum,
  taps,
  times,
  toReal,
  type Value,
} from "@dechirp/core/expression";
import { box, near, stencil } from "@dechirp/core/stencil";
import { fail, identical, isTrue, rejects } from "./assert.ts";
import { check, type Kit, suite } from "./kit.ts";
import { random, type TestRandom } from "./random.ts";
import { runOp } from "./run.ts";

type Parts = readonly [re: number, im: number];
type Rules = readonly [Boundary] | readonly [Boundary, Boundary];

interface Window {
  readonly rows: Offsets;
  readonly columns: Offsets;
  readonly hole?: { readonly rows: Offsets; readonly columns: Offsets };
}

const rules: readonly Boundary[] = ["zero", "clamp", "wrap"];
const doubles: Readonly<Partial<Record<DType, DType>>> = { f32: "f64", c64: "c128" };

/** The cell that counts for an index along an axis. −1 if it is zero. */
function cell(index: number, extent: number, rule: Boundary): number {
  if (index >= 0 && index < extent) return index;
  if (rule === "clamp") return Math.max(0, Math.min(extent - 1, index));
  return rule === "wrap" ? index - extent * Math.floor(index / extent) : -1;
}

const isIn = (offset: number, [first, last]: Offsets): boolean => offset >= first && offset <= last;

/** An array as images of rows and columns. */
function imagesOf(shape: readonly number[], boundary: Rules): readonly [outers: number, rows: number, columns: number] {
  const count = elementCount({ dtype: "f32", shape });
  const columns = shape[shape.length - 1];
  const rows = boundary.length > 1 ? shape[shape.length - 2] : 1;
  return [count / (rows * columns), rows, columns];
}

/** The sum of a window's cells around an element, the sum of their magnitudes, and their number. */
function windowSum(
  image: (flat: number) => Parts,
  shape: readonly number[],
  boundary: Rules,
  flat: number,
  { rows, columns, hole }: Window,
): readonly [re: number, im: number, size: number, cells: number] {
  const [, tall, wide] = imagesOf(shape, boundary);
  const [x, line] = [flat % wide, Math.floor(flat / wide)];
  const y = line % tall;
  let [sumRe, sumIm, size, cells] = [0, 0, 0, 0];
  for (let dy = rows[0]; dy <= rows[1]; dy++) {
    for (let dx = columns[0]; dx <= columns[1]; dx++) {
      if (hole && isIn(dy, hole.rows) && isIn(dx, hole.columns)) continue;
      cells += 1;
      const row = boundary.length > 1 ? cell(y + dy, tall, boundary[0]) : y;
      const column = cell(x + dx, wide, boundary[boundary.length - 1]);
      if (row < 0 || column < 0) continue;
      const [a, b] = image((line - y + row) * wide + column);
      sumRe += a;
      sumIm += b;
      size += Math.abs(a) + Math.abs(b);
    }
  }
  return [sumRe, sumIm, size, cells];
}

/** Samples whose magnitudes differ by factors of up to 2⁴⁰. */
function samples(shaped: Layout, source: TestRandom): TypedArrayOf {
  const data = typedArray(shaped.dtype, scalarCount(shaped));
  const { float } = dtypes[shaped.dtype];
  for (let i = 0; i < data.length; i++)
    data[i] = float ? Math.fround((source.next() - 0.5) * 2 ** source.pick([0, 0, 0, -20, 20])) : source.integer(-128, 127);
  return data;
}

const partsAt = (data: TypedArrayOf, dtype: DType): ((flat: number) => Parts) =>
  dtypes[dtype].components === 2 ? (flat) => [data[2 * flat], data[2 * flat + 1]] : (flat) => [data[flat], 0];

function randomOffsets(source: TestRandom, most: number): Offsets {
  const first = source.integer(-most, most);
  return [first, first + source.integer(0, most)];
}

function randomWindow(source: TestRandom, hasRows: boolean, most: number): Window {
  const columns = randomOffsets(source, most);
  const rows: Offsets = hasRows ? randomOffsets(source, most) : [0, 0];
  const inner = ([first, last]: Offsets): Offsets => {
    const start = source.integer(first, last);
    return [start, source.integer(start, last)];
  };
  const hole = { rows: inner(rows), columns: inner(columns) };
  const isWhole = `${hole.rows} ${hole.columns}` === `${rows} ${columns}`;
  return { rows, columns, ...(!isWhole && source.integer(0, 1) === 1 && { hole }) };
}

const shapes: readonly (readonly number[])[] = [
  [13, 21],
  [70],
  [1],
  [3, 5],
  [2, 3, 9, 70],
  [40, 3],
  [2, 5, 1],
  [4, 131],
  [1, 300],
  [67, 66],
];

interface Case {
  readonly shape: readonly number[];
  readonly boundary: Rules;
  readonly windows: readonly Window[];
  readonly cells: readonly Offsets[];
  readonly dtypes: readonly [x: DType, y: DType];
  readonly seed: number;
}

/** The outputs of a random case: the sum of two windows of x and y, and of neighbours with a window over |x|. */
async function compare(kit: Kit, given: Case, isDouble: boolean): Promise<void> {
  const { shape, boundary, windows, cells, seed } = given;
  const what = JSON.stringify(given);
  const [dx, dy] = given.dtypes.map((dtype) => (isDouble ? (doubles[dtype] ?? dtype) : dtype));
  const [lx, ly] = [layout(dx, shape), layout(dy, shape)];
  const outputs = { total: isDouble ? "c128" : "c64", edges: isDouble ? "f64" : "f32" } as const;
  const op = stencil({ shape, sources: { x: lx, y: ly }, boundary, outputs }, ({ at, x, y }) => {
    const [a, b] = windows.map((window) => (of: typeof x) => box(of as never, window) as Value<"complex" | "real">);
    const [p, q] = cells.map(
      (offsets) => near(x as never, ...((boundary.length > 1 ? offsets : [offsets[1]]) as [number, number])) as Value<"complex" | "real">,
    );
    const real = (value: Value<"complex" | "real">): Value<"real"> => (value.kind === "complex" ? re(value as never) : value) as never;
    return {
      total: plus(plus(a(x) as Value<"complex">, b(y) as never) as Value<"complex">, complex(0, 0)),
      edges: plus(minus(real(p), real(q)), box(abs(x(at) as Value<"real">) as Value<"real">, windows[2])),
    };
  });
  const source = random(seed);
  const inputs = { x: samples(lx, source), y: samples(ly, source) };
  const { outputs: results } = await runOp(kit.device, op as Op, inputs);
  const [imageX, imageY] = [partsAt(inputs.x, dx), partsAt(inputs.y, dy)];
  const magnitudes = (flat: number): Parts => [Math.hypot(...imageX(flat)), 0];
  const epsilon = isDouble ? 2 ** -53 : 2 ** -24;
  const count = elementCount({ dtype: "f32", shape });
  for (let flat = 0; flat < count; flat++) {
    const sum = (image: (flat: number) => Parts, window: Window) => windowSum(image, shape, boundary, flat, window);
    const near = ([row, column]: Offsets) => sum(imageX, { rows: boundary.length > 1 ? [row, row] : [0, 0], columns: [column, column] });
    const [a, b, c, p, q] = [sum(imageX, windows[0]), sum(imageY, windows[1]), sum(magnitudes, windows[2]), near(cells[0]), near(cells[1])];
    const expected = [a[0] + b[0], a[1] + b[1], p[0] - q[0] + c[0]];
    // Any order of n additions is within n·ε of the sum of magnitudes. A GPU's magnitudes are within a few units.
    const bounds = [a[2] * (a[3] + 3) + b[2] * (b[3] + 3), c[2] * (c[3] + 12) + 3 * (p[2] + q[2])].map((size) => size * epsilon * 1.01);
    const actual = [results["total"][2 * flat], results["total"][2 * flat + 1], results["edges"][flat]];
    for (const [i, number] of expected.entries()) {
      const bound = bounds[i === 2 ? 1 : 0];
      if (!(Math.abs(actual[i] - number) <= bound)) fail(`${what}: number ${i} at ${flat} must be ${number} ± ${bound}, got ${actual[i]}`);
    }
  }
}

function randomCase(source: TestRandom, seed: number, most: number): Case {
  const shape = source.pick(shapes);
  const boundary: Rules = shape.length > 1 && source.integer(0, 3) > 0 ? [source.pick(rules), source.pick(rules)] : [source.pick(rules)];
  const window = (): Window => randomWindow(source, boundary.length > 1, most);
  const one = (): Offsets => [source.integer(-most, most), source.integer(-most, most)];
  return {
    ...{ shape, boundary, windows: [window(), window(), window()], cells: [one(), one()], seed },
    dtypes: [source.pick<DType>(["f32", "c64", "ci16"]), source.pick<DType>(["f32", "c64", "i8"])],
  };
}

const parts = 4;
/** Stencils of each part. Each has WebAssembly and WGSL of its own. */
const casesOf = ({ sizes }: Kit): number => (sizes === "full" ? 60 : 4);

/** Checks stencils. */
export const stencils = suite("stencils", [
  ...Array.from({ length: parts }, (_, part) =>
    check(`random windows, part ${part + 1} of ${parts}`, async (kit) => {
      const source = random(100 + part);
      const isDouble = kit.device.limits.dtypes.includes("f64");
      for (let i = 0; i < casesOf(kit); i++) {
        const given = randomCase(source, 1000 * part + i, source.pick([1, 3, 6, 20]));
        await compare(kit, given, false);
        if (isDouble && i % 4 === 0) await compare(kit, given, true);
      }
    }),
  ),
  check("windows much larger than the array, and than a device's tiles", async (kit) => {
    const source = random(7);
    for (const boundary of rules) {
      for (const [shape, most] of [
        [[3, 40], 90],
        [[4, 5], 25],
        [[600], 300],
      ] as const) {
        const given = randomCase(source, most, most);
        const both: Rules = shape.length > 1 ? [boundary, boundary] : [boundary];
        const flat = (window: Window): Window =>
          shape.length > 1 ? window : { rows: [0, 0], columns: [-most, most], hole: { rows: [0, 0], columns: [-3, 2] } };
        await compare(kit, { ...given, shape, boundary: both, windows: given.windows.map(flat) }, false);
      }
    }
  }),
  check("errors grow with rows and columns, not with cells, also if no tile holds the windows", async (kit) => {
    const [shape, extent, far] = [[2, 4] as const, 501, 300];
    const names = { shape, sources: { x: layout("f32", shape) }, boundary: ["wrap", "wrap"], outputs: { out: "f32" } } as const;
    const window = { rows: extent, columns: extent, hole: { rows: 3, columns: 5 } };
    const op = stencil(names, ({ x }) => ({ out: plus(minus(near(x, far, far), near(x, -far, -far)), box(x, window)) }));
    const tenth = Math.fround(0.1);
    const { out } = await runOp(kit.device, op as Op, { x: new Float32Array(8).fill(tenth) });
    const expected = tenth * (extent ** 2 - 15);
    const bound = 2 * extent * 2 ** -24 * expected;
    for (const sum of out) isTrue(Math.abs(sum - expected) <= bound, `the sum must be ${expected} ± ${bound}, got ${sum}`);
  }),
  check("what is not finite stays in its windows", async (kit) => {
    const [shape, rows, columns] = [[40, 90] as const, 5, 12];
    const op = stencil({ shape, sources: { x: layout("f32", shape) }, boundary: ["zero", "zero"], outputs: { out: "f32" } }, ({ x }) => ({
      out: box(x, { rows, columns }),
    }));
    const x = new Float32Array(3600).fill(1);
    const [y0, x0] = [17, 41];
    x[y0 * 90 + x0] = 3e38;
    const { out } = await runOp(kit.device, op as Op, { x });
    for (let y = 0; y < 40; y++)
      for (let column = 0; column < 90; column++) {
        const isNear = isIn(y0 - y, [-2, 2]) && isIn(x0 - column, [-6, 5]);
        const tall = Math.min(39, y + 2) - Math.max(0, y - 2) + 1;
        const wide = Math.min(89, column + 5) - Math.max(0, column - 6) + 1;
        const expected = isNear ? Math.fround(3e38) : tall * wide;
        if (out[y * 90 + column] !== expected) fail(`at [${y}, ${column}]: expected ${expected}, got ${out[y * 90 + column]}`);
      }
  }),
  check("tables, indices, uniforms and several images", async (kit) => {
    const shape = [6, 37];
    const sources = { x: layout("c64", shape), y: layout("c64", shape), w: layout("f32", [5]) };
    const outputs = { coherence: "c64", ramp: "f32", bytes: "u8" } as const;
    const op = stencil({ shape, sources, uniforms: { gain: "f32" }, boundary: ["clamp", "wrap"], outputs }, ({ at, x, y, w, gain }) => {
      let ramp: Value<"real"> = box(times(toReal(at[1]), gain), { columns: 3 });
      for (let j = 0; j < 5; j++) ramp = plus(ramp, times(w(j), re(near(x, 1, j - 2)))) as Value<"real">;
      const product = box(times(x(at), conj(y(at))), { rows: 3, columns: 3 });
      return { coherence: product, ramp, bytes: plus(times(im(near(y, -2, 0)), 100), 100) };
    });
    const source = random(3);
    const numbers = (count: number): Float32Array => Float32Array.from({ length: count }, () => source.integer(-8, 8) / 8);
    const inputs = { x: numbers(444), y: numbers(444), w: numbers(5) };
    const { outputs: results } = await runOp(kit.device, op as Op, inputs, { uniforms: { gain: 2 } });
    const at = (data: Float32Array, y: number, x: number, part: number): number =>
      data[2 * (Math.max(0, Math.min(5, y)) * 37 + ((x + 37) % 37)) + part];
    const expected = { coherence: new Float32Array(444), ramp: new Float32Array(222), bytes: new Uint8Array(222) };
    for (let flat = 0; flat < 222; flat++) {
      const [y, x] = [Math.floor(flat / 37), flat % 37];
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
          const [a, b, c, d] = [inputs.x, inputs.y].flatMap((data) => [0, 1].map((part) => at(data, y + dy, x + dx, part)));
          expected.coherence[2 * flat] += a * c + b * d;
          expected.coherence[2 * flat + 1] += b * c - a * d;
        }
      for (const dx of [-1, 0, 1]) expected.ramp[flat] += 2 * ((x + dx + 37) % 37);
      for (let j = 0; j < 5; j++) expected.ramp[flat] += inputs.w[j] * at(inputs.x, y + 1, x + j - 2, 0);
      expected.bytes[flat] = Math.min(255, Math.floor(100 * at(inputs.y, y - 2, x, 1) + 100 + 0.5));
    }
    // All numbers are small multiples of 1/64, so every order of addition is exact.
    for (const [name, numbers] of Object.entries(expected)) identical(results[name], numbers, name);
    isTrue(
      expected.ramp.some((value) => value !== 0),
      "the data is not all zeros",
    );
  }),
  check("values of windows beside taps, sums, choices and elements outside", async (kit) => {
    const shape = [5, 33];
    const sources = { x: layout("f32", shape), w: layout("f32", [3]) };
    const boundary = ["zero", "wrap"] as const;
    const op = stencil({ shape, sources, boundary, outputs: { inner: "f32", outer: "f32" } }, ({ at, x, w }) => {
      // Weighted neighbours that begin one column before: in the image of a window, and beside a window's value.
      const tapped = () => taps(x, 1, [0.5, w(1), -0.25], at[0], minus(at[1], 1));
      const edge = () =>
        plus(
          inside(x, plus(at[0], 1), at[1]),
          sum(3, (j) => times(w(j), x(at[0], plus(at[1], j)))),
        );
      const chosen = select(less(at[1], 9), edge(), tapped());
      return { inner: box(plus(tapped(), chosen), { rows: 3, columns: 3 }), outer: plus(plus(tapped(), edge()), near(x, 1, 0)) };
    });
    const source = random(5);
    const numbers = (count: number): Float32Array => Float32Array.from({ length: count }, () => source.integer(-8, 8) / 8);
    const [x, w] = [numbers(165), numbers(3)];
    const { outputs: results } = await runOp(kit.device, op as Op, { x, w });
    const at = (row: number, column: number): number => (row < 0 || row > 4 || column < 0 || column > 32 ? 0 : x[row * 33 + column]);
    const tapped = (row: number, column: number): number => 0.5 * at(row, column - 1) + w[1] * at(row, column) - 0.25 * at(row, column + 1);
    const edge = (row: number, column: number): number =>
      at(row + 1, column) + [0, 1, 2].reduce((total, j) => total + w[j] * at(row, Math.min(32, column + j)), 0);
    const [inner, outer] = [new Float32Array(165), new Float32Array(165)];
    for (let flat = 0; flat < 165; flat++) {
      const [row, column] = [Math.floor(flat / 33), flat % 33];
      outer[flat] = tapped(row, column) + edge(row, column) + at(row + 1, column);
      for (let y = Math.max(0, row - 1); y <= Math.min(4, row + 1); y++)
        for (let near = column - 1; near <= column + 1; near++) {
          const own = (near + 33) % 33;
          inner[flat] += tapped(y, own) + (own < 9 ? edge(y, own) : tapped(y, own));
        }
    }
    // All numbers are small multiples of 1/64, so every order of addition is exact.
    for (const [name, expected] of Object.entries({ inner, outer })) identical(results[name], expected, name);
  }),
  check("wrong windows are refused", async ({ device }) => {
    const good = stencil(
      { shape: [4, 4], sources: { x: layout("f32", [4, 4]) }, boundary: ["zero"], outputs: { out: "f32" } },
      ({ x }) => ({
        out: box(x, { columns: 3 }),
      }),
    );
    const window = { of: 0, rows: [0, 0], columns: [-1, 1] };
    for (const wrong of [
      { boundary: ["mirror"] },
      { boundary: ["zero", "zero", "zero"] },
      { windows: {} },
      { windows: { w0: { ...window, of: 1 } } },
      { windows: { w0: { ...window, columns: [1, -1] } } },
      { windows: { w0: { ...window, columns: [-1, 2 ** 16] } } },
      { windows: { w0: { ...window, rows: [-1, 1] } } },
      { windows: { w0: { ...window, hole: window } } },
      { windows: { w0: { ...window, hole: { rows: [0, 0], columns: [0, 2] } } } },
      { windows: { x: window } },
      { centres: { nodes: [["i32", 1]], results: [0] } },
      {
        expression: {
          nodes: [
            ["i32", 0],
            ["load", "w0", 0, 0],
          ],
          results: [1],
        },
      },
    ])
      await rejects(device.plan({ ...good, ...wrong } as unknown as Op), "layout", JSON.stringify(wrong));
    const huge = { ...window, rows: [-2000, 2000], columns: [-2000, 2000] };
    const [far, near] = [-30_000, 30_000].map((at) => ({ of: 0, rows: [at, at], columns: [at, at] }));
    for (const windows of [{ w0: huge }, { w0: far, w1: near }])
      await rejects(device.plan({ ...good, boundary: ["zero", "zero"], windows } as unknown as Op), "limit", JSON.stringify(windows));
  }),
]);
