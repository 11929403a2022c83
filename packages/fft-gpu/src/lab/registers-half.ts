/**
 * Data in registers, exchanged through workgroup memory as complex numbers of half precision (radix-8 paper, section IV.A, which names 2¹⁴
 * points with f16). A number takes four bytes, so 32 KiB exchange 8192 points at once, and 16,384 in two parts, with as many barriers as the
 * exchange of real and imaginary parts of 8192 points in single precision. Arithmetic is f32.
 */
import { wgslFloat } from "@dechirp/core/internal";
import { type Planned, passOf } from "../passes.ts";
import type { Unmet, Variant } from "../variants.ts";
import type { Between, Place, Position } from "../wgsl/addresses.ts";
import { type Held, type Stage, Stages } from "../wgsl/stages.ts";
import { scaleOf } from "./matrix-memory.ts";
import { radicesOf, shapeOf, tableError, tooLong, unfit } from "./stockham.ts";

/** Stages that exchange numbers in half precision, divided by a power of two that the line shares. */
class HalfStages extends Stages {
  protected override readonly word = {
    type: "u32",
    pack: (value: string): string => `pack2x16float(${value})`,
    unpack: (word: string): string => `unpack2x16float(${word})`,
  };
  /** Names of the factor and its inverse. */
  #scale: { readonly down: string; readonly up: string } | undefined;
  /** By how much values may have grown since they were measured. */
  #growth = 1;

  override stage(held: readonly Held[], stage: Stage): Held[] {
    if (this.#scale) this.#growth *= stage.r;
    return super.stage(held, stage);
  }

  override exchange(held: readonly Held[], from: Position, places: readonly Place[], to: Position, between?: Between): Held[] {
    const { text } = this;
    this.#scale ??= this.#measure(held, from);
    const [down, up] = [1 / this.#growth, this.#growth].map(wgslFloat);
    const scaled = held.map((h) => ({ ...h, value: text.let(`${this.#scale?.down} * (${down} * ${h.value})`) }));
    return super
      .exchange(scaled, from, places, to, between)
      .map((h) => ({ ...h, value: text.let(`${this.#scale?.up} * (${up} * ${h.value})`) }));
  }

  /** Finds the largest part of the line in two steps through the memory of the exchange, as all of it is needed later. */
  #measure(held: readonly Held[], { c, t }: Position): { readonly down: string; readonly up: string } {
    const { text, name } = this;
    const { n, threads, windows } = this.shape;
    const groups = Math.min(threads, 2 ** Math.ceil(Math.log2(threads) / 2));
    const start = text.let(`${c} * ${n / windows}u`, "start");
    const peak = text.variable("f32", "peak");
    for (const h of held) text.when(h.guard, () => text.line(`${peak} = max(${peak}, max(abs(${h.value}.x), abs(${h.value}.y)));`));
    text.line(`${name}[${start} + ${t}] = bitcast<u32>(${peak});`);
    text.line("workgroupBarrier();");
    const most = text.variable("u32", "most");
    text.when(groups < threads ? `${t} < ${groups}u` : undefined, () => {
      text.line(`for (var g = ${t}; g < ${threads}u; g += ${groups}u) { ${most} = max(${most}, ${name}[${start} + g]); }`);
      text.line(`${name}[${start} + ${threads}u + ${t}] = ${most};`);
    });
    text.line("workgroupBarrier();");
    text.line(`for (var g = 0u; g < ${groups}u; g++) { ${most} = max(${most}, ${name}[${start} + ${threads}u + g]); }`);
    text.line("workgroupBarrier();");
    return scaleOf(text, most);
  }
}

/**
 * 32 values for each invocation, exchanged in half precision. Each exchange rounds once to 11 bits: with rounding to either neighbour, which
 * WGSL permits, less than 2⁻¹¹ in the mean square.
 */
export const registersHalf: Variant = {
  error: (n) => tableError(n) + 2 ** -11 * Math.sqrt(radicesOf(n, 32).length - 1),
  plan(transform, limits): Planned | Unmet {
    const { n } = transform;
    // The exchange of whole values is planned for eight bytes each.
    const packed = { ...limits, workgroupBytes: 2 * limits.workgroupBytes };
    const shape = shapeOf(transform, packed, [...radicesOf(n, 32)].reverse(), 32, ["both"]);
    if (transform.kind === "filter") return { needs: "a transform that is not a filter" };
    return unfit(n) ?? (shape ? passOf(transform, shape, (text, given) => new HalfStages(text, given)) : tooLong(n));
  },
};
