/**
 * The extended factored algorithm as programs for any device: as a whole, or stage by stage. Options, index rules and the arrays between
 * stages
 * are those of the float64 reference (efa/), except that covariances are never stored: the covariance stage
 * gives the means of products that they are made of (`covariancesOf` assembles them, on the host).
 */
import type { Constant, Kernel, Layout, Program, Step } from "@dechirp/core";
import { type EfaGeometry, type EfaOptions, type EfaProgramOptions, efaGeometry } from "../efa/options.ts";
import { productsKernel } from "./covariance.ts";
import { dopplerStage } from "./doppler.ts";
import { filterKernel, isFused } from "./filter.ts";
import { dopplerLayout, gainsLayout, meansLayout, steeringLayout, weightsLayout } from "./layouts.ts";
import { recipeOf, type StageName } from "./recipes.ts";
import { type SolveVariant, solveKernel } from "./solve.ts";
import { type EfaTables, efaTables, tableConstant } from "./tables.ts";
import { weightingKernel } from "./weighting.ts";

/** Outputs of the filter. */
export type EfaOutputs = {
  /** Outputs [steering][bin][range], or [bin][range] if only the largest is kept; complex ones interleaved. */
  readonly y: Float32Array;
  /** If only the largest is kept: index of the steering vector with the largest output, [bin][range]. */
  readonly strongest?: Uint32Array;
};

export interface EfaProgram extends Program<EfaOutputs & { readonly status: Uint32Array }> {
  readonly geometry: EfaGeometry;
}

/**
 * The whole algorithm as a program. Inputs: `cube` c64 [channel][pulse][range], `steering` c64 [P][n], n = channel·T + tap as `efaSteering`
 * makes
 * it. Outputs: `y` as the options say, [steering][bin][range] f32 (c64 if complex), or [bin][range] with `strongest` if only the largest is
 * kept;
 * `status` u32 [bin][group]. Status 0 means that outputs are within 40 dB of float64's; other values say what is wrong with a covariance.
 * `checkStatus` makes an error of it, `readStatus` a list. If a covariance is singular, not finite or without power, its outputs are zero.
 * If it is
 * ill-conditioned, they are as accurate as float32 allows; `precision: "f64"` gives more digits on the CPU. Samples are not checked or
 * scaled:
 * use `efaInputs`. Throws `input` naming the option.
 */
export function efa(options: EfaProgramOptions): EfaProgram {
  const geometry = efaGeometry(options);
  const parts = partsOf(geometry, options);
  const { doppler, covariance, filter, solve, weighting } = parts;
  const steps = (options.fused ?? isFused(geometry)) ? [doppler, covariance, filter()] : [doppler, covariance, solve(), weighting()];
  return {
    name: "efa",
    inputs: { cube: cubeLayout(geometry), steering: steeringLayout(geometry) },
    constants: parts.constants(...steps),
    steps,
    outputs: ["y", "status", ...(geometry.maxOverSteering ? ["strongest"] : [])],
    geometry,
  };
}

/** Each stage as a program of its own. Inputs and outputs have the names of the arrays that pass between them. */
export interface EfaStages {
  readonly geometry: EfaGeometry;
  /** `cube` c64 [channel][pulse][range] → `x` c64 [channel][bin][range]. */
  readonly doppler: Program<{ readonly x: Float32Array }>;
  /** `x` → `means` c64 [bin][set][product]: of blocks if whole blocks train, otherwise of the training of each group. */
  readonly covariance: Program<{ readonly means: Float32Array }>;
  /** `means`, `steering` c64 [P][n] → `weights` c64 [bin][group][P][n], `gains` f32 [bin][group][P], `status` u32 [bin][group]. */
  readonly solve: Program<{ readonly weights: Float32Array; readonly gains: Float32Array; readonly status: Uint32Array }>;
  /** `x`, `weights`, `gains` → `y`, and `strongest` if only the largest is kept. */
  readonly weighting: Program<EfaOutputs>;
  /** Solving and weighting in one: `x`, `means`, `steering` → `y`, `status`, and `strongest`. */
  readonly filter: Program<EfaOutputs & { readonly status: Uint32Array }>;
}

/** The stages alone, for callers who process the data between them. Throws `input` naming the option. */
export function efaStages(options: EfaOptions, variant: SolveVariant = {}): EfaStages {
  const geometry = efaGeometry(options);
  const parts = partsOf(geometry, options, variant);
  const x = dopplerLayout(geometry);
  const steering = steeringLayout(geometry);
  const means = meansLayout(geometry, parts.tables);
  const largest = geometry.maxOverSteering ? ["strongest"] : [];
  const stage = (step: Step, inputs: Readonly<Record<string, Layout>>, ...outputs: string[]): Program => ({
    name: `efa ${step.name}`,
    inputs,
    constants: parts.constants(step),
    steps: [step],
    outputs,
  });
  return {
    geometry,
    doppler: stage(parts.doppler, { cube: cubeLayout(geometry) }, "x"),
    covariance: stage(parts.covariance, { x }, "means"),
    solve: stage(parts.solve(), { means, steering }, "weights", "gains", "status"),
    weighting: stage(parts.weighting(), { x, weights: weightsLayout(geometry), gains: gainsLayout(geometry) }, "y", ...largest),
    filter: stage(parts.filter(), { x, means, steering }, "y", "status", ...largest),
  } as EfaStages;
}

const cubeLayout = ({ channels, pulses, ranges }: EfaGeometry): Layout<"c64"> => ({ dtype: "c64", shape: [channels, pulses, ranges] });

interface Parts {
  readonly tables: EfaTables;
  readonly doppler: Step;
  readonly covariance: Step;
  readonly solve: () => Step;
  readonly weighting: () => Step;
  readonly filter: () => Step;
  /** The constants that these steps bind. */
  readonly constants: (...steps: readonly Step[]) => Readonly<Record<string, Constant>>;
}

function partsOf(geometry: EfaGeometry, options: EfaOptions, variant: SolveVariant = {}): Parts {
  const tables = efaTables(geometry);
  const doppler = dopplerStage(geometry);
  const all: Readonly<Record<string, Constant>> = {
    ...doppler.constants,
    pairs: tableConstant(tables.products),
    elements: tableConstant(tables.elements),
    runs: tableConstant(tables.sets.runs),
    members: tableConstant(tables.sets.members),
  };
  const kernelStep = (name: StageName, op: Kernel): Step => ({
    name,
    op: { ...op, ...recipeOf(name, options, variant) },
    bind: Object.fromEntries(Object.keys(op.ports).map((port) => [port, port])),
  });
  return {
    tables,
    doppler: {
      name: "doppler",
      op: doppler.op,
      bind: { ...Object.fromEntries(Object.keys(doppler.constants).map((name) => [name, name])), [doppler.input]: "cube", out: "x" },
    },
    covariance: kernelStep("covariance", productsKernel(geometry, tables)),
    solve: () => kernelStep("solve", solveKernel(geometry, tables, variant)),
    weighting: () => kernelStep("weighting", weightingKernel(geometry)),
    filter: () => kernelStep("filter", filterKernel(geometry, tables)),
    constants: (...steps) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => steps.some(({ bind }) => Object.values(bind).includes(name)))),
  };
}
