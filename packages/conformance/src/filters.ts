/**
 * Checks `spectral-filter` and `filter-inverse` against the definition: with one filter line or a whole array, padded, kept in part, in
 * place.
 */
import { type FilterInverse, layout, type SpectralFilter } from "@dechirp/core";
import { close } from "./assert.ts";
import { check, type Kit, suite } from "./kit.ts";
import { matches } from "./match.ts";
import { random, randomArray } from "./random.ts";
import { complexTypes, runOp } from "./run.ts";
import { correct } from "./tolerance.ts";

type Filter = SpectralFilter | FilterInverse;
const inPlace = { inPlace: true };
const kinds = ["spectral-filter", "filter-inverse"] as const;

async function forEachKind(
  kit: Kit,
  visit: (make: (shape: readonly number[], axis: number, more?: Partial<Filter>) => Filter) => Promise<void>,
): Promise<void> {
  for (const dtype of complexTypes(kit.device)) {
    for (const op of kinds) {
      for (const h of ["line", "all"] as const) {
        await visit((shape, axis, more = {}) => ({ op, layout: layout(dtype, shape), axis, h, ...more }) as Filter);
      }
    }
  }
}

/** Checks filters against their definition. */
export const filters = suite("filters", [
  check("lengths", (kit) =>
    forEachKind(kit, async (make) => {
      for (const n of [1, 2, 3, 7, 16, 30, 64, 97, 120, 256, 300]) {
        await matches(kit, make([3, n], 1), n);
        await matches(kit, make([n, 3], 0), n);
      }
    }),
  ),
  check("padded, cropped, kept in part, any axis", (kit) =>
    forEachKind(kit, async (make) => {
      const source = random(99);
      for (let round = 0; round < (kit.sizes === "full" ? 16 : 5); round++) {
        const shape = Array.from({ length: source.integer(1, 4) }, () => source.integer(1, 12));
        const axis = source.integer(0, shape.length - 1);
        const n = source.integer(1, 40);
        const start = source.integer(0, n - 1);
        await matches(kit, make(shape, axis, { n }), round);
        await matches(kit, make(shape, axis, { n, keep: [start, source.integer(1, n - start)] }), round);
      }
    }),
  ),
  check("in place", (kit) =>
    forEachKind(kit, async (make) => {
      await matches(kit, make([5, 48], 1), 1, inPlace);
      await matches(kit, make([30, 9], 0), 2, inPlace);
      await matches(kit, make([5, 20], 1, { n: 32, keep: [3, 20] }), 3, inPlace);
    }),
  ),
  check("a filter of ones changes nothing, a filter of phases delays", async (kit) => {
    const [lines, n, delay] = [4, 60, 7];
    const op: Filter = { op: "spectral-filter", layout: layout("c64", [lines, n]), axis: 1, h: "line" };
    const x = randomArray(op.layout, random(5));
    const h = new Float32Array(2 * n);
    for (const shift of [0, delay]) {
      for (let k = 0; k < n; k++) {
        const angle = (-2 * Math.PI * ((shift * k) % n)) / n;
        h[2 * k] = Math.cos(angle);
        h[2 * k + 1] = Math.sin(angle);
      }
      const expected = x.map((_, i) => {
        const e = i >> 1;
        const [line, at] = [Math.floor(e / n), e % n];
        return x[2 * (line * n + ((at + n - shift) % n)) + (i & 1)];
      });
      close((await runOp(kit.device, op, { in: x, h })).out, expected, correct(n, "c64", 3), `delay ${shift}`);
    }
  }),
]);
