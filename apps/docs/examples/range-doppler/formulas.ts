// Compares each formula of the page with what it approximates or follows from.
import { speedOfLight } from "@dechirp/radar";
import { beamOffsetSeconds, instantaneousDopplerHz, migrationFactor, scenePresets } from "@dechirp/sar";

const radar = { ...scenePresets.quality.radar, dopplerCentroidHz: 700 };
const { carrierHz: f0, velocityMetersPerSecond: v } = radar;
const r0 = 15_800;
const agree = (name: string, a: number, b: number, relative: number): void =>
  console.log(name, Math.abs(a - b) <= relative * Math.abs(b) ? "holds" : `fails: ${a}, ${b}`);

// #region migration
for (const f of [610, 700, 790]) {
  const d = migrationFactor(radar, f);
  const seen = beamOffsetSeconds(radar, r0, f); // η − η₀ at Doppler f
  agree(`f = ${f} Hz: range is R₀/D:`, r0 / d, Math.hypot(r0, v * seen), 1e-14);
  agree(`f = ${f} Hz: Doppler frequency is f:`, instantaneousDopplerHz(radar, r0, seen), f, 1e-12);
}
// #endregion migration

// #region coupling
// The phase 4πR₀/c·√((f₀ + f)² − c²f_η²/4V²) and its expansion, in radians.
const d = migrationFactor(radar, 790);
const a = (speedOfLight * 790) / (2 * v);
const radians = (4 * Math.PI * r0) / speedOfLight;
const second = (f: number): number => f0 * d + f / d - (f * f * (1 - d * d)) / (2 * f0 * d ** 3);
const third = (f: number): number => (f ** 3 * (1 - d * d)) / (2 * f0 ** 2 * d ** 5);
const root = (f: number): number => Math.sqrt((f0 + f) ** 2 - a * a);
const edge = 50e6;
console.log(
  `phase error at the edge of the band, expansion to order 1: ${(radians * Math.abs(root(edge) - second(edge) - (edge ** 2 * (1 - d * d)) / (2 * f0 * d ** 3))).toFixed(2)} rad,`,
);
console.log(
  `  order 2: ${(radians * Math.abs(root(edge) - second(edge))).toFixed(3)} rad, order 3: ${(radians * Math.abs(root(edge) - second(edge) - third(edge))).toFixed(5)} rad`,
);
const src = (2 * v ** 2 * f0 ** 3 * d ** 3) / (speedOfLight * r0 * 790 ** 2);
agree(
  "π·f²/K_src is the phase of second order:",
  (Math.PI * edge ** 2) / src,
  (radians * edge ** 2 * (1 - d * d)) / (2 * f0 * d ** 3),
  1e-9,
);
// #endregion coupling

// #region linear
// Migration and azimuth phase are linear in range: three points of a Doppler row lie on a line.
const reference = migrationFactor(radar, 700);
const shift = (cell: number): number => (20_000 + cell) * (reference / d - 1);
agree("migration is linear in range:", shift(500) - shift(0), shift(1000) - shift(500), 1e-9);
// #endregion linear
