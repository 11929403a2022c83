/**
 * Lengths with large prime factors: the DFT as a convolution with a chirp (Bluestein 1970), that is as a filter of a longer,
 * convenient length whose reader and writer multiply by the chirp. All the passes of a filter fit it, and the one-pass
 * form is one dispatch.
 */
import { chirpSpectrum, putChirp, rootsOf } from "@dechirp/core/tables";
import { type Gains, rootNear } from "./gains.ts";
import type { TableBuilder } from "./tables.ts";
import type { Transform } from "./transform.ts";

/** Numbers of a chirp that are made at a time. */
const pieceLength = 2 ** 15;

/** exp(sign·jπ·i²/n) for i < n. */
function* chirp(n: number, sign: -1 | 1, out: Float32Array): Generator<void> {
  const roots = rootsOf(2 * n);
  for (let start = 0; start < n; start += pieceLength) {
    putChirp(roots, start, Math.min(pieceLength, n - start), sign, out, 2 * start);
    yield;
  }
}

/** DFT of the conjugate chirp, wrapped to length m, times `scale`. */
function* spectrum(n: number, m: number, sign: -1 | 1, scale: number, out: Float32Array): Generator<void> {
  yield* chirpSpectrum(n, m, scale, () => out);
  if (sign < 0) return;
  // That of the other direction's chirp is conjugate, as the chirp is even.
  for (let k = 0; k < m; k++) {
    out[2 * k + 1] = -out[2 * k + 1];
    if (k % pieceLength === pieceLength - 1) yield;
  }
}

/** The filter of length m ≥ 2n − 1 that is the transform. */
export function bluestein(transform: Transform, m: number): Transform {
  const { n, kind, read, write } = transform;
  const sign = kind === "inverse" ? 1 : -1;
  // As a filter's, but that the whole is over m alone, or over m·n: what stages lack the chirp's spectrum has.
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
