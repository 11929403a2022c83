/** What a recording is, as lists of facts with units for the page: what its files state, or, of a simulated one, what it was simulated with. */
import type { PhaseHistoryRecording, StripmapRecording } from "@dechirp/processor";
import { speedOfLight } from "@dechirp/radar";
import { notPossible } from "../settings.ts";
import type { Fact, RecordingFacts } from "./messages.ts";
import type { OpenRecording } from "./recordings.ts";
import type { Choices } from "./settings.ts";

/** A quantity in a unit with a prefix: `9.6 GHz`. */
export function quantity(value: number, unit: string): string {
  const prefixes = [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
    [1, ""],
    [1e-3, "m"],
    [1e-6, "µ"],
  ] as const;
  const [size, prefix] = prefixes.find(([size]) => Math.abs(value) >= size) ?? [1, ""];
  return `${Number((value / size).toPrecision(6))} ${prefix}${unit}`;
}

/** Describes segment `segment`, from 0, of a recording. `choices` is what was asked for. */
export function describeRecording(
  { format, stated, place, part = "", parts = [], channel, content }: OpenRecording,
  segment: number,
  choices: Choices,
): RecordingFacts {
  const isStripmap = content.kind === "stripmap";
  const { name, notes = [] } = isStripmap ? content.recordings[segment]! : content.recording;
  const segments = isStripmap ? content.recordings.length : 1;
  const channels = stated?.channels;
  const rest = {
    ...{ name, format, part, parts, segments, kind: content.kind },
    ...(place && { place }),
    ...(channels && channel !== undefined && { channels, channel }),
    unused: unusedOf(choices, { segments, part, parts, kind: content.kind, ...(channels && { channels }), channel: channels && channel }),
  };
  const size = isStripmap ? sizeOfEchoes(content.recordings[segment]!) : sizeOfHistory(content.recording);
  if (stated)
    return {
      ...rest,
      facts: [size, ...stated.facts],
      more: stated.more,
      notes: stated.notes.filter((note) => !notes.includes(note)),
      warnings: notes,
    };
  const facts = isStripmap ? stripmapFacts(content.recordings[segment]!) : historyFacts(content.recording);
  return { ...rest, facts: [size, ...facts], more: [], notes };
}

/** Parameters that only one algorithm has, with its name. */
const algorithms = {
  stripmap: {
    name: "range-Doppler",
    own: ["centroid", "velocity", "bandwidth", "rangeWindow", "azimuthWindow", "rcmc", "src", "rows"],
  },
  "phase-history": { name: "backprojection", own: ["window", "mode"] },
} as const;

/** What of a choice this recording does not have, and what its algorithm does not use. */
function unusedOf(
  choices: Choices,
  {
    segments,
    part,
    parts,
    kind,
    channels = [],
    channel,
  }: Pick<RecordingFacts, "segments" | "part" | "parts" | "kind" | "channels"> & { readonly channel: string | undefined },
): readonly string[] {
  const unused: string[] = [];
  if (choices.part !== "" && choices.part !== part)
    unused.push(notPossible("part", choices.part, parts.join(" or "), part === "" ? "The files outside of folders are read." : part));
  if (choices.segment > segments)
    unused.push(
      notPossible(
        "segment",
        choices.segment,
        segments === 1 ? "1, as the recording has one segment" : `an integer from 1 to ${segments}`,
        1,
      ),
    );
  if (choices.channel !== "" && choices.channel !== channel)
    unused.push(
      channel === undefined
        ? `channel=${choices.channel} is not used: the recording has no channels to choose from.`
        : notPossible("channel", choices.channel, channels.map(({ identifier }) => identifier).join(" or "), channel),
    );
  const other = algorithms[kind === "stripmap" ? "phase-history" : "stripmap"];
  for (const name of other.own)
    if (choices[name] !== undefined)
      unused.push(
        `${name}=${choices[name]} is not used: it is a parameter of ${other.name}, and this recording is focused by ${algorithms[kind].name}.`,
      );
  return unused;
}

const sizeOfEchoes = ({ shape: [lines, samples], dtype }: StripmapRecording): Fact => ({
  name: "Echoes",
  value: `${lines} lines × ${samples} samples, ${sampleNames[dtype]}`,
  figure: "shape",
});

const sizeOfHistory = ({ shape: [pulses, count] }: PhaseHistoryRecording): Fact => ({
  name: "Phase history",
  value: `${pulses} pulses × ${count} frequencies`,
  figure: "shape",
});

function stripmapFacts({ shape: [lines, samples], radar, targets = [] }: StripmapRecording): readonly Fact[] {
  const bandwidthHz = Math.abs(radar.chirpRateHzPerSecond) * radar.pulseSeconds;
  const far = radar.nearRangeMeters + ((samples - 1) * speedOfLight) / 2 / radar.samplingRateHz;
  return [
    { name: "Carrier", value: quantity(radar.carrierHz, "Hz") },
    { name: "Chirp", value: `${quantity(bandwidthHz, "Hz")} in ${quantity(radar.pulseSeconds, "s")}` },
    { name: "Sampling rate", value: quantity(radar.samplingRateHz, "Hz") },
    { name: "PRF", value: quantity(radar.prfHz, "Hz") },
    { name: "Duration", value: quantity(lines / radar.prfHz, "s") },
    { name: "Slant range", value: `${(radar.nearRangeMeters / 1000).toFixed(3)} to ${(far / 1000).toFixed(3)} km` },
    ...(targets.length === 0 ? [] : [{ name: "Known point targets", value: String(targets.length) }]),
  ];
}

const sampleNames = { ci8: "8-bit complex", ci16: "16-bit complex", c64: "32-bit float complex" } as const;

function historyFacts(recording: PhaseHistoryRecording): readonly Fact[] {
  const { shape, frequency, positions } = recording;
  const [pulses, count] = shape;
  const last = frequency.firstHz + (count - 1) * frequency.stepHz;
  const at = (p: number): readonly [number, number, number] => [positions[3 * p]!, positions[3 * p + 1]!, positions[3 * p + 2]!];
  const [first, end] = [at(0), at(pulses - 1)];
  const path = Math.hypot(end[0] - first[0], end[1] - first[1], end[2] - first[2]);
  const [x, y, z] = at(Math.floor(pulses / 2));
  return [
    { name: "Band", value: `${quantity(frequency.firstHz, "Hz")} to ${quantity(last, "Hz")}` },
    { name: "Ends of the path", value: `${quantity(path, "m")} apart` },
    { name: "Range", value: `${quantity(Math.hypot(x, y, z), "m")} from the middle of the path to the scene's origin` },
    { name: "Grazing angle", value: `${((Math.asin(z / Math.hypot(x, y, z)) * 180) / Math.PI).toFixed(1)}°` },
  ];
}
