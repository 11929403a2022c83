// @ts-check
/**
 * A symbol as Markdown: its heading, how it is declared, its docstring, its members as a list. Types come from types.mjs. Names of exported
 * symbols become links, in types and in docstrings (`name` or {@link name}). Decides nothing about pages and files.
 */
import { ReflectionKind } from "typedoc";
import { createTypePrinter, escaped, parameterName } from "./types.mjs";

/**
 * @typedef {import("typedoc").DeclarationReflection} Declaration
 * @typedef {import("typedoc").SignatureReflection} Signature
 * @typedef {import("typedoc").Reflection} Reflection
 * @typedef {import("typedoc").Comment} Comment
 * @typedef {import("typedoc").CommentDisplayPart} Part
 *
 * @typedef {object} Links
 * @property {(target: Reflection) => string | undefined} urlOf address of a symbol or of its member, seen from the page
 * @property {(key: string) => Reflection | undefined} aliasOf see types.mjs
 * @property {(name: string) => Reflection | undefined} find the exported symbol that a docstring means by this name
 */

/** Whether something is declared as a value: what readers look for first. @param {Declaration} reflection */
export const isValue = (reflection) =>
  reflection.kindOf([ReflectionKind.Function, ReflectionKind.Class, ReflectionKind.Variable, ReflectionKind.Enum]);

/** Its name as it is written in lists. @param {Declaration} reflection */
export const shownName = (reflection) => (reflection.kindOf(ReflectionKind.Function) ? `${reflection.name}()` : reflection.name);

/** The docstring of a declaration: a function's is its signature's. @param {Declaration} reflection @returns {Comment | undefined} */
export const commentOf = (reflection) =>
  reflection.comment ?? reflection.signatures?.find(({ comment }) => comment)?.comment ?? reflection.getSignature?.comment;

/** Text of a docstring that VitePress takes for neither a tag nor an expression. @param {string} text */
const harmless = (text) => text.replace(/<(?=[a-z/!])/gi, "&lt;").replaceAll("{{", "&#123;&#123;");

/** Every line but the first moved right, so that it stays in a list's item. @param {string} text */
const hanging = (text) => text.replace(/\n(?=.)/g, "\n  ");

/** What ends with a period and ends no sentence. */
const abbreviation = /(?:^|[\s(])(?:eqs?|sec|fig|tab|ch|no|pp?|vs|cf|e\.g|i\.e|al)\.$/i;

/** The first sentence, or the first paragraph where no sentence ends. @param {string} text */
export function firstSentence(text) {
  const [paragraph = ""] = text.split(/\n\s*\n|\n(?=```|- )/);
  const flat = paragraph.replaceAll("\n", " ").trim();
  for (const { index } of flat.matchAll(/[.!?](?=\s)/g)) {
    const sentence = flat.slice(0, index + 1);
    const countOf = (/** @type {string} */ character) => sentence.split(character).length - 1;
    const isWhole = countOf("(") === countOf(")") && countOf("`") % 2 === 0 && !abbreviation.test(sentence);
    if (isWhole && /^\s+[^\p{Ll}]/u.test(flat.slice(index + 1))) return sentence;
  }
  return flat;
}

/** @param {Links} links */
export function createWriter({ urlOf, find, aliasOf }) {
  const types = createTypePrinter(urlOf, aliasOf);

  /** @param {readonly Part[]} parts @param {ReadonlySet<string>} own names that mean something else here: parameters and members */
  function written(parts, own) {
    const text = parts.map((part) => {
      if (part.kind === "text") return harmless(part.text);
      if (part.kind === "relative-link") return part.text;
      if (part.kind === "code") {
        const [, name] = /^`([A-Za-z]\w*)(?:\(\))?`$/.exec(part.text) ?? [];
        const target = name === undefined || own.has(name) ? undefined : find(name);
        const url = target && urlOf(target);
        return url ? `[${part.text}](${url})` : part.text;
      }
      const url = typeof part.target === "string" ? part.target : part.target && "kind" in part.target ? urlOf(part.target) : undefined;
      const label = part.tag === "@linkplain" ? part.text : `\`${part.text}\``;
      return url ? `[${label}](${url})` : label;
    });
    return text.join("").trim();
  }

  /** A docstring with its tags. @param {Comment | undefined} comment @param {ReadonlySet<string>} own */
  function docstring(comment, own) {
    if (!comment) return "";
    const tags = comment.blockTags
      .filter(({ tag }) => !/^@(param|typeParam)$/.test(tag))
      .map(({ tag, content }) => {
        const name = tag.slice(1);
        return `**${name.charAt(0).toUpperCase()}${name.slice(1)}.** ${written(content, own)}`;
      });
    return [written(comment.summary, own), ...tags].filter((text) => text !== "").join("\n\n");
  }

  /** Parameters that a docstring says something about, and documented members of those that are objects. @param {Signature} one @param {ReadonlySet<string>} own */
  function parameters(one, own) {
    return (one.parameters ?? []).flatMap((parameter) => {
      const text = docstring(parameter.comment, own);
      const inner = parameter.type ? members(parameter.type, own) : [];
      if (text === "" && inner.length === 0) return [];
      const name = `<code v-pre>${escaped(parameterName(parameter))}</code>`;
      return [`- ${name}${text && ` ${hanging(text)}`}`, ...inner.map((line) => hanging(`  ${line}`))];
    });
  }

  /**
   * List items for the members of an object type that is written in place, where any has a docstring.
   * @param {import("typedoc").SomeType} type @param {ReadonlySet<string>} own @returns {string[]}
   */
  function members(type, own) {
    if (type.type === "array") return members(type.elementType, own);
    if (type.type === "typeOperator") return members(type.target, own);
    if (type.type === "union" && type.elementSummaries?.some(({ length }) => length > 0))
      return type.types.flatMap((_, i) => choice(type, i, own));
    if (type.type === "union" || type.type === "intersection") return type.types.flatMap((one) => members(one, own));
    if (type.type === "reference") return (type.typeArguments ?? []).flatMap((one) => members(one, own));
    if (type.type !== "reflection" || type.declaration.signatures) return [];
    return isExplained(type.declaration) ? items(type.declaration, own) : [];
  }

  /**
   * A list item for one of the types of a union that has a comment on some of them.
   * @param {import("typedoc").UnionType} union @param {number} i @param {ReadonlySet<string>} own @returns {string[]}
   */
  function choice({ types: all, elementSummaries = [] }, i, own) {
    const text = written(elementSummaries[i] ?? [], own);
    const inner = members(all[i], own).map((line) => hanging(`  ${line}`));
    if (text === "" && inner.length === 0) return [];
    return [`- <code v-pre>${types.text(all[i])}</code>${text && `<br>\n  ${hanging(text)}`}`, ...inner];
  }

  /** @param {Declaration} declaration @returns {boolean} */
  const isExplained = (declaration) =>
    (declaration.children ?? []).some(
      (child) => commentOf(child) !== undefined || (child.type?.type === "reflection" && isExplained(child.type.declaration)),
    );

  /** A list item for every member. @param {Declaration} declaration @param {ReadonlySet<string>} outer */
  function items(declaration, outer) {
    const children = declaration.children ?? [];
    const own = new Set([...outer, ...children.map(({ name }) => name)]);
    const inherited = children.filter((child) => homeOf(child) !== child);
    const bases = new Set(inherited.map((child) => homeOf(child).parent));
    return [
      ...children.filter((child) => homeOf(child) === child).flatMap((child) => item(child, own)),
      ...[...bases].map((base) => {
        const names = inherited.map(homeOf).filter(({ parent }) => parent === base);
        return `- and of <code v-pre>${base ? types.name(base) : ""}</code>: ${names.map((one) => `<code v-pre>${types.name(one)}</code>`).join(", ")}`;
      }),
    ];
  }

  /** A member where it is described: itself, or that of a base which has a page. @param {Declaration} child @returns {Declaration} */
  function homeOf(child) {
    const above = child.inheritedFrom?.reflection;
    return above?.isDeclaration() && above !== child && above.parent && urlOf(above.parent) ? homeOf(above) : child;
  }

  /** @param {Declaration} child @param {ReadonlySet<string>} own @returns {string[]} */
  function item(child, own) {
    const text = docstring(commentOf(child), namesWith(own, child.signatures));
    const inner = child.type ? members(child.type, own) : [];
    const url = urlOf(child);
    const anchor = url?.startsWith("#") ? `<a id="${url.slice(1)}"></a>` : "";
    const isConstructor = child.kindOf(ReflectionKind.Constructor);
    const shown = isConstructor
      ? (child.signatures ?? []).map((one) => types.call(one, `new ${child.parent?.name}`)).join("; ")
      : types.member(child);
    return [`- ${anchor}<code v-pre>${shown}</code>${text && `<br>\n  ${hanging(text)}`}`, ...inner.map((line) => hanging(`  ${line}`))];
  }

  /** @param {ReadonlySet<string>} own @param {readonly Signature[] | undefined} signatures */
  const namesWith = (own, signatures) =>
    new Set([...own, ...(signatures ?? []).flatMap((one) => (one.parameters ?? []).map(({ name }) => name))]);

  /** What stands below the heading of a function. @param {Declaration} reflection */
  function callable(reflection) {
    return (reflection.signatures ?? []).flatMap((one) => {
      const own = namesWith(new Set([reflection.name]), [one]);
      return [
        types.signatureBlock(one, reflection.name),
        docstring(one.comment ?? reflection.comment, own),
        parameters(one, own).join("\n"),
      ];
    });
  }

  /** What stands below the heading of anything else. @param {Declaration} reflection */
  function declared(reflection) {
    const own = new Set([reflection.name]);
    const isOpen = reflection.kindOf([ReflectionKind.Interface, ReflectionKind.Class]);
    const list = isOpen ? items(reflection, own) : typeItems(reflection, own);
    return [types.declarationBlock(reflection), docstring(commentOf(reflection), own), list.join("\n")];
  }

  /** Members of a type alias or a constant. An alias of an object type has nothing else to show. @param {Declaration} reflection @param {ReadonlySet<string>} own */
  function typeItems(reflection, own) {
    const { type } = reflection;
    if (!type) return [];
    const isObject = reflection.kindOf(ReflectionKind.TypeAlias) && type.type === "reflection" && !type.declaration.signatures;
    return isObject ? items(type.declaration, own) : members(type, own);
  }

  return {
    /** @param {Declaration} reflection */
    summary: (reflection) => firstSentence(written(commentOf(reflection)?.summary ?? [], new Set([reflection.name]))),
    /** @param {Declaration} reflection @param {string} id of its heading @param {string} origin where it is imported from, if that needs saying */
    symbol: (reflection, id, origin) =>
      [`## ${escaped(shownName(reflection))} {#${id}}`, origin, ...(reflection.signatures ? callable(reflection) : declared(reflection))]
        .filter((text) => text)
        .join("\n\n"),
  };
}
