/**
 * The GPU bench: `pnpm --filter @dechirp/bench gpu`, or bundled (gpu/bundle.mjs) on a machine without a checkout.
 *   --only TEXT,TEXT…  cases whose names contain one of them   --elements N     complex numbers of an array, default 2²⁴
 *   --samples N        turns of each contender, default 9      --host | --device only the cases on that clock
 *   --lengths N,N…     lengths of transforms instead of the usual ones
 *   --axes SHAPE@AXES,…   transforms along axes of arrays instead of the usual ones, such as 1000x16000@0,16x1000x1000@1+2
 *   --measure          also plans by measurement (effort: "measure"), of cases of one transform
 *   --variants FILE    preferences of the planner to try       --peer COMMAND   such as python3 …/cufft.py; default none
 *   --dawn FLAG        flag for Dawn, may be repeated          --out DIR        folder for gpu.json and gpu.md
 *   --sides N,N…       edges of backprojected images, default 512,1024,2048   --pulses N   their pulses, default 4690
 *   --paper SIZES      runs the published fused SAR experiment instead, for example at 4096,1536x2048, with --samples turns
 *   --backprojection-paper SIZES   runs the published backprojection instead, for example at 512,1024,2048, of 42208 pulses or --pulses
 *   --realtime-paper cpu|gpu   runs the published concurrent transforms instead, on the CPU's cores or on the GPU
 *   --exponents A-B    log₂ of their samples, default 10-22   --workers N   default: all cores but one
 *   --runs N, --tasks N,…   as for dechirp bench   --ways gpu-slots   only these ways to share the device
 *   --rhos 1,2 | none   values of ρ to sweep at the largest size
 *   --fft-paper        runs the published transforms by every kernel instead; --out gets the report, plots and result.json to contribute
 *   --memory           runs the microbenchmarks of memory instead
 *   --blocks LINESxSAMPLES   focuses noise from file to file in blocks of --elements lines instead
 *   --windows EDGE,LARGE,WINDOW   backprojects EDGE² and LARGE² pixels in windows instead
 *   --seconds S, --quick, --sizes N,…   as for dechirp bench
 *   --efa-paper        runs the published space-time adaptive processing instead   --watts N   the device's power limit, for its tables
 * Results are written after every case, so an interrupted run keeps what it has. The exit status is 1 if one of our results
 * is wrong or one of our contenders failed, except variants, and 2 if there is nothing to measure or to measure on.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom, type Device, open } from "@dechirp/core";
import { publishedEfa } from "@dechirp/experiments";
import { cpu } from "@dechirp/fft-cpu";
import { parseOptions } from "../options.ts";
import { decibels } from "../report.ts";
import { accumulationCases } from "./accumulation.ts";
import { elementsOf, parseAxes } from "./axes.ts";
import { backprojectionCases } from "./backprojection.ts";
import { deviceCases, type GpuCase } from "./cases.ts";
import { copyContender } from "./copy.ts";
import { efaCase } from "./efa.ts";
import { gatherCase } from "./gather.ts";
import { hostCases } from "./host.ts";
import { imageCase, quicklookCase } from "./images.ts";
import { runFftPaper, runMemory } from "./laboratory.ts";
import { runBlocks, runWindows } from "./large.ts";
import { openGpu } from "./open.ts";
import { runBackprojectionPaper, runEfaPaper, runPaper, runRealtimePaper } from "./paper.ts";
import { type Peer, startPeer } from "./peer.ts";
import { reductionCases } from "./reductions.ts";
import { gpuMarkdown, gpuResults, wrongRows } from "./report.ts";
import { type GpuContender, type GpuRow, runRounds } from "./rounds.ts";
import { type Variants, variantDevices } from "./variants.ts";

const { values } = parseOptions({
  options: {
    only: { type: "string" },
    elements: { type: "string", default: String(2 ** 24) },
    samples: { type: "string", default: "9" },
    lengths: { type: "string" },
    axes: { type: "string" },
    host: { type: "boolean" },
    device: { type: "boolean" },
    variants: { type: "string" },
    measure: { type: "boolean", default: false },
    peer: { type: "string" },
    dawn: { type: "string", multiple: true },
    sides: { type: "string", default: "512,1024,2048" },
    pulses: { type: "string" },
    paper: { type: "string" },
    "backprojection-paper": { type: "string" },
    "efa-paper": { type: "boolean" },
    "fft-paper": { type: "boolean" },
    memory: { type: "boolean" },
    blocks: { type: "string" },
    windows: { type: "string" },
    seconds: { type: "string" },
    quick: { type: "boolean" },
    sizes: { type: "string" },
    watts: { type: "string" },
    "realtime-paper": { type: "string" },
    exponents: { type: "string", default: "10-22" },
    workers: { type: "string" },
    runs: { type: "string" },
    tasks: { type: "string" },
    ways: { type: "string" },
    rhos: { type: "string" },
    out: { type: "string" },
  },
});
const [elements, samples] = [Number(values.elements), Number(values.samples)];
if (!(Number.isInteger(elements) && elements >= 16 && Number.isInteger(samples) && samples > 0)) {
  console.error("bench: --elements must be a whole number of at least 16, and --samples one of at least 1");
  process.exit(2);
}
if (values.blocks !== undefined || values.windows !== undefined) {
  const opened = await openGpu(values.dawn);
  if (values.blocks !== undefined) {
    const [lines, cells] = values.blocks.split("x").map(Number);
    await runBlocks(opened.device, lines, cells, elements, values.out);
  }
  if (values.windows !== undefined) {
    const [edge, large, window] = values.windows.split(",").map(Number);
    await runWindows(opened.device, edge, large, window);
  }
  opened.close();
  process.exit(0);
}
if (values["fft-paper"] || values.memory) {
  const failed = await (values.memory ? runMemory(values) : runFftPaper(values)).then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (failed !== undefined) console.error(`bench: ${failed}`);
  process.exit(failed === undefined ? 0 : 1);
}
const pulses = values.pulses === undefined ? undefined : Number(values.pulses);
const sides = values.sides.split(",").map(Number);
if (!sides.every((side) => Number.isInteger(side) && side >= 16 && side <= 8192) || !(pulses === undefined || pulses >= 1)) {
  console.error("bench: --sides must be whole numbers from 16 to 8192, and --pulses a whole number of at least 1");
  process.exit(2);
}
const lengths = values.lengths?.split(",").map(Number);
if (lengths && !lengths.every((n) => Number.isInteger(n) && n >= 2 && n <= elements)) {
  console.error(`bench: --lengths must be whole numbers from 2 to ${elements}`);
  process.exit(2);
}
const axes = values.axes === undefined ? undefined : parseAxes(values.axes);
if (values.axes !== undefined && !axes?.every((work) => elementsOf(work) <= elements)) {
  console.error(
    `bench: --axes must be shapes of at most ${elements} elements and axes to transform, such as 1000x16000@0,16x1000x1000@1+2`,
  );
  process.exit(2);
}
const wanted = (values.only ?? "").split(",");
const list: readonly Variants[] = values.variants ? JSON.parse(readFileSync(values.variants, "utf8")) : [];
const projections = backprojectionCases({ sides, pulses: pulses ?? 4690, bins: 4096 });
const adaptive = efaCase(publishedEfa.sizes, publishedEfa.dataSets);
const cases = [
  ...deviceCases(elements, lengths, axes),
  ...reductionCases(elements),
  ...accumulationCases(elements),
  imageCase(elements),
  quicklookCase(elements),
  gatherCase(elements),
  ...hostCases(elements),
  ...projections,
  adaptive,
]
  .filter(({ clock }) => !(clock === "device" ? values.host : values.device))
  .filter(({ name }) => wanted.some((text) => name.includes(text)))
  .filter(({ name }) => list.length === 0 || list.some((one) => name.includes(one.case)));
if (cases.length === 0) {
  console.error("bench: no case's name contains that text");
  process.exit(2);
}

const random = createRandom(1);
const data = Float32Array.from({ length: 2 * elements }, () => random.uint32() / 2 ** 32 - 0.5);
const gpu = await openGpu(values.dawn).catch((error: Error) => {
  console.error(`bench: ${error.message}`);
  process.exit(2);
});
const experiment = openExperiment();
if (experiment) {
  const failed = await experiment().then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (failed !== undefined) console.error(`bench: ${failed}`);
  gpu.close();
  process.exit(failed === undefined ? 0 : 1);
}
const absent: Record<string, string> = {};
const rows: GpuRow[] = [];
let failures = 0;
const fail = (what: string, failed: Readonly<Record<string, string>>): void => {
  for (const [name, why] of Object.entries(failed)) absent[`${what}: ${name}`] = why;
};
const peer = await openPeer(values.peer);
let cpuDevice: Promise<Device> | undefined;
const openCpu = (): Promise<Device> => {
  cpuDevice ??= open(cpu());
  return cpuDevice;
};
const copy = cases.some(({ clock }) => clock === "device") ? await copyContender(gpu.gpu, data) : undefined;
const description = { description: gpu.device.info.description, ...(peer && { peer: peer.description }) };
console.error(`bench: ${cases.length} cases on ${description.description}${peer ? ` beside ${peer.description}` : ""}`);

for (const one of cases) {
  try {
    rows.push(...(await measure(one, peer)));
  } catch (error) {
    failures += 1;
    absent[one.name] = (error as Error).message;
    console.error(`bench: ${one.name} failed: ${(error as Error).message}`);
  }
  save();
}
peer?.close();
copy?.dispose?.();
gpu.close();
if (cpuDevice) (await cpuDevice)[Symbol.dispose]();
console.log(gpuMarkdown(gpuResults(rows, absent, description)));
for (const row of wrongRows(rows)) console.error(`bench: WRONG: ${row.case}, ${row.contender}: ${row.error.toExponential(1)}`);
process.exit(failures > 0 || wrongRows(rows).length > 0 ? 1 : 0);

/** The experiment to run instead of cases, if one was requested. */
function openExperiment(): (() => Promise<void>) | undefined {
  const { paper, "backprojection-paper": backprojectionPaper, "efa-paper": efaPaper, watts, out } = values;
  const realtimePaper = values["realtime-paper"];
  if (realtimePaper !== undefined) return () => runRealtimePaper(realtimePaper === "cpu" ? undefined : gpu.device, values, out);
  if (paper !== undefined) return () => runPaper(gpu.device, paper, samples, out);
  if (backprojectionPaper !== undefined) return () => runBackprojectionPaper(gpu.device, backprojectionPaper, pulses, out);
  return efaPaper ? () => runEfaPaper(gpu.device, watts === undefined ? undefined : Number(watts), out) : undefined;
}

async function openPeer(command: string | undefined): Promise<Peer | undefined> {
  if (command === undefined) return undefined;
  try {
    return await startPeer(command.split(" "));
  } catch (error) {
    absent["peer"] = (error as Error).message;
    return undefined;
  }
}

async function measure(one: GpuCase, beside: Peer | undefined): Promise<readonly GpuRow[]> {
  const start = performance.now();
  const variants = await variantDevices(one.name, list, values.measure, gpu.variant);
  const { contenders, failed = {}, ...shared } = await one.setUp({ device: gpu.device, data, variants, cpu: openCpu });
  try {
    fail(one.name, failed);
    // A variant may be impossible on this device. That is a result and not a failure.
    const isOwn = (name: string): boolean => !variants.some((variant) => name.startsWith(`${variant.name} `) || name === variant.name);
    failures += Object.keys(failed).filter(isOwn).length;
    const others: GpuContender[] = [];
    if (one.clock === "device" && copy) others.push(copy);
    if (beside && one.peer && contenders.length > 0) {
      try {
        const turn = await beside.open(one.peer, contenders[0]);
        others.push(...turn.contenders);
        fail(one.name, turn.failed);
      } catch (error) {
        fail(one.name, { peer: (error as Error).message });
      }
    }
    for (const [name, npm] of Object.entries((await one.npm?.(data)) ?? {})) {
      if (typeof npm === "string") fail(one.name, { [name]: npm });
      else others.push(npm);
    }
    const rounds = await runRounds(one, [...contenders, ...others], { samples, clock: one.clock });
    fail(one.name, rounds.failed);
    failures += contenders.filter(({ name }) => rounds.failed[name] !== undefined && isOwn(name)).length;
    for (const row of rounds.rows) if (row.kind === "ours") console.error(`bench: ${line(row)}`);
    console.error(`bench: ${((performance.now() - start) / 1e3).toFixed(1)} s`);
    return rounds.rows;
  } finally {
    for (const contender of contenders) contender.dispose?.();
    shared.dispose?.();
    for (const { device } of variants) device[Symbol.dispose]();
  }
}

function line(row: GpuRow): string {
  const beside = row.peer ? `, ${row.peer.ratio.toFixed(2)} × ${row.peer.contender} (${row.peer.milliseconds.toPrecision(4)} ms)` : "";
  if (row.gigaprojections !== undefined)
    return `${row.case} | ${row.contender} | ${row.milliseconds.toPrecision(4)} ms, ${row.gigaprojections.toPrecision(4)} Gbp/s, ${decibels(row.error)} dB`;
  const rate = row.gigabytesPerSecond > 0 ? `, ${row.gigabytesPerSecond.toFixed(0)} GB/s` : "";
  const part = Number.isFinite(row.ofCopy) && row.gigabytesPerSecond > 0 ? `, ${(100 * row.ofCopy).toFixed(0)} % of the copy` : "";
  const error = Number.isNaN(row.error) ? "" : `, error ${row.error.toExponential(1)}`;
  return `${row.case} | ${row.contender} | ${row.milliseconds.toPrecision(4)} ms${rate}${part}${beside}${error}`;
}

function save(): void {
  if (values.out === undefined) return;
  mkdirSync(values.out, { recursive: true });
  const done = gpuResults(rows, absent, description);
  writeFileSync(join(values.out, "gpu.json"), `${JSON.stringify(done, null, 2)}\n`);
  writeFileSync(join(values.out, "gpu.md"), gpuMarkdown(done));
}
