/**
 * The pages of the API, made of two small packages that are written here: what stands on them, and what the build of the site refuses. The
 * build itself makes the real ones, and fails where anything is wrong with them.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { divide, parseReference } from "../scripts/api/families.mjs";
import { makePages } from "../scripts/api/pages.mjs";
import { readApi } from "../scripts/api/project.mjs";
import { firstSentence } from "../scripts/api/text.mjs";
import { root } from "./markdown.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const manifest = (name: string, entries: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    name,
    type: "module",
    exports: Object.fromEntries(Object.entries(entries).map(([path, source]) => [path, { "@dechirp/source": source }])),
  });

const base = {
  "packages/base/package.json": manifest("@dechirp/base", {
    ".": "./src/index.ts",
    "./extra": "./src/extra.ts",
    "./internal": "./src/internal.ts",
  }),
  "packages/base/src/index.ts": 'export * from "./shapes.ts";\nexport * from "./work.ts";\n',
  "packages/base/src/extra.ts":
    '/** Doubles. */\nexport const twice = (x: number): number => 2 * x;\nexport type { Shape } from "./shapes.ts";\n',
  "packages/base/src/internal.ts": "export const hiddenHelper = 1;\n",
  "packages/base/src/shapes.ts": `
    /** A shape, of eq. 3. It has corners. */
    export interface Shape {
      /** Its name. */
      readonly name: string;
      readonly sideMeters: number;
      /** Its corners, or \`undefined\`. */
      corners(most?: number): readonly Corner[] | undefined;
    }
    /** A corner. */
    export type Corner = "sharp" | "round" | "open";
    /** A square, see {@link Shape} and \`countCorners\`. */
    export interface Square extends Shape {
      /** All alike. */
      readonly corner: Corner;
    }
  `,
  "packages/base/src/work.ts": `
    import type { Shape } from "./shapes.ts";
    /** How corners are counted. */
    export interface CountOptions {
      /** Corners that are left out; 0 where left out. */
      readonly skip?: number;
    }
    /** Counts corners. Throws \`input\` for none. */
    export function countCorners(shape: Shape, { skip = 0 }: CountOptions = {}): number {
      return skip + (shape.corners()?.length ?? 0);
    }
  `,
  "reference/base.md": `# @dechirp/base

What it is for.

## Shapes

Sources: shapes.ts

What they are. [Guide](/guide)

## Work

Sources: work*.ts, @dechirp/base/extra

What it does. [Guide](/guide)
`,
};

/** The pages of packages made of these files, beside another package whose function takes a shape. */
async function build(
  changes: Readonly<Record<string, string>> = {},
): Promise<{ text: (path: string) => string; faults: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), "dechirp-api-"));
  folders.push(folder);
  const files: Record<string, string> = {
    ...base,
    "packages/user/package.json": manifest("@dechirp/user", { ".": "./src/index.ts" }),
    "packages/user/src/index.ts":
      'import type { Shape } from "../../base/src/index.ts";\n/** Draws. */\nexport const draw = (shape: Shape): string => shape.name;\n',
    "packages/tool/package.json": JSON.stringify({ name: "tool", private: true }),
    "tsconfig.json": JSON.stringify({
      extends: join(root, "tsconfig.base.json"),
      compilerOptions: { noEmit: true },
      include: ["packages"],
    }),
    ...changes,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const packages = await readApi({ packages: join(folder, "packages"), tsconfig: join(folder, "tsconfig.json") });
  const user = "# @dechirp/user\n\nDraws.\n\n## Drawing\n\nSources: index.ts\n\nDraws shapes. [Guide](/guide)\n";
  const { pages, faults } = makePages(packages, [parseReference(files["reference/base.md"], "base.md"), parseReference(user, "user.md")]);
  return { text: (path) => pages.find((page) => page.path === path)?.text ?? "", faults };
}

/** What a reader sees of a page's types. */
const plain = (text: string): string => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)).replaceAll("&nbsp;", " ");

describe("pages", () => {
  it("list the symbols of a package by family, values first, with the first sentence of each", async () => {
    const { text, faults } = await build();
    expect(faults).toEqual([]);
    const page = text("base/index");
    expect(page).toContain("# @dechirp/base\n\nWhat it is for.");
    expect(page).toContain("## [Shapes](/api/base/shapes) {#shapes}");
    expect(page).toContain("- [<code v-pre>Shape</code>](/api/base/shapes#Shape) A shape, of eq. 3.\n");
    expect(page).toContain("- [<code v-pre>countCorners()</code>](/api/base/work#countCorners) Counts corners.");
    expect(page.indexOf("countCorners")).toBeLessThan(page.indexOf("CountOptions"));
    expect(page.indexOf("[Shapes]")).toBeLessThan(page.indexOf("[Work]"));
  });

  it("show signatures, members and docstrings, with links within a page and to others", async () => {
    const { text } = await build();
    const [shapes, work, drawing] = ["base/shapes", "base/work", "user/drawing"].map((path) => plain(text(path)));
    expect(work).toContain("## countCorners() {#countCorners}");
    expect(work).toContain(
      "<b>countCorners</b>(shape: [Shape](/api/base/shapes#Shape), countOptions?: [CountOptions](#CountOptions)): number",
    );
    expect(work).toContain("Counts corners. Throws `input` for none.");
    expect(work).toContain(
      '<a id="CountOptions.skip"></a><code v-pre>skip?: number</code><br>\n  Corners that are left out; 0 where left out.',
    );
    expect(shapes).toContain("corners(most?: number): readonly [Corner](#Corner)[] | undefined");
    expect(shapes).toContain("A square, see [`Shape`](#Shape) and [`countCorners`](/api/base/work#countCorners).");
    expect(shapes).toContain("interface <b>Square</b> extends [Shape](#Shape)");
    expect(shapes).toContain("- and of <code v-pre>[Shape](#Shape)</code>: <code v-pre>[name](#Shape.name)</code>");
    expect(drawing).toContain("<b>draw</b>(shape: [Shape](/api/base/shapes#Shape)): string");
  });

  it("say what a symbol is imported from where that differs, and leave out entry points called internal", async () => {
    const { text } = await build();
    expect(text("base/shapes")).toContain("Import from `@dechirp/base` or `@dechirp/base/extra`.");
    expect(text("base/work")).toMatch(/## twice\(\) \{#twice\}\n\nImport from `@dechirp\/base\/extra`\./);
    expect(`${text("base/index")}${text("base/work")}`).not.toContain("hiddenHelper");
  });

  it("need no change for a new export of a file that a family names", async () => {
    const { faults } = await build({
      "packages/base/src/work.ts": `${base["packages/base/src/work.ts"]}\n/** New. */\nexport const added = "text";\n`,
    });
    expect(faults).toEqual([]);
  });

  it("are refused where one is too long to read", async () => {
    const long = `/** ${"word ".repeat(2500)} */\nexport const added = "text";\n`;
    const { faults } = await build({ "packages/base/src/work.ts": `${base["packages/base/src/work.ts"]}\n${long}` });
    expect(faults).toEqual([
      expect.stringMatching(/^the page api\/base\/work has \d+ words, .*divide its family in apps\/docs\/reference\/base\.md$/),
    ]);
  });
});

describe("docstrings", () => {
  const faultsOf = async (source: string): Promise<readonly string[]> =>
    (await build({ "packages/base/src/work.ts": `${base["packages/base/src/work.ts"]}\n${source}` })).faults;

  it.each([
    "export const a = 1;",
    "export function a(): void {}",
    "export class a {}",
    "export interface a { name: string }",
    "export type a = string;",
  ])("of every export: %s", async (source) => {
    expect(await faultsOf(source)).toEqual(["a in src/work.ts of @dechirp/base has no docstring"]);
  });

  it.each([
    ["a number without a unit", "/** A. */ export interface A { readonly speed: number; }", ["A.speed"]],
    ["in a type alias", "/** A. */ export type A = { readonly speed: number };", ["A.speed"]],
    ["in an object in place", "/** A. */ export interface A { readonly inner: { readonly speed: number } }", ["A.inner.speed"]],
    ["an array of numbers", "/** A. */ export interface A { readonly data: Float32Array; }", ["A.data"]],
    ["an option", "/** A. */ export interface AOptions { readonly mode?: string; }", ["AOptions.mode"]],
  ])("of a member that its name does not explain: %s", async (_, source, paths) => {
    expect(await faultsOf(source)).toEqual(
      paths.map((path) => expect.stringContaining(`${path} in src/work.ts of @dechirp/base needs a docstring`)),
    );
  });

  it.each([
    ["a unit", "/** A. */ export interface A { readonly speedMetersPerSecond: number; readonly delaySeconds: readonly number[]; }"],
    ["a count", "/** A. */ export interface A { readonly pulses: number; readonly maxRows: number; }"],
    ["the owner's docstring", "/** A with its `speed` in knots. */ export interface A { readonly speed: number; }"],
    [
      "the docstring of the object",
      "/** A. */ export interface A {\n/** Speeds in knots. */\nreadonly inner: { readonly speed: number } }",
    ],
    ["no number", "/** A. */ export interface A { readonly name: string; readonly isOpen: boolean; }"],
  ])("not of a member that is explained by %s", async (_, source) => {
    expect(await faultsOf(source)).toEqual([]);
  });
});

describe("families", () => {
  const symbol = (name: string, source: string, position = 0, entries = ["@dechirp/base"]) => ({ name, source, position, entries });
  const reference = (families: Readonly<Record<string, string>>) =>
    parseReference(
      `# @dechirp/base\n\nIntro.\n\n${Object.entries(families)
        .map(([title, sources]) => `## ${title}\n\nSources: ${sources}\n\nText. [Guide](/guide)\n`)
        .join("\n")}`,
      "base.md",
    );
  const namesOf = ({ families }: ReturnType<typeof divide>) => families.map(({ symbols }) => symbols.map(({ name }) => name).join(" "));

  it("take symbols by the most particular source, in the order of sources and of files", () => {
    const divided = divide(reference({ One: "b.ts, a/*", Two: "a/x.ts, c.ts#Late", Three: "@dechirp/base/extra, c.ts" }), [
      symbol("Late", "c.ts", 9),
      symbol("Early", "c.ts", 1),
      symbol("Y2", "a/y.ts", 20),
      symbol("Y1", "a/y.ts", 10),
      symbol("X", "a/x.ts"),
      symbol("B", "b.ts"),
      symbol("Extra", "b.ts", 5, ["@dechirp/base/extra"]),
    ]);
    expect(divided.faults).toEqual([]);
    expect(namesOf(divided)).toEqual(["B Y1 Y2", "X Late", "Extra Early"]);
  });

  it("are refused where an export belongs to none, to two, or a source to nothing", () => {
    const { faults } = divide(reference({ One: "a.ts, b*.ts", Two: "a.ts, gone.ts" }), [symbol("A", "a.ts"), symbol("C", "c.ts")]);
    expect(faults).toEqual([
      'base.md: both "One" and "Two" claim src/a.ts: name the file in one of them',
      "@dechirp/base exports C of src/c.ts, which belongs to no family: add the file to a `Sources:` line of base.md",
      'base.md: no exported symbol is declared in b*.ts, a source of "One": take it out',
      'base.md: no exported symbol is declared in gone.ts, a source of "Two": take it out',
    ]);
  });

  it.each([
    ["# @dechirp/base\n\n## One\n\nSources: a.ts\n\nText.\n", "starts with"],
    ["# @dechirp/base\n\nIntro.\n\n## One\n\nText.\n", "needs a line `Sources:"],
    ["# @dechirp/base\n\nIntro.\n\n## One\n\nSources: a.ts\n", "needs an introduction"],
    ["# @dechirp/base\n\nIntro.\n\n## One\n\nSources: a.ts\n\nSee [B](/api/b).\n", 'the introduction of "One" needs a link'],
    [
      "# @dechirp/base\n\nIntro.\n\n## One\n\nSources: a.ts\n\n[A](/a)\n\n## One\n\nSources: b.ts\n\n[B](/b)\n",
      'two families are called "One"',
    ],
  ])("are refused where something is missing: %j", (text, message) => {
    expect(() => parseReference(text, "base.md")).toThrow(message);
  });

  it("are refused for a package that there is not, and asked for where there are none", async () => {
    const { faults } = await build({ "reference/base.md": base["reference/base.md"].replace("@dechirp/base\n", "@dechirp/other\n") });
    expect(faults).toContain("base.md: there is no public package @dechirp/other");
    expect(faults).toContainEqual(expect.stringContaining("@dechirp/base has no pages: write apps/docs/reference/base.md"));
  });
});

it.each([
  ["One. Two.", "One."],
  ["Mean of a, e.g. of b. More.", "Mean of a, e.g. of b."],
  ["By (Cumming & Wong eq. 5.4) as is. More.", "By (Cumming & Wong eq. 5.4) as is."],
  ["Reads `a. B` whole. More.", "Reads `a. B` whole."],
  ["No end\n\nNext.", "No end"],
  ["Opens it: `open(a)`. Throws.", "Opens it: `open(a)`."],
])("the first sentence of %j", (text, expected) => {
  expect(firstSentence(text)).toBe(expected);
});
