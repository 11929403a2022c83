/**
 * A STAP plan on a device: the program of stap, its output, and what detection needs beside it (the spectrum, the gains). Steering
 * vectors come in runs of as many as the device's largest array takes.
 */
import { type Arrays, type Buffer, compile, type Device, inputError, type TypedArrayOf, throwIfAborted } from "@dechirp/core";
import { checkStatus, type DopplerCube, type EfaProgramOptions, efa, outputComponents } from "@dechirp/stap";
import type { StageReport } from "../report.ts";
import { blameStap } from "./blame.ts";
import type { StapPlan } from "./plan.ts";

export interface StapOutput {
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

/** Arrays that grow with the steering vectors are of at most so much. */
const mostBytes = 2 ** 30;

/**
 * Throws a CommandError of kind `file` for covariances that are singular or an output that is not finite; what the device throws;
 * `aborted` where the signal fires.
 */
export async function runStap(
  plan: StapPlan,
  device: Device,
  signal: AbortSignal | undefined,
  onShare: (what: string, share: number) => void,
): Promise<StapOutput> {
  const { options, geometry, steering, input, settings } = plan;
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
  let x: Float32Array | undefined;
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
    await blameStap(input, settings, () => {
      const [status, output] = [values["status"] as Uint32Array, values["y"] as Float32Array];
      if (status.some((row) => row !== 0) || !output.every(Number.isFinite)) checkPower(plan);
      checkStatus(status, geometry);
      checkFiniteOutput(output);
    });
    x ??= values["x"] as Float32Array;
    for (let row = 0; gains && row < dopplerBins * sets.groups; row++)
      gains.set((values["gains"] as Float32Array).subarray(row * count, (row + 1) * count), row * steeringVectors + first);
    if (!strongest) y.set(values["y"] as Float32Array, first * plane);
    else keepLargest(y, strongest, values["y"] as Float32Array, values["strongest"] as Uint32Array, first);
  }
  const spectrum = { data: Float64Array.from(x as Float32Array), channels, bins: dopplerBins, ranges };
  return { y, x: spectrum, stages, ...(gains ? { gains } : {}), ...(strongest ? { strongest } : {}) };
}

function keepLargest(y: Float32Array, which: Uint32Array, more: Float32Array, whichMore: Uint32Array, first: number): void {
  for (let i = 0; i < y.length; i++) {
    if (first > 0 && more[i] <= y[i]) continue;
    y[i] = more[i];
    which[i] = first + whichMore[i];
  }
}

/** Magnitudes whose squares float32 still holds to its full precision, and whose sums over so many products it holds at all. */
const leastSquare = 2 ** -102;
const mostSquare = 2 ** 127;

/** Throws `input` naming `samples` where these themselves are the reason that nothing came out: no power, or too little or much for float32. */
function checkPower({ cube, geometry: { pulses, ranges } }: StapPlan): void {
  const largest = cube.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  if (largest === 0) throw inputError("samples", "different from zero somewhere: there is no power to train on", 0);
  // A Doppler bin adds up the pulses, a covariance the squares of the ranges, two numbers each.
  if (largest ** 2 < leastSquare || 2 * (largest * pulses) ** 2 * ranges > mostSquare) {
    const expected = "of a magnitude whose square is within the range of float32, such as 1: scale them";
    throw inputError("samples", expected, Number(largest.toPrecision(3)));
  }
}

function checkFiniteOutput(y: Float32Array): void {
  const bad = y.findIndex((value) => !Number.isFinite(value));
  if (bad < 0) return;
  throw inputError("output", "finite: samples are beyond the range of float32 after processing, or loading helps", y[bad]);
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
    for (const [name, data] of Object.entries(inputs)) buffers[name].write(data);
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
