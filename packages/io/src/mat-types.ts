/**
 * What a MAT-file holds, as plain data, and the accessors that turn a missing or ill-typed variable into one clear
 * error. Nothing here reads bytes.
 */
import { inputError } from "@dechirp/core";
import { stateError } from "./file-error.ts";
import type { NumericArray } from "./numbers.ts";

/** MATLAB's classes of numbers. */
export type MatNumericClass =
  | "double"
  | "single"
  | "int8"
  | "uint8"
  | "int16"
  | "uint16"
  | "int32"
  | "uint32"
  | "int64"
  | "uint64"
  | "logical";

/** A numeric array of a MATLAB file. */
export interface MatNumeric {
  readonly kind: "numeric";
  /** MATLAB's class. The array type of `data` is that of the file, which may be narrower: a double stored as int8. */
  readonly class: MatNumericClass;
  readonly shape: readonly number[];
  readonly complex: boolean;
  /** Column-major; real, imaginary interleaved where complex. */
  readonly data: NumericArray;
}

/** A text array of a MATLAB file. */
export interface MatChar {
  readonly kind: "char";
  readonly shape: readonly number[];
  /** UTF-16 code units, column-major: of a 1 × n array, the text. */
  readonly text: string;
}

/** An array of structs of a MATLAB file. */
export interface MatStruct {
  readonly kind: "struct";
  readonly shape: readonly number[];
  /** For every field its values, one per struct of the array, column-major. */
  readonly fields: ReadonlyMap<string, readonly MatValue[]>;
}

/** A cell array of a MATLAB file. */
export interface MatCell {
  readonly kind: "cell";
  readonly shape: readonly number[];
  /** Column-major. */
  readonly cells: readonly MatValue[];
}

/** Something that a MAT-file can hold and this reader leaves out: sparse matrices, objects, function handles. */
export interface MatSkipped {
  readonly kind: "skipped";
  readonly reason: string;
}

/** A variable of a MATLAB file, or an element of a cell or struct. */
export type MatValue = MatNumeric | MatChar | MatStruct | MatCell | MatSkipped;

/** The variables of a MATLAB file. */
export interface MatFile {
  /** Name for messages. */
  readonly file: string;
  readonly version: 4 | 5;
  readonly variables: ReadonlyMap<string, MatValue>;
  /** What was left out or looked odd, one sentence each. */
  readonly notes: readonly string[];
}

/** What a variable states before its values. */
export interface MatHead {
  readonly name: string;
  readonly kind: "numeric" | "struct" | "other";
  readonly shape: readonly number[];
  readonly complex: boolean;
}

/** Throws `input`, naming `field`, for what `readMat` can't have answered with. */
export function checkMatFile(mat: MatFile, field = "mat"): void {
  if (typeof mat !== "object" || mat === null || typeof mat.file !== "string" || typeof mat.variables?.get !== "function")
    throw inputError(field, "a MAT-file as readMat answers it", mat);
}

/** The variable `name`, whatever it is. */
function variableOf(mat: MatFile, name: string): MatValue | undefined {
  checkMatFile(mat);
  return mat.variables.get(name);
}

/** Kind and shape of a value, or why there is none, for an error message. */
export const kindText = (value: MatValue | undefined): string =>
  value === undefined
    ? "absent"
    : value.kind === "skipped"
      ? value.reason
      : `${value.kind === "numeric" ? `${value.complex ? "complex " : ""}${value.class}` : value.kind} [${value.shape.join(", ")}]`;

/** The numeric variable `name`. Throws `input`, naming file and variable, where it is absent or not numeric. */
export function matNumeric(mat: MatFile, name: string): MatNumeric {
  const value = variableOf(mat, name);
  if (value?.kind !== "numeric") throw stateError(mat.file, `variable ${name}`, "a numeric array", kindText(value));
  return value;
}

/** The real scalar `name`. Throws `input` where it is absent, complex or not 1 × 1. */
export function matScalar(mat: MatFile, name: string): number {
  const value = variableOf(mat, name);
  if (value?.kind !== "numeric" || value.complex || value.data.length !== 1) {
    throw stateError(mat.file, `variable ${name}`, "a real scalar", kindText(value));
  }
  return value.data[0];
}

/** The text of the 1 × n (or empty) char array `name`. Throws `input` where it is absent or something else. */
export function matText(mat: MatFile, name: string): string {
  const value = variableOf(mat, name);
  if (value?.kind !== "char" || (value.text !== "" && value.text.length !== value.shape[1])) {
    throw stateError(mat.file, `variable ${name}`, "one row of text", kindText(value));
  }
  return value.text;
}

/** The struct (array) `name`. Throws `input` where it is absent or something else. */
export function matStruct(mat: MatFile, name: string): MatStruct {
  const value = variableOf(mat, name);
  if (value?.kind !== "struct") throw stateError(mat.file, `variable ${name}`, "a struct", kindText(value));
  return value;
}

/** Field `name` of the struct at `index` (column-major) of a struct array; `undefined` where there is none. */
export function matField(struct: MatStruct, name: string, index = 0): MatValue | undefined {
  if (struct?.kind !== "struct") throw inputError("struct", "a struct of a MAT-file", struct);
  return struct.fields.get(name)?.[index];
}
