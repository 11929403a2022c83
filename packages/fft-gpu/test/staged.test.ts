/**
 * Tests short rows that pass through workgroup memory, whole or in halves, against the CPU backend: numbers of rows that fill workgroups and that do not, there and
 * back, padded, kept in part, and filtered; and real rows of twice as many points, whose half spectra are made of mirror images.
 */
import { random, randomArray } from "@dechirp/conformance";
import { layout } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { transformBody } from "../src/transform-body.ts";
import { bothDevices, filteredRows } from "./both-devices.ts";
import { distance } from "./real-lines.ts";

const { compare, each } = bothDevices();

describe.each([
  [7, "both"],
  [17, "split"],
  [21, "split"],
  [31, "split"],
  [38, "split"],
  [57, "split"],
  [47, "both"],
])("staged rows of %i points", (n, exchange) => {
  const rows = (count: number, points = n) => layout("c64", [count, points]);

  // Fewer than 65 rows have other shapes, unless an invocation has a whole row.
  it.each([1, 5, 33, 65, 96, 127, 1000])("%i of them, there and back", async (count) => {
    for (const inverse of [false, true]) {
      const text = await compare({ op: "fft", layout: rows(count), axis: 1, inverse }, n);
      if (count >= 65) expect(text).toContain(`exchange=${exchange} staged`);
    }
  });

  it("padded, and kept in part", async () => {
    await compare({ op: "fft", layout: rows(75, n - 4), axis: 1, n, inverse: false }, n);
    await compare({ op: "fft", layout: rows(97), axis: 1, inverse: false, keep: [3, n - 5] }, n);
    await compare({ op: "fft", layout: rows(97, 2), axis: 1, n, inverse: true, keep: [n - 2, 1] }, n);
  });

  it("filtered", async () => {
    const input = randomArray(rows(100), random(n)) as Float32Array;
    const h = randomArray(layout("c64", [n]), random(n + 1)) as Float32Array;
    const [wanted, got] = await each((on) => filteredRows(on, rows(100), input, h));
    expect(distance(got.out, wanted.out), got.text).toBeLessThan(4e-7);
  });
});

describe.each([
  [3, "both", "both"],
  [7, "both", "both"],
  [13, "split", "split"],
  [22, "split", "split"],
  [32, "both", "split"],
  [64, "split", "split"],
])("staged real rows of twice %i points", (half, exchange, exchangeBack) => {
  const n = 2 * half;
  const real = (count: number, points = n) => layout("f32", [count, points]);
  const spectra = (count: number, bins = half + 1) => layout("c64", [count, bins]);

  // Of 97 rows, some are in a workgroup that is not full. Longer kernels take software adapters seconds.
  it.each(half < 10 ? [5, 97, 256] : [97])("%i of them, there and back", async (count) => {
    const there = await compare({ op: "real-fft", layout: real(count), axis: 1, inverse: false }, n);
    expect(there).toMatch(new RegExp(`half-length one-pass .* exchange=${exchange} staged`));
    const back = await compare({ op: "real-fft", layout: spectra(count), axis: 1, inverse: true }, n);
    expect(back).toMatch(new RegExp(`half-length one-pass .* exchange=${exchangeBack} staged`));
  });

  it("padded, and kept in part", async () => {
    await compare({ op: "real-fft", layout: real(97, n - 3), axis: 1, n, inverse: false, keep: [1, half - 1] }, n);
    await compare({ op: "real-fft", layout: spectra(64, half - 1), axis: 1, n, inverse: true, keep: [1, n - 3] }, n);
  });

  it("kept at their ends", async () => {
    await compare({ op: "real-fft", layout: real(33), axis: 1, inverse: false, keep: [half, 1] }, n);
    await compare({ op: "real-fft", layout: spectra(64), axis: 1, n, inverse: true, keep: [2, 2] }, n);
  });
});

it("real rows of twice a prime to 47 are transformed by halves", () => {
  const limits = { workgroupBytes: 16_384, invocations: 256, storageBuffers: 8, segmentElements: () => Number.POSITIVE_INFINITY };
  for (const half of [17, 19, 23, 29, 31, 37, 41, 43, 47]) {
    const body = transformBody({ op: "real-fft", layout: layout("f32", [100, 2 * half]), axis: 1, inverse: false }, limits);
    expect(body?.text).toContain(`half-length one-pass radix=${half} threads=1`);
  }
});
