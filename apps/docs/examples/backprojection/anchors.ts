// Compares the expansion of the range within a tile with the exact distance, and the error with its bound.
import { anchorErrorMeters, type Vec3 } from "@dechirp/sar";

const antenna: Vec3 = [7200, 0, 7200];
const lengthOf = ([x, y, z]: Vec3): number => Math.hypot(x, y, z);
const range = lengthOf(antenna); // R₀ of a tile around the origin
const u: Vec3 = [-antenna[0] / range, -antenna[1] / range, -antenna[2] / range];

for (const half of [4, 16, 64]) {
  const worst = [0, 0];
  for (let i = 0; i < 64; i++) {
    const angle = (2 * Math.PI * i) / 64;
    const d: Vec3 = [half * Math.cos(angle), half * Math.sin(angle), 0];
    const p = u[0] * d[0] + u[1] * d[1] + u[2] * d[2];
    const w = (half * half - p * p) / (2 * range);
    const exact = lengthOf([d[0] - antenna[0], d[1] - antenna[1], d[2] - antenna[2]]) - range;
    worst[0] = Math.max(worst[0], Math.abs(exact - (p + w)));
    worst[1] = Math.max(worst[1], Math.abs(exact - (p + w * (1 - p / range))));
  }
  const bounds = ([2, 3] as const).map((order) => anchorErrorMeters(half, range, order));
  // float64 itself rounds distances of ten kilometres to 2e-12 m.
  const holds = worst.every((error, i) => error <= bounds[i] + 4e-12);
  console.log(`${half} m: at most ${bounds.map((bound) => bound.toExponential(0)).join(" and ")} m error; ${holds ? "holds" : worst}`);
}
