/** Writes the detections of a STAP run as CSV. */
import type { StapDetection } from "@dechirp/processor";

/** Yields detections.csv line by line: one detection per line, strongest first. Unknown values are empty. */
export function* detectionsCsv(detections: readonly StapDetection[]): Generator<string> {
  const columns: readonly (readonly [string, (one: StapDetection) => number | null | undefined])[] = [
    ["range_bin", (one) => one.range],
    ["range_km", (one) => one.rangeKilometres],
    ["doppler_bin", (one) => one.dopplerBin],
    ["doppler_cycles_per_pulse", (one) => one.dopplerCycles],
    ["doppler_hz", (one) => one.dopplerHz],
    ["steering", (one) => one.steering],
    ["azimuth_deg", (one) => one.azimuthDegrees],
    ["amf_db", (one) => one.amfDb],
    ["threshold_db", (one) => one.thresholdDb],
    ["above_next_db", (one) => one.aboveNextDb],
  ];
  const text = (value: number | null | undefined): string =>
    value === null || value === undefined ? "" : String(Number(value.toPrecision(10)));
  yield `${columns.map(([name]) => name).join(",")}\n`;
  for (const one of detections) yield `${columns.map(([, cell]) => text(cell(one))).join(",")}\n`;
}
