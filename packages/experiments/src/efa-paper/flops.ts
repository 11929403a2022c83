/**
 * Counts the operations of each stage, for published and measured times alike: real additions and multiplications, eight per complex
 * multiply-add. For the sizes of Table I this gives, in millions: 21 (Doppler), 44 (covariance; 151 without symmetry), 190 (Gauss-Jordan)
 * or 160 (Cholesky), and 403 (weighting).
 */
import { type EfaGeometry, trainingCells } from "@dechirp/stap";
import type { StageName } from "./published.ts";

/** The number of operations of a stage for one data set. */
export function stageFlops(geometry: EfaGeometry, stage: StageName): number {
  const { channels, ranges, dopplerBins: bins, steeringVectors, order: n, sets, products, shared, solver } = geometry;
  switch (stage) {
    case "doppler":
      return 5 * channels * ranges * bins * Math.log2(bins);
    case "covariance": {
      const all = Array.from({ length: sets.groups }, (_, group) => trainingCells(sets.runs(group, 0)));
      // If training cells are whole blocks, each block is summed once.
      const cells = sets.blocks ? ranges : all.reduce((sum, count) => sum + count, 0);
      return 8 * bins * cells * (shared ? products : (n * (n + 1)) / 2);
    }
    case "solve": {
      const each = solver === "cholesky" ? (4 / 3) * n ** 3 + 8 * steeringVectors * n ** 2 : 8 * n * (n - 1) * (n + steeringVectors);
      return bins * sets.groups * each;
    }
    case "weighting":
      return 8 * bins * ranges * steeringVectors * n;
    case "filter":
      return stageFlops(geometry, "solve") + stageFlops(geometry, "weighting");
  }
}
