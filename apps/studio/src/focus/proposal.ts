/** Puts the plans of the processor into words: every parameter of the image, its value, and why it was chosen. */
import type {
  BackprojectedImagePlan,
  FocusPlan,
  ImageDescription,
  StripmapRecording,
  UsedParameter,
  WindowedImagePlan,
} from "@dechirp/processor";
import { formatWindow, isContinuous, type Window, wavelengthMeters, windowTheory } from "@dechirp/radar";
import { defaultWindow, imageSpectrum } from "@dechirp/sar";
import type { ImageFacts } from "../image/facts.ts";
import { quantity } from "./describe.ts";
import type { Proposal, ProposedParameter, RecordingFacts } from "./messages.ts";
import { titles, withoutField } from "./wording.ts";

/** Why a parameter has its value, if it gives no reason of its own. */
const sourceTexts: Readonly<Record<UsedParameter<unknown>["source"], string>> = {
  option: "your setting",
  scene: "the recording states it",
  preset: "known of this sensor",
  data: "measured in the echoes",
  "data+preset": "measured in the echoes; whole PRFs known of this sensor",
  fraction: "measured in the echoes, but for whole PRFs, which are not known",
  default: "usual",
  none: "nothing is known",
};

const whyOf = ({ source, why }: Pick<UsedParameter<unknown>, "source" | "why">): string => why ?? sourceTexts[source];

/** Why the device was chosen. */
export interface DeviceChoice {
  readonly value: string;
  readonly why: string;
}

/** A window with what it does to the impulse response; `samples` is the number of samples that it is defined for, if it must be given. */
function windowRow(id: string, name: string, given: Window | undefined, usual: Window, samples?: number): ProposedParameter {
  const window = given ?? usual;
  const { pslrDb, broadening } = windowTheory(
    window,
    isContinuous(window.kind) || samples === undefined ? {} : { samples: Math.min(samples, 4096) },
  );
  const effect = `side lobes at ${pslrDb.toFixed(1)} dB, main lobe ${broadening.toFixed(2)} times as wide as without a window`;
  return { id, name, value: formatWindow(window), why: `${given ? sourceTexts.option : sourceTexts.default}: ${effect}` };
}

/** The proposal for a stripmap recording. */
export function proposeFocus(recording: StripmapRecording, plan: FocusPlan, device: DeviceChoice, warnings: readonly string[]): Proposal {
  const { prepared, geometry, settings, description, memoryBytes, axes } = plan;
  const { radar, centroid, velocity } = prepared;
  const { azimuthSeconds, azimuthMeters, slantRangeMeters } = axes;
  const squint = Math.asin((radar.dopplerCentroidHz * wavelengthMeters(radar)) / 2 / radar.velocityMetersPerSecond);
  const cells = migrationCells(geometry);
  const { blocks, lines, overlapLines, swaths, bytes, src } = plan.plan;
  const bandwidth: UsedParameter<number> = {
    value: geometry.processedBandwidthHz,
    source: settings.processedBandwidthHz !== undefined ? "option" : recording.processedBandwidthHz !== undefined ? "scene" : "default",
    ...(settings.processedBandwidthHz === undefined && recording.processedBandwidthHz === undefined && { why: "the whole PRF" }),
  };
  const parameters: ProposedParameter[] = [
    {
      id: "algorithm",
      name: "Algorithm",
      value: "range-Doppler",
      why: `stripmap echoes, squint ${((squint * 180) / Math.PI).toFixed(2)}°, range migration up to ${cells.toPrecision(2)} cells`,
    },
    { id: "device", name: "Device", ...device },
    { id: "centroid", name: titles.centroid, value: `${centroid.used.value.toFixed(2)} Hz`, why: whyOf(centroid.used) },
    { id: "velocity", name: titles.velocity, value: `${Number(velocity.used.value.toFixed(3))} m/s`, why: whyOf(velocity.used) },
    { id: "bandwidth", name: titles.bandwidth, value: quantity(bandwidth.value, "Hz"), why: whyOf(bandwidth) },
    windowRow("rangeWindow", titles.rangeWindow, settings.rangeWindow, defaultWindow),
    windowRow("azimuthWindow", titles.azimuthWindow, settings.azimuthWindow, defaultWindow),
    {
      id: "rcmc",
      name: titles.rcmc,
      value: settings.rcmc ?? "sinc8",
      why: settings.rcmc ? sourceTexts.option : "usual: a windowed sinc of 8 taps",
    },
    {
      id: "src",
      name: titles.src,
      value: src,
      why: settings.src
        ? sourceTexts.option
        : src === "off"
          ? sourceTexts.default
          : `in the ${src} domain, which leaves the smaller phase error`,
    },
    {
      id: "rows",
      name: titles.rows,
      value: settings.rows ?? "all",
      why: settings.rows ? sourceTexts.option : "usual: also rows that only a part of the band exposes",
    },
    {
      id: "memory",
      name: titles.memory,
      value: `${blocks.length} of ${lines} lines`,
      why: `${blocks.length > 1 ? `neighbours share ${overlapLines} lines${swaths.length > 1 ? `; ${swaths.length} sub-swaths` : ""}; ` : ""}${mebi(bytes)} of ${mebi(memoryBytes)}`,
    },
  ];
  const image: ImageFacts = {
    rows: plan.shape[0],
    columns: plan.shape[1],
    rowAxis: {
      label: "azimuth time",
      unit: "s",
      start: azimuthSeconds.start,
      step: azimuthSeconds.step,
      metersPerUnit: Math.abs(azimuthMeters.step / azimuthSeconds.step),
    },
    columnAxis: { label: "slant range", unit: "m", start: slantRangeMeters.start, step: slantRangeMeters.step },
  };
  return {
    parameters,
    warnings,
    image,
    spectrum: imageSpectrum(radar),
    blocks: blocks.length,
    memoryBytes,
    centroidHz: centroid.used.value,
    needs: needsOf(description),
  };
}

const needsOf = ({ placementNeeds, collectionNeeds }: ImageDescription): Proposal["needs"] => ({
  placement: placementNeeds.map(withoutField),
  collection: collectionNeeds.map(withoutField),
});

/** A proposal with rows that say which channel and which segment of the recording it is for, where there are several. */
export function withParts(proposal: Proposal, { channels = [], channel, segments }: RecordingFacts, segment: number): Proposal {
  const at = channels.findIndex(({ identifier }) => identifier === channel);
  const rows: ProposedParameter[] = [];
  if (at >= 0)
    rows.push({
      id: "channel",
      name: titles.channel,
      value: channels[at]!.title,
      why: whichOf(at, channels.length, "channels of the file"),
    });
  if (segments > 1)
    rows.push({
      id: "segment",
      name: titles.segment,
      value: `${segment + 1} of ${segments}`,
      why: whichOf(segment, segments, "segments, which have PRFs of their own"),
    });
  return { ...proposal, parameters: [...rows, ...proposal.parameters] };
}

const whichOf = (at: number, count: number, what: string): string =>
  at === 0 ? `usual: the first of ${count} ${what}` : `${sourceTexts.option}: one of ${count} ${what}`;

const mebi = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;

/** Range cells that a target migrates by over the processed band, at mid swath. */
function migrationCells({
  migration,
  dopplerHz,
  radar,
  processedBandwidthHz,
  reference,
  midRangeMeters,
  axes,
}: FocusPlan["geometry"]): number {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < migration.length; i++) {
    if (Math.abs(dopplerHz[i]! - radar.dopplerCentroidHz) > processedBandwidthHz / 2) continue;
    const away = midRangeMeters * (reference / migration[i]!);
    least = Math.min(least, away);
    most = Math.max(most, away);
  }
  return Math.max(0, most - least) / axes.slantRangeMeters.step;
}

/** The proposal for a phase history. */
export function proposeBackprojection(plan: BackprojectedImagePlan, windows: WindowedImagePlan, device: DeviceChoice): Proposal {
  const { grid, axes, settings, description, gridWhy, heightMeters, recording } = plan;
  const { xMeters, yMeters } = axes;
  const parameters: ProposedParameter[] = [
    {
      id: "algorithm",
      name: "Algorithm",
      value: "backprojection",
      why: "spectra of pulses with a position for each: exact for any path of the radar",
    },
    { id: "device", name: "Device", ...device },
    {
      id: "grid",
      name: "Grid",
      value: `${grid.nx} × ${grid.ny} pixels of ${quantity(xMeters.step, "m")} × ${quantity(Math.abs(yMeters.step), "m")}`,
      why: gridWhy ?? sourceTexts.option,
    },
    { id: "height", name: "Height of the plane", value: `${heightMeters.value} m`, why: whyOf(heightMeters) },
    windowRow("window", titles.window, settings.window, { kind: "rect" }, recording.frequency.count),
    {
      id: "mode",
      name: titles.mode,
      value: settings.mode ?? "precise",
      why: `${settings.mode ? sourceTexts.option : sourceTexts.default}: ${(settings.mode ?? "precise") === "precise" ? 80 : 60} dB or better against float64`,
    },
    { id: "autofocus", name: "Autofocus of the file", value: plan.autofocus, why: "the recording's own phase corrections" },
    {
      id: "memory",
      name: titles.memory,
      value: `${quantity(windows.backprojections, "")}backprojections`,
      why: `${windows.windows} window${windows.windows === 1 ? "" : "s"}; ${mebi(windows.memoryBytes)} of ${mebi(windows.budgetBytes)}`,
    },
  ];
  return {
    parameters,
    warnings: [],
    image: {
      rows: grid.ny,
      columns: grid.nx,
      rowAxis: { label: "y", unit: "m", start: yMeters.start, step: yMeters.step },
      columnAxis: { label: "x", unit: "m", start: xMeters.start, step: xMeters.step },
      upwards: yMeters.step > 0,
      ...(recording.frame && { northRadians: northOfFrame(recording.frame.originMeters, recording.frame.axes) }),
    },
    blocks: windows.windows,
    memoryBytes: windows.budgetBytes,
    needs: needsOf(description),
  };
}

type Vector = readonly [number, number, number];

/** Direction of north in the plane of a frame, clockwise from its y axis, for an image whose y points upwards. */
function northOfFrame([x, y, z]: Vector, [u, v]: readonly [Vector, Vector, Vector]): number {
  const [flat, all] = [Math.hypot(x, y), Math.hypot(x, y, z)];
  const north: Vector = [(-z * x) / flat / all, (-z * y) / flat / all, flat / all];
  const along = ([a, b, c]: Vector): number => a * north[0] + b * north[1] + c * north[2];
  return Math.atan2(along(u), along(v));
}
