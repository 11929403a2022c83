/** Helpers for tests of MAT-files: reading, expecting a refusal, and a file with a bit of everything. */
import { isRadarError, type RadarError } from "@dechirp/core";
import { expect } from "vitest";
import { type MatFile, readMat } from "../src/index.ts";
import { Mat5, type Order } from "./mat-builder.ts";

export const read = (bytes: Uint8Array, maxBytes?: number): Promise<MatFile> =>
  readMat(bytes, { file: "x.mat", ...(maxBytes ? { maxBytes } : {}) });

export async function failure(bytes: Uint8Array, maxBytes?: number): Promise<RadarError> {
  try {
    await read(bytes, maxBytes);
  } catch (error) {
    expect(isRadarError(error, "input")).toBe(true);
    const { fields, message } = error as RadarError;
    expect(fields.file).toBe("x.mat");
    expect(message).toContain("x.mat");
    expect(Number.isInteger(fields.offset)).toBe(true);
    expect(message).toContain(`byte ${fields.offset}`);
    expect(fields.expected).toBeTypeOf("string");
    return error as RadarError;
  }
  throw new Error("read without an error");
}

export const orders: Order[] = ["little", "big"];

/** A file with nearly every kind of variable. */
export function rich(order: Order, compress: boolean): Uint8Array {
  const m = new Mat5(order);
  const wrap = (matrix: Uint8Array): Uint8Array => (compress ? m.compressed(matrix) : matrix);
  const one = (name: string, value: number): Uint8Array => m.real(name, 6, [1, 1], { kind: "u8", values: [value] });
  return m.file(
    wrap(m.real("d", 6, [2, 3], { kind: "f64", values: [1.5, -2, 3, 4, 5, 1e300] })),
    wrap(m.complex("z", 7, [1, 2], { kind: "f32", values: [0.5, 1] }, { kind: "f32", values: [-0.5, 2] })),
    wrap(m.char("t", "hé\u7535")),
    wrap(m.struct("s", [1, 2], ["a", "b"], [one("", 1), m.char("", "x"), one("", 2), m.tag(14, 0)])),
    wrap(m.cell("c", [2, 1], [one("", 7), m.cell("", [1, 1], [m.char("", "deep")])])),
  );
}
