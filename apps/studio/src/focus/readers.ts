/** Reads recordings for the task Focus of opened files, with the table of formats of `@dechirp/io`. Runs in a worker. */
import { inputError, isRadarError, RadarError } from "@dechirp/core";
import { type Place, type ReadRecordingOptions, type Recording, readRecordingFrom } from "@dechirp/io/formats";
import { regularRecordings } from "@dechirp/processor";
import { folderPlace, partsOf } from "../opened/parts.ts";
import { openPlaces, placeIn } from "../opened/places.ts";
import type { OpenedSource } from "../opened/source.ts";
import { describeFiles, notOpened } from "./described.ts";
import type { OpenHooks, OpenRecording } from "./recordings.ts";

/** Reads a channel of a recording, or, if it has none of that name, what is read if no channel is named. */
async function readChannel(places: readonly Place[], channel: string, options: ReadRecordingOptions): Promise<Recording> {
  if (channel === "") return readRecordingFrom(places, options);
  try {
    return await readRecordingFrom(places, { ...options, channel });
  } catch (error) {
    if (!isRadarError(error, "input") || error.fields["field"] !== "channel") throw error;
    return readRecordingFrom(places, options);
  }
}

/** The error of a recording that can't be read, with the recordings that were opened together with it: another one may be read. */
function amongOthers(error: unknown, part: string, parts: readonly string[]): unknown {
  if (!isRadarError(error, "input") || parts.length < 2) return error;
  return new RadarError("input", error.message, { ...error.fields, part, parts }, error);
}

/**
 * Reads a recording of opened files, of several recordings the one at the path `wanted`. Rejects with `input`, which says what can be done with
 * something else that is known, and with `aborted`.
 */
export async function readSource(source: OpenedSource, wanted: string, { signal, onProgress, channel }: OpenHooks): Promise<OpenRecording> {
  if (source.kind === "url") onProgress("asking the server");
  const opened = await openPlaces(source, signal);
  const { files, close: closeAll } = opened;
  const agcFile = source.kind === "files" ? source.agcFile : undefined;
  try {
    const { parts, wholes, error } = await partsOf(files, ["stripmap", "phase-history"], signal);
    const paths = parts.map(({ path }) => path);
    const part = parts.find(({ path }) => path === wanted) ?? parts[0];
    if (!part) throw await notOpened(wholes, signal, error);
    const { format, whole } = part;
    const added = format.fileOptions && agcFile ? { [agcFile.name]: agcFile } : undefined;
    const places = added ? [folderPlace(files, part.path, added)] : part.places;
    const options = added ? { agcFile: agcFile!.name } : await format.fileOptions?.(whole);
    const reading = readChannel(places, channel, {
      ...{ signal, format: format.name, onProgress: (share: number) => onProgress("reading", share) },
      ...(options?.agcFile && { agcFile: options.agcFile }),
    });
    const found = await reading.catch((problem: unknown) => {
      throw amongOthers(problem, part.path, paths);
    });
    if (found.kind === "array") throw inputError("files", "a recording for imaging", found.format);
    const { recording } = found;
    const close = async (): Promise<void> => {
      await recording.close();
      await closeAll();
    };
    const stated = await describeFiles([whole], signal, found.kind === "phase-history" ? found.recording.channel : undefined);
    const content =
      found.kind === "stripmap"
        ? ({ kind: "stripmap", recordings: regularRecordings(found.recording) } as const)
        : ({ kind: "phase-history", recording: found.recording } as const);
    const place = placeIn(opened, part, options?.agcFile, added !== undefined);
    return {
      format: format.title,
      ...(found.kind === "phase-history" && found.recording.channel !== undefined && { channel: found.recording.channel }),
      ...(stated && { stated }),
      place,
      part: part.path,
      parts: paths,
      content,
      close,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
