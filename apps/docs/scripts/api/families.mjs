// @ts-check
/**
 * What people write about the API, in `reference/`: one Markdown file for each public package, `NAME.md`, with an introduction and a section
 * for each family of symbols. A section names the source files of its symbols, so a new export of such a file needs no change here. Pure
 * functions of texts; pages.mjs makes the pages, and api.mjs reads the sources.
 *
 *     ## Devices and buffers
 *
 *     Sources: device.ts, backends/*
 *
 *     What the family is for and when to use it, in one to three sentences with a link to the [guide](/devices).
 *
 * A source is a file below the package's `src`, where `*` stands for any characters but `/`; one symbol of a file, `op.ts#Kernel`; or an entry
 * point other than the package's own, `@dechirp/core/compare`, for all that it exports. Where several fit a symbol, the most particular one is taken.
 */

/**
 * @typedef {object} Family
 * @property {string} title
 * @property {string} slug the page's name
 * @property {readonly string[]} sources in reading order
 * @property {string} intro Markdown
 *
 * @typedef {object} Reference
 * @property {string} name the package
 * @property {string} file for messages
 * @property {string} intro Markdown
 * @property {readonly Family[]} families in reading order
 */

/** @param {string} title */
export const slugOf = (title) =>
  title
    .toLowerCase()
    .replace(/[^a-z\d]+/g, "-")
    .replace(/^-|-$/g, "");

/**
 * Reads one file of `reference/`. Throws where a family has no sources, no introduction, or none with a link to a page that people wrote,
 * and where two have the same title.
 * @param {string} text @param {string} file
 * @returns {Reference}
 */
export function parseReference(text, file) {
  const [head = "", ...sections] = text.split(/^## /m);
  const [, name, intro = ""] = /^# (.+)\n([\s\S]*)$/.exec(head.trim()) ?? [];
  if (name === undefined || intro.trim() === "") throw new Error(`${file}: it starts with \`# PACKAGE\` and an introduction`);
  const families = sections.map((section) => {
    const [, title = "", list, body = ""] = /^(.+)\n\s*(?:Sources: (.+)\n)?([\s\S]*)$/.exec(section) ?? [];
    if (list === undefined) throw new Error(`${file}: the family "${title}" needs a line \`Sources: FILE, …\` below its heading`);
    if (body.trim() === "") throw new Error(`${file}: the family "${title}" needs an introduction of one to three sentences`);
    if (!/\]\(\/(?!api\/)/.test(body))
      throw new Error(`${file}: the introduction of "${title}" needs a link to a page of the site that explains more`);
    return { title: title.trim(), slug: slugOf(title), sources: list.split(",").map((one) => one.trim()), intro: body.trim() };
  });
  const twice = families.find(({ slug }, i) => families.findIndex((one) => one.slug === slug) !== i);
  if (twice) throw new Error(`${file}: two families are called "${twice.title}"`);
  return { name, file, intro: intro.trim(), families };
}

/** @param {string} pattern */
const matcher = (pattern) => {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.+?()[\]{}|/]/g, "\\$&"));
  const expression = new RegExp(`^${parts.join("[^/]*")}$`);
  return (/** @type {string} */ text) => expression.test(text);
};

/** Which of several sources that fit a symbol is taken: the most particular. @type {readonly ((pattern: string) => boolean)[]} */
const precedence = [
  (pattern) => pattern.includes("#"),
  (pattern) => !/\.ts$|\*/.test(pattern),
  (pattern) => !pattern.includes("*"),
  () => true,
];

/**
 * Divides the symbols of a package among its families. Symbols of a family come in the order of its sources, and within a file in the order of
 * the file.
 * @template {{ name: string, source: string, position: number, entries: readonly string[] }} Symbol
 * @param {Reference} reference @param {readonly Symbol[]} symbols `source`: the file below the package's `src`
 * @returns {{ families: (Family & { symbols: Symbol[] })[], faults: string[] }} `faults`: what is wrong, one sentence each
 */
export function divide({ name, file, families }, symbols) {
  const rules = families.flatMap((family, at) =>
    family.sources.map((pattern, rank) => ({ at, rank, pattern, matches: matcher(pattern), isUsed: false })),
  );
  /** @type {string[]} */
  const faults = [];
  const placed = symbols.map((symbol) => {
    const { source, entries } = symbol;
    const texts = [`${source}#${symbol.name}`, source, entries[0] ?? ""];
    const all = rules.filter(({ matches }) => texts.some(matches));
    const fitting = precedence.map((isSuch) => all.filter(({ pattern }) => isSuch(pattern))).find((some) => some.length > 0) ?? [];
    // A pattern may stand for files to come; a file or a symbol that is named has to be there.
    for (const rule of all) if (rule.pattern.includes("*") || fitting.includes(rule)) rule.isUsed = true;
    const [rule] = fitting;
    if (rule === undefined)
      faults.push(
        `${name} exports ${symbol.name} of src/${source}, which belongs to no family: add the file to a \`Sources:\` line of ${file}`,
      );
    const other = fitting.find(({ at }) => at !== rule?.at);
    if (rule && other) {
      const titles = [rule, other].map(({ at }) => `"${families[at]?.title}"`).join(" and ");
      faults.push(`${file}: both ${titles} claim src/${source}: name the file in one of them`);
    }
    return { symbol, rule };
  });
  for (const { at, pattern, isUsed } of rules)
    if (!isUsed) faults.push(`${file}: no exported symbol is declared in ${pattern}, a source of "${families[at]?.title}": take it out`);
  const byPlace = (/** @type {typeof placed[number]} */ a, /** @type {typeof placed[number]} */ b) =>
    (a.rule?.rank ?? 0) - (b.rule?.rank ?? 0) || a.symbol.source.localeCompare(b.symbol.source) || a.symbol.position - b.symbol.position;
  return {
    families: families.map((family, at) => ({
      ...family,
      symbols: placed
        .filter(({ rule }) => rule?.at === at)
        .sort(byPlace)
        .map(({ symbol }) => symbol),
    })),
    faults: [...new Set(faults)],
  };
}
