/** The numbers of an image: speed, error, and the resolution beside that of theory. */
import { Scrolls } from "../ui/scrolls.tsx";
import type { QualityReport, SpeedReport } from "./run.ts";

/** Seconds as text with a unit that suits. */
export const timeText = (seconds: number): string =>
  seconds < 1 ? `${(1000 * seconds).toPrecision(3)} ms` : `${seconds.toPrecision(3)} s`;
/** Billions of pixel updates a second. */
export const rateText = (rate: number): string => (rate / 1e9).toPrecision(3);
/** A length without a sign of zero. */
export const fixed = (value: number, digits: number): string => (Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value).toFixed(digits);
/** Azimuth from which on the theory of narrow apertures does not hold. */
const wide = 0.5;
const degrees = (radians: number): string => ((180 / Math.PI) * radians).toFixed(2);

export function Facts({ speed, quality }: { readonly speed: SpeedReport | undefined; readonly quality: QualityReport | undefined }) {
  return (
    <dl class="facts">
      <div>
        <dt>Speed</dt>
        <dd>
          <strong data-figure="rate">{speed ? rateText(speed.rate) : "–"}</strong> Gbp/s
        </dd>
        <dd class="note">billions of pulses × pixels a second</dd>
      </div>
      <div>
        <dt>Time</dt>
        <dd>
          <strong data-figure="time">{speed ? timeText(speed.seconds) : "–"}</strong>
        </dd>
        <dd class="note">
          {speed
            ? `${speed.pulses} pulses × ${speed.pixels}² pixels, with range compression; planning ${timeText(speed.planSeconds)}`
            : "pulses × pixels"}
        </dd>
      </div>
      <div>
        <dt>Signal-to-error ratio (SER)</dt>
        <dd>
          <strong data-figure="ser">{quality ? quality.serDb.toFixed(1) : "–"}</strong> dB
        </dd>
        <dd class="note">
          {quality ? `against the exact sum in float64 at ${quality.samples} pixels` : "against the exact sum in float64"}
        </dd>
      </div>
      <div>
        <dt>Aperture</dt>
        <dd>
          <strong data-figure="azimuth">{quality ? degrees(quality.theory.azimuthRadians) : "–"}</strong>°
        </dd>
        <dd class="note">
          {quality && speed
            ? `pulses ${speed.firstPulse} to ${speed.firstPulse + speed.pulses - 1}, seen at a grazing angle of ${degrees(quality.theory.grazingRadians)}°`
            : "of azimuth"}
        </dd>
      </div>
    </dl>
  );
}

/** Expected and measured widths of the response to a point. */
export function ResolutionTable({ quality, spacing }: { readonly quality: QualityReport; readonly spacing: number }) {
  const { theory, point, at } = quality;
  const measured = typeof point === "string" ? undefined : point;
  const rows = [
    ["range", "Ground range", theory.rangeMeters, measured?.rangeMeters, measured?.range],
    ["cross", "Cross-range", theory.crossMeters, measured?.crossMeters, measured?.cross],
  ] as const;
  return (
    <section aria-labelledby="resolution-title">
      <h2 id="resolution-title">Resolution</h2>
      <Scrolls label="Expected and measured resolution">
        <table class="numbers">
          <caption>
            Response to the point near x = {fixed(at.x, 1)} m, y = {fixed(at.y, 1)} m
          </caption>
          <thead>
            <tr>
              <th scope="col">Direction</th>
              <th scope="col">Expected, m</th>
              <th scope="col">Measured, m</th>
              <th scope="col">PSLR, dB</th>
              <th scope="col">ISLR, dB</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, title, expected, found, cut]) => (
              <tr key={name}>
                <th scope="row">{title}</th>
                <td data-figure={`${name}-expected`}>{expected.toFixed(3)}</td>
                <td data-figure={`${name}-measured`}>{found === undefined ? "–" : found.toFixed(3)}</td>
                <td data-figure={`${name}-pslr`}>{cut ? cut.pslrDb.toFixed(1) : "–"}</td>
                <td>{cut ? cut.islrDb.toFixed(1) : "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
      {measured ? (
        <p class="note">
          Widths are those at half power (IRW). The peak is at x = {fixed(measured.x, 2)} m, y = {fixed(measured.y, 2)} m, with an amplitude
          of {measured.amplitude.toPrecision(4)}. The theory is that of narrow apertures: 0.886·c/(2B cos ψ), and 0.886·λ/2 over the change
          of direction.{theory.azimuthRadians > wide ? " This one is wide, so its response is finer in range." : ""}
        </p>
      ) : (
        <p class="note">{point as string}</p>
      )}
      {spacing > Math.min(theory.rangeMeters, theory.crossMeters) && (
        <p class="note" role="status">
          Pixels are {spacing.toPrecision(2)} m apart, which is more than the resolution, so the image misses peaks. Choose more pixels or a
          smaller window.
        </p>
      )}
    </section>
  );
}
