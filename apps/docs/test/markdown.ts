/**
 * Reads the Markdown files of the repository for tests: which files there are, their code blocks, and the files of `apps/docs/examples` that
 * they include. It understands code blocks and regions as VitePress and GitHub do, but is not a Markdown parser.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../", import.meta.url));
/** The folder of the site. */
export const site = join(root, "apps", "docs");
export const examples = join(site, "examples");

export interface Fence {
  /** The text after the backticks. */
  readonly info: string;
  readonly text: string;
}

/** A line `<<< @/examples/PAGE/file.ts#region` of a page. */
export interface Include {
  readonly path: string;
  readonly region?: string;
}

export const read = (path: string): string => readFileSync(path, "utf8");

/** The files in a folder and its subfolders, except those that tools generate. Paths have forward slashes and are sorted. */
export function filesUnder(folder: string): string[] {
  const files = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return /^(node_modules|dist|cache|api|\..*)$/.test(entry.name) ? [] : filesUnder(path);
    return [path];
  });
  return files.sort();
}

/** The pages that are written by hand. */
export const pages = (): string[] => filesUnder(site).filter((path) => path.endsWith(".md"));

/** READMEs by the folder of `examples/readme` that holds their code blocks: `project`, or the name of the package's folder. */
export function readmes(): ReadonlyMap<string, string> {
  const packages = readdirSync(join(root, "packages")).map((name): [string, string] => [name, join(root, "packages", name, "README.md")]);
  const all: [string, string][] = [["project", join(root, "README.md")], ...packages];
  return new Map(all.filter(([, path]) => existsSync(path))); // private packages have no README; another check requires one of public packages
}

export const fences = (markdown: string): Fence[] =>
  [...markdown.matchAll(/^ *(```+|~~~+)(.*)\n(?:([\s\S]*?)\n)?? *\1 *$/gm)].map(([, , info, text]) => ({
    info: info.trim(),
    text: `${text ?? ""}\n`,
  }));

export const includes = (markdown: string): Include[] =>
  [...markdown.matchAll(/^ *<<< *(\S+?)(?:#([\w-]+))?(?: *[{[].*)?$/gm)].map(([, path, region]) => ({ path, ...(region && { region }) }));

const marker = /^(?:\/\/|#) ?#?(end)?region ([\w*-]+)$/;

/** Regions of a file by name, without common indentation, marker lines, and empty lines at both ends. */
export function regions(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const open = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [mark, end, name] = marker.exec(line.trim()) ?? [];
    if (mark === undefined) for (const lines of open.values()) lines.push(line);
    else if (end === undefined) open.set(name, []);
    else {
      found.set(name, shifted(open.get(name) ?? []));
      open.delete(name);
    }
  }
  return found;
}

function shifted(lines: readonly string[]): string {
  const margin = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
  const text = lines.map((line) => line.slice(margin)).join("\n");
  return `${text.replace(/^\n+|\n+$/g, "")}\n`; // the formatter separates imports that follow statements by empty lines
}

/** The code blocks that a README may show from a folder of examples: whole files, and their regions. */
export function shownBy(folder: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    filesUnder(folder).map((path) => {
      const text = read(path);
      return [basename(path), [text, ...regions(text).values()]];
    }),
  );
}
