/**
 * Correlations of adjacent lines on a device, from which estimates of the Doppler centroid follow. The device sums float32 products of the
 * samples as they are; only a few numbers of each line are read back. Offset of the receiver and gains are applied to these sums on the
 * host in float64. The error of a sum of n products is that of core's reductions, at most (2·log₂n + 24)·ε/2 of the sum of their
 * magnitudes, ε = 2⁻²³.
 */
import { type Device, evaluate, inputError, type Layout, type Program, type ProgramRunOptions } from "@dechirp/core";
import { conj, load, plus, times, type Value } from "@dechirp/core/expression";
import { reduce } from "@dechirp/core/reduce";
import { type ComplexLines, checkLines, correlate, type PairSums } from "./lines.ts";

/** The mean power of samples whose products float32 holds. */
const [leastPower, mostPower] = [2 ** -80, 2 ** 80];
/** If less of the energy remains without the mean, float32 sums are too coarse. */
const leastShare = 2 ** -8;

/**
 * Sums pairs of lines on `device`. `type` is the element type of the lines. Resolves with undefined where float32 does not do: for c128,
 * for powers near its limits, and if the mean dominates; or if there are no more than `2·lags` samples. Rejects with `input` if the
 * lines are not valid or not finite, and with what the device throws.
 */
export async function sumPairs(
  source: ComplexLines,
  type: Layout["dtype"],
  lags: number,
  device: Device,
  { signal }: Pick<ProgramRunOptions, "signal">,
): Promise<PairSums | undefined> {
  checkLines(source, "raw");
  const { data, lines, samples } = source;
  if (type === "c128" || samples <= 2 * lags) return undefined;
  const outputs = await evaluate(
    pairProgram({ dtype: type, shape: [lines, samples] }, lags),
    device,
    { raw: data },
    signal ? { signal } : {},
  );
  const { sums, energies, products } = outputs as Readonly<Record<string, Float32Array>>;
  let [re, im, all] = [0, 0, 0];
  for (let p = 0; p < lines; p++) {
    re += sums[2 * p];
    im += sums[2 * p + 1];
    all += energies[p];
  }
  if (!Number.isFinite(re) || !Number.isFinite(im)) throw inputError("data", "finite numbers", `${re}, ${im}`);
  const count = lines * samples;
  const [meanRe, meanIm] = [re / count, im / count];
  const square = meanRe * meanRe + meanIm * meanIm;
  if (!(all >= leastPower * count && all <= mostPower * count && all - square * count >= leastShare * all)) return undefined;
  return centred(source, lags, { sums, energies, products }, [meanRe, meanIm]);
}

/** Sums of lines and products as they are. Outputs: sums c64 [lines], energies f32 [lines], products c64 [lines − 1][2·lags + 1]. */
function pairProgram(raw: Layout, lags: number): Program {
  const [lines, samples] = raw.shape;
  const products: Layout = { dtype: "c64", shape: [lines - 1, 2 * lags + 1, samples - 2 * lags] };
  const product = load({ name: "products of adjacent lines", layout: products, sources: { raw } }, ({ at: [pair, lag, i], raw }) =>
    times(conj(raw(pair, plus(i, lags)) as Value<"complex">), raw(plus(pair, 1), plus(i, lag)) as Value<"complex">),
  );
  return {
    name: "sums of adjacent lines",
    inputs: { raw },
    steps: [
      { name: "sums", op: reduce(raw, { what: "sum", axes: [1] }), bind: { in: "raw", out: "sums" } },
      { name: "energies", op: reduce(raw, { what: "sum of squares", axes: [1] }), bind: { in: "raw", out: "energies" } },
      { name: "products", op: reduce(products, { what: "sum", axes: [2], load: product }), bind: { raw: "raw", out: "products" } },
    ],
    outputs: ["sums", "energies", "products"],
  };
}

/** Applies gains, and removes the mean: Σ(x − m)*(y − m) = Σx*y − m·Σx* − m*·Σy + n|m|². */
function centred(
  { data, lines, samples, lineGain }: ComplexLines,
  lags: number,
  found: Readonly<Record<"sums" | "energies" | "products", Float32Array>>,
  [meanRe, meanIm]: readonly [number, number],
): PairSums {
  const square = meanRe * meanRe + meanIm * meanIm;
  const width = 2 * lags + 1;
  const gainOf = (p: number): number => (lineGain === undefined ? 1 : lineGain[p]);
  const energies = Float64Array.from({ length: lines }, (_, p) => {
    const [re, im] = [found.sums[2 * p], found.sums[2 * p + 1]];
    return gainOf(p) ** 2 * (found.energies[p] - 2 * (meanRe * re + meanIm * im) + samples * square);
  });
  /** Sum of samples `from` to `to − 1` of line p. */
  const part = (p: number, from: number, to: number): readonly [number, number] => {
    let [re, im] = [0, 0];
    for (let i = 2 * (p * samples + from); i < 2 * (p * samples + to); i += 2) {
      re += data[i];
      im += data[i + 1];
    }
    return [re, im];
  };
  /** Sum of all samples of line p but the first `first` and the last `last`. */
  const inner = (p: number, first: number, last: number): readonly [number, number] => {
    const [head, tail] = [part(p, 0, first), part(p, samples - last, samples)];
    return [found.sums[2 * p] - head[0] - tail[0], found.sums[2 * p + 1] - head[1] - tail[1]];
  };
  const products = new Float64Array(2 * (lines - 1) * width);
  const whole = new Float64Array(2 * (lines - 1));
  const edge = new Float64Array(2);
  for (let p = 0; p < lines - 1; p++) {
    const gain = gainOf(p) * gainOf(p + 1);
    const set = (
      out: Float64Array,
      at: number,
      re: number,
      im: number,
      x: readonly [number, number],
      y: readonly [number, number],
      n: number,
    ): void => {
      out[at] = gain * (re - (meanRe * x[0] + meanIm * x[1]) - (meanRe * y[0] + meanIm * y[1]) + n * square);
      out[at + 1] = gain * (im - (meanIm * x[0] - meanRe * x[1]) - (meanRe * y[1] - meanIm * y[0]));
    };
    const own = inner(p, lags, lags);
    for (let k = 0; k < width; k++) {
      const at = 2 * (p * width + k);
      set(products, at, found.products[at], found.products[at + 1], own, inner(p + 1, k, 2 * lags - k), samples - 2 * lags);
    }
    edge.fill(0);
    for (const from of [0, samples - lags]) {
      const line = (q: number): Float64Array => Float64Array.from(data.subarray(2 * (q * samples + from), 2 * (q * samples + from + lags)));
      correlate(line(p), line(p + 1), 0, edge);
    }
    const middle = 2 * (p * width + lags);
    set(whole, 2 * p, found.products[middle] + edge[0], found.products[middle + 1] + edge[1], inner(p, 0, 0), inner(p + 1, 0, 0), samples);
  }
  return { lags, products, whole, energies };
}
