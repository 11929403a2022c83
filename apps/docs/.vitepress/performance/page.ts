/** What loaders of the performance pages have in common: reports as HTML, comparisons as rows of text. Runs when the site is built. */
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
  /** Below `packages/bench/results`. */
  readonly folder: string;
  readonly intro: string;
  readonly sections: readonly { readonly title: string; readonly html: string }[];
  readonly pictures: readonly { readonly name: string; readonly url: string; readonly width: number; readonly height: number }[];
}

export interface ReportChoice {
  readonly what: string;
  readonly file?: string;
  /** Sections to show, by their titles; all where left out. */
  readonly sections?: RegExp;
  readonly pictures?: RegExp;
}

/** The newest result folder of that name. */
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

/** Pictures are served as files: some are as large as the page. */
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
  /** Contenders to choose from; all where left out. */
  readonly ours?: RegExp;
  readonly peers?: RegExp;
}

/** Tables of the newest result file of that name: a title and what is in it. */
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
  peer.split(/,| \d| \(/)[0], // not how it was planned
  short(theirs),
  ratio.toFixed(2),
  ofCopy ? `${(100 * ofCopy).toFixed(0)} %` : "",
  error === undefined ? "" : error.toExponential(1),
];
