/**
 * Result files that anyone may contribute, as HTML and pictures. The files are not trusted: `readFftResult` checks them, and Markdown is
 * rendered without HTML.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isRadarError } from "@dechirp/core";
import { type FftPaperResult, fftPaperPlots, fftPaperTables, readFftResult } from "@dechirp/experiments";
import { type ReportTable, tableMarkdown } from "@dechirp/experiments/tables";
import MarkdownIt from "markdown-it";
import { folder } from "../../scripts/results.mjs";

/** A result file as the page shows it. */
export interface ContributedResult {
  /** Names of the GPUs, or of the processor if none took part. */
  readonly title: string;
  readonly date: string;
  /** The name of the file in `packages/bench/results/fft-paper`. */
  readonly file: string;
  /** Whether the GPU is emulated on the processor. */
  readonly software: boolean;
  readonly intro: string;
  readonly sections: readonly { readonly title: string; readonly html: string }[];
  readonly notes: string;
  readonly pictures: readonly { readonly name: string; readonly url: string; readonly width: number; readonly height: number }[];
}

const own = join(folder, "fft-paper");
const publicFolder = fileURLToPath(new URL("../../public/results/fft-paper", import.meta.url));
const markdown = new MarkdownIt();
const base = process.env["DOCS_BASE"] ?? "/";

/** Reads every result file of a folder, newest first. Throws `input` that names the file if one is not valid. */
export function readResults(from = own): readonly { readonly file: string; readonly result: FftPaperResult }[] {
  return readdirSync(from)
    .filter((name) => name.endsWith(".json"))
    .map((file) => {
      try {
        return { file, result: readFftResult(readFileSync(join(from, file), "utf8")) };
      } catch (error) {
        if (isRadarError(error)) error.message = `${file}: ${error.message}`;
        throw error;
      }
    })
    .sort((a, b) => b.result.date.localeCompare(a.result.date) || a.file.localeCompare(b.file));
}

/** Escapes characters that Markdown tables interpret. Names of kernels and devices may have any. */
const escaped = ({ title, header, rows }: ReportTable): ReportTable => {
  const cell = (text: string): string => text.replace(/[\\|`*_[\]<>]/g, "\\$&");
  return { title, header: header.map(cell), rows: rows.map((row) => row.map(cell)) };
};

/** Everything that the page shows of the files in a folder. Writes the pictures to `pictures`. */
export async function contributedResults(from = own, pictures = publicFolder): Promise<readonly ContributedResult[]> {
  const shown: ContributedResult[] = [];
  for (const { file, result } of readResults(from)) {
    const { heading, tables, notes } = fftPaperTables(result);
    const list = (lines: readonly string[]): string =>
      `<ul>${lines.map((line) => `<li>${markdown.utils.escapeHtml(line)}</li>`).join("")}</ul>`;
    const gpus = result.devices.filter(({ device }) => device.id !== "cpu");
    const named = gpus.length > 0 ? gpus : result.devices;
    const name = file.replace(/\.json$/, "");
    const drawn = Object.entries(await fftPaperPlots(result)).map(([picture, svg]) => {
      mkdirSync(join(pictures, name), { recursive: true });
      writeFileSync(join(pictures, name, picture), svg);
      const [, width, height] = /<svg[^>]*width="(\d+)[^>]*height="(\d+)/.exec(svg) ?? [];
      return {
        name: picture.replace(".svg", ""),
        url: `${base}results/fft-paper/${name}/${picture}`,
        width: Number(width),
        height: Number(height),
      };
    });
    shown.push({
      title: named.map(({ device }) => device.description.replace(/^WebGPU: /, "")).join("; "),
      date: result.date.slice(0, 10),
      file,
      software: gpus.some(({ device }) => device.software),
      intro: list(heading),
      sections: tables.map(escaped).map((table) => ({
        title: table.title.replace(/\\(.)/g, "$1"),
        html: markdown.render(tableMarkdown(table).replace(/^## .*\n\n/, "")),
      })),
      notes: list(notes),
      pictures: drawn,
    });
  }
  return shown;
}
