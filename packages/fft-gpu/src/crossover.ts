/**
 * Recommends a device for a piece of work, from measurements on one machine: an H200 and 16 cores of the CPU backend
 * (packages/bench/results/*-gpu-h200.json, packages/bench/notes/fft-gpu.md). It is a rule of thumb for use before a device is opened. It
 * does not know the machine it runs on, nor whether that has a GPU.
 */
import { inputError } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";

/** The work to choose a device for. */
export interface WorkSize {
  /** Bytes of the input as complex64 numbers. */
  readonly bytes: number;
  /** `host`: written before every run, and read after it into memory that was used before (`readInto`). `device`: stays on the device. Default: `host`. */
  readonly data?: "host" | "device";
  /** `kept`: planned once and run many times. `fresh`: planned for a single run, so planning counts. Default: `kept`. */
  readonly plans?: "kept" | "fresh";
}

const fieldsOfWork: FieldsOf<WorkSize> = { bytes: "number", data: "string", plans: "string" };

/**
 * For less data on the host, a GPU's latency is longer than the CPU's work. For one transform, written and read back, a GPU was slower on two of three days
 * with up to 256 KiB, 1.1 times faster with 512 KiB (the median of six figures from 0.89 to 1.48), and 1.2 to 1.6 times from 1 MiB on. Images of several
 * passes are 1.5 to 2.8 times faster, up to 512 MiB.
 */
const leastBytes = 2 ** 19;

/** The same for data that stay on the device: a run is queued within 15 µs, and the CPU takes longer for more data than this. */
const leastBytesOnDevice = 2 ** 17;

/**
 * A GPU's driver takes 70 to 500 ms to compile a new kernel, and 0.1 to 0.4 s to open. An image of 8 MiB takes 1.5 s, or 0.23 s if the
 * driver has cached the kernels, but 0.1 s on the CPU; one of 128 MiB 2.0, 0.54 and 0.45 s; one of 512 MiB 1.9, 0.96 and 1.3 s.
 */
const leastBytesOfFresh = 2 ** 29;

/** Returns the id of the backend that was faster for work of this kind. Throws `input` if a field is invalid. */
export function preferredDevice(work: WorkSize): "cpu" | "gpu" {
  checkFields(work, fieldsOfWork, "work");
  const { bytes, data = "host", plans = "kept" } = work;
  if (!(bytes >= 0)) throw inputError("bytes", "a number of bytes", bytes);
  if (plans === "fresh") return bytes >= leastBytesOfFresh ? "gpu" : "cpu";
  return bytes >= (data === "device" ? leastBytesOnDevice : leastBytes) ? "gpu" : "cpu";
}
