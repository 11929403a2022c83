/**
 * Lengths with large prime factors: the DFT as a convolution with a chirp (Bluestein 1970), that is as a filter of a longer,
 * convenient length whose reader and writer multiply by the chirp. All the passes of a filter fit it, and the one-pass
 * form is one dispatch.
 */
import { hostDft } from "./host-dft.ts";
import { type TableBuilder, unitRoot } from "./tables.ts";
import type { Transform } from "./transform.ts";

/** exp(sign·jπ·i²/n): i² is exact up to 2⁵³. */
function chirp(i: number, n: number, sign: -1 | 1): readonly [number, number] {
  const [re, im] = unitRoot((i * i) % (2 * n), 2 * n);
  return [re, -sign * im];
}

/** The filter of length m ≥ 2n − 1 that is the transform. */
export function bluestein(transform: Transform, m: number): Transform {
  const { n, kind, read, write } = transform;
  const sign = kind === "inverse" ? 1 : -1;
  const chirpTable = (table: TableBuilder): number => table.add(`chirp ${sign}/${n}`, n, (i) => chirp(i, n, sign));
  let spectrum: Float64Array | undefined;
  return {
    ...transform,
    n: m,
    kind: "filter",
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
        const offset = table.add(`chirp spectrum ${sign}/${n}/${m}`, m, (k) => {
          spectrum ??= chirpSpectrum(n, m, sign);
          return [spectrum[2 * k], spectrum[2 * k + 1]];
        });
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

/** DFT of the conjugate chirp, wrapped to length m; with 1/n where the transform is the inverse. */
function chirpSpectrum(n: number, m: number, sign: -1 | 1): Float64Array {
  const line = new Float64Array(2 * m);
  const scale = sign > 0 ? 1 / n : 1;
  for (let i = 0; i < n; i++) {
    const [re, im] = chirp(i, n, sign);
    for (const place of i === 0 ? [0] : [i, m - i]) line.set([re * scale, -im * scale], 2 * place);
  }
  return hostDft(line);
}
