/**
 * Which device is faster for a piece of work, as measured on one machine: an H100 beside 16 cores of the CPU backend
 * (packages/bench/results/*-gpu-h100.json, packages/bench/notes/fft-gpu.md). A rule for choosing before anything is opened,
 * no promise: it does not know the machine at hand, nor whether a GPU is there.
 */
import { inputError } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";

/** What is to be done, for the choice between a CPU and a GPU. */
export interface WorkSize {
  /** Bytes of the input, as the complex64 numbers that passes read. */
  readonly bytes: number;
  /** Passes over memory between the write and the read. 1 where left out. */
  readonly passes?: number;
  /** `host`: written before every run and read after it (where left out). `device`: stays on the device. */
  readonly data?: "host" | "device";
  /** `kept`: made once, run many times (where left out). `fresh`: made for one run, so that making them counts. */
  readonly plans?: "kept" | "fresh";
}

const fieldsOfWork: FieldsOf<WorkSize> = { bytes: "number", passes: "number", data: "string", plans: "string" };

/**
 * Below, a GPU waits for anything longer than the processor works: 64 KiB are 5 times slower, 128 and 256 KiB even to 1.3 times
 * faster, 512 KiB 1.5 to 1.9 times (one transform, written and read back).
 */
const leastBytes = 2 ** 17;

/** Above, reading back takes all the time: one transform of 16 MiB is 1.3 times faster on the GPU, of 32 MiB 1.1 times slower. */
const mostBytes = 2 ** 24;

/** With several passes in between it is later: an image of 32 MiB is 1.2 times faster, of 128 MiB even, of 512 MiB 1.5 times slower. */
const severalPasses = 3;
const mostBytesOfSeveral = 2 ** 25;

/**
 * A GPU's driver compiles a kernel that it sees first for 70 to 500 ms, and takes 0.1 to 0.4 s to open: an image of 8 MiB is
 * there after 1.5 s, or 0.23 s where the driver remembers the kernels, and after 0.1 s on the processor; of 128 MiB after
 * 2.0, 0.54 and 0.45 s; of 512 MiB after 1.9, 0.96 and 1.3 s.
 */
const leastBytesOfFresh = 2 ** 29;

/** The id of the backend that was faster for work of this kind. Throws `input` where `bytes` is no number of bytes. */
export function preferredDevice(work: WorkSize): "cpu" | "gpu" {
  checkFields(work, fieldsOfWork, "work");
  const { bytes, passes = 1, data = "host", plans = "kept" } = work;
  if (!(bytes >= 0)) throw inputError("bytes", "a number of bytes", bytes);
  if (plans === "fresh") return bytes >= leastBytesOfFresh ? "gpu" : "cpu";
  if (bytes < leastBytes) return "cpu";
  if (data === "device") return "gpu";
  return bytes <= (passes >= severalPasses ? mostBytesOfSeveral : mostBytes) ? "gpu" : "cpu";
}
