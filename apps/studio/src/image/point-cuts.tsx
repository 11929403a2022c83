/** The measures of a picked point: a table, and the cuts along both axes as figures. */
import type { CurvePlot } from "@dechirp/pictures";
import type { AxisTheory } from "@dechirp/processor";
import type { CutCurve, CutMetrics, PointTargetOptions } from "@dechirp/sar";
import { useMemo } from "preact/hooks";
import { ErrorNote } from "../ui/error-note.tsx";
import { Figure } from "../ui/figure.tsx";
import { Scrolls } from "../ui/scrolls.tsx";
import { useLatest } from "../ui/use-latest.ts";
import { type AxisFacts, type ImageFacts, metersOf } from "./facts.ts";
import { whyNoTarget } from "./no-target.ts";
import { axisText } from "./readout.tsx";
import type { PixelPlace } from "./settings.ts";
import type { StoredImage } from "./stored-image.ts";

/** What is expected of an impulse response along both axes. */
export interface PointTheory {
  readonly rows?: AxisTheory;
  readonly columns?: AxisTheory;
}

interface PointCutsProps {
  readonly image: StoredImage;
  readonly point: PixelPlace;
  /** What is known of the image's axes and spectrum, for example `imageSpectrum(radar)` of `@dechirp/sar`. It must not change between equal images. */
  readonly options?: PointTargetOptions;
  readonly theory?: PointTheory;
}

/** Lowest value of the figures. */
const lowestDb = -60;
const noOptions: PointTargetOptions = {};

export function PointCuts({ image, point, options = noOptions, theory = {} }: PointCutsProps) {
  const { row, column } = point;
  const { facts } = image;
  const { share } = image.state.value;
  const { value, error, isBusy } = useLatest(
    (signal) => image.measure({ row, column }, { options, theory }, signal),
    [image, row, column, options, share, theory.rows?.window, theory.columns?.window],
  );
  const plots = useMemo(
    () =>
      value && [
        plotOf(facts.rowAxis, value.cuts.azimuth, value.theory.azimuth, theory.rows?.window),
        plotOf(facts.columnAxis, value.cuts.range, value.theory.range, theory.columns?.window),
      ],
    [value, facts],
  );
  const why = value && whyNoTarget(value.quality);
  return (
    <section class="point-cuts" aria-busy={isBusy} aria-label="Measures of the picked point">
      <h2>Picked point</h2>
      {error !== undefined && <ErrorNote error={error} />}
      {error === undefined && value && plots && (
        <>
          <Peak facts={facts} measures={value} point={point} peakPower={image.state.value.peakPower} />
          {why === undefined ? (
            <PointTable facts={facts} measures={value} theory={theory} />
          ) : (
            <p class="problem" role="status" data-figure="no-target">
              No point target here: {why}. Widths and side lobes would mean nothing.
            </p>
          )}
          <div class="figures">
            {plots.map((plot, i) => (
              <Figure
                key={plot.title}
                kind="curves"
                data={plot}
                name={i === 0 ? "cut-along-rows" : "cut-along-columns"}
                text={`${plot.title}, in decibels relative to the peak`}
              />
            ))}
          </div>
        </>
      )}
    </section>
  );
}

function plotOf(axis: AxisFacts, { firstPixels, stepPixels, power }: CutCurve, theory: CutCurve | undefined, window = ""): CurvePlot {
  const meters = metersOf(axis);
  const each = meters ?? 1;
  // Every second point: the eye can't tell a sixteenth of a pixel from a thirty-second.
  const points = Array.from({ length: Math.ceil(power.length / 2) }, (_, i) => 2 * i);
  const x = points.map((i) => (firstPixels + i * stepPixels) * each);
  const [low, high] = [x[0]!, x.at(-1)!];
  // Zeros are drawn below the lower end, where the curve is cut off.
  const decibelsOf = (powers: Float64Array): readonly number[] => points.map((i) => Math.max(lowestDb - 20, 10 * Math.log10(powers[i]!)));
  return {
    title: `Cut along ${axis.label}`,
    x: { label: `distance from the peak, ${meters === undefined ? "pixels" : "m"}`, low, high },
    y: { label: "dB relative to the peak", low: lowestDb, high: 3 },
    curves: [
      { name: "measured", x, y: decibelsOf(power) },
      ...(theory ? [{ name: `window ${window} in theory`, x, y: decibelsOf(theory.power), dashed: true }] : []),
    ],
  };
}

interface PeakProps {
  readonly facts: ImageFacts;
  readonly measures: Awaited<ReturnType<StoredImage["measure"]>>;
  readonly point: PixelPlace;
  readonly peakPower: number;
}

/** Where the brightest point is, and what it is like. */
function Peak({ facts: { rowAxis, columnAxis }, measures: { quality }, point, peakPower }: PeakProps) {
  const { row, column, peakMagnitude, peakPhaseRadians, snrDb } = quality;
  const isElsewhere = Math.round(row) !== Math.round(point.row) || Math.round(column) !== Math.round(point.column);
  return (
    <p>
      {isElsewhere && (
        <span data-figure="elsewhere">
          The brightest point near the picked pixel (row {point.row}, column {point.column}) is measured:{" "}
        </span>
      )}
      {axisText(rowAxis, row)} (row <span data-figure="peak-row">{row.toFixed(3)}</span>), {axisText(columnAxis, column)} (column{" "}
      <span data-figure="peak-column">{column.toFixed(3)}</span>) · peak{" "}
      <span data-figure="peak-db">{decibels(20 * Math.log10(peakMagnitude) - 10 * Math.log10(peakPower))}</span> dB relative to the largest
      pixel · phase <span data-figure="peak-phase">{((peakPhaseRadians * 180) / Math.PI).toFixed(2)}</span>° · peak over clutter{" "}
      <span data-figure="peak-snr">{decibels(snrDb)}</span> dB
    </p>
  );
}

interface PointTableProps {
  readonly facts: ImageFacts;
  readonly measures: Awaited<ReturnType<StoredImage["measure"]>>;
  readonly theory: PointTheory;
}

function PointTable({ facts: { rowAxis, columnAxis }, measures: { quality }, theory }: PointTableProps) {
  const { azimuth, range } = quality;
  return (
    <Scrolls label="Widths and side lobes">
      <table>
        <thead>
          <tr>
            <th scope="col">Cut along</th>
            <th scope="col">IRW, pixels</th>
            <th scope="col">IRW, m</th>
            <th scope="col">PSLR, dB</th>
            <th scope="col">ISLR, dB</th>
            <th scope="col">ISLR of the whole cut, dB</th>
          </tr>
        </thead>
        <tbody>
          <CutRow name="rows" axis={rowAxis} cut={azimuth} />
          {theory.rows && <TheoryRow axis={rowAxis} theory={theory.rows} />}
          <CutRow name="columns" axis={columnAxis} cut={range} />
          {theory.columns && <TheoryRow axis={columnAxis} theory={theory.columns} />}
        </tbody>
      </table>
    </Scrolls>
  );
}

const decibels = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : "–");

function CutRow({
  name,
  axis,
  cut: { irwPixels, pslrDb, islrDb, islrTotalDb },
}: {
  readonly name: string;
  readonly axis: AxisFacts;
  readonly cut: CutMetrics;
}) {
  const meters = metersOf(axis);
  return (
    <tr>
      <th scope="row">{axis.label}</th>
      <td data-figure={`${name}-irw-pixels`}>{irwPixels.toFixed(3)}</td>
      <td data-figure={`${name}-irw-meters`}>{meters === undefined ? "–" : (irwPixels * meters).toPrecision(4)}</td>
      <td data-figure={`${name}-pslr`}>{decibels(pslrDb)}</td>
      <td data-figure={`${name}-islr`}>{decibels(islrDb)}</td>
      <td data-figure={`${name}-islr-total`}>{decibels(islrTotalDb)}</td>
    </tr>
  );
}

function TheoryRow({
  axis,
  theory: { window, irwPixels, irwMeters, pslrDb, islrDb, islrTotalDb },
}: {
  readonly axis: AxisFacts;
  readonly theory: AxisTheory;
}) {
  return (
    <tr class="theory">
      <th scope="row">
        {axis.label}, theory of the window {window}
      </th>
      <td>{irwPixels.toFixed(3)}</td>
      <td>{irwMeters.toPrecision(4)}</td>
      <td>{decibels(pslrDb)}</td>
      <td>{decibels(islrDb)}</td>
      <td>{decibels(islrTotalDb)}</td>
    </tr>
  );
}
