/** The text of `codelets.ts`, the generated module that `kernels.ts` imports: every stage, and one dispatch for each kind. */
import { firstRadices, lastRadices, middleRadices } from "../../src/wasm/factors.ts";
import { bridgeStage, firstStage, lastStage, middleStage } from "./stages.ts";

/** The last radix of powers of two. */
const exactRadices = [4] as const;

/** Middle radices that come last where nothing else does. */
const plainRadices: readonly number[] = [4];

const helpers = `
// @ts-nocheck
/* @inline */ function zipLow(a: v128, b: v128): v128 { return v128.shuffle<f32>(a, b, 0, 4, 1, 5); }
/* @inline */ function zipHigh(a: v128, b: v128): v128 { return v128.shuffle<f32>(a, b, 2, 6, 3, 7); }
/* @inline */ function lows(a: v128, b: v128): v128 { return v128.shuffle<u64>(a, b, 0, 2); }
/* @inline */ function highs(a: v128, b: v128): v128 { return v128.shuffle<u64>(a, b, 1, 3); }
/* @inline */ function even(a: v128, b: v128): v128 { return v128.shuffle<f32>(a, b, 0, 2, 4, 6); }
/* @inline */ function odd(a: v128, b: v128): v128 { return v128.shuffle<f32>(a, b, 1, 3, 5, 7); }
/* @inline */ function madd(a: v128, b: v128, c: v128): v128 {
  if (RELAXED) return f32x4.relaxed_madd(a, b, c);
  return f32x4.add(f32x4.mul(a, b), c);
}
/* @inline */ function nmadd(a: v128, b: v128, c: v128): v128 {
  if (RELAXED) return f32x4.relaxed_nmadd(a, b, c);
  return f32x4.sub(c, f32x4.mul(a, b));
}
`;

export function codelets(): string {
  const middleCases = middleRadices.map((r) => {
    const call = `middle${r}(src, dst, step, m, tw)`;
    return `    case ${r}: ${plainRadices.includes(r) ? `if (m == 1) middle${r}plain(src, dst, step, m, tw); else ` : ""}${call}; break;`;
  });
  const firstCases = (kind: string): string[] => firstRadices.map((r) => `    case ${r}: first${r}${kind}(src, dst, m, tw, h); break;`);
  const lastCases = (kind: string): string[] =>
    (kind === "exact" ? exactRadices : lastRadices).map((r) => `    case ${r}: last${r}${kind}(src, dst, leg, factor, rest); break;`);
  return [
    helpers,
    ...firstRadices.flatMap((r) => [firstStage(r, "forward"), firstStage(r, "inverse"), firstStage(r, "filter")]),
    ...middleRadices.map((r) => middleStage(r)),
    ...plainRadices.map((r) => middleStage(r, true)),
    ...lastRadices.flatMap((r) => [lastStage(r, "forward"), lastStage(r, "inverse")]),
    ...exactRadices.map((r) => lastStage(r, "exact")),
    bridgeStage(4),
    `export function middle(radix: u32, src: usize, dst: usize, step: usize, m: usize, tw: usize): void {
  switch (radix) {
${middleCases.join("\n")}
  }
}`,
    ...["forward", "inverse", "filter"].map(
      (kind) => `export function first_${kind}(radix: u32, src: usize, dst: usize, m: usize, tw: usize, h: usize): void {
  switch (radix) {
${firstCases(kind).join("\n")}
  }
}`,
    ),
    ...["forward", "inverse", "exact"].map(
      (kind) => `export function last_${kind}(radix: u32, src: usize, dst: usize, leg: usize, factor: v128, rest: v128): void {
  switch (radix) {
${lastCases(kind).join("\n")}
  }
}`,
    ),
  ].join("\n");
}
