/**
 * Checks filters that a hook computes at every line and bin, fused and lowered, against the definition. The expected filters are computed
 * here, line by line, from the data of the hooks' sources.
 */
import { type FilterInverse, type Layout, type Load, layout, type SpectralFilter, type TypedArrayOf, transformLayout } from "@dechirp/core";
import { asU32, cis, i32, load, plus, times } from "@dechirp/core/expression";
import { forEachLine, transformed } from "./definition.ts";
import { check, type Kit, suite } from "./kit.ts";
import { closeIn } from "./match.ts";
import { random, randomArray, type TestRandom } from "./random.ts";
import { c64, complexTypes, type OpOptions, runOp } from "./run.ts";
import { integersTimesGain, lineChirps, shiftedTable, weighted, weights } from "./samples.ts";
import { correct } from "./tolerance.ts";

type Filter = SpectralFilter | FilterInverse;
type Inputs = Readonly<Record<string, TypedArrayOf>>;
/** The lines of a spectrum: the shape, and the axis of the bins. */
type Spectrum = readonly [shape: readonly number[], axis: number];

/** Calls `value` for every line and bin of a spectrum, and returns the values as an array of the spectrum. */
function filterArray(
  [shape, axis]: Spectrum,
  value: (line: number, bin: number, element: number) => readonly [number, number],
): Float64Array {
  const out = new Float64Array(2 * shape.reduce((a, b) => a * b, 1));
  forEachLine(shape, axis, (first, stride, line) => {
    for (let k = 0; k < shape[axis]; k++) out.set(value(line, k, first + k * stride), 2 * (first + k * stride));
  });
  return out;
}

/** A computed filter: the hook, its sources' data and uniforms, and the filter's values. */
interface Computed {
  readonly h: Load;
  readonly data: Inputs;
  readonly uniforms: Readonly<Record<string, number>>;
  readonly values: Float64Array;
}

/** `lineChirps` as an expression. */
function chirpExpression({ shape }: Layout, axis: number): Load {
  const across = shape.map((extent, a) => ({ extent, a })).filter(({ a }) => a !== axis);
  const sources = { rates: layout("u32", [across.reduce((lines, { extent }) => lines * extent, 1), 3]) };
  return load({ name: "chirps as an expression", layout: layout("c64", shape), sources }, ({ at, rates }) => {
    const line = across.map(({ a }) => at[a]).reduce((number, index, i) => plus(times(number, across[i].extent), index), i32(0));
    const k = asU32(at[axis]);
    return cis(plus(times(plus(times(rates(line, 0), k), rates(line, 1)), k), rates(line, 2)));
  });
}

/** The chirps of a hook like `lineChirps`, with phases as whole numbers of 2⁻³² cycles, exact whatever their size. */
function chirpsOf(spectrum: Spectrum, source: TestRandom, hook = lineChirps): Computed {
  const h = hook(layout("c64", spectrum[0]), spectrum[1]);
  const rates = randomArray(h.sources["rates"], source);
  const values = filterArray(spectrum, (line, bin) => {
    const [a, b, c] = [0, 1, 2].map((i) => BigInt(rates[3 * line + i]));
    const k = BigInt(bin);
    const angle = 2 * Math.PI * (Number(BigInt.asIntN(32, a * k * k + b * k + c)) / 2 ** 32);
    return [Math.cos(angle), Math.sin(angle)];
  });
  return { h, data: { rates }, uniforms: {}, values };
}

/** The filter of `weights`. */
function weightsOf(spectrum: Spectrum, source: TestRandom, turn: number): Computed {
  const [shape, axis] = spectrum;
  const n = shape[axis];
  const h = weights(layout("c64", shape), axis);
  const data = Object.fromEntries(Object.entries(h.sources).map(([name, of]) => [name, randomArray(of, source)]));
  const { taper, profile, pattern } = data;
  const uniforms = { amount: 2 ** -15, offset: source.integer(-2 * n, 2 * n), turn };
  const values = filterArray(spectrum, (line, bin, e) => {
    const k = (bin + uniforms.offset + 2 * n) % n;
    const [re, im] = [0, 1].map((i) => (taper[2 * k + i] * uniforms.amount + pattern[2 * e + i] / 128) * profile[line]);
    return turn === 1 ? [-im, re] : [re, im];
  });
  return { h, data, uniforms, values };
}

const kinds = [
  (spectrum: Spectrum, source: TestRandom): Computed => chirpsOf(spectrum, source),
  (spectrum: Spectrum, source: TestRandom): Computed => chirpsOf(spectrum, source, chirpExpression),
  (spectrum: Spectrum, source: TestRandom): Computed => weightsOf(spectrum, source, source.integer(0, 1)),
];

/** Runs a filter with each computed filter, fused and lowered, and compares the result with the definition. `seed` chooses the data. */
async function agrees(kit: Kit, op: Omit<Filter, "h">, seed: number, options: OpOptions = {}, wanted = kinds): Promise<void> {
  const { shape } = transformLayout({ ...op, h: "all" } as Filter);
  const n = shape[op.axis];
  for (const make of wanted) {
    const source = random(seed);
    const x = randomArray(op.layout, source);
    const { h, data, uniforms, values } = make([shape, op.axis], source);
    const full = { ...op, h } as Filter;
    const expected = transformed(full, x, values);
    const { keep, ...all } = full;
    const whole = keep ? transformed(all, x, values) : expected;
    for (const fuse of [true, false]) {
      const { out, text } = await runOp(kit.device, full, { in: x, ...data }, { ...options, fuse, uniforms });
      closeIn(out, expected, whole, correct(n, op.layout.dtype, 4), text);
    }
  }
}

async function forEachOp(
  kit: Kit,
  visit: (make: (shape: readonly number[], axis: number, more?: object) => Omit<Filter, "h">) => Promise<void>,
) {
  for (const dtype of complexTypes(kit.device)) {
    for (const op of ["spectral-filter", "filter-inverse"] as const)
      await visit((shape, axis, more = {}) => ({ op, layout: layout(dtype, shape), axis, ...more }));
  }
}

/** Checks filters that a hook computes. */
export const computedFilters = suite("computed filters", [
  check("lengths", (kit) =>
    forEachOp(kit, async (make) => {
      for (const n of kit.sizes === "full" ? [1, 2, 3, 7, 16, 30, 64, 97, 120, 251, 256, 300, 1024] : [1, 3, 16, 30, 97]) {
        await agrees(kit, make([5, n], 1), n);
        await agrees(kit, make([n, 3], 0), n);
      }
    }),
  ),
  check("padded, cropped, kept in part, any axis, with and without a corner turn", (kit) =>
    forEachOp(kit, async (make) => {
      const source = random(77);
      for (let round = 0; round < (kit.sizes === "full" ? 16 : 5); round++) {
        const shape = Array.from({ length: source.integer(1, 4) }, () => source.integer(1, 12));
        const axis = source.integer(0, shape.length - 1);
        const n = source.integer(1, 40);
        const start = source.integer(0, n - 1);
        const turned = shape.length > 1 && round % 2 === 0 ? { cornerTurn: true } : {};
        await agrees(kit, make(shape, axis, { n, ...turned }), round);
        await agrees(kit, make(shape, axis, { n, keep: [start, source.integer(1, n - start)], ...turned }), round);
      }
    }),
  ),
  check("many lines", (kit) =>
    forEachOp(kit, async (make) => {
      await agrees(kit, make([131, 24], 1), 1);
      await agrees(kit, make([24, 131], 0), 2);
      await agrees(kit, make([2, 20, 67], 1, { n: 32, keep: [3, 17], cornerTurn: true }), 3);
      await agrees(kit, make([70, 20], 1, { n: 31, cornerTurn: true }), 4);
    }),
  ),
  check("in place", (kit) =>
    forEachOp(kit, async (make) => {
      await agrees(kit, make([5, 48], 1), 1, { inPlace: true });
      await agrees(kit, make([30, 9], 0), 2, { inPlace: true });
      await agrees(kit, make([5, 20], 1, { n: 32, keep: [3, 20] }), 3, { inPlace: true });
    }),
  ),
  check("long lines", async (kit) => {
    for (const n of kit.sizes === "full" ? [4096, 5003, 8192] : [])
      await agrees(kit, { op: "filter-inverse", layout: c64(2, n), axis: 1, keep: [n - 50, 50] }, n);
    await agrees(kit, { op: "spectral-filter", layout: c64(1, 6000), axis: 1, n: 8192 }, 4, {}, [kinds[0]]);
  }),
  check("very long lines: the same as with the filter's values in an array", async (kit) => {
    const longest = kit.device.limits.maxTransformLength;
    for (const n of kit.sizes === "full" ? [65536, 3 * 2 ** 15, 100_003] : [3 * 2 ** 15].map((most) => Math.min(most, longest))) {
      if (n > longest) continue;
      const op = { op: "spectral-filter", layout: c64(1, n), axis: 1 } as const;
      const source = random(n);
      const x = randomArray(op.layout, source);
      for (const hook of [lineChirps, chirpExpression]) {
        const { h, data, values } = chirpsOf([op.layout.shape, 1], source, hook);
        const expected = (await runOp(kit.device, { ...op, h: "all" }, { in: x, h: Float32Array.from(values) })).out;
        const { out, text } = await runOp(kit.device, { ...op, h }, { in: x, ...data });
        closeIn(out, expected, expected, 2 * correct(n, "c64", 4), text);
      }
    }
  }),
  check("with load and store hooks and the uniforms of all", async (kit) => {
    const [lines, extent, n] = [6, 27, 48];
    const keep = [5, 20] as const;
    const weight = layout("f32", [keep[1]]);
    for (const op of ["spectral-filter", "filter-inverse"] as const) {
      for (const kind of ["integers", "table"]) {
        const source = random(8);
        const hook = kind === "integers" ? integersTimesGain(lines, extent) : shiftedTable(extent);
        const data: Record<string, TypedArrayOf> = { weight: randomArray(weight, source) };
        for (const [name, of] of Object.entries(hook.sources)) data[name] = randomArray(of, source);
        const { raw, gain, table } = data;
        const loaded = Float32Array.from({ length: 2 * lines * extent }, (_, i) =>
          raw ? raw[i] * gain[Math.floor(i / (2 * extent))] : table[2 * (((i >> 1) + 4) % extent) + (i & 1)] * 1.5,
        );
        for (const make of kinds) {
          const { h, data: more, uniforms, values } = make([[lines, n], 1], source);
          const bare = { op, layout: c64(lines, extent), axis: 1, n, h, keep } as const;
          const expected = transformed(bare, loaded, values).map((v, i) => v * data["weight"][(i >> 1) % keep[1]]);
          for (const fuse of [true, false]) {
            const { out, text } = await runOp(
              kit.device,
              { ...bare, load: hook, store: weighted(keep[1]) },
              { ...data, ...more },
              { fuse, uniforms: { ...uniforms, ...(hook.uniforms && { shift: 4, scale: 1.5 }) } },
            );
            closeIn(out, expected, expected, 2 * correct(n, "c64", 5), text);
          }
        }
      }
    }
  }),
  check("a phase ramp of its own for each line delays each line by its own number of samples", async (kit) => {
    const [lines, n] = [9, 64];
    for (const dtype of complexTypes(kit.device)) {
      for (const axis of [0, 1]) {
        const shape = axis === 1 ? [lines, n] : [n, lines];
        const op = { op: "spectral-filter", layout: layout(dtype, shape), axis } as const;
        const x = randomArray(op.layout, random(axis));
        // −delay/n cycles for each bin.
        const rates = Uint32Array.from({ length: 3 * lines }, (_, i) => (i % 3 === 1 ? -5 * Math.floor(i / 3) * (2 ** 32 / n) : 0));
        const place = (line: number, i: number): number => (axis === 1 ? line * n + i : i * lines + line);
        const expected = new Float64Array(x.length);
        for (let line = 0; line < lines; line++) {
          for (let i = 0; i < n; i++) {
            const from = 2 * place(line, (i + 5 * n - ((5 * line) % n)) % n);
            expected.set([x[from], x[from + 1]], 2 * place(line, i));
          }
        }
        for (const h of [lineChirps(op.layout, axis), chirpExpression(op.layout, axis)]) {
          const { out, text } = await runOp(kit.device, { ...op, h }, { in: x, rates });
          closeIn(out, expected, expected, correct(n, dtype, 4), text);
        }
      }
    }
  }),
]);
