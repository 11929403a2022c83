// @ts-check
/**
 * The pages of the API: one for each package, with its symbols in groups, and one for each family of symbols. Makes texts of what project.mjs
 * read and people wrote (families.mjs), and says what is wrong with either; api.mjs writes files.
 */
import { LiteralType, ReflectionKind, UnionType } from "typedoc";
import { missingDocstrings } from "./docstrings.mjs";
import { divide } from "./families.mjs";
import { createWriter, isValue, shownName } from "./text.mjs";
import { escaped, literalsKey } from "./types.mjs";

/**
 * @typedef {import("./project.mjs").ApiPackage} ApiPackage
 * @typedef {import("./project.mjs").ApiSymbol} ApiSymbol
 * @typedef {import("./families.mjs").Reference} Reference
 * @typedef {import("./families.mjs").Family & { symbols: readonly ApiSymbol[] }} FilledFamily
 * @typedef {ReturnType<typeof createWriter>} Writer
 * @typedef {import("typedoc").Reflection} Reflection
 *
 * @typedef {{ path: string, text: string }} Page `path` below `api/`, without `.md`
 * @typedef {{ text: string, link: string, items: readonly { text: string, link: string }[] }} SidebarPart
 */

/** Words of a page's source; a page of so many is some 10,000 pixels high in a window 1280 wide. Lists of symbols are set smaller. */
const mostWords = { family: 2400, package: 4200 };

/** `@dechirp/core` is `core`. @param {string} name */
const folderOf = (name) => name.replace(/^@[^/]+\//, "");

/** The alias whose type is this literal; other literals have no names. @param {Reflection} literal */
const aliasOf = (literal) => {
  const { parent } = literal;
  const isAlias = parent?.isDeclaration() && parent.type?.type === "reflection" && parent.type.declaration === literal;
  return isAlias ? parent : undefined;
};

/** Texts that an alias of a union stands for. @param {Reflection} alias */
const literalsOf = (alias) =>
  alias.isDeclaration() && alias.type?.type === "union"
    ? alias.type.types.flatMap((one) => (one.type === "literal" ? [one.value] : []))
    : [];

/**
 * `literalsKey` of what an alias stands for: a union of literals, or the keys of a constant.
 * @param {Reflection} alias @param {ReadonlyMap<string, readonly Reflection[]>} named
 */
function aliasKey(alias, named) {
  if (!alias.isDeclaration() || !alias.kindOf(ReflectionKind.TypeAlias)) return undefined;
  const { type } = alias;
  if (type?.type !== "typeOperator" || type.operator !== "keyof" || type.target.type !== "query") return literalsKey(type);
  const [constant] = named.get(type.target.queryType.name) ?? [];
  const object = constant?.isDeclaration() ? constant.type : undefined;
  const names = object?.type === "reflection" ? (object.declaration.children ?? []).map(({ name }) => name) : [];
  return literalsKey(new UnionType(names.map((name) => new LiteralType(name))));
}

/** @param {string} pageClass */
const front = (pageClass) => `---\npageClass: ${pageClass}\noutline: 2\n---\n\n`;

/**
 * @param {readonly ApiPackage[]} packages @param {readonly Reference[]} references in the order of the sidebar
 * @returns {{ pages: Page[], sidebar: SidebarPart[], faults: string[] }} `faults`: what is wrong, one sentence each
 */
export function makePages(packages, references) {
  /** @type {string[]} */
  const faults = [];
  for (const { name } of packages)
    if (!references.some((one) => one.name === name))
      faults.push(`${name} has no pages: write apps/docs/reference/${folderOf(name)}.md, and link it in apps/docs/reference/index.md`);
  const parts = references.flatMap((reference) => {
    const api = packages.find(({ name }) => name === reference.name);
    if (!api) {
      faults.push(`${reference.file}: there is no public package ${reference.name}`);
      return [];
    }
    // What another package declares is on that package's pages.
    const { families, faults: wrong } = divide(
      reference,
      api.symbols.filter(({ source }) => !source.startsWith("..")),
    );
    faults.push(...wrong, ...missingDocstrings(api));
    return [{ api, reference, folder: folderOf(reference.name), families }];
  });

  /** @type {Map<Reflection, { page: string, id: string, api: ApiPackage }>} */
  const places = new Map();
  for (const { api, folder, families } of parts)
    for (const { slug, symbols } of families) {
      const ids = new Set();
      for (const { reflection, name } of symbols) {
        const id = ids.has(name) ? `${name}-${isValue(reflection) ? "value" : "type"}` : name;
        ids.add(id);
        places.set(reflection, { page: `${folder}/${slug}`, id, api });
      }
    }

  /** @type {Map<string, Reflection[]>} */
  const named = new Map();
  for (const reflection of places.keys()) named.set(reflection.name, [...(named.get(reflection.name) ?? []), reflection]);

  /** @type {Set<unknown>} Codes of errors: docstrings name them much more often than a symbol of the same name. */
  /** Codes of errors. Docstrings mean these where a symbol has the same name. @type {Set<unknown>} */
  const codes = new Set((named.get("RadarErrorCode") ?? []).flatMap(literalsOf));

  /** @type {Map<string, Reflection | undefined>} */
  const aliases = new Map();
  for (const reflection of places.keys()) {
    const key = aliasKey(reflection, named);
    if (key !== undefined) aliases.set(key, aliases.has(key) ? undefined : reflection);
  }

  /** Place of a symbol or of a member of one. @param {Reflection} target @returns {{ page: string, id: string } | undefined} */
  const placeOf = (target) => {
    if (places.has(target)) return places.get(target);
    if (!target.kindOf([ReflectionKind.Property, ReflectionKind.Method, ReflectionKind.Accessor, ReflectionKind.Constructor]))
      return undefined;
    const owner = target.parent?.kindOf(ReflectionKind.TypeLiteral) ? aliasOf(target.parent) : target.parent;
    const above = owner && places.get(owner);
    return above && { page: above.page, id: `${above.id}.${target.name}` };
  };

  /** A writer of what stands on a page of a package. @param {string} page @param {ApiPackage} api */
  const writerFor = (page, api) =>
    createWriter({
      urlOf: (target) => {
        const place = placeOf(target);
        if (!place) return undefined;
        return place.page === page ? `#${place.id}` : `/api/${place.page}#${place.id}`;
      },
      aliasOf: (key) => aliases.get(key),
      find: (name) => {
        if (codes.has(name)) return undefined;
        const all = named.get(name) ?? [];
        return all.find((one) => places.get(one)?.api === api) ?? (all.length === 1 ? all[0] : undefined);
      },
    });

  const pages = parts.flatMap(({ api, reference, folder, families }) => [
    { path: `${folder}/index`, text: packagePage(reference, families, folder, writerFor("", api)) },
    ...families.map((family) => {
      const path = `${folder}/${family.slug}`;
      return { path, text: familyPage(reference.name, family, (target) => places.get(target)?.id ?? "", writerFor(path, api)) };
    }),
  ]);
  for (const { path, text } of pages) {
    const [folder = "", name] = path.split("/");
    const words = text.split(/\s+/).length;
    if (words > (name === "index" ? mostWords.package : mostWords.family))
      faults.push(
        `the page api/${path} has ${words} words, which is too long to read: divide its family in apps/docs/reference/${folder}.md`,
      );
  }
  const sidebar = parts.map(({ reference: { name }, folder, families }) => ({
    text: name,
    link: `/api/${folder}/`,
    items: families.map(({ title, slug }) => ({ text: title, link: `/api/${folder}/${slug}` })),
  }));
  return { pages, sidebar, faults };
}

/** Values first, then types. @param {readonly ApiSymbol[]} symbols */
const inOrder = (symbols) => [
  ...symbols.filter(({ reflection }) => isValue(reflection)),
  ...symbols.filter(({ reflection }) => !isValue(reflection)),
];

/**
 * What the package is for, and its symbols by family with a line about each.
 * @param {Reference} reference @param {readonly FilledFamily[]} families @param {string} folder @param {Writer} writer
 */
function packagePage({ name, intro }, families, folder, writer) {
  const groups = families.map(({ title, slug, symbols }) => {
    const lines = inOrder(symbols).map(({ name: symbol, reflection }) => {
      const summary = writer.summary(reflection);
      return `- [<code v-pre>${escaped(shownName(reflection))}</code>](/api/${folder}/${slug}#${symbol})${summary && ` ${summary}`}`;
    });
    return `## [${title}](/api/${folder}/${slug}) {#${slug}}\n\n${lines.join("\n")}`;
  });
  return `${front("api api-index")}# ${name}\n\n${[intro, ...groups].join("\n\n")}\n`;
}

/**
 * A family: its introduction, where its symbols are imported from, and the symbols.
 * @param {string} name of the package @param {FilledFamily} family @param {(target: Reflection) => string} idOf @param {Writer} writer
 */
function familyPage(name, { title, intro, symbols }, idOf, writer) {
  const imports = [...new Set(symbols.map(({ entries }) => entriesText(entries)))];
  const texts = inOrder(symbols).map(({ reflection, entries }) =>
    writer.symbol(reflection, idOf(reflection), imports.length > 1 ? `Import from ${entriesText(entries)}.` : ""),
  );
  const origin = `Part of [${name}](/api/${folderOf(name)}/).${imports.length === 1 ? ` Import from ${imports[0]}.` : ""}`;
  return `${front("api")}# ${title}\n\n${[intro, origin, ...texts].join("\n\n")}\n`;
}

/** @param {readonly string[]} entries */
const entriesText = (entries) => entries.map((entry) => `\`${entry}\``).join(" or ");
