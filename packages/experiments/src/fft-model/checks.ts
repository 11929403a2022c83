/** Checks of what the model is given: parameters of devices, reports, limits. Each throws one `input` error that names the field. */
import { inputError } from "@dechirp/core";
import * as v from "valibot";
import type { MemoryReport } from "../memory/report.ts";
import { parseBy, positive, size, subgroups } from "../schema.ts";
import type { ModelParameters } from "./parameters.ts";

const seconds = v.pipe(v.number(), v.finite(), v.minValue(0));
const rates = v.pipe(v.array(v.looseObject({ at: positive, rate: positive })), v.minLength(1));
const features = v.array(v.string());
const matrices = v.array(v.looseObject({ componentType: v.string(), resultComponentType: v.string(), M: size, N: size, K: size }));
const limits = { workgroupBytes: size, invocations: size, subgroups: v.optional(subgroups) };

const parameters = v.strictObject({
  name: v.string(),
  source: v.picklist(["measured", "published", "scaled"]),
  notes: v.array(v.string()),
  ...limits,
  features,
  matrices: v.optional(matrices),
  deviceMemory: rates,
  workgroupMemory: rates,
  shuffleRate: v.optional(positive),
  arithmeticRate: positive,
  sineRate: v.optional(positive),
  matrixRate: v.optional(positive),
  cacheRate: v.optional(positive),
  barrierSeconds: seconds,
  dispatchSeconds: seconds,
  parallelGroups: positive,
} satisfies Record<keyof ModelParameters, v.GenericSchema>);

/** Throws `input` if a device can't have these parameters. */
export function checkParameters(value: ModelParameters): void {
  parseBy(parameters, value, "parameters", "a parameter of the model");
}

const report = v.looseObject({
  device: v.looseObject({ description: v.string() }),
  limits: v.looseObject(limits),
  rows: v.array(v.looseObject({ section: v.string(), name: v.string(), at: v.record(v.string(), v.number()) })),
});

/** Throws `input` if it is not a report of the microbenchmarks. */
export function checkReport(value: MemoryReport): void {
  parseBy(report, value, "report", "a value of a report of the microbenchmarks");
}

/** Throws `input` if these are not features and products of matrices. */
export function checkAbilities(value: Partial<Pick<ModelParameters, "features" | "matrices">>): void {
  parseBy(
    v.looseObject({ features: v.optional(features), matrices: v.optional(matrices) }),
    value,
    "abilities",
    "what a device is able to do",
  );
}

/** Throws `input` unless a workgroup with these limits holds two elements. */
export function checkLimits(value: {
  readonly workgroupBytes: number;
  readonly elementBytes?: number;
  readonly invocations: number;
}): void {
  const { workgroupBytes, elementBytes = 8 } = parseBy(
    v.looseObject({ ...limits, elementBytes: v.optional(size) }),
    value,
    "limits",
    "a limit of a workgroup",
  );
  if (workgroupBytes < 2 * elementBytes) throw inputError("workgroupBytes", "room for two elements", workgroupBytes);
}
