/**
 * Phase histories: the spectra of the pulses of a moving radar, motion-compensated to a range of each pulse, and where the platform was.
 *
 * Convention. Scatterers aₛ at s, seen from A_p, give
 *   fp[p][k] = Σₛ aₛ·exp(−j4πf_k(|A_p − s| − r₀_p)/c), f_k = first + k·step,
 * so that a scatterer at the range r₀_p has the same phase at every frequency, and ranges repeat every c/(2·step).
 */

/** The platform, pulse by pulse. */
export interface Aperture {
  /** Platform positions [pulse][3]: x, y, z in metres, z up. */
  readonly positions: Float64Array;
  /** By pulse: the range r₀ that the pulse is motion-compensated to; all 0 if profiles hold absolute ranges. */
  readonly referenceRangeMeters: Float64Array;
}

/** Everything of a phase history but its samples. */
export interface HistoryGeometry extends Aperture {
  /** f_k = firstHz + k·stepHz for k from 0 to count − 1. */
  readonly frequency: { readonly firstHz: number; readonly stepHz: number; readonly count: number };
}

/** The spectra of the pulses of a moving radar. */
export interface PhaseHistory extends HistoryGeometry {
  /** [pulse][frequency], interleaved re, im. */
  readonly samples: Float32Array;
}

/** Corrections (autofocus) of a phase history, pulse by pulse. The two belong together: either alone defocuses. */
export interface PulseCorrections {
  /** By pulse: added to the reference range. */
  readonly rangeMeters: Float64Array;
  /** By pulse: samples are multiplied by exp(+j·phase). */
  readonly phaseRadians: Float64Array;
}
