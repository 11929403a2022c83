/**
 * Parameters of devices that were not measured here: the Apple M1 of the radix-8 paper, and an M4 Max, which the paper names in its outlook
 * with two numbers only. Whatever the model says of these is a prediction.
 */
import { publishedMemory } from "../memory/published.ts";
import type { ModelParameters } from "./parameters.ts";

const { m1, measured, m4Max, barrierCycles, matrixFusedPerCycle } = publishedMemory;

/** The M1 with the published numbers. */
export const appleM1: ModelParameters = {
  name: m1.name,
  source: "published",
  notes: [
    publishedMemory.source,
    "Device memory at the bandwidth of Table I for every footprint, as the paper has no measured copy",
    "Strided reads of Table II stand for any number of lanes of a bank above one, as the paper states neither stride nor banks",
    "Arithmetic at one operation of each ALU in a cycle: additions of a butterfly do not fuse with multiplications",
    `Products of matrices of 8×8×8 float32 numbers at ${matrixFusedPerCycle} fused operations in a cycle (section V.C), taken for the rate of a core`,
    "A workgroup for each core at a time; tables cost nothing, as no rate of caches is published; no overhead of a dispatch",
  ],
  workgroupBytes: m1.workgroupBytes,
  invocations: m1.invocations,
  subgroups: [m1.subgroup, m1.subgroup],
  features: ["subgroups", "chromium-experimental-subgroup-matrix"],
  matrices: [{ componentType: "f32", resultComponentType: "f32", M: 8, N: 8, K: 8 }],
  deviceMemory: [{ at: 1, rate: m1.memoryRate }],
  workgroupMemory: [
    { at: 1, rate: measured.sequential },
    { at: 2, rate: measured.strided },
  ],
  shuffleRate: measured.shuffle,
  arithmeticRate: m1.cores * m1.fusedPerCycle * m1.clock,
  matrixRate: 2 * m1.cores * matrixFusedPerCycle * m1.clock,
  barrierSeconds: barrierCycles / m1.clock / m1.cores,
  dispatchSeconds: 0,
  parallelGroups: m1.cores,
};

/** The M4 Max: 40 cores and 546 GB/s as the paper says; all else is that of the M1's cores, times their number. */
export const appleM4Max: ModelParameters = scaledTo(appleM1, m4Max.cores / m1.cores);

function scaledTo(from: ModelParameters, factor: number): ModelParameters {
  return {
    ...from,
    name: m4Max.name,
    source: "scaled",
    notes: [
      `${m4Max.cores} cores and ${m4Max.memoryRate / 1e9} GB/s are the paper's (section IX). All other rates are the M1's times ${factor}, the ratio of cores, at the M1's clock, which is an assumption`,
      ...from.notes.slice(1),
    ],
    deviceMemory: [{ at: 1, rate: m4Max.memoryRate }],
    workgroupMemory: from.workgroupMemory.map(({ at, rate }) => ({ at, rate: factor * rate })),
    ...(from.shuffleRate !== undefined && { shuffleRate: factor * from.shuffleRate }),
    arithmeticRate: factor * from.arithmeticRate,
    ...(from.matrixRate !== undefined && { matrixRate: factor * from.matrixRate }),
    barrierSeconds: from.barrierSeconds / factor,
    parallelGroups: factor * from.parallelGroups,
  };
}
