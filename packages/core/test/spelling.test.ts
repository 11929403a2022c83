/** Tests of unknown fields: names that are close to known ones are rejected, all others accepted. */
import { describe, expect, it } from "vitest";
import { createRandom, isRadarError } from "../src/index.ts";
import { checkSpelling, type FieldsOf, nearestSpelling } from "../src/internal.ts";

interface Settings {
  readonly lines: number;
  readonly azimuthLength?: number;
  readonly src?: "on" | "off";
  readonly window?: object;
}

const fields: FieldsOf<Settings> = { lines: "number", azimuthLength: "number", src: "string", window: "object" };
const known = Object.keys(fields);

const refusal = (given: object): unknown => {
  try {
    checkSpelling({ lines: 4, ...given } as Settings, fields, "settings");
    return undefined;
  } catch (error) {
    return isRadarError(error, "input") ? error.fields : error;
  }
};

describe("checkSpelling", () => {
  it("accepts scenes with additional fields", () => {
    for (const given of [
      {},
      { name: "a", radar: {}, raw: [1], title: "b" },
      { lines: 4, azimuthLength: undefined, azimutLength: undefined },
    ])
      expect(refusal(given)).toBeUndefined();
    expect(refusal(Object.assign(Object.create(null), { seed: 7 }))).toBeUndefined();
  });

  it.each([
    ["azimutLength", "azimuthLength"],
    ["AzimuthLength", "azimuthLength"],
    ["azimuth_length", "azimuthLength"],
    ["azimuthLenght", "azimuthLength"],
    ["widnow", "window"],
    ["line", "lines"],
    ["scr", "src"],
  ])("names %s, which is %s misspelt", (name, expected) => {
    expect(refusal({ [name]: 1 })).toEqual({ field: name, expected, actual: 1 });
  });

  it("names known fields of the wrong type, and values that are not objects", () => {
    expect(refusal({ azimuthLength: "4" })).toMatchObject({ field: "azimuthLength" });
    expect(refusal({ window: null })).toMatchObject({ field: "window" });
    for (const value of [null, undefined, 7, "text", [4]])
      expect(() => checkSpelling(value as never, fields, "settings")).toThrow(/settings must be an object/);
  });

  it("is fast for many or long names", () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`other-${i}-${"x".repeat(40)}`, 1]));
    const start = process.cpuUsage();
    expect(refusal({ ...many, ["azimuthLength".repeat(20_000)]: 1 })).toBeUndefined();
    const { user, system } = process.cpuUsage(start);
    // About 50 ms of processor time. Comparing everything would take many seconds.
    expect((user + system) / 1000).toBeLessThan(2000);
  });
});

describe("nearestSpelling", () => {
  it("finds a name despite any one-letter error, and the nearest of several", () => {
    const { uniform } = createRandom(5);
    for (let turn = 0; turn < 500; turn++) {
      const name = known[Math.floor(uniform() * known.length)];
      const at = Math.floor(uniform() * name.length);
      const letter = String.fromCharCode(97 + Math.floor(26 * uniform()));
      const slips = [
        name.slice(0, at) + name.slice(at + 1),
        name.slice(0, at) + letter + name.slice(at),
        name.slice(0, at) + letter + name.slice(at + 1),
      ];
      for (const slip of slips) if (slip.length >= 3) expect(nearestSpelling(slip, known)).toBe(name);
    }
    expect(nearestSpelling("windows", ["widths", "window"])).toBe("window");
    for (const far of ["x", "", "zz", "frequency", "a".repeat(1000)]) expect(nearestSpelling(far, known)).toBeUndefined();
  });
});
