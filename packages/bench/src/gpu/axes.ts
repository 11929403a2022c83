/** Transforms along one or more axes of an array: columns, images, cubes, and batches of them. */
import { layout, type Op } from "@dechirp/core";
import { transformFlops } from "../runner.ts";
import { dft, type Sample } from "./reference.ts";
import type { Work } from "./work.ts";

/** An array's shape and the axes along which it is transformed. */
export interface AxesWork {
  readonly shape: readonly number[];
  readonly axes: readonly number[];
}

/** The number of elements of the array. */
export const elementsOf = ({ shape }: Pick<AxesWork, "shape">): number => shape.reduce((product, n) => product * n, 1);

/** Parses lists such as `16x1000x1000@1+2,512x512@0`: extents, and axes counted from 0. Returns undefined if the text is something else. */
export function parseAxes(text: string): readonly AxesWork[] | undefined {
  const works = text.split(",").map(parseWork);
  return works.every((work) => work !== undefined) ? works : undefined;
}

function parseWork(text: string): AxesWork | undefined {
  const match = /^(\d+(?:x\d+)+)@(\d+(?:\+\d+)*)$/.exec(text);
  if (!match) return undefined;
  const [shape, axes] = [match[1].split("x").map(Number), match[2].split("+").map(Number)];
  const sound = shape.every((extent) => extent >= 1) && axes.every((axis) => axis < shape.length && shape[axis] >= 2);
  return sound && new Set(axes).size === axes.length ? { shape, axes } : undefined;
}

/** Forward transforms along `axes` of an array, the last of them first. */
export function axesWork({ shape, axes }: AxesWork): Work {
  const whole = layout("c64", shape);
  const count = elementsOf({ shape });
  const arrays = ["in", ...axes.slice(1).map((_, i) => `middle${i}`), "out"];
  const steps = [...axes].reverse().map((axis, i) => {
    const op: Op = { op: "fft", layout: whole, axis, inverse: false };
    return { op, bind: { in: arrays[i], out: arrays[i + 1] } };
  });
  const extents = axes.map((axis) => shape[axis]);
  return {
    name: `fft c64 ${nameOf({ shape, axes })}`,
    arrays: Object.fromEntries(arrays.map((name) => [name, whole])),
    ways: [{ steps }],
    flops: extents.reduce((sum, n) => sum + transformFlops(count / n, n), 0),
    gain: extents.reduce((product, n) => product * n, 1),
    samples: (x) => sampledLines(x, { shape, axes }),
    peer: { kind: "axes", lines: count / (shape.at(-1) as number), n: shape.at(-1) as number, shape, axes },
  };
}

function nameOf({ shape, axes }: AxesWork): string {
  const extents = shape.join("×");
  if (shape.length === 2) return axes.length === 2 ? `both axes of ${extents}` : `${axes[0] === 0 ? "columns" : "rows"} of ${extents}`;
  return `${axes.length === 1 ? "axis" : "axes"} ${axes.join(", ")} of ${extents}`;
}

/** Lines of the result along the first of the axes, spread over the others. */
function sampledLines(x: Float32Array, { shape, axes }: AxesWork): Sample[] {
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, n) => product * n, 1));
  const [along, ...rest] = axes;
  return [0, 1, 2].map((place) => {
    // The first, a middle and the last place of the line along the other axes: a frequency along those that are transformed.
    const at = shape.map((n, axis) => (axis === along ? 0 : Math.round(((n - 1) * place) / 2)));
    // The elements that are added to one element of the line before it is transformed, with their factors.
    let terms = [{ offset: 0, turns: 0 }];
    for (const axis of rest) {
      const n = shape[axis];
      const shifts = Array.from({ length: n }, (_, i) => ({ offset: i * strides[axis], turns: ((i * at[axis]) % n) / n }));
      terms = terms.flatMap(({ offset, turns }) => shifts.map((shift) => ({ offset: offset + shift.offset, turns: turns + shift.turns })));
    }
    const factors = terms.map(({ offset, turns }) => ({ offset, re: Math.cos(2 * Math.PI * turns), im: -Math.sin(2 * Math.PI * turns) }));
    const base = at.reduce((sum, i, axis) => sum + (rest.includes(axis) ? 0 : i * strides[axis]), 0);
    const line = new Float64Array(2 * shape[along]);
    for (let i = 0; i < shape[along]; i++) {
      const first = base + i * strides[along];
      for (const { offset, re, im } of factors) {
        const [a, b] = [x[2 * (first + offset)], x[2 * (first + offset) + 1]];
        line[2 * i] += a * re - b * im;
        line[2 * i + 1] += a * im + b * re;
      }
    }
    const start = at.reduce((sum, i, axis) => sum + i * strides[axis], 0);
    return { start, stride: strides[along], values: dft(line) };
  });
}
