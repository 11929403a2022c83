/** Formats the report of a STAP run as text. */
import { oneLine } from "@dechirp/core/internal";
import type { CellPlace, StapDetection, StapReport, UsedParameter } from "@dechirp/processor";
import type { Written } from "../output.ts";
import { decimals, table } from "../table.ts";

/** The most detections that are listed. */
const mostTold = 10;

const used = ({ value, source, why }: UsedParameter<unknown>): string => `${value} (${why ?? source})`;

/** Summarises what was processed, how, and what was found. */
export function stapText({ report, folder, files }: Written<StapReport>): string {
  const { parameters, device, cube, condition, threshold, target, beamformer, detections } = report;
  const { cells, blockRanges, guard } = parameters;
  const training = [
    `${parameters.training.value}`,
    ...(blockRanges ? [`blocks of ${blockRanges.value} ranges`] : []),
    ...(cells ? [cells.value === "all" ? "all ranges" : `${cells.value} ranges`] : []),
    ...(guard && guard.value > 0 ? [`${guard.value} on each side left out`] : []),
  ];
  const times = report.timings.flatMap(({ name, milliseconds }) =>
    name === "process" ? report.stages.map((s) => `${s.name} ${s.milliseconds.toFixed(0)}`) : [`${name} ${milliseconds.toFixed(0)}`],
  );
  const db = (value: number | null): string => decimals(value, 1);
  const lines = [
    `${oneLine(report.name)}: ${cube.channels} channels × ${cube.pulses} pulses × ${cube.ranges} ranges → ${parameters.output.value} ${report.output.shape.join(" × ")} on ${device.id}`,
    ...(device.why === undefined ? [] : [`  device              ${device.id} (${oneLine(device.why)})`]),
    `  preset              ${used(parameters.preset)}`,
    `  Doppler             ${parameters.dopplerBins.value} bins, window ${parameters.window.value}; ${parameters.temporalTaps.value} taps`,
    `  steering            ${oneLine(used(parameters.steering))}`,
    `  training            ${training.join(", ")}: ${condition.fewestCells} cells or more for ${condition.order} unknowns, ${db(condition.expectedLossDb ?? null)} dB expected`,
    `  covariances         condition ${condition.medianCondition.toExponential(1)} in the median, ${condition.mostCondition.toExponential(1)} at most, over ${condition.bins} bins; loading ${parameters.loading.value}`,
    `  threshold           ${threshold.kind}, false alarm ${threshold.falseAlarm}${threshold.why === undefined ? "" : ` (${threshold.why})`}`,
    `  milliseconds        ${times.join(", ")}`,
    ...(report.cpi.count > 1 ? [`  interval            ${report.cpi.number} of ${report.cpi.count} (${oneLine(report.cpi.name)})`] : []),
    ...interferenceLines(report),
    ...report.notes.map((note) => `  note: ${oneLine(note)}`),
    "",
    detections.count === 0 ? `  nothing is above the threshold${expectedText(detections)}` : detectionsText(detections),
    "",
    `  ${target.source === "detection" ? "strongest" : target.source === "option" ? "target   " : "largest  "}           ${placeText(target)}: AMF ${db(target.amfDb)} dB${target.aboveNextDb === null ? "" : `, ${db(target.aboveNextDb)} dB above the next cell`}`,
    `  beamformer          largest at ${placeText(beamformer.peak)}; in the Doppler bin and direction of this cell at range bin ${beamformer.linePeak.range}, where this cell ranks ${beamformer.targetRank} of ${beamformer.ofRanges}`,
    `  written: ${folder}: ${files.join(", ")}`,
  ];
  return lines.join("\n");
}

function placeText({ range, rangeKilometres, dopplerCycles, dopplerHz, azimuthDegrees, steering }: CellPlace): string {
  return [
    `range bin ${range}${rangeKilometres === undefined ? "" : ` (${decimals(rangeKilometres, 2)} km)`}`,
    dopplerHz === undefined ? `${decimals(dopplerCycles, 4)} cycles per pulse` : `${decimals(dopplerHz, 2)} Hz`,
    azimuthDegrees === undefined ? `steering vector ${steering}` : `${azimuthDegrees}°`,
  ].join(", ");
}

/** Text about false alarms, to follow the number of detections. */
const expectedText = ({ expectedFalseAlarms, tests }: StapReport["detections"]): string =>
  `; at most ${Number(expectedFalseAlarms.toPrecision(2))} false ${expectedFalseAlarms === 1 ? "alarm is" : "alarms are"} expected in ${tests} tests`;

/** Lines about interference, which is not detected as targets. */
function interferenceLines({ interference, homogeneity }: StapReport): readonly string[] {
  const alike = homogeneity
    ? [
        `  homogeneity         ${(100 * homogeneity.share).toPrecision(2)} % of cells are unlike their training, ${100 * homogeneity.expectedShare} % in homogeneous clutter`,
      ]
    : [];
  if (!interference.estimated)
    return ["  interference        not estimated: there is no noise in the samples, or too few ranges", ...alike];
  const { strongest, affectedBins, bins, sources, channels } = interference;
  const db = (value: number): string => `${decimals(value, 1)} dB`;
  const from = ({ azimuthDegrees, cyclesPerElement }: { azimuthDegrees?: number; cyclesPerElement?: number }): string =>
    azimuthDegrees !== undefined
      ? `from ${Number(azimuthDegrees.toFixed(1))}°`
      : cyclesPerElement === undefined
        ? "an element"
        : `from ${decimals(cyclesPerElement, 3)} cycles per element`;
  const where =
    strongest.dopplerHz === undefined
      ? `${decimals(strongest.dopplerCycles, 4)} cycles per pulse`
      : `${decimals(strongest.dopplerHz, 2)} Hz`;
  const most = `at most ${db(strongest.toNoiseDb)} above the noise of an element (${where}, strongest ${from(strongest)}; ${strongest.dominant} of ${channels} eigenvalues)`;
  return [
    affectedBins === 0
      ? "  interference        none seen above the noise"
      : `  interference        ${most}; more than 10 dB in ${affectedBins} of ${bins} Doppler bins`,
    ...sources.map(
      (source) =>
        `  like a jammer       ${from(source)}: ${db(source.toNoiseDb)} above the noise in ${source.share === 1 ? "all" : `${Math.round(100 * source.share)} % of the`} Doppler bins; not a target`,
    ),
    ...alike,
  ];
}

function detectionsText(detections: StapReport["detections"]): string {
  const { count, listed } = detections;
  const told = listed.slice(0, mostTold);
  const [first] = told;
  const columns: readonly (readonly [string, (one: StapDetection) => string])[] = [
    ["range bin", (one) => String(one.range)],
    ...(first.rangeKilometres === undefined ? [] : ([["km", (one: StapDetection) => decimals(one.rangeKilometres, 2)]] as const)),
    first.dopplerHz === undefined
      ? ["cycles/pulse", (one) => decimals(one.dopplerCycles, 4)]
      : ["Doppler [Hz]", (one) => decimals(one.dopplerHz, 2)],
    first.azimuthDegrees === undefined ? ["steering", (one) => String(one.steering)] : ["azimuth [°]", (one) => String(one.azimuthDegrees)],
    ["AMF [dB]", (one) => decimals(one.amfDb, 1)],
    ["threshold [dB]", (one) => decimals(one.thresholdDb, 1)],
    ["above next [dB]", (one) => decimals(one.aboveNextDb, 1)],
  ];
  const rows = table([columns.map(([title]) => title), ...told.map((one) => columns.map(([, cell]) => cell(one)))], []);
  const more = count > told.length ? [`… and ${count - told.length} more, in detections.csv`] : [];
  return [`${count} ${count === 1 ? "detection" : "detections"}${expectedText(detections)}`, rows, ...more]
    .map((line) => line.replace(/^/gm, "  "))
    .join("\n");
}
