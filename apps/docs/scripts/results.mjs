// @ts-check
/**
 * The newest result files of the bench, as tables: what the performance pages and the README state comes from here. Reads
 * `packages/bench/results` and nothing else; a result that is missing is an error.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const folder = fileURLToPath(new URL("../../../packages/bench/results", import.meta.url));

/**
 * @typedef {{ case: string, contender: string, kind?: "ours" | "peer" | "copy", milliseconds: number, ofCopy?: number, gflops: number,
 *   error?: number, peer?: { contender: string, milliseconds: number, ratio: number } }} Row
 * @typedef {{ date: string, machine: { processor: string, cores: number, node: string }, rows: readonly Row[],
 *   device?: { description: string, peer: string } }} Bench
 * @typedef {{ name: string, text: string, ours: number, peer: string, theirs: number, ratio: number, ofCopy?: number, error?: number }} Comparison
 *   `ratio`: how many times as long the fastest peer takes
 * @typedef {{ title: string, body: string }} Section
 */

/** Name of the newest result whose name is a date and this. @param {string} what */
export function newest(what) {
  const name = readdirSync(folder)
    .filter((one) => /^\d{4}-\d\d-\d\d$/.test(one.slice(0, 10)) && one.slice(11) === what)
    .sort()
    .at(-1);
  if (name === undefined) throw new Error(`packages/bench/results has no ${what}`);
  return name;
}

/** @param {string} name @returns {Bench} */
export const bench = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));

/** @param {string} name */
export const dateOf = (name) => name.slice(0, 10);

/**
 * Each case's first contender of ours beside its fastest peer, of those that the patterns choose. Cases without either are left out.
 * @param {Bench} results @param {RegExp} cases @param {{ ours?: RegExp, peers?: RegExp }} [contenders]
 * @returns {Comparison[]}
 */
export function comparisons({ rows }, cases, { ours: chosen = /./, peers: against = /./ } = {}) {
  const isOurs = (/** @type {Row} */ row) => (row.kind ?? (row.contender.startsWith("dechirp") ? "ours" : "peer")) === "ours";
  const names = [...new Set(rows.map((row) => row.case))].filter((name) => cases.test(name));
  return names.flatMap((name) => {
    const all = rows.filter((row) => row.case === name);
    const ours = all.find((row) => isOurs(row) && chosen.test(row.contender));
    const peers = all.filter((row) => !isOurs(row) && row.kind !== "copy" && against.test(row.contender));
    if (ours === undefined || peers.length === 0) return [];
    const best = peers.reduce((a, b) => (b.milliseconds < a.milliseconds ? b : a));
    const ratio = best.milliseconds / ours.milliseconds;
    const { ofCopy, error } = ours;
    return [
      {
        name,
        text: ours.contender,
        ours: ours.milliseconds,
        peer: best.contender,
        theirs: best.milliseconds,
        ratio,
        ...(ofCopy !== undefined && { ofCopy }),
        ...(error !== undefined && { error }),
      },
    ];
  });
}

/** Three significant digits, as the bench writes them. @param {number} value */
export const short = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/**
 * A report that `dechirp bench` wrote: what stands above its sections, its sections, its pictures.
 * @param {string} name a folder of results @param {string} file
 */
export function report(name, file = "report.md") {
  const path = join(folder, name, file);
  if (!existsSync(path)) throw new Error(`packages/bench/results/${name} has no ${file}`);
  const [head = "", ...rest] = readFileSync(path, "utf8").split(/^## /m);
  const isPicture = (/** @type {string} */ line) => line.startsWith("![");
  const isText = (/** @type {string} */ line) => !line.startsWith("# ") && !isPicture(line);
  /** @type {Section[]} */
  const sections = rest.map((text) => {
    const [title = "", ...body] = text.split("\n");
    return {
      title,
      body: body
        .filter((line) => !isPicture(line))
        .join("\n")
        .trim(),
    };
  });
  const pictures = readdirSync(join(folder, name)).filter((one) => one.endsWith(".svg"));
  return { intro: head.split("\n").filter(isText).join("\n").trim(), sections, pictures };
}
