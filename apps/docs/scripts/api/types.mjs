// @ts-check
/**
 * Types, signatures and declarations of TypeDoc's model as TypeScript that a Markdown page can hold inside `<code>`: characters that Markdown or
 * HTML would read are entities, names of exported symbols are links. It writes no headings and no descriptions (text.mjs does).
 */
import { ReflectionKind, ReflectionType, TypeContext } from "typedoc";

/**
 * @typedef {import("typedoc").SomeType} SomeType
 * @typedef {import("typedoc").Reflection} Reflection
 * @typedef {import("typedoc").DeclarationReflection} Declaration
 * @typedef {import("typedoc").SignatureReflection} Signature
 * @typedef {import("typedoc").ParameterReflection} Parameter
 * @typedef {import("typedoc").TypeParameterReflection} TypeParameter
 * @typedef {(target: Reflection) => string | undefined} UrlOf address of a symbol's heading, or nothing where it has no page
 */

/** Columns after which a signature is written with a line for each parameter, and a union with a line for each member. */
const lineWidth = 72;

/** Text that Markdown, HTML and Vue all leave as it is. @param {string} text */
export const escaped = (text) => text.replace(/[\\`*_{}[\]<>|~#&$^=]/g, (character) => `&#${character.charCodeAt(0)};`);

/** What a reader sees of what `typeText` and its siblings return. @param {string} markdown */
const plainLength = (markdown) => markdown.replace(/\]\([^)]*\)/g, "").replace(/&#\d+;/g, "·").length;

/** A new line within a block, and what its lines begin with. */
const newLine = "<br>";
const indent = "&nbsp;&nbsp;";

/**
 * Name of a parameter. One that is taken apart in the parameter list has none in the source; it gets its type's.
 * @param {Parameter} parameter
 */
export function parameterName({ name, type }) {
  if (name !== "__namedParameters") return name;
  const reference = type?.type === "reference" ? (type.typeArguments?.find((one) => one.type === "reference") ?? type) : undefined;
  const typeName = reference?.type === "reference" && /^[A-Z]/.test(reference.name) ? reference.name : "Options";
  return typeName.charAt(0).toLowerCase() + typeName.slice(1);
}

/** Characters from which on a constant's type is not written out: nobody reads the inferred type of a schema. */
const mostTypeLength = 1000;

/** Texts and numbers of a union of nothing else, as a key. @param {SomeType | undefined} type */
export function literalsKey(type) {
  if (type?.type !== "union" || type.types.length < 3 || !type.types.every((one) => one.type === "literal")) return undefined;
  return JSON.stringify(type.types.map((one) => (one.type === "literal" ? String(one.value) : "")).sort());
}

/**
 * @param {UrlOf} urlOf
 * @param {(key: string) => Reflection | undefined} aliasOf the alias that stands for a union, by `literalsKey`: TypeDoc writes some out
 */
export function createTypePrinter(urlOf, aliasOf) {
  /** A name, as a link where it has a page. @param {Reflection | undefined} target @param {string} name */
  const named = (target, name) => {
    const url = target && urlOf(target);
    return url ? `[${escaped(name)}](${url})` : escaped(name);
  };

  /** @param {SomeType | undefined} type @param {TypeContext} [context] */
  const text = (type, context = TypeContext.none) => {
    if (type === undefined) return "unknown";
    const key = literalsKey(type);
    const alias = key === undefined ? undefined : aliasOf(key);
    if (alias) return named(alias, alias.name);
    const inner = bare(type);
    return type.needsParenthesis(context) ? `(${inner})` : inner;
  };

  /** @param {readonly SomeType[] | undefined} types */
  const typeArguments = (types) => (types?.length ? escaped("<") + types.map((one) => text(one)).join(", ") + escaped(">") : "");

  /** @param {SomeType} type @returns {string} */
  function bare(type) {
    switch (type.type) {
      case "array":
        return `${text(type.elementType, TypeContext.arrayElement)}${escaped("[]")}`;
      case "conditional":
        return (
          `${text(type.checkType, TypeContext.conditionalCheck)} extends ${text(type.extendsType, TypeContext.conditionalExtends)} ` +
          `? ${text(type.trueType, TypeContext.conditionalTrue)} : ${text(type.falseType, TypeContext.conditionalFalse)}`
        );
      case "indexedAccess":
        return `${text(type.objectType, TypeContext.indexedObject)}${escaped("[")}${text(type.indexType, TypeContext.indexedIndex)}${escaped("]")}`;
      case "inferred":
        return `infer ${escaped(type.name)}`;
      case "intersection":
        return type.types.map((one) => text(one, TypeContext.intersectionElement)).join(" &amp; ");
      case "union":
        return type.types.map((one) => text(one, TypeContext.unionElement)).join(escaped(" | "));
      case "literal":
        return escaped(typeof type.value === "bigint" ? `${type.value}n` : JSON.stringify(type.value));
      case "mapped":
        return (
          `${escaped("{ ")}${type.readonlyModifier ? "readonly " : ""}${escaped(`[${type.parameter} in `)}${text(type.parameterType)}` +
          `${escaped("]")}${type.optionalModifier ? "?" : ""}: ${text(type.templateType)}${escaped(" }")}`
        );
      case "optional":
        return `${text(type.elementType, TypeContext.optionalElement)}?`;
      case "predicate":
        return `${type.asserts ? "asserts " : ""}${escaped(type.name)}${type.targetType ? ` is ${text(type.targetType)}` : ""}`;
      case "query":
        return `typeof ${text(type.queryType, TypeContext.queryTypeTarget)}`;
      case "reference":
        return named(type.reflection, type.name) + typeArguments(type.typeArguments);
      case "reflection":
        return literal(type.declaration);
      case "rest":
        return `...${text(type.elementType, TypeContext.restElement)}`;
      case "templateLiteral":
        return (
          escaped("`") +
          escaped(type.head) +
          type.tail.map(([one, rest]) => `${escaped("${")}${text(one)}${escaped(`}${rest}`)}`).join("") +
          escaped("`")
        );
      case "tuple":
        return escaped("[") + type.elements.map((one) => text(one, TypeContext.tupleElement)).join(", ") + escaped("]");
      case "namedTupleMember":
        return `${escaped(type.name)}${type.isOptional ? "?" : ""}: ${text(type.element)}`;
      case "typeOperator":
        return `${type.operator} ${text(type.target, TypeContext.typeOperatorTarget)}`;
      default:
        return escaped(type.name);
    }
  }

  /** An object or function type as it is written in place. @param {Declaration} declaration */
  function literal(declaration) {
    const calls = declaration.signatures ?? [];
    const members = [...(declaration.children ?? []), ...(declaration.indexSignatures ?? [])];
    if (members.length === 0 && calls.length === 1) return signature(calls[0], { arrow: true });
    const parts = [
      ...calls.map((one) => signature(one)),
      ...members.map((one) =>
        one.isSignature()
          ? `${escaped("[")}${(one.parameters ?? []).map(parameter).join(", ")}${escaped("]")}: ${text(one.type)}`
          : member(one),
      ),
    ];
    return parts.length === 0 ? escaped("{}") : `${escaped("{ ")}${parts.join("; ")}${escaped(" }")}`;
  }

  /** A property or method: its name, and its type. @param {Declaration} declaration */
  function member(declaration) {
    const { name, flags, signatures, getSignature, type } = declaration;
    const shown = `${escaped(name)}${flags.isOptional ? "?" : ""}`;
    if (signatures) return signatures.map((one) => shown + signature(one)).join("; ");
    return `${shown}: ${text(getSignature?.type ?? type)}`;
  }

  /** @param {Parameter} one */
  function parameter(one) {
    const { flags, type, defaultValue } = one;
    const isShown = defaultValue !== undefined && !/^(\.\.\.|\{\}|undefined)$/.test(defaultValue);
    const isOptional = flags.isOptional || (defaultValue !== undefined && !isShown);
    return `${flags.isRest ? "..." : ""}${escaped(parameterName(one))}${isOptional ? "?" : ""}: ${text(type)}${isShown ? escaped(` = ${defaultValue}`) : ""}`;
  }

  /** @param {readonly TypeParameter[] | undefined} parameters */
  function typeParameters(parameters) {
    if (!parameters?.length) return "";
    const all = parameters.map(({ name, type, default: otherwise }) =>
      [escaped(name), type && ` extends ${text(type)}`, otherwise && `${escaped(" = ")}${text(otherwise)}`].filter(Boolean).join(""),
    );
    return escaped("<") + all.join(", ") + escaped(">");
  }

  /**
   * Parameters and result, with a line for each parameter where `lines` is set and one line would be long.
   * @param {Signature} one @param {{ arrow?: boolean, lines?: boolean, before?: number }} [options] `before`: columns that stand before it
   */
  function signature(one, { arrow = false, lines = false, before = 0 } = {}) {
    const parameters = (one.parameters ?? []).map(parameter);
    const types = typeParameters(one.typeParameters);
    const result = one.kindOf(ReflectionKind.ConstructorSignature) ? "" : `${arrow ? escaped(" => ") : ": "}${text(one.type)}`;
    const short = `${types}(${parameters.join(", ")})${result}`;
    if (!lines || parameters.length === 0 || before + plainLength(short) <= lineWidth) return short;
    return `${types}(${newLine}${parameters.map((each) => `${indent}${each},${newLine}`).join("")})${result}`;
  }

  /** Whether a base is one of ours that is not exported; its members are listed as the declaration's own. @param {SomeType} type */
  const isHidden = (type) =>
    type.type === "reference" && /^(@dechirp\/|dechirp$)/.test(type.package ?? "") && !(type.reflection && urlOf(type.reflection));

  /** @param {string} markdown */
  const block = (markdown) => `<code v-pre class="signature">${markdown}</code>`;
  /** @param {string} name */
  const bold = (name) => `<b>${escaped(name)}</b>`;

  return {
    /** @param {SomeType} type */
    text: (type) => text(type),
    member,
    /** A symbol's name. @param {Reflection} target */
    name: (target) => named(target, target.name),
    /** A call of it. @param {Signature} one @param {string} name */
    call: (one, name) => escaped(name) + signature(one),
    /** A function as a block of its own. @param {Signature} one @param {string} name */
    signatureBlock: (one, name) => block(bold(name) + signature(one, { lines: true, before: name.length })),
    /**
     * How an interface, class, type or constant is declared; nothing where that says no more than its members.
     * @param {Declaration} declaration
     */
    declarationBlock(declaration) {
      const { name, kind, type, typeParameters: parameters, extendedTypes, implementedTypes, defaultValue } = declaration;
      const head = bold(name) + typeParameters(parameters);
      if (kind === ReflectionKind.Interface || kind === ReflectionKind.Class) {
        const shown = extendedTypes?.filter((one) => !isHidden(one));
        const bases = [
          shown?.length && ` extends ${shown.map((one) => text(one)).join(", ")}`,
          implementedTypes?.length && ` implements ${implementedTypes.map((one) => text(one)).join(", ")}`,
        ].filter(Boolean);
        if (kind === ReflectionKind.Interface && bases.length === 0 && !parameters?.length) return undefined;
        return block(`${kind === ReflectionKind.Class ? "class" : "interface"} ${head}${bases.join("")}`);
      }
      if (kind === ReflectionKind.Variable) {
        const value = defaultValue !== undefined && /^[^.{[(][^({]{0,40}$/.test(defaultValue) ? escaped(` = ${defaultValue}`) : "";
        const whole = text(type);
        const isShort = plainLength(whole) <= mostTypeLength || type?.type !== "reference";
        return block(`const ${head}: ${isShort ? whole : `${named(type.reflection, type.name)}${escaped("<…>")}`}${value}`);
      }
      if (type instanceof ReflectionType && type.declaration.children && !type.declaration.signatures) {
        return parameters?.length ? block(`type ${head}`) : undefined;
      }
      const written = type ? bare(type) : "unknown";
      const isLong = type?.type === "union" && plainLength(written) + name.length > lineWidth;
      const members = isLong
        ? type.types.map((one) => `${newLine}${indent}${escaped("| ")}${text(one, TypeContext.unionElement)}`).join("")
        : ` ${written}`;
      return block(`type ${head}${escaped(" =")}${members}`);
    },
  };
}
