/**
 * The Markdown of the repository, as far as tests look into it: which files there are, their fenced blocks, what they include of
 * `apps/docs/examples`. Knows of fences and regions what VitePress and GitHub make of them; it is no Markdown parser.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../", import.meta.url));
/** The site's folder. */
export const site = join(root, "apps", "docs");
export const examples = join(site, "examples");

export interface Fence {
  /** What stands behind the backticks. */
  readonly info: string;
  readonly text: string;
}

/** A line `<<< @/examples/PAGE/file.ts#region` of a page. */
export interface Include {
  readonly path: string;
  readonly region?: string;
}

export const read = (path: string): string => readFileSync(path, "utf8");

/** Files under a folder, without what tools left there; paths with forward slashes, sorted. */
export function filesUnder(folder: string): string[] {
  const files = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return /^(node_modules|dist|cache|api|\..*)$/.test(entry.name) ? [] : filesUnder(path);
    return [path];
  });
  return files.sort();
}

/** Pages that are written by hand. */
export const pages = (): string[] => filesUnder(site).filter((path) => path.endsWith(".md"));

/** READMEs, by the folder of `examples/readme` that holds their blocks: `project`, and the packages' folders. */
export function readmes(): ReadonlyMap<string, string> {
  const packages = readdirSync(join(root, "packages")).map((name): [string, string] => [name, join(root, "packages", name, "README.md")]);
  const all: [string, string][] = [["project", join(root, "README.md")], ...packages];
  return new Map(all.filter(([, path]) => existsSync(path))); // packages that nobody installs have none; the others' check demands one
}

export const fences = (markdown: string): Fence[] =>
  [...markdown.matchAll(/^ *(```+|~~~+)(.*)\n(?:([\s\S]*?)\n)?? *\1 *$/gm)].map(([, , info, text]) => ({
    info: info.trim(),
    text: `${text ?? ""}\n`,
  }));

export const includes = (markdown: string): Include[] =>
  [...markdown.matchAll(/^ *<<< *(\S+?)(?:#([\w-]+))?(?: *[{[].*)?$/gm)].map(([, path, region]) => ({ path, ...(region && { region }) }));

const marker = /^(?:\/\/|#) ?#?(end)?region ([\w*-]+)$/;

/** Regions of a file by name, shifted to the left margin, without empty lines about them; lines that mark regions are left out. */
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
  return `${text.replace(/^\n+|\n+$/g, "")}\n`; // formatting sets imports after statements apart
}

/** What a README may show of a folder of examples: whole files, and their regions. */
export function shownBy(folder: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    filesUnder(folder).map((path) => {
      const text = read(path);
      return [basename(path), [text, ...regions(text).values()]];
    }),
  );
}
