/** The discrete Fourier transform of complex lines. */
import { type ComplexDType, type DType, type Layout, layout, withAxis } from "../layout.ts";
import type { OpLowering, WithOutputType } from "./row.ts";
import { step } from "./row.ts";
import {
  checkInverse,
  cornerTurnedLayout,
  cornerTurnStep,
  extentOf,
  lowerTransform,
  resizeMap,
  type Transform,
  type TransformOpOptions,
  transformFlops,
  transformRow,
} from "./transform.ts";

/** The DFT of complex lines along `axis`. Ports: `in` of `layout`, `out` with n (or the kept) elements along the axis. */
export interface Fft extends Transform {
  readonly op: "fft";
  readonly layout: Layout<ComplexDType>;
  /** Whether it is the inverse transform, which divides by n. */
  readonly inverse: boolean;
}

/**
 * Makes an op that transforms complex lines: `fft(layout("c64", [64, 1024]), { axis: 1 })`. `layout` is that of the input. `inverse`
 * defaults to false. Nothing is checked here; `program` and `Device.plan` check ops.
 */
export const fft = <D extends ComplexDType, S extends DType = D>(
  layout: Layout<D>,
  { inverse = false, ...options }: TransformOpOptions<S> & { readonly inverse?: boolean },
): Fft & WithOutputType<S> => ({ op: "fft", layout, inverse, ...options });

/** A complex transform of full lines that keeps the outputs that `op` keeps. */
export const bareFft = (op: Pick<Transform, "axis" | "keep">, layout: Layout, inverse: boolean): Fft => ({
  op: "fft",
  layout: layout as Layout<ComplexDType>,
  axis: op.axis,
  inverse,
  ...(op.keep && { keep: op.keep }),
});

/** The row of `fft`. */
export const fftRow = transformRow<Fft>({
  fields: { inverse: "boolean" },
  inputs: () => ["c64", "c128"],
  check: checkInverse,
  length: (op) => op.n ?? extentOf(op),
  layout: (op, n) => withAxis(op.layout, op.axis, n),
  words: ({ inverse }) => (inverse ? ["inverse"] : []),
  flopsOfLine: (_, n) => transformFlops(n),
});

/** Lowers `fft` to simpler ops. */
export const fftLowering: OpLowering<Fft> = (op) =>
  turnedFirst(op) ??
  lowerTransform(fftRow, op, ({ n, keep, ...whole }) => {
    const length = n ?? extentOf(op);
    const padded = withAxis(op.layout, op.axis, length);
    if (length !== extentOf(op)) {
      return [
        step("resize", resizeMap(op.layout, op.axis, 0, length), { in: "in", out: "padded" }),
        step("transform", { ...whole, layout: padded, ...(keep && { keep }) }, { in: "padded", out: "out" }),
      ];
    }
    if (!keep) return undefined;
    return [
      step("transform", { ...whole, layout: padded }, { in: "in", out: "full" }),
      step("keep", resizeMap(padded, op.axis, keep[0], keep[1]), { in: "full", out: "out" }),
    ];
  });

/** Columns with a corner turn and without hooks, turned before the transform: they become rows, which devices transform faster. */
function turnedFirst({ cornerTurn, ...op }: Fft): ReturnType<OpLowering<Fft>> {
  const last = op.layout.shape.length - 1;
  if (!cornerTurn || op.load || op.store || op.axis !== last - 1) return undefined;
  const rows = { ...op, layout: cornerTurnedLayout(op.layout), axis: last };
  return [cornerTurnStep(op.layout, "in", "result"), step("rows", rows, { in: "result", out: "out" })];
}

/** Small samples of `fft`. */
export const fftSamples = (): readonly Fft[] => [
  fft(layout("c64", [3, 20]), { axis: 1 }),
  fft(layout("c64", [17, 4]), { axis: 0, n: 30, keep: [2, 11], inverse: true }),
  fft(layout("c64", [2, 6, 5]), { axis: 1, cornerTurn: true }),
];
