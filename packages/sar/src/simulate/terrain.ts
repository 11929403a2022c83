/**
 * An invented landscape as a reflectivity over the ground: fields of different crops with hedges between them, a lake, a
 * road and gentle relief. It makes quicklooks look like terrain. It is no physical model of scattering and has no shadow or layover.
 */
import { mix32 } from "@dechirp/core/internal";

/** Mean backscattered power at (x, y), always positive. Only ratios of these values have a meaning. */
export type Reflectivity = (x: number, y: number) => number;

/** Uniform number in [0, 1) for lattice point (i, j). */
const hash = (seed: number, i: number, j: number): number =>
  mix32(mix32(seed ^ Math.imul(i, 0x9e3779b1)) ^ Math.imul(j, 0x85ebca77)) / 4294967296;

/** Smooth random field in [0, 1) with lattice spacing 1 (value noise, quintic blending). */
function valueNoise(seed: number, x: number, y: number): number {
  const i = Math.floor(x);
  const j = Math.floor(y);
  const fade = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);
  const u = fade(x - i);
  const v = fade(y - j);
  const low = hash(seed, i, j) * (1 - u) + hash(seed, i + 1, j) * u;
  const high = hash(seed, i, j + 1) * (1 - u) + hash(seed, i + 1, j + 1) * u;
  return low * (1 - v) + high * v;
}

/**
 * The landscape for `seed` (an unsigned 32-bit integer) over x and y in metres. `sizeMeters` is the width that holds
 * about ten fields. Levels run from −18 dB (water) to +6 dB (hedges).
 */
export function terrainReflectivity(seed: number, sizeMeters: number): Reflectivity {
  const [fields, relief, lake, bend] = [1, 2, 3, 4].map((k) => mix32(seed ^ Math.imul(k, 0x2545f491)));
  const roadAngle = (0.15 + 0.7 * hash(bend, 1, 1)) * Math.PI;
  const roadOffset = 0.3 + 0.4 * hash(bend, 2, 2);
  return (x, y) => {
    const u = x / sizeMeters;
    const v = y / sizeMeters;
    // Water lies where a low-frequency field is low. Its shore is a few per cent of the size wide.
    const depth = valueNoise(lake, 2.2 * u, 2.2 * v) - 0.22;
    if (depth < 0) return 10 ** (Math.max(-18, -8 + 400 * depth) / 10);
    const along = u * Math.cos(roadAngle) + v * Math.sin(roadAngle);
    const across = u * Math.sin(roadAngle) - v * Math.cos(roadAngle) - roadOffset * 0.5 + 0.06 * Math.sin(5 * along);
    if (Math.abs(across) < 0.005) return 10 ** -1.4;
    // Fields are cells around jittered lattice points. There is a hedge near each border.
    const gu = 6 * u + 0.3 * Math.sin(3 * v);
    const gv = 6 * v;
    let nearest = Number.POSITIVE_INFINITY;
    let second = Number.POSITIVE_INFINITY;
    let level = 0;
    for (let i = Math.floor(gu) - 1; i <= Math.floor(gu) + 1; i++) {
      for (let j = Math.floor(gv) - 1; j <= Math.floor(gv) + 1; j++) {
        const du = i + 0.15 + 0.7 * hash(fields, i, j) - gu;
        const dv = j + 0.15 + 0.7 * hash(fields + 1, i, j) - gv;
        const distance = Math.max(Math.abs(du), Math.abs(dv)) + 0.3 * Math.min(Math.abs(du), Math.abs(dv));
        if (distance < nearest) {
          second = nearest;
          nearest = distance;
          level = -9 + 9 * hash(fields + 2, i, j);
        } else if (distance < second) second = distance;
      }
    }
    if (second - nearest < 0.04) level = 6 * hash(fields + 3, Math.floor(4 * gu), Math.floor(4 * gv));
    const waves = valueNoise(relief, 9 * u, 9 * v) + 0.5 * valueNoise(relief + 1, 23 * u, 23 * v) - 0.75;
    return 10 ** ((level + 5 * waves) / 10);
  };
}
