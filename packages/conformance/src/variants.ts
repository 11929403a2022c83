/**
 * Checks of the variants of a backend: kernels that the plan option `variant` names. Each must be within its stated error of the
 * definition in float64, forward and inverse, for one line and for numbers of lines that do not fill a workgroup. It must work with
 * padding, kept ranges, columns, corner turns, hooks and filters, as every transform does, and refuse by name what it can't compute.
 */
import { type Fft, fft, isRadarError, layout, type Op, type SpectralFilter, spectralFilter } from "@dechirp/core";
import { close, fail, isTrue } from "./assert.ts";
import { dftBins, transformed } from "./definition.ts";
import { check, type Kit, type Suite, suite } from "./kit.ts";
import { random, randomArray } from "./random.ts";
import { c64, type OpOptions, type OpResult, runOp } from "./run.ts";
import { integersTimesGain } from "./samples.ts";

/** What is promised of a variant. */
export interface VariantPromise {
  /** Whether it computes lines of n points, and filters of such lines in one plan, on this kind of device. */
  takes(n: number): boolean;
  /** Bound of the relative L2 error of random c64 lines of n points. */
  error(n: number): number;
}

const lengths = (sizes: Kit["sizes"]): readonly number[] =>
  sizes === "full" ? [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384] : [16, 64, 256, 512, 4096];

/** Runs an op by a variant. Returns undefined if the variant refuses it as it should. */
async function run(
  kit: Kit,
  variant: string,
  op: Op,
  inputs: Parameters<typeof runOp>[2],
  options: OpOptions = {},
): Promise<OpResult | undefined> {
  try {
    return await runOp(kit.device, op, inputs, { ...options, variant });
  } catch (error) {
    const isRefusal = isRadarError(error) && error.code === "unsupported" && error.fields["field"] === "variant";
    if (!isRefusal) throw error;
    isTrue(error.message.includes(variant), `the refusal must name ${variant}: ${error.message}`);
    return undefined;
  }
}

function variantChecks(name: string, { takes, error }: VariantPromise): ReturnType<typeof check>[] {
  const taken = (kit: Kit): readonly number[] => lengths(kit.sizes).filter((n) => takes(n));
  /** Runs an op with one input and compares it. `n` is the length that the error is stated for, and `stages` the number of transforms. */
  const compare = async (kit: Kit, op: Fft | SpectralFilter, n: number, stages: number, options: OpOptions = {}): Promise<void> => {
    const source = random(n + op.axis);
    const x = randomArray(op.layout, source);
    const h = op.op === "spectral-filter" ? randomArray(layout("c64", [n]), source) : undefined;
    const result = await run(kit, name, op, { in: x, ...(h && { h }) }, options);
    if (!result) return fail(`${name} must take ${op.op} of ${n} points`);
    // A single line's error varies by a factor of 2 around that of many.
    close(result.out, transformed(op, x, h), 2 * Math.sqrt(stages) * error(n), result.text);
  };
  return [
    check(`${name}: rows of its lengths`, async (kit) => {
      for (const n of taken(kit)) {
        // Every length has kernels of its own, which slow adapters compile for seconds: they alternate the directions.
        const one = kit.sizes === "subset" && n > taken(kit)[0];
        for (const inverse of one ? [Math.log2(n) % 2 === 1] : [false, true]) {
          const lines = Math.max(1, Math.min(300, Math.ceil(2 ** 17 / n)));
          const x = randomArray(c64(lines, n), random(n));
          const result = await run(kit, name, fft(c64(lines, n), { axis: 1, inverse }), { in: x });
          if (!result) return fail(`${name} must take ${n} points`);
          const bins = Array.from({ length: Math.min(n, 24) }, (_, i) => (n <= 24 ? i : (i * 7919 + n / 2) % n));
          let [wrong, energy] = [0, 0];
          for (let line = 0; line < lines; line += Math.ceil(lines / 24)) {
            const expected = dftBins(x.subarray(2 * line * n, 2 * (line + 1) * n) as Float32Array, n, bins, inverse);
            for (const [i, bin] of bins.entries())
              for (const part of [0, 1]) {
                wrong += (result.out[2 * (line * n + bin) + part] - expected[2 * i + part]) ** 2;
                energy += expected[2 * i + part] ** 2;
              }
          }
          const size = Math.sqrt(wrong / energy);
          if (!(size <= error(n)))
            fail(`${result.text}: relative L2 error ${size.toExponential(2)}, promised ${error(n).toExponential(2)}`);
        }
      }
    }),
    check(`${name}: any number of lines, padded, kept in part, columns, corner turns, in place`, async (kit) => {
      const n = taken(kit).find((length) => length >= 64) ?? taken(kit)[0];
      const all = kit.sizes === "full";
      for (const lines of all ? [1, 2, 3, 7, 8, 9, 33] : [1, 33]) await compare(kit, fft(c64(lines, n), { axis: 1 }), n, 1);
      await compare(kit, fft(c64(3, n - 5), { axis: 1, n, keep: [5, n - 11], inverse: true }), n, 1);
      if (all) {
        await compare(kit, fft(c64(3, n - 5), { axis: 1, n }), n, 1);
        await compare(kit, fft(c64(3, n), { axis: 1, keep: [5, n - 11], inverse: true }), n, 1);
        await compare(kit, fft(c64(n, 6), { axis: 0 }), n, 1);
      }
      await compare(kit, fft(c64(2, n, 5), { axis: 1, inverse: true }), n, 1);
      await compare(kit, fft(c64(5, n), { axis: 1, cornerTurn: true }), n, 1);
      await compare(kit, fft(c64(9, n), { axis: 1 }), n, 1, { inPlace: true });
    }),
    check(`${name}: hooks and filters`, async (kit) => {
      const n = taken(kit).find((length) => length >= 64) ?? taken(kit)[0];
      const source = random(3);
      const load = integersTimesGain(5, n);
      const data = { raw: randomArray(load.sources["raw"], source), gain: randomArray(load.sources["gain"], source) };
      const x = Float32Array.from(data.raw, (v, i) => v * data.gain[Math.floor(i / (2 * n))]);
      const plain = fft(c64(5, n), { axis: 1 });
      const loaded = await run(kit, name, { ...plain, load }, data);
      if (!loaded) return fail(`${name} must take loads`);
      close(loaded.out, transformed(plain, x), 3 * error(n), loaded.text);
      await compare(kit, spectralFilter(c64(5, n), { axis: 1 }), n, 3);
    }),
    check(`${name}: refuses what it can't compute by name`, async (kit) => {
      for (const n of [7, 100, 2 ** 18]) {
        if (takes(n)) continue;
        const result = await run(kit, name, fft(c64(1, n), { axis: 1 }), { in: new Float32Array(2 * n) });
        isTrue(result === undefined, `${name} must refuse ${n} points`);
      }
    }),
  ];
}

/** Checks of these variants, by name. Devices must be opened with them. */
export const variantSuite = (promises: Readonly<Record<string, VariantPromise>>): Suite =>
  suite(
    "variants",
    Object.entries(promises).flatMap(([name, promise]) => variantChecks(name, promise)),
  );
