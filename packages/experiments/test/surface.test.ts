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
      "createBackprojectionWorkload",
      "createEfaProblem",
      "createNoiseSamples",
      "efaExperiment",
      "efaPlots",
      "efaSections",
      "efaTables",
      "fftPaperExperiment",
      "fftPaperPlots",
      "fftPaperTables",
      "fftSections",
      "formatEfaSizes",
      "fusedSarExperiment",
      "fusedSarTables",
      "minEfaSnrDb",
      "openEfaChain",
      "openPulseBlock",
      "patchErrorDb",
      "publishedEfa",
      "publishedFft",
      "readFftResult",
      "realtimeExperiment",
      "realtimePlots",
      "realtimeTables",
      "reportMarkdown",
      "squareGrid",
      "startFftw",
      "targetOutcomes",
      "targetTable",
      "uploadEfaBuffers",
      "writeFftResult",
      "wrongEfaRows",
      "wrongFftRows",
      "wrongRealtimeRows",
    ]
  `);
});

it("exports these tables", () => {
  expect(Object.keys(tables).sort()).toEqual(["decimals", "reportMarkdown", "tableMarkdown"]);
});
