/** The targets that the project states for the cases of the bench, and whether rows meet them. Each names the document that states it. */
import type { TargetOutcome } from "@dechirp/experiments";
import { short } from "./report.ts";
import type { Row } from "./runner.ts";

/** The lengths that ratios to other libraries are stated for, as geometric means. */
const lengths = [1024, 4096, 16_384];

/** How many times as fast our transforms of `lengths` are as a peer's, or the reason why that was not measured. */
function ratioTo(rows: readonly Row[], peer: RegExp): number | string {
  let product = 1;
  for (const n of lengths) {
    const case_ = rows.filter((row) => new RegExp(`^fft c64 \\d+×${n}$`).test(row.case));
    const other = case_.find(({ contender }) => peer.test(contender));
    const own = case_.find(({ contender }) => contender.startsWith("dechirp"));
    if (!own || !other) return `no case of ${n} points with both ran`;
    product *= other.milliseconds / own.milliseconds;
  }
  return product ** (1 / lengths.length);
}

const ratioTarget = (rows: readonly Row[], name: string, peer: RegExp, wanted: number): TargetOutcome => {
  const ratio = ratioTo(rows, peer);
  return {
    target: `one core is at least ${wanted === 1 ? "" : `${wanted} times `}as fast as ${name}, mean of ${lengths.join(", ")} points`,
    source: "apps/docs/performance-fft-cpu.md",
    measured: typeof ratio === "string" ? ratio : { text: `${short(ratio)} times`, met: ratio >= wanted },
  };
};

/** Transforms of the bench with their lengths and errors. */
function accuracyTarget(rows: readonly Row[]): TargetOutcome {
  const own = rows.flatMap((row) => {
    const n = Number(/^fft c64 \d+×(\d+)$/.exec(row.case)?.[1]);
    return Number.isInteger(n) && row.contender.startsWith("dechirp") ? [{ n, error: row.error }] : [];
  });
  const worst = Math.max(...own.map(({ n, error }) => error / (2 ** -23 * Math.sqrt(Math.log2(n)))));
  return {
    target: "transforms have a relative L2 error of at most ε·√log₂n",
    source: "packages/bench/test/guard.timed.test.ts",
    measured:
      own.length === 0 ? "no case of transforms ran" : { text: `${own.length} lengths, at most ${short(worst)}·ε·√log₂n`, met: worst <= 1 },
  };
}

/** Compares the rows of the bench with the targets. */
export const benchTargets = (rows: readonly Row[]): readonly TargetOutcome[] => [
  ratioTarget(rows, "fft.js", /^fft\.js/, 4),
  ratioTarget(rows, "pffft in WebAssembly", /^pffft/, 1),
  accuracyTarget(rows),
];
