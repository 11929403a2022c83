/**
 * A STAP plan on a device: the program of stap, its output, and what detection needs beside it (the spectrum, the gains). Steering
 * vectors come in runs of as many as the device's largest array takes.
 */
import {
  type Arrays,
  type Buffer,
  compile,
  copyInto,
  createPause,
  type Device,
  inputError,
  type TypedArrayOf,
  throwIfAborted,
} from "@dechirp/core";
import { checkStatus, type DopplerCube, type EfaProgramOptions, efa, outputComponents, readStatus } from "@dechirp/stap";
import { openDevice } from "../devices.ts";
import { heeding, heedSignal } from "../heed-signal.ts";
import { writeInSlices } from "../in-slices.ts";
import type { StageReport } from "../report.ts";
import { blameStap } from "./blame.ts";
import type { StapPlan } from "./plan.ts";
import type { SolvedReport } from "./report.ts";

export interface StapOutput {
  readonly solved: SolvedReport;
  /** As the program gives it: [steering][bin][range], or [bin][range] where only the largest AMF is kept; complex interleaved. */
  readonly y: Float32Array;
  /** wᴴv [bin][group][steering], where the output is not the AMF itself. */
  readonly gains?: Float32Array;
  /** Which steering vector was largest, [bin][range], where only that one is kept. */
  readonly strongest?: Uint32Array;
  /** X[channel][bin][range] */
  readonly x: DopplerCube;
  readonly stages: readonly StageReport[];
}

type OnShare = (what: string, share: number) => void;

/** Arrays that grow with the steering vectors are of at most so much. */
const mostBytes = 2 ** 30;

/**
 * Runs `plan` on `device`, covariances in float64 where it has that; where it has not, and one of them wants it, again on the processor.
 * Throws a CommandError of kind `file` for covariances that are singular or an output that is not finite; what the device throws;
 * `aborted` where the signal fires.
 */
export async function runStap(plan: StapPlan, device: Device, signal: AbortSignal | undefined, onShare: OnShare): Promise<StapOutput> {
  if (device.limits.dtypes.includes("c128")) return runWith("f64", plan, device, signal, onShare);
  const quick = await runWith("f32", plan, device, signal, onShare);
  if (!("told" in quick)) return quick;
  using processor = await openDevice("cpu");
  const { told, covariances } = quick;
  const why = `solved in float64 on the processor: float32, which ${device.id} has, is too coarse for ${told} of ${covariances} covariances`;
  const output = await runWith("f64", plan, processor, signal, onShare);
  return { ...output, solved: { ...output.solved, why } };
}

/** Of a run in float32 nobody relies on where covariances have a status. */
interface Coarse {
  readonly told: number;
  readonly covariances: number;
}

async function runWith(
  precision: "f64",
  plan: StapPlan,
  device: Device,
  signal: AbortSignal | undefined,
  onShare: OnShare,
): Promise<StapOutput>;
async function runWith(
  precision: "f32",
  plan: StapPlan,
  device: Device,
  signal: AbortSignal | undefined,
  onShare: OnShare,
): Promise<StapOutput | Coarse>;
async function runWith(
  precision: "f32" | "f64",
  plan: StapPlan,
  device: Device,
  signal: AbortSignal | undefined,
  onShare: OnShare,
): Promise<StapOutput | Coarse> {
  const { geometry, steering, input, settings } = plan;
  const options: EfaProgramOptions = { ...plan.options, precision };
  const { steeringVectors, order, dopplerBins, sets, ranges, channels, output } = geometry;
  const withGains = output !== "amf";
  // Where another output is the largest, the AMF need not be, and detection takes the largest AMF.
  const maxOverSteering = geometry.maxOverSteering && !withGains;
  // Gains are there where solving and weighting are two steps; weights lie in memory between them.
  const unfused = efa(withGains ? { ...options, maxOverSteering, fused: false } : options).steps.some(({ name }) => name === "solve");
  const bytesOfOne = 8 * dopplerBins * (unfused ? sets.groups * order : ranges);
  const atOnce = Math.max(1, Math.floor(Math.min(device.limits.maxBufferBytes, mostBytes) / bytesOfOne));
  const runs = Math.ceil(steeringVectors / atOnce);
  const plane = outputComponents(output) * dopplerBins * ranges;
  const y = new Float32Array((maxOverSteering ? 1 : steeringVectors) * plane);
  const strongest = maxOverSteering ? new Uint32Array(plane) : undefined;
  const gains = withGains ? new Float32Array(dopplerBins * sets.groups * steeringVectors) : undefined;
  const stages: StageReport[] = [];
  const pause = createPause("stap", signal);
  let x: Float32Array | undefined;
  // The gravest of all runs.
  const worst = new Uint32Array(dopplerBins * sets.groups);
  for (let i = 0; i < runs; i++) {
    const first = i * atOnce;
    const count = Math.min(atOnce, steeringVectors - first);
    const part = await runPart(
      { ...options, steeringVectors: count, maxOverSteering, ...(withGains ? { fused: false } : {}) },
      device,
      { cube: plan.cube, steering: steering.subarray(2 * first * order, 2 * (first + count) * order) },
      [...(withGains ? ["gains"] : []), ...(i === 0 ? ["x"] : [])],
      signal,
      (stage, share) => onShare(runs === 1 ? stage : `${stage}, steering vectors from ${first} on`, (i + share) / runs),
    );
    stages.push(...part.stages);
    const values = part.arrays as Readonly<Record<string, TypedArrayOf>>;
    const status = values["status"] as Uint32Array;
    const told = readStatus(status, geometry);
    if (precision === "f32" && told.length > 0) return { told: told.length, covariances: status.length };
    await blameStap(input, settings, () => {
      // An ill-conditioned one is told of, and used.
      checkStatus(
        status.map((one) => (readStatus([one], geometry)[0]?.kind === "illConditioned" ? 0 : one)),
        { ...geometry, precision },
      );
    });
    await blameStap(input, settings, () => heeding(signal, "stap", checkFiniteOutput(values["y"] as Float32Array)));
    for (let item = 0; item < worst.length; item++) worst[item] = Math.max(worst[item], status[item]);
    x ??= values["x"] as Float32Array;
    for (let row = 0; gains && row < dopplerBins * sets.groups; row++)
      gains.set((values["gains"] as Float32Array).subarray(row * count, (row + 1) * count), row * steeringVectors + first);
    if (!strongest) await copyInto(y, values["y"] as Float32Array, first * plane, pause);
    else await heeding(signal, "stap", keepLargest(y, strongest, values["y"] as Float32Array, values["strongest"] as Uint32Array, first));
  }
  await heedSignal(signal, "stap");
  const spectrum = { data: new Float64Array((x as Float32Array).length), channels, bins: dopplerBins, ranges };
  await copyInto(spectrum.data, x as Float32Array, 0, pause);
  const conditions = readStatus(worst, geometry).map(({ condition = 1 }) => condition);
  const solved: SolvedReport = {
    precision,
    covariances: worst.length,
    illConditioned: conditions.length,
    ...(conditions.length === 0 ? {} : { mostCondition: Math.max(...conditions) }),
  };
  return { solved, y, x: spectrum, stages, ...(gains ? { gains } : {}), ...(strongest ? { strongest } : {}) };
}

/** Numbers that are looked at in a piece of work. */
const pieceNumbers = 2 ** 18;

function* keepLargest(y: Float32Array, which: Uint32Array, more: Float32Array, whichMore: Uint32Array, first: number): Generator<void> {
  for (let i = 0; i < y.length; i++) {
    if (i % pieceNumbers === 0) yield;
    if (first > 0 && more[i] <= y[i]) continue;
    y[i] = more[i];
    which[i] = first + whichMore[i];
  }
}

function* checkFiniteOutput(y: Float32Array): Generator<void> {
  for (let i = 0; i < y.length; i++) {
    if (i % pieceNumbers === 0) yield;
    if (!Number.isFinite(y[i]))
      throw inputError("output", "finite: samples are beyond the range of float32 after processing, or loading helps", y[i]);
  }
}

interface Part {
  readonly arrays: Arrays;
  readonly stages: readonly StageReport[];
}

/** The program from host to host, each stage timed; `more` of its values come out beside its outputs. */
async function runPart(
  options: EfaProgramOptions,
  device: Device,
  inputs: Arrays,
  more: readonly string[],
  signal: AbortSignal | undefined,
  onShare: (stage: string, share: number) => void,
): Promise<Part> {
  const program = efa(options);
  const outputs = [...program.outputs, ...more];
  throwIfAborted(signal, "stap");
  using compiled = await compile({ ...program, outputs }, device);
  const buffers: Record<string, Buffer> = {};
  try {
    for (const [name, layout] of Object.entries(compiled.layouts)) buffers[name] = device.alloc(layout, name);
    for (const [name, data] of Object.entries(inputs)) await writeInSlices(buffers[name], data, createPause("stap", signal));
    await device.ready();
    const starts: number[] = [];
    await compiled.run(buffers, {
      ...(signal ? { signal } : {}),
      onProgress({ stage, finished, stages }) {
        starts.push(performance.now());
        onShare(stage, finished / stages);
      },
    }).done;
    const arrays: Record<string, TypedArrayOf> = {};
    for (const name of outputs) arrays[name] = await buffers[name].read();
    const stages = compiled.stages.map(({ name, plan }, i) => ({
      name,
      milliseconds: Math.round(10 * (starts[i + 1] - starts[i])) / 10,
      text: plan.text,
    }));
    return { arrays, stages };
  } finally {
    for (const buffer of Object.values(buffers)) buffer[Symbol.dispose]();
  }
}
