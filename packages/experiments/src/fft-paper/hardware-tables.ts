/**
 * The tables of the paper that compare hardware and kernels rather than rates: Tables I to V and IX. What WebGPU does not show is a dash
 * with the reason.
 */

import { appleM1, radixTable as countedRadices, synthesize } from "../fft-model/index.ts";
import { memoryMetrics } from "../memory/tables.ts";
import type { ReportTable } from "../tables.ts";
import { mainSize } from "./jobs.ts";
import { published } from "./published.ts";
import { type FftDeviceResults, type FftRow, ownChoice } from "./report.ts";
import { bestOf, gflopsOf, gflopsText, rowAt, shapeOf, shareText, short, timesText } from "./values.ts";

const hidden = "- (WebGPU does not show it)";

const kibibytes = (bytes: number | undefined): string => (bytes === undefined ? "-" : `${Math.round(bytes / 1024)} KiB`);

const copyText = ({ copies }: FftDeviceResults): string => {
  const largest = copies.at(-1);
  return largest ? `${short(largest.gigabytesPerSecond)} GB/s (copy of ${Math.round(largest.bytes / 2 ** 20)} MiB)` : "-";
};

const subgroupText = ({ groups }: FftDeviceResults): string => {
  const sizes = groups?.subgroups;
  if (!sizes) return "- (no subgroups)";
  return sizes[0] === sizes[1] ? String(sizes[0]) : `${sizes[0]} to ${sizes[1]}`;
};

/** The largest N that one pass over memory transforms. */
function longestPass({ rows }: FftDeviceResults): string {
  const single = rows.filter(({ measured, kind }) => kind === "own" && measured?.passes === 1).map(({ n }) => n);
  return single.length > 0 ? `2^${Math.log2(Math.max(...single))}` : "-";
}

/** Table I: parameters of the GPU. */
export function parameterTable(one: FftDeviceResults): ReportTable {
  const { groups } = one;
  const here: Readonly<Record<string, string>> = {
    "SIMD group width": subgroupText(one),
    "Max threads/threadgroup": groups ? String(groups.invocations) : "-",
    "Max SIMD groups/threadgroup": groups?.subgroups ? String(Math.floor(groups.invocations / groups.subgroups[0])) : "-",
    "Threadgroup memory": kibibytes(groups?.workgroupBytes),
    "Unified DRAM bandwidth": copyText(one),
  };
  return {
    title: `Table I, parameters, on ${one.device.id}`,
    header: ["parameter", "published (M1)", "here"],
    rows: published.parameters.map(([name, value]) => [name, value, here[name] ?? hidden]),
  };
}

const nothing = { workgroupBytes: 0, invocations: 0, arrayBytes: 0 };

/** Table II: the memory subsystem, and what the microbenchmarks measured. */
export const memoryTable = (one: FftDeviceResults): ReportTable => ({
  title: `Table II, memory subsystem, on ${one.device.id}`,
  header: ["metric", "published (M1)", "here"],
  rows: [
    ...memoryMetrics({ rows: [], limits: nothing }).map(([name, value]) => [
      name,
      value,
      one.memory?.find(({ metric }) => metric === name)?.value ?? "-",
    ]),
    ["Device memory, copy", "-", copyText(one)],
  ],
});

/** Table III: an Intel GPU of 2015, the M1, and this device. */
export function hardwareTable(one: FftDeviceResults): ReportTable {
  const here: Readonly<Record<string, string>> = {
    "SIMD width": subgroupText(one),
    "Local/shared memory": kibibytes(one.groups?.workgroupBytes),
    "Max local FFT (FP32)": `${longestPass(one)} (largest measured in one pass)`,
    "DRAM bandwidth": copyText(one),
  };
  return {
    title: `Table III, hardware, on ${one.device.id}`,
    header: ["parameter", "published (Intel EU)", "published (M1)", "here"],
    rows: published.hardware.map(([name, intel, m1]) => [name, intel, m1, here[name] ?? hidden]),
  };
}

/** Table IV: radices as published, as counted in the text of this project's butterflies, and the rate of the kernel of each at N = 4096. */
export function radixTable(one: FftDeviceResults): ReportTable {
  return {
    title: `Table IV, radices at N = ${mainSize}, on ${one.device.id}`,
    header: [
      "radix",
      "published: flops per butterfly",
      "registers",
      "stages",
      "barriers",
      "counted: flops per butterfly",
      "numbers held at once",
      "stages",
      "barriers",
      "threads here",
      "here, GFLOPS",
      "share of the copy",
    ],
    rows: countedRadices(mainSize).map(({ radix, flops, held, stages, barriers }) => {
      const then = published.radices.find((one) => one.radix === radix);
      const row = largestOf(one.rows, `radix-${radix}`);
      const { threads } = row?.measured ? shapeOf(row.measured.text) : {};
      return [
        String(radix),
        ...[then?.flops, then?.registers, then?.stages, then?.barriers].map((value) => String(value ?? "-")),
        ...[flops, held, stages, barriers].map(String),
        threads === undefined ? "-" : String(threads),
        gflopsText(row),
        shareText(row),
      ];
    }),
  };
}

/** The least workgroup memory and the longest transform to which the rules apply. Files that others contribute may have any. */
const leastWorkgroup = 2 * 8;
const longestRuled = 2 ** 30;

/** The synthesis rules of section IV.D, with the limits of the M1 and of this device. Without rows if the device's limits are not known. */
export function ruleTable(one: FftDeviceResults): ReportTable {
  const { groups } = one;
  const known = groups && groups.workgroupBytes >= leastWorkgroup ? groups : undefined;
  const sizes = one.rows.filter(({ section, name }) => section === "sizes" && name === ownChoice).filter(({ n }) => n <= longestRuled);
  return {
    title: `Synthesis rules: how a transform is divided, on ${one.device.id}`,
    header: [
      "N",
      "by the rules, M1",
      "levels",
      "by the rules, here",
      "levels",
      "stages of radix 4 and 8",
      "barriers of radix 4 and 8",
      "longest in workgroup memory (B_max), M1, here",
      "longest in registers, M1, here",
      "passes of the planner",
    ],
    rows: known
      ? sizes.map((row) => {
          const [then, here] = [appleM1, known].map((limits) => synthesize(row.n, limits));
          const rule = ({ rule: name, factors }: typeof then): string =>
            name === "workgroup" ? "one workgroup" : `${name}, ${factors.join("·")}`;
          const power = (n: number): string => `2^${Math.log2(n)}`;
          const { 4: four, 8: eight } = here.stages;
          return [
            String(row.n),
            ...[then, here].flatMap((rules) => [rule(rules), String(rules.levels)]),
            `${four.stages}, ${eight.stages}`,
            `${four.barriers}, ${eight.barriers}`,
            `${power(then.longestInWorkgroup)}, ${power(here.longestInWorkgroup)}`,
            `${power(then.longestInRegisters)}, ${power(here.longestInRegisters)}`,
            row.measured?.passes === undefined ? "-" : String(row.measured.passes),
          ];
        })
      : [],
  };
}

/** The measured row of a kernel at the main size with the largest batch. */
const largestOf = (rows: readonly FftRow[], name: string): FftRow | undefined =>
  rows
    .filter((row) => row.n === mainSize && row.name === name && row.measured)
    .sort((a, b) => a.batch - b.batch)
    .at(-1);

/** Table V: the kernels of every size: the published ones of radix 4, this project's radix 4, and the planner's choice. */
export function configurationTable(one: FftDeviceResults): ReportTable {
  const cells = (row: FftRow | undefined): string[] => {
    const { radices, threads, exchange } = row?.measured ? shapeOf(row.measured.text) : {};
    const bytes = row && exchange !== undefined ? row.n * (exchange === "both" ? 8 : 4) : undefined;
    return [radices?.join("·") ?? "-", threads === undefined ? "-" : String(threads), kibibytes(bytes)];
  };
  const sizes = one.rows.filter(({ section, name }) => section === "sizes" && name === ownChoice);
  return {
    title: `Table V, kernels by size, on ${one.device.id}`,
    header: [
      "N",
      "published: passes (radix 4)",
      "threads",
      "threadgroup memory",
      "radix-4 here",
      "threads",
      "workgroup memory",
      "planner's choice",
      "threads",
      "workgroup memory",
    ],
    rows: sizes.map((row) => {
      const then = published.kernels.find(({ n }) => n === row.n);
      return [
        String(row.n),
        then?.passes ?? "-",
        then ? String(then.threads) : "-",
        then ? `${then.kibibytes} KiB` : "-",
        ...cells(rowAt(one.rows, row.n, row.batch, "radix-4")),
        ...cells(row),
      ];
    }),
  };
}

/** Table IX: the thesis of 2015, the M1, and this device. */
export function thesisTable(one: FftDeviceResults, devices: readonly FftDeviceResults[]): ReportTable {
  const best = bestOf(one.rows.filter(({ n }) => n === mainSize));
  const peer = devices
    .flatMap(({ rows }) => rows)
    .filter((row) => row.n === mainSize && row.kind === "peer" && gflopsOf(row) !== undefined)
    .sort((a, b) => (gflopsOf(a) ?? 0) - (gflopsOf(b) ?? 0))
    .at(-1);
  const shape = best?.measured ? shapeOf(best.measured.text) : {};
  const ratio = best && peer ? (gflopsOf(best) ?? 0) / (gflopsOf(peer) ?? 1) : undefined;
  const here: Readonly<Record<string, string>> = {
    "Max local FFT": longestPass(one),
    "Local memory used": kibibytes(one.groups?.workgroupBytes),
    "Best GFLOPS": best ? `${gflopsText(best)} (${best.name})` : "-",
    "vs. vendor baseline": ratio === undefined ? "- (no peer on the processor)" : `${timesText(ratio)} ${peer?.name}`,
    "Radix strategy": shape.radices?.join("·") ?? "-",
  };
  return {
    title: `Table IX, the thesis of 2015, on ${one.device.id}`,
    header: ["metric", "published (Intel GPU, 2015)", "published (M1)", "here"],
    rows: published.thesis.map(([name, intel, m1]) => [name, intel, m1, here[name] ?? hidden]),
  };
}
