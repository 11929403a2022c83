/** Detection at the store: references against the definition, WebAssembly against references, and fused into the program. */

import { compile, createRandom, evaluate, open, type TypedArrayOf } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import type { StripmapRadar } from "@dechirp/radar";
import { beforeAll, describe, expect, test } from "vitest";
import { type DetectionKind, detectStore, type RangeDopplerParams, rangeDoppler, scenePresets, withDetection } from "../src/index.ts";
import { refused } from "./refused.ts";
import { placeStore } from "./wasm-harness.ts";

const kinds = ["magnitude", "power", "decibel"] as const;
const random = createRandom(31);
const grayRange = { lowDb: -37.3, highDb: 12.1 };

/** Normal numbers over `decades` decades around 1. */
const spread = (n: number, decades: number): Float32Array =>
  Float32Array.from({ length: n }, () => random.gaussian() * 10 ** (decades * (random.uniform() - 0.5)));

const largestFloat = (2 - 2 ** -23) * 2 ** 127;
/** Numbers at every edge of float32, in all pairs. */
const edges = [0, -0, 2 ** -149, -3 * 2 ** -149, 2 ** -126, 2 ** -127 + 2 ** -149, 1e-30, 1, -1, 1e30, largestFloat, -largestFloat];
const broken = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
const pairs = (values: readonly number[]): Float32Array => Float32Array.from(values.flatMap((a) => values.flatMap((b) => [a, b])));

/** The grey level before rounding, by definition. */
const levelOf = (re: number, im: number, { lowDb, highDb }: typeof grayRange): number =>
  (255 * (20 * Math.log10(Math.hypot(re, im)) - Math.fround(lowDb))) / (Math.fround(highDb) - Math.fround(lowDb));

/** Whether `found` is a level from `low` to `high`, rounded and clamped. */
function isRounded(found: number, low: number, high: number): boolean {
  const clamp = (x: number): number => Math.min(255, Math.max(0, Math.round(x)));
  return found >= clamp(low) && found <= clamp(high);
}

const bits = (data: TypedArrayOf): Buffer => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

describe("the reference", () => {
  test("is |z|, |z|² and 20·log₁₀|z| between the ends", () => {
    const z = spread(16000, 4);
    const found = kinds.map((kind) => placeStore(detectStore({ kind }), 1, grayRange).reference(z));
    expect(found.map((data) => data.constructor)).toEqual([Float32Array, Float32Array, Uint8Array]);
    const [magnitude, power, gray] = found;
    for (let i = 0; i < z.length / 2; i++) {
      const exact = Math.hypot(z[2 * i], z[2 * i + 1]);
      // Half a unit in the last place of float32, and of float64's roundings.
      expect(Math.abs(magnitude[i] - exact)).toBeLessThanOrEqual(exact * (2 ** -24 + 2 ** -51));
      expect(Math.abs(power[i] - exact ** 2)).toBeLessThanOrEqual(exact ** 2 * (2 ** -24 + 2 ** -50));
      const level = levelOf(z[2 * i], z[2 * i + 1], grayRange);
      expect(isRounded(gray[i], level - 1e-11, level + 1e-11)).toBe(true);
    }
    expect(new Set(gray).size).toBeGreaterThan(250);
  });

  test("puts the ends of the scale at 0 and 255, zero and NaN at 0, infinity at 255", () => {
    const gray = placeStore(detectStore({ kind: "decibel" }), 1, { lowDb: -20, highDb: 40 });
    const of = (...z: number[]): number[] => [...gray.reference(z)];
    expect(of(0.1, 0, 0, 100, 1e9, 0, 1e-9, 0)).toEqual([0, 255, 255, 0]);
    // 10 dB are half way up: 127.5, and a hair below.
    expect(of(Math.sqrt(10) * (1 + 1e-12), 0, Math.sqrt(10) * (1 - 1e-12), 0)).toEqual([128, 127]);
    expect(of(0, 0, -0, 0, Number.NaN, 1, 1, Number.NaN, Number.POSITIVE_INFINITY, 1, 1, Number.NEGATIVE_INFINITY)).toEqual([
      0, 0, 0, 0, 255, 255,
    ]);
  });

  test("is the only form for float64 results, and other kinds are refused", () => {
    expect(kinds.map((kind) => detectStore({ kind, dtype: "c128" }).wasm)).toEqual([undefined, undefined, undefined]);
    expect(refused(() => detectStore({ kind: "phase" as "power" }))).toBe("kind");
    expect(refused(() => detectStore({ kind: "toString" as "power" }))).toBe("kind");
    expect(refused(() => detectStore({ kind: "power", dtype: "f32" as "c64" }))).toBe("dtype");
  });
});

describe("wasm", () => {
  test.each(kinds)("gives %s as the reference does, at every edge of float32 and on both kinds of memory", (kind) => {
    const z = Float32Array.of(...spread(4000, 6), ...spread(4000, 80), ...pairs(edges), ...pairs([...edges, ...broken]));
    for (const range of kind === "decibel" ? [grayRange, { lowDb: -910, highDb: 780 }] : [{}]) {
      const store = placeStore(detectStore({ kind }), z.length / 2, range);
      const found = store.run(z);
      // No random number lies within 1e-10 levels of half way, so that grey levels are equal as well.
      expect(found).toEqual(store.reference(z));
      expect(placeStore(detectStore({ kind }), z.length / 2, range, { shared: true }).run(z)).toEqual(found);
    }
  });

  // A scale one unit of float32 wide, up to 6e-5 dB: a grey level is 4e-9 dB or more.
  test("has decibels to 7e-12", () => {
    let inside = 0;
    for (let i = 0; i < 300; i++) {
      const low = Math.fround(1200 * random.uniform() - 600);
      const word = new Int32Array(Float32Array.of(low).buffer);
      word[0] += low < 0 ? -1 : 1;
      const high = new Float32Array(word.buffer)[0];
      const range = { lowDb: low, highDb: high };
      const z = new Float32Array(2 * 64);
      for (let k = 0; k < 64; k++) {
        const angle = 2 * Math.PI * random.uniform();
        const magnitude = 10 ** ((low + (high - low) * random.uniform()) / 20);
        z.set([magnitude * Math.cos(angle), magnitude * Math.sin(angle)], 2 * k);
      }
      const found = placeStore(detectStore({ kind: "decibel" }), 64, range).run(z);
      for (let k = 0; k < 64; k++) {
        const level = levelOf(z[2 * k], z[2 * k + 1], range);
        if (level > 0 && level < 255) inside++;
        // Of the definition: hypot, log10 and their product to four units in float64's last place.
        const tolerance = (7e-12 + 4 * 2 ** -53 * Math.abs(low)) * (255 / Math.abs(high - low));
        expect(
          isRounded(found[k], level - tolerance, level + tolerance),
          `${z[2 * k]}, ${z[2 * k + 1]} from ${low}: ${found[k]}, ${level}`,
        ).toBe(true);
      }
    }
    expect(inside).toBeGreaterThan(5000);
  });

  test.each(kinds)("gives %s of any run with the same bits", (kind) => {
    const z = spread(2 * 60, 3);
    const store = placeStore(detectStore({ kind }), 80, grayRange);
    const all = store.run(z);
    for (let start = 0; start < 9; start++) {
      for (let count = 1; start + count <= 60; count++) {
        const found = store.run(z.subarray(2 * start, 2 * (start + count)), start % 5);
        expect(bits(found).equals(bits(all.subarray(start, start + count))), `${start} + ${count}`).toBe(true);
      }
    }
  });
});

describe("the program", () => {
  const small = { lines: 96, samples: 512 };
  const radar: StripmapRadar = { ...scenePresets.default.radar, pulseSeconds: 1e-6, dopplerCentroidHz: 90 };
  const params: RangeDopplerParams = { radar, ...small, rawType: "ci8" };
  const raw = Int8Array.from({ length: 2 * small.lines * small.samples }, (_, i) => ((i * 7919) % 31) - 15);
  /** Relative error that range-doppler.test.ts grants the complex image. */
  const gate = 0.4 * 2 ** -23 * Math.sqrt(40) + 4 * 2 ** -23;
  let exact: Float64Array;
  let norm: number;
  let uniforms: typeof grayRange;

  const norms = (found: ArrayLike<number>, expected: ArrayLike<number>): number =>
    Math.sqrt(Array.from(found).reduce((sum, v, i) => sum + (v - expected[i]) ** 2, 0));
  const detected = (kind: DetectionKind): Float64Array =>
    Float64Array.from({ length: exact.length / 2 }, (_, i) => Math.hypot(exact[2 * i], exact[2 * i + 1]) ** (kind === "power" ? 2 : 1));

  beforeAll(async () => {
    using device = await open(cpu({ workers: 1 }));
    exact = (await evaluate(rangeDoppler({ ...params, precision: "f64" }), device, { raw })).image as Float64Array;
    norm = Math.sqrt(exact.reduce((sum, v) => sum + v * v, 0));
    const meanDb = 20 * Math.log10(norm / Math.sqrt(exact.length / 2));
    uniforms = { lowDb: meanDb - 40, highDb: meanDb + 20 };
  });

  describe.each([1, 2])("on %d units", (units) => {
    test.each(["magnitude", "power"] as const)("detects %s in its last stage as step by step", async (kind) => {
      using device = await open(cpu({ workers: units }));
      const program = withDetection(rangeDoppler(params), kind);
      const fused = (await evaluate(program, device, { raw })).image;
      const lowered = (await evaluate(program, device, { raw }, { fuse: false })).image;
      const expected = detected(kind);
      expect(fused).toBeInstanceOf(Float32Array);
      // A magnitude errs no more than its complex number, a power 2|z| + error times that; both are rounded once more.
      const largest = detected("magnitude").reduce((most, v) => Math.max(most, v), 0);
      const limit = (gate * norm + 2 ** -24 * norm) * (kind === "power" ? 2 * largest + gate * norm : 1);
      expect(norms(fused, expected)).toBeLessThan(limit);
      expect(norms(lowered, expected)).toBeLessThan(limit);
      expect(norms(fused, lowered)).toBeLessThan(2 * limit);
    });

    test("detects decibels in its last stage as step by step, on any scale without another plan", async () => {
      using device = await open(cpu({ workers: units }));
      const program = withDetection(rangeDoppler(params), "decibel");
      using input = device.alloc({ dtype: "ci8", shape: [small.lines, small.samples] });
      input.write(raw);
      for (const fuse of [true, false]) {
        using compiled = await compile(program, device, { fuse });
        using image = device.alloc(compiled.layouts["image"]);
        for (const shift of [0, 13]) {
          const range = { lowDb: uniforms.lowDb + shift, highDb: uniforms.highDb + 2 * shift };
          await compiled.run({ raw: input, image }, { uniforms: range }).done;
          const found = await image.read();
          expect(found).toBeInstanceOf(Uint8Array);
          // No magnitude errs by more than all errors together.
          const off = detected("magnitude").findIndex((magnitude, i) => {
            const [low, high] = [Math.max(0, magnitude - gate * norm), magnitude + gate * norm].map((m) => levelOf(m, 0, range));
            return !isRounded(found[i], low - 1e-4, high + 1e-4);
          });
          expect(off).toBe(-1);
          expect(new Set(found).size).toBeGreaterThan(100);
        }
      }
    });
  });

  test.each(kinds)("names the store of %s and runs it in wasm", async (kind) => {
    using device = await open(cpu({ workers: 1 }));
    using compiled = await compile(withDetection(rangeDoppler(params), kind), device);
    expect(compiled.stages).toHaveLength(3);
    expect(compiled.stages[2].plan.text).toMatch(new RegExp(`^\\(filter-inverse/wasm .* store=${kind}\\)$`));
    expect(compiled.layouts["image"].dtype).toBe(kind === "decibel" ? "u8" : "f32");
  });

  test("in float64 detects by the reference", async () => {
    using device = await open(cpu({ workers: 1 }));
    const program = withDetection(rangeDoppler({ ...params, precision: "f64" }), "magnitude");
    const { image } = await evaluate(program, device, { raw });
    expect(image).toEqual(Float32Array.from({ length: image.length }, (_, i) => Math.sqrt(exact[2 * i] ** 2 + exact[2 * i + 1] ** 2)));
  });

  test("is left as it was, and detected once only", () => {
    const program = rangeDoppler(params);
    const steps = [...program.steps];
    const once = withDetection(program, "power");
    expect(program.steps).toEqual(steps);
    expect(once.axes).toBe(program.axes);
    expect(() => withDetection(once as never, "power")).toThrow("program must be");
  });
});
