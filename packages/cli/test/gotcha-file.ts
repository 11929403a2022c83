/**
 * Writes phase histories as Gotcha files, and arrays as MAT-files, byte by byte from the format's specification: version 5,
 * little-endian, all double.
 */
import { writeFile } from "node:fs/promises";
import type { PhaseHistory } from "@dechirp/radar";

/** A data element of type `code`, padded to 8 bytes. */
function element(code: number, bytes: Uint8Array): Buffer {
  const tag = Buffer.alloc(8);
  tag.writeUInt32LE(code, 0);
  tag.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([tag, bytes, Buffer.alloc(-bytes.length & 7)]);
}

const words = (values: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(values).buffer);
const doubles = (values: ArrayLike<number>): Buffer => element(9, new Uint8Array(Float64Array.from(values).buffer));

const structClass = 2;
const doubleClass = 6;
const complexFlag = 0x800;

const matrix = (flags: number, shape: readonly number[], name: string, ...rest: Buffer[]): Buffer =>
  element(14, Buffer.concat([element(6, words([flags, 0])), element(5, words(shape)), element(1, Buffer.from(name)), ...rest]));

/** A row of real numbers. */
const row = (values: ArrayLike<number>): Buffer => matrix(doubleClass, [1, values.length], "", doubles(values));

function struct(name: string, fields: Readonly<Record<string, Buffer>>): Buffer {
  const names = Buffer.concat(Object.keys(fields).map((field) => Buffer.from(field.padEnd(32, "\0"))));
  return matrix(structClass, [1, 1], name, element(5, words([32])), element(1, names), ...Object.values(fields));
}

export interface GotchaAutofocus {
  readonly rangeMeters: ArrayLike<number>;
  readonly phaseRadians: ArrayLike<number>;
}

/** The bytes of a Gotcha file with the history's pulses. */
export function gotchaBytes(history: PhaseHistory, autofocus?: GotchaAutofocus): Buffer {
  const { positions, referenceRangeMeters, samples, frequency } = history;
  const pulses = referenceRangeMeters.length;
  const every = (values: Float32Array | Float64Array, first: number, step: number) => values.filter((_, i) => i % step === first);
  const data = struct("data", {
    fp: matrix(doubleClass | complexFlag, [frequency.count, pulses], "", doubles(every(samples, 0, 2)), doubles(every(samples, 1, 2))),
    freq: row(Array.from({ length: frequency.count }, (_, k) => frequency.firstHz + k * frequency.stepHz)),
    x: row(every(positions, 0, 3)),
    y: row(every(positions, 1, 3)),
    z: row(every(positions, 2, 3)),
    r0: row(referenceRangeMeters),
    ...(autofocus ? { af: struct("", { r_correct: row(autofocus.rangeMeters), ph_correct: row(autofocus.phaseRadians) }) } : {}),
  });
  return matFile(data);
}

/** A MAT-file of version 5 with these complex arrays, column-major. */
export const complexArrays = (arrays: Readonly<Record<string, { shape: readonly number[]; data: Float32Array | Float64Array }>>): Buffer =>
  matFile(
    ...Object.entries(arrays).map(([name, { shape, data }]) =>
      matrix(
        doubleClass | complexFlag,
        shape,
        name,
        doubles(data.filter((_, i) => i % 2 === 0)),
        doubles(data.filter((_, i) => i % 2 === 1)),
      ),
    ),
  );

function matFile(...matrices: Buffer[]): Buffer {
  const header = Buffer.alloc(128, 0x20);
  header.write("MATLAB 5.0 MAT-file, for a test");
  header.fill(0, 116, 124);
  header.writeUInt16LE(0x0100, 124);
  header.writeUInt16LE(0x4d49, 126);
  return Buffer.concat([header, ...matrices]);
}

export const writeGotcha = (file: string, history: PhaseHistory, autofocus?: GotchaAutofocus): Promise<void> =>
  writeFile(file, gotchaBytes(history, autofocus));
