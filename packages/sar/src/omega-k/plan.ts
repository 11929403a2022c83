/**
 * The plan of an ω-K image before any table is made: azimuth as in range-Doppler; in range the columns of the image, the band after the
 * Stolt interpolation, and a transform that is long enough for it. All float64.
 */
import { inputError, nextFastLength } from "@dechirp/core";
import { chirpSamples, type StripmapRadar, speedOfLight } from "@dechirp/radar";
import type { InterpolatorSpec } from "@dechirp/radar/interpolation";
import { checkRadar, chirpBandwidthHz, migrationFactor, rangeSpacingMeters } from "../radar.ts";
import { type ImageGeometry, type ImageSpectrum, imageGeometry, imageSpectrum } from "../range-doppler/geometry.ts";
import type { RangeDopplerParams } from "../range-doppler/params.ts";

/** The longest range transform: the 16 low bits of a phase's slope times a bin must fit 32 bits (`referenceTables`). */
const maxRangeLength = 2 ** 16;

/** What `omegaK` needs. Fields of range-Doppler mean the same here. */
export interface OmegaKParams
  extends Pick<
    RangeDopplerParams,
    "radar" | "lines" | "samples" | "rawType" | "lineGain" | "precision" | "rangeWindow" | "azimuthWindow" | "azimuthLength" | "rows"
  > {
  /**
   * Doppler band that is compressed, around the centroid. At the edges of the chirp the Doppler frequencies of a beam differ from those at
   * the carrier by f/f₀, and the PRF must hold them, too. Default: the widest band for which it does.
   */
  readonly processedBandwidthHz?: number;
  /**
   * Range transform length, even and at least `samples`. The Stolt interpolation needs a length of at least 1.1 times the swath and the
   * migration. Default: a fast length of 4/3 times that or more.
   */
  readonly rangeLength?: number;
  /** Interpolation of the range spectrum. Default: 12 taps, Kaiser. */
  readonly stolt?: InterpolatorSpec;
}

/** The plan of an image: azimuth as in range-Doppler, range by the band and the support in time of the Stolt interpolation. */
export interface Plan extends ImageGeometry {
  readonly bandwidthHz: number;
  /** Columns of the image. */
  readonly columns: number;
  /** The output of the inverse range transform that is the image's first column. */
  readonly firstOutput: number;
  /** Lowest and highest f′ of targets, over the whole processed Doppler band. */
  readonly bandHz: readonly [low: number, high: number];
  /** f′ of the first bin of the interpolated spectrum, in units of Fr/n. */
  readonly firstBin: number;
  /** What a bin of the range spectrum is worth in x = f/(B/2). */
  readonly scaleOfBins: number;
  /** Range transform length over the support in time of what the Stolt interpolation must keep. */
  readonly oversampling: number;
}

/** q = √((f₀ + f)² − A²) in Hz. */
export const rootHz = (radar: StripmapRadar, f: number, dopplerHz: number): number =>
  Math.sqrt((radar.carrierHz + f) ** 2 - acrossHz(radar, dopplerHz) ** 2);
/** A = c·f_η/2V in Hz. */
export const acrossHz = (radar: StripmapRadar, dopplerHz: number): number =>
  (speedOfLight * dopplerHz) / (2 * radar.velocityMetersPerSecond);

/** The plan of an image. Throws `input`, naming the field, if no image can be made with the parameters. */
export function planImage(params: OmegaKParams): Plan {
  const { radar, lines, samples, azimuthLength, rows } = params;
  checkRadar(radar);
  const bandwidthHz = chirpBandwidthHz(radar);
  const half = bandwidthHz / 2 / radar.carrierHz;
  const widest = (radar.prfHz - 2 * half * Math.abs(radar.dopplerCentroidHz)) / (1 + half);
  if (!(widest > 0))
    throw inputError(
      "radar.prfHz",
      `more than ${2 * half * Math.abs(radar.dopplerCentroidHz)} Hz, which the chirp's band adds to the Doppler band`,
      radar.prfHz,
    );
  const { processedBandwidthHz = widest } = params;
  if (!(processedBandwidthHz > 0 && processedBandwidthHz <= widest))
    throw inputError(
      "processedBandwidthHz",
      `positive and at most ${widest} Hz, so that the PRF holds the Doppler band of the whole chirp`,
      processedBandwidthHz,
    );
  const geometry = imageGeometry({
    radar,
    lines,
    samples,
    processedBandwidthHz,
    rcmc: "off",
    ...(azimuthLength !== undefined && { azimuthLength }),
    ...(rows !== undefined && { rows }),
  });

  const edges = [-0.5, 0.5].map((side) => radar.dopplerCentroidHz + side * processedBandwidthHz);
  const dopplers = edges[0] * edges[1] < 0 ? [...edges, 0] : edges;
  const corners = dopplers.flatMap((doppler) => [-0.5, 0.5].map((side) => ({ doppler, f: side * bandwidthHz })));
  const roots = corners.map(({ f, doppler }) => rootHz(radar, f, doppler));
  if (!roots.every((root) => root > 0.05 * radar.carrierHz))
    throw inputError(
      "radar.chirpRateHzPerSecond",
      "such that the lowest frequency of the chirp has the Doppler band, too",
      radar.chirpRateHzPerSecond,
    );
  const bandHz = [Math.min(...roots) - radar.carrierHz, Math.max(...roots) - radar.carrierHz] as const;
  if (!(bandHz[1] - bandHz[0] <= radar.samplingRateHz))
    throw inputError(
      "radar.samplingRateHz",
      `at least ${bandHz[1] - bandHz[0]} Hz, the band of the image's range spectrum`,
      radar.samplingRateHz,
    );

  // Columns in whole tiles of four, with the reference range on one of them.
  const spacing = rangeSpacingMeters(radar);
  const exposed = samples - chirpSamples(radar) + 1;
  const columns = (Math.floor((exposed - 1) * geometry.reference) + 1) & ~3;
  if (columns < 4) throw inputError("samples", `at least ${samples + Math.ceil(4 / geometry.reference)}, for four columns`, samples);
  const start = radar.nearRangeMeters * geometry.reference;
  const middle = columns / 2;
  const midRangeMeters = start + middle * spacing;

  // After the reference function a target of delay R(f) has the delay R(f) − R_ref/cos θ(f), positive or negative.
  const cosines = corners.map(({ f }, i) => roots[i] / (radar.carrierHz + f));
  const near = radar.nearRangeMeters;
  const delays = cosines.flatMap((cosine) => [near, near + (exposed - 1) * spacing].map((range) => range - midRangeMeters / cosine));
  const support = Math.ceil((2 * Math.max(...delays.map(Math.abs))) / spacing);
  const rangeLength = params.rangeLength ?? 16 * nextFastLength(Math.ceil(Math.max(samples, (4 / 3) * support) / 16));
  const least = Math.max(samples, Math.ceil(1.1 * support));
  if (!Number.isInteger(rangeLength) || rangeLength % 2 !== 0 || rangeLength < least || rangeLength > maxRangeLength)
    throw inputError("rangeLength", `an even integer from ${least} to ${maxRangeLength}`, rangeLength);

  const most = 2 ** 32 / geometry.azimuthLength;
  if (!(rangeLength <= most)) throw inputError("rangeLength", `at most ${most} for ${geometry.azimuthLength} rows`, rangeLength);

  const { azimuthSeconds, azimuthMeters } = geometry.axes;
  return {
    ...geometry,
    bandwidthHz,
    rangeLength,
    columns,
    firstOutput: rangeLength / 2 - middle,
    bandHz,
    firstBin: Math.round(((bandHz[0] + bandHz[1]) / 2 / radar.samplingRateHz) * rangeLength) - rangeLength / 2,
    scaleOfBins: radar.samplingRateHz / rangeLength / (bandwidthHz / 2),
    oversampling: Math.min(64, rangeLength / support),
    midRangeMeters,
    axes: { azimuthSeconds, azimuthMeters, slantRangeMeters: { count: columns, start, step: spacing } },
  };
}

/** As that of a range-Doppler image, whose columns are D(f_dc) times as far apart. */
export function spectrumOf(radar: StripmapRadar): ImageSpectrum {
  const { azimuthCentreCyclesPerSample, rangeCentreCyclesPerSample, rangeCutRowsPerColumn } = imageSpectrum(radar);
  const reference = migrationFactor(radar, radar.dopplerCentroidHz);
  return {
    azimuthCentreCyclesPerSample,
    rangeCentreCyclesPerSample: rangeCentreCyclesPerSample / reference,
    rangeCutRowsPerColumn: rangeCutRowsPerColumn / reference,
  };
}
