/** Tests of the error class: its brand across copies of core, its fields, and the texts of values. */
import { describe, expect, test } from "vitest";
import { asRadarError, inputError, isRadarError, messageOf, RadarError, describe as text, throwIfAborted } from "../src/errors.ts";

describe("RadarError", () => {
  test("carries code, fields and cause", () => {
    const cause = new Error("why");
    const error = new RadarError("limit", "too long", { field: "n" }, cause);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "RadarError", code: "limit", message: "too long", fields: { field: "n" }, cause });
    expect("cause" in new RadarError("limit", "no cause")).toBe(false);
  });

  test("is recognised by its brand and code, also if it comes from another copy of core", () => {
    const error = new RadarError("input", "bad");
    expect(isRadarError(error)).toBe(true);
    expect(isRadarError(error, "input")).toBe(true);
    expect(isRadarError(error, "layout")).toBe(false);
    const foreign = { [Symbol.for("dechirp.RadarError")]: true, code: "aborted", message: "from elsewhere", fields: {} };
    expect(isRadarError(foreign, "aborted")).toBe(true);
    for (const other of [new Error("input"), { code: "input" }, null, undefined, "input", 4]) expect(isRadarError(other)).toBe(false);
  });

  test("input errors name the field, the expected and the actual value", () => {
    const error = inputError("prfHz", "positive", -3);
    expect(error).toMatchObject({
      code: "input",
      message: "prfHz must be positive, not -3",
      fields: { field: "prfHz", expected: "positive", actual: -3 },
    });
  });

  test("throwIfAborted throws if the signal has fired", () => {
    expect(() => throwIfAborted(undefined, "it")).not.toThrow();
    expect(() => throwIfAborted(new AbortController().signal, "it")).not.toThrow();
    expect(() => throwIfAborted(AbortSignal.abort("enough"), "it")).toThrowError(
      expect.objectContaining({ code: "aborted", cause: "enough" }),
    );
  });
});

describe("any thrown value", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const refuse = (): never => {
    throw proxy;
  };
  const hostile = new Proxy(new Error("hidden"), { get: refuse, getPrototypeOf: refuse });
  const getter = Object.defineProperty(new Error("hidden"), "message", { get: refuse });
  const named = Object.defineProperty(() => {}, "name", { value: Symbol("name") });
  // A table in the test, because vitest would make texts of the rows of `test.each`.
  const rows: readonly (readonly [unknown, string])[] = [
    [new Error("said"), "said"],
    [new TypeError("two\n  lines"), "two lines"],
    [new TypeError(""), "TypeError"],
    ["a text", "a text"],
    ["", '""'],
    [Object.create(null), "an object"],
    [null, "null"],
    [undefined, "undefined"],
    [Symbol("s"), "Symbol(s)"],
    [proxy, "a value of type object"],
    [hostile, "a value of type object"],
    [getter, "Error"],
    [named, "a value of type function"],
    [{ message: Symbol("m") }, "Object"],
    [{ toString: refuse, message: 4 }, "Object"],
  ];
  test("becomes one RadarError with a message and the cause", () => {
    for (const [thrown, said] of rows) {
      expect(messageOf(thrown)).toBe(said);
      expect(isRadarError(thrown)).toBe(false);
      const error = asRadarError(thrown, "it");
      expect([error.code, error.message, error.fields]).toEqual(["failed", `it failed: ${said}`, { what: "it" }]);
      expect(Object.is(error.cause, thrown)).toBe(true);
      expect(asRadarError(error, "another")).toBe(error);
    }
  });
});

describe("texts of values", () => {
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  test.each<[unknown, string]>([
    ["abc", '"abc"'],
    ["x".repeat(100), `"${"x".repeat(57)}..."`],
    [1.5, "1.5"],
    [Number.NaN, "NaN"],
    [undefined, "undefined"],
    [null, "null"],
    [12n, "12"],
    [Symbol("s"), "Symbol(s)"],
    [[1, "a", [2]], '[1, "a", [2]]'],
    [Array.from({ length: 20 }, (_, i) => i), "[0, 1, 2, 3, 4, 5, 6, 7, ...]"],
    [cyclic, "[[[...]]]"],
    [new Float32Array(3), "Float32Array(3)"],
    [new DataView(new ArrayBuffer(5)), "DataView(5)"],
    [new Map(), "Map"],
    [Object.create(null), "an object"],
    [new (class {})(), "an object"],
    [JSON.parse('{"constructor":{"name":{"toString":1}}}'), "an object"],
    [JSON.parse('{"constructor":{"name":[[1]]}}'), "an object"],
    [{ constructor: { name: "x".repeat(100) } }, `${"x".repeat(57)}...`],
    [function named() {}, "function named"],
    [() => "a long body that must not be shown", "function"],
  ])("%#", (value, expected) => {
    expect(text(value)).toBe(expected);
  });
});
