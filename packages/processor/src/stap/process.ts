/**
 * Processes one STAP plan on a device: output, detections, data for pictures, and the report. It does no file access; the arithmetic is
 * in the stap package and in the files beside this one.
 */
import { type Device, throwIfAborted } from "@dechirp/core";
import { checkDevice, runAbortable } from "@dechirp/core/internal";
import { binCycles, nearestBin, permuteAxesSteps, unscaleOutputSteps } from "@dechirp/stap";
import { settingError } from "../blame.ts";
import { createClock } from "../clock.ts";
import { checkedHooks } from "../hooks.ts";
import { deviceReport } from "../used.ts";
import { blameStap, cfarSources } from "./blame.ts";
import { aboveNext, amfMap, checkThresholds, comparedLine, crossingsOf, decibels, detect, placeOf, thresholdsOf } from "./detect.ts";
import type { AmfMap, StapMaps, StapOutput } from "./findings.ts";
import { checkPlan, type StapHooks, type StapPlan, stapHooks } from "./plan.ts";
import {
  type CellPlace,
  type HomogeneityReport,
  type StapDetection,
  type StapReport,
  type StapTargetReport,
  stapFormat,
  stapVersion,
} from "./report.ts";
import { angleDoppler, beamformerMap, beamformerReport, conditionOf, largestIndex, lookedAt } from "./response.ts";
import { runStap } from "./run.ts";
import { homogeneityOf, interferenceOf } from "./surroundings.ts";

/** The result of a STAP run. */
export interface StapResult extends StapMaps {
  /**
   * Powers [steering][range][Doppler]; or [range][Doppler] if only the largest over all steering vectors is kept; or complex values
   * [steering][Doppler][range], interleaved. `report.output` says which.
   */
  readonly output: Float32Array;
  /** All detections, strongest first. */
  readonly detections: readonly StapDetection[];
  readonly report: StapReport;
}

/** The most detections that the report lists. */
const mostListed = 100;
/** If there are this many times more detections than expected false alarms, a note says so. */
const manyTimes = 10;
/** Clutter counts as inhomogeneous if the share of cells unlike their training is this many times the expected one. */
const unlikeTimes = 3;

/**
 * Runs `plan` on `device`. Rejects with `input`, naming `settings.…`, if the data does not allow a setting; with `input`, naming the
 * recording, if the data gives no output, in most cases because of singular covariances; with what the device throws; and with
 * `aborted` if the signal fires.
 */
export async function processStap(plan: StapPlan, device: Device, hooks: StapHooks = {}): Promise<StapResult> {
  const { signal, onProgress, inputs = [], clock = createClock(), whyDevice, openFloat64, onFindings } = checkedHooks(hooks, stapHooks);
  checkDevice(device);
  checkPlan(plan);
  const { input, settings, geometry, parameters } = plan;
  checkTarget(plan);
  await blameStap(input, settings, () => checkThresholds(plan), cfarSources);
  onProgress?.("planning", 0);
  const raw = await clock.time("process", () =>
    runStap(plan, device, openFloat64, signal, (stage, share) => onProgress?.(stage, 0.6 * share)),
  );
  onProgress?.("detecting", 0.6);
  throwIfAborted(signal, "stap");
  const stap = <T>(work: Generator<unknown, T>): Promise<T> => runAbortable(signal, "stap", work);
  const amf = await stap(amfMap(raw, geometry));
  const { detections, threshold, crossings } = await clock.time("detect", () =>
    blameStap(
      input,
      settings,
      async () => {
        const { data, threshold } = await stap(thresholdsOf(amf, plan));
        const detections = await stap(detect(amf, data, plan, raw));
        return { detections, threshold, crossings: await stap(crossingsOf(amf, data, plan, threshold)) };
      },
      cfarSources,
    ),
  );
  const target = targetOf(plan, raw, amf, detections);
  onProgress?.("beamformer", 0.7);
  const beamformer = await clock.time("beamformer", () => beamformerMap(raw, plan, signal));
  const maps = await clock.time("response", () => blameStap(input, settings, () => stap(angleDoppler(raw, plan, target))));
  onFindings?.({ amf, beamformer, angleDoppler: maps, raw, detections, target, threshold, stages: raw.stages });
  onProgress?.("condition", 0.9);
  throwIfAborted(signal, "stap");
  const condition = await clock.time("condition", () => stap(conditionOf(raw, plan, target)));
  const { interference, homogeneity } = await clock.time("interference", async () => ({
    interference: await interferenceOf(raw, plan, signal),
    homogeneity: await blameStap(input, settings, () =>
      stap(homogeneityOf(raw, plan, lookedAt(geometry, target), parameters.training.value === "own")),
    ),
  }));
  const { output, axes, shape } = await blameStap(input, settings, () => stap(outputOf(plan, raw)));
  const { dopplerBins, channels, pulses, ranges } = geometry;
  const dopplerCycles = Array.from({ length: dopplerBins }, (_, bin) => binCycles(geometry, bin));
  const { prfHz, rangeAxis, azimuthDegrees } = plan;
  const report: StapReport = {
    format: stapFormat,
    version: stapVersion,
    name: input.name,
    inputs,
    device: deviceReport(device, whyDevice),
    cube: { channels, pulses, ranges },
    cpi: { number: input.cpi.number, count: input.cpi.names.length, name: input.cpi.names[input.cpi.number - 1] },
    channels: input.elements,
    solved: raw.solved,
    output: { type: geometry.output === "complex" ? "c64" : "f32", axes, shape },
    axes: {
      dopplerCycles,
      ...(prfHz === undefined ? {} : { dopplerHz: dopplerCycles.map((cycles) => cycles * prfHz) }),
      ...(rangeAxis ? { rangeMeters: { start: rangeAxis.startMeters, step: rangeAxis.stepMeters, count: ranges } } : {}),
      ...(azimuthDegrees ? { azimuthDegrees } : {}),
    },
    parameters,
    condition,
    threshold,
    detections: { count: detections.length, ...crossings, listed: detections.slice(0, mostListed) },
    interference,
    ...(homogeneity ? { homogeneity } : {}),
    target,
    beamformer: beamformerReport(raw, beamformer, plan, target),
    angleDoppler: maps.report,
    stages: raw.stages,
    timings: [...clock.timings],
    notes: [
      ...plan.notes,
      ...notesOf(plan, threshold.kind),
      ...solvedNotes(raw.solved),
      ...manyNotes(detections.length, crossings.expectedFalseAlarms, homogeneity),
    ],
  };
  onProgress?.("done", 1);
  return { output, detections, amf, beamformer, angleDoppler: maps, raw, report };
}

/** Throws `input` if the target is outside the data. */
function checkTarget({ settings: { target }, geometry: { ranges }, azimuthDegrees, prfHz }: StapPlan): void {
  if (!target) return;
  if (!(Number.isInteger(target.range) && target.range >= 0 && target.range < ranges))
    throw settingError("target", `at a range bin from 0 to ${ranges - 1}`, target.range);
  const half = (prfHz ?? 1) / 2;
  if (!(Math.abs(target.doppler) <= half))
    throw settingError("target", prfHz === undefined ? "within half a cycle per pulse" : `within ±${half} Hz of Doppler`, target.doppler);
  if (target.azimuthDegrees !== undefined && !azimuthDegrees)
    throw settingError("target", "without an azimuth if the steering vectors are not a scan", target.azimuthDegrees);
  if (target.azimuthDegrees !== undefined && azimuthDegrees) {
    const [from, to] = [azimuthDegrees[0], azimuthDegrees[azimuthDegrees.length - 1]];
    if (!(target.azimuthDegrees >= from && target.azimuthDegrees <= to))
      throw settingError("target", `at an azimuth of the scan, from ${from}° to ${to}°`, target.azimuthDegrees);
  }
}

function targetOf(plan: StapPlan, raw: StapOutput, amf: AmfMap, detections: readonly StapDetection[]): StapTargetReport {
  const { geometry, settings, azimuthDegrees, prfHz = 1 } = plan;
  const { ranges } = geometry;
  const told = (place: CellPlace, source: StapTargetReport["source"]): StapTargetReport => {
    const line = comparedLine(raw, geometry, amf, place.steering, place.dopplerBin);
    const amfDb = decibels(line[place.range]);
    return { ...place, source, amfDb, aboveNextDb: aboveNext(line, place.range) };
  };
  const { target } = settings;
  if (target) {
    const bin = nearestBin(geometry, target.doppler / prfHz);
    const nearest =
      target.azimuthDegrees === undefined || !azimuthDegrees
        ? amf.which[bin * ranges + target.range]
        : largestIndex(azimuthDegrees.map((azimuth) => -Math.abs(azimuth - (target.azimuthDegrees as number))));
    return told(placeOf(plan, target.range, bin, nearest), "option");
  }
  const [strongest] = detections;
  if (strongest) return told(placeOf(plan, strongest.range, strongest.dopplerBin, strongest.steering), "detection");
  const best = largestIndex(amf.data);
  return told(placeOf(plan, best % ranges, Math.floor(best / ranges), amf.which[best]), "largest");
}

/**
 * Puts the output in its final order: powers are [steering][range][Doppler], as y in the paper; complex values are
 * [steering][Doppler][range], as in the PERFECT suite.
 */
function* outputOf(
  { geometry, inputs }: StapPlan,
  { y: found, strongest }: StapOutput,
): Generator<void, { output: Float32Array; axes: readonly string[]; shape: readonly number[] }> {
  const { steeringVectors, dopplerBins, ranges, output, maxOverSteering } = geometry;
  // A copy is unscaled, because detection continues with the unscaled original.
  const scaled = inputs.outputExponents.some((exponent) => exponent !== 0);
  const y = scaled ? yield* unscaleOutputSteps(found.slice(), inputs, { ...geometry, maxOverSteering: strongest !== undefined }) : found;
  if (output === "complex") return { output: y, axes: ["steering", "Doppler", "range"], shape: [steeringVectors, dopplerBins, ranges] };
  const planes = maxOverSteering ? 1 : steeringVectors;
  const written = maxOverSteering && !strongest ? yield* largestOf(y, dopplerBins * ranges) : y;
  const turned = yield* permuteAxesSteps(written, [planes, dopplerBins, ranges], [0, 2, 1], 1);
  return maxOverSteering
    ? { output: turned, axes: ["range", "Doppler"], shape: [ranges, dopplerBins] }
    : { output: turned, axes: ["steering", "range", "Doppler"], shape: [planes, ranges, dopplerBins] };
}

/** Numbers that are processed between two pauses. */
const pieceNumbers = 2 ** 18;

/** The largest value of all planes, cell by cell. */
function* largestOf(planes: Float32Array, cells: number): Generator<void, Float32Array> {
  const largest = planes.slice(0, cells);
  for (let i = cells; i < planes.length; i++) {
    if (planes[i] > largest[i % cells]) largest[i % cells] = planes[i];
    if (i % pieceNumbers === 0) yield;
  }
  return largest;
}

function notesOf({ geometry, parameters, chirp }: StapPlan, threshold: StapReport["threshold"]["kind"]): readonly string[] {
  const notes: string[] = [];
  if (chirp) {
    const partial = Math.round(chirp.pulseSeconds * chirp.samplingRateHz) - 1;
    notes.push(`the last ${partial} ranges hold only part of a pulse`);
  }
  if (parameters.preset.value === "mountain-top")
    notes.push(
      "Doppler is given as it was recorded: the receiver inverted the sign of the phase three times, so approaching targets have negative Doppler",
    );
  if (geometry.loading > 0 && threshold === "amf")
    notes.push("thresholds are those of theory without diagonal loading; with little loading they are nearly right");
  return notes;
}

function solvedNotes({ precision, illConditioned, covariances, mostCondition, why }: StapReport["solved"]): readonly string[] {
  const [of, helps] = precision === "f32" ? ["of float32 ", "a device with float64, or diagonal loading,"] : ["", "diagonal loading"];
  const most = mostCondition?.toExponential(0);
  return [
    ...(why === undefined ? [] : [why]),
    ...(illConditioned === 0
      ? []
      : [
          `${illConditioned} of ${covariances} covariances are so ill-conditioned (condition up to about ${most}) that outputs ${of}may be wrong by more than 1 %; ${helps} helps`,
        ]),
  ];
}

/** A note if there are many more detections than false alarms can explain. */
function manyNotes(count: number, expected: number, homogeneity: HomogeneityReport | undefined): readonly string[] {
  if (count <= manyTimes * (1 + expected)) return [];
  const alarms = `${count} detections, but at most ${expected.toPrecision(2)} false alarms are expected in homogeneous clutter`;
  if (homogeneity && homogeneity.share > unlikeTimes * homogeneity.expectedShare) {
    const [share, usual] = [homogeneity.share, homogeneity.expectedShare].map((one) => `${(100 * one).toPrecision(2)} %`);
    return [
      `${alarms}: the clutter is not homogeneous here (${share} of cells are unlike their training; ${usual} would be usual), so most of them need not be targets`,
    ];
  }
  return [`${alarms}: they are targets, or clutter for which the threshold does not hold`];
}
