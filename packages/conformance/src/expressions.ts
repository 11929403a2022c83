/**
 * Checks expressions on a device: thousands of random ones as maps, loads and stores, against their value in float64 and the bound of what
 * the device may compute instead. Integers must be exact. Elements whose bound includes a jump are undecided; they are not compared, but
 * counted, and may be at most half.
 */
import {
  ArrayView,
  type DType,
  dtypes,
  elementCount,
  type Fft,
  type Layout,
  layout,
  type MapOp,
  scalarCount,
  type TypedArrayOf,
  typedArray,
} from "@dechirp/core";
import { checkExpression, type Domain, type Expression, type Kind, type NodeFacts } from "@dechirp/core/expression";
import type * as FastCheck from "fast-check";
import { fail, isTrue } from "./assert.ts";
import { type Arithmetic, type Bounded, type BoundedComplex, isDecided, storedAs, undecided } from "./expression-arithmetic.ts";
import { boundOfExpression } from "./expression-bound.ts";
import { type Check, check, type Kit, suite } from "./kit.ts";
import { random, type TestRandom } from "./random.ts";
import { expressionOf, extremeReals, type Tree, treesOf, uniformsOfTrees } from "./random-expressions.ts";
import { runOp } from "./run.ts";

/** What a random run computes. `seed` makes the data. */
interface Pack {
  readonly trees: readonly Tree[];
  readonly shape: readonly number[];
  /** Numbers that choose element types. */
  readonly choices: readonly number[];
  readonly seed: number;
  readonly uniforms: { readonly f: number; readonly n: number; readonly m: number };
  /** Whether hooks are fused; a map does not care. */
  readonly fuse: boolean;
}

type Views = Readonly<Record<string, ArrayView>>;
type Inputs = Readonly<Record<string, TypedArrayOf>>;

/** Element types of the sources of random expressions, by precision. */
const sourceTypes: Readonly<Record<"single" | "double", Readonly<Record<string, readonly DType[]>>>> = {
  single: { field: ["c64", "c64", "ci8", "ci16"], line: ["f32", "i16", "u8"], table: ["f32", "f32", "i8"], words: ["u32"] },
  double: { field: ["c128"], line: ["f64"], table: ["f64"], words: ["u32"] },
};
/** Element types that results of each kind are stored in. */
const outputTypes: Readonly<Record<"single" | "double", Readonly<Record<Kind, readonly DType[]>>>> = {
  single: {
    real: ["f32", "f32", "f32", "f32", "i8", "i16", "u8", "u32"],
    complex: ["c64", "c64", "c64", "ci8", "ci16"],
    i32: ["f32", "i16"],
    u32: ["u32", "u32", "f32"],
    bool: ["u8"],
  },
  double: { real: ["f64"], complex: ["c128"], i32: ["f64"], u32: ["u32"], bool: ["u8"] },
};

const shapes: readonly (readonly number[])[] = [[3, 13], [41], [2, 3, 7], [4, 8], [1, 5], [2, 70], [131]];

const choose = <T>(values: readonly T[], choice: number): T => values[choice % values.length];

function sourceLayouts(shape: readonly number[], choices: readonly number[], precision: "single" | "double"): Record<string, Layout> {
  const shaped = { field: shape, line: [13], table: [5, 4], words: [17] };
  return Object.fromEntries(
    Object.entries(shaped).map(([name, extents], i) => [name, layout(choose(sourceTypes[precision][name], choices[i]), extents)]),
  );
}

/** Random samples: mostly of ordinary size, some halves, some extreme; in every fourth array some that are not finite. */
function samples(shaped: Layout, source: TestRandom): TypedArrayOf {
  const data = typedArray(shaped.dtype, scalarCount(shaped));
  const { float } = dtypes[shaped.dtype];
  const range = 2 ** (8 * data.BYTES_PER_ELEMENT);
  const rare = source.integer(0, 3) === 0 ? [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] : [0];
  for (let i = 0; i < data.length; i++) {
    const dice = source.integer(0, 19);
    if (!float) data[i] = dice < 10 ? source.integer(-20, 20) : Math.floor(source.next() * range);
    else if (dice < 12) data[i] = (source.next() - 0.5) * 8;
    else if (dice < 17) data[i] = source.integer(-20, 20) / 2;
    else data[i] = dice < 19 ? source.pick(extremeReals) : source.pick(rare);
  }
  return data;
}

/** How many elements were compared, and how many not because they are undecided. */
interface Count {
  trees: number;
  nodes: number;
  decided: number;
  undecided: number;
}

const isWithin = (actual: number, [v, e]: Bounded): boolean =>
  Number.isFinite(v) ? Math.abs(actual - v) <= e : actual === v || (Number.isNaN(v) && Number.isNaN(actual));

/** Compares the parts of one element. */
function compareElement(actual: readonly number[], expected: readonly Bounded[], count: Count, what: () => string): void {
  if (expected.every(isDecided)) count.decided += 1;
  else count.undecided += 1;
  for (const [part, bounded] of expected.entries()) {
    if (!isDecided(bounded) || isWithin(actual[part], bounded)) continue;
    const [v, e] = bounded;
    fail(`${what()}${part > 0 ? ", imaginary part" : ""}: got ${actual[part]}, expected ${v}${e > 0 ? ` ± ${e.toExponential(2)}` : ""}`);
  }
}

/** Devices with float64 compute by IEEE 754. The others are GPUs. */
const singleOf = ({ device }: Kit): Arithmetic => (device.limits.dtypes.includes("f64") ? "ieee" : "wgsl");

function* indicesOf(shape: readonly number[]): Generator<readonly number[]> {
  const count = elementCount({ dtype: "f32", shape });
  for (let e = 0; e < count; e++) {
    let rest = e;
    yield shape.map((_, axis) => {
      const inner = shape.slice(axis + 1).reduce((product, extent) => product * extent, 1);
      const at = Math.floor(rest / inner);
      rest %= inner;
      return at;
    });
  }
}

/** An expression, what it refers to, and the arrays. */
interface Case {
  readonly expression: Expression;
  readonly kinds: readonly Kind[];
  readonly domain: Domain;
  readonly facts: readonly NodeFacts[];
  readonly inputs: Inputs;
  readonly views: Views;
}

function caseOf(pack: Pack, shape: readonly number[], precision: "single" | "double", value = false): Case {
  const sources = sourceLayouts(shape, pack.choices, precision);
  const { kinds, ...expression } = expressionOf(pack.trees, { shape, sources, value });
  const domain: Domain = { shape, sources, uniforms: uniformsOfTrees, ...(value && { value }) };
  const source = random(pack.seed);
  const inputs = Object.fromEntries(Object.entries(sources).map(([name, shaped]) => [name, samples(shaped, source)]));
  const views = Object.fromEntries(Object.entries(sources).map(([name, shaped]) => [name, new ArrayView(shaped, inputs[name])]));
  return { expression, kinds, domain, facts: checkExpression(expression, domain), inputs, views };
}

/** Runs a pack as a map with an output for each tree. */
async function compareMap(kit: Kit, pack: Pack, precision: "single" | "double", count: Count): Promise<void> {
  const { shape, uniforms } = pack;
  const { expression, kinds, domain, facts, inputs, views } = caseOf(pack, shape, precision);
  const outputs = Object.fromEntries(kinds.map((kind, i) => [`out${i}`, choose(outputTypes[precision][kind], pack.choices[4 + i])]));
  const op: MapOp = { op: "map", name: "random", shape, sources: domain.sources, outputs, uniforms: uniformsOfTrees, expression };
  const results = await runOp(kit.device, op, inputs, { uniforms });
  const arithmetic = precision === "double" ? "float64" : singleOf(kit);
  const evaluate = boundOfExpression(expression, facts, domain, arithmetic);
  const stores = kinds.map((kind, i) => storedAs(arithmetic, kind, outputs[`out${i}`]));
  let flat = 0;
  for (const at of indicesOf(shape)) {
    const expected = evaluate({ at, sources: views, uniforms });
    for (const [i, [re, im]] of expected.entries()) {
      const { components } = dtypes[outputs[`out${i}`]];
      const out = results.outputs[`out${i}`];
      const actual = Array.from(out.subarray(flat * components, (flat + 1) * components));
      const parts = components === 2 ? [re, kinds[i] === "complex" ? im : ([0, 0] as const)] : [re];
      compareElement(actual, parts.map(stores[i]), count, () => `output ${i} (${outputs[`out${i}`]}) at [${at}]`);
    }
    flat += 1;
  }
  count.trees += pack.trees.length;
  count.nodes += expression.nodes.length;
}

/** The four lines of a DFT of four points are sums of ±1 and ±j times the points, so a bound of the sums is easily had. */
const [turnsRe, turnsIm] = [
  [1, 0, -1, 0],
  [0, -1, 0, 1],
];

const hookOp = ({ choices }: Pack, n: number): Omit<Fft, "load" | "store"> => {
  const axis = choices[4] % 2;
  return { op: "fft", layout: layout("c64", axis === 0 ? [n, 6] : [6, n]), axis, inverse: false };
};

/** Runs the first tree of a pack as the load of a transform of length 4. */
async function compareLoad(kit: Kit, pack: Pack, count: Count): Promise<void> {
  const bare = hookOp(pack, 4);
  const { shape } = bare.layout;
  const { expression, kinds, domain, facts, inputs, views } = caseOf(pack, shape, "single");
  const load = { name: "random", sources: domain.sources, uniforms: uniformsOfTrees, expression };
  const { out } = await runOp(kit.device, { ...bare, load }, inputs, { uniforms: pack.uniforms, fuse: pack.fuse });
  const arithmetic = singleOf(kit);
  const evaluate = boundOfExpression(expression, facts, domain, arithmetic);
  const store = storedAs(arithmetic, kinds[0], "c64", true);
  const loaded = new Map<string, readonly Bounded[]>();
  for (const at of indicesOf(shape)) {
    const [[re, im]] = evaluate({ at, sources: views, uniforms: pack.uniforms });
    loaded.set(`${at}`, [store(re), kinds[0] === "complex" ? store(im) : [0, 0]]);
  }
  let flat = 0;
  for (const at of indicesOf(shape)) {
    const points = [0, 1, 2, 3].map(
      (m) => loaded.get(`${at.map((index, axis) => (axis === bare.axis ? m : index))}`) as readonly Bounded[],
    );
    const sum = (parts: (c: number, s: number, re: number, im: number) => number): Bounded => {
      const size = points.flat().reduce((total, [v, e]) => total + Math.abs(v) + e, 0);
      if (!(size < 2 ** 120)) return undecided;
      let [v, e] = [0, 8 * 2 ** -24 * size + 16 * 2 ** -126];
      for (const [m, [re, im]] of points.entries()) {
        const turn = (m * at[bare.axis]) % 4;
        v += parts(turnsRe[turn], turnsIm[turn], re[0], im[0]);
        e += re[1] + im[1];
      }
      return [v, e];
    };
    const expected = [sum((c, s, re, im) => c * re - s * im), sum((c, s, re, im) => c * im + s * re)];
    compareElement([out[2 * flat], out[2 * flat + 1]], expected, count, () => `bin [${at}]`);
    flat += 1;
  }
  count.trees += 1;
  count.nodes += expression.nodes.length;
}

/** Runs the first tree of a pack as the store of a transform of length 4, or 1, which is exact. */
async function compareStore(kit: Kit, pack: Pack, count: Count): Promise<void> {
  const n = pack.choices[6] % 2 === 0 ? 1 : 4;
  const bare = hookOp(pack, n);
  const { shape } = bare.layout;
  const { expression, kinds, domain, facts, inputs, views } = caseOf(pack, shape, "single", true);
  const dtype = choose([...outputTypes.single[kinds[0]], "c64"] as const, pack.choices[5]);
  const store = { name: "random", sources: domain.sources, uniforms: uniformsOfTrees, expression, dtype };
  const source = random(pack.seed + 1);
  const x = Float32Array.from({ length: 12 * n }, () => source.integer(-9, 9));
  const { out } = await runOp(kit.device, { ...bare, store }, { in: x, ...inputs }, { uniforms: pack.uniforms, fuse: pack.fuse });
  const arithmetic = singleOf(kit);
  const evaluate = boundOfExpression(expression, facts, domain, arithmetic);
  const fit = storedAs(arithmetic, kinds[0], dtype, true);
  const { components } = dtypes[dtype];
  let flat = 0;
  for (const at of indicesOf(shape)) {
    let [valueRe, valueIm, size] = [0, 0, 0];
    for (let m = 0; m < n; m++) {
      const [i, j] = at.map((index, axis) => (axis === bare.axis ? m : index));
      const point = 2 * (i * shape[1] + j);
      const turn = (m * at[bare.axis]) % 4;
      valueRe += turnsRe[turn] * x[point] - turnsIm[turn] * x[point + 1];
      valueIm += turnsRe[turn] * x[point + 1] + turnsIm[turn] * x[point];
      size += Math.abs(x[point]) + Math.abs(x[point + 1]);
    }
    const error = n === 1 ? 0 : 8 * 2 ** -24 * size;
    const value: BoundedComplex = [
      [valueRe, error],
      [valueIm, error],
    ];
    const [[re, im]] = evaluate({ at, sources: views, uniforms: pack.uniforms, value });
    const parts = components === 2 ? [re, kinds[0] === "complex" ? im : ([0, 0] as const)] : [re];
    const actual = Array.from(out.subarray(flat * components, (flat + 1) * components));
    compareElement(actual, parts.map(fit), count, () => `stored as ${dtype} at [${at}]`);
    flat += 1;
  }
  count.trees += 1;
  count.nodes += expression.nodes.length;
}

/** Random packs of this many trees. */
function packs(fc: typeof FastCheck, trees: number, hasValue: boolean): FastCheck.Arbitrary<Pack> {
  const kinds = treesOf(fc, hasValue);
  const bits = kinds.i32.map((tree): Tree => ["bits", tree]);
  const root = fc.oneof(
    { arbitrary: kinds.real, weight: 4 },
    { arbitrary: kinds.complex, weight: 4 },
    { arbitrary: kinds.i32, weight: 1 },
    { arbitrary: bits, weight: 2 },
    { arbitrary: kinds.u32, weight: 2 },
    { arbitrary: kinds.bool, weight: 1 },
  );
  return fc.record({
    trees: fc.array(root, { minLength: trees, maxLength: trees }),
    shape: fc.constantFrom(...shapes),
    choices: fc.array(fc.nat(1000), { minLength: 8, maxLength: 8 }),
    seed: fc.noShrink(fc.nat(2 ** 30)),
    uniforms: fc.record({
      f: fc.oneof(fc.float({ min: -10, max: 10, noNaN: true }), fc.constantFrom(...extremeReals.map(Math.fround))),
      n: fc.integer({ min: -2, max: 7 }),
      m: fc.oneof(fc.nat(40), fc.integer({ min: 0, max: 2 ** 32 - 1 })),
    }),
    fuse: fc.boolean(),
  });
}

/** Compares random packs. A failure names the smallest pack that fails, and how to repeat it. */
async function comparePacks(
  { report }: Kit,
  name: string,
  { seed, runs, trees }: { readonly seed: number; readonly runs: number; readonly trees: number },
  compare: (pack: Pack, count: Count) => Promise<void>,
  hasValue = false,
): Promise<void> {
  const fc = await import("fast-check");
  const count: Count = { trees: 0, nodes: 0, decided: 0, undecided: 0 };
  const property = fc.asyncProperty(packs(fc, trees, hasValue), (pack) => compare(pack, count));
  const result = await fc.check(property, { seed, numRuns: runs });
  if (result.failed) {
    const [pack] = result.counterexample ?? [];
    const error = result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance);
    fail(
      `${error}\nof ${JSON.stringify(pack)}\nseed ${result.seed}, path ${result.counterexamplePath}, after ${result.numShrinks} reductions`,
    );
  }
  isTrue(count.trees >= runs * trees, `${name}: ${count.trees} expressions of ${runs * trees}`);
  const text = `${name}: ${count.trees} expressions of ${Math.round(count.nodes / count.trees)} nodes on average, ${count.decided} elements compared, ${count.undecided} undecided`;
  report(text);
  isTrue(count.decided >= count.undecided, text);
}

const parts = 8;
/** Packs of four in each of the parts: 2,016 expressions in all. */
const packsOfPart = 63;
/** Hooks of each kind. Each is a transform of its own, which slow devices take long to compile. */
const hooksOf = ({ sizes }: Kit): number => (sizes === "full" ? 120 : 40);

/** Checks random expressions as maps, loads and stores against bounds of their errors. */
export const expressions = suite("expressions", [
  ...Array.from(
    { length: parts },
    (_, part): Check =>
      check(`random maps, part ${part + 1} of ${parts}`, (kit) =>
        comparePacks(kit, `maps ${part + 1}`, { seed: 1000 + part, runs: packsOfPart, trees: 4 }, (pack, count) =>
          compareMap(kit, pack, "single", count),
        ),
      ),
  ),
  check("random maps in float64", async (kit) => {
    if (singleOf(kit) === "wgsl") return;
    await comparePacks(kit, "float64 maps", { seed: 7, runs: 125, trees: 4 }, (pack, count) => compareMap(kit, pack, "double", count));
  }),
  check("random loads", (kit) =>
    comparePacks(kit, "loads", { seed: 21, runs: hooksOf(kit), trees: 1 }, (pack, count) => compareLoad(kit, pack, count)),
  ),
  check("random stores", (kit) =>
    comparePacks(kit, "stores", { seed: 22, runs: hooksOf(kit), trees: 1 }, (pack, count) => compareStore(kit, pack, count), true),
  ),
]);
