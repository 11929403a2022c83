/** Values of the wrong type for gathers, their tables, and ω-K: each must be refused by a typed error that names it. */
import { layout } from "@dechirp/core";
import { toReal } from "@dechirp/core/expression";
import * as radar from "@dechirp/radar/interpolation";
import { omegaK } from "@dechirp/sar";
import { describe, expect, it } from "vitest";
import { faultsOf, type Subject } from "./wrong-arguments.ts";

const array = layout("c64", [8, 9]);
const ends = { layout: array, samples: array, axis: 1, name: "straighten", ports: { samples: "x", phase: "turn" } } as const;
const kinds: Readonly<Record<string, () => radar.GatherMapOptions>> = {
  affine: () => ({
    ...ends,
    positions: { kind: "affine", offset: 1, step: 2 },
    interpolator: "linear",
    phase: { degree: 1, lines: "one" },
  }),
  polynomial: () => ({
    ...ends,
    positions: { kind: "polynomial", degree: 2, lines: "each", bits: 16 },
    interpolator: { kind: "sinc", taps: 4, window: "kaiser", beta: 2, oversampling: 2 },
  }),
  table: () => ({ ...ends, positions: { kind: "table", lines: "one", bits: 9 }, interpolator: { taps: 4, phases: 8 }, weightType: "f32" }),
  expression: () => ({
    ...ends,
    positions: radar.positionExpression({ sources: { p: layout("f32", [9]) }, uniforms: { u: "f32" } }, ({ at }) => toReal(at[1])),
    interpolator: { polynomials: [[1, 2], [0.5]] },
  }),
};
const lines = { lines: 2, extent: 9, degree: 1, bits: 12 };
const subjects: readonly Subject[] = [
  ...Object.entries(kinds).flatMap(([kind, options]): Subject[] =>
    [radar.gather, radar.gatherMap].map((make) => ({
      name: `${make.name} ${kind}`,
      parameters: ["options"],
      sound: () => [options()],
      call: (given) => make(given as radar.GatherMapOptions),
    })),
  ),
  {
    name: "positionTable",
    parameters: ["positions", "shape", "axis", "bits"],
    sound: () => [[1, 2, 3, 4, 5, 6], [2, 3], 1, 18],
    call: (...args) => radar.positionTable(...(args as Parameters<typeof radar.positionTable>)),
  },
  {
    name: "setLinePositions",
    parameters: ["table", "shape", "line", "coefficients"],
    sound: () => [new Uint32Array(6), lines, 1, [0.5, 1]],
    call: (...args) => radar.setLinePositions(...(args as Parameters<typeof radar.setLinePositions>)),
  },
  {
    name: "setLinePhase",
    parameters: ["table", "shape", "line", "coefficients"],
    sound: () => [new Uint32Array(6), lines, 1, [0.5, 1]],
    call: (...args) => radar.setLinePhase(...(args as Parameters<typeof radar.setLinePhase>)),
  },
  {
    name: "omegaK",
    parameters: ["params"],
    sound: () => [
      {
        radar: {
          carrierHz: 10e9,
          samplingRateHz: 500e6,
          prfHz: 270,
          chirpRateHzPerSecond: 1e15,
          pulseSeconds: 0.1e-6,
          velocityMetersPerSecond: 100,
          nearRangeMeters: 3000,
          dopplerCentroidHz: 0,
        },
        lines: 64,
        samples: 128,
        stolt: { kind: "sinc", taps: 4, window: "knab", beta: 1 },
        rangeWindow: { kind: "kaiser", beta: 2 },
        processedBandwidthHz: 100,
        precision: "f32",
        rows: "all",
      },
    ],
    call: (params) => omegaK(params as Parameters<typeof omegaK>[0]),
  },
];

describe("values of the wrong type", () => {
  it.each(subjects)("are refused by $name", async (subject) => {
    expect(await faultsOf(subject)).toEqual([]);
  });

  it("and misspelt or contradictory options", () => {
    const affine = kinds["affine"]?.() as radar.GatherMapOptions;
    for (const [field, more] of [
      ["positions.line", { positions: { kind: "polynomial", degree: 1, line: "one" } }],
      ["positions.steps", { positions: { kind: "affine", offset: 1, step: 1, steps: 2 } }],
      ["phase.line", { phase: { degree: 1, line: "one" } }],
      ["interpolator.sampling", { interpolator: { kind: "sinc", taps: 4, window: "kaiser", oversampling: 2, sampling: 2 } }],
      ["ports.sample", { ports: { sample: "x" } }],
      ["ports", { ports: { samples: "x", phase: "x" } }],
      ["interpolator.polynomials", { interpolator: { polynomials: [[1, Number.NaN]] } }],
      ["samples", { samples: layout("u32", [8, 9]) }],
    ] as const)
      expect(() => radar.gather({ ...affine, ...more } as radar.GatherOptions), field).toThrow(
        expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) }),
      );
  });
});
