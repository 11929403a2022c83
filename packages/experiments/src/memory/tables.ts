/**
 * Formats the report of the microbenchmarks: Tables I to III of the radix-8 paper with this device beside the published M1, and every
 * section's measurements. What WebGPU does not show is a dash.
 */
import { longestInRegisters, longestInWorkgroup } from "../fft-model/synthesize.ts";
import { decimals, type ReportTable, type ReportTables } from "../tables.ts";
import type { Limits } from "./limits.ts";
import { publishedMemory } from "./published.ts";
import type { MemoryReport, MemoryRow, MemorySection } from "./report.ts";
import { bestThreads, findRow, heldBytes, largestCopy, medianOf, occupancyDrop, rateOf } from "./summary.ts";

const { m1, measured: table2, intel, longest, barrierCycles } = publishedMemory;
const none = "-";

const gigabytes = (rate: number | undefined): string => (rate === undefined ? none : `${significant(rate / 1e9)} GB/s`);
const kibibytes = (bytes: number): string => `${bytes / 1024} KiB`;

/** Three significant digits, without an exponent. */
export function significant(value: number): string {
  if (!Number.isFinite(value)) return none;
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return decimals(value, Math.min(digits, 9));
}

/** A size in bytes, in MiB or GiB. */
export const bytesText = (bytes: number): string => (bytes >= 2 ** 30 ? `${bytes / 2 ** 30} GiB` : `${bytes / 2 ** 20} MiB`);

const powerText = (n: number): string => `2^${Math.log2(n)}`;

const subgroupText = ({ subgroups }: Limits): string =>
  subgroups === undefined ? none : subgroups[0] === subgroups[1] ? String(subgroups[0]) : subgroups.join("-");

/** Table I, the rows that a device of WebGPU can be asked for. */
function parameterTable({ limits, rows }: MemoryReport): ReportTable {
  const { subgroups, invocations, workgroupBytes } = limits;
  return {
    title: "Table I, parameters of the device",
    header: ["parameter", m1.name, "here"],
    rows: [
      ["GPU cores", String(m1.cores), none],
      ["ALUs per core", String(m1.alusPerCore), none],
      ["FP32 flops per cycle and core", `${m1.flopsPerCycle} (${m1.fusedPerCycle} fused)`, none],
      ["FP16 flops per cycle and core", String(m1.halfFlopsPerCycle), none],
      ["subgroup size", String(m1.subgroup), subgroupText(limits)],
      ["largest workgroup, invocations", String(m1.invocations), String(invocations)],
      [
        "largest workgroup, subgroups",
        String(m1.subgroupsPerWorkgroup),
        subgroups && subgroups[0] === subgroups[1] ? String(Math.floor(invocations / subgroups[0])) : none,
      ],
      ["registers per invocation, 32 bits", `up to ${m1.registersPerThread}`, none],
      ["register file", kibibytes(m1.registerBytes), none],
      ["workgroup memory", kibibytes(m1.workgroupBytes), kibibytes(workgroupBytes)],
      ["device memory", gigabytes(m1.memoryRate), `${gigabytes(largestCopy(rows)?.value?.median)}, copied`],
      ["clock", `${m1.clock / 1e6} MHz`, none],
    ],
  };
}

/** The rows of Table II: metric, published value, value here. Without measurements the last is a dash. */
export function memoryMetrics({ rows, limits }: Pick<MemoryReport, "rows" | "limits">): readonly (readonly [string, string, string])[] {
  const strides = rows.filter((row) => row.section === "pairs" && row.at["stride"] > 1 && medianOf(row) !== undefined);
  const slowest = strides.reduce<MemoryRow | undefined>((found, row) => (found && rateOf(found) <= rateOf(row) ? found : row), undefined);
  const drop = occupancyDrop(rows);
  const shuffle = findRow(rows, "shuffles", {});
  return [
    [
      "workgroup memory, sequential reads of float2",
      gigabytes(table2.sequential),
      gigabytes(rateOf(findRow(rows, "pairs", { stride: 1 }))),
    ],
    [
      "workgroup memory, strided reads of float2",
      gigabytes(table2.strided),
      slowest ? `${gigabytes(rateOf(slowest))}, stride ${slowest.at["stride"]}` : none,
    ],
    ["subgroup shuffles of float2", gigabytes(table2.shuffle), limits.subgroups ? gigabytes(rateOf(shuffle)) : "no subgroups"],
    [
      "registers to workgroup memory and back",
      `${table2.copyLow / 1e9}-${table2.copyHigh / 1e9} GB/s`,
      gigabytes(rateOf(findRow(rows, "copies", {}, "there and back, with barriers"))),
    ],
    ["fastest number of threads", String(table2.bestThreads), String(bestThreads(rows) ?? none)],
    [
      "values held where the rate has dropped",
      `~${table2.registersAtDrop} registers`,
      drop === undefined ? none : drop === "none" ? "no drop up to the most measured" : `${drop} values`,
    ],
  ];
}

/** Table II. */
const measuredTable = (report: MemoryReport): ReportTable => ({
  title: "Table II, measured parameters of the memory subsystem",
  header: ["metric", m1.name, "here"],
  rows: memoryMetrics(report),
});

const nanoseconds = (seconds: number): string => `${significant(1e9 * seconds)} ns`;

/**
 * The two tiers of local memory by which the paper decides where a transform's values are (section III.B): what each holds, how fast values
 * are exchanged through it, and the longest transform by the synthesis rules.
 */
function tierTable({ limits, rows }: MemoryReport): ReportTable {
  const held = heldBytes(rows);
  const barrier = rows.find((row) => row.section === "barriers" && row.name === "one workgroup" && medianOf(row) !== undefined);
  const rateAtStride = (stride: number): number => rateOf(findRow(rows, "pairs", { stride }));
  const slowest = Math.min(
    ...rows
      .filter(({ section, at }) => section === "pairs" && at["stride"] > 1)
      .map(rateOf)
      .filter(Number.isFinite),
  );
  const scattered = rateAtStride(1) / slowest;
  const [registers, workgroup] = ["1: registers and shuffles", "2: workgroup memory"];
  return {
    title: "The two tiers of local memory",
    header: ["tier", "parameter", m1.name, "here"],
    rows: [
      [registers, "held by a workgroup", kibibytes(m1.registerBytes), held === undefined ? none : `at least ${kibibytes(held)}, inferred`],
      [
        registers,
        "exchange: shuffles of float2",
        gigabytes(table2.shuffle),
        limits.subgroups ? gigabytes(rateOf(findRow(rows, "shuffles", {}))) : "no subgroups",
      ],
      [registers, "longest local FFT, float32", powerText(longest.inRegisters), powerText(longestInRegisters(limits))],
      [workgroup, "held by a workgroup", kibibytes(m1.workgroupBytes), kibibytes(limits.workgroupBytes)],
      [
        workgroup,
        "exchange: registers to workgroup memory and back",
        `${table2.copyLow / 1e9}-${table2.copyHigh / 1e9} GB/s`,
        gigabytes(rateOf(findRow(rows, "copies", {}, "there and back, with barriers"))),
      ],
      [
        workgroup,
        "cost of scattered access",
        `${(table2.sequential / table2.strided).toFixed(1)}×`,
        Number.isFinite(scattered) ? `${significant(scattered)}×` : none,
      ],
      [
        workgroup,
        "barrier of a lone workgroup",
        `~${barrierCycles} cycles, ${nanoseconds(barrierCycles / m1.clock)}`,
        barrier ? `${nanoseconds(rateOf(barrier))}, ${barrier.at["threads"]} threads` : none,
      ],
      [workgroup, "longest local FFT, float32", powerText(longest.inWorkgroup), powerText(longestInWorkgroup(limits.workgroupBytes))],
    ],
  };
}

/** Table III. */
function comparisonTable({ limits, rows }: MemoryReport): ReportTable {
  const { workgroupBytes } = limits;
  return {
    title: "Table III, comparison of devices",
    header: ["parameter", intel.name, m1.name, "here"],
    rows: [
      ["subgroup size", intel.subgroup, String(m1.subgroup), subgroupText(limits)],
      ["workgroup memory", intel.workgroup, kibibytes(m1.workgroupBytes), kibibytes(workgroupBytes)],
      ["register file", intel.registers, kibibytes(m1.registerBytes), none],
      [
        "longest local FFT, float32",
        powerText(intel.longest),
        powerText(longestInWorkgroup(m1.workgroupBytes)),
        powerText(longestInWorkgroup(workgroupBytes)),
      ],
      ["device memory", gigabytes(intel.memoryRate), gigabytes(m1.memoryRate), `${gigabytes(largestCopy(rows)?.value?.median)}, copied`],
    ],
  };
}

const sectionTitles: Readonly<Record<MemorySection, string>> = {
  strided: "Workgroup memory, reads of one word by stride in words",
  banks: "Workgroup memory, reads of one word by lanes of a bank (32 banks of 4 bytes assumed)",
  pairs: "Workgroup memory, reads of two words by stride in pairs of words",
  copies: "Registers and workgroup memory",
  shuffles: "Subgroup shuffles",
  barriers: "Barriers, time of one barrier of one workgroup",
  occupancy: "Arithmetic by values held and threads of a workgroup",
  groups: "Arithmetic by number of workgroups",
  "device-memory": "Device memory by footprint",
  overhead: "Overheads",
};

const atTexts: Readonly<Record<string, (value: number) => string>> = {
  bytes: bytesText,
};

const atText = (at: MemoryRow["at"]): string =>
  Object.entries(at)
    .map(([name, value]) => `${name} ${atTexts[name]?.(value) ?? value}`)
    .join(", ");

/** A value with its unit: GB/s, 10⁹ operations/s, or ns. */
function cell(quantity: MemoryRow["quantity"], value: number | undefined): string {
  if (value === undefined) return none;
  if (quantity === "seconds") return `${significant(value * 1e9)} ns`;
  return quantity === "bytes/s" ? gigabytes(value) : `${significant(value / 1e9)} Gop/s`;
}

function sectionTable(section: MemorySection, rows: readonly MemoryRow[]): ReportTable {
  return {
    title: sectionTitles[section],
    header: ["", "", "median", "quartiles", "turns"],
    rows: rows.map(({ name, at, quantity, value, why, correct }) => [
      name,
      atText(at) || none,
      correct === false ? "WRONG" : value ? cell(quantity, value.median) : (why ?? none),
      value ? `${cell(quantity, value.low)} to ${cell(quantity, value.high)}` : none,
      value ? String(value.turns) : none,
    ]),
  };
}

/** The rows whose kernels computed something else than they should. */
export const wrongMemoryRows = ({ rows }: MemoryReport): readonly MemoryRow[] => rows.filter(({ correct }) => correct === false);

const notes = (report: MemoryReport): readonly string[] => [
  ...(report.software ? ["The GPU is emulated on the processor: these numbers are those of a CPU, and say nothing about a GPU"] : []),
  ...(report.quick ? ["quick: few points and short measurements, so numbers are rough"] : []),
  "Rates are medians of turns that alternate between the rows of a section; every kernel's output was checked",
  "All rows of reads by stride, and all by bank, are one kernel with the same instructions: only the first address of each invocation differs",
  "A barrier's time is the difference between two kernels that are the same but for barriers; among many workgroups it is the device's time over all of their barriers",
  "cold: other memory is written between runs, and the time of these writes is subtracted; copies count both the bytes that are read and those that are written",
  "One Gop/s is 10⁹ fused multiplications and additions per second. WebGPU shows no registers: that values no longer fit is inferred from the rate, which has dropped below four fifths of the best",
  "held by a workgroup: the most values of all its threads for which the rate of arithmetic is at least four fifths of the best, in bytes; the registers may hold more. The longest local FFT of tier 1 follows from the limits of workgroups by the planner's numbers, which may use more threads than the paper's 256",
  "The paper does not state the stride of its strided reads; here it is the slowest of those measured",
  ...wrongMemoryRows(report).map(({ section, name, at }) => `WRONG: ${section}, ${name}, ${atText(at)}`),
];

/** Formats the report as the published tables with the measured values beside them. */
export function memoryTables(report: MemoryReport): ReportTables {
  const { device, clock, rows, published } = report;
  const sections = [...new Set(rows.map(({ section }) => section))];
  return {
    title: `Microbenchmarks of memory, registers and barriers, ${report.date.slice(0, 10)}`,
    heading: [
      `${device.id}: ${device.description}; times by the ${clock}'s clock; about ${report.seconds} s for each measurement`,
      `Published: ${published.source}`,
    ],
    tables: [
      parameterTable(report),
      measuredTable(report),
      tierTable(report),
      comparisonTable(report),
      ...sections.map((section) =>
        sectionTable(
          section,
          rows.filter((row) => row.section === section),
        ),
      ),
    ],
    notes: notes(report),
  };
}
