/**
 * Phase histories whose pulses differ in their frequencies. Each pulse is transformed as it is: bin b of its profile is at
 * (b − bins/2)·c/(2·step_p·bins), and its own middle frequency is at zero. A gather then takes all pulses to the same ranges and the same
 * carrier: it reads bin b at bins/2 + (b − bins/2)·step_p/step and turns it by 2·(carrier_p − carrier)·r/c cycles. The result are range
 * profiles like those of any other phase history, so that the kernel does not know about it.
 */
import type { Layout, Step } from "@dechirp/core";
import { type HistoryGeometry, type PulseFrequencies, speedOfLight } from "@dechirp/radar";
import {
  fineBits,
  gatherMap,
  type LineTable,
  phaseColumns,
  positionColumns,
  setLinePhase,
  setLinePositions,
} from "@dechirp/radar/interpolation";

/** The frequencies of all pulses together. */
export interface FrequencyBand {
  /** The lowest and the highest frequency of any pulse. */
  readonly lowHz: number;
  readonly highHz: number;
  /** The largest step: ranges repeat every c/(2·step) or later. */
  readonly stepHz: number;
}

/** The frequencies of all pulses of a phase history together. */
export function frequencyBand({ frequency: { firstHz, stepHz, count }, pulseFrequencies }: HistoryGeometry): FrequencyBand {
  if (!pulseFrequencies) return { lowHz: firstHz, highHz: firstHz + (count - 1) * stepHz, stepHz };
  let [lowHz, highHz, largest] = [Number.POSITIVE_INFINITY, 0, 0];
  for (let p = 0; p < pulseFrequencies.firstHz.length; p++) {
    const [first, step] = [pulseFrequencies.firstHz[p], pulseFrequencies.stepHz[p]];
    lowHz = Math.min(lowHz, first);
    highHz = Math.max(highHz, first + (count - 1) * step);
    largest = Math.max(largest, step);
  }
  return { lowHz, highHz, stepHz: largest };
}

/** How the profiles of pulses are taken to the same ranges and carrier. */
export interface Alignment {
  readonly bins: number;
  /** Range between bins of the result. */
  readonly binMeters: number;
  readonly carrierHz: number;
  /** The step of the result's ranges: the largest of all pulses. */
  readonly stepHz: number;
  /** Index of the frequency that a pulse's own profile has at zero. */
  readonly shift: number;
  /** Bits of the fraction of a position; absent if all steps are equal, so that bins stay in their places. */
  readonly fractionBits?: number;
  /** Bins over frequencies. */
  readonly oversampling: number;
  readonly frequencies: PulseFrequencies;
}

/** Plans the alignment of profiles of `bins` bins. */
export function planAlignment(
  frequencies: PulseFrequencies,
  { stepHz }: FrequencyBand,
  options: { readonly bins: number; readonly count: number; readonly carrierHz: number; readonly shift: number },
): Alignment {
  const { bins, count, carrierHz, shift } = options;
  const least = frequencies.stepHz.reduce((a, b) => Math.min(a, b), stepHz);
  // Positions differ from bins by at most half of these.
  const most = (1 - least / stepHz) * bins;
  return {
    bins,
    binMeters: speedOfLight / (2 * stepHz * bins),
    carrierHz,
    stepHz,
    shift,
    ...(most > 0 && { fractionBits: Math.min(fineBits, 30 - Math.ceil(Math.log2(2 * most + 8))) }),
    oversampling: bins / count,
    frequencies,
  };
}

/** The tables of a block of pulses, as ports. */
export function alignmentPorts(alignment: Alignment, pulses: number): Readonly<Record<string, Layout<"u32">>> {
  const words = (columns: number): Layout<"u32"> => ({ dtype: "u32", shape: [columns, pulses] });
  return { ...(alignment.fractionBits !== undefined && { places: words(positionColumns(1)) }), turns: words(phaseColumns(1)) };
}

/** The tables of `count` pulses from `first` on, in room for `capacity`, by port. */
export function alignmentTables(
  alignment: Alignment,
  first: number,
  count: number,
  capacity: number,
): Readonly<Record<string, Uint32Array>> {
  const { bins, binMeters, carrierHz, stepHz, shift, fractionBits, frequencies } = alignment;
  const shape: LineTable = { lines: capacity, extent: bins, degree: 1 };
  const turns = new Uint32Array(phaseColumns(1) * capacity);
  const places = new Uint32Array(positionColumns(1) * capacity);
  for (let i = 0; i < count; i++) {
    const [firstHz, step] = [frequencies.firstHz[first + i], frequencies.stepHz[first + i]];
    const cycles = (2 * (firstHz + shift * step - carrierHz) * binMeters) / speedOfLight;
    setLinePhase(turns, shape, i, [(-cycles * bins) / 2, cycles]);
    const ratio = step / stepHz;
    if (fractionBits !== undefined) setLinePositions(places, { ...shape, bits: fractionBits }, i, [(bins / 2) * (1 - ratio), ratio]);
  }
  return { ...(fractionBits !== undefined && { places }), turns };
}

/** The step that takes `compressed` to `profiles`, c64 [pulses][bins]. */
export function alignmentStep(alignment: Alignment, pulses: number): Step {
  const { bins, fractionBits, oversampling } = alignment;
  const layout = { dtype: "c64", shape: [pulses, bins] } as const;
  const phase = { degree: 1 } as const;
  const common = { layout, samples: layout, axis: 1, phase, name: "align pulses" } as const;
  const bind = { samples: "compressed", phase: "turns", out: "profiles" };
  if (fractionBits === undefined)
    return {
      name: "align",
      op: gatherMap({ ...common, positions: { kind: "affine", offset: 0, step: 1 }, interpolator: "nearest" }),
      bind,
    };
  return {
    name: "align",
    op: gatherMap({
      ...common,
      positions: { kind: "polynomial", degree: 1, bits: fractionBits },
      interpolator: { kind: "sinc", taps: 8, window: "knab", oversampling: Math.min(64, oversampling) },
    }),
    bind: { ...bind, positions: "places" },
  };
}
