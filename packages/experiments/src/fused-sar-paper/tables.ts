/** Tables of the report: the published tables with the measured values beside them. */
import { decimals, type ReportTable, type ReportTables } from "../tables.ts";
import { type Part, parts } from "./published.ts";
import type { PaperReport, VariantReport } from "./report.ts";
import { baselineName, unfusedName } from "./variants.ts";

type Measured = NonNullable<VariantReport["measured"]>;

const milliseconds = (value: number | undefined): string =>
  value === undefined || Number.isNaN(value) ? "-" : value >= 100 ? value.toFixed(0) : value.toPrecision(3);
const times = (value: number): string => `${value.toPrecision(3)}×`;
const small = (value: number): string => (value === 0 ? "0" : value.toExponential(1));

function tablesOf(report: PaperReport): readonly ReportTable[] {
  const { variants, published, scene } = report;
  const of = (name: string): Measured | undefined => variants.find((variant) => variant.name === name)?.measured;
  const [baseline, unfused, fused, half] = [baselineName, unfusedName, "fused", "fused-f16"].map(of);
  const later = published.later.milliseconds;
  const done = variants.flatMap(({ name, title, measured }) => (measured ? [{ name, title, measured }] : []));
  /** How many times as long `a` takes as `b`, marked if either has steps by reference. */
  const over = (a: Measured | undefined, b: Measured, key: "milliseconds" | "wallMilliseconds"): string =>
    a === undefined ? "-" : `${times(a[key] / b[key])}${a.byReference.length + b.byReference.length > 0 ? "†" : ""}`;

  const speed: ReportTable = {
    title: "Time of an image. Speed-ups over the baseline use the host's clock; speed-ups over unfused use the clock in the third column",
    header: ["way", "ms", "clock", "ms, host", "passes", "GB moved", "over the baseline", "over unfused"],
    rows: [
      ...done.map(({ title, measured: m }) => [
        title,
        milliseconds(m.milliseconds),
        m.clock,
        milliseconds(m.wallMilliseconds),
        String(m.passes),
        decimals(m.bytes / 1e9, 2),
        over(baseline, m, "wallMilliseconds"),
        over(unfused, m, m.clock === unfused?.clock ? "milliseconds" : "wallMilliseconds"),
      ]),
      ["published: unfused, host conjugates (M1)", milliseconds(published.milliseconds.unfused), "", "", "", "", "1.00×", "-"],
      ["published: fused (M1)", milliseconds(published.milliseconds.fused), "", "", "", "", times(published.speedup), "-"],
      [`published later, another scene (M6): f32`, milliseconds(later.f32), "", "", "", "", "-", "-"],
      [`published later, another scene (M6): f16 storage`, milliseconds(later.f16), "", "", "", "", "-", "-"],
    ],
  };

  const steps: ReportTable = {
    title: "Time of each part, ms",
    header: ["way", "clock", ...Object.values(parts)],
    rows: [
      ...done.map(({ title, measured: m }) => [
        title,
        m.clock,
        ...(Object.keys(parts) as Part[]).map(
          (part) => milliseconds(m.parts.find((one) => one.part === part)?.milliseconds) + (m.byReference.includes(part) ? "†" : ""),
        ),
      ]),
      ["published: fused (M1)", "", ...(Object.keys(parts) as Part[]).map((part) => milliseconds(published.partMilliseconds[part]))],
    ],
  };

  const differences: ReportTable = {
    title: `Difference from the unfused image (float32 explains up to ${small(report.differenceBound)} of L2)`,
    header: ["way", "relative L2", "maximum", "largest SNR difference, dB"],
    rows: done
      .filter(({ name }) => name !== unfusedName)
      .map(({ title, measured: m }) => [
        title,
        small(m.difference.relativeL2),
        small(m.difference.maxAbsolute),
        decimals(snrApart(m, unfused), 3),
      ]),
  };

  const snr: ReportTable = {
    title:
      "SNR of the targets, dB; the published values are equal for fused and unfused; noise and positions were chosen to come near them, so the agreement proves nothing",
    header: ["target", "published", "unfused", "fused", "fused, f16 storage"],
    rows: (unfused?.targets ?? []).map((target, i) => [
      target.name,
      decimals(published.snrDb[i], 1),
      ...[unfused, fused, half].map((m) => decimals(m?.targets[i]?.measured?.snrDb, 1)),
    ]),
  };

  const pair = (m: Measured | undefined, i: number, key: "irwRatio" | "pslrDb" | "islrDb", digits: number): string => {
    const measured = m?.targets[i]?.measured;
    return measured ? `${decimals(measured.azimuth[key], digits)} / ${decimals(measured.range[key], digits)}` : "-";
  };
  const { azimuth, range } = report.theory;
  const quality: ReportTable = {
    title: "Impulse responses, azimuth / range: width relative to theory, PSLR and ISLR (ten side lobes per side) in dB",
    header: ["target", "IRW fused", "IRW f16", "PSLR unfused", "PSLR fused", "PSLR f16", "ISLR unfused", "ISLR fused", "ISLR f16"],
    rows: [
      ...(unfused?.targets ?? []).map(({ name }, i) => [
        name,
        ...[fused, half].map((m) => pair(m, i, "irwRatio", 4)),
        ...[unfused, fused, half].map((m) => pair(m, i, "pslrDb", 2)),
        ...[unfused, fused, half].map((m) => pair(m, i, "islrDb", 2)),
      ]),
      [
        `theory, ${scene.windows}`,
        "1 / 1",
        "1 / 1",
        ...new Array<string>(3).fill(`${decimals(azimuth.pslrDb, 2)} / ${decimals(range.pslrDb, 2)}`),
        ...new Array<string>(3).fill(`${decimals(azimuth.islrDb, 2)} / ${decimals(range.islrDb, 2)}`),
      ],
    ],
  };
  return [speed, steps, differences, snr, quality];
}

/** The largest difference of a target's SNR from that in the unfused image. NaN if nothing can be compared. */
function snrApart(m: Measured, unfused: Measured | undefined): number {
  const apart = m.targets.map(({ measured }, i) =>
    Math.abs((measured?.snrDb ?? Number.NaN) - (unfused?.targets[i]?.measured?.snrDb ?? Number.NaN)),
  );
  return apart.length === 0 ? Number.NaN : Math.max(...apart);
}

function heading({ scene, device, published }: PaperReport): readonly string[] {
  const { radar } = scene;
  const swath = `${decimals(radar.nearRangeMeters / 1e3, 1)} km`;
  return [
    `Range-Doppler ${scene.lines}×${scene.samples} → ${scene.image.join("×")} on ${device.id}: ${device.description}`,
    ...(device.why === undefined ? [] : [`Device: ${device.why}`]),
    `Scene: ${scene.title}; ${decimals(radar.carrierHz / 1e9, 1)} GHz, ${decimals((Math.abs(radar.chirpRateHzPerSecond) * radar.pulseSeconds) / 1e6, 0)} MHz, ${radar.prfHz} Hz, ${decimals(radar.velocityMetersPerSecond, 0)} m/s, near range ${swath}; ${decimals(scene.rawSnrDb, 1)} dB in a raw sample; windows ${scene.windows}`,
    `Published: ${published.source}; it does not state its radar, the positions of the targets and the meaning of 20 dB, see the preset`,
  ];
}

const mark = "† some steps run by reference in plain JavaScript on this device, so the ratios do not measure the effect of fusion";

const notes = ({ variants }: PaperReport): readonly string[] => [
  ...(variants.some(({ measured }) => measured && measured.byReference.length > 0) ? [mark] : []),
  ...variants.flatMap(({ title, why }) => (why === undefined ? [] : [`${title}: not measured: ${why}`])),
];

/** Formats the report as the published tables with the measured values beside them. */
export const fusedSarTables = (report: PaperReport): ReportTables => ({
  title: `The published fused SAR experiment, ${report.date.slice(0, 10)}`,
  heading: heading(report),
  tables: tablesOf(report),
  notes: notes(report),
});
