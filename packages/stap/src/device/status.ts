/** What a device says of its covariances, as an error. */
import { RadarError } from "@dechirp/core";
import type { EfaGeometry } from "../efa/options.ts";

/**
 * Throws `input`, naming `covariance`, bin, group and row, where `status` [bin][group] of a run says that a matrix was not positive
 * definite: too little training, or data of too small a rank; loading helps.
 */
export function checkStatus(status: ArrayLike<number>, { sets }: EfaGeometry): void {
  for (let i = 0; i < status.length; i++) {
    if (status[i] === 0) continue;
    const [bin, group] = [Math.floor(i / sets.groups), i % sets.groups];
    const expected = "positive definite; more training, or loading, makes it so";
    throw new RadarError(
      "input",
      `covariance of bin ${bin}, group ${group} must be ${expected}: its pivot ${status[i] - 1} is not positive`,
      {
        field: "covariance",
        expected,
        bin,
        group,
        row: status[i] - 1,
      },
    );
  }
}
