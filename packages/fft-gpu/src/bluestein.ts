/**
 * Transforms lengths with large prime factors as a convolution with a chirp (Bluestein 1970), which is a filter of a longer, convenient
 * length. The filter's reader and writer multiply by the chirp. So all kinds of passes of a filter apply, and a filter in one pass is one
 * dispatch.
 */
import { chirpSpectrum, putChirp, rootsOf } from "@dechirp/core/tables";
import { type Gains, rootNear } from "./gains.ts";
import type { TableBuilder } from "./tables.ts";
import type { Transform } from "./transform.ts";

/** Number of chirp values that are computed between two yields. */
const pieceLength = 2 ** 15;

/** exp(sign·jπ·i²/n) for i < n. */
function* chirp(n: number, sign: -1 | 1, out: Float32Array): Generator<void> {
  const roots = rootsOf(2 * n);
  for (let start = 0; start < n; start += pieceLength) {
    putChirp(roots, start, Math.min(pieceLength, n - start), sign, out, 2 * start);
    yield;
  }
}

/** The DFT of the conjugate chirp, wrapped to length m, times `scale`. */
function* spectrum(n: number, m: number, sign: -1 | 1, scale: number, out: Float32Array): Generator<void> {
  yield* chirpSpectrum(n, m, scale, () => out);
  if (sign < 0) return;
  // The spectrum for the other direction is the conjugate, as the chirp is even.
  for (let k = 0; k < m; k++) {
    out[2 * k + 1] = -out[2 * k + 1];
    if (k % pieceLength === pieceLength - 1) yield;
  }
}

/** Returns the transform as a filter of length m ≥ 2n − 1. */
export function bluestein(transform: Transform, m: number): Transform {
  const { n, kind, read, write } = transform;
  const sign = kind === "inverse" ? 1 : -1;
  // As for a filter, but the total is 1/m, or 1/(m·n) for an inverse. The chirp's spectrum has the remaining factor.
  const gains: Gains = { forward: rootNear(1 / m), inverse: sign > 0 ? rootNear(1 / n) ** 2 : 1 };
  const scale = (sign > 0 ? 1 / n : 1) / m / gains.forward / gains.inverse;
  const chirpTable = (table: TableBuilder): number => table.addPieces(`chirp ${sign}/${n}`, n, (out) => chirp(n, sign, out));
  return {
    ...transform,
    n: m,
    kind: "filter",
    gains,
    read: {
      ...read,
      extent: Math.min(read.extent, n),
      line(text, at, table) {
        const element = read.line(text, at, table);
        const offset = chirpTable(table);
        return (t, i) => `cmul(${element(t, i)}, load_dechirp_table((${i}) + ${offset}u))`;
      },
    },
    filter: {
      line(_text, _at, table) {
        const offset = table.addPieces(`chirp spectrum ${sign}/${n}/${m}`, m, (out) => spectrum(n, m, sign, scale, out));
        return (_, k) => `load_dechirp_table((${k}) + ${offset}u)`;
      },
    },
    write: {
      ...write,
      line(text, at, table) {
        const element = write.line(text, at, table);
        const offset = chirpTable(table);
        const first = write.keep[0];
        return (t, k, value) => {
          const turned = t.let(`cmul(${value}, load_dechirp_table((${k}) + ${offset + first}u))`);
          element(t, k, turned);
        };
      },
    },
  };
}
