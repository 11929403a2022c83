/** Unit prefixes that keep the numbers of an axis short, and round lengths for scale bars. */

/** Alternatives for a unit. The first one applies for which the largest number is at least `from`; numbers are multiplied by `factor`. */
const prefixed: Readonly<Record<string, readonly { readonly from: number; readonly name: string; readonly factor: number }[]>> = {
  m: [{ from: 1e4, name: "km", factor: 1e-3 }],
  s: [
    { from: 1, name: "s", factor: 1 },
    { from: 1e-3, name: "ms", factor: 1e3 },
    { from: 0, name: "µs", factor: 1e6 },
  ],
  Hz: [
    { from: 1e6, name: "MHz", factor: 1e-6 },
    { from: 1e4, name: "kHz", factor: 1e-3 },
  ],
};

/** Chooses the unit in which numbers up to `most` are shown, and the factor for the numbers. */
export function scaledUnit(unit: string, most: number): { readonly name: string; readonly factor: number } {
  const of = Object.hasOwn(prefixed, unit) ? prefixed[unit] : [];
  return of.find(({ from }) => most >= from) ?? { name: unit, factor: 1 };
}

/** The largest of 1, 2 and 5 times a power of ten that is not above `most`. */
export function niceLength(most: number): number {
  const decade = 10 ** Math.floor(Math.log10(most));
  return Number((decade * ([5, 2].find((main) => main * decade <= most) ?? 1)).toPrecision(1));
}

/** Formats a round length in kilometres, metres, centimetres or millimetres. */
export function lengthText(meters: number): string {
  const [name, size] = (
    [
      ["km", 1000],
      ["m", 1],
      ["cm", 0.01],
    ] as const
  ).find(([, one]) => meters >= one * (1 - 1e-9)) ?? ["mm", 0.001];
  return `${Number((meters / size).toPrecision(6))} ${name}`;
}
