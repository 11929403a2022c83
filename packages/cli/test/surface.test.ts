/** The exports of the package. A change here is a change for its users. */
import { expect, it } from "vitest";
import * as cli from "../src/index.ts";

it("exports these values", () => {
  expect(Object.keys(cli).sort()).toMatchInlineSnapshot(`
    [
      "exitCodes",
      "run",
      "signalCodes",
    ]
  `);
});
