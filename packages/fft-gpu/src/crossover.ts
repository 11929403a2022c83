/**
 * Recommends a device for a piece of work, from measurements on one machine: an H100 and 16 cores of the CPU backend
 * (packages/bench/results/*-gpu-h100.json, packages/bench/notes/fft-gpu.md). It is a rule of thumb for use before a device is opened. It
 * does not know the machine it runs on, nor whether that has a GPU.
 */
import { inputError } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";

/** The work to choose a device for. */
export interface WorkSize {
  /** Bytes of the input as complex64 numbers. */
  readonly bytes: number;
  /** Number of passes over memory between write and read. Default: 1. */
  readonly passes?: number;
  /** `host`: written before every run and read after it. `device`: stays on the device. Default: `host`. */
  readonly data?: "host" | "device";
  /** `kept`: planned once and run many times. `fresh`: planned for a single run, so planning counts. Default: `kept`. */
  readonly plans?: "kept" | "fresh";
}

const fieldsOfWork: FieldsOf<WorkSize> = { bytes: "number", passes: "number", data: "string", plans: "string" };

/**
 * For less data, a GPU's latency is longer than the CPU's work. For one transform, written and read back, a GPU is 5 times slower at 64
 * KiB, equal to 1.3 times faster at 128 and 256 KiB, and 1.5 to 1.9 times faster at 512 KiB.
 */
const leastBytes = 2 ** 17;

/** For more data, reading back dominates: one transform of 16 MiB is 1.3 times faster on the GPU, and one of 32 MiB 1.1 times slower. */
const mostBytes = 2 ** 24;

/**
 * With several passes the limit is higher: an image of 32 MiB is 1.2 times faster on the GPU, one of 128 MiB equal, and one of 512 MiB 1.5
 * times slower.
 */
const severalPasses = 3;
const mostBytesOfSeveral = 2 ** 25;

/**
 * A GPU's driver takes 70 to 500 ms to compile a new kernel, and 0.1 to 0.4 s to open. An image of 8 MiB takes 1.5 s, or 0.23 s if the
 * driver has cached the kernels, but 0.1 s on the CPU; one of 128 MiB 2.0, 0.54 and 0.45 s; one of 512 MiB 1.9, 0.96 and 1.3 s.
 */
const leastBytesOfFresh = 2 ** 29;

/** Returns the id of the backend that was faster for work of this kind. Throws `input` if a field is invalid. */
export function preferredDevice(work: WorkSize): "cpu" | "gpu" {
  checkFields(work, fieldsOfWork, "work");
  const { bytes, passes = 1, data = "host", plans = "kept" } = work;
  if (!(bytes >= 0)) throw inputError("bytes", "a number of bytes", bytes);
  if (plans === "fresh") return bytes >= leastBytesOfFresh ? "gpu" : "cpu";
  if (bytes < leastBytes) return "cpu";
  if (data === "device") return "gpu";
  return bytes <= (passes >= severalPasses ? mostBytesOfSeveral : mostBytes) ? "gpu" : "cpu";
}
