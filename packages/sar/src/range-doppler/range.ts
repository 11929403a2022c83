/**
 * Range compression: the matched filter, secondary range compression folded into it or given for every Doppler row, and
 * the load hooks that read raw samples. Sources: Cumming & Wong sections 3.4 (matched filter from a windowed replica) and
 * 6.5 (secondary range compression). The phase is that of the two-dimensional spectrum of the hyperbolic range equation,
 * −(4πR/c)·√((f₀ + f)² − A²), A = cf_η/2V, without its terms in f⁰ and f¹, which azimuth compression and RCMC remove.
 */

import type { Layout, Load } from "@dechirp/core";
import { and, cis, equal, less, load, minus, negate, plus, select, times, toReal, type Value } from "@dechirp/core/expression";
import { maxWasmConstant } from "@dechirp/core/internal";
import { chirpReplica, type StripmapRadar, speedOfLight, type Window, windowFunction, windowSamples } from "@dechirp/radar";
import { chirpBandwidthHz, maxDopplerHz, migrationFactor } from "../radar.ts";
import { wasmHook } from "../wasm/hooks.ts";
import type { ImageGeometry } from "./geometry.ts";
import { binFrequency, designSpectrum } from "./spectrum.ts";

/**
 * Terms u², u³, u⁴ (u = f/f₀) of the range-azimuth coupling −√((1 + u)² − A²/f₀²), times 2R·f₀/c: the cycles that secondary
 * range compression adds. At a tenth of relative bandwidth, terms beyond u⁴ are negligible.
 */
export function couplingCycles(radar: StripmapRadar, slantRangeMeters: number, dopplerHz: number): readonly [number, number, number] {
  const d = migrationFactor(radar, dopplerHz);
  const scale = (2 * slantRangeMeters * radar.carrierHz) / speedOfLight;
  return [
    (scale / 2) * (1 / d - 1 / d ** 3),
    (scale / 2) * (1 / d ** 5 - 1 / d ** 3),
    scale * (-1 / (8 * d ** 3) + 3 / (4 * d ** 5) - 5 / (8 * d ** 7)),
  ];
}

const cyclesAt = ([a, b, c]: readonly [number, number, number], u: number): number => u * u * (a + u * (b + u * c));

/** Phase that folding secondary range compression may leave at the band edges: it costs half a percent of IRW. */
export const foldingLimitRadians = Math.PI / 8;

/**
 * Phase in radians, at the edge of chirp and Doppler bands and of the swath, that remains uncompensated if secondary range compression is
 * folded into the range filter.
 */
export function foldingErrorRadians(geometry: ImageGeometry, processedBandwidthHz: number): number {
  const { radar, midRangeMeters, axes } = geometry;
  const u = chirpBandwidthHz(radar) / 2 / radar.carrierHz;
  const folded = cyclesAt(couplingCycles(radar, midRangeMeters, radar.dopplerCentroidHz), u);
  const near = axes.slantRangeMeters.start;
  const far = near + (axes.slantRangeMeters.count - 1) * axes.slantRangeMeters.step;
  const limit = 0.999 * maxDopplerHz(radar);
  let worst = 0;
  for (const range of [near, far]) {
    for (const side of [-1, 1]) {
      const doppler = Math.max(-limit, Math.min(limit, radar.dopplerCentroidHz + (side * processedBandwidthHz) / 2));
      worst = Math.max(worst, 2 * Math.PI * Math.abs(cyclesAt(couplingCycles(radar, range, doppler), u) - folded));
    }
  }
  return worst;
}

/**
 * The range filter [rangeLength] in natural frequency order, interleaved complex: w(f/B)·S*(f)/|S(f)|² with the spectrum S of the
 * replica, so that the compressed spectrum is the window itself, without the Fresnel ripple that a matched filter
 * squares; at most `mostGain` where the spectrum falls off. It is scaled so that a unit echo compresses to 1, and delayed by the
 * guard cells before the first sample's. If `folded`, it includes secondary range compression at the Doppler centroid and mid swath.
 */
export function rangeFilter(geometry: ImageGeometry, window: Window, folded: boolean): Float64Array {
  const { radar, rangeLength: n, guard, firstCell, midRangeMeters } = geometry;
  const delay = guard[0] - firstCell;
  const filter = replicaSpectrum(radar, n).slice();
  const coupling = couplingCycles(radar, midRangeMeters, radar.dopplerCentroidHz);
  const taper = windowFunction(window);
  const flat = radar.samplingRateHz ** 2 / Math.abs(radar.chirpRateHzPerSecond);
  let gain = 0;
  for (let k = 0; k < n; k++) {
    const f = binFrequency(k, n) * radar.samplingRateHz;
    const u = f / radar.carrierHz;
    const cycles = (folded ? cyclesAt(coupling, u) : 0) - ((k * delay) % n) / n;
    const angle = 2 * Math.PI * (cycles - Math.round(cycles));
    const power = Math.max(filter[2 * k] ** 2 + filter[2 * k + 1] ** 2, flat / 8);
    const weight = taper(f / chirpBandwidthHz(radar));
    gain += weight / n;
    const c = (Math.cos(angle) * weight) / power;
    const s = (Math.sin(angle) * weight) / power;
    const re = filter[2 * k];
    const im = -filter[2 * k + 1];
    filter[2 * k] = re * c - im * s;
    filter[2 * k + 1] = re * s + im * c;
  }
  return filter.map((value) => value / gain);
}

/** The spectrum that was made last. The programs of a recording, such as those that measure its centroid, have the same replica. */
let lastReplica: { readonly key: string; readonly spectrum: Float64Array } | undefined;

/** The longest spectrum that is kept, so that a program that is done holds no more than 4 MiB. */
const mostKeptBins = 2 ** 18;

/** The spectrum of the replica in `n` bins, not to be changed. */
function replicaSpectrum(radar: StripmapRadar, n: number): Float64Array {
  const { samplingRateHz, chirpRateHzPerSecond, pulseSeconds } = radar;
  const key = [samplingRateHz, chirpRateHzPerSecond, pulseSeconds, n].join();
  if (lastReplica?.key === key) return lastReplica.spectrum;
  const spectrum = designSpectrum(chirpReplica(radar), n);
  if (n <= mostKeptBins) lastReplica = { key, spectrum };
  return spectrum;
}

/** How many rows of a table one piece of work makes. There may be a million rows. */
const pieceRows = 4096;

/** Coefficients [azimuthLength][3] of the coupling of every Doppler row in cycles, for x = f/(Fr/2): x², x³, x⁴. */
export function* couplingTable(geometry: ImageGeometry): Generator<void, Float64Array> {
  const { radar, midRangeMeters, dopplerHz } = geometry;
  const u = radar.samplingRateHz / 2 / radar.carrierHz;
  const table = new Float64Array(3 * dopplerHz.length);
  for (const [k, f] of dopplerHz.entries()) {
    if (k % pieceRows === 0) yield;
    const [a, b, c] = couplingCycles(radar, midRangeMeters, f);
    table.set([a * u ** 2, b * u ** 3, c * u ** 4], 3 * k);
  }
  return table;
}

/**
 * Mean over the chirp band of the coupling that secondary range compression in `mode` leaves for Doppler row `row` at a
 * slant range. Filters are made for mid swath only, so that elsewhere the coupling is not compensated as a function of range frequency; the
 * azimuth phase can still compensate its mean. Zero if secondary range compression is off.
 */
export function* couplingRemainder(
  geometry: ImageGeometry,
  window: Window,
  mode: "off" | "range" | "doppler",
): Generator<void, (row: number, slantRangeMeters: number) => number> {
  if (mode === "off") return () => 0;
  const { radar, midRangeMeters, dopplerHz } = geometry;
  const half = chirpBandwidthHz(radar) / 2 / radar.carrierHz;
  const weights = windowSamples(window, 255);
  let weight = 0;
  let moment = 0;
  weights.forEach((w, i) => {
    weight += w;
    moment += w * ((2 * i + 1) / weights.length - 1) ** 2;
  });
  const meanSquare = (moment / weight) * half ** 2;
  const compensated = new Float64Array(dopplerHz.length);
  for (const [k, f] of dopplerHz.entries()) {
    compensated[k] = couplingCycles(radar, midRangeMeters, mode === "range" ? radar.dopplerCentroidHz : f)[0];
    if (k % pieceRows === 0) yield;
  }
  return (row, slantRangeMeters) => meanSquare * (couplingCycles(radar, slantRangeMeters, dopplerHz[row])[0] - compensated[row]);
}

/**
 * Reads raw samples [lines][samples] times the gain [lines] of their line. If `centred`, every second sample changes its sign, so that bin
 * n/2 of a spectrum of n bins, n even, is that of frequency 0. Ports: raw, lineGain.
 */
export const rawLoad = (raw: Layout, lineGain: Layout, centred = false): Load =>
  load({ name: "raw × line gain", layout: raw, sources: { raw, lineGain } }, ({ at, raw, lineGain }) => {
    const gain = lineGain(at[0]) as Value<"real">;
    return times(raw(at) as Value<"complex">, centred ? select(equal(and(at[1], 1), 0), gain, negate(gain)) : gain);
  });

/**
 * Multiplies the two-dimensional spectrum [azimuthLength][rangeLength] by the secondary range compression
 * phase of every Doppler row. Ports: spectrum, coupling [azimuthLength][3].
 */
export function couplingLoad(spectrum: Layout, coupling: Layout): Load {
  const n = spectrum.shape[1];
  // There may be many cycles. The tuned form reduces them in float64.
  const wasm = spectrum.dtype === "c64" && coupling.dtype === "f32" && n <= maxWasmConstant;
  const tuned = wasm ? { tuned: { constants: { n }, ...wasmHook("coupling", true), recipe: { name: "sar/coupling" } } } : {};
  return load({ name: "secondary range compression", layout: spectrum, sources: { spectrum, coupling }, ...tuned }, (names) => {
    const { at, spectrum, coupling } = names;
    const [row, bin] = at;
    const table = (power: number): Value<"real"> => coupling(row, power) as Value<"real">;
    const x = times(toReal(select(less(bin, Math.ceil(n / 2)), bin, minus(bin, n))), 2 / n);
    const cycles = times(times(x, x), plus(table(0), times(x, plus(table(1), times(x, table(2))))));
    return times(spectrum(at) as Value<"complex">, cis(cycles));
  });
}
