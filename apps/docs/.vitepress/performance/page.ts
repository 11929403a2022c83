/** Helpers for the loaders of the performance pages: reports as HTML, comparisons as rows of text. They run when the site is built. */
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import MarkdownIt from "markdown-it";
import { bench, type Comparison, comparisons, dateOf, folder, newest, report, short } from "../../scripts/results.mjs";

const html = new MarkdownIt();
const base = process.env["DOCS_BASE"] ?? "/";
const publicFolder = fileURLToPath(new URL("../../public/results", import.meta.url));

export interface ReportData {
  readonly date: string;
  /** Name of the folder in `packages/bench/results`. */
  readonly folder: string;
  readonly intro: string;
  readonly sections: readonly { readonly title: string; readonly html: string }[];
  readonly pictures: readonly { readonly name: string; readonly url: string; readonly width: number; readonly height: number }[];
}

export interface ReportChoice {
  readonly what: string;
  readonly file?: string;
  /** Titles of the sections to show. Default: all. */
  readonly sections?: RegExp;
  readonly pictures?: RegExp;
}

/** The report in the newest result folder named `DATE-what`. */
export function reportData({ what, file, sections = /./, pictures = /./ }: ReportChoice): ReportData {
  const name = newest(what);
  const all = report(name, file);
  return {
    date: dateOf(name),
    folder: name,
    intro: html.render(all.intro),
    sections: all.sections.filter(({ title }) => sections.test(title)).map(({ title, body }) => ({ title, html: html.render(body) })),
    pictures: all.pictures.filter((picture) => pictures.test(picture)).map((picture) => pictureOf(name, picture)),
  };
}

/** Copies a picture to the public folder. Pictures are served as files because some are as large as the page. */
function pictureOf(name: string, picture: string) {
  mkdirSync(join(publicFolder, name), { recursive: true });
  cpSync(join(folder, name, picture), join(publicFolder, name, picture));
  const [, width, height] = /<svg[^>]*width="(\d+)[^>]*height="(\d+)/.exec(readFileSync(join(folder, name, picture), "utf8")) ?? [];
  return { name: picture.replace(".svg", ""), url: `${base}results/${name}/${picture}`, width: Number(width), height: Number(height) };
}

export interface ComparisonData {
  readonly date: string;
  readonly file: string;
  readonly machine: string;
  readonly peers: string;
  readonly tables: readonly { readonly title: string; readonly rows: readonly (readonly string[])[] }[];
}

export interface TableChoice {
  readonly cases: RegExp;
  /** Contenders to choose from. Default: all. */
  readonly ours?: RegExp;
  readonly peers?: RegExp;
}

/** Tables from the newest result file named `DATE-what`: their titles and cases. */
export function comparisonData(what: string, tables: Readonly<Record<string, TableChoice>>): ComparisonData {
  const name = newest(what);
  const results = bench(name);
  const { machine, device } = results;
  const host = `${machine.cores} cores of ${machine.processor.replace("(R)", "").replace("(R)", "")}, Node ${machine.node.slice(1)}`;
  return {
    date: dateOf(name),
    file: name.replace(".json", ".md"),
    machine: device ? `${device.description.replace("WebGPU: ", "")}; host: ${host}` : host,
    peers: device?.peer ?? "",
    tables: Object.entries(tables).map(([title, { cases, ...contenders }]) => ({
      title,
      rows: comparisons(results, cases, contenders).map(cells),
    })),
  };
}

const cells = ({ name, ours, peer, theirs, ratio, ofCopy, error }: Comparison): string[] => [
  name,
  short(ours),
  peer.split(/,| \d| \(/)[0], // without the words about planning
  short(theirs),
  ratio.toFixed(2),
  ofCopy ? `${(100 * ofCopy).toFixed(0)} %` : "",
  error === undefined ? "" : error.toExponential(1),
];
