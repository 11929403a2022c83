/**
 * What the user has opened, kept for the life of the page: the files of each task, so that they are there when the user comes back to it, and the
 * newest recording of each kind, which other tasks that read this kind offer.
 */
import { signal } from "@preact/signals";
import { allowContact, mayContact } from "./consent.tsx";
import type { Files } from "./dropped.ts";
import { keyOf, type OpenedFiles, type OpenedSource, type RecordingKind } from "./source.ts";

/** A recording that a task has read. */
export interface KnownRecording {
  readonly source: OpenedSource;
  readonly name: string;
  readonly kind: RecordingKind;
}

const filesOfTasks = signal<Readonly<Record<string, OpenedFiles>>>({});
const recordings = signal<readonly KnownRecording[]>([]);
const timesOpened = signal<Readonly<Record<string, number>>>({});
let choices = 0;

/** The files that a task has. */
export const openedFiles = (task: string): OpenedFiles | undefined => filesOfTasks.value[task];

/** Gives files that the user has chosen to a task. */
export function openFiles(task: string, files: Files): void {
  filesOfTasks.value = { ...filesOfTasks.value, [task]: { kind: "files", files, id: ++choices } };
}

/** Opens an address that the user has typed, once more if it was opened before. Its server may be contacted. */
export function openAddress(url: string): void {
  allowContact(url);
  timesOpened.value = { ...timesOpened.value, [url]: (timesOpened.value[url] ?? 0) + 1 };
}

/** Adds a file of AGC values to the files that a task has. */
export function addAgcFile(task: string, agcFile: File): void {
  const before = openedFiles(task);
  if (before) filesOfTasks.value = { ...filesOfTasks.value, [task]: { ...before, agcFile, id: ++choices } };
}

/** Notes what a source has turned out to be. */
export function noteRecording(known: KnownRecording): void {
  const others = recordings.value.filter(({ kind, source }) => kind !== known.kind && keyOf(source) !== keyOf(known.source));
  recordings.value = [...others, known];
}

/** The newest recording of one of the kinds that is not the one that a task has open. */
export const offered = (kinds: readonly RecordingKind[], open: OpenedSource | undefined): KnownRecording | undefined =>
  [...recordings.value].reverse().find(({ kind, source }) => kinds.includes(kind) && !(open && keyOf(open) === keyOf(source)));

/** The settings `source` and `url` of a task that opens a source. Files are given to the task. */
export function handOver(
  task: string,
  source: OpenedSource,
): { readonly source: "files" } | { readonly source: "url"; readonly url: string } {
  if (source.kind === "url") return { source: "url", url: source.url };
  filesOfTasks.value = { ...filesOfTasks.value, [task]: source };
  return { source: "files" };
}

/** The source that the settings of a task name, if it is there. A server that may not be contacted yet is not. */
export function sourceOf(task: string, { source, url }: { readonly source: string; readonly url: string }): OpenedSource | undefined {
  if (source === "files") return openedFiles(task);
  return source === "url" && url !== "" && mayContact(url) ? { kind: "url", url, times: timesOpened.value[url] ?? 0 } : undefined;
}
