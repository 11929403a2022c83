/** The ambiguity that several blocks of a recording show together: agreement, scatter, contradictions, blocks that cannot tell. */
import { createRandom } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { type AbsoluteDoppler, type BlockAmbiguity, joinDopplerAmbiguities } from "../src/index.ts";
import { refused } from "./refused.ts";

const prfHz = 1000;

/** A block whose estimates are those given, decided as `estimateDopplerAmbiguity` does. */
function block(
  line: number,
  fractionHz: number,
  ...estimates: readonly (readonly [AbsoluteDoppler["method"], number, number])[]
): BlockAmbiguity {
  const all = estimates
    .map(([method, absoluteHz, standardErrorHz]) => ({ method, absoluteHz, standardErrorHz, blocks: 12 }))
    .sort((a, b) => a.standardErrorHz - b.standardErrorHz);
  const [{ method, absoluteHz, standardErrorHz }] = all;
  const ambiguity = Math.round((absoluteHz - fractionHz) / prfHz);
  const confident = 3 * standardErrorHz <= prfHz / 2 - Math.abs(absoluteHz - fractionHz - ambiguity * prfHz);
  return { line, fractionHz, estimate: { ambiguity, absoluteHz, standardErrorHz, confident, method, estimates: all } };
}

describe("joinDopplerAmbiguities", () => {
  it("joins blocks that could not decide alone", () => {
    const random = createRandom(3);
    let right = 0;
    for (let trial = 0; trial < 200; trial++) {
      // The fraction drifts over the recording and wraps; the ambiguity stays.
      const blocks = [0, 1, 2].map((k) => {
        const fraction = 300 + 200 * k;
        return block(k, fraction, ["range-looks", fraction - 4000 + 200 * random.gaussian(), 200]);
      });
      const joint = joinDopplerAmbiguities(blocks, prfHz);
      if (joint.confident) {
        expect(joint.ambiguity).toBe(-4);
        right++;
      }
    }
    // Three errors of 115 Hz leave 154 Hz on either side, ±1.3 standard errors, less where the blocks scatter more than they state.
    expect(right).toBeGreaterThan(80);
  });

  it("weighs by the errors, and takes the better method", () => {
    const joint = joinDopplerAmbiguities(
      [
        block(10, 0, ["range-looks", 2010, 30], ["range-walk", 3400, 900]),
        block(20, 0, ["range-looks", 2070, 60], ["range-walk", 100, Number.POSITIVE_INFINITY]),
      ],
      prfHz,
    );
    expect(joint).toMatchObject({ ambiguity: 2, confident: true, method: "range-looks", confirmedBy: [10, 20], contradictedBy: [] });
    expect(joint.offsetHz).toBeCloseTo((4 * 2010 + 2070) / 5, 9);
    expect(joint.standardErrorHz).toBeCloseTo(60 / Math.sqrt(5), 9);
  });

  it("names blocks that contradict the decision, and is not confident unless more confirm it", () => {
    const three = [
      block(10, 0, ["range-looks", 2010, 30]),
      block(20, 0, ["range-looks", 1980, 60]),
      block(30, 0, ["range-looks", 3000, 100]),
    ];
    expect(joinDopplerAmbiguities(three, prfHz)).toMatchObject({ ambiguity: 2, confirmedBy: [10, 20], contradictedBy: [30] });
    const two = joinDopplerAmbiguities([three[0], three[2]], prfHz);
    expect(two).toMatchObject({ ambiguity: 2, confident: false, contradictedBy: [30] });
    // The scatter is ten times what the blocks state.
    expect(two.standardErrorHz).toBeGreaterThan(200);
  });

  it("is not confident if another method contradicts, or if nothing is known", () => {
    const both = [0, 1, 2].map((k) => block(k, 0, ["range-looks", 2000, 20], ["range-walk", 3000, 50]));
    expect(joinDopplerAmbiguities(both, prfHz)).toMatchObject({ ambiguity: 2, confident: false });
    const nothing = [block(0, 0, ["range-looks", 5, Number.POSITIVE_INFINITY])];
    expect(joinDopplerAmbiguities(nothing, prfHz)).toMatchObject({
      ambiguity: 0,
      confident: false,
      standardErrorHz: Number.POSITIVE_INFINITY,
    });
  });

  it("refuses bad input", () => {
    const one = block(0, 0, ["range-looks", 5, 1]);
    expect(refused(() => joinDopplerAmbiguities([], prfHz))).toBe("blocks");
    expect(refused(() => joinDopplerAmbiguities([one], 0))).toBe("prfHz");
    expect(refused(() => joinDopplerAmbiguities([{ ...one, fractionHz: Number.NaN }], prfHz))).toBe("blocks[0].fractionHz");
    expect(refused(() => joinDopplerAmbiguities([null as never], prfHz))).toBe("blocks[0]");
  });
});
