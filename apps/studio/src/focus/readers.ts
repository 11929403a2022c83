/** Reads recordings from files of the user and from files on servers, with the table of formats of `@dechirp/io`. Runs in a worker. */
import { isRadarError } from "@dechirp/core";
import { formats, readRecordingFrom } from "@dechirp/io/formats";
import { regularRecordings } from "@dechirp/processor";
import { type Candidate, openPlaces } from "../opened/places.ts";
import type { OpenedSource } from "../opened/source.ts";
import { describeFiles, otherThing } from "./described.ts";
import type { OpenHooks, OpenRecording } from "./recordings.ts";

/** Reads a recording from the first candidate that is one. Rejects with what can be done with something else that is known, or with the error of the first. */
async function read(
  candidates: readonly Candidate[],
  names: readonly string[],
  { signal, onProgress }: OpenHooks,
  closeAll: () => Promise<void>,
): Promise<OpenRecording> {
  const errors: unknown[] = [];
  try {
    for (const { places, whole } of candidates) {
      try {
        const found = await readRecordingFrom(places, { signal, onProgress: (share) => onProgress("reading", share) });
        const format = formats.find(({ name }) => name === found.format)!.title;
        if (found.kind === "array") break;
        const { recording } = found;
        const close = async (): Promise<void> => {
          await recording.close();
          await closeAll();
        };
        const stated = await describeFiles([whole], signal);
        const content =
          found.kind === "stripmap"
            ? ({ kind: "stripmap", recordings: regularRecordings(found.recording) } as const)
            : ({ kind: "phase-history", recording: found.recording } as const);
        return { format, ...(stated && { stated }), files: names, content, close };
      } catch (error) {
        if (!isRadarError(error, "input")) throw error;
        errors.push(error);
      }
    }
    const wholes = candidates.map(({ whole }) => whole);
    throw (await otherThing(wholes, signal)) ?? errors[0];
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Reads a recording of opened files, or at an address. Rejects with `input`. */
export async function readSource(source: OpenedSource, hooks: OpenHooks): Promise<OpenRecording> {
  if (source.kind === "url") hooks.onProgress("asking the server");
  const { candidates, names, close } = await openPlaces(source, hooks.signal);
  return read(candidates, names, hooks, close);
}
