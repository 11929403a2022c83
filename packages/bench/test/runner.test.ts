/** Tests the runner: turns, medians, ratios to the first contender, contenders' own clocks; and the report's table. */
import { expect, test } from "vitest";
import { markdown, results } from "../src/report.ts";
import { type Contender, quantile, runCase } from "../src/runner.ts";

const contender = (name: string, milliseconds: number, calls: string[]): Contender => ({
  name,
  run() {
    calls.push(name);
    return milliseconds;
  },
  error: () => milliseconds / 1e9,
  dispose: () => calls.push(`${name} disposed`),
});

test("contenders take turns, and ratios are to the first", async () => {
  const calls: string[] = [];
  const contenders = [contender("a", 40, calls), contender("b", 10, calls)];
  const { rows, absent } = await runCase(
    { name: "case", flops: 4e7, errorKind: "made up", setUp: async () => ({ contenders, absent: { c: "not here" } }) },
    { windows: 3, windowMilliseconds: 40 },
  );
  // One call, then 200 ms each for warm-up, then windows in turn: a repeats once, b four times.
  const warmUp = `${"a ".repeat(1 + 5)}${"b ".repeat(1 + 20)}`;
  expect(calls.join(" ")).toBe(`${warmUp}${"a b b b b ".repeat(3)}a disposed b disposed`);
  expect(rows.map((r) => [r.contender, r.milliseconds, r.speedup, r.gflops, r.error])).toEqual([
    ["a", 40, 1, 1, 4e-8],
    ["b", 10, 4, 4, 1e-8],
  ]);
  expect(absent).toEqual({ c: "not here" });
});

test("a case may have fewer windows, and rates of its own", async () => {
  const benchCase = { name: "case", flops: 0, projections: 2e8, windows: 2, errorKind: "" };
  const options = { windows: 5, windowMilliseconds: 40 };
  const calls = async (more: object): Promise<number> => {
    const own: string[] = [];
    const { rows } = await runCase({ ...benchCase, ...more, setUp: async () => ({ contenders: [contender("a", 40, own)] }) }, options);
    expect(rows[0].gigaprojections).toBe(5);
    return own.length - 1;
  };
  expect([await calls({}), await calls({ windows: 9 })]).toEqual([1 + 5 + 2, 1 + 5 + 5]);
});

test("contenders are disposed if one fails, and then what they share", async () => {
  const calls: string[] = [];
  const failing: Contender = { name: "f", run: () => Promise.reject(new Error("broken")), error: () => 0 };
  const setUp = async () => ({ contenders: [contender("a", 1, calls), failing], dispose: () => calls.push("shared disposed") });
  await expect(runCase({ name: "case", flops: 0, errorKind: "", setUp })).rejects.toThrow("broken");
  expect(calls.slice(-2)).toEqual(["a disposed", "shared disposed"]);
});

test("quantiles interpolate", () => {
  expect(quantile([3, 1, 2], 0.5)).toBe(2);
  expect(quantile([4, 1, 2, 3], 0.25)).toBe(1.75);
  expect(quantile([5], 0.9)).toBe(5);
});

test("the report has a row for every contender and says what is missing", () => {
  const row = {
    case: "fft",
    contender: "ours",
    milliseconds: 2,
    quartiles: [1, 3] as const,
    gflops: 12.5,
    speedup: 3,
    error: 1e-7,
    errorKind: "L2",
  };
  const projecting = { ...row, case: "bp", gigaprojections: 0.25, error: 1e-4 };
  const both = markdown(results([row, projecting], {}));
  expect(both).toContain("| bp | ours | 2.00 (1.00–3.00) | 0.250 | 3.00 | 80.0 |");
  expect(both).toContain("| fft | ours |");
  expect(markdown(results([projecting], {}))).not.toContain("GFLOPS");
  const text = markdown(results([row], { "fft: peer": "not installed" }, new Date("2026-01-02")));
  expect(text).toContain("Measured 2026-01-02");
  expect(text).toContain("| fft | ours | 2.00 (1.00–3.00) | 12.5 | 3.00 | 1.0e-7 (L2) |");
  expect(text).toContain("Note: fft: peer (not installed).");
});
