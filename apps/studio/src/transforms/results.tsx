/** What was measured: a table with a row for each contender on each device, and what the numbers mean. */
import { isRadarError, messageOf } from "@dechirp/core";
import { useMemo } from "preact/hooks";
import { ErrorNote } from "../ui/error-note.tsx";
import { Figure } from "../ui/figure.tsx";
import { Table } from "../ui/table.tsx";
import { inControlWords } from "../ui/words.ts";
import type { DeviceName } from "../work/devices.ts";
import { controls } from "./labels.ts";
import type { ContenderName, ContenderResult } from "./measure.ts";
import type { DeviceMeasured } from "./worker.ts";

/** What was measured on a device, or why nothing was. */
export interface Outcome {
  readonly name: DeviceName;
  readonly measured?: DeviceMeasured;
  readonly error?: unknown;
}

/** The devices in words. */
export const deviceTitles: Readonly<Record<DeviceName, string>> = { cpu: "Processor (WebAssembly)", gpu: "GPU (WebGPU)" };

const ids: Readonly<Record<ContenderName, string>> = { copy: "copy", transform: "transform", "with the hook": "hooked" };

const columns = ["Median, µs", "Quartiles, µs", "GFLOPS", "GB/s", "Of the copy", "Largest error", "RMS error", "Runs × turns"];

/** A number with three digits. */
export const short = (value: number): string => (value >= 1000 ? value.toFixed(0) : value.toPrecision(3));
/** An error with two digits. */
export const exponent = (value: number): string => value.toExponential(1);

export function Results({ outcomes, again }: { readonly outcomes: readonly Outcome[]; readonly again: () => void }) {
  const plot = useMemo(() => plotOf(outcomes), [outcomes]);
  const first = outcomes.find(({ measured }) => measured)?.measured;
  return (
    <>
      <Table label="Rates and errors of the transform on each device" kind="rates" header={["Device", "What", ...columns]}>
        {outcomes.flatMap(({ name, measured }) =>
          (measured?.rows ?? []).map((row, i) => (
            <tr key={`${name} ${row.name}`}>
              {i === 0 && (
                <th scope="rowgroup" rowSpan={measured!.rows.length}>
                  {deviceTitles[name]}
                </th>
              )}
              <Cells device={name} row={row} />
            </tr>
          )),
        )}
      </Table>
      {outcomes.map(({ name, error }) =>
        error === undefined ? null : isRadarError(error, "aborted") ? (
          <p key={name} role="status">
            {deviceTitles[name]}: cancelled.
          </p>
        ) : (
          <ErrorNote key={name} error={new Error(`${deviceTitles[name]}: ${messageOf(inControlWords(controls, error))}`)}>
            <button type="button" class="small" onClick={again}>
              {isRadarError(error, "device-lost") ? "Open the device again" : "Try again"}
            </button>
          </ErrorNote>
        ),
      )}
      {first && (
        <p>
          <small>
            Errors are relative to the root mean square of the float64 results; rounding alone explains about ε √log₂ n ={" "}
            <span data-figure="rounding">{exponent(first.rounding)}</span>. {comparedText(first)} GFLOPS count 5 n log₂ n operations for a
            complex transform, half of that for a real one. The copy moves as many bytes as the transform, {mebibytes(first)} in all, and
            takes turns with it; what fits into a cache is copied faster than memory allows.
          </small>
        </p>
      )}
      {plot && (
        <Figure kind="dots" data={plot} name="rates" text="Rates in bytes of the copy, the transform and the transform with its hook" />
      )}
      <ul class="device-facts">{outcomes.map(({ name, measured }) => measured && <Facts key={name} name={name} measured={measured} />)}</ul>
    </>
  );
}

function Cells({ device, row: { name, timed, why } }: { readonly device: DeviceName; readonly row: ContenderResult }) {
  const figure = (what: string): string => `${device}-${ids[name]}-${what}`;
  if (!timed)
    return (
      <>
        <th scope="row">{name}</th>
        <td colSpan={columns.length} class="why" data-figure={figure("why")}>
          {why?.replace(/^expression: /, "")}
        </td>
      </>
    );
  const { microseconds, quartiles, gflops, gigabytesPerSecond, ofCopy, deviation, runs, turns } = timed;
  return (
    <>
      <th scope="row">{name}</th>
      <td data-figure={figure("us")}>{short(microseconds)}</td>
      <td>{quartiles.map(short).join(" – ")}</td>
      <td data-figure={figure("gflops")}>{gflops === undefined ? "–" : short(gflops)}</td>
      <td data-figure={figure("gbps")}>{short(gigabytesPerSecond)}</td>
      <td data-figure={figure("share")}>{ofCopy === undefined ? "–" : `${(100 * ofCopy).toFixed(0)} %`}</td>
      <td data-figure={figure("max-error")}>{deviation ? exponent(deviation.max) : "–"}</td>
      <td data-figure={figure("rms-error")}>{deviation ? exponent(deviation.rms) : "–"}</td>
      <td>
        {runs} × {turns}
      </td>
    </>
  );
}

/** The bytes that the transform reads and writes. */
const mebibytes = ({ rows }: DeviceMeasured): string =>
  `${short((rows.find(({ name }) => name === "transform")?.plan?.cost.bytes ?? 0) / 2 ** 20)} MiB`;

/** Says how much of the results was compared. */
function comparedText({ rows }: DeviceMeasured): string {
  const deviation = rows.find(({ timed }) => timed?.deviation)?.timed?.deviation;
  if (!deviation) return "";
  const { compared, length, lines } = deviation;
  const points = compared === length ? "all" : `${compared} of the`;
  return `Compared: ${points} ${length} points of ${lines} ${lines === 1 ? "line" : "lines"}.`;
}

function Facts({ name, measured: { device, rows, clockStep } }: { readonly name: DeviceName; readonly measured: DeviceMeasured }) {
  const clock = rows.find(({ timed }) => timed)?.timed?.clock;
  const step = clockStep < 1 ? clockStep.toFixed(2) : clockStep.toFixed(0);
  const host = `Times are by the page's clock, which steps by ${step} µs, over turns of about 20 ms.`;
  return (
    <li>
      <strong>{deviceTitles[name]}</strong>: {device.description}
      {device.isSoftware && " (a software adapter on the processor: its times say nothing about GPUs)"}.{" "}
      {clock === "device"
        ? "Times are by the GPU's own clock (timestamp queries)."
        : name === "gpu"
          ? `This browser gives no timestamps of the GPU. ${host}`
          : host}
      {device.notes.map((note) => ` ${note[0].toUpperCase()}${note.slice(1)}.`)}
    </li>
  );
}

function plotOf(outcomes: readonly Outcome[]) {
  const measured = outcomes.filter(({ measured }) => measured?.rows.some(({ timed }) => timed));
  if (measured.length === 0) return undefined;
  const rate = (rows: readonly ContenderResult[], name: ContenderName): number =>
    rows.find((row) => row.name === name)?.timed?.gigabytesPerSecond ?? 0;
  const isHooked = measured.some(({ measured }) => measured!.rows.some(({ name }) => name === "with the hook"));
  return {
    title: "Bytes read and written in a second",
    note: "a transform in one pass over memory can be as fast as a copy",
    x: "GB/s",
    series: [
      { name: "transform" },
      ...(isHooked ? [{ name: "transform with the hook" }] : []),
      { name: "copy: the roofline", limit: true },
    ],
    rows: measured.map(({ name, measured }) => ({
      name: deviceTitles[name],
      values: [
        rate(measured!.rows, "transform"),
        ...(isHooked ? [rate(measured!.rows, "with the hook")] : []),
        rate(measured!.rows, "copy"),
      ],
    })),
  };
}
