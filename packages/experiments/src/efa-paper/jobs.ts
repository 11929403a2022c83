/** What the experiment measures, as data: problems, each in some ways that take turns, in the order in which they are done. */
import type { Training } from "@dechirp/stap";
import type { EfaWay } from "./chain.ts";
import { published } from "./published.ts";
import { type EfaSizes, type Section, sections } from "./report.ts";
import type { EfaProblemOptions } from "./workload.ts";

export interface Way extends EfaWay {
  readonly name: string;
}

export interface Job {
  readonly section: Section;
  readonly problem: EfaProblemOptions & EfaSizes;
  readonly ways: readonly Way[];
  readonly dataSets: number;
}

export interface Plan {
  readonly sizes: EfaSizes;
  readonly dataSets: number;
  /** Few points of every sweep. */
  readonly quick: boolean;
  /** Whether kernels run as their WGSL says, so that a blocking factor means anything. */
  readonly gpu: boolean;
  /** Which sections; all where left out. */
  readonly only?: readonly Section[];
}

/** Small enough for seconds anywhere, compilers of slow GPUs included; large enough for every rule of the algorithm. */
export const quickSizes: EfaSizes = { ...published.sizes, channels: 2, pulses: 32, dopplerBins: 64, ranges: 128, steeringVectors: 8 };

/** The published chain: four stages, Gauss-Jordan elimination; its own blocking factor where invocations have rows. */
const asPublished = { name: "four stages, Gauss-Jordan", fused: false, solver: "gauss-jordan" } as const;

/** The PERFECT suite's own sizes: its block alone trains, MVDR amplitudes. */
const perfectSizes: Readonly<Record<string, Partial<EfaSizes>>> = {
  small: { steeringVectors: 16 },
  medium: { channels: 6, ranges: 1024, blockRanges: 64, steeringVectors: 16 },
  large: { channels: 8, ranges: 4096, blockRanges: 64, steeringVectors: 16 },
};

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

/** The cells of `adjacent` training as a choice of cells, which is summed group by group. */
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
