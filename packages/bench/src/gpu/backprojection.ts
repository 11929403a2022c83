/**
 * Backprojection on the GPU: the kernel alone on the device's clock, in its modes, partitionings, sines and tiles; and whole images from
 * host to host on the host's clock. The pulses are those of 40° of the published circle, ten times as many as there are different samples.
 * A patch of the image is compared with float64.
 */
import type { Device } from "@dechirp/core";
import {
  type BackprojectionWorkload,
  circlePulses,
  createBackprojectionWorkload,
  createNoiseSamples,
  openPulseBlock,
  type PulseBlockStep,
  patchErrorDb,
  type SampleForm,
  squareGrid,
} from "@dechirp/experiments";
import {
  type BackprojectorOptions,
  createBackprojector,
  defaultInterpolation,
  type ProfileGeometry,
  type ProfileInterpolation,
} from "@dechirp/sar";
import type { GpuCase } from "./cases.ts";
import type { GpuContender } from "./rounds.ts";

/** Sizes of the cases. */
export interface BackprojectionSizes {
  readonly sides: readonly number[];
  readonly pulses: number;
  readonly bins: number;
}

interface Way {
  readonly name: string;
  readonly options: BackprojectorOptions;
  readonly form?: SampleForm;
  /** The signal-to-error ratio that it must have, in dB. */
  readonly promisedDb?: number;
}

const eightTaps: ProfileInterpolation = { kind: "sinc", taps: 8, window: "knab" };
/** The ratios that the modes promise (`BackprojectorOptions`). */
const promised = { precise: 80, fast: 60 };
/** With the nearest of 1024 angles the ratio is 55 dB. */
const tableDb = 50;

const modes: readonly Way[] = [
  { name: "precise", options: {} },
  { name: "fast", options: { mode: "fast" }, promisedDb: promised.fast },
];
/** The cost of the defaults compared with linear interpolation, which other programs and the published images use. */
const kernels: readonly Way[] = [
  ...modes,
  { name: "linear", options: { interpolation: "linear" } },
  { name: "8 taps, a quarter of the bins", options: { interpolation: eightTaps } },
];
const schemes: readonly Way[] = (["unpartitioned", "pulseSets", "tiles", "dual"] as const).map((scheme) => ({
  name: scheme,
  options: { scheme, tile: 32 },
}));
const sines: readonly Way[] = (["polynomial", "native", "table"] as const).map((sine) => ({
  name: `sine ${sine}`,
  options: { sine },
  // A native sine may be wrong by 2⁻¹¹.
  ...(sine !== "polynomial" && { promisedDb: sine === "table" ? tableDb : promised.fast }),
}));
// The larger the requested tile, the larger the error of its expansion.
const sweep: readonly Way[] = [16, 32, 64].flatMap((tile) =>
  [1, 2, 4, 8].map((sets) => ({
    name: "swept",
    options: { tile, sets, scheme: sets === 1 ? "tiles" : "dual" },
    promisedDb: promised.fast,
  })),
);
const wholes: readonly Way[] = [...modes, { name: "from profiles", options: {}, form: "profiles" }];

/** Every case for these sizes, on both clocks. */
export function backprojectionCases({ sides, pulses, bins }: BackprojectionSizes): GpuCase[] {
  const made = new Map<number, BackprojectionWorkload>();
  const workloadOf = (count: number): BackprojectionWorkload => {
    const workload =
      made.get(count) ??
      createBackprojectionWorkload(createNoiseSamples(count), { pulses, arcRadians: (2 * Math.PI * pulses) / circlePulses });
    made.set(count, workload);
    return workload;
  };
  const title = (side: number, what: string): string => `backprojection ${side}² × ${pulses} pulses × ${bins} bins, ${what}`;
  const kernelCase = (side: number, what: string, ways: readonly Way[]): GpuCase => ({
    name: title(side, what),
    errorKind: "relative L2 of a patch against float64",
    clock: "device",
    setUp: ({ device }) =>
      contendersOf(ways, (way) =>
        kernelContender(device, workloadOf(way.options.interpolation === eightTaps ? bins / 4 : bins), side, way),
      ),
  });
  const wholeCase = (side: number): GpuCase => ({
    name: title(side, "host to host"),
    errorKind: "relative L2 of a patch against float64",
    clock: "host",
    setUp: ({ device }) => contendersOf(wholes, async (way) => wholeContender(device, workloadOf(bins), side, way)),
  });
  const ends = [...new Set([sides[0], sides[sides.length - 1]])];
  return [
    ...sides.map((side) => kernelCase(side, "kernel", kernels)),
    ...ends.map((side) => kernelCase(side, "partitionings", schemes)),
    kernelCase(sides[0], "sines", sines),
    ...sides.map((side) => kernelCase(side, "tiles and sets", sweep)),
    ...sides.map(wholeCase),
  ];
}

/** Sets up the contenders. Returns the reasons for those that failed. */
async function contendersOf(ways: readonly Way[], make: (way: Way) => Promise<GpuContender>) {
  const contenders: GpuContender[] = [];
  const failed: Record<string, string> = {};
  for (const way of ways) {
    try {
      contenders.push(await make(way));
    } catch (error) {
      failed[`dechirp ${way.name} ${JSON.stringify(way.options)}`] = (error as Error).message;
    }
  }
  return { contenders, failed };
}

const steps: readonly PulseBlockStep[] = ["curves", "backproject", "sum"];
/** The interpolation that profiles are read with. */
const interpolationOf = (workload: BackprojectionWorkload, { interpolation }: BackprojectorOptions): ProfileInterpolation =>
  interpolation ?? defaultInterpolation(workload.source("profiles") as ProfileGeometry);
/** The length of a turn, short because there are about fifty contenders. */
const turnMilliseconds = 40;

const relative = (db: number): number => 10 ** (-db / 20);

/** Times one block of pulses repeatedly. */
async function kernelContender(
  device: Device,
  workload: BackprojectionWorkload,
  side: number,
  { name, options, promisedDb }: Way,
): Promise<GpuContender> {
  const grid = squareGrid(side);
  const block = await openPulseBlock(device, workload, grid, options);
  const { partition, pulses, text } = block;
  const { scheme, tile, sets, trafficBytes } = partition;
  if (text.includes("(kernel/host ")) {
    block[Symbol.dispose]();
    throw new Error("it does not fit into this device's on-chip memory");
  }
  block.load(0);
  let once = Number.POSITIVE_INFINITY;
  return {
    name: `dechirp ${name}: ${scheme}, tile ${tile}, ${sets} ${sets === 1 ? "set" : "sets"}, blocks of ${pulses}`,
    kind: "ours",
    // As the traffic model predicts for the block.
    bytes: (trafficBytes[scheme] * pulses) / workload.pulses,
    flops: 0,
    projections: side ** 2 * pulses,
    allowed: relative(promisedDb ?? promised.precise),
    async sample(runs) {
      once = await block.time(steps, Math.max(1, Math.min(runs, Math.ceil(turnMilliseconds / once))));
      return once;
    },
    error: async () =>
      relative(patchErrorDb(await block.image(), grid, workload.reference(grid, [0, pulses], interpolationOf(workload, options)))),
    dispose: () => block[Symbol.dispose](),
  };
}

/** Times a whole image, from the host's samples to the host's image, including planning. */
function wholeContender(
  device: Device,
  workload: BackprojectionWorkload,
  side: number,
  { name, options, promisedDb, form = "history" }: Way,
): GpuContender {
  const grid = squareGrid(side);
  let image = new Float32Array(0) as Float32Array;
  const once = async (): Promise<void> => {
    const own = { ...options, ...(form === "history" && { bins: workload.bins }) };
    using projector = await createBackprojector(device, workload.source(form), grid, own);
    for (const portion of workload.portions(form, 0, workload.pulses)) await projector.add(portion);
    image = await projector.image();
  };
  return {
    name: `dechirp ${name}, plan to image`,
    kind: "ours",
    bytes: workload.pulses * workload.pulseBytes(form) + 8 * side ** 2,
    flops: 0,
    projections: side ** 2 * workload.pulses,
    allowed: relative(promisedDb ?? promised.precise),
    async sample() {
      const start = performance.now();
      await once();
      return performance.now() - start;
    },
    error: () => relative(patchErrorDb(image, grid, workload.reference(grid, [0, workload.pulses], interpolationOf(workload, options)))),
  };
}
