/**
 * `program` builds a program whose inputs and outputs the compiler knows. It infers the types of the outputs from the layouts of the
 * steps' ops: `(await evaluate(p, device, inputs)).spectra` is a `Float32Array`, and a misspelt name does not compile.
 */
import type { DType, Layout, TypedArrayOf } from "./layout.ts";
import type { WithOutputType } from "./ops/row.ts";
import { type Constant, type Program, type Step, valueLayouts } from "./program.ts";

type Layouts = Readonly<Record<string, Layout>>;

/** The element type that op `O` writes to port `P`: `never` if it only reads the port, `DType` if the op's type does not tell. */
type WrittenDType<O, P> = string extends P
  ? DType
  : O extends { readonly op: "kernel"; readonly ports: infer Q }
    ? string extends keyof Q
      ? DType
      : P extends keyof Q
        ? Q[P] extends { readonly access: infer A; readonly layout: Layout<infer D> }
          ? [A] extends ["read"]
            ? never
            : D
          : never
        : never
    : O extends { readonly op: "map" | "stencil"; readonly outputs: infer Q }
      ? string extends keyof Q
        ? DType
        : P extends keyof Q
          ? Extract<Q[P], DType>
          : never
      : P extends "out"
        ? O extends WithOutputType<infer D extends DType>
          ? D
          : DType
        : never;

/** The element types that step `S` writes to value `K` by that name. */
type StepDType<S, K> = S extends { readonly op: infer O; readonly bind: infer B }
  ? { [P in keyof B]: B[P] extends K ? WrittenDType<O, P> : never }[keyof B]
  : never;

/** The element types that step `S` may write to value `K`: where it binds a name of type `string`, that may be `K`. */
type PossibleDType<S, K> = S extends { readonly op: infer O; readonly bind: infer B }
  ? { [P in keyof B]: K extends B[P] ? WrittenDType<O, P> : never }[keyof B]
  : never;

/** The element type of value `K`. An input has that of its layout. `DType` if the types of the inputs and steps do not tell. */
type ValueDType<I extends Layouts, S, K> =
  K extends Literal<keyof I> ? I[K]["dtype"] : Known<StepDType<S, K>, Known<PossibleDType<S, K>, DType>>;
type Literal<K> = string extends K ? never : K;
type Known<D extends DType, Otherwise extends DType> = [D] extends [never] ? Otherwise : D;

/** The names of the values that can be outputs: inputs, and what the steps bind. */
type ValueNames<I extends Layouts, S extends readonly Step[]> = Extract<keyof I, string> | BoundNames<S[number]>;
type BoundNames<S> = S extends { readonly bind: infer B } ? Extract<B[keyof B], string> : never;

/** The typed arrays that belong to layouts, by name. */
export type ArraysOf<I extends Layouts> = { readonly [K in keyof I]: TypedArrayOf<I[K]["dtype"]> };

/** The typed arrays of the outputs `O`, by name: inputs `I`, or values that the steps `S` write. */
export type OutputsOf<I extends Layouts, S extends readonly Step[], O extends readonly string[]> = {
  readonly [K in O[number]]: TypedArrayOf<ValueDType<I, S[number], K>>;
};

/** What `program` takes: the fields of `Program`. Write inputs, steps and outputs as literals, so that the compiler sees their names. */
export interface ProgramParts<I extends Layouts, S extends readonly Step[], O extends readonly ValueNames<I, S>[]> {
  readonly name: string;
  readonly inputs: I;
  readonly constants?: Readonly<Record<string, Constant>>;
  readonly steps: S;
  readonly outputs: O;
}

/**
 * Builds a program whose inputs and outputs are typed, and checks it. Make its ops with `fft`, `realFft`, `spectralFilter`,
 * `filterInverse`, `multiply`, `transpose`, `convert`, `kernel` and `map` (of `@dechirp/core/expression`). Throws `layout`, naming the step and the port, if the parts do not
 * fit together.
 */
export function program<const I extends Layouts, const S extends readonly Step[], const O extends readonly ValueNames<I, S>[]>(
  parts: ProgramParts<I, S, O>,
): Program<OutputsOf<I, S, O>, ArraysOf<I>> {
  valueLayouts(parts);
  return parts;
}
