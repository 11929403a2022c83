/** What a measurement of transforms is about, as data: the arrays, the operation with and without its hook, and the input. */
import {
  type ComplexDType,
  createRandom,
  dtypes,
  elementCount,
  type Fft,
  fft,
  inputError,
  type Layout,
  type Load,
  layout,
  type RealDType,
  type RealFft,
  realFft,
  type Store,
  type TypedArrayOf,
} from "@dechirp/core";
import { checkExpression, load, store } from "@dechirp/core/expression";

/** The element types of lines in time: complex or real, in single or double precision. */
export type LineType = "c64" | "c128" | "f32" | "f64";
/** Where the hook is: nowhere, before the transform, or after it. */
export type HookPlace = "none" | "load" | "store";

/** The choices that a measurement depends on. */
export interface TransformChoices {
  /** Points of a line in time. */
  readonly n: number;
  /** Number of lines. */
  readonly batch: number;
  /** Whether lines are rows, whose elements are neighbours in memory, or columns. */
  readonly axis: "rows" | "columns";
  readonly direction: "forward" | "inverse";
  /** Element type of the lines in time. The spectra of real lines are half as long. */
  readonly type: LineType;
  readonly hook: HookPlace;
  /** The text of the hook. */
  readonly text: string;
  readonly seed: number;
}

/** Whether elements of a type are complex numbers. */
export const isComplex = (dtype: Layout["dtype"]): boolean => dtypes[dtype].components === 2;

/** The most elements of an array: 128 MiB in complex single precision. */
const mostElements = 2 ** 24;

type Transform = Fft | RealFft;

/** The arrays and the operation that choices stand for, without hooks. */
export interface Problem {
  readonly op: Transform;
  readonly input: Layout;
  readonly output: Layout;
  /** Number of the axis along which lines run. */
  readonly axis: 0 | 1;
  /** Whether numbers have double precision. */
  readonly isDouble: boolean;
}

const realType = (isDouble: boolean): RealDType => (isDouble ? "f64" : "f32");
const complexType = (isDouble: boolean): ComplexDType => (isDouble ? "c128" : "c64");

const shapeOf = ({ batch, axis }: Pick<TransformChoices, "batch" | "axis">, length: number): readonly [number, number] =>
  axis === "rows" ? [batch, length] : [length, batch];

/** The problem of choices. Throws `input` if its arrays are larger than this page allows. */
export function problemOf(choices: TransformChoices): Problem {
  const { n, batch, direction, type } = choices;
  if (n * batch > mostElements) throw inputError("batch", `at most ${Math.floor(mostElements / n)} for lines of ${n} points`, batch);
  const axis = choices.axis === "rows" ? 1 : 0;
  const isInverse = direction === "inverse";
  const isDouble = type === "c128" || type === "f64";
  const time = layout(type, shapeOf(choices, n));
  if (isComplex(type)) {
    const op = fft(time as Layout<ComplexDType>, { axis, inverse: isInverse });
    return { op, input: time, output: time, axis, isDouble };
  }
  const spectrum = layout(complexType(isDouble), shapeOf(choices, Math.floor(n / 2) + 1));
  return isInverse
    ? { op: realFft(spectrum, { axis, n }), input: spectrum, output: time, axis, isDouble }
    : { op: realFft(time as Layout<RealDType>, { axis }), input: time, output: spectrum, axis, isDouble };
}

/** A hook with the arrays that it reads besides the input. */
export interface HookedProblem extends Problem {
  readonly place: Exclude<HookPlace, "none">;
  /** What is computed: its layout is that of the hook. */
  readonly layout: Layout;
  readonly sources: Readonly<Record<string, Layout>>;
}

/** The operation with the hook of its text. Throws `layout`, with the `offset` of the character, if the text is wrong. */
export function hookedOf(choices: TransformChoices, place: Exclude<HookPlace, "none">): HookedProblem {
  const problem = problemOf(choices);
  const { input, output, axis, isDouble, op } = problem;
  const at = place === "load" ? input : output;
  const window = layout(realType(isDouble), [at.shape[axis]]);
  if (place === "load") {
    const sources = { x: input, w: window };
    const hook: Load = load({ name: "hook", layout: input, sources }, choices.text);
    return { ...problem, op: { ...op, load: hook } as Transform, place, layout: input, sources };
  }
  const sources = { w: window };
  const made = (dtype: Layout["dtype"]): Store => store({ name: "hook", layout: output, sources, dtype }, choices.text);
  const complex = made(complexType(isDouble));
  const written = writesComplex(complex, output, sources) && isComplex(output.dtype) ? complex : made(realType(isDouble));
  return {
    ...problem,
    op: { ...op, store: written } as Transform,
    output: { ...output, dtype: written.dtype },
    place,
    layout: output,
    sources,
  };
}

/** Whether the value that a store writes is complex. */
function writesComplex({ expression }: Store, { shape }: Layout, sources: Readonly<Record<string, Layout>>): boolean {
  const facts = checkExpression(expression!, { shape, sources, value: true });
  return facts[expression!.results[0]].kind === "complex";
}

/** A Hann window, the source `w` of hooks: its zeros are outside, so that every point has a weight. */
export function hannWindow(shape: Layout): TypedArrayOf {
  const [n] = shape.shape as readonly [number];
  return dtypes[shape.dtype].array.from(Array.from({ length: n }, (_, i) => Math.sin((Math.PI * (i + 0.5)) / n) ** 2));
}

/** Numbers that are made between two yields. */
const piece = 2 ** 16;

/** Uniform noise between −0.5 and 0.5, as scalars of the layout. Yields now and then, for `runInPieces`. */
export function* noiseSteps(shape: Layout, seed: number): Generator<void, Float32Array | Float64Array> {
  const { components, array } = dtypes[shape.dtype];
  const data = new array(components * elementCount(shape)) as Float32Array | Float64Array;
  const random = createRandom(seed);
  for (let i = 0; i < data.length; ) {
    for (const end = Math.min(i + piece, data.length); i < end; i++) data[i] = random.uniform() - 0.5;
    yield;
  }
  return data;
}

/** The problem of some of its lines alone, as rows in double precision and without hooks. */
export function linesOf({ op, input, output, axis }: Problem, lines: number): Transform {
  const one = (shape: Layout): Layout => layout(doubleOf(shape.dtype), [lines, shape.shape[axis]]);
  if (op.op === "fft") return fft(one(input) as Layout<ComplexDType>, { axis: 1, inverse: op.inverse });
  return realFft(one(input) as Layout<RealDType | ComplexDType>, { axis: 1, ...(op.inverse && { n: output.shape[axis] }) });
}

const doubleOf = (dtype: Layout["dtype"]): RealDType | ComplexDType => (isComplex(dtype) ? "c128" : "f64");
