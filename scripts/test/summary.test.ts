/** Tests what counts as a good test run. */
import { describe, expect, it } from "vitest";
import { line, summarize } from "../summary.mjs";

const file = (name: string, ...statuses: string[]) => ({
  name,
  status: statuses.includes("failed") ? "failed" : "passed",
  assertionResults: statuses.map((status) => ({ status })),
});
const report = (...testResults: ReturnType<typeof file>[]) => ({ testResults });

describe("summarize", () => {
  it("counts tests, and everything that did not run as skipped", () => {
    const summary = summarize(report(file("a", "passed", "passed", "skipped"), file("b", "passed", "todo", "pending")), 0);
    expect(summary).toEqual({ passed: 3, failed: 0, skipped: 3, problems: [] });
    expect(line(summary)).toBe("3 passed, 0 failed, 3 skipped");
  });

  it("counts failures", () => {
    expect(line(summarize(report(file("a", "passed", "failed")), 1))).toBe("1 passed, 1 failed, 0 skipped");
  });

  it.each([
    ["no report", undefined, 1, ["vitest wrote no report"]],
    ["no test", report(), 0, ["no test was executed"]],
    ["a file that skips everything", report(file("a", "passed"), file("b", "skipped")), 0, ["b skips all of its tests"]],
    ["a file that fails to load", report(file("a", "passed"), { ...file("b"), status: "failed" }), 1, ["b failed outside its tests"]],
    ["an error outside of tests", report(file("a", "passed")), 1, ["vitest ended with status 1 although every test passed"]],
  ])("fails for %s", (_, given, status, problems) => {
    const summary = summarize(given, status);
    expect(summary.problems).toEqual(problems);
    expect(summary.failed).toBe(problems.length);
  });

  it("fails for a path that no test file matches, beside others that do", () => {
    const given = report(file("/checkout/packages/core/test/Ops.test.ts", "passed"), file("C:\\checkout\\apps\\docs\\a.test.ts", "passed"));
    const problems = (...paths: string[]): readonly string[] => summarize(given, 0, { paths }).problems;
    expect(problems("packages/core", "test/ops.test.ts:12", "apps/docs", "/checkout/packages")).toEqual([]);
    expect(problems("packages/core", "packages/cor/")).toEqual(["no test file matches packages/cor/"]);
  });

  it("lets a file skip everything only if each test says what is not installed", () => {
    const named = (...names: string[]) => ({
      name: "b",
      status: "passed",
      assertionResults: names.map((fullName) => ({ status: "skipped", fullName })),
    });
    const problems = (...names: string[]): readonly string[] =>
      summarize({ testResults: [file("a", "passed"), named(...names)] }, 0).problems;
    expect(problems("Redis redis-server is not installed (Debian: redis-server) works", "Slurm is not installed")).toEqual([]);
    expect(problems("Redis redis-server is not installed (Debian: redis-server) works", "works")).toEqual(["b skips all of its tests"]);
    expect(problems()).toEqual(["b skips all of its tests"]);
  });

  it("lets a run by test name skip whole files, but not everything", () => {
    expect(summarize(report(file("a", "passed"), file("b", "skipped")), 0, { namesTests: true }).problems).toEqual([]);
    expect(summarize(report(file("b", "skipped")), 0, { namesTests: true }).problems).toEqual(["no test was executed"]);
  });

  it("lets tests of measured data skip everything only if the data is absent", () => {
    const results = (name: string) => report(file("a", "passed"), file(name, "skipped"));
    for (const name of ["io/test/measured.test.ts", "io/test/gotcha.measured.test.ts"]) {
      expect(summarize(results(name), 0, { dataAbsent: true }).problems).toEqual([]);
      expect(summarize(results(name), 0, { dataAbsent: false }).problems).toEqual([`${name} skips all of its tests`]);
    }
    expect(summarize(results("io/test/unmeasured.test.ts"), 0, { dataAbsent: true }).failed).toBe(1);
  });
});
