/**
 * The published experiments, on the processor and on a GPU if the machine has one: run one after the other with few points, for the table
 * of targets. `dechirp bench` runs them at full size.
 */
import { type Device, messageOf, open } from "@dechirp/core";
import {
  backprojectionExperiment,
  type ExperimentReports,
  efaExperiment,
  fftPaperExperiment,
  fusedSarExperiment,
  type OpenDevice,
  realtimeExperiment,
  startFftw,
} from "@dechirp/experiments";
import { gpu } from "@dechirp/fft-gpu";
import { laboratory } from "@dechirp/fft-gpu/lab";

/** Opens the GPU with the laboratory's kernels, what these need, and a clock that is not rounded. Throws `no-backend`. */
export const openLaboratory = (): Promise<Device> => open(gpu(laboratory));

/** The GPU with the laboratory's kernels, or the reason why it is left out. */
export async function openHardware(): Promise<Device | string> {
  try {
    const device = await openLaboratory();
    if (!device.info.software) return device;
    const { description } = device.info;
    device[Symbol.dispose]();
    return `the GPU is emulated on the processor (${description})`;
  } catch (error) {
    return messageOf(error);
  }
}

/** Devices of the experiments, and why there is no GPU. */
export interface PaperDevices {
  readonly devices: readonly OpenDevice[];
  readonly absent: Readonly<Record<string, string>>;
}

type Papers = { readonly [K in keyof ExperimentReports]-?: (on: PaperDevices) => Promise<NonNullable<ExperimentReports[K]>> };

/** The experiments by name. With a GPU, the transforms have their full batches there. */
const papers: Papers = {
  async "fft-paper"({ devices, absent }) {
    const fftw = await startFftw();
    using peer = typeof fftw === "string" ? undefined : fftw;
    return fftPaperExperiment(devices, {
      quick: devices.length === 1,
      seconds: 0.2,
      absent: { ...absent, ...(typeof fftw === "string" && { FFTW: fftw }) },
      ...(peer && { peer }),
    });
  },
  "fused-sar-paper": ({ devices }) => fusedSarExperiment(devices[0].device, { lines: 512, samples: 512, turns: 1 }),
  "backprojection-paper": ({ devices }) => backprojectionExperiment(devices, { sides: [256], pulses: 512, seconds: 0.2 }),
  "efa-paper": ({ devices }) => efaExperiment(devices, { dataSets: 2, seconds: 0.2, only: ["stages", "products", "perfect"] }),
  "realtime-paper": ({ devices }) => realtimeExperiment(devices, { exponents: [12, 16], tasks: [2, 4], jobs: 50, runs: 100, rhos: [] }),
};

/** Runs the experiments. `keep` gets each report, or the reason why there is none, as soon as it is known. */
export async function runPapers(on: PaperDevices, keep: (name: keyof ExperimentReports, outcome: object | string) => void): Promise<void> {
  for (const [name, run] of Object.entries(papers) as [keyof Papers, Papers[keyof Papers]][]) {
    console.error(`bench: ${name}`);
    try {
      keep(name, await run(on));
    } catch (error) {
      keep(name, `failed: ${messageOf(error)}`);
    }
  }
}
