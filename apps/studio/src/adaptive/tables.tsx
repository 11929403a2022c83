/** Tables of a run: detections, methods, parameters with their reasons, times, and what helps to judge the result. */
import type { StapDetection, StapParameters, StapReport, UsedParameter } from "@dechirp/processor";
import type { ComponentChildren } from "preact";
import { Row, Table } from "../ui/table.tsx";
import { decibels } from "./cell.tsx";
import type { Known } from "./known.ts";
import type { Found } from "./messages.ts";

interface SectionProps {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** Name of each row for tests. */
  readonly figure?: string;
}

const TableSection = ({ title, columns, rows, figure }: SectionProps) => (
  <section>
    <h2>{title}</h2>
    <Table label={title} header={columns}>
      {rows.map((cells, i) => (
        <Row key={i} cells={cells} figure={figure} />
      ))}
    </Table>
  </section>
);

export function Detections({ found: { detections, threshold, target } }: { readonly found: Found }) {
  const { count, listed } = detections;
  const hasHertz = target.dopplerHz !== undefined;
  const title = `${count} ${count === 1 ? "detection" : "detections"}${count > listed.length ? `, the strongest ${listed.length}` : ""}`;
  if (count === 0)
    return (
      <section>
        <h2>No detection</h2>
        <p>Nothing is above the threshold for a false alarm probability of {threshold.falseAlarm}.</p>
      </section>
    );
  const hasKilometres = target.rangeKilometres !== undefined;
  const row = (one: StapDetection) => [
    one.range,
    ...(hasKilometres ? [one.rangeKilometres?.toFixed(2)] : []),
    hasHertz ? one.dopplerHz?.toFixed(1) : one.dopplerCycles.toFixed(4),
    one.azimuthDegrees ?? one.steering,
    decibels(one.amfDb),
    decibels(one.thresholdDb),
    decibels(one.aboveNextDb),
  ];
  return (
    <TableSection
      title={title}
      columns={[
        "Range bin",
        ...(hasKilometres ? ["km"] : []),
        hasHertz ? "Doppler, Hz" : "Doppler, cycles per pulse",
        listed[0].azimuthDegrees === undefined ? "Steering vector" : "Azimuth, °",
        "AMF",
        "Threshold",
        "Above the next",
      ]}
      rows={listed.map(row)}
      figure="detection"
    />
  );
}

export const Methods = ({ known: { methods, cnrDb } }: { readonly known: Known }) => (
  <TableSection
    title={`Methods with known covariance, clutter ${cnrDb.toFixed(1)} dB above noise`}
    columns={["Method", "SINR loss at the target", "Doppler with less than 12 dB loss", "Slowest such target"]}
    rows={methods.map(({ name, lossDb, usable, velocity }) => [
      name,
      decibels(lossDb),
      `${(100 * usable).toFixed(0)} %`,
      velocity === null ? "none" : `${velocity.toFixed(1)} m/s`,
    ])}
    figure="method"
  />
);

/** Names of the parameters, in the order of the table. */
const parameterNames: Readonly<Record<keyof StapParameters, string>> = {
  preset: "Preset",
  dopplerBins: "Doppler bins",
  temporalTaps: "Doppler bins of a filter",
  window: "Window over the pulses",
  steering: "Steering",
  training: "Training",
  blockRanges: "Ranges of a training block",
  cells: "Training ranges",
  guard: "Guard on each side",
  loading: "Diagonal loading",
  solver: "Solver",
  output: "Output",
  maxOverSteering: "Only the largest direction",
  centred: "Zero Doppler in the middle",
  chirp: "Chirp",
  prfHz: "PRF, Hz",
  carrierHz: "Carrier, Hz",
  spacing: "Spacing of elements",
  broadsideDegrees: "Broadside, °",
  falseAlarm: "False alarm probability",
};

/** Why the processor chooses a value if nothing else decides. */
const choices: Partial<Record<keyof StapParameters, string>> = {
  preset: "no preset suits the recording for certain",
  dopplerBins: "one for each pulse",
  temporalTaps: "neighbouring bins cancel the clutter that leaks between them; three are usually enough",
  window: "the adaptive filter suppresses sidelobes itself",
  training: "neighbouring blocks hold clutter like the block’s own, but not its targets",
  blockRanges: "as in the paper",
  cells: "as many as there are",
  guard: "blocks beside each other need none unless targets spread over ranges",
  loading: "there are enough training cells",
  solver: "the fastest for Hermitian covariances",
  output: "its false alarm rate does not depend on the clutter",
  maxOverSteering: "all directions are kept",
  centred: "zero Doppler is the first bin",
  chirp: "pulses are taken as compressed",
  falseAlarm: "one in a million",
};

const reasons: Readonly<Record<UsedParameter<unknown>["source"], string>> = {
  option: "set here",
  scene: "stated by the recording",
  preset: "of the preset",
  data: "measured in the data",
  "data+preset": "measured, with the preset's whole PRFs",
  fraction: "measured, whole PRFs unknown",
  default: "the processor's choice",
  none: "unknown, and not needed",
};

const valueText = (value: unknown): string =>
  value === null || value === undefined ? "–" : typeof value === "boolean" ? (value ? "yes" : "no") : String(value);

interface ParametersProps {
  readonly parameters: StapParameters;
  /** Why the page has set some of them, where the user has not. */
  readonly whys: Partial<Record<keyof StapParameters, string | undefined>>;
}

export function Parameters({ parameters, whys }: ParametersProps) {
  const rows = (Object.keys(parameterNames) as (keyof StapParameters)[]).flatMap((name) => {
    const used = parameters[name];
    return used
      ? [
          [
            parameterNames[name],
            valueText(used.value),
            used.why ?? whys[name] ?? (used.source === "default" ? choices[name] : undefined) ?? reasons[used.source],
          ],
        ]
      : [];
  });
  return <TableSection title="Parameters" columns={["Parameter", "Value", "Why"]} rows={rows} figure="parameter" />;
}

export const Times = ({ found: { times, device } }: { readonly found: Found }) => (
  <section>
    <TableSection
      title="Times"
      columns={["Part", "ms"]}
      rows={times.map(([name, milliseconds]) => [name, milliseconds.toFixed(milliseconds < 10 ? 1 : 0)])}
    />
    <p>
      <small>
        {device.description}
        {device.isSoftware ? ", a software adapter that stands in for a graphics card" : ""}. {device.notes.map((note) => `${note}. `)}
      </small>
    </p>
  </section>
);

export function Judgement({ report }: { readonly report: StapReport | undefined }) {
  if (!report)
    return (
      <section>
        <h2>How far to trust it</h2>
        <p aria-busy="true">Computing condition numbers, interference and homogeneity</p>
      </section>
    );
  const { condition, interference, homogeneity, detections, notes, solved } = report;
  const rows = [
    ["Training cells per covariance", `${condition.fewestCells} or more for ${condition.order} unknowns`],
    ["Expected loss from training", decibels(condition.expectedLossDb)],
    ["Condition of covariances, median", condition.medianCondition?.toExponential(1) ?? "–"],
    ["Covariances solved in", `${solved.precision === "f64" ? "float64" : "float32"}${solved.why ? ` (${solved.why})` : ""}`],
    ["Expected false alarms", `at most ${Number(detections.expectedFalseAlarms.toPrecision(2))}`],
    ...(interference.estimated
      ? [
          ["Interference over noise, strongest Doppler bin", decibels(interference.strongest.toNoiseDb)],
          ["Doppler bins with more than 10 dB", `${interference.affectedBins} of ${interference.bins}`],
          ...interference.sources.map((one) => [
            "Like a jammer",
            `${one.azimuthDegrees === undefined ? `${one.cyclesPerElement?.toFixed(3)} cycles per element` : `${one.azimuthDegrees.toFixed(0)}°`}, ${decibels(one.toNoiseDb)} above noise`,
          ]),
        ]
      : [["Interference", "not estimated"]]),
    ...(homogeneity
      ? [
          [
            "Cells unlike their training",
            `${(100 * homogeneity.share).toPrecision(2)} %, ${100 * homogeneity.expectedShare} % in homogeneous clutter`,
          ],
        ]
      : []),
  ];
  return (
    <section>
      <TableSection title="How far to trust it" columns={["Measure", "Value"]} rows={rows} figure="measure" />
      {notes.map((note) => (
        <p key={note}>
          <small>{note}.</small>
        </p>
      ))}
    </section>
  );
}
