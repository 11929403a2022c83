/**
 * The contents of a MAT-file as plain data, and accessors that report a missing variable or one of the wrong type with a clear error.
 * Nothing here reads bytes.
 */
import { inputError } from "@dechirp/core";
import { stateError } from "./file-error.ts";
import type { NumericArray } from "./numbers.ts";

/** MATLAB's numeric classes. */
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

/** A numeric array. */
export interface MatNumeric {
  readonly kind: "numeric";
  /** MATLAB's class. The array type of `data` is the stored one, which can be narrower: MATLAB may store a double array as int8. */
  readonly class: MatNumericClass;
  readonly shape: readonly number[];
  readonly complex: boolean;
  /** Column-major. Complex arrays are interleaved: real, imaginary. */
  readonly data: NumericArray;
}

/** A character array. */
export interface MatChar {
  readonly kind: "char";
  readonly shape: readonly number[];
  /** UTF-16 code units in column-major order. For a 1 × n array this is the text. */
  readonly text: string;
}

/** A struct, or an array of structs. */
export interface MatStruct {
  readonly kind: "struct";
  readonly shape: readonly number[];
  /** The values of each field, one for each struct of the array, in column-major order. */
  readonly fields: ReadonlyMap<string, readonly MatValue[]>;
}

/** A cell array. */
export interface MatCell {
  readonly kind: "cell";
  readonly shape: readonly number[];
  /** Column-major. */
  readonly cells: readonly MatValue[];
}

/** A value that this reader skips: a sparse matrix, an object or a function handle. */
export interface MatSkipped {
  readonly kind: "skipped";
  readonly reason: string;
}

/** Any value of a MAT-file. */
export type MatValue = MatNumeric | MatChar | MatStruct | MatCell | MatSkipped;

/** A MAT-file: its variables by name. */
export interface MatFile {
  /** File name for messages. */
  readonly file: string;
  readonly version: 4 | 5;
  readonly variables: ReadonlyMap<string, MatValue>;
  /** Remarks on what was skipped or unusual, one sentence each. */
  readonly notes: readonly string[];
}

/** What a variable states about itself before its values. */
export interface MatHead {
  readonly name: string;
  readonly kind: "numeric" | "struct" | "other";
  readonly shape: readonly number[];
  readonly complex: boolean;
}

/** Throws `input`, which names `field`, if `mat` is not a result of `readMat`. */
export function checkMatFile(mat: MatFile, field = "mat"): void {
  if (typeof mat !== "object" || mat === null || typeof mat.file !== "string" || typeof mat.variables?.get !== "function")
    throw inputError(field, "a MAT-file as returned by readMat", mat);
}

/** Returns the variable `name`, of any type. */
function variableOf(mat: MatFile, name: string): MatValue | undefined {
  checkMatFile(mat);
  return mat.variables.get(name);
}

/** Describes the kind and shape of a value for an error message, or why there is no value. */
export const kindText = (value: MatValue | undefined): string =>
  value === undefined
    ? "absent"
    : value.kind === "skipped"
      ? value.reason
      : `${value.kind === "numeric" ? `${value.complex ? "complex " : ""}${value.class}` : value.kind} [${value.shape.join(", ")}]`;

/** Returns the numeric variable `name`. Throws `input`, which names the file and the variable, if it is absent or not numeric. */
export function matNumeric(mat: MatFile, name: string): MatNumeric {
  const value = variableOf(mat, name);
  if (value?.kind !== "numeric") throw stateError(mat.file, `variable ${name}`, "a numeric array", kindText(value));
  return value;
}

/** Returns the value of the real scalar `name`. Throws `input` if it is absent, complex or not 1 × 1. */
export function matScalar(mat: MatFile, name: string): number {
  const value = variableOf(mat, name);
  if (value?.kind !== "numeric" || value.complex || value.data.length !== 1) {
    throw stateError(mat.file, `variable ${name}`, "a real scalar", kindText(value));
  }
  return value.data[0];
}

/** Returns the text of the 1 × n (or empty) char array `name`. Throws `input` if it is absent or anything else. */
export function matText(mat: MatFile, name: string): string {
  const value = variableOf(mat, name);
  if (value?.kind !== "char" || (value.text !== "" && value.text.length !== value.shape[1])) {
    throw stateError(mat.file, `variable ${name}`, "one row of text", kindText(value));
  }
  return value.text;
}

/** Returns the struct or struct array `name`. Throws `input` if it is absent or anything else. */
export function matStruct(mat: MatFile, name: string): MatStruct {
  const value = variableOf(mat, name);
  if (value?.kind !== "struct") throw stateError(mat.file, `variable ${name}`, "a struct", kindText(value));
  return value;
}

/**
 * Returns field `name` of the struct at `index` (column-major, from 0) of a struct array, or `undefined` if there is none. Throws
 * `input` if `struct` is not a struct.
 */
export function matField(struct: MatStruct, name: string, index = 0): MatValue | undefined {
  if (struct?.kind !== "struct") throw inputError("struct", "a struct of a MAT-file", struct);
  return struct.fields.get(name)?.[index];
}
