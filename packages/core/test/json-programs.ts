/** Programs that the tests of JSON send: every op, hooks of every kind, constants of every element type. */
import { sampleOps } from "../src/backend.ts";
import { load, map, store, times } from "../src/expression.ts";
import {
  createRandom,
  dtypes,
  fft,
  filterInverse,
  type Kernel,
  kernel,
  type Load,
  layout,
  type Op,
  type Program,
  portsOf,
  scalarCount,
  spectralFilter,
  type TunedHook,
  typedArray,
} from "../src/index.ts";
import type { DecodeOptions } from "../src/json.ts";

/** A kernel that multiplies by a number, with a recipe. */
export const scaled = (by: number): Kernel =>
  kernel({
    name: `times ${by}`,
    ports: { in: { access: "read", layout: layout("f32", [4]) }, out: { access: "write", layout: layout("f32", [4]) } },
    items: 4,
    recipe: { name: "scaled", parameters: { by } },
    reference({ in: x, out }, _uniforms, start, end) {
      for (let i = start; i < end; i++) out.set(i, by * x.re(i));
    },
  });

/** A load that is a function, with a recipe. */
export const shifted = (by: number): Load => ({
  name: `plus ${by}`,
  sources: { x: layout("c64", [2, 8]) },
  recipe: { name: "shifted", parameters: { by } },
  reference: ([row, column], { x }) => [x.re(8 * row + column) + by, x.im(8 * row + column)],
});

/** A load that is an expression with tuned code, with a recipe. */
export function gained(gain: number, marks?: (tuned: TunedHook) => void): Load {
  const lines = layout("c64", [2, 8]);
  const tuned: TunedHook = { wgsl: `return ${gain}.0 * load_x(at[0] * 8u + at[1]);`, recipe: { name: "gained", parameters: { gain } } };
  marks?.(tuned);
  return load({ name: "gained", layout: lines, sources: { x: lines }, tuned }, ({ at, x }) => times(x(at), gain));
}

/** What `decodeProgram` needs for these. */
export const recipes: DecodeOptions = {
  kernels: { scaled: ({ by }) => scaled(by as number) },
  hooks: { shifted: ({ by }) => shifted(by as number) },
  tuned: { gained: ({ gain }) => gained(gain as number) },
};

/** A program of one step whose values have the names of its op's ports. */
export function programOf(op: Op): Program {
  const ports = Object.entries(portsOf(op));
  const named = (reads: boolean) => ports.filter(([, { access }]) => (access === "write") !== reads);
  return {
    name: op.op,
    inputs: Object.fromEntries(named(true).map(([name, port]) => [name, port.layout])),
    steps: [{ name: op.op, op, bind: Object.fromEntries(ports.map(([name]) => [name, name])) }],
    outputs: ports.filter(([, { access }]) => access !== "read").map(([name]) => name),
  };
}

/** Small ops of every kind without functions. */
export const plainOps = (): readonly Op[] => {
  const lines = layout("c64", [2, 8]);
  const half = layout("f32", [2, 8]);
  return [
    ...sampleOps().filter((op) => op.op !== "kernel" && !("h" in op && typeof op.h === "object" && op.h.reference)),
    fft(lines, { axis: 1, keep: [1, 5], load: load({ layout: lines, sources: { x: half, w: layout("f32", [8]) } }, "x * w[i1] * -0.1") }),
    fft(lines, {
      axis: 0,
      store: store({ layout: lines, sources: {}, uniforms: { level: "f32" }, dtype: "u8" }, ({ value, level }) => times(value, level)),
    }),
    spectralFilter(lines, { axis: 1, h: load({ layout: lines, sources: { c: lines } }, "c[i0, 7 - i1]") }),
    filterInverse(lines, { axis: 1, cornerTurn: true }),
    map({ name: "negative zero", shape: [3], sources: { x: layout("f32", [3]) }, outputs: { y: "f32" } }, ({ at, x }) => ({
      y: times(x(at), -0),
    })),
  ];
};

/** A program with a constant of every element type, with random bits, and steps of every kind. */
export function everything(): Program {
  const random = createRandom(5);
  const constants = Object.fromEntries(
    Object.keys(dtypes).map((dtype) => {
      const at = layout(dtype as keyof typeof dtypes, [3, 2]);
      const data = typedArray(at.dtype, scalarCount(at));
      const bytes = new Uint8Array(data.buffer);
      for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(256 * random.uniform());
      return [dtype, { layout: at, data }];
    }),
  );
  const lines = layout("c64", [2, 8]);
  return {
    name: "everything",
    inputs: { x: lines, four: layout("f32", [4]) },
    constants: { ...constants, again: { layout: layout("f64", [3, 2]), data: (constants["f64"].data as Float64Array).slice() } },
    steps: [
      { name: "scale", op: scaled(2.5), bind: { in: "four", out: "ten" } },
      { name: "shift", op: fft(lines, { axis: 1, load: shifted(0.1) }), bind: { x: "x", out: "spectrum" } },
      { name: "gain", op: fft(lines, { axis: 0, inverse: true, load: gained(3) }), bind: { x: "spectrum", out: "y" } },
      { name: "turn", op: { op: "convert", layout: lines, to: "c64", scale: -0 }, bind: { in: "y", out: "y" }, inPlace: true },
    ],
    outputs: ["ten", "y"],
  };
}
