/** Tests the reader of contributed result files with malformed ones: each gives one error that names the field. */
import { readdirSync, readFileSync } from "node:fs";
import { isRadarError } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { published } from "../src/fft-paper/published.ts";
import { type FftPaperReport, fftPaperPlots, fftPaperTables, readFftResult, reportMarkdown, writeFftResult } from "../src/index.ts";

const measurement = {
  clock: "device",
  milliseconds: 2,
  quartiles: [1, 3],
  turns: 9,
  runs: 30,
  ofCopy: 0.5,
  error: 1e-7,
  allowed: 2e-7,
  text: "(fft/gpu n=4096 one-pass radix=8·8·8·8 threads=512 lines=1 exchange=both)",
  passes: 1,
} as const;
const row = { section: "batches", n: 4096, batch: 256, name: "radix-8", kind: "own", measured: measurement } as const;
const device = { id: "gpu", description: "WebGPU: made up", notes: ["a note"], software: false, units: 1 };
const report: FftPaperReport = {
  format: "dechirp-experiment",
  version: 1,
  experiment: "fft-paper",
  date: "2026-11-23T12:00:00.000Z",
  quick: false,
  versions: { Node: "20.20.2" },
  devices: [{ device, copies: [{ bytes: 1024, gigabytesPerSecond: 3 }], rows: [row] }],
  absent: { FFTW: "not installed" },
  published,
};

/** The file with a value at a path replaced. */
function changed(path: readonly (string | number)[], value: unknown): string {
  const document = JSON.parse(writeFftResult(report));
  let at = document;
  for (const key of path.slice(0, -1)) at = at[key];
  at[path.at(-1) as string] = value;
  return JSON.stringify(document);
}

const fault = (text: string): unknown => {
  try {
    return readFftResult(text);
  } catch (error) {
    return isRadarError(error, "input") ? error.fields["field"] : error;
  }
};

describe("result files", () => {
  it("are read as they were written", () => {
    const { published: _, ...own } = report;
    expect(readFftResult(writeFftResult(report))).toEqual(own);
  });

  it("have no paths, even if a message has one", () => {
    const why = 'could not load /srv/someone/lib/x.so (see D:\\logs\\someone.txt), ~/notes or "/opt/y"';
    const text = writeFftResult({ ...report, absent: { FFTW: why } });
    expect(text).not.toMatch(/someone|~.notes|.opt.y/);
    expect(readFftResult(text).absent["FFTW"]).toBe('could not load (path) (see (path)), (path) or "(path)"');
  });

  it.each([
    [["format"], "other", "format"],
    [["version"], 2, "version"],
    [["experiment"], "efa-paper", "experiment"],
    [["date"], "yesterday", "date"],
    [["hostname"], "mine", "hostname"],
    [["devices"], [], "devices"],
    [["devices", 0, "device", "id"], "../gpu", "devices.0.device.id"],
    [["devices", 0, "device", "description"], "driver of /srv/me/x", "devices.0.device.description"],
    [["devices", 0, "device", "notes"], ["red\u001b[31m"], "devices.0.device.notes.0"],
    [["devices", 0, "rows", 0, "n"], 4095, "devices.0.rows.0.n"],
    [["devices", 0, "rows", 0, "batch"], 0, "devices.0.rows.0.batch"],
    [["devices", 0, "rows", 0, "name"], "", "devices.0.rows.0.name"],
    [["devices", 0, "rows", 0, "measured", "milliseconds"], -1, "devices.0.rows.0.measured.milliseconds"],
    [["devices", 0, "rows", 0, "measured", "clock"], "sun", "devices.0.rows.0.measured.clock"],
    [["devices", 0, "rows", 0, "measured", "text"], "x".repeat(1001), "devices.0.rows.0.measured.text"],
    [["versions"], { "a\nb": "1" }, "versions.a\nb"],
    [["versions"], { "a /data/me/x": "1" }, "versions.a /data/me/x"],
    [["date"], "2026-02-30T12:00:00.000Z", "date"],
    [["date"], "2026-13-01T12:00:00.000Z", "date"],
    [["devices", 0, "rows", 0, "measured", "quartiles"], [3, 1], "devices.0.rows.0.measured.quartiles"],
    [["devices", 0, "rows", 0, "measured", "quartiles"], [2.5, 3], "devices.0.rows.0.measured.quartiles"],
    [["devices", 0, "rows", 0, "measured", "milliseconds"], 5e-324, "devices.0.rows.0.measured.milliseconds"],
    [["devices", 0, "rows", 0, "measured", "milliseconds"], 1e308, "devices.0.rows.0.measured.milliseconds"],
    [["devices", 0, "rows", 0, "why"], "measured and not", "devices.0.rows.0"],
    [["devices", 0, "rows", 0, "measured"], undefined, "devices.0.rows.0"],
    [["devices", 0, "rows"], [row, row], "devices.0.rows"],
    [["devices", 0, "rows"], Array.from({ length: 65 }, (_, i) => ({ ...row, name: `k${i}` })), "devices.0.rows"],
    [["devices"], [1, 2].map(() => ({ device: { ...device, id: "cpu" }, copies: [], rows: [] })), "devices"],
  ])("refuses %j = %j", (path, value, field) => {
    expect(fault(changed(path, value))).toBe(field);
  });

  it.each([
    "file:///data/bob/x",
    "file:x",
    "https://bob-laptop/x",
    "\\\\server\\share",
    "bob@host:/home",
    "bob@host:x",
    "x,/data/bob/a",
    "[/data/bob/a]",
    "`/data/bob/a`",
    "</data/bob/a>",
    "@/data/bob/x",
    "at /root",
    "/home",
    "~bob/x",
    "D:\\x",
  ])("neither write nor accept %s", (where) => {
    expect(fault(changed(["absent"], { FFTW: where }))).toBe("absent.FFTW");
    const written = writeFftResult({ ...report, absent: { FFTW: where } });
    expect(written).not.toMatch(/bob|server|home|data|root|D:/);
    expect(readFftResult(written).absent["FFTW"]).toContain("(path)");
  });

  it.each([
    "(fft/gpu n=4096 exchange=both/2)",
    "8 GB/s, 12 µs/FFT, 3/4",
    "5·N·log₂N·batch/time",
    "a ~1/2 s wait, @dechirp/core 0.1.0",
    "file: none",
    "26.2~bpo12+1 (LLVM 15)",
    "/runs out",
  ])("may have %s", (harmless) => {
    expect(fault(changed(["absent"], { FFTW: harmless }))).toMatchObject({ absent: { FFTW: harmless } });
    expect(readFftResult(writeFftResult({ ...report, absent: { FFTW: harmless } })).absent["FFTW"]).toBe(harmless);
  });

  it("take time in proportion to their length", () => {
    const start = process.cpuUsage();
    for (const part of ["a-", "+a"]) {
      const text = changed(["devices", 0, "device", "notes"], Array(100).fill(part.repeat(499)));
      for (let i = 0; i < 100; i++) expect(fault(text)).toBeInstanceOf(Object);
    }
    // Processor time, because other programs may slow this one down. In quadratic time it is about 10 s.
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(4000);
  });

  it("may have two GPUs, whose tables and plots differ in name", async () => {
    const [own] = JSON.parse(writeFftResult(report)).devices;
    const result = readFftResult(changed(["devices"], [own, own]));
    expect(Object.keys(await fftPaperPlots(result))).toEqual(
      expect.arrayContaining(["variants-by-batch-gpu.1.svg", "variants-by-batch-gpu.2.svg"]),
    );
    const titles = fftPaperTables(result).tables.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it("of the project are accepted", () => {
    const folder = new URL("../../bench/results/fft-paper/", import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect(fault(readFileSync(new URL(file, folder), "utf8"))).toMatchObject({ experiment: "fft-paper" });
  });

  it.each(["", "{", "null", "[]", "3", '{"format":"dechirp-experiment"}'])("refuses %j", (text) => {
    expect(typeof fault(text)).toBe("string");
  });

  it("may name kernels as objects' own functions", () => {
    const result = readFftResult(changed(["devices", 0, "rows", 0, "name"], "constructor"));
    expect(reportMarkdown(fftPaperTables(result))).toContain("| constructor | - |");
  });
});
