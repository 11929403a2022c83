/**
 * WGSL of `taps`: weighted sums of neighbouring elements. One test says whether all of them are inside the array, which they nearly always
 * are. Only at the edges does each element need a test of its own.
 */

/** Statements that declare the sum `to`. `weights` and `indices` are names of values; `ranges` says which integers the indices can be. */
export function wgslOfTaps(
  to: string,
  zero: string,
  source: string,
  shape: readonly number[],
  axis: number,
  weights: readonly string[],
  indices: readonly string[],
  ranges: readonly (readonly [low: number, high: number])[],
): readonly string[] {
  const count = weights.length;
  const extent = shape[axis];
  const first = indices[axis];
  const pitch = shape.slice(axis + 1).reduce((product, length) => product * length, 1);
  /** Conditions that other indices are inside, if they are not proven to be. */
  const others = indices.flatMap((index, a) => (a === axis ? [] : within(index, shape[a] - 1, ranges[a])));
  const all = within(first, extent - count, ranges[axis]);
  const flat = indices.map((index) => `u32(${index})`).reduce((sum, index, a) => `(${sum}) * ${shape[a]}u + ${index}`);
  const product = (j: number, at: string): string => `${to} += ${weights[j]} * load_${source}(${at});`;
  // The place of the first element may wrap around at the edges; that of an element inside is right all the same.
  const start = `let ${to}s = ${flat};`;
  const place = (j: number): string => (j === 0 ? `${to}s` : `${to}s + ${j * pitch}u`);
  const together = weights.map((_, j) => product(j, place(j)));
  const apart = weights.map((_, j) => `if (u32(${first} + ${j}i) < ${extent}u) { ${product(j, place(j))} }`);
  const sum = extent < count ? apart : all.length === 0 ? together : [`if (${all[0]}) {`, ...together, "} else {", ...apart, "}"];
  const guarded = others.length > 0 ? [`if (${others.join(" && ")}) {`, ...sum, "}"] : sum;
  return [`var ${to} = ${zero};`, start, ...guarded];
}

/** The condition that an index is from 0 to `last`, if it is not certain. */
const within = (index: string, last: number, [low, high]: readonly [low: number, high: number]): readonly string[] =>
  low >= 0 && high <= last ? [] : [last < 2 ** 31 ? `u32(${index}) <= ${last}u` : `${index} >= 0i`];
