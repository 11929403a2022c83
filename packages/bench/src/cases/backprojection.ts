/**
 * Backprojection on the CPU device: the kernel of one block of pulses, on one unit and on all, with and without tiles, beside numpy in an
 * optimised and a plain form (peers/backprojection.py, a separate process that times itself). Anchors take about a hundredth of the time;
 * they are computed before and not timed. The experiment measures whole images (`dechirp bench backprojection-paper`).
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Device, open } from "@dechirp/core";
import {
  type BackprojectionWorkload,
  circlePulses,
  createBackprojectionWorkload,
  createNoiseSamples,
  openPulseBlock,
  type PulseBlock,
  patchErrorDb,
  squareGrid,
} from "@dechirp/experiments";
import { cpu } from "@dechirp/fft-cpu";
import type { BackprojectorOptions, GroundGrid, ProfileGeometry } from "@dechirp/sar";
import { numpyScene } from "../peers.ts";
import type { Case, Contender } from "../runner.ts";
import { coresNote } from "../spin.ts";

const peer = fileURLToPath(new URL("../../peers/backprojection.py", import.meta.url));
const bins = 4096;

/** Sizes and their numbers of windows. The larger one has fewer, as numpy takes seconds for it. */
export const backprojectionSizes = [
  { side: 256, pulses: 117, windows: 9 },
  { side: 512, pulses: 469, windows: 3 },
] as const;

/** The case for one size. */
export function backprojectionCase({ side, pulses, windows }: { side: number; pulses: number; windows: number }): Case {
  return {
    name: `backprojection ${side}² × ${pulses} pulses × ${bins} bins, kernel`,
    flops: 0,
    projections: side ** 2 * pulses,
    windows,
    errorKind: "relative L2 of a patch against float64",
    setUp: () => setUp(side, pulses),
  };
}

async function setUp(side: number, pulses: number) {
  const workload = createBackprojectionWorkload(createNoiseSamples(bins), { pulses, arcRadians: (2 * Math.PI * pulses) / circlePulses });
  const grid = squareGrid(side);
  const linear = workload.reference(grid, [0, pulses], "linear");
  const quadratic = workload.reference(grid, [0, pulses], "quadratic");
  const errorFrom =
    (reference: Float64Array) =>
    (image: Float32Array): number =>
      10 ** (-patchErrorDb(image, grid, reference) / 20);
  const error = errorFrom(linear);
  const device = await open(cpu());
  const one = [0];
  // Linear between bins, as in numpy.
  const contender = (name: string, options: BackprojectorOptions, units?: readonly number[]) =>
    contenderOf(device, workload, grid, { name, options: { interpolation: "linear", ...options }, error, ...(units && { units }) });
  const usual = (name: string, units?: readonly number[]) =>
    contenderOf(device, workload, grid, { name, options: {}, error: errorFrom(quadratic), ...(units && { units }) });
  // Anchors are those of tiles of 64, so that only the pixels are not tiled.
  const untiled = { scheme: "unpartitioned", tile: 64 } as const;
  const ours = [
    await contender("dechirp, one unit", {}, one),
    ...(device.units > 1 ? [await contender(`dechirp, ${device.units} units`, {})] : []),
    await usual("dechirp on parabolas, its default, one unit", one),
    ...(device.units > 1 ? [await usual(`dechirp on parabolas, its default, ${device.units} units`)] : []),
    await contender("dechirp without tiles, one unit", untiled, one),
    ...(device.units > 1 ? [await contender(`dechirp without tiles, ${device.units} units`, untiled)] : []),
  ];
  const folder = writeScene(workload, grid);
  const peers: Contender[] = [];
  const absent: Record<string, string> = {};
  for (const args of [["--form", "plain"], ["--form", "f64"], [], ["--processes", String(cpus().length)]]) {
    const numpy = numpyScene(peer, folder, args, "image.c64", error);
    if (typeof numpy === "string") absent[`numpy ${args.join(" ")}`.trim()] = numpy;
    else peers.push(numpy);
  }
  return {
    contenders: [...peers, ...ours],
    absent: { ...absent, ...(await coresNote(device.units)) },
    dispose() {
      device[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Way {
  readonly name: string;
  readonly options: BackprojectorOptions;
  readonly units?: readonly number[];
  readonly error: (image: Float32Array) => number;
}

async function contenderOf(
  device: Device,
  workload: BackprojectionWorkload,
  grid: GroundGrid,
  { name, options, units, error }: Way,
): Promise<Contender> {
  const { pulses } = workload;
  const block: PulseBlock = await openPulseBlock(device, workload, grid, { ...options, form: "profiles", pulsesPerBlock: pulses });
  block.load(0);
  const { partition } = block;
  return {
    name: `${name}: ${partition.scheme}, tile ${partition.tile}`,
    run: () => block.time(["curves", "backproject", "sum"], 1, units ? { units } : {}),
    error: async () => error(await block.image(units ? { units } : {})),
    dispose: () => block[Symbol.dispose](),
  };
}

/** Writes the workload as files for the numpy process. */
function writeScene(workload: BackprojectionWorkload, grid: GroundGrid): string {
  const folder = mkdtempSync(join(tmpdir(), "dechirp-bench-"));
  const { positions, referenceRangeMeters, binMeters, firstRangeMeters, carrierHz } = workload.source("profiles") as ProfileGeometry;
  const write = (file: string, data: string | NodeJS.ArrayBufferView): void => writeFileSync(join(folder, file), data);
  write("scene.json", JSON.stringify({ ...grid, binMeters, firstRangeMeters, carrierHz }));
  write("positions.f64", positions);
  write("ranges.f64", referenceRangeMeters);
  write(
    "profiles.c64",
    Buffer.concat([...workload.portions("profiles", 0, workload.pulses)].map((x) => Buffer.from(x.buffer, x.byteOffset, x.byteLength))),
  );
  return folder;
}
