/**
 * Filters over windows: the mean of 7×7 cells, and a sum of 5×5 cells with weights of their own. Here they are measured on the CPU, beside
 * scipy; gpu/cases.ts measures them on a GPU.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRandom, type Layout, layout, type Op, open } from "@dechirp/core";
import { plus, times, type Value } from "@dechirp/core/expression";
import { box, near, stencil } from "@dechirp/core/stencil";
import { cpu } from "@dechirp/fft-cpu";
import { numpyScene } from "../peers.ts";
import type { Case, Contender } from "../runner.ts";

/** A filter over a square window. Beyond the image are zeros. */
export interface WindowFilter {
  readonly name: string;
  readonly kind: "box" | "general";
  /** A row of weights for each row of the window. */
  readonly weights: readonly (readonly number[])[];
  /** The filter of an image at port `x`. */
  op(image: Layout<"f32" | "c64">): Op;
}

const optionsOf = (image: Layout<"f32" | "c64">) =>
  ({ shape: image.shape, sources: { x: image }, boundary: ["zero", "zero"], outputs: { out: image.dtype } }) as const;

/** Weights that a float32 number represents exactly. */
const weights = Array.from({ length: 5 }, (_, i) => Array.from({ length: 5 }, (_, j) => ((7 * (5 * i + j)) % 25) / 64 - 11 / 64));

export const windowFilters: readonly WindowFilter[] = [
  {
    name: "mean of 7×7",
    kind: "box",
    weights: Array.from({ length: 7 }, () => new Array<number>(7).fill(1 / 49)),
    op: (image) =>
      stencil({ name: "mean of 7×7", ...optionsOf(image) }, ({ x }) => ({
        out: times(box(x as never, { rows: 7, columns: 7 }) as Value<"real">, 1 / 49),
      })) as Op,
  },
  {
    name: "filter of 5×5",
    kind: "general",
    weights,
    op: (image) =>
      stencil({ name: "filter of 5×5", ...optionsOf(image) }, ({ x }) => {
        const terms = weights.flatMap((row, i) => row.map((weight, j) => times(near(x as never, i - 2, j - 2) as Value<"real">, weight)));
        return { out: terms.reduce((sum, term) => plus(sum, term) as Value<"real">) };
      }) as Op,
  },
];

/** A component of an element of the filtered square image, in float64. `at` is the element's flat index. */
export function weightedSum(
  weights: WindowFilter["weights"],
  x: ArrayLike<number>,
  side: number,
  at: number,
  components: 1 | 2,
  component: number,
): number {
  const half = (weights.length - 1) / 2;
  const [y0, x0] = [Math.floor(at / side), at % side];
  let sum = 0;
  for (let i = Math.max(0, half - y0); i < Math.min(weights.length, side + half - y0); i++)
    for (let j = Math.max(0, half - x0); j < Math.min(weights.length, side + half - x0); j++)
      sum += weights[i][j] * x[components * ((y0 + i - half) * side + x0 + j - half) + component];
  return sum;
}

const side = 4096;

/** The relative L2 error on some rows. */
function errorOf({ weights }: WindowFilter, x: Float32Array, result: ArrayLike<number>, components: 1 | 2): number {
  let [difference, energy] = [0, 0];
  for (const row of [0, 1, 63, 64, 2000, side - 1])
    for (let i = 0; i < components * side; i++) {
      const expected = weightedSum(weights, x, side, row * side + Math.floor(i / components), components, i % components);
      difference += (result[components * row * side + i] - expected) ** 2;
      energy += expected ** 2;
    }
  return Math.sqrt(difference / energy);
}

/** Each filter of images of each type, with all units and with one, and scipy. */
export const stencilCases: readonly Case[] = windowFilters.flatMap((filter) =>
  (["f32", "c64"] as const).map(
    (dtype): Case => ({
      name: `${filter.name} of ${dtype} ${side}×${side}`,
      flops: 0,
      windows: 7,
      errorKind: "relative L2 against float64 on some rows",
      async setUp() {
        const image = layout(dtype, [side, side]);
        const components = dtype === "c64" ? 2 : 1;
        const { uniform } = createRandom(8);
        const data = Float32Array.from({ length: components * side * side }, () => uniform() - 0.5);
        const contenders: Contender[] = [];
        for (const workers of [undefined, 1]) {
          const device = await open(cpu(workers ? { workers } : {}));
          const [x, out] = [device.alloc(image, "x"), device.alloc(image, "out")];
          x.write(data);
          const plan = await device.plan(filter.op(image));
          contenders.push({
            name: `${workers ? "one unit" : "all units"} ${plan.text}`,
            run: () => plan.run({ x, out }).done,
            error: async () => errorOf(filter, data, (await out.read()) as Float32Array, components),
            dispose: () => device[Symbol.dispose](),
          });
        }
        const folder = mkdtempSync(join(tmpdir(), "dechirp-stencil-"));
        writeFileSync(join(folder, "x.f32"), data);
        writeFileSync(join(folder, "weights.json"), JSON.stringify(filter.weights));
        const script = fileURLToPath(new URL("../../peers/stencil.py", import.meta.url));
        const error = (numbers: Float32Array): number => errorOf(filter, data, numbers, components);
        const peer = numpyScene(script, folder, [filter.kind, dtype, String(side)], "result.f32", error);
        const absent = typeof peer === "string" ? { scipy: peer } : {};
        if (typeof peer !== "string") contenders.push(peer);
        return { contenders, absent, dispose: () => rmSync(folder, { recursive: true, force: true }) };
      },
    }),
  ),
);
