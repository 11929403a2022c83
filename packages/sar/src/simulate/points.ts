/**
 * Echoes of point targets, sample by sample in the time domain and in float64, as in the textbook (Cumming & Wong
 * eq. 4.32 region, start-stop approximation). Ranges and carrier phases are computed without cancellation and reduced in
 * cycles, so that the sum is accurate to about 10⁻¹² of the amplitude at any range. There are no recurrences: each sample has its own
 * sine and cosine.
 */
import { type PointTarget, type StripmapRadar, speedOfLight } from "@dechirp/radar";
import { type Beam, beamGain, illuminatedPulses, instantaneousDopplerHz, rangeExcessMeters, twoWayCycles } from "../geometry.ts";

export interface PointEcho {
  readonly target: PointTarget;
  /** First and last pulse (inclusive) that may see the target. */
  readonly firstPulse: number;
  readonly lastPulse: number;
  /** Start of the echo at closest approach, in range samples. */
  readonly delaySamples: number;
  /** Carrier and reflectivity phase at closest approach in cycles. */
  readonly cycles: number;
  /** Slow time of pulse 0 after closest approach. */
  readonly offsetSeconds: number;
}

/** Computes what does not change from pulse to pulse. */
export function preparePoint(radar: StripmapRadar, beam: Beam, target: PointTarget): PointEcho {
  const { azimuthSeconds, slantRangeMeters, phaseRadians } = target;
  const [first, last] = illuminatedPulses(radar, beam, target);
  return {
    target,
    firstPulse: Math.floor(first),
    lastPulse: Math.ceil(last),
    delaySamples: ((slantRangeMeters - radar.nearRangeMeters) * 2 * radar.samplingRateHz) / speedOfLight,
    cycles: phaseRadians / (2 * Math.PI) - twoWayCycles(radar, slantRangeMeters),
    offsetSeconds: (radar.startSeconds ?? 0) - azimuthSeconds,
  };
}

/** Adds the echo of one target to the line of pulse `pulse`: `line` [samples] interleaved re, im. */
export function addPoint(radar: StripmapRadar, beam: Beam, echo: PointEcho, pulse: number, line: Float64Array): void {
  if (pulse < echo.firstPulse || pulse > echo.lastPulse) return;
  const { slantRangeMeters, amplitude } = echo.target;
  const offset = echo.offsetSeconds + pulse / radar.prfHz;
  const gain = amplitude * beamGain(beam, instantaneousDopplerHz(radar, slantRangeMeters, offset) - radar.dopplerCentroidHz);
  if (gain === 0) return;
  const excess = rangeExcessMeters(radar, slantRangeMeters, offset);
  const rate = radar.samplingRateHz;
  const delay = echo.delaySamples + (excess * 2 * rate) / speedOfLight;
  const turns = echo.cycles - (2 * radar.carrierHz * excess) / speedOfLight;
  const base = turns - Math.round(turns);
  const halfRate = radar.chirpRateHzPerSecond / 2;
  const middle = delay / rate + radar.pulseSeconds / 2;
  const end = Math.min(line.length / 2, Math.ceil(delay + radar.pulseSeconds * rate));
  for (let i = Math.max(0, Math.ceil(delay)); i < end; i++) {
    const u = i / rate - middle;
    const cycles = halfRate * u * u;
    const angle = 2 * Math.PI * (cycles - Math.round(cycles) + base);
    line[2 * i] += gain * Math.cos(angle);
    line[2 * i + 1] += gain * Math.sin(angle);
  }
}
