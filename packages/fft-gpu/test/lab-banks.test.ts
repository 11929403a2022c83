/** Tests the addresses in workgroup memory of the in-place Cooley–Tukey kernel. */
import { expect, it } from "vitest";
import { addressOf, banksFor } from "../src/lab/banks.ts";
import { patternsOf } from "../src/lab/cooley-tukey.ts";
import { radicesOf } from "../src/lab/stockham.ts";

it.each([256, 512, 1024, 2048, 4096, 8192, 16_384])("of %i points differ, and no stage has bank conflicts", (n) => {
  const patterns = patternsOf(n, radicesOf(n, 8));
  const banks = banksFor(Math.log2(n), patterns);
  const addresses = Array.from({ length: n }, (_, i) => addressOf(banks, i));
  expect(new Set(addresses).size).toBe(n);
  expect(Math.max(...addresses)).toBe(n - 1);
  for (const pattern of patterns) {
    const lanes = Array.from({ length: 32 }, (_, lane) => pattern.reduce((sum, bit, b) => sum + ((lane >> b) & 1) * 2 ** bit, 0));
    expect(new Set(lanes.map((i) => addresses[i] % 32)).size, `lanes at ${lanes.slice(0, 4).join(", ")}…`).toBe(32);
  }
});
