/** Tables of the report: the published tables with the measured values beside them. */
import type { Scheme } from "@dechirp/sar";
import { decimals, type ReportTable, type ReportTables } from "../tables.ts";
import { published } from "./published.ts";
import type { BackprojectionReport, DeviceResults, KernelRow, KernelTime, Timed, WholeRow } from "./report.ts";

const seconds = (value: number | undefined): string =>
  value === undefined ? "-" : value >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString();
const times = (value: number): string => `${value.toPrecision(3)}×`;
const gigabytes = (bytes: number): string => (bytes / 1e9).toPrecision(3);
const square = (side: number): string => `${side}×${side}`;

/** The cells that follow a time: the rate and the signal-to-error ratio. */
const rates = (m: Timed): string[] => [m.gigaprojections.toPrecision(3), decimals(m.serDb, 1)];
const rateHeader = ["Gbp/s", "SER, dB"];

interface Sizes {
  readonly pulses: number;
  /** Whether the workload equals the published one, so that times can be compared. */
  readonly asPublished: boolean;
}

/** Formats a time, with a star if it was scaled up from fewer pulses. */
const marked = (m: Timed, all: number): string => `${seconds(m.seconds)}${m.timedPulses < all ? "*" : ""}`;

function kernelTable({ device, kernels }: DeviceResults, { pulses, asPublished }: Sizes): ReportTable {
  const rows = kernels.filter(({ section }) => section === "sizes");
  return {
    title: `Table 1, the kernel without transfers, on ${device.id}`,
    header: ["image", "C1060, s", "Gflop/s", "here, s", "Gflop/s", ...rateHeader, "speed-up", "tile", "sets"],
    rows: rows.map(({ side, measured: m, why }) => {
      const then = asPublished ? published.kernelSeconds[side] : undefined;
      const flops = published.flopsPerProjection * pulses * side ** 2;
      const before = [square(side), seconds(then), then === undefined ? "-" : (flops / then / 1e9).toFixed(0)];
      if (!m) return [...before, why ?? "-", "-", "-", "-", "-", "-", "-"];
      return [
        ...before,
        marked(m, pulses),
        (flops / m.seconds / 1e9).toFixed(0),
        ...rates(m),
        then === undefined ? "-" : times(then / m.seconds),
        String(m.tile),
        String(m.sets),
      ];
    }),
  };
}

function transferTable({ device, wholes }: DeviceResults, { asPublished }: Sizes): ReportTable {
  const { synchronous, asynchronous } = published.wholeSeconds;
  const all = wholes.filter(({ section }) => section === "transfers");
  const overlapped = all.filter((row) => row.asynchronous);
  const inTurn = ({ side, form }: WholeRow): WholeRow | undefined =>
    all.find((row) => row.side === side && row.form === form && !row.asynchronous);
  return {
    title: `Table 2, from samples on the host to the image on the host, on ${device.id}`,
    header: [
      "image",
      "samples",
      "GB",
      "C1060 in turn, s",
      "overlapped",
      "here in turn, s",
      "overlapped",
      "gain",
      ...rateHeader,
      "planning, s",
    ],
    rows: overlapped.map((row) => {
      const { side, form, measured: m, why, pulses } = row;
      const before = inTurn(row)?.measured;
      const then = (of: Readonly<Record<number, number>>): string => seconds(asPublished && form === "profiles" ? of[side] : undefined);
      const what = [square(side), form === "profiles" ? "profiles" : "phase histories"];
      if (!m) return [...what, "-", then(synchronous), then(asynchronous), "-", why ?? "-", "-", "-", "-", "-"];
      return [
        ...what,
        gigabytes(m.sampleBytes),
        then(synchronous),
        then(asynchronous),
        before ? marked(before, pulses) : "-",
        marked(m, pulses),
        before ? times(before.seconds / m.seconds) : "-",
        ...rates(m),
        seconds(m.planSeconds),
      ];
    }),
  };
}

function threadTable({ device, kernels }: DeviceResults, { pulses, asPublished }: Sizes): ReportTable {
  const rows = kernels.filter(({ section }) => section === "threads");
  const pairs = rows.filter(({ measured }) => measured?.scheme === "unpartitioned");
  const tiled = ({ side, units }: KernelRow): KernelTime | undefined =>
    rows.find((row) => row.side === side && row.units === units && row.measured?.scheme === "tiles")?.measured;
  return {
    title: `Tables 3 and 4, without tiles and with tiles of ${published.cpuTile}, by threads, on ${device.id}`,
    header: ["image", "threads", "Athlon 64, s", "tiles", "gain", "here, s", "tiles", "gain", ...rateHeader],
    rows: pairs.map((row) => {
      const { side, units = device.units, measured: whole } = row;
      const tiles = tiled(row);
      const of = published.cpuSeconds[units === 1 ? "one" : "all"];
      const then = asPublished && of.whole[side] !== undefined ? [of.whole[side], of.tiles[side]] : undefined;
      return [
        square(side),
        `${units}${then && units !== 1 ? " (published: 4)" : ""}`,
        ...(then ? [...then.map(seconds), times(then[0] / then[1])] : ["-", "-", "-"]),
        whole ? marked(whole, pulses) : "-",
        tiles ? marked(tiles, pulses) : "-",
        whole && tiles ? times(whole.seconds / tiles.seconds) : "-",
        ...(tiles ? rates(tiles) : ["-", "-"]),
      ];
    }),
  };
}

const formulas: Readonly<Record<Scheme, string>> = {
  unpartitioned: "3PN²",
  pulseSets: "PR + 2SN²",
  tiles: "PRN/K + N²",
  dual: "PRN/K + 2SN²",
};

function schemeTable({ device, kernels }: DeviceResults, { pulses, asPublished }: Sizes): ReportTable {
  const rows = kernels.filter(({ section }) => section === "schemes");
  const first = rows.find(({ measured }) => measured?.scheme === "unpartitioned")?.measured;
  const side = rows[0]?.side ?? 0;
  const [then] = asPublished && side === 512 ? [published.kernelSeconds[512]] : [];
  const line = ({ measured: m, why }: KernelRow): string[] => {
    if (!m) return ["-", "-", why ?? "-", "-", "-", "-", "-"];
    return [
      `${m.scheme}, ${formulas[m.scheme]}`,
      gigabytes(m.trafficBytes[m.scheme]),
      String(m.sets),
      marked(m, pulses),
      first ? times(first.seconds / m.seconds) : "-",
      ...rates(m),
    ];
  };
  return {
    title: `The four partitionings, ${square(side)}, tiles of 32, on ${device.id}`,
    header: ["partitioning", "predicted traffic, GB", "sets", "s", "speed-up over unpartitioned", ...rateHeader],
    rows: [
      ...rows.map(line),
      ...(then === undefined
        ? []
        : [
            ["published: one pixel a thread (C1060)", "-", "-", seconds(published.onePixel.seconds), "1×", "-", "-"],
            ["published: tiles", "-", "-", seconds(then), `${published.onePixel.gain}×`, "-", "-"],
          ]),
    ],
  };
}

const percent = (value: number | undefined): string =>
  value === undefined ? "-" : value === 0 ? "0" : `${(100 * value).toPrecision(2)} %`;

function sineTable({ device, kernels }: DeviceResults, { pulses }: Sizes): ReportTable {
  const rows = kernels.flatMap(({ section, side, measured }) => (section === "sines" && measured ? [{ side, m: measured }] : []));
  const then: Readonly<Record<string, number | undefined>> = published.sine;
  return {
    title: `Sine and cosine of the phase, ${square(rows[0]?.side ?? 0)}, on ${device.id}`,
    header: ["source", "published difference", "difference of the image here", "s", ...rateHeader],
    rows: rows.map(({ m }) => [m.sine, percent(then[m.sine]), percent(m.sineError), marked(m, pulses), ...rates(m)]),
  };
}

function tileTable({ device, kernels }: DeviceResults, { pulses }: Sizes): ReportTable {
  const rows = kernels.filter(({ section }) => section === "tiles");
  return {
    title: `By tile size, ${square(rows[0]?.side ?? 0)}, on ${device.id} (Figure 9)`,
    header: ["tile", "predicted traffic, GB", "s", ...rateHeader],
    rows: rows.map(({ measured: m, why }) =>
      m ? [String(m.tile), gigabytes(m.trafficBytes.tiles), marked(m, pulses), ...rates(m)] : ["-", "-", why ?? "-", "-", "-"],
    ),
  };
}

function setTable({ device, kernels }: DeviceResults, { pulses }: Sizes): ReportTable {
  const rows = kernels.filter(({ section }) => section === "sets");
  const side = rows[0]?.side ?? 0;
  return {
    title: `By pulse sets, image and tile ${square(side)}, on ${device.id} (Figures 10 to 12)`,
    header: ["sets", "s", "projection, s", "sum of sets, s", ...rateHeader],
    rows: rows.map(({ measured: m, why }) =>
      m
        ? [String(m.sets), marked(m, pulses), seconds(m.projectSeconds), seconds(m.sumSeconds), ...rates(m)]
        : ["-", why ?? "-", "-", "-", "-", "-"],
    ),
  };
}

function pulseTable({ device, wholes }: DeviceResults): ReportTable {
  const rows = wholes.filter(({ section }) => section === "pulses");
  return {
    title: `By pulses, ${square(rows[0]?.side ?? 0)}, from phase histories on the host to the image on the host, on ${device.id}`,
    header: ["pulses", "s", ...rateHeader],
    rows: rows.map(({ pulses, measured: m, why }) =>
      m ? [String(pulses), marked(m, pulses), ...rates(m)] : [String(pulses), why ?? "-", "-", "-"],
    ),
  };
}

function tablesOf(report: BackprojectionReport): readonly ReportTable[] {
  const { devices, pulses, bins } = report;
  const sizes: Sizes = { pulses, asPublished: pulses === published.pulses && bins === published.bins };
  return devices
    .flatMap((one) =>
      [kernelTable, transferTable, threadTable, schemeTable, sineTable, tileTable, setTable, pulseTable].map((make) => make(one, sizes)),
    )
    .filter(({ rows }) => rows.length > 0);
}

function heading({ devices, pulses, bins }: BackprojectionReport): readonly string[] {
  return [
    `Backprojection of ${pulses} pulses of ${bins} bins on a full circle; the samples are noise. Gbp/s are 10⁹ pixels times pulses per second; SER is the signal-to-error ratio against float64`,
    ...devices.map(
      ({ device }) =>
        `${device.id}: ${device.description}${device.units > 1 ? `, ${device.units} units` : ""}${device.why === undefined ? "" : `; ${device.why}`}`,
    ),
    `Published: ${published.source}; Gflop/s count ${published.flopsPerProjection} operations per pixel and pulse, as the paper does`,
  ];
}

const isScaled = ({ devices, pulses: all }: BackprojectionReport): boolean =>
  devices.some(
    ({ kernels, wholes }) =>
      kernels.some(({ measured }) => measured !== undefined && measured.timedPulses < all) ||
      wholes.some(({ pulses, measured }) => measured !== undefined && measured.timedPulses < pulses),
  );

const notes = (report: BackprojectionReport): readonly string[] => [
  ...(isScaled(report) ? ["* scaled up from fewer pulses of the same circle"] : []),
  ...report.devices.flatMap(({ device, partitions }) =>
    partitions.map(({ side, text }) => `${square(side)} on ${device.id}: ${text.replaceAll("\n", "; ")}`),
  ),
];

/** Formats the report as the published tables with the measured values beside them. */
export const backprojectionTables = (report: BackprojectionReport): ReportTables => ({
  title: `The published backprojection experiment, ${report.date.slice(0, 10)}`,
  heading: heading(report),
  tables: tablesOf(report),
  notes: notes(report),
});
