/** The measurements of each section, in order, as functions of a device. Each returns rows. */
import type { Device } from "@dechirp/core";
import { measureFootprint } from "./device-memory.ts";
import type { Limits } from "./limits.ts";
import { type Measured, type MeasureOptions, measuredDifference, measureProbes, spreadOf } from "./measure.ts";
import { measureOverhead } from "./overhead.ts";
import type { Probe } from "./probe.ts";
import { arithmeticProbe, shuffleProbe } from "./registers.ts";
import type { MemoryRow, MemorySection, Quantity } from "./report.ts";
import { bankAddresses, barrierProbe, exchangeProbe, readProbe, stridedAddresses, type WorkgroupSize, writeProbe } from "./workgroup.ts";

/** What a section measures on. */
export interface JobContext extends MeasureOptions {
  readonly device: Device;
  readonly limits: Limits;
  /** Fewer points of each section. */
  readonly quick: boolean;
}

/** A section's measurements. */
export interface Job {
  readonly section: MemorySection;
  readonly measure: (context: JobContext) => Promise<readonly MemoryRow[]>;
}

type At = MemoryRow["at"];

/** Number of workgroups that occupies a GPU, and the processor that emulates one. */
const busyGroups = { hardware: 2048, software: 64 } as const;
const usualThreads = 256;
/** Values that the probes by workgroups hold: enough independent ones to hide latencies, few enough for registers. */
const usualValues = 8;
const mebibyte = 2 ** 20;
/** Bytes that are written between cold runs: more than any cache. The processor's caches are smaller, and its memory slower. */
const flushBytes = { hardware: 256 * mebibyte, software: 64 * mebibyte } as const;

/** The size of workgroups of the probes of workgroup memory: up to 256 invocations and 32 KiB. */
export function workgroupSize({ workgroupBytes, invocations }: Limits, software: boolean): WorkgroupSize {
  const words = Math.min(8192, powerOfTwo(workgroupBytes / 4));
  const threads = Math.min(usualThreads, words / 32, powerOfTwo(invocations));
  return { words, threads, groups: busyGroups[software ? "software" : "hardware"] };
}

const powerOfTwo = (most: number): number => 2 ** Math.floor(Math.log2(most));
const isSoftware = ({ device }: JobContext): boolean => device.info.software === true;
const sizeOf = (context: JobContext): WorkgroupSize => workgroupSize(context.limits, isSoftware(context));

/** The row of a measurement. Rates are the amount over the time of each turn. */
function rowOf(section: MemorySection, name: string, at: At, quantity: Quantity, measured: Measured): MemoryRow {
  const row = { section, name, at, quantity };
  if ("why" in measured) return { ...row, why: measured.why };
  const { seconds, amount, correct } = measured;
  const { median, low, high, turns } = spreadOf(seconds);
  const value = quantity === "seconds" ? [median / amount, low / amount, high / amount] : [amount / median, amount / high, amount / low];
  return { ...row, value: { median: value[0], low: value[1], high: value[2], turns }, correct };
}

interface Point {
  readonly name: string;
  readonly at: At;
  readonly probe: Probe;
  /** Why the device can't run it, if it can't. */
  readonly why?: string;
}

async function probesOf(
  section: MemorySection,
  points: readonly Point[],
  quantity: Quantity,
  context: JobContext,
): Promise<readonly MemoryRow[]> {
  const measured = await measureProbes(
    context.device,
    points.filter(({ why }) => why === undefined).map(({ probe }) => probe),
    context,
  );
  let next = 0;
  return points.map(({ name, at, why }) => rowOf(section, name, at, quantity, why === undefined ? measured[next++] : { why }));
}

const strided = (context: JobContext): Promise<readonly MemoryRow[]> => {
  const size = sizeOf(context);
  const strides = context.quick ? [1, 2, 8, 17, 32] : [1, 2, 3, 4, 5, 8, 16, 17, 32, 33, 64];
  const points = strides.map((stride): Point => {
    const addresses = stridedAddresses(size.threads, size.words, stride);
    return { name: "read", at: { stride }, probe: readProbe(`reads, stride ${stride}`, size, addresses) };
  });
  return probesOf("strided", points, "bytes/s", context);
};

const byBank = (context: JobContext): Promise<readonly MemoryRow[]> => {
  const size = sizeOf(context);
  const points = (context.quick ? [1, 2, 8, 32] : [1, 2, 4, 8, 16, 32]).map((ways): Point => {
    const addresses = bankAddresses(size.threads, size.words, ways);
    return { name: "read", at: { ways }, probe: readProbe(`reads, ${ways} of a bank`, size, addresses) };
  });
  return probesOf("banks", points, "bytes/s", context);
};

const pairs = (context: JobContext): Promise<readonly MemoryRow[]> => {
  const size = sizeOf(context);
  const points = (context.quick ? [1, 8] : [1, 2, 4, 8, 16, 32]).map((stride): Point => {
    const addresses = stridedAddresses(size.threads, size.words / 2, stride);
    return { name: "read", at: { stride }, probe: readProbe(`reads of pairs, stride ${stride}`, size, addresses, 2) };
  });
  return probesOf("pairs", points, "bytes/s", context);
};

const copies = (context: JobContext): Promise<readonly MemoryRow[]> => {
  const size = sizeOf(context);
  const { threads } = size;
  return probesOf(
    "copies",
    [
      { name: "registers to workgroup memory", at: { threads }, probe: writeProbe("writes", size) },
      { name: "there and back, with barriers", at: { threads }, probe: exchangeProbe("exchanges", size) },
    ],
    "bytes/s",
    context,
  );
};

const shuffles = (context: JobContext): Promise<readonly MemoryRow[]> => {
  const { threads, groups } = sizeOf(context);
  const why = context.limits.subgroups ? undefined : "the device lacks the feature subgroups";
  const point: Point = { name: "shuffle", at: { threads }, probe: shuffleProbe("shuffles", { threads, groups }), ...(why && { why }) };
  return probesOf("shuffles", [point], "bytes/s", context);
};

async function barriers(context: JobContext): Promise<readonly MemoryRow[]> {
  const { groups: many } = sizeOf(context);
  const rows: MemoryRow[] = [];
  for (const threads of (context.quick ? [256] : [64, 256, 1024]).filter((count) => count <= context.limits.invocations))
    for (const groups of [1, many]) {
      const size = { threads, groups };
      const probes = [barrierProbe("barriers", size, true), barrierProbe("no barriers", size, false)];
      const [with_, without] = await measureProbes(context.device, probes, context);
      const name = groups === 1 ? "one workgroup" : "many workgroups";
      rows.push(rowOf("barriers", name, size, "seconds", differenceOf(with_, without)));
    }
  return rows;
}

/** The time of what the first probe does more often than the second. Their rounds may differ, so both are counted for one of them. */
function differenceOf(more: Measured, less: Measured): Measured {
  if ("why" in more) return more;
  if ("why" in less) return less;
  const base = spreadOf(less.seconds).median / less.amount;
  const seconds = more.seconds.map((time) => time / more.amount - base);
  return measuredDifference(seconds, 1, more.correct && less.correct);
}

const occupancy = (context: JobContext): Promise<readonly MemoryRow[]> => {
  const invocations = busyGroups[isSoftware(context) ? "software" : "hardware"] * usualThreads;
  const threadCounts = context.quick ? [64, 256, 1024] : [32, 64, 128, 256, 512, 1024];
  const valueCounts = context.quick ? [8, 64] : [4, 8, 16, 32, 64, 128, 256];
  const points = threadCounts.flatMap((threads) =>
    valueCounts.map((values): Point => {
      const size = { threads, groups: Math.max(1, invocations / threads), values };
      const why =
        threads > context.limits.invocations
          ? `the device has at most ${context.limits.invocations} invocations of a workgroup`
          : undefined;
      return {
        name: "arithmetic",
        at: { threads, values },
        probe: arithmeticProbe(`${values} values, ${threads} threads`, size),
        ...(why && { why }),
      };
    }),
  );
  return probesOf("occupancy", points, "operations/s", context);
};

const byGroups = (context: JobContext): Promise<readonly MemoryRow[]> => {
  const { threads } = sizeOf(context);
  const counts = context.quick ? [1, 4, 16, 64, 256] : Array.from({ length: 12 }, (_, i) => 2 ** i);
  const points = counts.map((groups): Point => {
    const probe = arithmeticProbe(`${groups} workgroups`, { threads, groups, values: usualValues });
    return { name: "arithmetic", at: { groups, threads, values: usualValues }, probe };
  });
  return probesOf("groups", points, "operations/s", context);
};

async function deviceMemory(context: JobContext): Promise<readonly MemoryRow[]> {
  const { device, limits, quick } = context;
  const sizes = quick ? [1, 4, 16, 64] : Array.from({ length: 11 }, (_, i) => 2 ** i);
  const most = powerOfTwo(limits.arrayBytes);
  const flush = Math.min(most, flushBytes[isSoftware(context) ? "software" : "hardware"]);
  const rows: MemoryRow[] = [];
  for (const size of sizes) {
    const bytes = size * mebibyte;
    const why = { why: `arrays have at most ${most / mebibyte} MiB` };
    const fits = { copy: bytes / 2 <= most, read: bytes <= most };
    const measured = fits.copy || fits.read ? await measureFootprint(device, { bytes, flushBytes: flush, fits }, context) : [];
    for (const access of ["copy", "read"] as const) {
      const found = measured.find((one) => one.access === access);
      rows.push(rowOf("device-memory", `${access}, hot`, { bytes }, "bytes/s", found?.hot ?? why));
      rows.push(rowOf("device-memory", `${access}, cold`, { bytes }, "bytes/s", found?.cold ?? why));
    }
  }
  return rows;
}

async function overhead(context: JobContext): Promise<readonly MemoryRow[]> {
  const { dispatch, queue, submission } = await measureOverhead(context.device, context);
  return [
    rowOf("overhead", "dispatch among others", {}, "seconds", dispatch),
    rowOf("overhead", "queueing a run, on the host", {}, "seconds", queue),
    rowOf("overhead", "submission, until the host knows", {}, "seconds", submission),
  ];
}

/** All sections. */
export const jobs: readonly Job[] = [
  { section: "strided", measure: strided },
  { section: "banks", measure: byBank },
  { section: "pairs", measure: pairs },
  { section: "copies", measure: copies },
  { section: "shuffles", measure: shuffles },
  { section: "barriers", measure: barriers },
  { section: "occupancy", measure: occupancy },
  { section: "groups", measure: byGroups },
  { section: "device-memory", measure: deviceMemory },
  { section: "overhead", measure: overhead },
];
