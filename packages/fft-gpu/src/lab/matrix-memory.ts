/**
 * Complex numbers in workgroup memory as kernels with products of matrices keep them: real and imaginary parts in arrays of their own, as
 * f32, as f16, or as the sum of two f16 numbers. Numbers in f16 are divided by a power of two that their line shares.
 */
import type { Text } from "../wgsl/text.ts";
import type { Frame } from "./frame.ts";
import { bytesOf, type MatrixForm, scales } from "./matrix-products.ts";

const parts = ["re", "im"] as const;

/** Bytes of `count` numbers. */
export const memoryBytes = ({ component, split }: MatrixForm, count: number): number => 2 * count * bytesOf(component) * (split ? 2 : 1);

/**
 * The number of peaks in workgroup memory, at least one for each line. Their bytes are a multiple of 16, because tiles are read and written
 * at multiples of 16 bytes (Vulkan's VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986) and drivers place arrays one after the other
 * without such alignment: NVIDIA's reads other elements then.
 */
const peakCount = (lines: number): number => 4 * Math.ceil(lines / 4);

/** Bytes of the peaks of `lines` lines. */
export const peakBytes = (form: MatrixForm, lines: number): number => (scales(form) ? 4 * peakCount(lines) : 0);

/** Complex numbers in workgroup memory. */
export class MatrixMemory {
  readonly #frame: Frame;
  readonly #form: MatrixForm;
  readonly #count: number;
  readonly #stacked: boolean;

  /** Declares memory for `count` numbers. If `stacked`, the imaginary parts follow the real parts in one array. */
  constructor(frame: Frame, form: MatrixForm, count: number, stacked = false) {
    this.#frame = frame;
    this.#form = form;
    this.#count = count;
    this.#stacked = stacked;
    const names = new Set(parts.flatMap((part) => this.arrays(part)));
    for (const name of names) frame.declare(`var<workgroup> ${name}: array<${form.component}, ${stacked ? 2 * count : count}>;`);
  }

  /** The arrays of the real or imaginary parts: of their high parts, and their low parts if numbers are split. */
  arrays(part: "re" | "im"): readonly string[] {
    const name = `dechirp_${this.#stacked ? "parts" : part}`;
    return this.#form.split ? [name, `${name}_low`] : [name];
  }

  /** Writes a vec2f. */
  put(address: string, value: string): void {
    const { text } = this.#frame;
    const { component, split } = this.#form;
    for (const part of parts) {
      const [high, low] = this.arrays(part);
      const at = this.#at(part, address);
      const x = `${value}.${part === "re" ? "x" : "y"}`;
      if (!split) {
        text.line(`${high}[${at}] = ${component === "f32" ? x : `f16(${x})`};`);
        continue;
      }
      // The high part by its bits: compilers may take x - f32(f16(x)) for zero (Mesa does).
      const kept = text.let(`bitcast<f32>(bitcast<u32>(${x}) & 0xffffe000u)`, "high");
      text.line(`${high}[${at}] = f16(${kept});`);
      text.line(`${low}[${at}] = f16(${x} - ${kept});`);
    }
  }

  /** The name of the number at an address, a vec2f. */
  get(address: string): string {
    const value = (part: "re" | "im"): string =>
      this.arrays(part)
        .map((array) => `f32(${array}[${this.#at(part, address)}])`)
        .join(" + ");
    return this.#frame.text.let(`vec2f(${value("re")}, ${value("im")})`);
  }

  #at(part: "re" | "im", address: string): string {
    return this.#stacked && part === "im" ? `${address} + ${this.#count}u` : address;
  }
}

/**
 * Generates the factor that brings the largest real or imaginary part of each line to 2¹⁴…2¹⁵, so that high and low parts in f16 neither
 * overflow nor underflow, and its inverse. Infinities and NaN stay what they are. `values` are those of this invocation, of line c. It ends
 * with a barrier.
 */
export function lineScale(
  frame: Frame,
  lines: number,
  c: string,
  values: readonly string[],
): { readonly down: string; readonly up: string } {
  const { text } = frame;
  frame.declare(`var<workgroup> dechirp_peaks: array<atomic<u32>, ${peakCount(lines)}>;`);
  const peak = text.variable("f32", "peak");
  for (const value of values) text.line(`${peak} = max(${peak}, max(abs(${value}.x), abs(${value}.y)));`);
  text.line(`atomicMax(&dechirp_peaks[${c}], bitcast<u32>(${peak}));`);
  text.line("workgroupBarrier();");
  return scaleOf(text, `atomicLoad(&dechirp_peaks[${c}])`);
}

/** The factor that brings the number with these bits to 2¹⁴…2¹⁵, and its inverse. */
export function scaleOf(text: Text, bits: string): { readonly down: string; readonly up: string } {
  const found = text.let(`(${bits}) >> 23u`, "e");
  const exponent = text.let(`select(clamp(${found}, 15u, 254u), 141u, ${found} == 255u)`, "e");
  return {
    down: text.let(`bitcast<f32>((268u - ${exponent}) << 23u)`, "down"),
    up: text.let(`bitcast<f32>((${exponent} - 14u) << 23u)`, "up"),
  };
}
