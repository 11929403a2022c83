/**
 * Guards against losing speed, by ratios to other libraries in turns of one run instead of times. The bounds are far below what an idle
 * machine shows (7 times fft.js, 1.4 times pffft-wasm), so that noise does not make a test fail.
 */
import { describe, expect, test } from "vitest";
import { ours, randomBatch } from "../src/cases/fft.ts";
import { measuresCase } from "../src/cases/measures.ts";
import { type Batch, fftJs, pffft } from "../src/peers.ts";
import { type Contender, runCase } from "../src/runner.ts";

/** How many times as fast as a peer our transforms are, as a geometric mean over lengths. Also checks our error. */
async function ratio(peer: (batch: Batch) => Contender | string | Promise<Contender | string>): Promise<number> {
  const lengths = [1024, 4096, 16384];
  let product = 1;
  for (const n of lengths) {
    const batch = randomBatch(n, 2 ** 18 / n);
    const other = await peer(batch);
    if (typeof other === "string") throw new Error(other);
    const contenders = [await ours(batch), other];
    const setUp = async () => ({ contenders });
    const { rows } = await runCase({ name: "guard", flops: 0, errorKind: "", setUp }, { windows: 9, windowMilliseconds: 10 });
    for (const { error } of rows) expect(error).toBeLessThan(2 ** -23 * Math.sqrt(Math.log2(n)));
    product *= rows[1].milliseconds / rows[0].milliseconds;
  }
  return product ** (1 / lengths.length);
}

// Three failures in a row are not noise.
describe("one unit of the CPU device", { retry: 2 }, () => {
  test("is at least 4 times as fast as fft.js", async () => expect(await ratio(fftJs)).toBeGreaterThanOrEqual(4));
  test("is at least as fast as pffft-wasm", async () => expect(await ratio(pffft)).toBeGreaterThanOrEqual(1));
});

// Waking others took 15 times as long as such a transform on one unit, before units were chosen by measured cost.
describe("a device with four units", { retry: 2 }, () => {
  test.each([1, 4])("takes at most three times the time of one unit for %d lines of 1024 points", async (lines) => {
    const batch = randomBatch(1024, lines);
    const contenders = [await ours(batch, 4), await ours(batch)];
    const setUp = async () => ({ contenders });
    const { rows } = await runCase({ name: "guard", flops: 0, errorKind: "", setUp }, { windows: 9, windowMilliseconds: 10 });
    for (const { error } of rows) expect(error).toBeLessThan(2 ** -23 * Math.sqrt(10));
    expect(rows[0].milliseconds / rows[1].milliseconds).toBeLessThanOrEqual(3);
  });
});

// An idle machine of two cores shows about 4 and 2.
describe("entropy, contrast and quicklook of a focused image", { retry: 2, timeout: 120_000 }, () => {
  test("take less time on the device than on the host, and at most 8 times that of the transform that makes the image", async () => {
    const { rows } = await runCase(measuresCase, { windows: 5, windowMilliseconds: 10 });
    const [sums, loops, transform] = rows.map(({ milliseconds }) => milliseconds);
    expect(rows[0].error).toBeLessThan(2 ** -23 * Math.sqrt(Math.log2(2048)));
    expect(loops / sums).toBeGreaterThanOrEqual(1.5);
    expect(sums / transform).toBeLessThanOrEqual(8);
  });
});
