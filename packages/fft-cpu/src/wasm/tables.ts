/**
 * The numbers that the kernels read: turns (twiddles) of every stage, chirps and their spectra, the turns of real transforms. All are
 * computed in float64 and rounded once. Nothing here knows of addresses.
 */

/** exp(−j2πk/n), from an angle in the first eighth of the circle so that the result is exact to float64. */
export function unitRoot(k: number, n: number): readonly [re: number, im: number] {
  const t = 8 * (((k % n) + n) % n);
  const octant = Math.floor(t / n);
  const rest = octant % 2 === 0 ? t - octant * n : (octant + 1) * n - t;
  const angle = (Math.PI * rest) / (4 * n);
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const quarter = octant >> 1;
  const [re, im] = octant % 2 === 0 ? [c, s] : [s, c];
  if (quarter === 0) return [re, -im];
  if (quarter === 1) return [-im, -re];
  if (quarter === 2) return [-re, im];
  return [im, re];
}

/**
 * Turns w^(pk), w = exp(−j2π/(m·radix)), of a stage whose m outputs p share them over all lanes: for each p and leg k = 1 …
 * radix − 1 a real and an imaginary part.
 */
export function sharedTurns(radix: number, m: number): Float32Array {
  const table = new Float32Array(2 * (radix - 1) * m);
  let at = 0;
  for (let p = 0; p < m; p++) {
    for (let k = 1; k < radix; k++) {
      const [re, im] = unitRoot(p * k, radix * m);
      table[at++] = re;
      table[at++] = im;
    }
  }
  return table;
}

/** The same for a first stage: four outputs at a time, four real parts and then four imaginary ones; the last four may overlap. */
export function laneTurns(radix: number, m: number): Float32Array {
  const groups = Math.ceil(m / 4);
  const table = new Float32Array(8 * (radix - 1) * groups);
  let at = 0;
  for (let group = 0; group < groups; group++) {
    const p = Math.min(4 * group, m - 4);
    for (let k = 1; k < radix; k++) {
      for (let lane = 0; lane < 4; lane++) {
        const [re, im] = unitRoot((p + lane) * k, radix * m);
        table[at + lane] = re;
        table[at + lane + 4] = im;
      }
      at += 8;
    }
  }
  return table;
}

/** ∓j·exp(∓jπk/h)/2 for 0 ≤ k ≤ h/2, or as many as asked for: between the packed and the plain spectrum of n = 2h real numbers. */
export function realTurns(h: number, inverse: boolean, count = Math.floor(h / 2) + 1): Float32Array {
  const table = new Float32Array(2 * count);
  for (let k = 0; k < count; k++) {
    const [re, im] = unitRoot(k, 2 * h);
    table[2 * k] = im / 2;
    table[2 * k + 1] = ((inverse ? 1 : -1) * re) / 2;
  }
  return table;
}

/** exp(∓j2πik/n) for 0 ≤ i < count, in float64. */
export function rootsOf(n: number, count: number, k: number, inverse: boolean): Float64Array {
  const table = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const [re, im] = unitRoot(i * k, n);
    table[2 * i] = re;
    table[2 * i + 1] = inverse ? -im : im;
  }
  return table;
}

/**
 * Between the passes of a line of n = rows·columns: exp(∓j2πjk/n), of an inverse over n, for columns j of k = 0 … rows + 3 points, four
 * columns at a time, four real and then four imaginary parts. Where a last four would reach beyond, they are the last four. Where
 * columns go with those that mirror them, the fours of the first half, the middle one included, and then columns − 3 … columns, those
 * before them, …, which mirror these.
 */
export function turnFactors(rows: number, columns: number, inverse: boolean, mirrored: boolean): Float32Array {
  const n = rows * columns;
  const fours = (count: number): number[] => Array.from({ length: Math.ceil(count / 4) }, (_, i) => 4 * i);
  const starts = mirrored ? fours(Math.floor(columns / 2) + 1) : fours(columns).map((j) => Math.min(j, columns - 4));
  if (mirrored) starts.push(...starts.map((j) => columns - 3 - j));
  // Roots as products of a coarse and a fine one, in float64.
  const stride = 2 ** Math.ceil(Math.log2(n) / 2);
  const fine = rootsOf(n, stride, 1, inverse);
  const coarse = rootsOf(n, Math.floor(n / stride) + 1, stride, inverse);
  const scale = inverse ? 1 / n : 1;
  const table = new Float32Array(8 * (rows + 4) * starts.length);
  let at = 0;
  for (const start of starts) {
    for (let k = 0; k < rows + 4; k++) {
      for (let lane = 0; lane < 4; lane++) {
        const e = ((start + lane) * k) % n;
        const a = 2 * Math.floor(e / stride);
        const b = 2 * (e % stride);
        table[at + lane] = scale * (coarse[a] * fine[b] - coarse[a + 1] * fine[b + 1]);
        table[at + lane + 4] = scale * (coarse[a] * fine[b + 1] + coarse[a + 1] * fine[b]);
      }
      at += 8;
    }
  }
  return table;
}

/** exp(−jπi²/n) for 0 ≤ i < n, as numbers in float64; i² modulo 2n keeps the angle exact. */
function chirpOf(n: number): Float64Array {
  const chirp = new Float64Array(2 * n);
  let square = 0;
  for (let i = 0; i < n; i++) {
    const [re, im] = unitRoot(square, 2 * n);
    chirp[2 * i] = re;
    chirp[2 * i + 1] = im;
    square = (square + 2 * i + 1) % (2 * n);
  }
  return chirp;
}

/** The chirp of length n, the same over n, and the spectrum of its conjugate, wrapped around m points (Bluestein 1970). */
export function chirpTables(
  n: number,
  m: number,
): { readonly chirp: Float32Array; readonly inverse: Float32Array; readonly kernel: Float32Array } {
  const chirp = chirpOf(n);
  const wrapped = new Float64Array(2 * m);
  for (let i = 0; i < n; i++) {
    for (const at of i === 0 ? [0] : [i, m - i]) {
      wrapped[2 * at] = chirp[2 * i] as number;
      wrapped[2 * at + 1] = -(chirp[2 * i + 1] as number);
    }
  }
  return {
    chirp: Float32Array.from(chirp),
    inverse: Float32Array.from(chirp, (part) => part / n),
    kernel: Float32Array.from(transform(wrapped)),
  };
}

/** The forward DFT of interleaved float64 numbers whose count has small factors: recursive, for tables only. */
export function transform(x: Float64Array): Float64Array {
  const n = x.length / 2;
  if (n === 1) return x.slice();
  let radix = 2;
  while (n % radix !== 0) radix++;
  const m = n / radix;
  const parts = Array.from({ length: radix }, (_, r) => {
    const part = new Float64Array(2 * m);
    for (let i = 0; i < m; i++) {
      part[2 * i] = x[2 * (i * radix + r)] as number;
      part[2 * i + 1] = x[2 * (i * radix + r) + 1] as number;
    }
    return transform(part);
  });
  const roots = new Float64Array(2 * n);
  for (let k = 0; k < n; k++) [roots[2 * k], roots[2 * k + 1]] = unitRoot(k, n) as [number, number];
  const y = new Float64Array(2 * n);
  for (let k = 0; k < n; k++) {
    let re = 0;
    let im = 0;
    for (let r = 0; r < radix; r++) {
      const part = parts[r] as Float64Array;
      const at = 2 * (k % m);
      const turn = 2 * ((r * k) % n);
      re += part[at] * roots[turn] - part[at + 1] * roots[turn + 1];
      im += part[at] * roots[turn + 1] + part[at + 1] * roots[turn];
    }
    y[2 * k] = re;
    y[2 * k + 1] = im;
  }
  return y;
}
