/** What the package offers: a change here is a change for its users. */
import { expect, it } from "vitest";
import * as experiments from "../src/index.ts";
import * as tables from "../src/tables.ts";

it("offers these experiments", () => {
  expect(Object.keys(experiments).sort()).toMatchInlineSnapshot(`
    [
      "backprojectionExperiment",
      "backprojectionPlots",
      "backprojectionTables",
      "circlePulses",
      "createProblem",
      "createRing",
      "createWorkload",
      "efaExperiment",
      "efaPlots",
      "efaSections",
      "efaSizesText",
      "efaTables",
      "fusedSarExperiment",
      "fusedSarTables",
      "leastSnrDb",
      "openBlock",
      "openChain",
      "patchErrorDb",
      "placeInputs",
      "publishedEfa",
      "realtimeExperiment",
      "realtimePlots",
      "realtimeTables",
      "reportMarkdown",
      "squareGrid",
      "wrongEfaRows",
      "wrongRealtimeRows",
    ]
  `);
});

it("offers these tables", () => {
  expect(Object.keys(tables).sort()).toEqual(["decimals", "reportMarkdown", "tableMarkdown"]);
});
