/**
 * Tests that every violation of the repository's rules is found. `npm run check` checks the repository itself. The bad texts are composed
 * at run time, so that this file passes the check.
 */
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { inspect, repositoryFiles } from "../check-repository.mjs";

const file = (path: string, text: string, bytes = text.length) => ({ path, bytes, text: () => text });
const slash = "/";

describe("repositoryFiles", () => {
  it("lists the files that git would commit, once, without ignored ones", () => {
    const paths = repositoryFiles().map(({ path }) => path);
    expect(paths).toContain("package.json");
    expect(paths).toContain("scripts/check-repository.mjs");
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.filter((path) => /(^|\/)(node_modules|dist)\//.test(path))).toEqual([]);
  });

  it("reports that there is no repository", () => {
    expect(() => repositoryFiles(tmpdir())).toThrow(/git could not list/);
  });
});

describe("inspect", () => {
  const bad: [what: string, one: ReturnType<typeof file>, message: RegExp][] = [
    ["a large file", file("a.bin", "", 600 * 1024 + 1), /has 601 KiB/],
    ["MATLAB data", file("test/Scene.MAT", "MATLAB\0"), /MATLAB/],
    ["a long source file", file("src/a.ts", "\n".repeat(450)), /has 451 lines/],
    ["a home folder", file("a.md", `see\n"${slash}home/ada/data"`), /^a\.md:2 names a path/],
    ["a folder of macOS", file("a.ts", `const a = '${slash}Users/ada';`), /names a path/],
    ["a folder of Windows", file("a.ts", `const a = "C:${"\\\\"}Users${"\\\\"}ada";`), /names a path/],
    ["a root folder", file("a.ts", `cd ${slash}root/x`), /names a path/],
    ["unfinished work", file("a.ts", `// ${"TO"}${"DO"}: more`), /a\.ts:1 is a note/],
    ["unfinished work to fix", file("a.ts", `// ${"FIX"}${"ME"}`), /is a note/],
    ["a registry", file("pnpm-lock.yaml", "resolution: {tarball: https://example.com/a.tgz}"), /^pnpm-lock\.yaml:1 names a registry/],
  ];
  it.each(bad)("finds %s", (_, one, message) => {
    expect(inspect([one])).toEqual({ errors: [expect.stringMatching(message)], warnings: [] });
  });

  it("warns about long source files, but not about other long files", () => {
    expect(
      inspect([file("src/a.ts", "\n".repeat(400)), file("a.md", "\n".repeat(900)), file("src/b.generated.ts", "\n".repeat(900))]),
    ).toEqual({
      errors: [],
      warnings: [expect.stringMatching(/401 lines/)],
    });
  });

  it("accepts ordinary text", () => {
    const text = "https://example.com/home/page, ../shared/data, it.todo, a/root/b, const work = 1;";
    expect(inspect([file("a.ts", text), file("pnpm-lock.yaml", "deprecated: see https://example.com")])).toEqual({
      errors: [],
      warnings: [],
    });
  });
});
