/** `dechirp bench`: runs a published experiment on this machine and prints its tables beside the published ones; lists them without a name. */
import { bytes, layout } from "@dechirp/core";
import { checkDevice, createChooser } from "../devices.ts";
import { argumentError, blame } from "../errors.ts";
import { type Io, print } from "../io.ts";
import { parseInteger } from "../options.ts";
import { checkOutputFolder } from "../output.ts";
import { createProgress } from "../progress.ts";
import { table } from "../table.ts";

export interface BenchArguments {
  readonly device: string;
  readonly size: string;
  readonly turns: string;
  readonly out?: string;
  readonly json?: boolean;
}

export const experiments = {
  "fused-sar-paper": "range-Doppler with fused kernels: five targets, fused and unfused, as published for an Apple M1",
} as const;

const sizeText = /^(\d{1,6})(?:x(\d{1,6}))?$/;

/** `4096` or `1536x2048`, lines by samples. Throws `argument`. */
export function parseSize(text: string): { readonly lines: number; readonly samples: number } {
  const [, first, second = first] = sizeText.exec(text) ?? [];
  const [lines, samples] = [Number(first), Number(second)];
  if (!(lines >= 256 && samples >= 256 && lines * samples <= 2 ** 26))
    throw argumentError("--size", "N or LINESxSAMPLES, from 256 on and with at most 2^26 samples", text);
  return { lines, samples };
}

export async function benchCommand(name: string | undefined, options: BenchArguments, io: Io): Promise<void> {
  const { device: deviceName, out, json } = options;
  if (name === undefined) {
    const list = Object.entries(experiments).map(([key, title]) => ({ name: key, title }));
    print(io, json, { experiments: list }, () =>
      table(
        list.map(({ name: key, title }) => [key, title]),
        [0, 1],
      ),
    );
    return;
  }
  if (!Object.hasOwn(experiments, name)) throw argumentError("NAME", `one of ${Object.keys(experiments).join(", ")}`, name);
  checkDevice(deviceName);
  const { lines, samples } = parseSize(options.size);
  const turns = parseInteger("--turns", options.turns, 1, 1000);
  if (out !== undefined) await checkOutputFolder(out);
  const [{ fusedSarExperiment, paperMarkdown, paperText }, { writeFolderAtomically }] = await Promise.all([
    import("../experiments/index.ts"),
    import("@dechirp/io/node"),
  ]);
  const { signal } = io;
  using progress = await createProgress(io, "bench");
  using chooser = await createChooser(deviceName);
  const arrayBytes = bytes(layout("c64", [lines, samples]));
  const { device, why } = await chooser.choose({ bytes: arrayBytes, largestBytes: arrayBytes, repeated: true });
  const report = await fusedSarExperiment(
    device,
    { lines, samples, turns, ...(why === undefined ? {} : { whyDevice: why }) },
    { signal, onProgress: (what, share) => progress.update(what, share) },
  );
  if (out !== undefined) {
    const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
    const files = { "report.json": encode(`${JSON.stringify(report, null, 2)}\n`), "report.md": encode(paperMarkdown(report)) };
    await blame("write", undefined, () => writeFolderAtomically(out, files, { signal }));
  }
  progress[Symbol.dispose]();
  const written = out === undefined ? "" : `\n\nwritten: ${out}: report.json, report.md`;
  print(io, json, report, () => `${paperText(report)}${written}`);
}
