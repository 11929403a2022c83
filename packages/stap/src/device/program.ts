/**
 * The extended factored algorithm as a program for any device: Doppler, products, solve, weighting. The same options and index rules
 * as the float64 reference (efa/), stage by stage the same arrays, but for covariances, which never lie in memory: the solve
 * stage puts them together from products.
 */
import type { Constant, Layout, Program, Step } from "@dechirp/core";
import { type EfaGeometry, type EfaOptions, efaGeometry } from "../efa/options.ts";
import { productsKernel } from "./covariance.ts";
import { dopplerStage } from "./doppler.ts";
import { solveKernel } from "./solve.ts";
import { elementTable, productTable, runTable, tableConstant } from "./tables.ts";
import { weightingKernel } from "./weighting.ts";

export interface EfaProgram extends Program<{ readonly y: Float32Array; readonly status: Uint32Array }> {
  readonly geometry: EfaGeometry;
}

/**
 * Inputs: `cube` c64 [channel][pulse][range], `steering` c64 [P][n], n = channel·T + tap as `efaSteering` makes it. Outputs: `y` as the
 * options say, [steering][bin][range] f32 (c64 where complex) or [bin][range] with `strongest` where only the largest is kept; `status`
 * u32 [bin][group], 0 or the row, from 1, at which a covariance was not positive definite: `checkStatus` makes an error of it.
 * Throws `input` naming the option.
 */
export function efa(options: EfaOptions): EfaProgram {
  const geometry = efaGeometry(options);
  const { channels, pulses, ranges, steeringVectors, order, maxOverSteering } = geometry;
  const [products, elements, runs] = [productTable(geometry), elementTable(geometry), runTable(geometry)];
  const doppler = dopplerStage(geometry);
  const cube: Layout<"c64"> = { dtype: "c64", shape: [channels, pulses, ranges] };
  const constants: Record<string, Constant> = {
    ...doppler.constants,
    pairs: tableConstant(products),
    elements: tableConstant(elements),
    runs: tableConstant(runs),
  };
  const bound = (...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, name]));
  const steps: readonly Step[] = [
    {
      name: "doppler",
      op: doppler.op,
      bind: { [doppler.input]: "cube", ...bound(...Object.keys(doppler.constants)), out: "x" },
    },
    { name: "covariance", op: productsKernel(geometry, products, runs), bind: bound("x", "pairs", "runs", "means") },
    {
      name: "solve",
      op: solveKernel(geometry, products, elements),
      bind: bound("means", "elements", "steering", "weights", "gains", "status"),
    },
    {
      name: "weighting",
      op: weightingKernel(geometry),
      bind: bound("x", "weights", "gains", "y", ...(maxOverSteering ? ["strongest"] : [])),
    },
  ];
  return {
    name: "efa",
    inputs: { cube, steering: { dtype: "c64", shape: [steeringVectors, order] } },
    constants,
    steps,
    outputs: ["y", "status", ...(maxOverSteering ? ["strongest"] : [])],
    geometry,
  };
}
