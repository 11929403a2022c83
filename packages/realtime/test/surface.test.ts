/** Tests the exports of the package. A change here is a change for its users. */
import { expect, it } from "vitest";
import * as realtime from "../src/index.ts";
import * as reports from "../src/reports/index.ts";
import * as transforms from "../src/transforms/index.ts";

it("exports these values", () => {
  expect(Object.keys(realtime).sort()).toMatchInlineSnapshot(`
    [
      "analyseTaskSet",
      "bestEffort",
      "bestRho",
      "brokenSchedulers",
      "checkTaskSet",
      "chunkBound",
      "constellation",
      "cpuPool",
      "createUnitLock",
      "defaultRho",
      "exampleSet",
      "exampleWcet",
      "gpuChunks",
      "gpuSlots",
      "grantSize",
      "maxTraceJobs",
      "maxUnits",
      "measureResponses",
      "microseconds",
      "modulations",
      "ownerWords",
      "partitionBound",
      "permittedSizes",
      "planChunkedTransform",
      "profileSlots",
      "profileTask",
      "publishedGpus",
      "publishedResponses",
      "publishedRho",
      "publishedSpeedupOfTen",
      "radioSignalSteps",
      "radioSignals",
      "recommendRho",
      "responseBound",
      "rhoCandidates",
      "rhoSweep",
      "rhoSweepSteps",
      "simulateTaskSet",
      "simulateTaskSetSteps",
      "slotBound",
      "summariseTrace",
      "taskCopies",
      "taskSizes",
      "timeStatistics",
      "traceFaultSteps",
      "traceFaults",
      "waitBound",
    ]
  `);
});

it("exports these values for transforms and for reports", () => {
  expect([Object.keys(transforms).sort(), Object.keys(reports).sort()]).toMatchInlineSnapshot(`
    [
      [
        "chunkWay",
        "createTransforms",
        "inputsOfKind",
        "measureAndVerify",
        "observedTimes",
        "poolWay",
        "slotWay",
        "smallerBound",
        "waysOf",
      ],
      [
        "analyseTasks",
        "checkRunTasks",
        "faultTexts",
        "maxFaults",
        "policyTexts",
        "runTasks",
        "simulateTasks",
        "taskFields",
        "taskSetFields",
        "traceCsv",
        "withRho",
        "workKind",
      ],
    ]
  `);
});
