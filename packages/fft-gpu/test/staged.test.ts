/**
 * Tests short rows that pass through workgroup memory, whole or in halves, against the CPU backend: numbers of rows that fill workgroups and that do not, there and
 * back, padded, kept in part, and filtered.
 */
import { random, randomArray } from "@dechirp/conformance";
import { layout } from "@dechirp/core";
import { describe, expect, it } from "vitest";
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

  // Fewer than 65 rows have other shapes.
  it.each([65, 96, 127, 1000])("%i of them, there and back", async (count) => {
    for (const inverse of [false, true]) {
      const text = await compare({ op: "fft", layout: rows(count), axis: 1, inverse }, n);
      expect(text).toContain(`exchange=${exchange} staged`);
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
