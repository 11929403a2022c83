/**
 * Runs the microbenchmarks on a GPU: workgroup memory by access pattern, copies between registers and workgroup memory, shuffles, barriers,
 * arithmetic by values held and threads, device memory by footprint, and overheads. It takes an open device and returns a report; it uses
 * no files and no terminal. Every kernel's output is checked.
 */
import { type Device, inputError, RadarError, throwIfAborted } from "@dechirp/core";
import type { FieldsOf } from "@dechirp/core/internal";
import { deviceReport } from "@dechirp/processor";
import { checkExperiment, checkList, type ExperimentHooks, experimentFormat } from "../experiment.ts";
import { jobs } from "./jobs.ts";
import { limitsOf } from "./limits.ts";
import { clockOf } from "./measure.ts";
import { publishedMemory } from "./published.ts";
import { type MemoryReport, type MemoryRow, type MemorySection, memorySections } from "./report.ts";

/** Options of `memoryExperiment`. */
export interface MemoryOptions {
  /** Approximate seconds of each measurement. Default: 0.25, or 0.05 if `quick` is set. */
  readonly seconds?: number;
  /** Measures fewer points of each section. Default: false. */
  readonly quick?: boolean;
  /** The sections to measure. Default: all. */
  readonly only?: readonly MemorySection[];
}

const fieldsOfOptions: FieldsOf<MemoryOptions> = { seconds: "number", quick: "boolean", only: "object" };
const usualSeconds = { full: 0.25, quick: 0.05 } as const;

/**
 * Runs the microbenchmarks on a GPU and returns their report. Throws `input` that names the field, `unsupported` if the device is not a
 * GPU, `aborted`, and device errors that make further measurements impossible.
 */
export async function memoryExperiment(device: Device, options: MemoryOptions = {}, given: ExperimentHooks = {}): Promise<MemoryReport> {
  const hooks = checkExperiment([{ device }], options, fieldsOfOptions, given);
  const { quick = false, only = memorySections } = options;
  const { seconds = usualSeconds[quick ? "quick" : "full"] } = options;
  checkList(only, "only");
  if (!(seconds > 0 && seconds <= 60)) throw inputError("seconds", "a positive number of at most 60", seconds);
  if (only.length === 0 || !only.every((section) => memorySections.includes(section)))
    throw inputError("only", `a list of one or more of ${memorySections.join(", ")}`, only);
  if (device.id !== "gpu")
    throw new RadarError("unsupported", `the microbenchmarks run on GPUs only, not on ${device.id}`, {
      field: "device",
      device: device.id,
    });
  const { signal } = hooks;
  throwIfAborted(signal, "the experiment");
  const limits = await limitsOf(device, signal);
  const clock = await clockOf(device);
  const chosen = jobs.filter(({ section }) => only.includes(section));
  const rows: MemoryRow[] = [];
  for (const [j, { section, measure }] of chosen.entries()) {
    throwIfAborted(signal, "the experiment");
    hooks.onProgress?.(section, j / chosen.length);
    rows.push(...(await measure({ device, limits, quick, seconds, ...(signal && { signal }) })));
  }
  hooks.onProgress?.("done", 1);
  return {
    format: experimentFormat,
    version: 1,
    experiment: "memory",
    date: new Date().toISOString(),
    quick,
    seconds,
    device: deviceReport(device),
    software: device.info.software === true,
    clock,
    limits,
    rows,
    published: publishedMemory,
  };
}
