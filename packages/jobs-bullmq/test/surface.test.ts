/** The exports of the package. A change here is a change for its users. */
import { expect, it } from "vitest";
import * as queues from "../src/index.ts";

it("exports these values", () => {
  expect(Object.keys(queues).sort()).toMatchInlineSnapshot(`
    [
      "initJobQueue",
      "openJobQueue",
    ]
  `);
});
