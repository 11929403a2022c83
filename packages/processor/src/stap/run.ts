/**
 * Runs a STAP plan on a device: stap's program, its output, and the arrays that detection also needs (the spectrum and the gains).
 * Steering vectors are processed in runs, as many at once as the device's largest buffer allows.
 */

import {
  type Arrays,
  type Buffer,
  compile,
  createPause,
  type Device,
  inputError,
  isRadarError,
  type TypedArrayOf,
  throwIfAborted,
} from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import { copyInto, nextTurn, runAbortable, unlessAborted } from "@dechirp/core/internal";
import { checkStatus, type EfaProgramOptions, efa, outputComponents, readStatus } from "@dechirp/stap";
import { recordingError } from "../blame.ts";
import { runStages, writeInSlices } from "../run-stages.ts";
import type { StageReport } from "../used.ts";
import { blameStap } from "./blame.ts";
import type { StapOutput } from "./findings.ts";
import type { StapPlan } from "./plan.ts";
import type { SolvedReport } from "./report.ts";

type OnShare = (what: string, share: number) => void;

/** Limit on the size of arrays that grow with the number of steering vectors. */
const mostBytes = 2 ** 30;

/**
 * Runs `plan` on `device`, with covariances in float64 if the device has it. If it does not, and float32 is too coarse for a
 * covariance, everything runs again on the device that `openFloat64` opens, which is then disposed of. Without `openFloat64`,
 * ill-conditioned covariances are counted in the result and used. Rejects with `input`, naming the recording, if a covariance can't be
 * solved or the output is not finite; with what devices and `openFloat64` throw; and with `aborted` if the signal fires.
 */
export async function runStap(
  plan: StapPlan,
  device: Device,
  openFloat64: (() => Promise<Device>) | undefined,
  signal: AbortSignal | undefined,
  onShare: OnShare,
): Promise<StapOutput> {
  if (hasFloat64(device)) return (await runWith({ precision: "f64" }, plan, device, signal, onShare)) as StapOutput;
  if (openFloat64 === undefined) return (await runWith({ precision: "f32" }, plan, device, signal, onShare)) as StapOutput;
  const quick = await runWith({ precision: "f32", refusing: true }, plan, device, signal, (stage, share) => onShare(stage, share / 2));
  if (!("told" in quick)) return quick;
  using precise = await opened(openFloat64, signal);
  const again: OnShare = (stage, share) => onShare(stage, (1 + share) / 2);
  const output = (await runWith({ precision: "f64" }, plan, precise, signal, again)) as StapOutput;
  const { told, covariances } = quick;
  const why = `solved in float64 on ${precise.id}: the float32 of ${device.id} is too coarse for ${told} of ${covariances} covariances`;
  return { ...output, solved: { ...output.solved, why } };
}

const hasFloat64 = ({ limits }: Device): boolean => limits.dtypes.includes("c128");

/**
 * Opens a device with float64. Rejects with what `openFloat64` throws, with `input` if it opens a device without float64, and with
 * `aborted` if `signal` fires; a device that is opened after that is disposed of.
 */
async function opened(openFloat64: () => Promise<Device>, signal: AbortSignal | undefined): Promise<Device> {
  const name = "hooks.openFloat64";
  throwIfAborted(signal, "stap");
  const opening = Promise.resolve().then(openFloat64);
  let device: Device | undefined;
  try {
    device = await unlessAborted(opening, signal);
  } catch (error) {
    throwIfAborted(signal, "stap");
    throw asRadarError(error, name);
  }
  if (signal?.aborted) {
    opening.then(
      (late) => late?.[Symbol.dispose]?.(),
      () => {},
    );
    throwIfAborted(signal, "stap");
  }
  if (typeof device?.plan === "function" && hasFloat64(device)) return device;
  device?.[Symbol.dispose]?.();
  throw inputError(name, "a function that opens a device with c128 arrays", device?.id ?? device);
}

/** How to run. `refusing`: stop without an output if float32 is too coarse for a covariance. */
interface How {
  readonly precision: "f32" | "f64";
  readonly refusing?: true;
}

/** The result of a run that stopped: how many covariances have a non-zero status, and how many there are. */
interface Coarse {
  readonly told: number;
  readonly covariances: number;
}

async function runWith(
  { precision, refusing }: How,
  plan: StapPlan,
  device: Device,
  signal: AbortSignal | undefined,
  onShare: OnShare,
): Promise<StapOutput | Coarse> {
  const { geometry, steering, input, settings } = plan;
  const options: EfaProgramOptions = { ...plan.options, precision };
  const { steeringVectors, order, dopplerBins, sets, ranges, channels, output } = geometry;
  const withGains = output !== "amf";
  // If the output is not the AMF, the steering vector with the largest output need not have the largest AMF, which detection needs.
  const maxOverSteering = geometry.maxOverSteering && !withGains;
  // Gains are available only if solving and weighting are two steps, with the weights in memory between them.
  const unfused = efa(withGains ? { ...options, maxOverSteering, fused: false } : options).steps.some(({ name }) => name === "solve");
  const bytesOfOne = 8 * dopplerBins * (unfused ? sets.groups * order : ranges);
  const vectorsPerRun = Math.max(1, Math.floor(Math.min(device.limits.maxBufferBytes, mostBytes) / bytesOfOne));
  const runs = Math.ceil(steeringVectors / vectorsPerRun);
  const plane = outputComponents(output) * dopplerBins * ranges;
  const y = new Float32Array((maxOverSteering ? 1 : steeringVectors) * plane);
  const strongest = maxOverSteering ? new Uint32Array(plane) : undefined;
  const gains = withGains ? new Float32Array(dopplerBins * sets.groups * steeringVectors) : undefined;
  const stages: StageReport[] = [];
  const pause = createPause("stap", signal);
  let x: Float32Array | undefined;
  // The worst status of each covariance over all runs.
  const worst = new Uint32Array(dopplerBins * sets.groups);
  for (let i = 0; i < runs; i++) {
    const first = i * vectorsPerRun;
    const count = Math.min(vectorsPerRun, steeringVectors - first);
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
    if (refusing && told.length > 0) return { told: told.length, covariances: status.length };
    checkSolved(status, plan, precision, device);
    await blameStap(input, settings, () => runAbortable(signal, "stap", checkFiniteOutput(values["y"] as Float32Array)));
    for (let item = 0; item < worst.length; item++) worst[item] = Math.max(worst[item], status[item]);
    x ??= values["x"] as Float32Array;
    for (let row = 0; gains && row < dopplerBins * sets.groups; row++)
      gains.set((values["gains"] as Float32Array).subarray(row * count, (row + 1) * count), row * steeringVectors + first);
    if (!strongest) await copyInto(y, values["y"] as Float32Array, first * plane, pause);
    else
      await runAbortable(signal, "stap", keepLargest(y, strongest, values["y"] as Float32Array, values["strongest"] as Uint32Array, first));
  }
  await nextTurn(signal, "stap");
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

/** Throws `input`, naming the recording, if a covariance could not be solved. Ill-conditioned covariances are allowed. */
function checkSolved(status: Uint32Array, { geometry, input }: StapPlan, precision: How["precision"], { id }: Device): void {
  const unusable = status.map((one) => (readStatus([one], geometry)[0]?.kind === "illConditioned" ? 0 : one));
  try {
    checkStatus(unusable, { ...geometry, precision });
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    const coarse = precision === "f32" ? `; the float32 of ${id} may be too coarse for it: pass hooks.openFloat64` : "";
    throw recordingError(input.where, `${error.message}${coarse}`, { ...error.fields, precision }, error);
  }
}

/** Numbers that are processed between two pauses. */
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
      throw inputError("output", "finite: samples are beyond the range of float32 after processing, or diagonal loading is needed", y[i]);
  }
}

interface Part {
  readonly arrays: Arrays;
  readonly stages: readonly StageReport[];
}

/**
 * Runs the program with inputs and outputs on the host and measures the time of each stage. `more` names intermediate values that are
 * returned beside the outputs.
 */
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
    const pause = createPause("stap", signal);
    for (const [name, data] of Object.entries(inputs)) await writeInSlices(buffers[name], data, 0, pause);
    const stages = await runStages(compiled, device, buffers, signal, onShare);
    const arrays: Record<string, TypedArrayOf> = {};
    for (const name of outputs) arrays[name] = await buffers[name].read();
    return { arrays, stages };
  } finally {
    for (const buffer of Object.values(buffers)) buffer[Symbol.dispose]();
  }
}
