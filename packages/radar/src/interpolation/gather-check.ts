/** Checks of the options of a gather, and what they say about ports and tables. */
import { inputError } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import type { GatherInterpolator, GatherOptions } from "./gather.ts";
import { maxDegree, maxGatheredExtent, maxTurnedExtent } from "./positions.ts";

const fields: FieldsOf<GatherOptions> = {
  layout: "object",
  samples: "object",
  axis: "number",
  positions: "object",
  interpolator: true,
  phase: "object",
  name: "string",
  ports: "object",
  weightType: "string",
  tuned: "object",
};

const fieldsOfPositions: Readonly<Record<string, Readonly<Record<string, true | "object">>>> = {
  affine: { kind: true, offset: true, step: true },
  polynomial: { kind: true, degree: true, lines: true, bits: true },
  table: { kind: true, lines: true, bits: true },
  expression: { kind: true, sources: "object", uniforms: "object", position: true },
};
const fieldsOfSinc = { kind: true, taps: true, window: true, beta: true, oversampling: true } as const;
const fieldsOfPorts = { samples: "string", positions: "string", weights: "string", phase: "string" } as const;
const portNames = ["samples", "positions", "weights", "phase"] as const;

/** The name of a port. */
export const port = ({ ports }: GatherOptions, name: "samples" | "positions" | "weights" | "phase"): string => ports?.[name] ?? name;

/** Whether the weights are a table at a port. */
export const isTable = (interpolator: GatherInterpolator): interpolator is { readonly taps: number; readonly phases: number } =>
  typeof interpolator === "object" && "phases" in interpolator && "taps" in interpolator;

/** Throws `input`, naming the option, unless the options of a gather are right by themselves. */
export function checkGather(options: GatherOptions): void {
  checkFields(options, fields, "options of gather");
  const { layout, samples, axis, positions, interpolator, phase } = options;
  const fail = (field: string, expected: string, actual: unknown): never => {
    throw inputError(field, expected, actual);
  };
  for (const [field, value] of Object.entries({ layout, samples }))
    if (!Array.isArray(value?.shape) || value.shape.length === 0 || !value.shape.every(Number.isInteger) || typeof value.dtype !== "string")
      fail(field, "a layout", value);
  if ((samples.dtype as string) === "u32") fail("samples", "a layout of real or complex numbers", samples);
  const rank = layout.shape.length;
  if (!Number.isInteger(axis) || axis < 0 || axis >= rank) fail("axis", `from 0 to ${rank - 1}`, axis);
  if (samples.shape.length !== rank || samples.shape.some((extent, a) => a !== axis && extent !== layout.shape[a]))
    fail("samples.shape", `that of layout but along axis ${axis}, [${layout.shape.join(", ")}]`, samples.shape);
  const isDegree = (field: string, value: unknown, low: number): unknown =>
    (Number.isInteger(value) && (value as number) >= low && (value as number) <= maxDegree) ||
    fail(field, `a whole number from ${low} to ${maxDegree}`, value);
  const hasLines = (field: string, value: unknown): unknown =>
    value === undefined || value === "each" || value === "one" || fail(field, '"each" or "one"', value);
  const isShort = (most: number): unknown => {
    const extent = layout.shape[axis];
    return extent <= most || fail("layout.shape", `at most ${most} along axis ${axis} for polynomials`, extent);
  };
  const hasBits = (bits: unknown): unknown =>
    bits === undefined ||
    (Number.isInteger(bits) && (bits as number) >= 1 && (bits as number) <= 24) ||
    fail("positions.bits", "a whole number from 1 to 24", bits);
  const kind = positions?.kind;
  if (typeof kind !== "string" || !Object.hasOwn(fieldsOfPositions, kind))
    fail("positions.kind", "affine, polynomial, table or expression", kind);
  checkFields(positions as object, fieldsOfPositions[kind], `${kind} positions`, "input", "positions.");
  switch (positions.kind) {
    case "affine":
      for (const name of ["offset", "step"] as const)
        if (!Number.isFinite(positions[name])) fail(`positions.${name}`, "a finite number", positions[name]);
      isShort(maxGatheredExtent);
      break;
    case "polynomial":
      isDegree("positions.degree", positions.degree, 1);
      hasLines("positions.lines", positions.lines);
      hasBits(positions.bits);
      isShort(maxGatheredExtent);
      break;
    case "table":
      hasLines("positions.lines", positions.lines);
      hasBits(positions.bits);
      break;
    case "expression":
      if (typeof positions.position !== "function") fail("positions.position", "a function", positions.position);
      break;
  }
  if (phase) {
    checkFields(phase, { degree: true, lines: true }, "phase", "input", "phase.");
    isDegree("phase.degree", phase.degree, 0);
    hasLines("phase.lines", phase.lines);
    isShort(phase.degree > 1 ? maxTurnedExtent : maxGatheredExtent);
  }
  if (typeof interpolator === "string") {
    if (interpolator !== "nearest" && interpolator !== "linear") fail("interpolator", "nearest, linear or an object", interpolator);
  } else if (typeof interpolator !== "object" || interpolator === null) fail("interpolator", "nearest, linear or an object", interpolator);
  else if (isTable(interpolator)) {
    const { taps: count, phases } = interpolator;
    if (!Number.isInteger(count) || count < 2 || count > 64 || count % 2 !== 0) fail("interpolator.taps", "even, from 2 to 64", count);
    if (!Number.isInteger(phases) || phases < 1 || phases > 2 ** 16) fail("interpolator.phases", "from 1 to 65536", phases);
  } else if ("polynomials" in interpolator) {
    const { polynomials } = interpolator;
    const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length >= 1 && value.length <= 32;
    if (!isList(polynomials) || !polynomials.every((list) => isList(list) && list.every(Number.isFinite)))
      fail("interpolator.polynomials", "a list of 1 to 32 lists of coefficients", polynomials);
  } else checkFields(interpolator, fieldsOfSinc, "interpolator", "input", "interpolator.");
  const { ports } = options;
  if (!ports) return;
  checkFields(ports, fieldsOfPorts, "ports", "input", "ports.");
  const names = portNames.map((name) => port(options, name));
  if (new Set(names).size < names.length) fail("ports", "names that differ", ports);
}
