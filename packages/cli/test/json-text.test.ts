/** JSON made in pieces equals what the engine makes at once. */
import { createRandom } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { encoded, jsonPieces } from "../src/json-text.ts";

const { uniform } = createRandom(5);
const pick = <T>(list: readonly T[]): T => list[Math.floor(uniform() * list.length)];

function anything(depth: number): unknown {
  const kind = depth === 0 ? 0 : Math.floor(3 * uniform());
  if (kind === 0) return pick([null, true, 0, -0, 1.5e-9, Number.NaN, "", 'a "b"\n\u2028\ud800', undefined, 7]);
  const length = Math.floor(6 * uniform());
  if (kind === 1) return Array.from({ length }, () => anything(depth - 1));
  return Object.fromEntries(Array.from({ length }, (_, i) => [`${i} "\n`, anything(depth - 1)]));
}

describe("JSON in pieces", () => {
  it("equals JSON.stringify", () => {
    for (let turn = 0; turn < 500; turn++) {
      const value = [anything(4), { inner: anything(3) }];
      expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value, null, 2));
    }
  });

  it("comes in small pieces, and in chunks of UTF-8", () => {
    const value = { numbers: Array.from({ length: 100_000 }, (_, i) => i / 7), names: ["ρ", "é"] };
    const text = JSON.stringify(value, null, 2);
    expect(Math.max(...[...jsonPieces(value)].map(({ length }) => length))).toBeLessThan(10_000);
    const chunks = [...encoded(jsonPieces(value))];
    expect(chunks.length).toBeGreaterThan(4);
    expect(Buffer.concat(chunks).toString("utf8")).toBe(text);
  });
});
