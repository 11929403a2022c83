/** What opened files are, as `dechirp info` says it, in facts for the page. Runs in a worker, which loads it for files only. */
import { isRadarError, RadarError } from "@dechirp/core";
import { detectFormat, formats, type Place } from "@dechirp/io/formats";
import { describePlace, type InfoThing, infoFacts } from "@dechirp/io/info";
import { quantity } from "./describe.ts";
import type { ChannelFacts, Fact, OtherFacts } from "./messages.ts";
import type { FileFacts } from "./recordings.ts";

/** Facts that are shown at once, by their labels in this order. */
const important = [
  "collector",
  "mode",
  "carrier",
  "band",
  "PRF",
  "polarisation",
  "start",
  "duration",
  "near range",
  "centre",
  "look side",
  "incidence",
  "slant range",
  "heading",
];
/** Facts that are shown at once of what is no recording. */
const importantOfOthers = ["kind", "shape", ...important, "map", "size"];

const factOf = ({ label, text }: { readonly label: string; readonly text: string }): Fact => ({
  name: label === "centre" ? "Place, latitude and longitude" : `${label.charAt(0).toUpperCase()}${label.slice(1)}`,
  value: text,
  figure: `info ${label}`,
});

function sorted(thing: InfoThing, labels: readonly string[]): { readonly facts: readonly Fact[]; readonly more: readonly Fact[] } {
  const all = infoFacts(thing).filter(({ label }) => label !== "name");
  return {
    facts: labels.flatMap((label) => all.filter((fact) => fact.label === label)).map(factOf),
    more: all.filter(({ label }) => !labels.includes(label)).map(factOf),
  };
}

/** Notes but those that name options of the command line. */
const notesOf = ({ notes }: InfoThing): readonly string[] => notes.filter((note) => !note.includes(" --"));

/** Describes the first of the places that is of a known kind. */
async function describeFirst(places: readonly Place[], signal: AbortSignal): Promise<InfoThing | undefined> {
  for (const place of places) {
    try {
      return await describePlace(place, {
        signal,
        geometry: async (placement, rows) => (await import("@dechirp/sar/geocoding")).createImageGeometry(placement, rows),
      });
    } catch (error) {
      if (!isRadarError(error, "input")) throw error;
    }
  }
  return undefined;
}

/** Facts of the files of a recording, of several channels those of the channel that is read. Undefined if nothing more is known of them. Rejects with `aborted`. */
export async function describeFiles(places: readonly Place[], signal: AbortSignal, channel?: string): Promise<FileFacts | undefined> {
  const thing = await describeFirst(places, signal);
  if (!thing) return undefined;
  const own = ofChannel(thing, channel);
  const channels = channelsOf(thing);
  return { ...sorted(own, important), notes: notesOf(own), ...(channels.length > 1 && { channels }) };
}

const channelsOf = ({ channels = [] }: InfoThing): readonly ChannelFacts[] =>
  channels.map(({ name, polarisation, bandHz, shape: [pulses] }) => ({
    identifier: name,
    title: [
      name,
      ...(polarisation === undefined || polarisation === name ? [] : [polarisation]),
      ...(bandHz ? [quantity((bandHz[0] + bandHz[1]) / 2, "Hz")] : []),
      `${pulses} pulses`,
    ].join(", "),
  }));

/** A description of a file with the facts of one of its channels in place of those of the first. */
function ofChannel(thing: InfoThing, identifier: string | undefined): InfoThing {
  const { channels = [], radar, notes } = thing;
  const channel = channels.find(({ name }) => name === identifier);
  if (!channel || channels.length < 2) return thing;
  const { shape, polarisation, bandHz } = channel;
  const pulses = shape[0]!;
  const { durationSeconds } = radar ?? {};
  return {
    ...{ ...thing, shape },
    radar: {
      ...{ ...radar, pulses },
      ...(polarisation !== undefined && { polarisation }),
      ...(bandHz && { bandHz, carrierHz: (bandHz[0] + bandHz[1]) / 2 }),
      ...(durationSeconds && pulses > 1 && { prfHz: (pulses - 1) / durationSeconds }),
    },
    notes: notes.filter((note) => !/ those of the first channel$/.test(note)),
  };
}

/** What can be done with things that are no recordings for this task. */
const advice: Readonly<Record<Exclude<InfoThing["kind"], "stripmap" | "phase-history">, string>> = {
  array: "it holds the data of an antenna array, which the task Adaptive processing reads",
  image: "it is an image that has been focused already; open the echoes or the phase history that it was made of to focus them here",
  map: "it is an image on a map, of which nothing is left to focus; open the recording that it was made of",
  picture: "it is a picture without phases, of which nothing can be focused; open the recording that it was made of",
  result: "it is what a command has computed; open the recording that it was computed from",
  data: "no task of the studio reads it",
};

/** The error of what is no recording for this task: what can be done with it, and its description. Undefined if it is a recording or nothing known. Rejects with `aborted`. */
export async function otherThing(places: readonly Place[], signal: AbortSignal): Promise<RadarError | undefined> {
  const thing = await describeFirst(places, signal);
  if (!thing || thing.kind === "stripmap" || thing.kind === "phase-history") return undefined;
  const { file, kind, name = file, format } = thing;
  const other: OtherFacts = {
    name,
    format: format.version === undefined ? format.title : `${format.title} ${format.version}`,
    ...sorted(thing, importantOfOthers),
    notes: notesOf(thing),
    ...(kind === "array" && { task: "adaptive" as const }),
    ...(kind === "data" && { opens: opens() }),
  };
  return new RadarError("input", `${file} can't be focused: ${advice[kind]}`, { file, other });
}

/** What this task opens: files and folders, each worded for a list. */
const opens = (): readonly string[] =>
  formats
    .filter(({ kind }) => kind !== "array")
    .flatMap(({ folder, file }) => [...(folder ? [`a folder with ${folder}`] : []), ...(file ? [file] : [])]);

/**
 * The error of places of which none is a recording: what they are, what can be done with them, and, in the field `opens`, what can be opened.
 * It is `error` if one of them is a recording that is damaged. Rejects with `aborted`.
 */
export async function notOpened(places: readonly Place[], signal: AbortSignal, error: unknown): Promise<unknown> {
  const other = await otherThing(places, signal);
  if (other) return other;
  for (const place of places) if (await isRecording(place, signal)) return error;
  const { path, names } = places.at(-1)!;
  const look = await lookOf(places.at(-1)!, signal);
  const message =
    names && places.length > 1 ? `No recording was found among the ${names.length} files` : `${path} is ${look}, and no recording`;
  return new RadarError("input", message, { file: path, opens: opens() });
}

async function isRecording(place: Place, signal: AbortSignal): Promise<boolean> {
  try {
    await detectFormat(place, { signal });
    return true;
  } catch (error) {
    if (isRadarError(error, "input")) return false;
    throw error;
  }
}

/** What an unknown thing looks like, in words. */
async function lookOf(place: Place, signal: AbortSignal): Promise<string> {
  try {
    return (await describePlace(place, { signal })).format.title;
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    return String(error.fields["actual"] ?? "a file that can't be read");
  }
}
