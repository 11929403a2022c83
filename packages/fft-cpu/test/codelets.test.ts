/**
 * Tests that the twiddle factors of the stages compensate the float32 rounding of the codelets' constants: their correction factors are
 * those of the generated text, and powers of odd primes stay well within the tolerance for any number of stages.
 */
import { legFactors } from "@dechirp/core/tables";
import { describe, expect, it } from "vitest";
import { dft, dftThrough } from "../assembly/generator/dft.ts";
import { type ComplexName, createWriter } from "../assembly/generator/emit.ts";
import { middleRadices } from "../src/wasm/factors.ts";
import { codelet } from "../src/wasm/tables.ts";
import { bar, bench, noise, reference, relativeError } from "./wasm-support.ts";

/** Evaluates generated lines in float64, with constants rounded to float32. Stores the values by name. */
function evaluate(lines: readonly string[], values: Map<string, number>): void {
  const numberOf = (text: string): number => {
    const call = /^([\w.]+)\((.*)\)$/.exec(text);
    if (!call) return values.get(text) ?? Number(text);
    const [, name, inside] = call;
    const parts: string[] = [];
    let depth = 0;
    let from = 0;
    for (let i = 0; i <= inside.length; i++) {
      if (inside[i] === "(") depth++;
      if (inside[i] === ")") depth--;
      if (i === inside.length || (inside[i] === "," && depth === 0)) {
        parts.push(inside.slice(from, i).trim());
        from = i + 1;
      }
    }
    const [a, b, c] = parts.map(numberOf);
    switch (name) {
      case "f32x4.splat":
        return Math.fround(a);
      case "f32x4.neg":
        return -a;
      case "f32x4.add":
        return a + b;
      case "f32x4.sub":
        return a - b;
      case "f32x4.mul":
        return a * b;
      case "madd":
        return a * b + c;
      case "nmadd":
        return c - a * b;
      default:
        throw new Error(`${name} is not known`);
    }
  };
  for (const line of lines) {
    const assignment = /^const (\w+) = (.*);$/.exec(line);
    if (assignment) values.set(assignment[1], numberOf(assignment[2]));
  }
}

/** The factor of each output by the text: the mean of exact coefficients divided by those of the code. */
function byText(n: number, through: boolean): number[] {
  const w = createWriter();
  const names = Array.from({ length: n }, (_, i): ComplexName => ({ re: `x${i}r`, im: `x${i}i` }));
  const outputs: ComplexName[] = [];
  if (through)
    dftThrough(
      w,
      n,
      (i) => names[i],
      (k, y) => {
        outputs[k] = y;
      },
    );
  else outputs.push(...dft(w, names));
  const means = outputs.map(() => 0);
  for (let i = 0; i < n; i++) {
    const values = new Map(names.flatMap(({ re, im }, e) => [[re, e === i ? 1 : 0] as const, [im, 0] as const]));
    evaluate(w.lines, values);
    outputs.forEach(({ re, im }, k) => {
      const angle = (2 * Math.PI * ((i * k) % n)) / n;
      const [a, b] = [values.get(re) as number, values.get(im) as number];
      means[k] += (a * Math.cos(angle) - b * Math.sin(angle)) / n;
    });
  }
  return means.map((mean) => 1 / mean);
}

describe("factors of legs", () => {
  it.each(middleRadices)("of radix %d are those of the generated text", (radix) => {
    const factors = legFactors(radix, codelet, "outputs");
    for (const through of [false, true]) {
      byText(radix, through).forEach((factor, k) => {
        expect(Math.abs(factors[k] - factor)).toBeLessThan(1e-14);
      });
    }
    expect(factors[0]).toBeCloseTo(1, 14);
    for (const factor of factors) expect(Math.abs(factor - 1)).toBeLessThan(2 ** -25);
  });
});

describe("powers of odd primes", () => {
  it.each([
    [3, 9],
    [3, 11],
    [5, 7],
    [7, 6],
    [11, 5],
    [13, 4],
  ])("%d^%d is within nine tenths of the tolerance", async (prime, exponent) => {
    const n = prime ** exponent;
    const b = await bench({ relaxed: false, pages: 2048 });
    for (const kind of ["fft", "inverse-fft"] as const) {
      b.reset();
      const plan = b.plan({ kind, n });
      const work = b.place(plan.rowsWorkBytes);
      const x = noise(8 * n, n);
      const place = { address: b.place(32 * n, x), pitch: 8 * n };
      b.kernels.rows(plan.address, place, place, 4, work);
      const error = relativeError(b.floats(place.address, 8 * n), reference(x, n, kind !== "fft"));
      expect(error / bar(n), plan.text).toBeLessThanOrEqual(0.9);
    }
  });
});
