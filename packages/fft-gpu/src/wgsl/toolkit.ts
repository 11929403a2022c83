/**
 * The transform as a function for a user's own kernel: the stages and exchanges of the kernel of lines, on values that the kernel's
 * invocations hold. The table of the kernel's plan has the twiddle factors.
 */
import type { WgslFft, WgslFftOptions } from "@dechirp/core";
import { valuesOf } from "../crowd.ts";
import { gainsOf, sharesOf } from "../gains.ts";
import { type GroupLimits, type LineShape, workgroupBytes } from "../shape.ts";
import { stagesOf } from "../stage-choice.ts";
import { stageTwiddles, type TableBuilder } from "../tables.ts";
import { type Held, placesOf, Stages } from "./stages.ts";
import { Text } from "./text.ts";

/** Generates the function that core's `WgslToolkit.fft` describes. It reads `table`, which the kernel's plan binds as `dechirp_table`. */
export function toolkitFft(options: WgslFftOptions, limits: GroupLimits, table: TableBuilder): WgslFft | undefined {
  const { name, n, inverse, exchange } = options;
  const shape = shapeOf(n, limits);
  if (!shape) return undefined;
  const { radices, threads } = shape;
  const values = n / threads;
  const text = new Text();
  // Without exchanges, surplus invocations are harmless.
  const active = radices.length <= 1 ? undefined : text.let(`t < ${threads}u`, "active");
  const at = { t: "t", c: "0u" };
  const stages = new Stages(text, shape, exchange ?? `${name}_exchange`);
  const place = (r: number) => placesOf(text, shape, r, at.t, active);
  const ends = { first: radices[0] ?? 1, last: radices.at(-1) ?? 1 };
  /** The index in `v` of the i-th value that an invocation holds before or after a stage of radix r: b + q·(butterflies per thread). */
  const slot = (i: number, r: number): number => {
    const butterflies = values / r;
    return Math.floor(i / r) + (i % r) * butterflies;
  };
  let held: Held[] = place(ends.first).map((p, i) => ({ ...p, value: text.let(`(*v)[${slot(i, ends.first)}]`) }));
  const shares = sharesOf(radices, gainsOf(inverse ? "inverse" : "forward", n).inverse);
  const offsets = stageTwiddles(table, radices, shares);
  let span = 1;
  radices.forEach((r, s) => {
    if (s > 0) held = stages.exchange(held, at, place(r), at);
    held = stages.stage(held, { r, span, sign: inverse ? 1 : -1, offset: offsets[s], scale: shares[s] });
    span *= r;
  });
  held.forEach((h, i) => {
    text.line(`(*v)[${slot(i, ends.last)}] = ${h.value};`);
  });
  // Another call may write memory that this one still reads.
  if (radices.length > 1) text.line("workgroupBarrier();");
  return {
    code: `${exchange === undefined ? stages.declarations() : ""}\nfn ${name}(v: ptr<function, array<vec2f, ${values}>>, t: u32) {\n${text}\n}`,
    threads,
    values,
    exchange: radices.length > 1 ? workgroupBytes(shape) / 4 : 0,
  };
}

/** A shape in which every invocation has the same number of whole butterflies in the first and the last stage. */
function shapeOf(n: number, limits: GroupLimits): LineShape | undefined {
  const radices = stagesOf(n);
  if (!radices) return undefined;
  if (radices.length <= 1) return { n, radices, threads: 1, lines: 1, together: 1, exchange: "split", windows: 1 };
  for (let values = 1; values <= 32; values++) {
    if (n % values !== 0 || values % radices[0] !== 0 || values % (radices.at(-1) ?? 1) !== 0) continue;
    const threads = n / values;
    const shape: LineShape = { n, radices, threads, lines: 1, together: 1, exchange: "split", windows: 1 };
    if (threads > limits.invocations || valuesOf(n, radices, threads) > 32) continue;
    if (workgroupBytes(shape) <= limits.workgroupBytes) return shape;
  }
  return undefined;
}
