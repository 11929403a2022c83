/** WGSL of interpolation weights. */
import { describe, expect, it } from "vitest";
import { weightsText } from "../src/weights-text.ts";

describe("text of polynomials", () => {
  it("writes one weight a tap", () => {
    const text = weightsText(
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      "delay",
    );
    expect(text.match(/let weight\d/g)?.sort()).toEqual(["let weight0", "let weight1", "let weight2", "let weight3"]);
    expect(text).toContain("let centred = 2.0 * (delay) - 1.0;");
  });
});
