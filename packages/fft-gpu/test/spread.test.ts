/**
 * Tests where exchanges place elements in workgroup memory: no two at one place, within the room, and fewer conflicts of banks than without. The
 * reference counts them by itself.
 */
import { describe, expect, it } from "vitest";
import { type Exchanged, type Spread, spreadOf } from "../src/spread.ts";

type Places = Omit<Spread, "most">;

const at = ({ group, pad, line }: Places, index: number, c: number): number => c * line + index + pad * Math.floor(index / group);

/** The most words of one bank that the first 32 invocations write for one result each. */
function conflicts({ span, radix, threads, lines, from }: Exchanged, spread: Places, n: number): number {
  const words = new Map<number, Set<number>>();
  for (let id = 0; id < Math.min(32, threads * lines); id++) {
    const [t, c] = from === "line" || lines === 1 ? [id % threads, Math.floor(id / threads)] : [Math.floor(id / lines), id % lines];
    if (t >= n / radix) continue;
    const k = t % span;
    const address = at(spread, (t - k) * radix + k, c);
    const bank = words.get(address % 32) ?? new Set();
    words.set(address % 32, bank.add(address));
  }
  return Math.max(...[...words.values()].map((bank) => bank.size));
}

const cases: readonly (readonly [radices: readonly number[], threads: number, lines: number, mapping: "line" | "tile"])[] = [
  [[8, 12, 16], 128, 1, "line"],
  [[16, 12, 8], 128, 1, "line"],
  [[10, 10, 10], 100, 2, "line"],
  [[12, 8, 4], 48, 4, "line"],
  [[8, 8, 15], 120, 8, "tile"],
  [[16, 20], 20, 8, "tile"],
];

describe("spreadOf", () => {
  it.each(cases)("%j by %d invocations, %d lines, %s", (radices, threads, lines, mapping) => {
    const n = radices.reduce((a, b) => a * b);
    let span = 1;
    radices.slice(0, -1).forEach((radix, s) => {
      const exchanged = {
        n,
        span,
        radix,
        next: radices[s + 1],
        threads,
        lines,
        from: mapping,
        to: mapping,
        size: n,
        room: Math.floor(n * lines * 1.13) + 64,
      };
      const spread = spreadOf(exchanged);
      expect(spread.group % (span * radix)).toBe(0);
      if (spread.group > span * radix) expect((n / radices[s + 1]) % spread.group).toBe(0);
      const used = new Set<number>();
      for (let c = 0; c < lines; c++) for (let i = 0; i < n; i++) used.add(at(spread, i, c));
      expect(used.size).toBe(n * lines);
      expect(Math.max(...used)).toBeLessThan(exchanged.room);
      const before = conflicts(exchanged, { group: span * radix, pad: 0, line: n }, n);
      const now = conflicts(exchanged, spread, n);
      expect(now).toBeLessThanOrEqual(before);
      if (before >= 8) expect(now).toBeLessThanOrEqual(before / 2);
      span *= radix;
    });
  });

  it("leaves elements where they are if there is no room", () => {
    const spread = spreadOf({
      n: 1536,
      span: 1,
      radix: 16,
      next: 12,
      threads: 128,
      lines: 1,
      from: "line",
      to: "line",
      size: 1536,
      room: 1536,
    });
    expect(spread).toMatchObject({ pad: 0, line: 1536 });
  });
});
