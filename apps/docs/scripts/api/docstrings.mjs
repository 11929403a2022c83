// @ts-check
/**
 * Which exported symbols have no docstring, and which members need one because their names do not say what they are: numbers without a unit
 * in the name that are no plain count, arrays of numbers, and optional members of options, whose default nobody can guess. A member that the docstring of
 * its owner names in backticks is described there.
 */
import { ReflectionKind } from "typedoc";
import { commentOf } from "./text.mjs";

/** @typedef {import("typedoc").DeclarationReflection} Declaration */

/** How names end that carry a unit. */
const units =
  /(Hz|Meters|Kilometres|Seconds|Milliseconds|Microseconds|Db|Radians|Degrees|Bytes|Cycles|Pixels|Cells|Watts|Wavelengths|Per[A-Z][a-z]+|Squared)$/;

/** Last words of names that say how many of something there are, or which of it. */
const counts = new Set(
  (
    "count n nx ny axis width height rows columns row column lines line samples sample pulses pulse channels channel ranges range bins bin units " +
    "jobs job tasks runs turns taps looks steps stages blocks tiles sets vectors elements workers threads passes flops bytes milliseconds size length " +
    "number seed version index"
  ).split(" "),
);

/** Names of types that callers fill in. */
const options = /(Options|Settings|Request|Params|Limits|Spec)$/;

/** Options that mean the same everywhere, and arrays that need no unit. */
const known = new Set(["signal", "shape"]);

/** @param {string} name */
const lastWord = (name) => /[A-Za-z][a-z]*$|^[a-z]+$/.exec(name)?.[0].toLowerCase() ?? name;

/** @param {string} name */
const hasUnit = (name) => units.test(`${name.charAt(0).toUpperCase()}${name.slice(1)}`);

/** @param {string} name */
const isCount = (name) => counts.has(lastWord(name));

/** @param {import("typedoc").SomeType | undefined} type @returns {"no" | "one" | "many"} whether values of it are numbers */
function numbersIn(type) {
  if (type?.type === "intrinsic") return type.name === "number" ? "one" : "no";
  if (type?.type === "optional") return numbersIn(type.elementType);
  if (type?.type === "typeOperator") return numbersIn(type.target);
  if (type?.type === "array") return numbersIn(type.elementType) === "no" ? "no" : "many";
  if (type?.type === "tuple") return type.elements.some((one) => numbersIn(one) !== "no") ? "many" : "no";
  if (type?.type === "union")
    return /** @type {const} */ (["many", "one"]).find((kind) => type.types.some((one) => numbersIn(one) === kind)) ?? "no";
  if (type?.type !== "reference") return "no";
  if (type.name === "UsedParameter") return numbersIn(type.typeArguments?.[0]);
  if (/^(Typed|Float|Int|Uint).*Array/.test(type.name)) return "many";
  return (type.typeArguments ?? []).some((one) => numbersIn(one) !== "no") ? "many" : "no";
}

/** Text of a docstring. @param {Declaration} declaration */
const textOf = (declaration) =>
  commentOf(declaration)
    ?.summary.map(({ text }) => text)
    .join("") ?? "";

/**
 * Members of a declaration that need a docstring and have none, by their paths.
 * @param {Declaration} declaration @param {string} path @param {string} above docstrings of the owners
 * @returns {string[]}
 */
function bareMembers(declaration, path, above) {
  const { type } = declaration;
  const parts = type?.type === "union" || type?.type === "intersection" ? type.types : [type];
  const summaries = type?.type === "union" ? type.elementSummaries : undefined;
  const literals = parts.flatMap((one, i) =>
    one?.type === "reflection" && !one.declaration.signatures && !summaries?.[i]?.length ? [one.declaration] : [],
  );
  const members = [declaration, ...literals].flatMap(({ children }) => children ?? []).filter(({ inheritedFrom }) => !inheritedFrom);
  return members.flatMap((member) => {
    const here = `${path}.${member.name}`;
    const kind = numbersIn(member.type);
    const isOption = member.flags.isOptional && options.test(path.split(".")[0] ?? "");
    const isClear =
      known.has(member.name) || (!isOption && (kind === "no" || hasUnit(member.name) || (kind === "one" && isCount(member.name))));
    const isSaid = commentOf(member) !== undefined || above.includes(`\`${member.name}\``) || member.kindOf(ReflectionKind.Constructor);
    // Members of an object in place are described with it, or have its unit.
    const inner = isSaid || hasUnit(member.name) ? [] : bareMembers(member, here, above);
    return [...(isClear || isSaid ? [] : [here]), ...inner];
  });
}

/**
 * @param {import("./project.mjs").ApiPackage} api
 * @returns {string[]} one sentence each
 */
export function missingDocstrings({ name, symbols }) {
  return symbols.flatMap(({ name: symbol, source, reflection }) => {
    const where = `src/${source} of ${name}`;
    if (commentOf(reflection) === undefined) return [`${symbol} in ${where} has no docstring`];
    if (reflection.kindOf([ReflectionKind.Function, ReflectionKind.Variable])) return [];
    return bareMembers(reflection, symbol, textOf(reflection)).map(
      (path) => `${path} in ${where} needs a docstring: its unit or shape, and what holds where it is left out`,
    );
  });
}
