/**
 * A phase history: the spectra of the pulses that a moving radar received, with the position of the platform at each pulse. Each pulse
 * is motion-compensated to a reference range. The type extends `HistoryGeometry` of `@dechirp/radar`; with all samples in memory it
 * is a `PhaseHistory`, which the package sar takes. This file knows no file format.
 *
 * Convention. Scatterers aₛ at s, seen from A_p, give
 *    fp[p][k] ≈ Σₛ aₛ·exp(−j4πf_k(|A_p − s| − r₀_p)/c), f_k = first + k·step.
 * A scatterer at the range r₀_p therefore has the same phase at every frequency, and the image repeats in range every c/(2·step). The
 * complex conjugate of the data gives an equally sharp image, mirrored through the motion-compensation point.
 */
import type { EarthFrame, HistoryGeometry, PulseCorrections, RecordedCollection } from "@dechirp/radar";
import type { PulseReader } from "./pulses.ts";

/** Transmitted polarisation, then received polarisation. */
export type Polarisation = "HH" | "HV" | "VH" | "VV";

/** A rectangle of the plane z = 0, in metres. */
export interface HistoryArea {
  readonly xMeters: readonly [from: number, to: number];
  readonly yMeters: readonly [from: number, to: number];
}

/** Signal levels of a phase history as powers, in squared units of its samples. Absent ones are not stated. */
export interface HistoryLevels {
  /** Power of a sample of an ideal point target at the reference point. */
  readonly pointTarget?: number;
  /** Noise power of a sample. */
  readonly noise?: number;
  /** Noise bandwidth over sample rate. */
  readonly noiseBandwidth?: number;
}

/**
 * A phase history with everything that its files state, as a recording that returns the samples of its pulses, [count][frequency],
 * interleaved. The other fields are in memory.
 */
export interface RecordedPhaseHistory extends HistoryGeometry, PulseReader<Float32Array> {
  readonly name: string;
  /** Number of pulses, and number of frequencies per pulse. */
  readonly shape: readonly [pulses: number, frequencies: number];
  /** By pulse: direction of the platform in radians as the file states it, counter-clockwise from +x. */
  readonly azimuthRadians?: Float64Array;
  /** By pulse: direction of the platform in radians as the file states it, above the ground plane. */
  readonly elevationRadians?: Float64Array;
  /** Corrections that the file states and that are not applied to the samples. Absent if the file has none. */
  readonly autofocus?: PulseCorrections;
  readonly polarisation?: Polarisation;
  /** Identifier of the channel that was read. Absent if the format has no channels. */
  readonly channel?: string;
  /** Identifiers of all channels of the file. Option `channel` reads another one. */
  readonly channels?: readonly string[];
  /** Where the frame of the positions is on earth. Absent if the file does not say. */
  readonly frame?: EarthFrame;
  /** The part of the plane z = 0 that the file describes as the scene, in metres. */
  readonly area?: HistoryArea;
  /** By pulse: seconds after `startUtc`, halfway between transmission and reception. */
  readonly pulseSeconds?: Float64Array;
  /** UTC of `pulseSeconds` 0, as ISO 8601. */
  readonly startUtc?: string;
  /** Who collected the file's data, and how. Absent if the format does not say. */
  readonly collection?: RecordedCollection;
  /** Signal levels that the file states. They are not applied. */
  readonly levels?: HistoryLevels;
  /** Number of the flight pass. */
  readonly pass?: number;
  /** Remarks about what was read, one sentence each. */
  readonly notes: readonly string[];
}
