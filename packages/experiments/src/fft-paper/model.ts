/** What the microbenchmarks of the same run add to the experiment: Table II, and the times that the model predicts for every measured row. */

import type { ExperimentHooks, OpenDevice } from "../experiment.ts";
import { type ModelParameters, modelParameters, predictFft } from "../fft-model/index.ts";
import { memoryExperiment } from "../memory/run.ts";
import { memoryMetrics } from "../memory/tables.ts";
import { type FftRow, type MemoryFigure, ownChoice, type PredictedTime } from "./report.ts";

/** What is known of a device after its microbenchmarks. */
export interface DeviceModel {
  /** The rows of Table II. */
  readonly memory: readonly MemoryFigure[];
  /** The parameters of the model. */
  readonly parameters: ModelParameters;
}

/** Runs the microbenchmarks on a GPU. Throws as `memoryExperiment` does. */
export async function measureModel({ device }: OpenDevice, quick: boolean, hooks: ExperimentHooks): Promise<DeviceModel> {
  const report = await memoryExperiment(device, { quick }, hooks);
  return {
    memory: memoryMetrics(report).map(([metric, , value]) => ({ metric, value })),
    parameters: modelParameters(report),
  };
}

/** The predicted times of the rows that are kernels of this project and that the model can predict. */
export const predictRows = (parameters: ModelParameters, rows: readonly FftRow[]): readonly PredictedTime[] =>
  rows.flatMap(({ kind, name, n, batch, measured }) => {
    if (kind !== "own" || !measured) return [];
    const predicted = predictFft(parameters, { n, batch, ...(name !== ownChoice && { variant: name }) });
    return "seconds" in predicted ? [{ n, batch, name, milliseconds: 1e3 * predicted.seconds }] : [];
  });
