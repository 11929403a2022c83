/**
 * Cases of adding to an array: out += in by a map, and out += FFT(in) by an accumulating store, beside the transform and an addition in two
 * steps. The results are checked after two runs on zeros, so a run that overwrites is wrong.
 */
import { type Layout, layout } from "@dechirp/core";
import { accumulate, map } from "@dechirp/core/expression";
import { transformFlops } from "../runner.ts";
import { caseOf, type GpuCase, sideOf } from "./cases.ts";
import { dft, lineOf, spreadOver } from "./reference.ts";
import type { Work } from "./work.ts";

/** The op that adds `x` to `out`. */
const addition = (shape: Layout) =>
  map({ name: "out += x", shape: shape.shape, sources: { x: shape, out: shape }, outputs: { out: "c64" } }, "out + x");

const twice = (values: Float64Array): Float64Array => values.map((v) => 2 * v);

/** The cases for a square array of about `elements` complex numbers. */
export const accumulationCases = (elements: number): readonly GpuCase[] => worksOf(sideOf(elements)).map(caseOf);

function worksOf(side: number): readonly Work[] {
  const shape = layout("c64", [side, side]);
  const arrays = { in: shape, out: shape };
  // Read, read and written.
  const bytes = 3 * 8 * side * side;
  const lines = spreadOver(side);
  const add = { op: addition(shape), bind: { x: "in", out: "out" } };
  return [
    {
      name: `out += in c64 ${side}×${side}`,
      arrays,
      ways: [{ steps: [add] }],
      flops: 2 * side * side,
      gain: 4,
      adds: true,
      bytes,
      samples: (x) => lines.map((l) => ({ start: l * side, stride: 1, values: twice(lineOf(x, side, l * side)) })),
      peer: { kind: "accumulate", lines: side, n: side },
    },
    {
      name: `out += fft(in) c64 ${side}×${side}`,
      arrays: { ...arrays, middle: shape },
      ways: [
        {
          steps: [{ op: { op: "fft", layout: shape, axis: 1, inverse: false, store: accumulate(shape) }, bind: { in: "in", out: "out" } }],
        },
        {
          name: "in two steps",
          steps: [
            { op: { op: "fft", layout: shape, axis: 1, inverse: false }, bind: { in: "in", out: "middle" } },
            { ...add, bind: { x: "middle", out: "out" } },
          ],
        },
      ],
      flops: transformFlops(side, side) + 2 * side * side,
      gain: 4 * side,
      adds: true,
      bytes,
      samples: (x) => lines.map((l) => ({ start: l * side, stride: 1, values: twice(dft(lineOf(x, side, l * side))) })),
      peer: { kind: "fft-accumulate", lines: side, n: side },
    },
  ];
}
