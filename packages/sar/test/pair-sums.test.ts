/** Correlations of adjacent lines on a device, against float64 on the host: element types, gains, offsets, both backends. */
import { createRandom, type Layout, open } from "@dechirp/core";
import { runToEnd } from "@dechirp/core/internal";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { describe, expect, it } from "vitest";
import { type ComplexLines, correlateLines } from "../src/lines.ts";
import { sumPairs } from "../src/pair-sums.ts";

const random = createRandom(5);
const [lines, samples, lags] = [37, 301, 2];
const types = { ci8: Int8Array, ci16: Int16Array, c64: Float32Array } as const;

/** Correlated noise of rms `scale` with an offset. */
function noise(type: keyof typeof types, scale: number, offset: number, extent = samples): ComplexLines {
  const data = new types[type](2 * lines * extent);
  for (let i = 0; i < data.length; i++) data[i] = offset + scale * random.gaussian() + (i >= 2 * extent ? 0.5 * data[i - 2 * extent] : 0);
  return { data, lines, samples: extent, lineGain: Float64Array.from({ length: lines }, () => 0.5 + random.uniform()) };
}

describe("sumPairs", () => {
  for (const [name, backend] of [
    ["CPU", cpu()],
    ["GPU", gpu()],
  ] as const)
    it(`gives the sums of float64 within the bound of float32 reductions on the ${name}`, async () => {
      using device = await open(backend);
      for (const [type, scale, offset, extent] of [
        ["ci8", 20, 5, samples],
        ["ci8", 20, 0, 2 * lags + 1],
        ["ci16", 3000, -900, samples],
        ["c64", 1e-9, 2e-9, samples],
      ] as const) {
        const source = noise(type, scale, offset, extent);
        const sums = await sumPairs(source, type, lags, device, {});
        expect(sums, `${type} of ${extent}`).toBeDefined();
        // For each pair, the error of four sums of at most the energy of the strongest line: products, and three of the offset.
        const energies = Array.from({ length: lines }, (_, p) =>
          Float64Array.from(source.data.subarray(2 * p * extent, 2 * (p + 1) * extent)).reduce((sum, x) => sum + x * x, 0),
        );
        const bound = 4 * 1.5 ** 2 * Math.max(...energies) * (2 * Math.log2(extent) + 24) * 2 ** -24;
        for (const of of [0, lags]) {
          const known = runToEnd(correlateLines(source, lines, of, sums));
          const exact = runToEnd(correlateLines(source, lines, of));
          expect(known.blocks).toHaveLength(exact.blocks.length);
          // A block has two pairs.
          for (const [b, block] of exact.blocks.entries())
            for (const [i, value] of block.entries())
              expect(Math.abs(known.blocks[b][i] - value), `${type} lags ${of}, ${b}, ${i}`).toBeLessThan(2 * bound);
          expect(Math.abs(known.energy - exact.energy)).toBeLessThan(lines * bound);
          const middle = 2 * of;
          expect(Math.max(...exact.blocks.map((block) => Math.hypot(block[middle], block[middle + 1])))).toBeGreaterThan(100 * bound);
        }
      }
    });

  it("leaves to float64 what float32 does not hold, and refuses what is not finite", async () => {
    using device = await open(cpu());
    const sums = (source: ComplexLines, type: Layout["dtype"]) => sumPairs(source, type, lags, device, {});
    expect(await sums({ ...noise("c64", 1, 0), data: new Float64Array(2 * lines * samples).fill(1) }, "c128")).toBeUndefined();
    expect(await sums(noise("ci8", 20, 0, 2 * lags), "ci8")).toBeUndefined();
    expect(await sums(noise("c64", 1e-22, 0), "c64")).toBeUndefined();
    const even = Float32Array.from({ length: 2 * lines * samples }, () => 1 + 1e-3 * random.gaussian());
    expect(await sums({ data: even, lines, samples }, "c64")).toBeUndefined();
    expect(await sums({ data: new Int8Array(2 * lines * samples).fill(7), lines, samples }, "ci8")).toBeUndefined();
    const bad = noise("c64", 1, 0);
    bad.data[77] = Number.NaN;
    await expect(sums(bad, "c64")).rejects.toMatchObject({ code: "input", fields: { field: "data" } });
  });
});
