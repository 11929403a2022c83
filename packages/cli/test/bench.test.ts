/**
 * `dechirp bench`: its arguments, the files that it writes, and interruption. The experiments themselves are tested in
 * @dechirp/experiments.
 */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dechirp, temporaryFolder } from "./command.ts";

/** Small sizes, the arguments' effect on the report, pictures, and what tables must or must not contain. */
const cases = [
  {
    name: "fused-sar-paper",
    args: ["--size", "256x288", "--turns", "1"],
    report: { scene: { lines: 256, samples: 288 } },
    pictures: [],
    texts: ["22.3×", "8160", "47.3", "† some steps run by reference"],
    absent: undefined,
  },
  {
    name: "backprojection-paper",
    args: ["--sizes", "32", "--pulses", "16", "--seconds", "0.01"],
    report: { pulses: 16, sides: [32] },
    pictures: ["time-by-pulses.svg", "time-by-sets.svg", "time-by-size.svg", "time-by-tile.svg", "traffic-by-tile.svg"],
    texts: ["Table 1,", "Tables 3 and 4,", "3PN²", "PRN/K + 2SN²", "0.020 %"],
    // The published time must not appear beside another workload.
    absent: "3.44",
  },
  {
    name: "efa-paper",
    args: ["--quick", "--data-sets", "2", "--seconds", "0.01", "--watts", "50", "--parts", "channels,stages"],
    report: { dataSets: 2, watts: 50 },
    pictures: ["stages.svg", "time-by-channels.svg"],
    texts: ["Table III, four stages, Gauss-Jordan", "data sets/s/W", "By channels"],
    absent: "PERFECT",
  },
  {
    name: "realtime-paper",
    args: ["--exponents", "10-11", "--tasks", "3", "--jobs", "5", "--runs", "8", "--workers", "2", "--rho", "1.5"],
    report: { jobs: 5, rho: 1.5, devices: [{ device: { units: 2 } }] },
    pictures: [
      ...["10", "11"].flatMap((e) => ["responses", "schedule", "throughput"].map((what) => `${what}-cpu-pool-2-${e}.svg`)),
      "wcet-cpu-pool.svg",
    ],
    texts: ["Table I, S by number of samples", "ahead of best effort", "multiplied by a margin of 1.2", "no guarantee"],
    absent: "WRONG",
  },
] as const;

describe("dechirp bench", () => {
  it("lists the experiments", async () => {
    expect(await dechirp(["bench"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^backprojection-paper {2}.*\nefa-paper {13}.*\nfused-sar-paper {7}.*\nrealtime-paper {8}.*\n$/),
      stderr: "",
    });
    const { experiments } = JSON.parse((await dechirp(["bench", "--json"])).stdout);
    expect(experiments.map(({ name }: { name: string }) => name)).toEqual([
      "backprojection-paper",
      "efa-paper",
      "fused-sar-paper",
      "realtime-paper",
    ]);
  });

  it.each(cases)("$name: writes the report, tables and pictures", async ({ name, args, report, pictures, texts, absent }) => {
    const out = join(await temporaryFolder(), "out");
    const { code, stdout, stderr } = await dechirp(["bench", name, ...args, "--out", out]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect((await readdir(out)).sort()).toEqual(["report.json", "report.md", ...pictures].sort());
    const written = JSON.parse(await readFile(join(out, "report.json"), "utf8"));
    expect(written).toMatchObject({ format: "dechirp-experiment", version: 1, experiment: name, ...report });
    const markdown = await readFile(join(out, "report.md"), "utf8");
    for (const text of [stdout, markdown]) {
      for (const part of texts) expect(text).toContain(part);
      if (absent !== undefined) expect(text).not.toContain(absent);
    }
    expect(markdown).toMatch(/^# .*\n\n- .*\n/);
    for (const picture of pictures) {
      expect(markdown).toContain(`](${picture})`);
      expect(await readFile(join(out, picture), "utf8")).toMatch(/^<svg .*<\/svg>\n$/s);
    }
    expect(stdout).toMatch(new RegExp(`\n\nwritten: .*: report.json, report.md${pictures.length > 0 ? ", .*svg" : ""}\n$`));
  });

  it("prints the report as JSON", async () => {
    const { code, stdout } = await dechirp(["bench", "fused-sar-paper", "--size", "256", "--turns", "1", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ experiment: "fused-sar-paper", device: { id: "cpu" }, scene: { lines: 256, samples: 256 } });
  });

  it.each(cases)("$name: ends on a signal, and leaves nothing", async ({ name, args }) => {
    const out = join(await temporaryFolder(), "out");
    expect((await dechirp(["bench", name, ...args, "--out", out], { signal: AbortSignal.abort("SIGTERM") })).code).toBe(143);
    expect(existsSync(out)).toBe(false);
  });

  it.each([
    ["efa-paper", ["--data-sets", "33"], "--data-sets"],
    ["efa-paper", ["--watts", "0"], "--watts"],
    ["efa-paper", ["--parts", "stages,nothing"], "--parts"],
    ["efa-paper", ["--parts", ","], "--parts"],
    ["efa-paper", ["--sizes", "512"], "--sizes"],
    ["backprojection-paper", ["--sizes", "15"], "--sizes"],
    ["fused-sar-paper", ["--size", "255"], "--size"],
    ["realtime-paper", ["--exponents", "25"], "--exponents"],
    ["realtime-paper", ["--rho", "0.5"], "--rho"],
    ["no-paper", [], "NAME"],
  ])("%s %j is refused", async (name, args, option) => {
    const { code, stderr } = await dechirp(["bench", name, ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(option);
  });
});
