/** Results as text for people. Names and notes come from files and may hold anything: they are made plain. */
import { oneLine } from "./errors.ts";
import type { AxisMeasures, Report, TargetReport, Used } from "./report.ts";
import { decimals, table } from "./table.ts";

const used = ({ value, source, why }: Used<number | string>, unit = ""): string =>
  `${typeof value === "number" ? Number(value.toFixed(3)) : value}${unit} (${why ?? source})`;

/** What was focused, how, and how long it took. */
export function focusText(report: Report, folder: string): string {
  const { parameters, device, raw, image, entropy, contrast, theory } = report;
  const resolution = (["azimuth", "range"] as const).map((axis) => `${decimals(theory[axis].irwMeters, 2)} m in ${axis}`).join(", ");
  const times = report.timings.flatMap(({ name, milliseconds }) =>
    name === "focus" ? [...report.stages.map((s) => `${s.name} ${s.milliseconds.toFixed(0)}`)] : [`${name} ${milliseconds.toFixed(0)}`],
  );
  const lines = [
    `${oneLine(report.scene)}: ${raw.type} ${raw.shape.join(" × ")} → image ${image.shape.join(" × ")} on ${device.id}`,
    ...(device.why === undefined ? [] : [`  device              ${device.id} (${oneLine(device.why)})`]),
    `  Doppler centroid    ${used(parameters.dopplerCentroidHz, " Hz")}`,
    `  effective velocity  ${used(parameters.velocityMetersPerSecond, " m/s")}`,
    `  processed band      ${used(parameters.processedBandwidthHz, " Hz")}`,
    `  windows             azimuth ${parameters.azimuthWindow.value}, range ${parameters.rangeWindow.value}: ${resolution}`,
    `  range migration     ${parameters.rcmc.value}; secondary range compression ${used(parameters.src)}`,
    `  entropy ${decimals(entropy, 3)}, contrast ${decimals(contrast, 2)}`,
    `  milliseconds        ${times.join(", ")}`,
    ...report.notes.map((note) => `  note: ${oneLine(note)}`),
  ];
  if (report.targets.length > 0) lines.push("", targetsText(report.targets, false), "");
  lines.push(`  written: ${folder}: image.npy, quicklook.png, report.json`);
  return lines.join("\n");
}

/** The table of point targets: a row each; with `full` also ISLR over the whole cut, SNR and phase. */
export function targetsText(targets: readonly TargetReport[], full: boolean): string {
  const pair = (target: TargetReport, f: (axis: AxisMeasures) => string): string =>
    target.measured ? `${f(target.measured.azimuth)} / ${f(target.measured.range)}` : "-";
  const columns: readonly (readonly [string, (target: TargetReport) => string])[] = [
    ["target", ({ name }) => oneLine(name)],
    ["error [cells]", (t) => pair(t, (axis) => decimals(axis.errorCells, 3))],
    ["IRW [cells]", (t) => pair(t, (axis) => decimals(axis.irwCells, 3))],
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
  return [`azimuth / range; cells are image samples`, rows, ...why].map((line) => line.replace(/^/gm, "  ")).join("\n");
}
