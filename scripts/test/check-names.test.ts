/** Tests that names which two packages export are found, also through `export *` and renaming. */
import { expect, it } from "vitest";
import { exportedNames, publicSurfaces, sharedNames } from "../check-names.mjs";

const files: Readonly<Record<string, string>> = {
  "src/index.ts": `export * from "./more.ts"; export { type A, b as c } from "./other.ts"; export const d = 1; const e = 2; export { e };`,
  "src/more.ts": `export interface F {} export function g(): void {} export type H = F;`,
};

it("finds values and types, renamed ones by their new name, through export *", () => {
  const names = exportedNames("src/index.ts", (path) => files[path] ?? "");
  expect([...names].sort()).toEqual(["A", "F", "H", "c", "d", "e", "g"]);
});

it("says which packages share a name, and says nothing of entries of one package", () => {
  const surfaces = new Map([
    ["one", ["a", "b", "b"]],
    ["two", ["c", "a"]],
  ]);
  expect(sharedNames(surfaces)).toEqual([expect.stringMatching(/^a is exported by one and two/)]);
});

it("reads the surface of every public package", () => {
  const surfaces = publicSurfaces();
  expect(surfaces.get("@dechirp/radar")).toEqual(expect.arrayContaining(["Window", "parseWindow"]));
  // The studio is a built site, which exports nothing.
  expect([...surfaces].filter(([, names]) => names.length === 0).map(([name]) => name)).toEqual(["@dechirp/studio"]);
});
