/** What the package offers: a change here is a change for its users. */
import { expect, it } from "vitest";
import * as realtime from "../src/index.ts";
import * as reports from "../src/reports/index.ts";
import * as transforms from "../src/transforms/index.ts";

it("offers these values", () => {
  expect(Object.keys(realtime).sort()).toMatchInlineSnapshot(`
    [
      "analyse",
      "bestEffort",
      "bestRho",
      "checkTaskSet",
      "chunkBound",
      "chunked",
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
      "measure",
      "microseconds",
      "modulations",
      "mutants",
      "ownerWords",
      "partitionBound",
      "permittedSizes",
      "profile",
      "profileSlots",
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
      "simulate",
      "simulateSteps",
      "slotBound",
      "statistics",
      "summarise",
      "taskCopies",
      "taskSizes",
      "traceFaultSteps",
      "traceFaults",
      "waitBound",
    ]
  `);
});

it("offers these values for transforms and for reports", () => {
  expect([Object.keys(transforms).sort(), Object.keys(reports).sort()]).toMatchInlineSnapshot(`
    [
      [
        "chunks",
        "createTransforms",
        "inputsOfKind",
        "measureRight",
        "observedTimes",
        "pool",
        "slots",
        "smaller",
        "waysOf",
      ],
      [
        "analyseTasks",
        "checkRunTasks",
        "kindOf",
        "mostFaults",
        "policyTexts",
        "runTasks",
        "simulateTasks",
        "withRho",
      ],
    ]
  `);
});
