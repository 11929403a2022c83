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
    (signal) => image.measure({ row, column }, options, signal),
    [image, row, column, options, share],
  );
  const plots = useMemo(
    () => value && [plotOf(facts.rowAxis, value.cuts.azimuth, theory.rows), plotOf(facts.columnAxis, value.cuts.range, theory.columns)],
    [value, facts, theory.rows?.window, theory.columns?.window],
  );
  return (
    <section class="point-cuts" aria-busy={isBusy} aria-label="Measures of the picked point">
      <h2>Picked point</h2>
      {error !== undefined && <ErrorNote error={error} />}
      {error === undefined && value && plots && (
        <>
          <PointTable facts={facts} measures={value} peakPower={image.state.value.peakPower} theory={theory} />
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

function plotOf(axis: AxisFacts, { firstPixels, stepPixels, power }: CutCurve, theory: AxisTheory | undefined): CurvePlot {
  const meters = metersOf(axis);
  const each = meters ?? 1;
  // Every second point: the eye can't tell a sixteenth of a pixel from a thirty-second.
  const points = Array.from({ length: Math.ceil(power.length / 2) }, (_, i) => 2 * i);
  const x = points.map((i) => (firstPixels + i * stepPixels) * each);
  const [low, high] = [x[0]!, x.at(-1)!];
  return {
    title: `Cut along ${axis.label}`,
    x: { label: `distance from the peak, ${meters === undefined ? "pixels" : "m"}`, low, high },
    y: { label: "dB relative to the peak", low: lowestDb, high: 3 },
    curves: [
      // Zeros are drawn below the lower end, where the curve is cut off.
      { name: "measured", x, y: points.map((i) => Math.max(lowestDb - 20, 10 * Math.log10(power[i]!))) },
      ...(theory
        ? [
            {
              name: `highest side lobe of the window ${theory.window} in theory`,
              x: [low, high],
              y: [theory.pslrDb, theory.pslrDb],
              dashed: true,
            },
          ]
        : []),
    ],
  };
}

interface PointTableProps {
  readonly facts: ImageFacts;
  readonly measures: Awaited<ReturnType<StoredImage["measure"]>>;
  readonly peakPower: number;
  readonly theory: PointTheory;
}

function PointTable({ facts: { rowAxis, columnAxis }, measures: { quality }, peakPower, theory }: PointTableProps) {
  const { row, column, peakMagnitude, peakPhaseRadians, snrDb, azimuth, range } = quality;
  return (
    <>
      <p>
        {axisText(rowAxis, row)} (row <span data-figure="peak-row">{row.toFixed(3)}</span>), {axisText(columnAxis, column)} (column{" "}
        <span data-figure="peak-column">{column.toFixed(3)}</span>) · peak{" "}
        <span data-figure="peak-db">{decibels(20 * Math.log10(peakMagnitude) - 10 * Math.log10(peakPower))}</span> dB relative to the
        largest pixel · phase <span data-figure="peak-phase">{((peakPhaseRadians * 180) / Math.PI).toFixed(2)}</span>° · peak over clutter{" "}
        <span data-figure="peak-snr">{decibels(snrDb)}</span> dB
      </p>
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
    </>
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
