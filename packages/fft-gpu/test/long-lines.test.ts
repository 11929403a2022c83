/**
 * Tests rows that take more than a third of a core's workgroup memory: exchanges in windows, words left free between elements, and twiddle factors that are
 * products. Against the CPU backend: there and back, padded and kept in part, real rows, filters, and numbers of rows that leave workgroups without work.
 */
import { gate, random, randomArray } from "@dechirp/conformance";
import { elementCount, layout } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { bothDevices, filteredRows } from "./both-devices.ts";
import { distance } from "./real-lines.ts";

describe("long rows in one pass", () => {
  const { compare, each } = bothDevices();

  // Few, as compilers of software adapters take seconds for each.
  it("of 6144 points, in two windows", () => compare({ op: "fft", layout: layout("c64", [3, 6144]), axis: 1, inverse: false }, 6144));
  it("of 6561 points back, in two windows of unequal length", () =>
    compare({ op: "fft", layout: layout("c64", [3, 6561]), axis: 1, inverse: true }, 6561));
  it("of 12,500 points, in two windows", () => compare({ op: "fft", layout: layout("c64", [3, 12_500]), axis: 1, inverse: false }, 12_500));
  it("of 15,360 points back, some of whose invocations compute two butterflies at the end", () =>
    compare({ op: "fft", layout: layout("c64", [2, 15_360]), axis: 1, inverse: true }, 15_360));
  it("of 8192 points, padded and kept in part", () =>
    compare({ op: "fft", layout: layout("c64", [2, 8122]), axis: 1, n: 8192, inverse: false, keep: [5, 7892] }, 8192));
  it("of 16,384 real points back", () => compare({ op: "real-fft", layout: layout("c64", [3, 8193]), axis: 1, inverse: true }, 16_384));

  it("filtered, of 4096 points", async () => {
    const n = 4096;
    const shape = layout("c64", [3, n]);
    const input = randomArray(shape, random(n)) as Float32Array;
    const angles = randomArray(layout("f32", [n]), random(n + 1)) as Float32Array;
    const h = Float32Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? Math.cos : Math.sin)(9 * angles[i >> 1]!));
    const [wanted, got] = await each((on) => filteredRows(on, shape, input, h));
    expect(got.out).toHaveLength(2 * elementCount(shape));
    expect(distance(got.out, wanted.out), got.text).toBeLessThan(4 * gate(n, {}));
  });
});
