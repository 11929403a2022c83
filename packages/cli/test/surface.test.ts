/** What the package offers to programs: a change here is a change for its users. */
import { expect, it } from "vitest";
import * as experiments from "../src/experiments/index.ts";
import * as cli from "../src/index.ts";

it("offers these values", () => {
  expect(Object.keys(cli).sort()).toMatchInlineSnapshot(`
    [
      "exitCodes",
      "run",
      "signalCodes",
    ]
  `);
});

it("offers these experiments", () => {
  expect(Object.keys(experiments).sort()).toMatchInlineSnapshot(`
    [
      "backprojectionExperiment",
      "backprojectionMarkdown",
      "backprojectionPlots",
      "backprojectionText",
      "circlePulses",
      "createProblem",
      "createRing",
      "createWorkload",
      "efaExperiment",
      "efaMarkdown",
      "efaPlots",
      "efaSizesText",
      "efaText",
      "fusedSarExperiment",
      "leastSnrDb",
      "openBlock",
      "openChain",
      "paperMarkdown",
      "paperText",
      "patchErrorDb",
      "placeInputs",
      "publishedEfa",
      "realtimeExperiment",
      "realtimeMarkdown",
      "realtimePlots",
      "realtimeText",
      "squareGrid",
      "wrongEfaRows",
      "wrongRealtimeRows",
    ]
  `);
});
