/**
 * `dechirp bench`: its arguments, the files that it writes, and interruption. The experiments themselves are tested in
 * @dechirp/experiments.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { homedir, hostname, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { RadarError } from "@dechirp/core";
import { readFftResult } from "@dechirp/experiments";
import { describe, expect, it } from "vitest";
import { type Outcome, runAll } from "../src/bench/all.ts";
import type { Io } from "../src/io.ts";
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
    name: "fft-paper",
    args: ["--quick", "--seconds", "0.01", "--sizes", "256,1024", "--device", "cpu"],
    report: { quick: true, devices: [{ device: { id: "cpu" } }], absent: { GPU: "left out by --device cpu" } },
    pictures: ["gflops-by-batch.svg", "gflops-by-size.svg"],
    texts: ["Table VI, N = 4096, batch 16", "vDSP/Accelerate", "Table VII, by size", "Fig. 1", "GPU: not measured: left out"],
    absent: "WRONG",
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
  {
    name: "memory",
    args: ["--quick", "--seconds", "0.001"],
    report: { quick: true, seconds: 0.001, device: { id: "gpu" }, limits: { workgroupBytes: expect.any(Number) } },
    pictures: ["arithmetic-by-values.svg", "arithmetic-by-workgroups.svg", "device-memory.svg", "reads-by-bank.svg", "reads-by-stride.svg"],
    texts: [
      "Table II, measured parameters",
      "688 GB/s",
      "~128 registers",
      "Device memory by footprint",
      "every kernel's output was checked",
    ],
    absent: "WRONG",
  },
] as const;

describe("dechirp bench", () => {
  it("lists the experiments", async () => {
    expect(await dechirp(["bench"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^backprojection-paper {2}.*\nefa-paper {13}.*\nfft-paper {13}.*\nfused-sar-paper {7}.*\nmemory {16}.*\nrealtime-paper {8}.*\n$/,
      ),
      stderr: "",
    });
    const { experiments } = JSON.parse((await dechirp(["bench", "--json"])).stdout);
    expect(experiments.map(({ name }: { name: string }) => name)).toEqual([
      "backprojection-paper",
      "efa-paper",
      "fft-paper",
      "fused-sar-paper",
      "memory",
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
    ["fft-paper", ["--sizes", "1000"], "--sizes"],
    ["fft-paper", ["--sizes", "256,256"], "--sizes"],
    ["fft-paper", ["--seconds", "0"], "--seconds"],
    ["fft-paper", ["--submit-file", "result.txt"], "--submit-file"],
    ["fft-paper", ["--device", "tpu"], "--device"],
    ["efa-paper", ["--submit-file", "result.json"], "--submit-file"],
    ["all", ["--sizes", "256"], "--sizes"],
    ["all", ["--submit-file", "result.json"], "--submit-file"],
    ["all", ["--seconds", "never"], "--seconds"],
    ["memory", ["--seconds", "61"], "--seconds"],
    ["memory", ["--device", "cpu"], "--device"],
    ["memory", ["--turns", "2"], "--turns"],
    ["no-paper", [], "NAME"],
    ["fft-paper", ["--submit-file", "a.json", "--submit-file", "b.json"], "--submit-file is given twice"],
    ["all", ["--seconds", "100", "--device", "cpu"], '--seconds must be a positive number of at most 60, not "100" (memory)'],
  ])("%s %j is refused", async (name, args, option) => {
    const { code, stderr } = await dechirp(["bench", name, ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(option);
  });

  it.each([
    [["--quick"], "--quick"],
    [["--submit-file", "x.json"], "--submit-file"],
    [["--data-sets", "3"], "--data-sets"],
    [["--out", "x"], "--out"],
  ])("%j needs an experiment", async (args, option) => {
    const { code, stderr } = await dechirp(["bench", ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`${option} needs the name of an experiment: `) });
    expect((await dechirp(["bench", "--json"])).code).toBe(0);
  });

  it("memory --device auto is for GPUs in hardware", async () => {
    const { code, stderr } = await dechirp(["bench", "memory", "--quick", "--seconds", "0.001", "--device", "auto"]);
    if (process.env["DECHIRP_ADAPTER_KIND"] === "system") expect(code).toBe(0);
    else expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringMatching(/--device auto finds no GPU: .*emulated/) });
  });

  describe("--submit-file", () => {
    const quick = ["bench", "fft-paper", "--quick", "--seconds", "0.01", "--sizes", "256", "--device", "cpu", "--submit-file"];

    it("writes the measurements, without names of this machine, its users and folders", async () => {
      const file = join(await temporaryFolder(), "mine.json");
      const { code, stdout, stderr } = await dechirp([...quick, file]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain(`written: ${file}`);
      const text = await readFile(file, "utf8");
      const result = readFftResult(text);
      expect(result).toMatchObject({ experiment: "fft-paper", quick: true, versions: { Node: process.versions.node } });
      expect(result.devices[0].rows.length).toBeGreaterThan(3);
      // A short name, such as "dev", may be a part of another word.
      for (const name of [hostname(), userInfo().username, homedir(), tmpdir()]) expect(text).not.toMatch(new RegExp(`\\b${name}\\b`));
    });

    it("is another file than those of --out", async () => {
      const folder = await temporaryFolder();
      await mkdir(join(folder, "real"));
      await symlink(join(folder, "real"), join(folder, "link"));
      for (const [out, file] of [
        [join(folder, "w"), join(folder, "w", "report.json")],
        [join(folder, "w"), join(folder, "w", "..", "w", "Report.json")],
        [join(folder, "link", "w"), join(folder, "real", "w", "report.json")],
      ]) {
        const { code, stderr } = await dechirp([...quick, file, "--out", out]);
        expect({ code, stderr }).toEqual({
          code: 2,
          stderr: expect.stringMatching(/^dechirp: --submit-file must be another file than report.json/),
        });
        expect(existsSync(file)).toBe(false);
      }
    });

    it("is named as it was given", async () => {
      const folder = await temporaryFolder();
      await writeFile(join(folder, "file"), "");
      const file = join(folder, "file", "mine.json");
      expect((await dechirp([...quick, file])).stderr).toContain(`--submit-file ${file}: `);
    });

    it("needs a folder, replaces no folder, and leaves nothing if it is ended", async () => {
      const folder = await temporaryFolder();
      await mkdir(join(folder, "taken.json"));
      expect((await dechirp([...quick, join(folder, "taken.json")])).code).toBe(5);
      await writeFile(join(folder, "file"), "");
      expect((await dechirp([...quick, join(folder, "file", "mine.json")])).code).toBe(2);
      const file = join(folder, "mine.json");
      expect((await dechirp([...quick, file], { signal: AbortSignal.abort("SIGINT") })).code).toBe(130);
      expect(existsSync(file)).toBe(false);
    });
  });
});

describe("dechirp bench all", () => {
  const tables = { title: "made up", heading: [], tables: [], notes: [] };
  const outcome: Outcome = { report: { experiment: "made up" }, tables };
  const started = (signal = new AbortController().signal) => {
    const lines: string[] = [];
    const stream = { write: (text: string) => lines.push(text) };
    return { io: { stdout: stream, stderr: stream, signal, env: {} } as Io, text: () => lines.join("") };
  };

  it("keeps what was measured if an experiment fails", async () => {
    const out = join(await temporaryFolder(), "out");
    const { io, text } = started();
    const fails = { name: "efa-paper", run: () => Promise.reject(new Error("no luck")) };
    const parts = [{ name: "first", run: async () => outcome }, fails, { name: "last", run: async () => outcome }];
    expect(await runAll(parts, io, { out })).toEqual({ "efa-paper": "failed: no luck" });
    expect(text()).toContain("failed: no luck");
    expect(text()).toMatch(/first +measured/);
    expect(text()).toMatch(/Targets\n/);
    expect((await readdir(out)).sort()).toEqual(["first", "last", "report.json", "report.md"]);
    const { experiments, why } = JSON.parse(await readFile(join(out, "report.json"), "utf8"));
    expect([experiments, Object.keys(why)]).toEqual([["first", "last"], ["efa-paper"]]);
  });

  it("prints what was measured if it is ended", async () => {
    const controller = new AbortController();
    const { io, text } = started(controller.signal);
    const ends = async (): Promise<Outcome> => {
      controller.abort("SIGINT");
      throw new RadarError("aborted", "ended", {});
    };
    const parts = [
      { name: "first", run: async () => outcome },
      { name: "second", run: ends },
      { name: "third", run: async () => outcome },
    ];
    await expect(runAll(parts, io, {})).rejects.toMatchObject({ code: "aborted" });
    expect(text()).toMatch(/first +measured\n +second +it did not run.*\n +third +it did not run/);
  });

  it("prints what was measured at once if the signal comes while an experiment can't end", async () => {
    const controller = new AbortController();
    const { io, text } = started(controller.signal);
    let end = (_: Outcome): void => {};
    const hangs = (): Promise<Outcome> => new Promise((resolve) => (end = resolve));
    const parts = [
      { name: "first", run: async () => outcome },
      { name: "second", run: hangs },
    ];
    const running = runAll(parts, io, {});
    await expect.poll(text).toContain("made up");
    await new Promise(setImmediate);
    controller.abort("SIGTERM");
    expect(text()).toMatch(/first +measured\n +second +it did not run/);
    const before = text();
    end(outcome);
    await running;
    expect(text().slice(before.length)).not.toContain("Targets");
  });

  it("runs every experiment, and says which targets are met", async () => {
    const out = join(await temporaryFolder(), "out");
    const { code, stdout } = await dechirp(["bench", "all", "--quick", "--device", "cpu", "--json", "--out", out]);
    expect(code).toBe(0);
    const { experiments, why, targets } = JSON.parse(stdout);
    expect([[...experiments].sort(), why]).toEqual([
      ["backprojection-paper", "efa-paper", "fft-paper", "fused-sar-paper", "realtime-paper"],
      { memory: "left out by --device cpu" },
    ]);
    for (const { target, source, measured } of targets) {
      expect(source, target).toMatch(/^(apps|packages)\/.*\.(md|ts)/);
      expect(typeof measured === "string" || measured.met, `${target}: ${JSON.stringify(measured)}`).toBe(true);
    }
    expect((await readdir(out)).sort()).toEqual([...experiments, "report.json", "report.md"].sort());
  });
});
