/** Tests that every violation of the dependency rules is found. `npm run check` checks the workspace itself. */
import { describe, expect, it } from "vitest";
import { cycles, importsOf, readWorkspace, violations } from "../check-dependencies.mjs";

type Package = Parameters<typeof violations>[0][number];

const rootManifest = { name: "root", devDependencies: { vitest: "*" } };

/** A package with its files given as `path → text`. */
function pack(name: string, files: Record<string, string>, more: Partial<Package["manifest"]> = {}, references?: string[]): Package {
  return {
    manifest: { name, ...more },
    files: Object.entries(files).map(([path, text]) => ({ path, text })),
    ...(references && { references }),
  };
}
const core = pack("@dechirp/core", { "src/index.ts": "export const one = 1;" });
const onCore = { dependencies: { "@dechirp/core": "workspace:^" } };
const check = (...packages: Package[]) => violations([core, ...packages], rootManifest);

describe("readWorkspace", () => {
  it("finds the packages, their files and what their builds refer to", () => {
    const { packages, rootManifest: manifest } = readWorkspace();
    const found = Object.fromEntries(packages.map((one) => [one.manifest.name, one]));
    expect(found["@dechirp/core"]?.files.map(({ path }) => path)).toContain("src/index.ts");
    expect(found["@dechirp/sar"]?.references).toEqual(["@dechirp/core", "@dechirp/radar"]);
    expect(found["docs"]?.files.map(({ path }) => path)).toContain(".vitepress/config.ts");
    expect(Object.keys(manifest.devDependencies ?? {})).toContain("vitest");
  });
});

describe("importsOf", () => {
  it("finds imports of every form, but none in comments or strings", () => {
    const text = `
      import "a";
      import b from "b";
      import type { C } from "c";
      import { type D } from "d";
      import { type E, e } from "e";
      export { f } from "f";
      export * from "g";
      export type { H } from "h";
      type I = import("i").I;
      const j = await import("j");
      // import "k";
      const l = 'import "l"';`;
    const found = Object.fromEntries(importsOf({ path: "x.ts", text }).map(({ specifier, kind }) => [specifier, kind]));
    const [type, lazy, fixed] = ["type", "lazy", "static"];
    expect(found).toEqual({ a: fixed, b: fixed, c: type, d: type, e: fixed, f: fixed, g: fixed, h: type, i: type, j: lazy });
  });

  it("rejects what it cannot parse", () => {
    expect(() => importsOf({ path: "src/x.ts", text: "import from" })).toThrow("src/x.ts");
  });
});

describe("violations", () => {
  it("accepts a package that imports core, a declared library and its own files", () => {
    const files = { "src/index.ts": 'import "@dechirp/core"; import "lib/part"; import "./a.ts";', "src/a.ts": "export {};" };
    expect(check(pack("@dechirp/sar", files, { dependencies: { ...onCore.dependencies, lib: "^1.0.0" } }, ["@dechirp/core"]))).toEqual([]);
  });

  it("accepts a backend in the tests of a domain package only", () => {
    const more = { ...onCore, devDependencies: { "@dechirp/fft-cpu": "workspace:^" } };
    expect(check(pack("@dechirp/sar", { "test/a.test.ts": 'import "@dechirp/fft-cpu"; import "vitest";' }, more))).toEqual([]);
    expect(check(pack("@dechirp/sar", { "src/a.ts": 'import "@dechirp/fft-cpu";' }, more))).toEqual([
      "@dechirp/sar/src/a.ts imports @dechirp/fft-cpu: the dependency rule forbids it",
    ]);
  });

  it("accepts the workspace's scripts in tests only", () => {
    const script = 'import { built } from "../../../scripts/built.mjs";';
    expect(violations([pack("@dechirp/io", { "test/a.test.ts": script })], rootManifest)).toEqual([]);
    expect(violations([pack("@dechirp/io", { "src/a.ts": script })], rootManifest)).toEqual([
      "@dechirp/io/src/a.ts imports ../../../scripts/built.mjs, which lies outside its package",
    ]);
  });

  const bad: [what: string, one: Package, message: RegExp][] = [
    ["a dependency of core", pack("@dechirp/core", {}, { dependencies: { lib: "1" } }), /core must have no dependencies/],
    ["a library in core", pack("@dechirp/core", { "src/a.ts": 'import "lib";' }), /does not declare/],
    ["Node in core", pack("@dechirp/core", { "src/a.ts": 'const fs = await import("node:fs");' }), /must run without Node/],
    ["a static import of Node in a backend", pack("@dechirp/fft-cpu", { "src/a.ts": 'import "node:os";' }), /only by import\(\)/],
    [
      "Node in a portable file",
      pack("@dechirp/io", { "src/a.ts": 'import "node:fs";', "src/node-a.ts": 'import "node:fs";' }),
      /a\.ts imports/,
    ],
    ["a builtin without its prefix", pack("dechirp", { "src/a.ts": 'import "fs";' }), /write node:fs/],
    ["a type from another backend", pack("@dechirp/fft-gpu", { "src/a.ts": 'import type { A } from "@dechirp/fft-cpu";' }), /forbids it/],
    ["a forbidden declaration", pack("@dechirp/io", {}, { dependencies: { "@dechirp/sar": "*" } }), /must not depend on @dechirp\/sar/],
    ["bench", pack("dechirp", { "test/a.ts": 'import "@dechirp/bench";' }), /no package may import bench/],
    ["an undeclared library", pack("@dechirp/io", { "src/a.ts": 'import "pngjs";' }), /does not declare/],
    [
      "a library for development in src",
      pack("@dechirp/io", { "src/a.ts": 'import "png";' }, { devDependencies: { png: "1" } }),
      /not declare/,
    ],
    ["an undeclared library in a test", pack("@dechirp/io", { "test/a.ts": 'import "png";' }), /not declare/],
    ["another package's files", pack("@dechirp/io", { "src/a.ts": 'import "../../core/src/a.ts";' }), /outside its package/],
    ["another package's sources in a test", pack("@dechirp/io", { "test/a.ts": 'import "../../core/src/a.ts";' }), /outside its package/],
    [
      "test helpers of a package that is not declared",
      pack("@dechirp/io", { "test/a.ts": 'import "../../sar/test/a.ts";' }),
      /outside its package/,
    ],
    ["test code in src", pack("@dechirp/io", { "src/a.ts": 'import "../test/a.ts";' }), /outside src/],
    ["a package without a rule", pack("@dechirp/extra", {}), /has no row/],
    ["a missing reference", pack("@dechirp/io", {}, onCore, []), /does not refer to/],
    ["a reference too many", pack("@dechirp/io", {}, {}, ["@dechirp/core"]), /does not depend on/],
  ];
  it.each(bad)("finds %s", (_, one, message) => {
    expect(violations([one], rootManifest)).toEqual([expect.stringMatching(message)]);
  });
});

describe("cycles", () => {
  it("names the files of a circular import, and each cycle once", () => {
    const files = {
      "src/a.ts": 'import "./b.ts";',
      "src/b.ts": 'export * from "./d/c.ts";',
      "src/d/c.ts": 'import type { B } from "../b.ts";',
    };
    expect(cycles(pack("p", files))).toEqual(["p has a circular import: src/b.ts → src/d/c.ts → src/b.ts"]);
  });

  it("accepts two paths to one file", () => {
    const files = { "src/a.ts": 'import "./b.ts"; import "./c.ts";', "src/b.ts": 'import "./c.ts";', "src/c.ts": 'import("./a.ts");' };
    expect(cycles(pack("p", files))).toEqual([]);
  });
});
