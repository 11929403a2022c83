/** The exports of the package. A change here is a change for its users. */
import { expect, it } from "vitest";
import * as jobs from "../src/index.ts";

it("exports these values", () => {
  expect(Object.keys(jobs).sort()).toMatchInlineSnapshot(`
    [
      "addFailure",
      "chooseDivision",
      "chunkedImage",
      "createJob",
      "createTaskRunner",
      "divisionCost",
      "failureOf",
      "imageFolder",
      "imageReader",
      "isAssembled",
      "isCancelled",
      "isGivenUp",
      "jobFormat",
      "jobKinds",
      "jobStatus",
      "jobVersion",
      "kindOf",
      "mayRetry",
      "mostAttempts",
      "openStore",
      "parseJob",
      "planJob",
      "rangesText",
      "readJob",
      "readMark",
      "resolveInputs",
      "runJob",
      "runTask",
      "serveTasks",
      "setAssembled",
      "setCancelled",
      "verifyJob",
      "writeGroupDocuments",
    ]
  `);
});
