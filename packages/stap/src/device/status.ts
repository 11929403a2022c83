/**
 * What a device reports about its covariances, u32 [bin][group]: 0, or what is wrong, as a kind times 2¹⁶ plus a detail. The limits that
 * decide
 * are here, too, for all forms of the kernels: the reference, WGSL and WebAssembly (assembly/status.ts repeats them).
 */
import { RadarError } from "@dechirp/core";
import type { EfaGeometry } from "../efa/options.ts";

/**
 * Kinds, times 2¹⁶. For the first three the detail is a row, from 1, and the outputs are zero; `illConditioned` has ⌈log₂ κ⌉, `steering`
 * the
 * number of a steering vector.
 */
export const statusKinds = { singular: 0, notFinite: 1, noPower: 2, illConditioned: 3, steering: 4 } as const;

/** What may be wrong with a covariance or its outputs. */
export type StatusKind = keyof typeof statusKinds;

export const kindUnit = 2 ** 16;

/** The limits that decide, by the precision of covariances. */
export interface PrecisionLimits {
  /**
   * A pivot of at most this share of its diagonal counts as zero. f32: four roundings. Rounding leaves 80 to 90 % of singular covariances
   * with such
   * pivots (orders 4 to 54, K = 3n, drawn at random). f64: what rounding of the Doppler spectrum to float32 leaves.
   */
  readonly pivotShare: number;
  /** Smallest pivot. Below it, squares have lost digits at the end of the exponent's range. */
  readonly leastPivot: number;
  /** A diagonal element below this has no power. */
  readonly leastDiagonal: number;
  /** κ beyond which outputs may be less than 40 dB from float64's. */
  readonly condition: number;
}

export const precisionLimits: Readonly<Record<EfaGeometry["precision"], PrecisionLimits>> = {
  f32: { pivotShare: 2 ** -22, leastPivot: 2 ** -122, leastDiagonal: 2 ** -100, condition: 2 ** 14 },
  f64: { pivotShare: 2 ** -42, leastPivot: 2 ** -242, leastDiagonal: 2 ** -200, condition: 2 ** 29 },
};

/** κ is computed if a pivot is below this share of its diagonal. Otherwise it is far from every limit. */
export const weakShare = 2 ** -6;

/** The status of κ: 0 if it is within the limit. */
export const conditionStatus = (condition: number, { condition: limit }: PrecisionLimits): number =>
  condition > limit ? statusKinds.illConditioned * kindUnit + Math.ceil(Math.log2(condition)) : 0;

/** The status of row `row` (from 0), whose pivot is not positive. */
export function pivotStatus(row: number, diagonal: number, { leastDiagonal }: PrecisionLimits): number {
  const kind = Number.isFinite(diagonal) ? (diagonal < leastDiagonal ? "noPower" : "singular") : "notFinite";
  return statusKinds[kind] * kindUnit + row + 1;
}

/** A covariance or steering vector that a run found fault with. */
export interface CovarianceStatus {
  readonly kind: StatusKind;
  /** Doppler bin, from 0. */
  readonly bin: number;
  /** Group of ranges, from 0. */
  readonly group: number;
  /** For `singular`, `notFinite`, `noPower`: row of the covariance, and its channel and tap, from 0. */
  readonly row?: number;
  /** Channel of that row, from 0. */
  readonly channel?: number;
  /** Temporal tap of that row, from 0. */
  readonly tap?: number;
  /** For `illConditioned`: κ = ‖H⁻¹‖, to a factor of two, of H, the covariance scaled to a diagonal of ones. */
  readonly condition?: number;
  /** For `steering`: number of the steering vector. */
  readonly steering?: number;
}

/** All entries of `status` [bin][group] that are not 0. */
export function readStatus(
  status: ArrayLike<number>,
  { sets, temporalTaps }: Pick<EfaGeometry, "sets" | "temporalTaps">,
): readonly CovarianceStatus[] {
  const kinds = Object.keys(statusKinds) as StatusKind[];
  const found: CovarianceStatus[] = [];
  for (let i = 0; i < status.length; i++) {
    if (status[i] === 0) continue;
    const [kind, detail] = [kinds[Math.floor(status[i] / kindUnit)], status[i] % kindUnit];
    const place = { kind, bin: Math.floor(i / sets.groups), group: i % sets.groups };
    if (kind === "illConditioned") found.push({ ...place, condition: 2 ** detail });
    else if (kind === "steering") found.push({ ...place, steering: detail });
    else found.push({ ...place, row: detail - 1, channel: Math.floor((detail - 1) / temporalTaps), tap: (detail - 1) % temporalTaps });
  }
  return found;
}

/** What is expected, of which field, and why it is not so. */
const texts: Readonly<Record<StatusKind, (one: CovarianceStatus, precision: EfaGeometry["precision"]) => readonly [string, string]>> = {
  singular: (one) => [
    "positive definite; more training, or loading, makes it so",
    `its pivot ${one.row} (channel ${one.channel}, tap ${one.tap}) is not positive`,
  ],
  notFinite: (one) => [
    "of finite samples whose squares float32 holds; efaInputs checks and scales them",
    `the power of channel ${one.channel}, tap ${one.tap}, is not finite`,
  ],
  noPower: (one) => ["of channels with power; efaInputs scales samples", `channel ${one.channel}, tap ${one.tap}, has none`],
  illConditioned: ({ condition }, precision) => [
    `solvable to 40 dB; ${precision === "f32" ? 'precision "f64", or ' : ""}loading helps`,
    `its condition is about ${(condition as number).toExponential(0)}`,
  ],
  steering: ({ steering }) => [
    "in float32's range; efaInputs checks and scales them",
    `vᴴR⁻¹v of steering vector ${steering} is not positive and finite`,
  ],
};

/**
 * Throws `input`, naming `covariance` (or `steering`), kind, bin and group, if `status` [bin][group] of a run says that an output is not
 * reliable: because a covariance is singular, not finite or without power, and its outputs are zero, or so ill-conditioned that
 * outputs may be less than 40 dB from float64's. `readStatus` lists all of them; the gravest is named first.
 */
export function checkStatus(status: ArrayLike<number>, geometry: Pick<EfaGeometry, "sets" | "temporalTaps" | "precision">): void {
  const found = readStatus(status, geometry);
  if (found.length === 0) return;
  const unusable = found.filter(({ kind }) => kind !== "illConditioned");
  const first = unusable.find(({ kind }) => kind !== "singular") ?? unusable[0] ?? found[0];
  const [expected, why] = texts[first.kind](first, geometry.precision);
  const more = found.length > 1 ? ` (and ${found.length - 1} more of ${status.length})` : "";
  throw new RadarError("input", `covariance of bin ${first.bin}, group ${first.group} must be ${expected}: ${why}${more}`, {
    field: first.kind === "steering" ? "steering" : "covariance",
    expected,
    covariances: found.length,
    ...first,
  });
}
