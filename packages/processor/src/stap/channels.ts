/**
 * Leaves out channels of a cube, and finds channels that make every covariance singular: silent ones, copies of others, and sums of
 * others. Channel numbers are those of the whole array, from 0, whichever channels have been left out.
 */
import { isArrayOf } from "@dechirp/core/internal";
import { type Cube, cubeOrders, reorderCubeSteps } from "@dechirp/stap";
import { recordingError, settingError } from "../blame.ts";
import type { ArrayData } from "./recording.ts";
import type { StapSettings } from "./settings.ts";

/**
 * Returns `given` with its cube as [channel][pulse][range], without the channels listed in `settings.withoutChannels`. Throws `input`
 * if one of them does not exist or none would be left.
 */
export function* withoutChannels(given: ArrayData, { withoutChannels: out = [] }: StapSettings): Generator<void, ArrayData> {
  const all = yield* reorderCubeSteps(given.cube, cubeOrders.paper);
  if (out.length === 0) return { ...given, cube: all };
  const { pulses, ranges, data } = all;
  const absent = out.find((channel) => !given.elements.includes(channel));
  if (absent !== undefined) throw settingError("withoutChannels", `channels of ${given.where}, ${rangeText(given.elements)}`, absent);
  const elements = given.elements.filter((channel) => !out.includes(channel));
  if (elements.length === 0) throw settingError("withoutChannels", "a list that leaves at least one channel", out.join(","));
  const each = 2 * pulses * ranges;
  const kept = isArrayOf(data, Float32Array) ? new Float32Array(elements.length * each) : new Float64Array(elements.length * each);
  for (const [i, channel] of elements.entries()) {
    const from = given.elements.indexOf(channel) * each;
    kept.set(data.subarray(from, from + each), i * each);
    yield;
  }
  const cube: Cube = { data: kept, channels: elements.length, pulses, ranges, order: cubeOrders.paper };
  return { ...given, cube, elements };
}

/** `from 0 to 3`, or a list of the numbers if they are not consecutive from 0. */
const rangeText = (elements: readonly number[]): string =>
  elements.every((channel, i) => channel === i) ? `from 0 to ${elements.length - 1}` : elements.join(", ");

/** A channel that depends linearly on others. */
interface Dependent {
  readonly channel: number;
  /** The channel of which this is a copy, and the factor. Absent for a sum of several channels. `silent` if it is zero. */
  readonly repeats?: number;
  readonly times?: number;
  readonly silent?: true;
}

/** The most snapshots that are examined. The cost per snapshot is the square of the number of channels. */
const mostSnapshots = 2 ** 15;
/** Rounding to float32 leaves at most this share of the power of a channel that is a sum of others. */
const dependentShare = 2 ** -40;
/** If one other channel explains more than this share of the power, the channel is a copy of it. */
const copyShare = 1 - 1e-6;

/**
 * Finds the channels of [channel][pulse][range], numbered by `elements`, that depend on the channels before them. Uses a Cholesky
 * factorisation of the Gram matrix.
 */
export function* dependentChannels(cube: Float32Array, elements: readonly number[]): Generator<void, readonly Dependent[]> {
  const m = elements.length;
  const cells = cube.length / (2 * m);
  const power = (c: number): boolean => cube.subarray(2 * c * cells, 2 * (c + 1) * cells).some((x) => x !== 0);
  const silent = elements.map((_, c) => !power(c));
  let gram = yield* gramOf(cube, m, cells, Math.max(1, Math.floor(cells / mostSnapshots)));
  if (silent.some((none, c) => !none && gram[2 * c * (m + 1)] === 0)) gram = yield* gramOf(cube, m, cells, 1);
  const found: Dependent[] = [];
  // The independent channels, and the rows of L of these.
  const kept: number[] = [];
  const l = new Float64Array(2 * m * m);
  for (let c = 0; c < m; c++) {
    if (silent[c]) {
      found.push({ channel: elements[c], silent: true });
      continue;
    }
    const row = l.subarray(2 * c * m, 2 * (c + 1) * m);
    let pivot = gram[2 * c * (m + 1)];
    for (const [k, other] of kept.entries()) {
      let [re, im] = [gram[2 * (c * m + other)], gram[2 * (c * m + other) + 1]];
      for (let j = 0; j < k; j++) {
        const [a, b, p, q] = [row[2 * j], row[2 * j + 1], l[2 * (other * m + j)], l[2 * (other * m + j) + 1]];
        re -= a * p + b * q;
        im -= b * p - a * q;
      }
      const size = l[2 * (other * m + k)];
      [row[2 * k], row[2 * k + 1]] = [re / size, im / size];
      pivot -= row[2 * k] ** 2 + row[2 * k + 1] ** 2;
    }
    // With no more cells than independent channels before it, any channel would look dependent.
    if (pivot > dependentShare * gram[2 * c * (m + 1)] || kept.length >= cells) {
      row[2 * kept.length] = Math.sqrt(Math.max(pivot, Number.MIN_VALUE));
      kept.push(c);
      continue;
    }
    const copied = kept.find((other) => {
      const [re, im] = [gram[2 * (c * m + other)], gram[2 * (c * m + other) + 1]];
      return re * re + im * im > copyShare * gram[2 * c * (m + 1)] * gram[2 * other * (m + 1)];
    });
    const times = copied === undefined ? undefined : Math.sqrt(gram[2 * c * (m + 1)] / gram[2 * copied * (m + 1)]);
    found.push({ channel: elements[c], ...(copied === undefined ? {} : { repeats: elements[copied], times: times as number }) });
  }
  return found;
}

/** Gram matrix Σ x(c)·x(d)* over every `stride`-th cell, [channel][channel], lower triangle. */
function* gramOf(cube: Float32Array, m: number, cells: number, stride: number): Generator<void, Float64Array> {
  const gram = new Float64Array(2 * m * m);
  for (let c = 0; c < m; c++) {
    for (let d = 0; d <= c; d++) {
      let [re, im] = [0, 0];
      for (let i = 2 * c * cells, j = 2 * d * cells, end = 2 * (c + 1) * cells; i < end; i += 2 * stride, j += 2 * stride) {
        re += cube[i] * cube[j] + cube[i + 1] * cube[j + 1];
        im += cube[i + 1] * cube[j] - cube[i] * cube[j + 1];
      }
      gram[2 * (c * m + d)] = re;
      gram[2 * (c * m + d) + 1] = im;
      yield;
    }
  }
  return gram;
}

/** Describes dependent channels in words, each by its number. */
export function dependentText(found: readonly Dependent[]): string {
  const texts = found.map(({ channel, repeats, times, silent }) => {
    if (silent) return `channel ${channel} has no signal at all`;
    if (repeats === undefined) return `channel ${channel} is a sum of others`;
    return `channel ${channel} repeats channel ${repeats}${Math.abs((times as number) - 1) < 1e-6 ? "" : ` ${Number((times as number).toPrecision(3))} times as strong`}`;
  });
  return `${texts.join("; ")} (channels count from 0)`;
}

/**
 * Returns notes about dependent channels and about pulses without signal. `cube` is [channel][pulse][range]. Throws `input`, which
 * names the channels, if they make every covariance singular and there is no diagonal loading.
 */
export function* checkChannels(given: ArrayData, cube: Float32Array, loading: number): Generator<void, readonly string[]> {
  const { where, elements } = given;
  const { pulses } = given.cube;
  const found = yield* dependentChannels(cube, elements);
  const silentPulses: number[] = [];
  for (let t = 0; t < pulses; t++) {
    if (isSilent(cube, elements.length, pulses, t)) silentPulses.push(t);
    yield;
  }
  const several = silentPulses.length !== 1;
  const ofPulses =
    silentPulses.length === 0
      ? []
      : [`${several ? "pulses" : "pulse"} ${silentPulses.join(", ")} (from 0) ${several ? "have" : "has"} no signal`];
  if (found.length === 0) return ofPulses;
  const text = dependentText(found);
  if (loading > 0) return [text, ...ofPulses];
  const channels = found.map(({ channel }) => channel);
  throw recordingError(
    where,
    `${text}, so no covariance can be solved: leave out the useless channels with settings.withoutChannels ${channels.join(",")}, or keep them and set settings.loading 1e-4`,
    { field: "recording.cube", channels },
  );
}

function isSilent(cube: Float32Array, channels: number, pulses: number, pulse: number): boolean {
  const ranges = cube.length / (2 * channels * pulses);
  for (let c = 0; c < channels; c++) {
    const at = 2 * (c * pulses + pulse) * ranges;
    if (cube.subarray(at, at + 2 * ranges).some((x) => x !== 0)) return false;
  }
  return true;
}
