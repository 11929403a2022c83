/** What the package offers: a change here is a change for its users. */
import { expect, it } from "vitest";
import * as processor from "../src/index.ts";

it("offers these values", () => {
  expect(Object.keys(processor).sort()).toMatchInlineSnapshot(`
    [
      "amfLine",
      "backprojectRecording",
      "backprojectionFormat",
      "backprojectionVersion",
      "createClock",
      "deviceReport",
      "expectedTargets",
      "focusRecording",
      "focusWork",
      "frequenciesFor",
      "measureImage",
      "measureTargets",
      "parseReport",
      "planProjection",
      "planStap",
      "processStap",
      "projectionWork",
      "reportFormat",
      "reportSchema",
      "reportVersion",
      "settingOf",
      "simulateRecording",
      "stapFormat",
      "stapPresets",
      "stapVersion",
      "stapWork",
      "theoryOf",
    ]
  `);
});
