/**
 * Decides the Doppler ambiguity of a long recording from estimates of a few blocks of it. The fraction is continuous over the recording
 * (doppler-fit.ts), so all blocks have the same ambiguity: their estimates are joined, and blocks that contradict the decision are counted.
 */
import { inputError } from "@dechirp/core";
import { checkObject } from "@dechirp/core/internal";
import type { DopplerAmbiguity } from "./doppler.ts";
import type { AbsoluteDoppler } from "./doppler-absolute.ts";

/** The ambiguity of one block. */
export interface BlockAmbiguity {
  /** Middle line of the block. */
  readonly line: number;
  /** The unwrapped fraction in the middle of the block, as the fit gives it; not limited to ±PRF/2. */
  readonly fractionHz: number;
  readonly estimate: DopplerAmbiguity;
}

/** The ambiguity that several blocks show together. */
export interface JointAmbiguity {
  /** Number of whole PRFs between the unwrapped fraction and the absolute centroid. */
  readonly ambiguity: number;
  /** Absolute centroid minus unwrapped fraction, by the method that decides: the weighted mean over the blocks. */
  readonly offsetHz: number;
  readonly standardErrorHz: number;
  readonly method: AbsoluteDoppler["method"];
  /**
   * Whether the decision is safe: three standard errors fit between the offset and the nearest other ambiguity, the other method does not
   * decide differently as safely, and more blocks confirm the decision than contradict it if any contradicts it.
   */
  readonly confident: boolean;
  /** Middle lines of the blocks that are confident of this ambiguity by themselves. */
  readonly confirmedBy: readonly number[];
  /** Middle lines of the blocks that are confident of another ambiguity by themselves. */
  readonly contradictedBy: readonly number[];
}

interface Offset {
  readonly method: AbsoluteDoppler["method"];
  readonly offsetHz: number;
  readonly standardErrorHz: number;
}

/**
 * Joins the estimates of blocks: for each method, the mean of absolute estimate minus unwrapped fraction, weighted by the inverse
 * variances. If the blocks scatter more than they state, the standard error grows in proportion. The method with the smaller standard
 * error decides. Throws `input` if there is no block.
 */
export function joinDopplerAmbiguities(blocks: readonly BlockAmbiguity[], prfHz: number): JointAmbiguity {
  const given: unknown = blocks;
  if (!(Array.isArray(given) && given.length > 0)) throw inputError("blocks", "a list of at least one block", blocks);
  if (!Number.isFinite(prfHz) || prfHz <= 0) throw inputError("prfHz", "a positive number", prfHz);
  blocks.forEach((block, i) => {
    checkObject(block, `blocks[${i}]`, "input");
    checkObject(block.estimate, `blocks[${i}].estimate`, "input");
    if (!Number.isFinite(block.fractionHz)) throw inputError(`blocks[${i}].fractionHz`, "a finite number", block.fractionHz);
  });
  const methods = [...new Set(blocks.flatMap(({ estimate }) => estimate.estimates.map(({ method }) => method)))];
  const offsets = methods.map((method) => join(blocks, method));
  offsets.sort((a, b) => (a.standardErrorHz < b.standardErrorHz ? -1 : a.standardErrorHz > b.standardErrorHz ? 1 : 0));
  const decide = ({ offsetHz, standardErrorHz }: Offset) => {
    const ambiguity = Math.round(offsetHz / prfHz);
    return { ambiguity, confident: 3 * standardErrorHz <= prfHz / 2 - Math.abs(offsetHz - ambiguity * prfHz) };
  };
  const [first, ...others] = offsets.map(decide);
  const contradicted = others.some((other) => other.confident && other.ambiguity !== first.ambiguity);
  // A block decides relative to its own fraction, which need not be on the same turn as the fit.
  const own = ({ fractionHz, estimate }: BlockAmbiguity): number => Math.round((estimate.absoluteHz - fractionHz) / prfHz);
  const sure = blocks.filter(({ estimate }) => estimate.confident);
  const confirmedBy = sure.filter((block) => own(block) === first.ambiguity).map(({ line }) => line);
  const contradictedBy = sure.filter((block) => own(block) !== first.ambiguity).map(({ line }) => line);
  const outvoted = contradictedBy.length > 0 && contradictedBy.length >= confirmedBy.length;
  return {
    ambiguity: first.ambiguity,
    offsetHz: offsets[0].offsetHz,
    standardErrorHz: offsets[0].standardErrorHz,
    method: offsets[0].method,
    confident: first.confident && !contradicted && !outvoted,
    confirmedBy,
    contradictedBy,
  };
}

function join(blocks: readonly BlockAmbiguity[], method: AbsoluteDoppler["method"]): Offset {
  let [weights, sum] = [0, 0];
  const known: { readonly offset: number; readonly weight: number }[] = [];
  for (const { fractionHz, estimate } of blocks) {
    const one = estimate.estimates.find((by) => by.method === method);
    if (one === undefined || !Number.isFinite(one.standardErrorHz) || !Number.isFinite(one.absoluteHz)) continue;
    const entry = { offset: one.absoluteHz - fractionHz, weight: 1 / Math.max(one.standardErrorHz, 1e-9) ** 2 };
    known.push(entry);
    weights += entry.weight;
    sum += entry.weight * entry.offset;
  }
  if (known.length === 0) return { method, offsetHz: 0, standardErrorHz: Infinity };
  const offsetHz = sum / weights;
  const squares = known.reduce((total, { offset, weight }) => total + weight * (offset - offsetHz) ** 2, 0);
  const scatter = known.length < 2 ? 1 : Math.max(1, Math.sqrt(squares / (known.length - 1)));
  return { method, offsetHz, standardErrorHz: scatter / Math.sqrt(weights) };
}
