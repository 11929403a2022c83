/**
 * Polynomials fitted to Doppler estimates that are drawn from their stated errors: standard errors that are true, outliers, errors in
 * common, and few estimates.
 */
import { createRandom } from "@dechirp/core";
import { expect, it } from "vitest";
import { type DopplerSection, fitDoppler } from "../src/index.ts";
import { refused } from "./refused.ts";

const prfHz = 1000;
const wrap = (hz: number): number => hz - prfHz * Math.round(hz / prfHz);
const meanSquare = (scores: readonly number[]): number => scores.reduce((sum, z) => sum + z * z, 0) / scores.length;
/** Slant range of a sample. */
const rangeAt = (sample: number): number => 850e3 + 4 * sample;

/** Estimates with normal errors of the deviations that they state, on a grid of 16 blocks and 8 sections. */
function drawn(hz: (line: number, range: number) => number, deviationHz: number, seed: number): DopplerSection[] {
  const random = createRandom(seed);
  return Array.from({ length: 128 }, (_, k) => {
    const [block, section] = [Math.floor(k / 8), k % 8];
    const [line, slantRangeMeters] = [block * 4000 + 500, rangeAt(1000 * section)];
    const standardDeviationHz = deviationHz * (0.5 + random.uniform());
    const fractionHz = wrap(hz(line, slantRangeMeters) + standardDeviationHz * random.gaussian());
    return { block, section, line, slantRangeMeters, fractionHz, coherence: 0.5, standardDeviationHz };
  });
}

it("states standard errors that are true, and adds a term to a constant one time in a thousand", () => {
  const scores: number[][] = [[], [], [], []];
  let wrong = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const curved = (line: number, range: number) => 460 + line / 300 + (range - 860e3) / 120 + ((range - 860e3) / 3000) ** 2;
    const fit = fitDoppler(drawn(curved, 6, seed), prfHz, { about: [20_000, 860e3] });
    expect(fit).toMatchObject({ rangeOrder: 2, azimuthOrder: 1 });
    if (!fit) continue;
    const { hz, hzPerLine, hzPerMeter, hzPerSquareMeter } = fit.polynomial;
    const errors = [wrap(hz - 460 - 20_000 / 300), hzPerLine - 1 / 300, hzPerMeter - 1 / 120, hzPerSquareMeter - 1 / 9e6];
    const { standardErrors: e } = fit;
    [e.hz, e.hzPerLine, e.hzPerMeter, e.hzPerSquareMeter].forEach((error, k) => {
      scores[k].push(errors[k] / error);
    });
    const flat = fitDoppler(
      drawn(() => -250, 6, seed + 1000),
      prfHz,
    );
    if (flat?.rangeOrder !== 0 || flat.azimuthOrder !== 0) wrong++;
  }
  // The biweight has 95 % efficiency: mean squares of 1.05, and four sigmas of 200 squares.
  for (const one of scores) expect(Math.abs(meanSquare(one) - 1.03)).toBeLessThan(4 * Math.sqrt(2 / 200) + 0.04);
  // Three terms at 0.1 % in 200 trials: 0.6 on average, more than 5 with probability 1e-4.
  expect(wrong).toBeLessThanOrEqual(5);
});

it("leaves out outliers, such as those along a coast, and counts them", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = createRandom(seed, 7);
    const hz = (line: number, range: number) => 300 + line / 200 + (range - 860e3) / 120;
    const sections = drawn(hz, 4, seed).map((one) =>
      random.uniform() < 0.2 ? { ...one, fractionHz: wrap(one.fractionHz + 60 + 800 * random.uniform()) } : one,
    );
    const outliers = sections.filter((one) => Math.abs(wrap(one.fractionHz - hz(one.line, one.slantRangeMeters))) > 55).length;
    const fit = fitDoppler(sections, prfHz, { about: [32_000, 860e3] });
    expect(fit).toMatchObject({ rangeOrder: 1, azimuthOrder: 1 });
    expect(Math.abs(wrap((fit?.polynomial.hz ?? 0) - 460))).toBeLessThan(5 * (fit?.standardErrors.hz ?? 0));
    expect(fit?.standardErrors.hz).toBeLessThan(1);
    expect(Math.abs((fit?.rejected ?? 0) - outliers)).toBeLessThanOrEqual(2);
  }
});

it("grows its errors if estimates scatter more than they state", () => {
  const sections = drawn(() => 100, 20, 3).map((one) => ({ ...one, standardDeviationHz: one.standardDeviationHz / 10 }));
  const fit = fitDoppler(sections, prfHz);
  expect(fit?.residualRatio).toBeGreaterThan(7);
  expect(fit?.residualRatio).toBeLessThan(13);
  expect(Math.abs((fit?.polynomial.hz ?? 0) - 100)).toBeLessThan(4 * (fit?.standardErrors.hz ?? 0));
  expect(fit?.standardErrors.hz).toBeGreaterThan(1);
});

it("finds no term in errors that blocks or sections have in common", () => {
  let wrong = 0;
  const scores: number[] = [];
  for (let seed = 1; seed <= 200; seed++) {
    const random = createRandom(seed, 9);
    const common = Array.from({ length: 16 }, () => 30 * random.gaussian());
    const alongAzimuth = seed % 2 === 0;
    const sections = drawn(() => 100, 4, seed).map((one) => ({
      ...one,
      fractionHz: wrap(one.fractionHz + common[alongAzimuth ? one.block : one.section]),
    }));
    const fit = fitDoppler(sections, prfHz);
    if (fit?.azimuthOrder !== 0 || fit.rangeOrder !== 0) wrong++;
    else if (alongAzimuth) scores.push((fit.polynomial.hz - 100) / fit.standardErrors.hz);
  }
  // 0.1 % of 200 tests with 14 or 6 degrees of freedom, and of two terms in range.
  expect(wrong).toBeLessThanOrEqual(5);
  // 15 degrees of freedom: t has a variance of 15/13.
  expect(meanSquare(scores)).toBeLessThan(15 / 13 + 4 * Math.sqrt(2.6 / scores.length));
  expect(meanSquare(scores)).toBeGreaterThan(0.5);
});

it("fits what there is: one block, one section, one estimate", () => {
  const all = drawn(() => 100, 4, 5);
  expect(fitDoppler(all.slice(0, 8), prfHz)).toMatchObject({ azimuthOrder: 0, used: 8 });
  expect(fitDoppler(all.slice(0, 1), prfHz)).toMatchObject({ azimuthOrder: 0, rangeOrder: 0, used: 1, rejected: 0 });
  expect(
    fitDoppler(
      all.filter(({ section }) => section === 3),
      prfHz,
    ),
  ).toMatchObject({ rangeOrder: 0, used: 16 });
  expect(fitDoppler([], prfHz)).toBeUndefined();
  // Two of 128 that differ from noise are not enough.
  const unseen = all.map((one, k) => (k < 2 ? one : { ...one, standardDeviationHz: Infinity }));
  expect(fitDoppler(unseen, prfHz)).toBeUndefined();
});

it("refuses bad input, naming the field", () => {
  const section = { block: 0, section: 0, line: 0, slantRangeMeters: 1, fractionHz: 0, coherence: 1, standardDeviationHz: 1 };
  expect(refused(() => fitDoppler([section], Number.NaN))).toBe("prfHz");
  expect(refused(() => fitDoppler([{ ...section, line: Number.NaN }], 1))).toBe("sections[0].line");
  expect(refused(() => fitDoppler([section, { ...section, standardDeviationHz: -1 }], 1))).toBe("sections[1].standardDeviationHz");
  expect(refused(() => fitDoppler([null as never], 1))).toBe("sections[0]");
  expect(refused(() => fitDoppler([section], 1, { about: [1] as never }))).toBe("options.about");
});
