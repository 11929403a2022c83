/** Tables of positions and phases, and gathers without a device: what the integers stand for, and limits. */
import { ArrayView, createRandom, layout } from "@dechirp/core";
import { checkExpression } from "@dechirp/core/expression";
import { referenceOfExpression } from "@dechirp/core/expression/code";
import { describe, expect, it } from "vitest";
import * as interpolation from "../src/interpolation.ts";
import {
  fineBits,
  type GatherOptions,
  gatherMap,
  phaseColumns,
  positionColumns,
  positionTable,
  setLinePhase,
  setLinePositions,
} from "../src/interpolation.ts";

const random = createRandom(3);
const uniform = (low: number, high: number): number => low + (high - low) * random.uniform();

/** Calls a gather of a ramp, whose linear interpolation is the position itself, for some indices of line 0. */
function positionsOf(
  options: Omit<GatherOptions, "layout" | "samples" | "axis" | "interpolator">,
  extent: number,
  indices: number[],
  table: Uint32Array,
) {
  const far = 2 ** 27;
  const made = gatherMap({
    ...options,
    layout: layout("f64", [extent]),
    samples: layout("f64", [far]),
    axis: 0,
    interpolator: "linear",
  });
  const domain = { shape: made.shape, sources: made.sources };
  const run = referenceOfExpression(made.expression, checkExpression(made.expression, domain), domain);
  const ramp = { re: (index: number) => index, im: () => 0 } as unknown as ArrayView;
  const positions = new ArrayView(made.sources["positions"] ?? layout("u32", [table.length]), table);
  const out = new Float64Array(2);
  return indices.map((index) => {
    run({ at: [index], sources: { samples: ramp, positions }, uniforms: {} }, out);
    return out[0];
  });
}

describe("positions of lines", () => {
  it.each([
    [7, 1],
    [4096, 1],
    [4096, 3],
    [5000, 6],
    [65_536, 2],
    [65_537, 1],
    [3_000_000, 2],
    [2 ** 26, 1],
  ])("of %d indices and degree %d are those of the polynomial to a few units of 2^-18", (extent, degree) => {
    for (let trial = 0; trial < 20; trial++) {
      const coefficients = Array.from({ length: degree + 1 }, (_, m) =>
        m === 0 ? uniform(10_000, 60_000) : (m === 1 ? 1 : 0) + uniform(-1000, 1000) / extent ** m / degree,
      );
      const table = new Uint32Array(positionColumns(degree));
      setLinePositions(table, { lines: 1, extent, degree }, 0, coefficients);
      const indices = [0, 1, extent >> 1, extent - 1, Math.floor(uniform(0, extent))];
      const found = positionsOf({ positions: { kind: "polynomial", degree } }, extent, indices, table);
      for (const [i, index] of indices.entries()) {
        const wanted = coefficients.reduceRight((sum, c) => sum * index + c, 0);
        expect(Math.abs(found[i] - wanted)).toBeLessThan((3 * degree + 1) * 2 ** -fineBits);
      }
    }
  });

  it.each([
    [100, 1.3],
    [8192, 0.5],
    [8193, 1.499],
    [65_536, 2.7],
    [300_000, 0.77],
    [1_000_003, -1.3],
    [2 ** 26, 1.4999],
  ])("of %d indices a step of %d apart are right to a few units of 2^-18", (extent, step) => {
    const offset = step < 0 ? 2_000_000.3 : 5.3;
    const indices = [0, 1, 8191, 8192, extent >> 1, extent - 1].filter((index) => index < extent);
    const found = positionsOf({ positions: { kind: "affine", offset, step } }, extent, indices, new Uint32Array(1));
    for (const [i, index] of indices.entries()) expect(Math.abs(found[i] - (offset + step * index))).toBeLessThan(4 * 2 ** -fineBits);
  });

  it("are exact if they follow the index", () => {
    const table = new Uint32Array(3);
    setLinePositions(table, { lines: 1, extent: 1000, degree: 1 }, 0, [-3.25, 1]);
    expect([...table]).toEqual([2 ** 32 - 4, 0.75 * 2 ** fineBits, 0]);
  });

  it("are refused if they differ too much from the index, and fit with fewer bits", () => {
    const table = new Uint32Array(3);
    const steep = [0, 4];
    const line = { lines: 1, extent: 4096, degree: 1 };
    expect(() => setLinePositions(table, line, 0, steep)).toThrow(expect.objectContaining({ code: "limit" }));
    setLinePositions(table, { ...line, bits: 14 }, 0, steep);
    const positions = { kind: "polynomial", degree: 1, bits: 14 } as const;
    expect(positionsOf({ positions }, 4096, [0, 1, 4095], table)).toEqual([0, 4, 4 * 4095]);
  });

  it.each([
    ["line", { lines: 2, extent: 9, degree: 1 }, 2, [0, 1], 6],
    ["degree", { lines: 1, extent: 9, degree: 0 }, 0, [0], 2],
    ["degree", { lines: 1, extent: 9, degree: 7 }, 0, [0], 9],
    ["extent", { lines: 1, extent: 0, degree: 1 }, 0, [0], 3],
    ["bits", { lines: 1, extent: 9, degree: 1, bits: 25 }, 0, [0], 3],
    ["table", { lines: 1, extent: 9, degree: 1 }, 0, [0, 1], 4],
    ["coefficients", { lines: 1, extent: 9, degree: 1 }, 0, [0, 1, 2], 3],
    ["coefficients", { lines: 1, extent: 9, degree: 1 }, 0, [Number.NaN], 3],
  ] as const)("name a wrong %s", (field, shape, line, coefficients, size) => {
    const call = () => setLinePositions(new Uint32Array(size), shape, line, coefficients);
    expect(call).toThrow(expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) }));
  });
});

describe("positions of a table", () => {
  it("are rounded to 2^-18", () => {
    const wanted = Float64Array.from({ length: 100 }, () => uniform(0, 8000));
    const table = positionTable(wanted, [100], 0);
    const indices = Array.from({ length: 100 }, (_, i) => i);
    const found = positionsOf({ positions: { kind: "table" } }, 100, indices, table);
    for (const i of indices) expect(Math.abs(found[i] - wanted[i])).toBeLessThanOrEqual(2 ** (-fineBits - 1) + 1e-9);
  });

  it("must fit", () => {
    expect(() => positionTable([8193], [1], 0)).toThrow(expect.objectContaining({ code: "limit" }));
    expect(() => positionTable([1], [2], 0)).toThrow(expect.objectContaining({ code: "input" }));
    expect(() => positionTable([Number.NaN], [1], 0)).toThrow(expect.objectContaining({ code: "limit" }));
  });
});

describe("phases of lines", () => {
  it.each([1, 2, 3])("of degree %d are right to 2^-31 cycles and the rest of the last coefficient", (degree) => {
    const extent = 5000;
    const coefficients = Array.from({ length: degree + 1 }, (_, m) => uniform(-1e7, 1e7) / extent ** m);
    const table = new Uint32Array(phaseColumns(degree));
    setLinePhase(table, { lines: 1, extent, degree }, 0, coefficients);
    for (const index of [0, 1, 77, 4999]) {
      const scaled = BigInt(index);
      let sum = BigInt(table[0]) << 16n;
      for (let m = 1; m <= degree; m++) sum += ((BigInt(table[2 * m - 1]) << 16n) + BigInt(table[2 * m])) * scaled ** BigInt(m);
      const off = Number(BigInt.asIntN(48, sum)) / 2 ** 48 - coefficients.reduceRight((all, c) => all * index + c, 0);
      const tolerance = 2 ** -31 + degree * 2 ** -48 * index ** degree + 1e7 * 2 ** -50;
      expect(Math.abs(off - Math.round(off))).toBeLessThan(tolerance);
    }
  });
});

it("offers these values", () => {
  expect(Object.keys(interpolation).sort()).toMatchInlineSnapshot(`
    [
      "bandErrorDb",
      "checkInterpolator",
      "defaultPhases",
      "fineBits",
      "gather",
      "gatherMap",
      "gatherSources",
      "gathered",
      "interpolationErrorDb",
      "interpolatorBeta",
      "interpolatorPolynomials",
      "interpolatorTable",
      "interpolatorTaps",
      "knabBeta",
      "maxGatheredExtent",
      "maxTurnedExtent",
      "phaseColumns",
      "positionColumns",
      "positionExpression",
      "positionTable",
      "setLinePhase",
      "setLinePositions",
    ]
  `);
});
