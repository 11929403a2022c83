/** The exports of the package. A change here is a change for its users. */
import { expect, it } from "vitest";
import * as processor from "../src/index.ts";

it("exports these values", () => {
  expect(Object.keys(processor).sort()).toMatchInlineSnapshot(`
    [
      "amfLine",
      "angleDopplerPanels",
      "backprojectInWindows",
      "backprojectRecording",
      "backprojectionFormat",
      "backprojectionVersion",
      "backprojectionWork",
      "chosenCentroid",
      "createClock",
      "createWindowMaker",
      "deviceReport",
      "expectedTargets",
      "focusBlocks",
      "focusBytes",
      "focusInBlocks",
      "focusRecording",
      "focusWork",
      "frequenciesFor",
      "largestSquareWindow",
      "mapLines",
      "measureImage",
      "measureTargets",
      "parseReport",
      "planBackprojectedImage",
      "planFocus",
      "planImageWindows",
      "planStap",
      "processStap",
      "rangeDopplerPanels",
      "regularLines",
      "regularRecordings",
      "reportFormat",
      "reportSchema",
      "reportVersion",
      "settingOf",
      "simulateRecording",
      "stapFormat",
      "stapPresets",
      "stapVersion",
      "stapWork",
      "targetsIn",
      "theoreticalResponse",
      "timeBlock",
    ]
  `);
});
