/**
 * In-place Cooley–Tukey transform, decimation in frequency, of the fused-SAR paper (section III; the last row of its Table I): real and
 * imaginary parts in two arrays of workgroup memory that every stage overwrites, radix 8, and a last stage that writes results in natural
 * order directly. It needs half the workgroup memory of an out-of-place transform with split parts, and one barrier for each exchange
 * instead of two.
 *
 * The paper's last stage reads contiguous elements and scatters its results over device memory. Here its invocations are in the order of
 * their results, so that device memory is written in order, and the addresses in workgroup memory are mixed so that no stage has bank
 * conflicts.
 */
import { wgslFloat } from "@dechirp/core/internal";
import { sharesOf } from "../gains.ts";
import type { Planned } from "../passes.ts";
import type { Unmet, Variant } from "../variants.ts";
import { dft } from "../wgsl/codelets.ts";
import { addressOf, addressText, banksFor } from "./banks.ts";
import { type Frame, framed } from "./frame.ts";
import { stageRoots } from "./roots.ts";
import { radicesOf, tableError, unfit } from "./stockham.ts";

/** Elements of a butterfly's widest stage. */
const radix = 8;
/** Invocations that a workgroup should have at least. */
const goodInvocations = 128;

/** How a workgroup transforms its lines. */
interface Shape {
  readonly n: number;
  readonly radices: readonly number[];
  /** Invocations for a line. */
  readonly threads: number;
  readonly lines: number;
  /** Whether adjacent invocations work on adjacent lines. */
  readonly tile: boolean;
}

/** The transform. Lines need 8 bytes of workgroup memory for each point. */
export const cooleyTukey: Variant = {
  error: tableError,
  plan(transform, limits): Planned | Unmet {
    const { n, outers, inners } = transform;
    const needed = unfit(n);
    if (needed) return needed;
    if (8 * n > limits.workgroupBytes) return { needs: `${8 * n} bytes of workgroup memory for a line of ${n} points` };
    const most = 2 ** Math.floor(Math.log2(limits.invocations));
    const threads = Math.min(n / radix, most);
    let lines = 1;
    while (
      lines * threads < goodInvocations &&
      2 * lines * threads <= most &&
      lines < outers * inners &&
      16 * lines * n <= limits.workgroupBytes / 2
    )
      lines *= 2;
    const shape: Shape = { n, radices: radicesOf(n, radix), threads, lines, tile: inners > 1 && lines > 1 };
    const text = `one-pass cooley-tukey radix=${shape.radices.join("·")} threads=${threads} lines=${lines} in place, split parts`;
    const planned = framed(transform, { lines, threads: threads * lines, text }, (frame) => emit(frame, shape));
    return planned ?? { needs: "transforms without filters" };
  },
};

function emit(frame: Frame, shape: Shape): void {
  const { text, table, sign } = frame;
  const { n, radices, threads, lines, tile } = shape;
  const [c, t] =
    lines === 1
      ? ["0u", "tid"]
      : tile
        ? [text.let(`tid % ${lines}u`, "c"), text.let(`tid / ${lines}u`, "t")]
        : [text.let(`tid / ${threads}u`, "c"), text.let(`tid % ${threads}u`, "t")];
  const line = frame.line(c);
  const shares = sharesOf(radices, frame.gain);
  const banks = banksFor(Math.log2(n), patternsOf(n, radices));
  const start = lines === 1 ? "" : `${text.let(`${c} * ${n}u`, "start")} + `;
  for (const part of ["re", "im"]) frame.declare(`var<workgroup> dechirp_${part}: array<f32, ${lines * n}>;`);
  let block = n;
  radices.forEach((r, s) => {
    const [first, last] = [s === 0, s === radices.length - 1];
    const apart = block / r;
    const scale = shares[s];
    const offset = last ? 0 : stageRoots(table, { r, span: apart, scale, first: 1 });
    if (!first) text.line("workgroupBarrier();");
    for (let b = 0; b * threads < n / r; b++) {
      const number = b === 0 ? t : text.let(`${t} + ${b * threads}u`, "b");
      const base = first ? number : last ? text.let(reversed(number, radices), "i") : text.let(spreadBits(number, apart, r), "i");
      const address = first ? "" : text.let(addressText(banks, base), "a");
      const at = (q: number): string => `${start}(${address} ^ ${addressOf(banks, q * apart)}u)`;
      const values = Array.from({ length: r }, (_, q) => {
        if (!first) return text.let(`vec2f(dechirp_re[${at(q)}], dechirp_im[${at(q)}])`);
        const i = q === 0 ? base : text.let(`${base} + ${q * apart}u`, "i");
        return line.load(i, (b + 1) * threads - 1 + q * apart);
      });
      const results = dft(text, values, sign);
      const scaled = (value: string): string => (scale === 1 ? value : text.let(`${wgslFloat(scale)} * ${value}`));
      if (last) {
        results.forEach((value, u) => line.store(u === 0 ? number : text.let(`${number} + ${u * (n / r)}u`, "k"), scaled(value)));
        continue;
      }
      const to = first ? text.let(addressText(banks, base), "a") : address;
      const j = first ? base : text.let(`${base} & ${apart - 1}u`, "j");
      results.forEach((value, u) => {
        const factor = u > 0 ? `load_dechirp_table(${j} + ${offset + (u - 1) * apart}u)` : "";
        const turned = u > 0 ? text.let(`${sign < 0 ? "cmul" : "cmulc"}(${value}, ${factor})`) : scaled(value);
        const where = text.let(`${start}(${to} ^ ${addressOf(banks, u * apart)}u)`, "a");
        text.line(`dechirp_re[${where}] = ${turned}.x;`);
        text.line(`dechirp_im[${where}] = ${turned}.y;`);
      });
    }
    block = apart;
  });
}

/** WGSL for the first element of a butterfly: its number with zeros for the digit of the stage, whose elements are `apart`. */
const spreadBits = (number: string, apart: number, r: number): string =>
  `((${number} & ~${apart - 1}u) * ${r}u) + (${number} & ${apart - 1}u)`;

/**
 * WGSL for the position of the last stage's butterfly of results `number` + u·n/r: the digits of the number in reverse order, followed by
 * a digit of zero. The number's lowest digit is that of the first stage, which is the position's highest.
 */
function reversed(number: string, radices: readonly number[]): string {
  const n = radices.reduce((a, r) => a * r, 1);
  let [low, high] = [1, n];
  return radices
    .slice(0, -1)
    .map((r) => {
      high /= r;
      const digit = `((${number} / ${low}u) & ${r - 1}u) * ${high}u`;
      low *= r;
      return digit;
    })
    .join(" + ");
}

/** For every stage that accesses workgroup memory, the bits of the position in which adjacent butterflies differ, lowest first. */
export function patternsOf(n: number, radices: readonly number[]): readonly (readonly number[])[] {
  const bits = Math.log2(n);
  let block = n;
  const inOrder = radices.slice(0, -1).map((r) => {
    block /= r;
    const [low, digit] = [Math.log2(block), Math.log2(r)];
    return Array.from({ length: bits - digit }, (_, i) => (i < low ? i : i + digit));
  });
  let high = bits;
  const backwards = radices.slice(0, -1).flatMap((r) => {
    high -= Math.log2(r);
    return Array.from({ length: Math.log2(r) }, (_, i) => high + i);
  });
  return [...inOrder, backwards];
}
