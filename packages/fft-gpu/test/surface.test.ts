/** Tests the exports of the package. A change here is a change for its users. */
import { expect, it } from "vitest";
import * as fft from "../src/index.ts";

it("exports these values", () => {
  expect(Object.keys(fft).sort()).toMatchInlineSnapshot(`
    [
      "generatedKernels",
      "gpu",
      "preferredDevice",
      "timeOnDevice",
      "wisdomOf",
    ]
  `);
});
