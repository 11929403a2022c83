/** What the package offers to programs: a change here is a change for its users. */
import { expect, it } from "vitest";
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
