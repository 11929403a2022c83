/** Tests the exports of the package. A change here is a change for its users. */
import { expect, it } from "vitest";
import * as experiments from "../src/index.ts";
import * as tables from "../src/tables.ts";

it("exports these experiments", () => {
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

it("exports these tables", () => {
  expect(Object.keys(tables).sort()).toEqual(["decimals", "reportMarkdown", "tableMarkdown"]);
});
