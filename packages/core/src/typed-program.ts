/**
 * `program`: a program whose inputs and outputs the compiler knows. The types of the outputs follow from the layouts that the steps' ops are
 * built with, so that `(await evaluate(p, device, inputs)).spectra` is a `Float32Array` and a misspelt name does not compile.
 */
import type { DType, Layout, TypedArrayOf } from "./layout.ts";
import type { Yields } from "./ops/row.ts";
import { type Constant, type Program, type Step, valueLayouts } from "./program.ts";

type Layouts = Readonly<Record<string, Layout>>;

/** The element type that an op writes to a port, or `never` for a port that it only reads. `DType` if the op's type does not say. */
type WrittenDType<O, P> = O extends { readonly op: "kernel"; readonly ports: infer Q }
  ? string extends keyof Q
    ? DType
    : P extends keyof Q
      ? Q[P] extends { readonly access: "write" | "update"; readonly layout: Layout<infer D> }
        ? D
        : never
      : never
  : P extends "out"
    ? O extends Yields<infer D extends DType>
      ? D
      : DType
    : never;

/** The element types that a step writes to value `K`. */
type StepDType<S, K> = S extends { readonly op: infer O; readonly bind: infer B }
  ? { [P in keyof B]: B[P] extends K ? WrittenDType<O, P> : never }[keyof B]
  : never;

/** The values that a list of steps binds. */
type NamesIn<S extends readonly Step[]> = BoundNames<S[number]>;
type BoundNames<S> = S extends { readonly bind: infer B } ? Extract<B[keyof B], string> : never;

/** The arrays of layouts by name. */
export type ArraysOf<I extends Layouts> = { readonly [K in keyof I]: TypedArrayOf<I[K]["dtype"]> };

/** The arrays that a program's steps write to the outputs `O`. */
export type OutputsOf<S extends readonly Step[], O extends readonly string[]> = {
  readonly [K in O[number]]: TypedArrayOf<StepDType<S[number], K>>;
};

/** What `program` takes: a program, with inputs, steps and outputs as literals. */
export interface ProgramParts<I extends Layouts, S extends readonly Step[], O extends readonly NamesIn<S>[]> {
  readonly name: string;
  readonly inputs: I;
  readonly constants?: Readonly<Record<string, Constant>>;
  readonly steps: S;
  readonly outputs: O;
}

/**
 * A checked program whose inputs and outputs are typed. Build its ops with `fft`, `realFft`, `spectralFilter`, `filterInverse`, `multiply`,
 * `transpose`, `convert` and `kernel`. Throws `layout`, naming the step and the port, if the parts do not fit together.
 */
export function program<const I extends Layouts, const S extends readonly Step[], const O extends readonly NamesIn<S>[]>(
  parts: ProgramParts<I, S, O>,
): Program<OutputsOf<S, O>, ArraysOf<I>> {
  valueLayouts(parts);
  return parts;
}
