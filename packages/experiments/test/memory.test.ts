/** Tests the microbenchmarks on a GPU: outputs of all kernels, the patterns of addresses, tables and plots, errors and signals. */
import { type Device, isRadarError, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type MemoryReport,
  type MemoryRow,
  type MemorySection,
  memoryExperiment,
  memoryPlots,
  memorySections,
  memoryTables,
  wrongMemoryRows,
} from "../src/index.ts";
import { workgroupSize } from "../src/memory/jobs.ts";
import { measuredDifference, measureProbes, spreadOf } from "../src/memory/measure.ts";
import type { Probe } from "../src/memory/probe.ts";
import { arithmeticProbe, shuffleProbe } from "../src/memory/registers.ts";
import { heldBytes, occupancyDrop } from "../src/memory/summary.ts";
import { significant } from "../src/memory/tables.ts";
import {
  bankAddresses,
  barrierProbe,
  conflictWays,
  exchangeProbe,
  readProbe,
  stridedAddresses,
  writeProbe,
} from "../src/memory/workgroup.ts";

let device: Device;
beforeAll(async () => {
  device = await open(gpu());
});
afterEach(() => expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0, plans: 0 }));
afterAll(() => device[Symbol.dispose]());

const sizes = { threads: 64, groups: 3, words: 2048 };

describe("addresses", () => {
  it("by bank have as many lanes in a bank as they say, and no two lanes have one address", () => {
    for (const ways of [1, 2, 4, 8, 16, 32]) {
      const addresses = bankAddresses(256, 8192, ways);
      expect([ways, conflictWays(addresses), new Set(addresses).size]).toEqual([ways, ways, 256]);
    }
  });

  it("by stride have the conflicts of the stride's powers of two", () => {
    for (const [stride, ways] of [
      [1, 1],
      [2, 2],
      [3, 1],
      [4, 4],
      [5, 1],
      [8, 8],
      [16, 16],
      [17, 1],
      [32, 32],
      [33, 1],
      [64, 32],
    ] as const) {
      const addresses = stridedAddresses(256, 8192, stride);
      expect([stride, conflictWays(addresses)]).toEqual([stride, ways]);
      expect(new Set(addresses).size).toBe(256);
    }
  });

  it("of two words at stride 1 have no conflicts", () => {
    expect(conflictWays(stridedAddresses(256, 4096, 1), 2)).toBe(1);
    expect(conflictWays(stridedAddresses(256, 4096, 8), 2)).toBe(8);
  });

  it("are all that differs between the kernels of a section", () => {
    const limits = { workgroupBytes: 32_768, invocations: 1024 };
    const code = ({ op }: Probe): unknown => op.wgsl?.({}, limits, {} as never);
    const probes = [1, 2, 8, 33].map((stride) => readProbe("reads", sizes, stridedAddresses(64, 2048, stride)));
    probes.push(readProbe("reads", sizes, bankAddresses(64, 2048, 32)));
    expect(code(probes[0])).toMatchObject({ code: expect.stringContaining("workgroupBarrier") });
    for (const probe of probes) {
      expect(code(probe)).toEqual(code(probes[0]));
      expect(probe.amount(5)).toBe(probes[0].amount(5));
    }
  });
});

describe("probes", () => {
  const probes: readonly Probe[] = [
    readProbe("reads, stride 1", sizes, stridedAddresses(64, 2048, 1)),
    readProbe("reads, stride 64", sizes, stridedAddresses(64, 2048, 64)),
    readProbe("reads, 32 of a bank", sizes, bankAddresses(64, 2048, 32)),
    readProbe("reads of pairs, stride 8", sizes, stridedAddresses(64, 1024, 8), 2),
    writeProbe("writes", sizes),
    exchangeProbe("exchanges", sizes),
    barrierProbe("barriers", sizes, true),
    barrierProbe("no barriers", sizes, false),
    arithmeticProbe("arithmetic, 4 values", { ...sizes, values: 4 }),
    arithmeticProbe("arithmetic, 128 values", { ...sizes, values: 128 }),
  ];

  const outputs = async (probe: Probe, rounds: number): Promise<Record<string, Uint32Array>> => {
    using plan = await device.plan(probe.op);
    expect(plan.text).toMatch(/^\(kernel\/wgsl /);
    const buffers = Object.fromEntries(Object.entries(probe.op.ports).map(([port, { layout }]) => [port, device.alloc(layout)]));
    for (const [port, data] of Object.entries(probe.inputs)) buffers[port].write(data as never);
    plan.run(buffers, { uniforms: { rounds, ...probe.uniforms } });
    const read: Record<string, Uint32Array> = {};
    for (const [port, { access }] of Object.entries(probe.op.ports))
      if (access !== "read") read[port] = (await buffers[port].read()) as Uint32Array;
    for (const buffer of Object.values(buffers)) buffer[Symbol.dispose]();
    return read;
  };

  it.each(probes.map((probe) => [probe.name, probe] as const))(
    "%s: results are right after any number of rounds, and checked",
    async (_, probe) => {
      for (const rounds of [1, 2, 3, 50, 1001]) {
        const found = await outputs(probe, rounds);
        expect(probe.check(found, rounds), `${rounds} rounds`).toBe(true);
        // One round more or less is another result: every repetition counts.
        if (!probe.name.startsWith("arithmetic")) expect(probe.check(found, rounds + 1)).toBe(false);
        found["out"][found["out"].length - 1] += 1;
        expect(probe.check(found, rounds)).toBe(false);
      }
    },
  );

  it("the reference of a probe computes what its WGSL does", async () => {
    const [probe] = probes;
    const found = await outputs(probe, 7);
    using host = await open(cpu({ workers: 1 }));
    using plan = await host.plan(probe.op);
    using out = host.alloc(probe.op.ports["out"].layout);
    using data = host.alloc(probe.op.ports["data"].layout);
    using addresses = host.alloc(probe.op.ports["addresses"].layout);
    await plan.run({ out, data, addresses }, { uniforms: { rounds: 7 } }).done;
    expect(await out.read()).toEqual(found["out"]);
  });

  it("shuffles, if the device has subgroups", async () => {
    const probe = shuffleProbe("shuffles", sizes);
    const [measured] = await measureProbes(device, [probe], { seconds: 0.001 });
    if ("why" in measured) expect(measured.why).toContain("does not fit");
    else expect(measured).toMatchObject({ correct: true });
    for (const rounds of [1, 2, 5]) {
      if ("why" in measured) break;
      const found = await outputs(probe, rounds);
      expect(probe.check(found, rounds)).toBe(true);
      found["out"][5] ^= 1;
      expect(probe.check(found, rounds)).toBe(false);
    }
  });

  it("that do not fit have a reason", async () => {
    const big = readProbe("too large", { ...sizes, words: 2 ** 20 }, stridedAddresses(64, 2 ** 20, 1));
    expect(await measureProbes(device, [big], { seconds: 0.001 })).toEqual([{ why: expect.stringMatching(/^too large does not fit/) }]);
  });

  it("a workgroup's size follows from the limits", () => {
    expect(workgroupSize({ workgroupBytes: 32_768, invocations: 1024, arrayBytes: 1 }, false)).toMatchObject({ threads: 256, words: 8192 });
    expect(workgroupSize({ workgroupBytes: 16_384, invocations: 256, arrayBytes: 1 }, true)).toMatchObject({ threads: 128, words: 4096 });
    expect(workgroupSize({ workgroupBytes: 49_152, invocations: 96, arrayBytes: 1 }, true)).toMatchObject({ threads: 64, words: 8192 });
  });
});

describe("statistics", () => {
  it("of times", () => {
    expect(spreadOf([4, 1, 3, 2, 5])).toEqual({ median: 3, low: 2, high: 4, turns: 5 });
    expect(spreadOf([1, 2])).toEqual({ median: 1.5, low: 1.25, high: 1.75, turns: 2 });
    expect(measuredDifference([1, 2, 3], 2, true)).toEqual({ seconds: [1, 2, 3], amount: 2, correct: true });
    expect(measuredDifference([-1, 2, -3], 2, true)).toEqual({ why: expect.stringContaining("noise") });
  });

  const row = (values: number, rate: number, threads = 256): MemoryRow => ({
    section: "occupancy",
    name: "arithmetic",
    at: { threads, values },
    quantity: "operations/s",
    value: { median: rate, low: rate, high: rate, turns: 3 },
    correct: true,
  });

  it("of where the rate drops", () => {
    expect(occupancyDrop([])).toBeUndefined();
    expect(occupancyDrop([row(4, 50), row(8, 100), row(16, 99), row(32, 81), row(64, 79)])).toBe(64);
    expect(occupancyDrop([row(4, 50), row(8, 100), row(64, 50), row(64, 90, 1024)])).toBe("none");
    expect(occupancyDrop([row(8, 100), { ...row(16, 500), correct: false }])).toBe("none");
  });

  it("of the most values that a workgroup holds at four fifths of the best rate", () => {
    expect(heldBytes([])).toBeUndefined();
    expect(heldBytes([row(8, 100), row(32, 81), row(64, 79), row(32, 80, 1024)])).toBe(4 * 32 * 1024);
    expect(heldBytes([row(8, 100), row(128, 99), { ...row(256, 500), correct: false }])).toBe(4 * 128 * 256);
  });

  it("numbers have three digits", () => {
    expect([0.00123456, 12.345, 123.4, 6543, 0, Number.NaN].map(significant)).toEqual(["0.00123", "12.3", "123", "6543", "0", "-"]);
  });
});

describe("the experiment", () => {
  let report: MemoryReport;
  const progress: number[] = [];
  beforeAll(async () => {
    const only = memorySections.filter((section) => section !== "device-memory");
    report = await memoryExperiment(device, { quick: true, seconds: 0.002, only }, { onProgress: (_, share) => progress.push(share) });
  });

  const rowsOf = (section: MemorySection): readonly MemoryRow[] => report.rows.filter((row) => row.section === section);

  it("measures every section, and every output is right", () => {
    expect(report).toMatchObject({ format: "dechirp-experiment", version: 1, experiment: "memory", quick: true, device: { id: "gpu" } });
    expect(wrongMemoryRows(report)).toEqual([]);
    for (const section of memorySections.filter((one) => one !== "device-memory")) {
      expect(rowsOf(section).length, section).toBeGreaterThan(0);
      for (const { value, why, correct } of rowsOf(section)) {
        if (value)
          expect([correct, value.low > 0, value.low <= value.median, value.median <= value.high]).toEqual([true, true, true, true]);
        else expect(why).toMatch(/noise|at most|subgroups/);
      }
    }
    expect(progress[0]).toBe(0);
    expect(progress.at(-1)).toBe(1);
    expect([...progress].sort((a, b) => a - b)).toEqual(progress);
  });

  it("puts this device beside the paper's", () => {
    const { tables, notes } = memoryTables(report);
    expect(tables.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Table I,/),
        expect.stringMatching(/^Table II,/),
        expect.stringMatching(/^Table III,/),
      ]),
    );
    for (const { header, rows } of tables) for (const row of rows) expect(row).toHaveLength(header.length);
    const [one, two] = tables;
    expect(one.rows).toContainEqual(["workgroup memory", "32 KiB", `${report.limits.workgroupBytes / 1024} KiB`]);
    // What WebGPU does not show is a dash.
    for (const name of ["GPU cores", "register file", "clock"]) expect(one.rows.find(([row]) => row === name)?.[2]).toBe("-");
    expect(two.rows[0]).toEqual(["workgroup memory, sequential reads of float2", "688 GB/s", expect.stringMatching(/^[\d.]+ GB\/s$/)]);
    if (report.software) expect(notes[0]).toContain("those of a CPU");
    const tiers = tables.find(({ title }) => title === "The two tiers of local memory");
    const tier = (start: string, parameter: string) =>
      tiers?.rows.find(([name, of]) => name.startsWith(start) && of === parameter)?.slice(2);
    expect(tier("1", "held by a workgroup")).toEqual(["208 KiB", expect.stringMatching(/^at least [\d.]+ KiB, inferred$/)]);
    expect(tier("2", "held by a workgroup")).toEqual(["32 KiB", `${report.limits.workgroupBytes / 1024} KiB`]);
    const pairs = rowsOf("pairs").map(({ value }) => value?.median ?? Number.NaN);
    expect(tier("2", "cost of scattered access")).toEqual(["3.2×", `${significant(pairs[0] / pairs[1])}×`]);
    expect(tier("2", "longest local FFT, float32")?.[0]).toBe("2^12");
    expect(tier("1", "longest local FFT, float32")).toEqual(["2^13", expect.stringMatching(/^2\^1[2-4]$/)]);
    expect(tier("2", "barrier of a lone workgroup")?.[0]).toBe("~2 cycles, 1.56 ns");
  });

  it("says which rows are wrong", () => {
    const wrong = { ...report, rows: report.rows.map((row, i) => (i === 0 ? { ...row, correct: false } : row)) };
    expect(memoryTables(wrong).notes.at(-1)).toBe("WRONG: strided, read, stride 1");
    expect(memoryTables(wrong).tables.flatMap(({ rows }) => rows.flat())).toContain("WRONG");
  });

  it("draws what it measured", async () => {
    const plots = await memoryPlots(report);
    expect(Object.keys(plots).sort()).toEqual([
      "arithmetic-by-values.svg",
      "arithmetic-by-workgroups.svg",
      "reads-by-bank.svg",
      "reads-by-stride.svg",
    ]);
    for (const plot of Object.values(plots)) expect(plot).toMatch(/^<svg /);
  });
});

it("measures device memory, checks copies and reads, and refuses what does not fit", async () => {
  using small = await open(gpu({ maxBindingBytes: 2 ** 21 }));
  const report = await memoryExperiment(small, { quick: true, seconds: 0.002, only: ["device-memory"] });
  const of = (name: string, mebibytes: number): MemoryRow | undefined =>
    report.rows.find((row) => row.name === name && row.at["bytes"] === mebibytes * 2 ** 20);
  expect(report.rows).toHaveLength(16);
  expect(wrongMemoryRows(report)).toEqual([]);
  expect(of("copy, hot", 1)).toMatchObject({ correct: true, quantity: "bytes/s" });
  expect(of("read, hot", 1)).toMatchObject({ correct: true });
  expect(of("copy, hot", 4)).toMatchObject({ correct: true });
  expect(of("read, hot", 4)).toMatchObject({ why: "arrays have at most 2 MiB" });
  expect(of("copy, cold", 64)).toMatchObject({ why: "arrays have at most 2 MiB" });
  expect(small.memory()).toMatchObject({ buffers: 0, plans: 0 });
});

it("refuses other devices", async () => {
  using host = await open(cpu({ workers: 1 }));
  await expect(memoryExperiment(host)).rejects.toMatchObject({ code: "unsupported", message: expect.stringContaining("GPUs only") });
});

it("ends on a signal, and frees what it has", async () => {
  for (const only of memorySections) {
    const end = new AbortController();
    const onProgress = (): void => void setTimeout(() => end.abort(), 30);
    const outcome = await memoryExperiment(device, { seconds: 30, only: [only] }, { signal: end.signal, onProgress }).then(
      () => "it ended",
      (error: unknown) => (isRadarError(error) ? error.code : error),
    );
    expect(outcome, only).toBe("aborted");
    await device.ready();
  }
});
