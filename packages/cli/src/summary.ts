/** Formats results as text. Names and notes come from files and may contain anything, so they are reduced to one printable line. */

import { memorySizeText, oneLine } from "@dechirp/core/internal";
import type {
  AxisMeasures,
  BackprojectedImagePlan,
  BackprojectReport,
  FocusPlan,
  Report,
  ReportAxis,
  Rows,
  TargetReport,
  UsedParameter,
  WindowedImagePlan,
} from "@dechirp/processor";
import { imageFiles } from "./output.ts";
import { decimals, table } from "./table.ts";

const used = ({ value, source, why }: UsedParameter<number | string>, unit = ""): string =>
  `${typeof value === "number" ? Number(value.toFixed(3)) : value}${unit} (${why ?? source})`;

/** Summarises a focused image: parameters, measurements and times. */
export function focusText(report: Report, folder: string, files: readonly string[] = imageFiles): string {
  const { parameters, device, raw, image, entropy, contrast } = report;
  const times = report.timings.flatMap(({ name, milliseconds }) =>
    name === "focus" ? [...report.stages.map((s) => `${s.name} ${s.milliseconds.toFixed(0)}`)] : [`${name} ${milliseconds.toFixed(0)}`],
  );
  const lines = [
    `${oneLine(report.scene)}: ${raw.type} ${raw.shape.join(" × ")} → image ${image.shape.join(" × ")} on ${device.id}`,
    ...(device.why === undefined ? [] : [`  device              ${device.id} (${oneLine(device.why)})`]),
    `  Doppler centroid    ${used(parameters.dopplerCentroidHz, " Hz")}`,
    `  effective velocity  ${used(parameters.velocityMetersPerSecond, " m/s")}`,
    `  processed band      ${used(parameters.processedBandwidthHz, " Hz")}`,
    `  windows             azimuth ${parameters.azimuthWindow.value}, range ${parameters.rangeWindow.value}`,
    `  rows                ${rowsText(report)}`,
    ...(report.blocks ? [`  blocks              ${blocksText(report.blocks)}`] : []),
    `  resolution          ${resolutionText(report)}`,
    `  range migration     ${parameters.rcmc.value}; secondary range compression ${used(parameters.src)}`,
    `  entropy ${decimals(entropy, 3)}, contrast ${decimals(contrast, 2)}`,
    `  milliseconds        ${times.join(", ")}`,
    ...report.notes.map((note) => `  note: ${oneLine(note)}`),
  ];
  if (report.targets.length > 0) lines.push("", targetsText(report.targets, false), "");
  lines.push(`  written: ${folder}: ${files.join(", ")}`);
  return lines.join("\n");
}

/** What a dry run of `focus` prints: the blocks of an image with the predicted seconds, or that it is made as a whole. */
export type FocusPlanText = { readonly scene: string; readonly device: string } & (
  | { readonly plan: FocusPlan; readonly seconds: number; readonly warnings: readonly string[] }
  | { readonly wholeBytes: number; readonly memoryBytes: number }
);

/** Describes how an image is made. */
export function focusPlanText(text: FocusPlanText): string {
  const { scene, device } = text;
  if ("wholeBytes" in text)
    return `${oneLine(scene)}: image as a whole on ${device}\n  memory    about ${memorySizeText(text.wholeBytes)}, of ${memorySizeText(text.memoryBytes)}`;
  const { plan: focusPlan, seconds } = text;
  const { shape, plan, memoryBytes } = focusPlan;
  const { blocks, lines, samples, overlapLines, step, swaths, bytes, work } = plan;
  return [
    `${oneLine(scene)}: image ${shape.join(" × ")} on ${device}`,
    `  blocks    ${blocks.length} of ${lines} lines × ${samples} samples, each giving up to ${step} rows; neighbours share ${overlapLines} lines`,
    ...(swaths.length > 1 ? [`  swath     ${swaths.length} sub-swaths with filters of their own`] : []),
    `  memory    ${memorySizeText(bytes)} for the arrays of a block, of ${memorySizeText(memoryBytes)}`,
    `  work      ${work.toFixed(2)} times the samples of the recording, about ${seconds < 1 ? "1" : seconds.toFixed(0)} s and the time to read and write`,
  ].join("\n");
}

const span = ([first, count]: Rows): string => (count === 0 ? "none" : `${first} to ${first + count - 1}`);

function blocksText({
  count,
  lines,
  rows,
  overlapLines,
  subSwaths,
  blockBytes,
  memoryBytes,
  resumed,
}: NonNullable<Report["blocks"]>): string {
  const swaths = subSwaths === 1 ? "" : `, ${subSwaths} sub-swaths`;
  return `${count} of ${lines} lines, up to ${rows} rows each, ${overlapLines} lines shared${swaths}; memory ${memorySizeText(blockBytes)} of ${memorySizeText(memoryBytes)}${earlierText(resumed)}`;
}

function rowsText({ image, exposure, parameters }: Report): string {
  const { fullyExposedRows, atLeast } = exposure;
  const half = atLeast.find(({ fraction }) => fraction === 0.5)?.rows ?? fullyExposedRows;
  const transform = `azimuth transform of ${parameters.azimuthLength.value}`;
  return `${span(fullyExposedRows)} of ${image.shape[0]} exposed in full, ${span(half)} at least by half; ${transform}`;
}

function resolutionText({ resolution }: Report): string {
  const { middle, best, worst } = resolution.azimuthMeters;
  const [from, to] = [decimals(best, 2), decimals(worst, worst < 100 ? 2 : 0)];
  const over = from === to ? "" : ` in the middle, ${from} to ${to} m over the rows`;
  return `${decimals(middle, 2)} m in azimuth${over}; ${decimals(resolution.rangeMeters, 2)} m in range`;
}

/** Summarises a backprojected image: parameters, speed and the brightest point. */
export function backprojectText(report: BackprojectReport, folder: string, files: readonly string[] = imageFiles): string {
  const { parameters, device, history, image, axes, work, peak, entropy, contrast } = report;
  const { mode, interpolation, bins, window, carrier } = parameters;
  const extent = ({ start, step, count }: ReportAxis): string => `${decimals(start, 2)} to ${decimals(start + (count - 1) * step, 2)} m`;
  const spacing = `${decimals(axes.xMeters.step, 4)} × ${decimals(Math.abs(axes.yMeters.step), 4)} m`;
  const onMap = parameters.grid.value.startsWith("EPSG:");
  const widths = peak.x && peak.y ? `, ${decimals(peak.x.irwMeters, 3)} m wide along x, ${decimals(peak.y.irwMeters, 3)} m along y` : "";
  const lines = [
    `${oneLine(report.scene)}: ${history.pulses} pulses × ${history.frequency.count} frequencies → image ${image.shape.join(" × ")} on ${device.id}`,
    ...(device.why === undefined ? [] : [`  device              ${device.id} (${oneLine(device.why)})`]),
    `  grid                ${onMap ? `${parameters.grid.value}, height ${decimals(parameters.heightMeters.value, 2)} m` : `x ${extent(axes.xMeters)}, y ${extent(axes.yMeters)}, z ${parameters.heightMeters.value} m`}; ${spacing} apart`,
    ...(parameters.grid.why === undefined ? [] : [`                      (${parameters.grid.why})`]),
    `  autofocus           ${history.autofocus}`,
    `  profiles            ${bins.value} bins, ${typeof interpolation.value === "string" ? interpolation.value : `sinc of ${interpolation.value} taps`} (${parameters.interpolationDb.toFixed(0)} dB), window ${window.value}, carrier ${carrier.value}, scale ${parameters.scale.value}`,
    `  precision           ${mode.value}`,
    ...report.partition.map((line, i) => `  ${i === 0 ? "partition" : "         "}           ${oneLine(line)}`),
    ...(work.windows ? [`  windows             ${windowsText(work.windows)}`] : []),
    `  brightest           (${decimals(peak.xMeters, 2)}, ${decimals(peak.yMeters, 2)}) m${widths}`,
    `  entropy ${decimals(entropy, 3)}, contrast ${decimals(contrast, 2)}`,
    `  milliseconds        ${report.timings.map(({ name, milliseconds }) => `${name} ${milliseconds.toFixed(0)}`).join(", ")}`,
    `  speed               ${work.gigaBackprojectionsPerSecond.toPrecision(3)} billion backprojections per second`,
    ...report.notes.map((note) => `  note: ${oneLine(note)}`),
    `  written: ${folder}: ${files.join(", ")}`,
  ];
  return lines.join("\n");
}

/** Describes how an image would be made: grid, windows, memory, work, and the division of the work. */
export function backprojectPlanText(
  { recording, grid, where }: BackprojectedImagePlan,
  { plan, windows, columns, rows, memoryBytes, budgetBytes, backprojections, readBytes }: WindowedImagePlan,
  device: string,
): string {
  const [pulses, frequencies] = recording.shape;
  return [
    `${oneLine(where)}: ${pulses} pulses × ${frequencies} frequencies → image ${grid.ny} × ${grid.nx} on ${device}`,
    `  windows             ${windowsText({ count: windows, columns, rows, memoryBytes, budgetBytes, resumed: 0 })}`,
    `  work                ${(backprojections / 1e9).toPrecision(3)} billion backprojections, ${memorySizeText(readBytes)} of pulses read`,
    `  partition           ${plan.scheme}: tiles of ${plan.tile} × ${plan.tile} pixels, ${plan.sets === 1 ? "1 pulse set" : `${plan.sets} pulse sets`}, ${plan.pulsesPerBlock} pulses at a time`,
    `                      because ${oneLine(plan.reason)}`,
  ].join("\n");
}

const windowsText = ({
  count,
  columns,
  rows,
  memoryBytes,
  budgetBytes,
  resumed,
}: NonNullable<BackprojectReport["work"]["windows"]>): string =>
  `${count === 1 ? "1 window" : `${count} windows`} of at most ${rows} × ${columns} pixels; ${memorySizeText(memoryBytes)} of ${memorySizeText(budgetBytes)}${earlierText(resumed)}`;

/** How many parts were made by an earlier run, if any. */
const earlierText = (resumed: number): string => (resumed === 0 ? "" : `; ${resumed} from an earlier run`);

/** Formats the table of point targets, a row for each. With `full`, adds ISLR over the whole cut, SNR and phase. */
export function targetsText(targets: readonly TargetReport[], full: boolean): string {
  const pair = (target: TargetReport, f: (axis: AxisMeasures) => string): string =>
    target.measured ? `${f(target.measured.azimuth)} / ${f(target.measured.range)}` : "-";
  const columns: readonly (readonly [string, (target: TargetReport) => string])[] = [
    ["target", ({ name }) => oneLine(name)],
    ["error [pixels]", (t) => pair(t, (axis) => decimals(axis.errorPixels, 3))],
    ["IRW [pixels]", (t) => pair(t, (axis) => decimals(axis.irwPixels, 3))],
    ["IRW / theory", (t) => pair(t, (axis) => decimals(axis.irwRatio, 3))],
    ["PSLR [dB]", (t) => pair(t, (axis) => decimals(axis.pslrDb, 2))],
    ["ISLR10 [dB]", (t) => pair(t, (axis) => decimals(axis.islrDb, 2))],
  ];
  const more: typeof columns = [
    ["ISLR [dB]", (t) => pair(t, (axis) => decimals(axis.islrTotalDb, 2))],
    ["SNR [dB]", ({ measured }) => decimals(measured?.snrDb, 1)],
    ["phase error [°]", ({ measured }) => decimals(measured?.phaseErrorDegrees, 2)],
  ];
  const all = full ? [...columns, ...more] : columns;
  const rows = table([all.map(([title]) => title), ...targets.map((target) => all.map(([, cell]) => cell(target)))]);
  const why = targets
    .filter((target) => target.why !== undefined)
    .map(({ name, why: reason }) => `${oneLine(name)} was not measured: ${reason}`);
  return [`azimuth / range; pixels are image samples`, rows, ...why].map((line) => line.replace(/^/gm, "  ")).join("\n");
}
