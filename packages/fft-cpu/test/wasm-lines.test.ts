/**
 * Tests what the WASM kernels do besides transforms: columns, padding, cropping, keeping a range, filters, real transforms, in place; and
 * that lines do not affect each other and nothing is written outside.
 */
import { describe, expect, it } from "vitest";
import type { Kind, LinesOp } from "../src/wasm/program.ts";
import { type Bench, bar, bench, definition, epsilon, noise, reference, relativeError, resized, times } from "./wasm-support.ts";

const b = await bench({ relaxed: true });

/** Across lines, within lines, chirps; with partial groups and overlapping first stages. */
const sizes = [1, 2, 3, 4, 5, 8, 12, 15, 16, 17, 20, 24, 36, 37, 40, 64, 97, 100, 128, 253, 256, 360, 1000, 1024];

/** Number of scalars of an input and an output line. */
function extents(op: LinesOp): readonly [input: number, output: number] {
  const bins = 2 * (Math.floor(op.n / 2) + 1);
  const full = op.kind === "real-fft" ? [op.n, bins] : op.kind === "inverse-real-fft" ? [bins, op.n] : [2 * op.n, 2 * op.n];
  const inPer = op.kind === "real-fft" ? 1 : 2;
  const outPer = op.kind === "inverse-real-fft" ? 1 : 2;
  return [op.inputLength ? op.inputLength * inPer : (full[0] as number), op.keep ? op.keep[1] * outPer : (full[1] as number)];
}

function runRows(
  b: Bench,
  op: LinesOp,
  x: Float32Array,
  lines: number,
  inPlace = false,
  h?: Float32Array,
): { y: Float32Array; text: string; convolved: boolean } {
  b.reset();
  const [input, output] = extents(op);
  const plan = b.plan(op);
  const work = b.place(plan.rowsWorkBytes);
  const pitch = 4 * (Math.max(input, output) + 6);
  const from = { address: b.place(pitch * lines), pitch };
  for (let i = 0; i < lines; i++) b.floats(from.address + i * pitch, input).set(x.subarray(i * input, (i + 1) * input));
  const to = inPlace ? from : { address: b.place(pitch * lines), pitch };
  const filter = h ? { address: b.place(h.byteLength, h), pitch: h.length > 2 * op.n ? 8 * op.n : 0 } : undefined;
  b.kernels.rows(plan.address, from, to, lines, work, filter);
  expect(b.broken(), plan.text).toBe(0);
  const y = new Float32Array(output * lines);
  for (let i = 0; i < lines; i++) {
    y.set(b.floats(to.address + i * pitch, output), i * output);
    // Nothing is written between lines.
    expect(Array.from(b.floats(to.address + i * pitch + 4 * Math.max(input, output), 6)), plan.text).toEqual([0, 0, 0, 0, 0, 0]);
  }
  return { y, text: plan.text, convolved: plan.convolved };
}

function runColumns(b: Bench, op: LinesOp, x: Float32Array, count: number, h?: Float32Array): Float32Array {
  b.reset();
  const [input, output] = extents(op);
  const inPer = op.kind === "real-fft" ? 1 : 2;
  const outPer = op.kind === "inverse-real-fft" ? 1 : 2;
  const plan = b.plan(op);
  const work = b.place(plan.columnsWorkBytes);
  const from = { address: b.place(4 * x.length), pitch: 4 * inPer * count };
  const data = b.floats(from.address, x.length);
  for (let c = 0; c < count; c++)
    for (let i = 0; i < input; i++) data[Math.floor(i / inPer) * inPer * count + c * inPer + (i % inPer)] = x[c * input + i] as number;
  const to = { address: b.place(4 * output * count), pitch: 4 * outPer * count };
  const filter = h ? { address: b.place(h.byteLength, h), pitch: h.length > 2 * op.n ? 8 * count : 0 } : undefined;
  if (h && filter?.pitch) {
    const place = b.floats(filter.address, h.length);
    for (let c = 0; c < count; c++)
      for (let i = 0; i < 2 * op.n; i++) place[(i >> 1) * 2 * count + 2 * c + (i & 1)] = h[c * 2 * op.n + i] as number;
  }
  b.kernels.columns(plan.address, from, to, count, work, filter);
  expect(b.broken(), plan.text).toBe(0);
  const written = b.floats(to.address, output * count);
  const y = new Float32Array(output * count);
  for (let c = 0; c < count; c++)
    for (let i = 0; i < output; i++)
      y[c * output + i] = written[Math.floor(i / outPer) * outPer * count + c * outPer + (i % outPer)] as number;
  return y;
}

/** Elements start … start + count of each line of n complex numbers. */
function kept(x: Float64Array, n: number, [start, count]: readonly [number, number]): Float64Array {
  const lines = x.length / (2 * n);
  const y = new Float64Array(2 * count * lines);
  for (let i = 0; i < lines; i++) y.set(x.subarray(2 * (n * i + start), 2 * (n * i + start + count)), 2 * count * i);
  return y;
}

describe("columns", () => {
  it("equal rows to the bit, for any count", () => {
    for (const n of sizes) {
      for (const count of n <= 64 ? [1, 13, 70] : [9]) {
        for (const kind of ["fft", "inverse-fft", "real-fft", "inverse-real-fft"] as const) {
          const op = { kind, n };
          const x = noise(extents(op)[0] * count, n + count);
          expect(runColumns(b, op, x, count), `${kind} ${n} × ${count}`).toEqual(runRows(b, op, x, count).y);
        }
      }
    }
  });
});

describe("padding, cropping, keeping", () => {
  it("accept shorter and longer lines and write a range, also in place", () => {
    const lines = 6;
    for (const n of sizes) {
      for (const inputLength of [1, Math.ceil(n / 2), n + 3]) {
        const keep = [Math.floor(n / 3), Math.max(1, Math.floor(n / 2))] as const;
        for (const kind of ["fft", "inverse-fft"] as const) {
          const x = noise(2 * inputLength * lines, n);
          const whole = reference(resized(x, inputLength, n), n, kind !== "fft");
          for (const inPlace of [false, true]) {
            const { y, text, convolved } = runRows(b, { kind, n, inputLength, keep }, x, lines, inPlace);
            const expected = kept(whole, n, keep);
            // The error of a part of the result is relative to the norm of all of it.
            const share = Math.sqrt(whole.reduce((sum, v) => sum + v * v, 0) / expected.reduce((sum, v) => sum + v * v, 0));
            expect(relativeError(y, expected) / Math.max(1, share), text).toBeLessThanOrEqual(bar(n, convolved));
          }
          const columns = runColumns(b, { kind, n, inputLength, keep }, x, lines);
          expect(columns).toEqual(runRows(b, { kind, n, inputLength, keep }, x, lines).y);
        }
      }
    }
  });
});

describe("filters", () => {
  it("multiply the spectrum, with one filter line for all or one for each", () => {
    const lines = 5;
    for (const n of sizes) {
      for (const all of [false, true]) {
        const x = noise(2 * n * lines, n);
        const h = noise(2 * n * (all ? lines : 1), n + 1);
        const spectral = reference(times(reference(x, n), h), n, true);
        const inverse = reference(times(x, h), n, true);
        for (const [kind, expected, passes] of [
          ["filter", spectral, 2],
          ["filter-inverse", inverse, 1],
        ] as const) {
          for (const inPlace of [false, true]) {
            const { y, text, convolved } = runRows(b, { kind, n }, x, lines, inPlace, h);
            // Each pass within its tolerance, and the product's rounding: three operations of half an ulp.
            expect(relativeError(y, expected), text).toBeLessThanOrEqual(passes * bar(n, convolved) + epsilon);
          }
          expect(runColumns(b, { kind, n }, x, lines, h)).toEqual(runRows(b, { kind, n }, x, lines, false, h).y);
        }
      }
    }
  });

  it("keep a range of a padded line", () => {
    const op = { kind: "filter", n: 256, inputLength: 200, keep: [40, 100] } as const;
    const x = noise(2 * 200 * 9, 5);
    const h = noise(512, 6);
    const expected = kept(reference(times(reference(resized(x, 200, 256), 256), h), 256, true), 256, op.keep);
    expect(relativeError(runRows(b, op, x, 9, false, h).y, expected)).toBeLessThanOrEqual(2 * bar(256) + epsilon);
  });
});

describe("real transforms", () => {
  it("are halves of the complex ones, at every length up to 130 and some longer, also in place", () => {
    const lines = 5;
    for (const n of [...Array.from({ length: 130 }, (_, i) => i + 1), 253, 256, 1000, 1001, 2018, 4096]) {
      const bins = Math.floor(n / 2) + 1;
      const x = noise(n * lines, n);
      const complex = new Float64Array(2 * n * lines);
      x.forEach((value, i) => {
        complex[2 * i] = value;
      });
      const spectrum = kept(reference(complex, n), n, [0, bins]);
      for (const inPlace of [false, true]) {
        const there = runRows(b, { kind: "real-fft", n }, x, lines, inPlace);
        const limit = bar(n, there.convolved) + epsilon;
        expect(relativeError(there.y, spectrum), there.text).toBeLessThanOrEqual(limit);
        const back = runRows(b, { kind: "inverse-real-fft", n }, Float32Array.from(spectrum), lines, inPlace);
        // The tolerance, and the rounding of the spectrum to float32.
        expect(relativeError(back.y, x), back.text).toBeLessThanOrEqual(limit);
      }
    }
  });

  it("ignore imaginary parts of real bins, and pad and keep", () => {
    for (const n of [1, 2, 6, 7, 64]) {
      const bins = Math.floor(n / 2) + 1;
      const x = noise(2 * bins, n);
      const changed = x.slice();
      changed[1] = 7;
      if (n % 2 === 0) changed[2 * bins - 1] = -3;
      expect(runRows(b, { kind: "inverse-real-fft", n }, changed, 1).y).toEqual(runRows(b, { kind: "inverse-real-fft", n }, x, 1).y);
    }
    const x = noise(50, 3);
    const padded = new Float32Array(64);
    padded.set(x);
    const whole = runRows(b, { kind: "real-fft", n: 64 }, padded, 1).y;
    expect(runRows(b, { kind: "real-fft", n: 64, inputLength: 50, keep: [3, 7] }, x, 1).y).toEqual(whole.slice(6, 20));
  });
});

describe("lines are independent", () => {
  it("so that NaN and infinity stay in their line", () => {
    const kinds: readonly Kind[] = ["fft", "inverse-fft", "filter", "filter-inverse", "real-fft", "inverse-real-fft"];
    for (const n of sizes) {
      for (const kind of kinds) {
        const [input, output] = extents({ kind, n });
        const h = kind.startsWith("filter") ? noise(2 * n, 2) : undefined;
        const x = noise(input * 6, n);
        const clean = runRows(b, { kind, n }, x, 6, false, h).y;
        for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
          const spoilt = x.slice();
          spoilt[2 * input] = bad;
          const { y, text } = runRows(b, { kind, n }, spoilt, 6, true, h);
          expect(y.subarray(0, 2 * output), text).toEqual(clean.subarray(0, 2 * output));
          expect(y.subarray(3 * output), text).toEqual(clean.subarray(3 * output));
          expect(y.subarray(2 * output, 3 * output).every(Number.isFinite), text).toBe(false);
        }
      }
    }
  });

  it("and each gives the same result alone as among others", () => {
    for (const n of [15, 17, 24, 64]) {
      const x = noise(2 * n * 5, n);
      const together = runRows(b, { kind: "fft", n }, x, 5).y;
      for (let i = 0; i < 5; i++)
        expect(runRows(b, { kind: "fft", n }, x.slice(2 * n * i, 2 * n * (i + 1)), 1).y).toEqual(
          together.slice(2 * n * i, 2 * n * (i + 1)),
        );
    }
  });
});

describe("numbers near the smallest", () => {
  const scaledNoise = (count: number, seed: number, factor: number): Float32Array => noise(count, seed).map((v) => v * factor);

  it("are transformed as precisely as the format allows", () => {
    for (const n of [7, 16, 37, 64, 100, 1024]) {
      for (const factor of [1e-25, 1e-33, 1e-38, 1e-41, 1e-44]) {
        const x = scaledNoise(2 * n * 5, n, factor);
        for (const kind of ["fft", "inverse-fft"] as const) {
          const { y, text, convolved } = runRows(b, { kind, n }, x, 5);
          const expected = reference(x, n, kind !== "fft");
          const norm = Math.sqrt(expected.reduce((sum, v) => sum + v * v, 0));
          // The usual rounding, and half of the smallest number for each result.
          const limit = bar(n, convolved) * norm + Math.sqrt(expected.length) * 2 ** -150 * 1.0001;
          expect(relativeError(y, expected) * norm, `${text} ${factor}`).toBeLessThanOrEqual(limit);
        }
      }
    }
  });

  it("are scaled in filters and real transforms, and are flushed beside larger ones", () => {
    const n = 128;
    const h = noise(2 * n, 9);
    const x = scaledNoise(2 * n * 3, 4, 1e-39);
    const whole = reference(times(reference(x, n), h), n, true);
    const norm = Math.sqrt(whole.reduce((sum, v) => sum + v * v, 0));
    const { y } = runRows(b, { kind: "filter", n }, x, 3, false, h);
    expect(relativeError(y, whole) * norm).toBeLessThanOrEqual((2 * bar(n) + epsilon) * norm + Math.sqrt(y.length) * 2 ** -150 * 1.0001);

    const mixed = scaledNoise(2 * n, 8, 1e-40);
    mixed[10] = 1;
    const impulse = new Float32Array(2 * n);
    impulse[10] = 1;
    expect(runRows(b, { kind: "fft", n }, mixed, 1).y).toEqual(runRows(b, { kind: "fft", n }, impulse, 1).y);
    expect(relativeError(runRows(b, { kind: "fft", n }, impulse, 1).y, definition(impulse, n))).toBeLessThanOrEqual(bar(n));
  });

  it("take a few times as long as others, not thirty times", () => {
    for (const n of [1024, 1000, 4095]) {
      b.reset();
      const lines = 16;
      const plan = b.plan({ kind: "fft", n });
      const work = b.place(plan.rowsWorkBytes);
      const to = { address: b.place(8 * n * lines), pitch: 8 * n };
      const sources = [1, 1e-39, 1e-42].map((factor) => ({
        address: b.place(8 * n * lines, scaledNoise(2 * n * lines, n, factor)),
        pitch: 8 * n,
      }));
      const least = sources.map(() => Number.POSITIVE_INFINITY);
      for (let round = 0; round < 30; round++) {
        sources.forEach((from, i) => {
          const start = performance.now();
          b.kernels.rows(plan.address, from, to, lines, work);
          least[i] = Math.min(least[i] as number, performance.now() - start);
        });
      }
      for (const time of least.slice(1)) expect(time / (least[0] as number), plan.text).toBeLessThan(15);
    }
  });

  it("keep zeros and signs", () => {
    expect(runRows(b, { kind: "fft", n: 16 }, new Float32Array(32 * 2), 2).y).toEqual(new Float32Array(64));
    const x = Float32Array.of(1.401298464324817e-45, -1.1754942106924411e-38);
    expect(runRows(b, { kind: "fft", n: 1 }, x, 1).y).toEqual(x);
  });
});

describe("addresses", () => {
  it("may be beyond 2 GiB", async () => {
    const high = await bench({ relaxed: true, pages: 33000 });
    for (const n of [15, 17, 64, 1000]) {
      high.reset(2 ** 31 - 4096);
      const x = noise(2 * n * 5, n);
      const plan = high.plan({ kind: "fft", n });
      const work = high.place(plan.columnsWorkBytes);
      const place = { address: high.place(8 * n * 5, x), pitch: 8 * n };
      expect(place.address).toBeGreaterThan(2 ** 31);
      high.kernels.rows(plan.address, place, place, 5, work);
      expect(relativeError(high.floats(place.address, 2 * n * 5), reference(x, n)), plan.text).toBeLessThanOrEqual(bar(n, plan.convolved));
      high.kernels.columns(plan.address, { ...place, pitch: 40 }, { ...place, pitch: 40 }, 5, work);
      expect(high.broken()).toBe(0);
    }
  });
});

describe("products", () => {
  it("of lines by one line or by one for each", () => {
    for (const n of [1, 2, 7, 64]) {
      for (const all of [false, true]) {
        b.reset();
        const x = noise(2 * n * 3, n);
        const h = noise(2 * n * (all ? 3 : 1), 1);
        const place = { address: b.place(x.byteLength, x), pitch: 8 * n };
        b.kernels.multiply(n, place, place, 3, { address: b.place(h.byteLength, h), pitch: all ? 8 * n : 0 });
        // Two products and a sum, each within half an ulp.
        expect(relativeError(b.floats(place.address, x.length), times(x, h))).toBeLessThanOrEqual(epsilon);
        expect(b.broken()).toBe(0);
      }
    }
  });
});

describe("plans", () => {
  it("may be run by several instances on one memory, and leave nothing allocated", async () => {
    const { createKernels, loadKernels, planLines } = await import("../src/wasm/kernels.ts");
    const module = await loadKernels({ shared: true });
    const memory = new WebAssembly.Memory({ initial: 16, maximum: 16, shared: true });
    if (!module) throw new Error("this host has no SIMD");
    let top = 64;
    const taken = new Set<number>();
    const owner = {
      allocate(bytes: number) {
        const address = top;
        top += Math.ceil(bytes / 64) * 64;
        if (top > memory.buffer.byteLength) throw new Error("full");
        taken.add(address);
        return address;
      },
      free: (address: number) => void taken.delete(address),
    };
    const plan = planLines({ kind: "fft", n: 60 }, memory, owner);
    for (const _ of plan.tables());
    expect(plan.convolved).toBe(false);
    const work = owner.allocate(plan.rowsWorkBytes);
    const place = { address: owner.allocate(480), pitch: 480 };
    const x = noise(120, 1);
    const results = [createKernels(module, memory), createKernels(module, memory)].map((kernels) => {
      new Float32Array(memory.buffer, place.address, 120).set(x);
      kernels.rows(plan.address, place, place, 1, work);
      return new Float32Array(memory.buffer, place.address, 120).slice();
    });
    expect(relativeError(results[0] as Float32Array, definition(x, 60))).toBeLessThanOrEqual(bar(60));
    expect(results[1]).toEqual(results[0]);
    plan.free();
    expect(taken.size).toBe(2);
    expect(() => planLines({ kind: "fft", n: 2 ** 17 }, memory, owner)).toThrow("full");
    expect(taken.size).toBe(2);
  });
});
