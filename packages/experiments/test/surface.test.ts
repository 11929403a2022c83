/** Tests the exports of the package. A change here is a change for its users. */
import { expect, it } from "vitest";
import * as experiments from "../src/index.ts";
import * as schedules from "../src/schedules.ts";
import * as tables from "../src/tables.ts";
import * as timing from "../src/timing.ts";

it("exports these experiments", () => {
  expect(Object.keys(experiments).sort()).toMatchInlineSnapshot(`
    [
      "appleM1",
      "appleM4Max",
      "backprojectionExperiment",
      "backprojectionPlots",
      "backprojectionTables",
      "censusOf",
      "circlePulses",
      "compareWithModel",
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
      "longestInRegisters",
      "longestInWorkgroup",
      "memoryExperiment",
      "memoryPlots",
      "memorySections",
      "memoryTables",
      "minEfaSnrDb",
      "modelParameters",
      "openEfaChain",
      "openPulseBlock",
      "patchErrorDb",
      "predictFft",
      "publishedEfa",
      "publishedMemory",
      "radixTable",
      "readFftResult",
      "realtimeExperiment",
      "realtimePlots",
      "realtimeTables",
      "reportMarkdown",
      "squareGrid",
      "startFftw",
      "synthesize",
      "targetOutcomes",
      "targetTable",
      "uploadEfaBuffers",
      "writeFftResult",
      "wrongEfaRows",
      "wrongFftRows",
      "wrongMemoryRows",
      "wrongRealtimeRows",
    ]
  `);
});

it("exports these tables", () => {
  expect(Object.keys(tables).sort()).toEqual(["decimals", "reportMarkdown", "tableMarkdown"]);
});

it("exports this for measurements and for task sets", () => {
  expect([Object.keys(timing).sort(), Object.keys(schedules).sort()]).toEqual([
    ["median", "quantile", "timeRuns", "warmUp"],
    ["bindingTexts", "boundsByRho", "boundsByTasks", "nameText", "simulatedResponses", "sizesText", "throughputByRho", "verdict"],
  ]);
});
