/** What the package offers: a change here is a change for its users. */
import { expect, it } from "vitest";
import * as fft from "../src/index.ts";

it("offers these values", () => {
  expect(Object.keys(fft).sort()).toMatchInlineSnapshot(`
    [
      "gpu",
      "preferredDevice",
      "timeOnDevice",
    ]
  `);
});
