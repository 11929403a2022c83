/** What the report says of an image: sharpness, targets against theory, and where the time went. */
import type { BackprojectReport, Report, TargetReport } from "@dechirp/processor";
import { Fact } from "../ui/fact.tsx";
import { Scrolls } from "../ui/scrolls.tsx";
import type { Focused } from "./messages.ts";

const isFocusReport = (report: Report | BackprojectReport): report is Report => report.format === "dechirp-report";

export function Results({
  focused: { report, device },
  milliseconds,
}: {
  readonly focused: Focused;
  readonly milliseconds: number | undefined;
}) {
  const stages = isFocusReport(report) ? report.stages : [];
  const warnings = isFocusReport(report) ? report.warnings : [];
  return (
    <section class="results" aria-label="Report">
      <dl class="facts">
        <Fact name="Entropy" value={`${report.entropy.toFixed(4)} nat`} figure="entropy" />
        <Fact name="Contrast" value={report.contrast.toFixed(4)} figure="contrast" />
        <Fact name="Image" value={`${report.image.shape.join(" × ")} pixels`} figure="image" />
        {milliseconds !== undefined && <Fact name="Time" value={`${(milliseconds / 1000).toFixed(2)} s in all`} figure="time" />}
        <Fact name="Computed by" value={`${device.description}${device.isSoftware ? " (emulated on the processor)" : ""}`} />
      </dl>
      {[...warnings, ...device.notes].map((text) => (
        <p key={text} class="warning">
          {text}
        </p>
      ))}
      {isFocusReport(report) && report.targets.length > 0 && <Targets targets={report.targets} />}
      {!isFocusReport(report) && <PeakFacts report={report} />}
      <details>
        <summary>Where the time went</summary>
        <Scrolls label="Times">
          <table>
            <tbody>
              {[...report.timings, ...stages.map(({ name, milliseconds }) => ({ name: `focus: ${name}`, milliseconds }))].map(
                ({ name, milliseconds }, i) => (
                  <tr key={i}>
                    <th scope="row">{name}</th>
                    <td class="number">{milliseconds.toFixed(1)} ms</td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </Scrolls>
      </details>
    </section>
  );
}

/** Impulse responses of targets whose places are known. */
function Targets({ targets }: { readonly targets: readonly TargetReport[] }) {
  return (
    <Scrolls label="Point targets">
      <table class="targets">
        <thead>
          <tr>
            <th scope="col" rowSpan={2}>
              Target
            </th>
            <th scope="colgroup" colSpan={3}>
              Azimuth
            </th>
            <th scope="colgroup" colSpan={3}>
              Range
            </th>
            <th scope="col" rowSpan={2}>
              Phase error
            </th>
          </tr>
          <tr>
            {["azimuth", "range"].flatMap((axis) =>
              ["IRW, m", "PSLR, dB", "ISLR, dB"].map((name) => (
                <th key={`${axis} ${name}`} scope="col">
                  {name}
                </th>
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {targets.map(({ name, measured, why }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {measured ? (
                <>
                  {[measured.azimuth, measured.range].map(({ irwMeters, pslrDb, islrDb }, axis) => (
                    <>
                      <td key={`${axis} irw`} data-figure={`${name} ${axis === 0 ? "azimuth" : "range"} irw`}>
                        {irwMeters.toFixed(3)}
                      </td>
                      <td key={`${axis} pslr`}>{pslrDb.toFixed(2)}</td>
                      <td key={`${axis} islr`}>{islrDb.toFixed(2)}</td>
                    </>
                  ))}
                  <td>{measured.phaseErrorDegrees.toFixed(2)}°</td>
                </>
              ) : (
                <td colSpan={7}>{why}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  );
}

/** The brightest point of a backprojected image. */
function PeakFacts({ report: { peak, work } }: { readonly report: BackprojectReport }) {
  const cut = (of: typeof peak.x): string =>
    of ? `IRW ${of.irwMeters.toFixed(3)} m, PSLR ${of.pslrDb.toFixed(2)} dB, ISLR ${of.islrDb.toFixed(2)} dB` : "not measured";
  return (
    <dl class="facts">
      <Fact name="Brightest point" value={`x ${peak.xMeters.toFixed(2)} m, y ${peak.yMeters.toFixed(2)} m`} figure="peak" />
      <Fact name="Along x" value={cut(peak.x)} />
      <Fact name="Along y" value={cut(peak.y)} />
      <Fact name="Rate" value={`${work.gigaBackprojectionsPerSecond.toPrecision(3)} G backprojections/s`} />
    </dl>
  );
}
