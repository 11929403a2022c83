/** What `transform` refuses. What it computes is tested on every device by the conformance kit (the suite "one call"). */
import { describe, expect, test } from "vitest";
import { transform } from "../src/index.ts";
import { fake, taker } from "./fake.ts";

const data = new Float32Array(16);
const fails = (): never => {
  throw new Error("not to be read");
};
const thrower = new Proxy([], { get: fails, getPrototypeOf: fails });
const { proxy: revoked, revoke } = Proxy.revocable([], {});
revoke();
const wrong = [null, "16", Number.NaN, true, 16n, {}, new Set([0]), () => 0, Symbol("x"), Int32Array.of(0), [], [0.5], ["0"], [null]];
// biome-ignore lint/suspicious/noSparseArray: holes are what is tested
const unreadable = [[,], [, 0], thrower, revoked];

const refused = (options: object, code: string, field: string): Promise<void> =>
  expect(transform(fake({ rules: [taker("fft", [])] }).device, data, options as never)).rejects.toMatchObject({
    name: "RadarError",
    code,
    fields: { field },
  });

describe("transform refuses by the name of the option", () => {
  test("shapes that are no lists of positive integers", async () => {
    for (const shape of [undefined, 16, ...wrong, ...unreadable, [0], [-16], [Number.POSITIVE_INFINITY]])
      await refused({ shape }, "input", "shape");
  });

  test("axes that are no lists of different axes", async () => {
    for (const axes of [0, ...wrong, ...unreadable, [1], [-1], [0, 0], [0, -0]]) await refused({ shape: [16], axes }, "input", "axes");
  });

  test("options that it does not have", async () => {
    for (const field of ["axis", "inPlace", "uniforms"]) await refused({ shape: [16], [field]: true }, "input", field);
  });

  test("units, signals and devices that can't be read", async () => {
    for (const units of unreadable) await refused({ shape: [16], units }, "layout", "units");
    for (const signal of [thrower, revoked]) await refused({ shape: [16], signal }, "layout", "signal");
    for (const device of [thrower, revoked])
      await expect(transform(device as never, data, { shape: [16] })).rejects.toMatchObject({
        code: "layout",
        fields: { field: "device" },
      });
  });
});

test("a shape that changes while transform plans has no effect", async () => {
  const { device } = fake();
  const shape = [2, 4];
  const axes = [1];
  const running = transform(device, data, { shape, axes }).then(
    () => undefined,
    (error) => error.message,
  );
  shape[1] = 5;
  axes[0] = 7;
  expect(await running).toBe("device fake can't do fft c64[2, 4] axis=1 n=4");
});
