import { expect } from "vitest";
import { type GotchaOptions, parseGotcha, type RecordedPhaseHistory, readMat } from "../src/index.ts";
import { type Kind, Mat5, type Order } from "./mat-builder.ts";
import { refusal } from "./refusal.ts";

/** The numbers of a field, possibly faulty. `undefined`: the field is left out. */
export interface Field {
  readonly shape?: number[];
  readonly values: number[];
  readonly imaginary?: number[];
}
export type Fields = Record<string, Field | undefined>;

export interface Built {
  readonly order?: Order;
  /** Type of every number; f32 as in the published files. */
  readonly kind?: "f32" | "f64";
  readonly compressed?: boolean;
  readonly fields?: Fields;
  /** `undefined`: no autofocus. */
  readonly af?: Fields | undefined;
}

export const count = 5;
export const row = (values: number[]): Field => ({ shape: [1, values.length], values });
export const column = (values: number[]): Field => ({ shape: [values.length, 1], values });
export const ramp = (n: number, first: number, step: number): number[] => Array.from({ length: n }, (_, i) => first + i * step);

/** The fields of a sound file with `pulses` pulses. Each number encodes field, pulse and frequency, and is exact in float32. */
export const sound = (pulses: number, from = 0): Fields => ({
  fp: {
    shape: [count, pulses],
    values: Array.from({ length: count * pulses }, (_, i) => 1000 * (from + Math.floor(i / count)) + (i % count)),
    imaginary: Array.from({ length: count * pulses }, (_, i) => -1000 * (from + Math.floor(i / count)) - (i % count) - 0.5),
  },
  freq: column(ramp(count, 9.5e9, 1.5 * 2 ** 20)),
  x: row(ramp(pulses, 7000 + from, 1)),
  y: row(ramp(pulses, 20 + from, 1)),
  z: row(ramp(pulses, 7200 + from, 1)),
  r0: row(ramp(pulses, 10_000 + from, 1)),
  th: row(ramp(pulses, from, 1)),
  phi: row(ramp(pulses, 45 + from, 1)),
});
export const soundAf = (pulses: number, from = 0): Fields => ({
  r_correct: row(ramp(pulses, 0.25 + from, 1)),
  ph_correct: row(ramp(pulses, (1 + from) / 4, 0.25)),
});

export function bytesOf(built: Built, pulses = 3, from = 0): Uint8Array {
  const { order = "little", kind = "f32", compressed = false } = built;
  const m = new Mat5(order);
  const classCode = kind === "f32" ? 7 : 6;
  const part = (values: number[]): { kind: Kind; values: number[] } => ({ kind, values });
  const matrices = (fields: Fields): [string[], Uint8Array[]] => {
    const present = Object.entries(fields).filter((entry): entry is [string, Field] => entry[1] !== undefined);
    return [
      present.map(([name]) => name),
      present.map(([, { shape = [1, 1], values, imaginary }]) =>
        imaginary ? m.complex("", classCode, shape, part(values), part(imaginary)) : m.real("", classCode, shape, part(values)),
      ),
    ];
  };
  const [names, values] = matrices({ ...sound(pulses, from), ...built.fields });
  const af = "af" in built ? built.af : soundAf(pulses, from);
  if (af) {
    names.push("af");
    values.push(m.struct("", [1, 1], ...matrices(af)));
  }
  const data = m.struct("data", [1, 1], names, values);
  return m.file(compressed ? m.compressed(data) : data);
}

export async function historyOf(bytes: Uint8Array, file = "x.mat", options?: GotchaOptions): Promise<WholeHistory> {
  const history = await parseGotcha([await readMat(bytes, { file })], options);
  return { ...history, samples: await history.pulses(0, history.shape[0]) };
}

/** A phase history with all samples. */
export type WholeHistory = RecordedPhaseHistory & { readonly samples: Float32Array };

/** Expects a refusal that names this file and this field, with this text in the message. */
export async function refused(work: () => unknown, field: string, message: string, file = "x.mat"): Promise<void> {
  const error = await refusal(work);
  expect(error.fields).toMatchObject({ file, field });
  expect(error.message).toContain(`${file}: ${field} must be ${message}`);
}
