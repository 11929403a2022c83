/** Compares one transform of random data with the definition. Most checks of transforms use it. */
import { formatOp, portsOf, type TypedArrayOf, transformLength } from "@dechirp/core";
import { fail } from "./assert.ts";
import { type AnyTransform, transformed } from "./definition.ts";
import type { Kit } from "./kit.ts";
import { random, randomArray } from "./random.ts";
import { type OpOptions, runOp } from "./run.ts";
import { correct } from "./tolerance.ts";

/** The number of transforms and products that the op does in a row. */
const stages = { fft: 1, "real-fft": 2, "spectral-filter": 3, "filter-inverse": 2 };

/** Fails unless `op`, which must have no hooks, gives the same result as the definition. `seed` chooses the data. */
export async function matches(kit: Kit, op: AnyTransform, seed: number, options: OpOptions = {}): Promise<void> {
  const source = random(seed);
  const inputs: Record<string, TypedArrayOf> = { in: randomArray(op.layout, source) };
  const h = portsOf(op)["h"];
  if (h) inputs["h"] = randomArray(h.layout, source);
  const { out, text } = await runOp(kit.device, op, inputs, options);
  const tolerance = correct(transformLength(op), op.layout.dtype, stages[op.op]);
  closeToDefinition(out, op, inputs, tolerance, `${formatOp(op)}${options.inPlace ? " in place" : ""} as ${text}`);
}

/**
 * Rounding errors depend on the magnitude of the whole line. The error of a short kept range is therefore measured relative to the mean
 * energy that as many elements of the whole result have.
 */
export function closeToDefinition(
  out: ArrayLike<number>,
  op: AnyTransform,
  { in: x, h }: Readonly<Record<string, TypedArrayOf>>,
  tolerance: number,
  what: string,
): void {
  const expected = transformed(op, x, h);
  const { keep, ...all } = op;
  closeIn(out, expected, keep ? transformed(all as AnyTransform, x, h) : expected, tolerance, what);
}

/** Fails unless ‖out − expected‖ ≤ tolerance · rms(whole) · √length. */
export function closeIn(
  out: ArrayLike<number>,
  expected: ArrayLike<number>,
  whole: ArrayLike<number>,
  tolerance: number,
  what: string,
): void {
  if (out.length !== expected.length) fail(`${what}: expected ${expected.length} numbers, got ${out.length}`);
  let error = 0;
  for (let i = 0; i < out.length; i++) error += (out[i] - expected[i]) ** 2;
  let energy = 0;
  for (let i = 0; i < whole.length; i++) energy += whole[i] ** 2;
  const relative = error === 0 ? 0 : Math.sqrt(error / ((energy / whole.length) * out.length));
  if (!(relative <= tolerance)) fail(`${what}: relative L2 error ${relative.toExponential(2)}, allowed ${tolerance.toExponential(2)}`);
}
