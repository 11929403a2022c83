/** `dechirp bench fft-paper`: its options, the devices and libraries that it measures, and the result file that can be contributed. */
import { cpus } from "node:os";
import { basename, dirname, join } from "node:path";
import type { ExperimentHooks, FftPaperReport } from "@dechirp/experiments";
import { openLaboratory } from "../devices.ts";
import { argumentError, blame } from "../errors.ts";
import { optional, parseNumber } from "../options.ts";
import { checkOutputFolder, isSameFile, reportFiles } from "../output.ts";
import { version } from "../version.ts";

/** The options of the experiment as commander passes them. */
export interface FftPaperArguments {
  readonly device: string;
  readonly seconds?: string;
  readonly sizes?: string;
  readonly quick?: boolean;
  readonly submitFile?: string;
  readonly out?: string;
}

const shortest = 16;
const longest = 65_536;

/** Parses a list such as `256,4096`. Throws `argument`. */
export function parseFftSizes(text: string): readonly number[] {
  const sizes = text.split(",").map((part) => (/^\d{1,6}$/.test(part) ? Number(part) : Number.NaN));
  const isSize = (n: number): boolean => Number.isInteger(Math.log2(n)) && n >= shortest && n <= longest;
  if (sizes.length > 16 || !sizes.every(isSize) || new Set(sizes).size !== sizes.length)
    throw argumentError("--sizes", `up to sixteen different powers of two from ${shortest} to ${longest}, separated by commas`, text);
  return sizes;
}

/** The option that names the result file, in messages. */
const option = "--submit-file";

/** Checks that a result file can be written, beside the files that go to the folder `out`. Throws `argument` and `write`. */
async function checkSubmitFile(file: string, out: string | undefined): Promise<void> {
  if (!/[^/\\]\.json$/i.test(file)) throw argumentError(option, "the name of a file that ends with .json", file);
  for (const name of out === undefined ? [] : reportFiles)
    if (await isSameFile(file, join(out as string, name)))
      throw argumentError(option, `another file than ${name} of --out, which the experiment writes`, file);
  await checkOutputFolder(dirname(file), [basename(file)], [], option, file);
}

/** Writes the result file, or leaves nothing. Throws `write` and `aborted`. */
async function writeSubmitFile(file: string, report: FftPaperReport, signal: AbortSignal): Promise<void> {
  const [{ readFftResult, writeFftResult }, { writeFolderAtomically }] = await Promise.all([
    import("@dechirp/experiments"),
    import("@dechirp/io/node"),
  ]);
  const text = writeFftResult(report);
  // Whoever gets the file reads it with this function, so that it must accept what is written.
  readFftResult(text);
  const files = { [basename(file)]: new TextEncoder().encode(text) };
  await blame("write", `${option} ${file}`, () => writeFolderAtomically(dirname(file), files, { signal }));
}

/** Versions for the report. They have no names of machines, users or folders. */
async function versions(): Promise<Readonly<Record<string, string>>> {
  const dawn = await import("node:module").then(({ createRequire }) => {
    try {
      return String((createRequire(import.meta.url)("webgpu/package.json") as { version: unknown }).version);
    } catch {
      return undefined;
    }
  });
  return {
    dechirp: version(),
    Node: process.versions.node,
    ...(dawn !== undefined && { webgpu: dawn }),
    system: `${process.platform} ${process.arch}`,
    processor: `${cpus()[0]?.model.trim() || "unknown"}, ${cpus().length} threads`,
  };
}

/** Checks the options and returns the function that runs the experiment. Throws `argument` and `write`. */
export async function fftPaper({ device: deviceName, seconds: secondsText, sizes, quick = false, submitFile, out }: FftPaperArguments) {
  const options = {
    quick,
    ...optional("seconds", secondsText, (text) =>
      parseNumber("--seconds", text, "a positive number of at most 3600", (value) => value > 0 && value <= 3600),
    ),
    ...optional("sizes", sizes, parseFftSizes),
  };
  if (submitFile !== undefined) await checkSubmitFile(submitFile, out);
  return async (hooks: ExperimentHooks) => {
    const { fftPaperExperiment, fftPaperPlots, fftPaperTables, startFftw } = await import("@dechirp/experiments");
    using laboratory = await openLaboratory(deviceName);
    const fftw = await startFftw();
    using peer = typeof fftw === "string" ? undefined : fftw;
    const report = await fftPaperExperiment(
      laboratory.opened,
      {
        ...options,
        absent: { ...laboratory.absent, ...(typeof fftw === "string" && { FFTW: fftw }) },
        versions: await versions(),
        ...(peer && { peer }),
      },
      hooks,
    );
    const pictures = await fftPaperPlots(report, hooks);
    const write = async (signal: AbortSignal): Promise<readonly string[]> => {
      if (submitFile === undefined) return [];
      await writeSubmitFile(submitFile, report, signal);
      return [submitFile];
    };
    return { report, tables: fftPaperTables(report), pictures, write };
  };
}
