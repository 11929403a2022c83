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

/** The frequencies of pulses that differ in them: pulse p has f_k = firstHz[p] + k·stepHz[p]. */
export interface PulseFrequencies {
  /** By pulse. */
  readonly firstHz: Float64Array;
  /** By pulse; positive. */
  readonly stepHz: Float64Array;
}

/** Where the antennas were when a pulse left and when its echo arrived. */
export interface AntennaPositions {
  /** Positions of the transmitter [pulse][3] in metres, in the frame of `Aperture.positions`. */
  readonly transmit: Float64Array;
  /** Positions of the receiver [pulse][3] in metres. */
  readonly receive: Float64Array;
}

/** Where a local frame is on earth. Positions are Earth-fixed (ECEF, WGS 84), in metres. */
export interface EarthFrame {
  /** The origin of the local frame. */
  readonly originMeters: readonly [x: number, y: number, z: number];
  /** Unit vectors of the local axes x, y and z. */
  readonly axes: readonly [
    x: readonly [number, number, number],
    y: readonly [number, number, number],
    z: readonly [number, number, number],
  ];
}

/** Everything of a phase history but its samples. */
export interface HistoryGeometry extends Aperture {
  /**
   * f_k = firstHz + k·stepHz for k from 0 to count − 1. If pulses differ in their frequencies, these are nominal, and `pulseFrequencies` has
   * those of the pulses.
   */
  readonly frequency: { readonly firstHz: number; readonly stepHz: number; readonly count: number };
  /** The frequencies of each pulse. Absent if they are the same for all pulses. */
  readonly pulseFrequencies?: PulseFrequencies;
  /**
   * Sign of the phase of the samples. With 1, fp[p][k] = Σₛ aₛ·exp(+j4πf_k(|A_p − s| − r₀_p)/c); images have the phases of aₛ with either
   * sign. Default: −1.
   */
  readonly phaseSign?: 1 | -1;
  /** Pulses that are left out of the image, in increasing order. Default: none. */
  readonly badPulses?: readonly number[];
  /**
   * The two positions of which `positions` has the midpoints. An image is made with the midpoint; these tell how exact it is
   * (`midpointErrorMeters` of sar). Absent if antennas do not move between transmission and reception.
   */
  readonly antennas?: AntennaPositions;
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
