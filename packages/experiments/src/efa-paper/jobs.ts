/**
 * The list of the experiment's measurements as data, in the order in which they are done. Each is a problem and the variants that are
 * timed in turn.
 */
import type { Training } from "@dechirp/stap";
import type { EfaVariant } from "./chain.ts";
import { published } from "./published.ts";
import { type EfaSizes, type Section, sections } from "./report.ts";
import type { EfaProblemOptions } from "./workload.ts";

/** A variant of the algorithm with a name. */
export interface Way extends EfaVariant {
  readonly name: string;
}

/** A problem and the variants that are measured on it. */
export interface Job {
  readonly section: Section;
  readonly problem: EfaProblemOptions & EfaSizes;
  readonly ways: readonly Way[];
  readonly dataSets: number;
}

/** What the list of measurements depends on. */
export interface Plan {
  readonly sizes: EfaSizes;
  readonly dataSets: number;
  /** Whether each sweep has only a few points. */
  readonly quick: boolean;
  /** Whether kernels run as WGSL, so that the blocking factor has an effect. */
  readonly gpu: boolean;
  /** The sections to measure. Default: all. */
  readonly only?: readonly Section[];
}

/** Sizes that take seconds on any device, including slow GPU compilers, and still exercise every rule of the algorithm. */
export const quickSizes: EfaSizes = { ...published.sizes, channels: 2, pulses: 32, dopplerBins: 64, ranges: 128, steeringVectors: 8 };

/** The published chain of four stages with Gauss-Jordan elimination. `jobsOf` adds the published blocking factor on GPUs. */
const asPublished = { name: "four stages, Gauss-Jordan", fused: false, solver: "gauss-jordan" } as const;

/** The sizes of the PERFECT suite. Each block is its own training data, and the output are MVDR amplitudes. */
const perfectSizes: Readonly<Record<string, Partial<EfaSizes>>> = {
  small: { steeringVectors: 16 },
  medium: { channels: 6, ranges: 1024, blockRanges: 64, steeringVectors: 16 },
  large: { channels: 8, ranges: 4096, blockRanges: 64, steeringVectors: 16 },
};

/** Returns the measurements of a device, in order. */
export function jobsOf({ sizes, dataSets, quick, gpu, only = sections }: Plan): readonly Job[] {
  const order = sizes.channels * sizes.temporalTaps;
  const blockings = (gpu ? divisorsOf(order) : []).filter((rows) => !quick || rows === 1 || rows === published.blocking);
  const own = { name: "default" };
  const sweep = (section: Section, more: Partial<EfaSizes>): Job => ({
    section,
    problem: { ...sizes, ...more },
    ways: [own],
    dataSets: 1,
  });
  const first: Way = gpu
    ? { ...asPublished, name: `${asPublished.name}, B_T = ${published.blocking}`, rowsPerInvocation: published.blocking }
    : asPublished;
  const jobs: readonly Job[] = [
    {
      section: "stages",
      problem: sizes,
      ways: [
        first,
        { name: "four stages, Cholesky", fused: false },
        { name: "solves and weighting in one, Gauss-Jordan", fused: true, solver: "gauss-jordan" },
        { name: "solves and weighting in one, Cholesky", fused: true },
      ],
      dataSets,
    },
    {
      section: "blocking",
      problem: sizes,
      ways: [
        ...blockings.map((rows): Way => ({ ...asPublished, name: `Gauss-Jordan, B_T = ${rows}`, rowsPerInvocation: rows })),
        ...(gpu ? [{ name: "Cholesky", fused: false }] : []),
      ],
      dataSets: 1,
    },
    {
      section: "products",
      problem: sizes,
      ways: [
        { name: "shared by windows, blocks summed once" },
        { name: "every window by itself", sharing: "none" },
        { name: "shared by windows, both blocks summed for every group", training: neighbours(sizes) },
      ],
      dataSets: 1,
    },
    ...(quick ? [2, 3] : [2, 3, 4, 5, 6, 7, 8]).map((channels) => sweep("channels", { channels })),
    ...(quick ? [1, 8] : [1, 2, 4, 8, 16, 32, 64, 128]).map((steeringVectors) => sweep("steering", { steeringVectors })),
    ...(quick ? [128, 256] : [128, 256, 512, 1024, 2048, 4096]).map((ranges) => sweep("ranges", { ranges })),
    ...Object.entries(quick ? { quick: sizes } : perfectSizes).map(
      ([name, more]): Job => ({
        section: "perfect",
        problem: {
          ...sizes,
          ...more,
          training: { kind: "own" },
          output: "complex",
          samples: "perfect",
        },
        ways: [{ name }],
        dataSets: 1,
      }),
    ),
  ];
  return jobs.filter(({ section, ways }) => ways.length > 0 && only.includes(section));
}

const divisorsOf = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i + 1).filter((rows) => n % rows === 0);

/** The cells of `adjacent` training as a custom choice of cells, which is summed separately for every group. */
function neighbours({ ranges, blockRanges }: EfaSizes): Training {
  const blocks = Math.ceil(ranges / blockRanges);
  const cellsOf = (block: number): number[] =>
    Array.from({ length: Math.min(blockRanges, ranges - block * blockRanges) }, (_, i) => block * blockRanges + i);
  return {
    kind: "custom",
    cells: (block) => {
      const first = block === 0 ? 1 : block === blocks - 1 ? block - 2 : block - 1;
      return [...cellsOf(first), ...cellsOf(block === 0 ? 2 : block === blocks - 1 ? block - 1 : block + 1)];
    },
  };
}
