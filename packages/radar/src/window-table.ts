/**
 * The table of windows. Each row is one window: its parameters, its formula, its source and the function that computes it. Everything
 * else derives from the table: the type `Window`, the texts of the command line, checks, theory, help, the tables in the documentation,
 * and the tests. To add a window, add one row.
 */
import { cosineSum, dolphChebyshev, kaiser, taylorTerms, type WindowShape } from "./window-shapes.ts";

/** A number that a window takes. */
export interface WindowParameter {
  /** Field of the window object, such as `beta`. */
  readonly name: string;
  /** Its name in texts and help, such as `BETA`. */
  readonly label: string;
  /** Smallest value allowed. */
  readonly min: number;
  /** Largest value allowed. */
  readonly max: number;
  /** Value that `parseWindow` takes for a text without parameters. */
  readonly default: number;
  /** Set if only integers are allowed. */
  readonly integer?: true;
  /** Set for a level below the main lobe in dB, which is negative. Texts may leave out the minus sign. */
  readonly level?: true;
  /** One phrase of documentation. */
  readonly description: string;
}

/** A row of the table. It has either `shape`, for a window with a continuous formula, or `samples`. */
export interface WindowRow {
  readonly parameters: readonly WindowParameter[];
  /** w(x) for x from −½ to ½, in Markdown. */
  readonly formula: string;
  /** One phrase of documentation: what the window is good for. */
  readonly description: string;
  /** Paper or book that defines the window. */
  readonly source: string;
  /** The continuous window, given the parameters in the order of `parameters`. */
  readonly shape?: (...parameters: number[]) => WindowShape;
  /** `n` samples of a window that is defined for a number of samples only. The largest sample is 1. */
  readonly samples?: (n: number, ...parameters: number[]) => Float64Array;
  /** Largest number of samples. Default: 2²⁶. */
  readonly maxSamples?: number;
}

const harris = "Harris, Proc. IEEE 66 (1978)";

/** All windows by the name that texts and `Window.kind` use. */
export const windowTable = {
  rect: {
    parameters: [],
    formula: "1",
    description: "no taper: best resolution, highest side lobes",
    source: harris,
    shape: () => cosineSum([1]),
  },
  hamming: {
    parameters: [],
    formula: "0.54 + 0.46·cos 2πx",
    description: "raised cosine on a pedestal, which lowers the first side lobe",
    source: harris,
    shape: () => cosineSum([0.54, 0.23]),
  },
  hann: {
    parameters: [],
    formula: "0.5 + 0.5·cos 2πx",
    description: "raised cosine: side lobes fall by 18 dB an octave",
    source: harris,
    shape: () => cosineSum([0.5, 0.25]),
  },
  kaiser: {
    parameters: [
      {
        name: "beta",
        label: "BETA",
        min: 0,
        max: 200, // I₀ and its ratios stay far inside float64.
        default: 2.5,
        description: "Bessel argument β; larger values lower the side lobes and widen the main lobe",
      },
    ],
    formula: "I₀(β√(1 − 4x²))/I₀(β)",
    description: "nearly the most energy in a main lobe of given width; the default of most SAR processors, with β = 2.5",
    source: "Kaiser & Schafer, IEEE Trans. ASSP 28 (1980)",
    shape: kaiser,
  },
  taylor: {
    parameters: [
      { name: "nbar", label: "NBAR", min: 1, max: 64, default: 4, integer: true, description: "number n̄ of nearly equal side lobes" },
      { name: "sidelobeDb", label: "DB", min: -150, max: -13, default: -30, level: true, description: "level of these side lobes in dB" },
    ],
    formula: "a₀ + 2·Σ aₘ·cos 2πmx, m < n̄",
    description: "n̄ side lobes at nearly the same level, the others falling",
    source: "Taylor, IRE Trans. AP 3 (1955); Carrara et al., Spotlight SAR (1995), appendix D",
    shape: (nbar: number, sidelobeDb: number) => cosineSum(taylorTerms(nbar, sidelobeDb)),
  },
  chebyshev: {
    parameters: [
      { name: "sidelobeDb", label: "DB", min: -200, max: -1, default: -40, level: true, description: "level of all side lobes in dB" },
    ],
    formula: "inverse DFT of T_(n − 1)(x₀·cos(πk/n)), for n samples",
    description: "narrowest main lobe for given side lobes, which are all equal; for a number of samples, such as the pulses of STAP",
    source: "Dolph, Proc. IRE 34 (1946)",
    samples: dolphChebyshev,
    maxSamples: 2 ** 12,
  },
} as const satisfies Readonly<Record<string, WindowRow>>;

/** Name of a window: a key of `windowTable`. */
export type WindowKind = keyof typeof windowTable;

type ParametersOf<K extends WindowKind> = {
  readonly [N in (typeof windowTable)[K]["parameters"][number]["name"]]: number;
};

/**
 * A window as plain data: `kind` names a row of `windowTable`, and the other fields are the parameters of that row:
 * `{ kind: "hamming" }`, `{ kind: "kaiser", beta: 2.5 }`, `{ kind: "taylor", nbar: 4, sidelobeDb: -30 }`.
 */
export type Window = { readonly [K in WindowKind]: { readonly kind: K } & ParametersOf<K> }[WindowKind];
