/** Runs the published experiment on transforms on the devices of this browser, in a worker. */
import { type Device, messageOf, open } from "@dechirp/core";
import {
  type FftPaperReport,
  fftPaperExperiment,
  fftPaperTables,
  type OpenDevice,
  type ReportTables,
  writeFftResult,
} from "@dechirp/experiments";
import { gpu } from "@dechirp/fft-gpu";
import { laboratory } from "@dechirp/fft-gpu/lab";
import { expose } from "comlink";
import { openDevice } from "../work/devices.ts";
import { listening, type OnAdvance } from "../work/listening.ts";
import "../work/wire.ts";

/** How much is measured. */
export interface PaperChoices {
  /** Whether the GPU takes part, with all kernels of the laboratory. */
  readonly gpu: boolean;
  readonly cpu: boolean;
  /** Few and small batches only. */
  readonly quick: boolean;
  /** Whether the microbenchmarks run on the GPU, for Table II and predicted times. */
  readonly model: boolean;
  /** Approximate seconds of a row. */
  readonly seconds: number;
}

/** The tables, and the text of the result file. */
export interface PaperResult {
  readonly tables: ReportTables;
  readonly file: string;
}

/** What the page is, for the report: the browser, without anything that names its user. */
function versions(): FftPaperReport["versions"] {
  const { userAgent, hardwareConcurrency } = navigator;
  const [browser = "unknown browser"] = /(?:Firefox|Edg|Chrome|Version)\/[\d.]+/.exec(userAgent) ?? [];
  return {
    dechirp: __VERSION__,
    browser: browser.replace("/", " ").replace("Version", "Safari"),
    processor: `${hardwareConcurrency} threads`,
  };
}

/** Opens the wanted devices, runs the experiment and closes them. */
async function run(choices: PaperChoices, onProgress: OnAdvance): Promise<PaperResult> {
  const held: Device[] = [];
  const absent: Record<string, string> = {};
  const devices: OpenDevice[] = [];
  try {
    for (const [name, isWanted, opened] of [
      ["GPU", choices.gpu, () => open(gpu(laboratory))],
      ["processor", choices.cpu, () => openDevice("cpu")],
    ] as const) {
      if (!isWanted) {
        absent[name] = "left out";
        continue;
      }
      try {
        const device = await opened();
        held.push(device);
        devices.push({ device });
      } catch (error) {
        absent[name] = messageOf(error);
      }
    }
    const { quick, seconds, model } = choices;
    const report = await fftPaperExperiment(devices, { quick, seconds, model, absent, versions: versions() }, { onProgress });
    return { tables: fftPaperTables(report), file: writeFftResult(report) };
  } finally {
    for (const device of held) device[Symbol.dispose]();
  }
}

const api = {
  /** Rejects with `no-backend` if no device opens. To cancel it, end the worker. */
  run: (choices: PaperChoices, listener: OnAdvance) => listening(listener, (onProgress) => run(choices, onProgress)),
};

export type PaperApi = typeof api;

expose(api);
