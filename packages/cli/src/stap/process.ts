/**
 * One STAP plan to its output, detections, pictures' data and report, on a device. No files, no terminal; arithmetic is stap's and the
 * modules' beside this one.
 */
import { type Device, throwIfAborted } from "@dechirp/core";
import { binCycles, nearestBin, permuteAxes } from "@dechirp/stap";
import { createClock } from "../clock.ts";
import { deviceReport } from "../devices.ts";
import { argumentError } from "../errors.ts";
import type { FocusHooks } from "../focus-scene.ts";
import { blameStap, cfarOptionsOf } from "./blame.ts";
import { type AmfMap, aboveNext, amfMap, checkThresholds, comparedLine, decibels, detect, placeOf, thresholdsOf } from "./detect.ts";
import type { StapPlan } from "./plan.ts";
import { type CellPlace, type Detection, type StapReport, stapFormat, stapVersion, type TargetReport } from "./report.ts";
import { type AngleDopplerPictures, angleDoppler, beamformerMap, beamformerReport, conditionOf, largestIndex } from "./response.ts";
import { runStap, type StapOutput } from "./run.ts";

export interface StapResult {
  /** output.npy, of `report.output`. */
  readonly output: Float32Array;
  readonly detections: readonly Detection[];
  readonly amf: AmfMap;
  readonly beamformer: AmfMap;
  readonly angleDoppler: AngleDopplerPictures;
  readonly raw: StapOutput;
  readonly report: StapReport;
}

/** Detections that the report lists. */
const mostListed = 100;
/** Condition beyond which float32 leaves no digit of the weakest direction. */
const worstCondition = 2 ** 24;

/**
 * Runs `plan` on `device`. Throws a CommandError of kind `argument` for options that the data do not allow and of kind `file` for
 * data that make no output, singular covariances above all; what the device throws; `aborted` where the signal fires.
 */
export async function processStap(plan: StapPlan, device: Device, hooks: FocusHooks = {}): Promise<StapResult> {
  const { input, settings, geometry, parameters } = plan;
  const { signal, onProgress, inputs = [input.file], clock = createClock(), whyDevice } = hooks;
  checkTarget(plan);
  await blameStap(input, settings, () => checkThresholds(plan), cfarOptionsOf);
  onProgress?.("planning", 0);
  const raw = await clock.time("process", () => runStap(plan, device, signal, (stage, share) => onProgress?.(stage, 0.6 * share)));
  onProgress?.("detecting", 0.6);
  throwIfAborted(signal, "stap");
  const amf = amfMap(raw, geometry);
  const { detections, threshold } = await clock.time("detect", () =>
    blameStap(
      input,
      settings,
      () => {
        const { data, threshold } = thresholdsOf(amf, plan);
        return { detections: detect(amf, data, plan, raw), threshold };
      },
      cfarOptionsOf,
    ),
  );
  const target = targetOf(plan, raw, amf, detections);
  onProgress?.("beamformer", 0.7);
  const beamformer = await clock.time("beamformer", () => beamformerMap(raw, plan, signal));
  onProgress?.("condition", 0.9);
  throwIfAborted(signal, "stap");
  const condition = await clock.time("condition", () => conditionOf(raw, plan, target));
  const pictures = await clock.time("response", () => blameStap(input, settings, () => angleDoppler(raw, plan, target)));
  const { output, axes, shape } = outputOf(plan, raw);
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
    detections: { count: detections.length, listed: detections.slice(0, mostListed) },
    target,
    beamformer: beamformerReport(raw, beamformer, plan, target),
    angleDoppler: pictures.report,
    stages: raw.stages,
    timings: [...clock.timings],
    notes: [...plan.notes, ...notesOf(plan, threshold.kind, condition.mostCondition)],
  };
  return { output, detections, amf, beamformer, angleDoppler: pictures, raw, report };
}

/** Throws `argument` for a --target outside the data. */
function checkTarget({ settings: { target }, geometry: { ranges }, azimuthDegrees, prfHz }: StapPlan): void {
  if (!target) return;
  if (!(Number.isInteger(target.range) && target.range >= 0 && target.range < ranges))
    throw argumentError("--target", `at a range bin from 0 to ${ranges - 1}`, target.range);
  const half = (prfHz ?? 1) / 2;
  if (!(Math.abs(target.doppler) <= half))
    throw argumentError("--target", prfHz === undefined ? "within half a cycle a pulse" : `within ±${half} Hz of Doppler`, target.doppler);
  if (target.azimuthDegrees !== undefined && !azimuthDegrees)
    throw argumentError("--target", "without an azimuth where steering vectors are no scan", target.azimuthDegrees);
  if (target.azimuthDegrees !== undefined && azimuthDegrees) {
    const [from, to] = [azimuthDegrees[0], azimuthDegrees[azimuthDegrees.length - 1]];
    if (!(target.azimuthDegrees >= from && target.azimuthDegrees <= to))
      throw argumentError("--target", `at an azimuth of the scan, from ${from}° to ${to}°`, target.azimuthDegrees);
  }
}

function targetOf(plan: StapPlan, raw: StapOutput, amf: AmfMap, detections: readonly Detection[]): TargetReport {
  const { geometry, settings, azimuthDegrees, prfHz = 1 } = plan;
  const { ranges } = geometry;
  const told = (place: CellPlace, source: TargetReport["source"]): TargetReport => {
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

/** Powers are [steering][range][Doppler], as the paper's y; complex is [steering][Doppler][range], as the PERFECT suite's. */
function outputOf(
  { geometry }: StapPlan,
  { y, strongest }: StapOutput,
): { output: Float32Array; axes: readonly string[]; shape: readonly number[] } {
  const { steeringVectors, dopplerBins, ranges, output, maxOverSteering } = geometry;
  if (output === "complex") return { output: y, axes: ["steering", "Doppler", "range"], shape: [steeringVectors, dopplerBins, ranges] };
  const planes = maxOverSteering ? 1 : steeringVectors;
  const written = maxOverSteering && !strongest ? largestOf(y, dopplerBins * ranges) : y;
  const turned = permuteAxes(written, [planes, dopplerBins, ranges], [0, 2, 1], 1);
  return maxOverSteering
    ? { output: turned, axes: ["range", "Doppler"], shape: [ranges, dopplerBins] }
    : { output: turned, axes: ["steering", "range", "Doppler"], shape: [planes, ranges, dopplerBins] };
}

/** The largest of all planes, cell by cell. */
function largestOf(planes: Float32Array, cells: number): Float32Array {
  const largest = planes.slice(0, cells);
  for (let i = cells; i < planes.length; i++) if (planes[i] > largest[i % cells]) largest[i % cells] = planes[i];
  return largest;
}

function notesOf(
  { geometry, parameters, chirp }: StapPlan,
  threshold: StapReport["threshold"]["kind"],
  mostCondition: number,
): readonly string[] {
  const notes: string[] = [];
  if (chirp) {
    const partial = Math.round(chirp.pulseSeconds * chirp.samplingRateHz) - 1;
    notes.push(`the last ${partial} ranges hold part of a pulse only`);
  }
  if (parameters.preset.value === "mountain-top")
    notes.push("Doppler is as it was recorded: the receiver turned phases three times, so that approaching targets have negative Doppler");
  if (geometry.loading > 0 && threshold === "amf")
    notes.push("thresholds are those of theory without loading, which with a little of it are nearly right");
  if (mostCondition > worstCondition)
    notes.push(
      `covariances of condition ${mostCondition.toExponential(1)} leave float32 no digit of their weakest direction; --loading helps`,
    );
  return notes;
}
