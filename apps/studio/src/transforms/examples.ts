/** Examples of hooks, for lines along either axis. */
import type { HookPlace, TransformChoices } from "./problem.ts";

/** An example: its name, and its text for the index along the lines. */
interface Example {
  readonly name: string;
  readonly place: Exclude<HookPlace, "none">;
  readonly text: (index: string) => string;
}

/** The examples in the order of the list. `w` is a Hann window. */
export const examples: readonly Example[] = [
  { name: "window", place: "load", text: (i) => `x * w[${i}]` },
  { name: "phase ramp: the spectrum moves by a quarter of its length", place: "load", text: (i) => `x * cis(toReal(${i} % 4) / 4)` },
  { name: "quadratic phase (chirp), exact in u32", place: "load", text: (i) => `k = toU32(${i})\nx * cis(k * k * u32(65536))` },
  { name: "every other sample is left out", place: "load", text: (i) => `select(${i} % 2 == 0, x, 0 * x)` },
  { name: "power", place: "store", text: () => "re(value * conj(value))" },
  { name: "decibels", place: "store", text: () => "p = re(value * conj(value))\n10 / log(10) * log(max(p, 1e-30))" },
  { name: "equaliser: each bin times a weight", place: "store", text: (i) => `value / (w[${i}] + 0.1)` },
];

/** The name of the index that runs along lines. */
export const indexOf = (axis: TransformChoices["axis"]): string => (axis === "rows" ? "i1" : "i0");

/** The text of the first example for a place. */
export const firstText = (place: Exclude<HookPlace, "none">, axis: TransformChoices["axis"]): string =>
  examples.find((one) => one.place === place)!.text(indexOf(axis));

/** The text for lines along another axis, if it is an example; otherwise as it is. */
export function turnedText(text: string, from: TransformChoices["axis"], to: TransformChoices["axis"]): string {
  const example = examples.find((one) => one.text(indexOf(from)) === text);
  return example ? example.text(indexOf(to)) : text;
}
