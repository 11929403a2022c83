/** One Gotcha file, built byte by byte: what is read from it, the line through the frequencies, and every refusal. */
import { isRadarError } from "@dechirp/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RecordedPhaseHistory } from "../src/index.ts";
import {
  type Built,
  bytesOf,
  column,
  count,
  type Field,
  historyOf,
  ramp,
  refused,
  row,
  sound,
  soundAf,
  type WholeHistory,
} from "./gotcha-builder.ts";
import { concat, Mat5, pack } from "./mat-builder.ts";
import { refusal } from "./refusal.ts";

describe("one file", () => {
  const variants: [string, Built][] = [
    ["single, as published", {}],
    ["single, big-endian, compressed", { order: "big", compressed: true }],
    ["double", { kind: "f64" }],
  ];
  it.each(variants)("is read, field by field: %s", async (_, built) => {
    const history = await historyOf(bytesOf(built), "some/data_3dsar_pass7_az012_VH.mat");
    expect(history.positions).toEqual(Float64Array.of(7000, 20, 7200, 7001, 21, 7201, 7002, 22, 7202));
    expect(history.referenceRangeMeters).toEqual(Float64Array.of(10_000, 10_001, 10_002));
    const expected = sound(3).fp as Required<Field>;
    expect(history.samples).toEqual(Float32Array.from(expected.values.flatMap((re, i) => [re, expected.imaginary[i]])));
    expect(history.azimuthRadians).toEqual(Float64Array.of(0, Math.PI / 180, (2 * Math.PI) / 180));
    expect(history.elevationRadians).toEqual(Float64Array.of(45, 46, 47).map((degrees) => (degrees * Math.PI) / 180));
    expect(history.autofocus).toEqual({ rangeMeters: Float64Array.of(0.25, 1.25, 2.25), phaseRadians: Float64Array.of(0.25, 0.5, 0.75) });
    expect([history.pass, history.polarisation, history.notes]).toEqual([7, "VH", []]);
    expect(history.frequency.count).toBe(count);
    // The step is a multiple of single's last place of 1024 Hz, so rounding shifts the whole grid equally.
    const first = built.kind === "f64" ? 9.5e9 : Math.fround(9.5e9);
    expect(Math.abs(history.frequency.firstHz - first)).toBeLessThan(1e-5);
    expect(Math.abs(history.frequency.stepHz - 1.5 * 2 ** 20)).toBeLessThan(1e-5);
  });

  it("may lack angles and autofocus, have one pulse, row or column vectors and any name", async () => {
    const fields = { th: undefined, phi: undefined, freq: row(ramp(2, 9e9, 1e6)), x: column([1]), fp: { shape: [2, 1], values: [1, 2] } };
    const history = await historyOf(
      bytesOf({ kind: "f64", fields: { ...fields, fp: { ...fields.fp, imaginary: [3, 4] } }, af: undefined }, 1),
    );
    expect(Object.keys(history).sort()).toEqual([
      "blocks",
      "close",
      "frequency",
      "name",
      "notes",
      "positions",
      "pulses",
      "referenceRangeMeters",
      "samples",
      "shape",
    ]);
    expect([history.name, history.shape]).toEqual(["Gotcha", [1, 2]]);
    expect(history.samples).toEqual(Float32Array.of(1, 3, 2, 4));
  });

  it("reads numbers that MATLAB stored as narrower integers", async () => {
    const m = new Mat5("little");
    const real = (values: number[], shape = [1, values.length]): Uint8Array => m.real("", 6, shape, { kind: "i16", values });
    const names = ["fp", "freq", "x", "y", "z", "r0"];
    const fp = m.complex("", 6, [2, 1], { kind: "i8", values: [1, -2] }, { kind: "i16", values: [300, -4] });
    const data = m.struct("data", [1, 1], names, [fp, real([100, 110]), real([1]), real([2]), real([3]), real([4])]);
    const history = await historyOf(m.file(data));
    expect(history.samples).toEqual(Float32Array.of(1, 300, -2, -4));
    expect(history).toMatchObject({ frequency: { firstHz: 100, stepHz: 10, count: 2 }, positions: Float64Array.of(1, 2, 3) });
  });
});

describe("frequencies", () => {
  const historyWith = async (values: number[], kind: "f32" | "f64", frequencies?: "fit" | "ends"): Promise<RecordedPhaseHistory> => {
    const fp = { shape: [values.length, 1], values: values.map(() => 1), imaginary: values.map(() => 1) };
    return await historyOf(bytesOf({ kind, fields: { fp, freq: column(values) } }, 1), undefined, frequencies && { frequencies });
  };
  const gridOf = async (...given: Parameters<typeof historyWith>): Promise<RecordedPhaseHistory["frequency"]> =>
    (await historyWith(...given)).frequency;

  it("state how far they are from evenly spaced, if that shows in an image", async () => {
    expect((await historyWith(ramp(424, 9.28808e9, 1_471_301.6), "f64")).notes).toEqual([]);
    // 1024 Hz over √12 in a step of 1.47 MHz, times π/√3.
    expect((await historyWith(ramp(424, 9.28808e9, 1_471_301.6), "f32")).notes).toEqual([
      expect.stringMatching(
        /^frequencies are taken as evenly spaced and differ from the stored ones by \d{3} Hz .* matches the sum over the stored frequencies to about 69 dB$/,
      ),
    ]);
    await expect(historyWith([1e9, 2e9], "f64", "middle" as "fit")).rejects.toThrow("frequencies must be fit or ends");
  });

  it("follow the least-squares line, which is less affected by float32 rounding than the line between the ends", async () => {
    for (const [n, first, step] of [
      [424, 9.28808e9, 1_471_301.6],
      [1000, 9.6e9, 123_456.7],
      // With steps of about the rounding, some neighbours are equal.
      [2000, 9.6e9, 1500.3],
      [2, 1e9, 1e6],
    ]) {
      const stored = ramp(n, first, step);
      const grid = await gridOf(stored, "f32");
      expect(grid.count).toBe(n);
      const rounded = stored.map(Math.fround);
      const squares = ({ firstHz, stepHz }: { firstHz: number; stepHz: number }): number =>
        rounded.reduce((sum, hertz, k) => sum + (hertz - (firstHz + k * stepHz)) ** 2, 0);
      // No other line is nearer to the stored frequencies.
      for (const [shift, turn] of [
        [1, 0],
        [-1, 0],
        [0, 1 / n],
        [0, -1 / n],
      ]) {
        const middle = (-turn * (n - 1)) / 2;
        expect(squares({ firstHz: grid.firstHz + shift + middle, stepHz: grid.stepHz + turn })).toBeGreaterThan(squares(grid));
      }
      // Numbers near 1e10 are rounded to 1024 Hz, so they are wrong by at most half of that.
      expect(Math.abs(grid.firstHz - first)).toBeLessThanOrEqual(512);
      expect(Math.abs(grid.stepHz - step)).toBeLessThanOrEqual(1024 / (n - 1));
      const ends = await gridOf(stored, "f32", "ends");
      expect([ends.firstHz, Math.round(ends.firstHz + (n - 1) * ends.stepHz)]).toEqual([rounded[0], rounded[n - 1]]);
    }
  });

  it("are exact to float64 rounding if stored so", async () => {
    const grid = await gridOf(ramp(424, 9.28808e9, 1_471_301.6), "f64");
    // One unit in the last place of 9.9e9 is 2^-19.
    expect(Math.abs(grid.firstHz - 9.28808e9)).toBeLessThan(2 * 2 ** -19);
    expect(Math.abs(grid.stepHz - 1_471_301.6)).toBeLessThan(2 * 2 ** -19);
  });

  it("are refused if uneven by more than the stated tolerance, and accepted below it", async () => {
    const bent = (steps: number): number[] => ramp(101, 9e9, 1e6).map((hertz, k) => (k === 40 ? hertz + steps * 1e6 : hertz));
    expect((await gridOf(bent(0.00999), "f64")).count).toBe(101);
    const error = await refusal(() => gridOf(bent(0.01001), "f64"));
    expect(error.message).toBe("x.mat: data.freq(41) must be 9040000000 ± 1.00e+4, evenly spaced, not 9040010010");
    // In single, one unit in the last place is allowed (1024 Hz here), though it is half a step.
    const rounded = (units: number): number[] =>
      ramp(101, 9.5e9, 2048).map((hertz, k) => Math.fround(hertz) + (k === 40 ? units * 1024 : 0));
    expect((await gridOf(rounded(1), "f32")).count).toBe(101);
    expect((await refusal(() => gridOf(rounded(2), "f32"))).message).toMatch(/data\.freq\(41\) must be .* ± 1\.02e\+3, evenly spaced/);
    await refusal(() => gridOf([1e9, 2e9, 4e9], "f64"));
  });

  it.each([
    ["all the same", [9e9, 9e9, 9e9], "data.freq", "ascending, not 0 Hz a step"],
    ["descending", [9.2e9, 9.1e9, 9e9], "data.freq", "ascending, not -100000000 Hz a step"],
    ["a single one", [9e9], "data.freq", "2 to 1048576 frequencies, not 1"],
    ["none", [], "data.freq", "2 to 1048576 frequencies, not 0"],
    ["NaN", [9e9, Number.NaN, 9.2e9], "data.freq(2)", "a positive number of at most 1000000000000000, not NaN"],
    ["infinite", [9e9, 9.1e9, Number.POSITIVE_INFINITY], "data.freq(3)", "a positive number of at most 1000000000000000, not Infinity"],
    ["zero", [0, 1, 2], "data.freq(1)", "a positive number of at most 1000000000000000, not 0"],
    ["beyond any radar", [1e300, 2e300, 3e300], "data.freq(1)", "a positive number of at most 1000000000000000, not 1e+300"],
  ] as [string, number[], string, string][])("are refused: %s", async (_, values, field, message) => {
    await refused(() => gridOf(values, "f64"), field, message);
  });
});

describe("a file that is wrong", () => {
  const nan = Number.NaN;
  const good = sound(3).fp as Required<Field>;
  const put = (values: number[], at: number, value: number): number[] => values.map((was, i) => (i === at ? value : was));
  const cases: [string, Built, string, string][] = [
    ["no fp", { fields: { fp: undefined } }, "data.fp", "complex [5, pulses], with at least one pulse, not absent"],
    [
      "real fp",
      { fields: { fp: { shape: [5, 3], values: good.values } } },
      "data.fp",
      "complex [5, pulses], with at least one pulse, not single [5, 3]",
    ],
    [
      "fp [pulse][frequency]",
      { fields: { fp: { ...good, shape: [3, 5] } } },
      "data.fp",
      "complex [5, pulses], with at least one pulse, not complex single [3, 5]",
    ],
    [
      "fp of three axes",
      { fields: { fp: { ...good, shape: [5, 3, 1] } } },
      "data.fp",
      "complex [5, pulses], with at least one pulse, not complex single [5, 3, 1]",
    ],
    [
      "no pulses",
      { fields: { fp: { shape: [5, 0], values: [], imaginary: [] } } },
      "data.fp",
      "complex [5, pulses], with at least one pulse, not complex single [5, 0]",
    ],
    ["NaN in fp", { fields: { fp: { ...good, imaginary: put(good.imaginary, 7, nan) } } }, "data.fp(3, 2)", "a finite float32, not NaN"],
    [
      "fp beyond float32",
      { kind: "f64", fields: { fp: { ...good, values: put(good.values, 14, 1e39) } } },
      "data.fp(5, 3)",
      "a finite float32, not 1e+39",
    ],
    ["no freq", { fields: { freq: undefined } }, "data.freq", "a real vector, not absent"],
    [
      "complex freq",
      { fields: { freq: { shape: [1, 1], values: [1], imaginary: [1] } } },
      "data.freq",
      "a real vector, not complex single [1, 1]",
    ],
    ["freq of two axes", { fields: { freq: { shape: [2, 2], values: [1, 2, 3, 4] } } }, "data.freq", "a real vector, not single [2, 2]"],
    ["no x", { fields: { x: undefined } }, "data.x", "a real vector of 3, not absent"],
    ["y too short", { fields: { y: row([1, 2]) } }, "data.y", "a real vector of 3, not single [1, 2]"],
    ["z too long", { fields: { z: column([1, 2, 3, 4]) } }, "data.z", "a real vector of 3, not single [4, 1]"],
    [
      "complex z",
      { fields: { z: { ...row([1, 2, 3]), imaginary: [1, 2, 3] } } },
      "data.z",
      "a real vector of 3, not complex single [1, 3]",
    ],
    ["NaN in x", { fields: { x: row([1, nan, 3]) } }, "data.x(2)", "a finite number, not NaN"],
    ["infinite z", { fields: { z: row([1, 2, -Infinity]) } }, "data.z(3)", "a finite number, not -Infinity"],
    ["no r0", { fields: { r0: undefined } }, "data.r0", "a real vector of 3, not absent"],
    ["NaN in r0", { fields: { r0: row([nan, 2, 3]) } }, "data.r0(1)", "a finite number, not NaN"],
    ["r0 of zero", { fields: { r0: row([1, 0, 3]) } }, "data.r0(2)", "a positive number, not 0"],
    ["th without phi", { fields: { phi: undefined } }, "data.phi", "a real vector of 3, not absent"],
    ["phi without th", { fields: { th: undefined } }, "data.th", "a real vector of 3, not absent"],
    ["NaN in th", { fields: { th: row([1, 2, nan]) } }, "data.th(3)", "a finite number, not NaN"],
    ["af of numbers", { fields: { af: row([1, 2, 3]) }, af: undefined }, "data.af", "one struct, not single [1, 3]"],
    ["half an autofocus", { af: { r_correct: row([1, 2, 3]) } }, "data.af.ph_correct", "a real vector of 3, not absent"],
    ["the other half", { af: { ph_correct: row([1, 2, 3]) } }, "data.af.r_correct", "a real vector of 3, not absent"],
    ["r_correct too short", { af: { ...soundAf(3), r_correct: row([1]) } }, "data.af.r_correct", "a real vector of 3, not single [1, 1]"],
    [
      "infinite ph_correct",
      { af: { ...soundAf(3), ph_correct: row([1, Infinity, 1]) } },
      "data.af.ph_correct(2)",
      "a finite number, not Infinity",
    ],
  ];
  it.each(cases)("is refused, naming file and field: %s", async (_, built, field, message) => {
    await refused(() => historyOf(bytesOf(built)), field, message);
  });

  it("is refused if data is absent, not a struct, or several structs", async () => {
    const m = new Mat5("little");
    const one = m.real("", 6, [1, 1], { kind: "f64", values: [1] });
    await refused(() => historyOf(m.file(m.real("other", 6, [1, 1], { kind: "u8", values: [1] }))), "data", "one struct, not absent");
    await refused(() => historyOf(m.file(m.real("data", 6, [1, 1], { kind: "u8", values: [1] }))), "data", "one struct, not double [1, 1]");
    await refused(() => historyOf(m.file(m.struct("data", [1, 2], ["fp"], [one, one]))), "data", "one struct, not struct [1, 2]");
    await refused(() => historyOf(m.file(m.struct("data", [1, 0], ["fp"], []))), "data", "one struct, not struct [1, 0]");
    await refused(() => historyOf(m.file(m.cell("data", [1, 1], [one]))), "data", "one struct, not cell [1, 1]");
    const sparse = m.struct("data", [1, 1], ["freq"], [m.matrix(5, [3, 3], "")]);
    await refused(() => historyOf(m.file(sparse)), "data.freq", "a real vector, not sparse matrix");
  });

  it("is refused before 10^12 samples are allocated", async () => {
    const m = new Mat5("little");
    const fp = m.complex("", 7, [5, 3], { kind: "f32", values: good.values }, { kind: "f32", values: good.imaginary });
    const huge = concat(fp);
    huge.set(pack("little", "i32", [1_000_000, 1_000_000]), 32);
    const freq = m.real("", 7, [5, 1], { kind: "f32", values: ramp(5, 9e9, 1e6) });
    const error = await refusal(() => historyOf(m.file(m.struct("data", [1, 1], ["fp", "freq"], [huge, freq]))));
    expect(error.fields).toMatchObject({ file: "x.mat", expected: "4000000000000 bytes of the real part" });
  });

  it("is never misread when cut at any byte or with changed bytes", async () => {
    const whole = bytesOf({}, 2);
    const tame = async (bytes: Uint8Array): Promise<WholeHistory | undefined> => {
      try {
        return await historyOf(bytes);
      } catch (error) {
        if (!isRadarError(error, "input") || error.fields.file !== "x.mat") throw error;
        return undefined;
      }
    };
    for (let length = 0; length < whole.length - 7; length++) expect(await tame(whole.subarray(0, length))).toBeUndefined();
    const changed = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.oneof(fc.constantFrom(0, 1, 0x7f, 0xff), fc.nat(255))), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(changed, async (changes) => {
        const copy = Uint8Array.from(whole);
        for (const [at, value] of changes) copy[at] = value;
        const history = await tame(copy);
        if (!history) return;
        const pulses = history.referenceRangeMeters.length;
        expect(history.samples).toHaveLength(2 * pulses * history.frequency.count);
        expect(history.positions).toHaveLength(3 * pulses);
        for (const values of [history.samples, history.positions, history.referenceRangeMeters])
          expect(values.every((value) => Number.isFinite(value))).toBe(true);
      }),
      { seed: 11, numRuns: 1000 },
    );
  });
});
