/** What opened files are, as `dechirp info` says it, in facts for the page. Runs in a worker, which loads it for files only. */
import { isRadarError, RadarError } from "@dechirp/core";
import type { Place } from "@dechirp/io/formats";
import { describePlace, type InfoThing, infoFacts } from "@dechirp/io/info";
import type { Fact, OtherFacts } from "./messages.ts";
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

/** Facts of the files of a recording. Undefined if nothing more is known of them. Rejects with `aborted`. */
export async function describeFiles(places: readonly Place[], signal: AbortSignal): Promise<FileFacts | undefined> {
  const thing = await describeFirst(places, signal);
  return thing && { ...sorted(thing, important), notes: notesOf(thing) };
}

/** What can be done with things that are no recordings for this task. */
const advice: Readonly<Record<Exclude<InfoThing["kind"], "stripmap" | "phase-history">, string>> = {
  array: "it holds the data of an antenna array, which the task Adaptive processing reads",
  image: "it is an image that has been focused already; open the echoes or the phase history that it was made of to focus them here",
  map: "it is an image on a map, of which nothing is left to focus; open the recording that it was made of",
  picture: "it is a picture without phases, of which nothing can be focused; open the recording that it was made of",
  result: "it is what a command has computed; open the recording that it was computed from",
  data: "no task of the studio reads it; open a recording in one of the formats that are named above",
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
  };
  return new RadarError("input", `${file} can't be focused: ${advice[kind]}`, { file, other });
}
