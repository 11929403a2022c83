/** What a STAP run finds, before it is judged: arrays that a device computed, maps and detections. Types only. */
import type { DopplerCube } from "@dechirp/stap";
import type { StageReport } from "../used.ts";
import type { AngleDopplerReport, SolvedReport, StapDetection, StapReport, StapTargetReport } from "./report.ts";

/** What a device computes for a STAP plan. */
export interface StapOutput {
  readonly solved: SolvedReport;
  /**
   * The program's output: [steering][bin][range], or [bin][range] if only the largest AMF is kept; complex interleaved if the output is
   * complex.
   */
  readonly y: Float32Array;
  /** wᴴv [bin][group][steering]. Left out if the output is the AMF itself. */
  readonly gains?: Float32Array;
  /** The steering vector with the largest AMF, [bin][range]. Left out unless only the largest is kept. */
  readonly strongest?: Uint32Array;
  /** The Doppler spectrum X[channel][bin][range]. */
  readonly x: DopplerCube;
  readonly stages: readonly StageReport[];
}

/** The largest power of every cell over all steering vectors. */
export interface AmfMap {
  /** [bin][range]. */
  readonly data: Float32Array;
  /** The steering vector with the largest power, [bin][range]. */
  readonly which: Uint32Array;
}

/** The adapted filter of the target's cell, and the spectrum of its range, over angle and Doppler. */
export interface AngleDopplerMaps {
  /** Power response of the adapted filter, 1 in its look direction, [angle][Doppler]. */
  readonly pattern: Float32Array;
  /** Power of the range's own Fourier spectrum, which is what a beamformer sees, [angle][Doppler]. */
  readonly spectrum: Float32Array;
  readonly report: AngleDopplerReport;
}

/** The arrays of a STAP run, from which panels are made. */
export interface StapMaps {
  /** The adaptive matched filter. */
  readonly amf: AmfMap;
  /** The non-adaptive beamformer. */
  readonly beamformer: AmfMap;
  /** The target's filter and spectrum. */
  readonly angleDoppler: AngleDopplerMaps;
  /** The output as the device returned it. */
  readonly raw: StapOutput;
}

/** What `processStap` has found before it judges it. */
export interface StapFindings extends StapMaps {
  readonly detections: readonly StapDetection[];
  /** The examined cell, whose response `angleDoppler` is. */
  readonly target: StapTargetReport;
  readonly threshold: StapReport["threshold"];
  readonly stages: StapReport["stages"];
}
