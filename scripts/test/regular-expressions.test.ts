/**
 * Runs every regular expression of the published packages on long hostile texts. None may take more than linear time. The texts are made
 * from the expression itself: a possible beginning, then one or two of the characters that it names, repeated, then one that ends the
 * match. Expressions must be literals, so that none is missed.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { describe, expect, it } from "vitest";
import { root } from "../setup.mjs";

const published = ["core", "conformance", "fft-cpu", "fft-gpu", "radar", "sar", "stap", "realtime", "io", "experiments", "cli"];

interface Found {
  readonly place: string;
  readonly pattern: string;
  readonly flags: string;
}

const literals: Found[] = [];
/** Expressions that the program builds at run time. */
const made: string[] = [];
for (const name of published) {
  const folder = join(root, "packages", name, "src");
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/\.m?ts$/.test(path)) continue;
    const text = readFileSync(join(folder, path), "utf8");
    const place = (start: number): string => `${name}/src/${path}:${text.slice(0, start).split("\n").length}`;
    const calls = ({ callee, start }: { callee: { type: string; name?: string }; start: number }): void => {
      if (callee.type === "Identifier" && callee.name === "RegExp") made.push(place(start));
    };
    new Visitor({
      Literal(node) {
        if ("regex" in node && node.regex) literals.push({ place: place(node.start), ...node.regex });
      },
      NewExpression: (node) => calls(node as never),
      CallExpression: (node) => calls(node as never),
    }).visit(parseSync(path, text).program);
  }
}

/** The characters that an expression names, one of each class that it may match, and one that hardly any matches. */
function charactersOf(pattern: string): { readonly named: readonly string[]; readonly all: readonly string[] } {
  const named = [...pattern.replace(/\\[dwsBbpPux]/g, "")].filter((c) => /[\w \-.,:;"'`<>|&=*@!/#%]|[()[\]{}+]/.test(c));
  const kinds = ["1", "a", "A", " ", ".", "-", "\n", "\0", "_"];
  return { named: [...new Set([...named, "1", "a", " "])], all: [...new Set([...named, ...kinds, "\u202e"])] };
}

/** Possible beginnings: nothing, or a word of the expression with the character after it. */
const beginningsOf = (pattern: string): readonly string[] => [
  ...new Set(["", "-", ...(pattern.replace(/\\[a-zA-Z]/g, "|").match(/[A-Za-z_\d]{2,}[:,. ]?/g) ?? [])]),
];

const endings = ["", "!", "\n", "\0"];

/** Times below this many milliseconds are not compared. A quadratic expression needs far more for these texts. */
const worthALook = 3;

/**
 * Processor time in milliseconds, the smallest of three, so that other processes do not count. A time that is not worth a look is not
 * measured again.
 */
function timeOf(expression: RegExp, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3 && least >= worthALook; i++) {
    expression.lastIndex = 0;
    let last = 0;
    const start = process.cpuUsage();
    // All matches of a global expression, one of any other.
    while (expression.test(text) && expression.global)
      if (expression.lastIndex === last) expression.lastIndex = ++last;
      else last = expression.lastIndex;
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Eight times as much text takes 64 times as long if time is quadratic, and eight times if it is linear. */
const more = 8;
const mostRatio = 24;
/** No expression takes so long for 16,000 characters in linear time: it would be ten microseconds a character. */
const mostMilliseconds = 160;
/** Short texts first, as long ones would take forever with an exponential expression and minutes with a quadratic one. */
const lengths = (pump: string, beginning: string): readonly number[] =>
  pump.length > 1 || beginning !== "" ? [24, 4000] : [24, 4000, 16_000];

function slowest({ pattern, flags }: Pick<Found, "pattern" | "flags">): string | undefined {
  const expression = new RegExp(pattern, flags);
  const { named, all } = charactersOf(pattern);
  const pumps = [...all, ...named.flatMap((a) => named.filter((b) => a < b).map((b) => a + b))];
  for (const beginning of beginningsOf(pattern)) {
    for (const pump of pumps) {
      for (const ending of endings) {
        const text = (length: number): string => beginning + pump.repeat(length / pump.length) + ending;
        for (const length of lengths(pump, beginning)) {
          const time = timeOf(expression, text(length));
          if (time < worthALook) continue;
          if (length === 24 || time > mostMilliseconds) return JSON.stringify(text(length));
          const ratio = timeOf(expression, text(more * length)) / time;
          if (ratio > mostRatio)
            return `${JSON.stringify(beginning + pump)}, ${length} characters and ${more} times as many: ${ratio} times as long`;
        }
      }
    }
  }
  return undefined;
}

it("finds expressions, all of them literals", () => {
  expect(literals.length).toBeGreaterThan(40);
  expect(literals.some(({ place }) => place.startsWith("cli/src/options.ts"))).toBe(true);
  expect(made).toEqual([]);
});

describe("the search itself", () => {
  it.each([
    ["^[+-]?(\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d+)?$", "i"],
    ["^(a+)+$", ""],
    ["\\s+$", ""],
    ["^kaiser:\\d+\\d*$", ""],
    ["(\\d|a)*\\d*b", ""],
  ])("detects that /%s/%s is slow", (pattern, flags) => expect(slowest({ pattern, flags })).toBeDefined());
  it.each([
    ["^[+-]?(\\d+(\\.\\d*)?|\\.\\d+)(e[+-]?\\d+)?$", "i"],
    ["\\s+", "g"],
  ])("finds nothing slow in /%s/%s", (pattern, flags) => expect(slowest({ pattern, flags })).toBeUndefined());
});

it.each(literals)("$place: /$pattern/$flags takes linear time", (found) => expect(slowest(found)).toBeUndefined());
