/** Runs transforms of lines for tests, with one port beside `out`. */
import { type Device, type Fft, portsOf, type RealFft } from "@dechirp/core";

/** A result, and how it was computed. */
export interface RealResult {
  readonly out: Float32Array;
  readonly text: string;
  readonly convolved?: true;
}

/** Runs the op. Results that are not written are NaN. */
export async function run(device: Device, op: Fft | RealFft, input: Float32Array): Promise<RealResult> {
  using plan = await device.plan(op);
  const ports = portsOf(op);
  const from = Object.keys(ports).find((name) => name !== "out")!;
  using x = device.alloc(ports[from]!.layout);
  using out = device.alloc(ports["out"]!.layout);
  x.write(input as never);
  out.write(new Float32Array((await out.read()).length).fill(Number.NaN) as never);
  await plan.run({ [from]: x, out }).done;
  return { out: (await out.read()) as Float32Array, text: plan.text, ...(plan.convolved && { convolved: plan.convolved }) };
}

/** ‖a − b‖ / ‖b‖. NaN if the lengths differ. */
export function distance(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Number.NaN;
  let [difference, energy] = [0, 0];
  for (let i = 0; i < b.length; i++) {
    difference += (a[i]! - b[i]!) ** 2;
    energy += b[i]! ** 2;
  }
  return Math.sqrt(difference / energy);
}
