/** The exports of the package. A change here is a change for its users. */
import { expect, it } from "vitest";
import * as jobs from "../src/index.ts";

it("exports these values", () => {
  expect(Object.keys(jobs).sort()).toMatchInlineSnapshot(`
    [
      "addFailure",
      "checkNotCancelled",
      "checkStoreOf",
      "chooseDivision",
      "chunkedImage",
      "createJob",
      "createTaskRunner",
      "dechirpVersion",
      "deviceOf",
      "divisionCost",
      "failureOf",
      "imageFolder",
      "imageReader",
      "isAssembled",
      "isCancellation",
      "isCancelled",
      "isGivenUp",
      "isOfStore",
      "jobFormat",
      "jobKinds",
      "jobStatus",
      "jobVersion",
      "kindOf",
      "mayRetry",
      "mostAttempts",
      "openStore",
      "openWork",
      "parseJob",
      "planJob",
      "rangesText",
      "readFailure",
      "readJob",
      "readMark",
      "runJob",
      "runTask",
      "serveTasks",
      "setAssembled",
      "setCancelled",
      "sumTiles",
      "verifyJob",
      "watchStore",
      "workerName",
      "writeImageDocuments",
    ]
  `);
});
