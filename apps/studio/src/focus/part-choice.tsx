/** The choice among recordings that were opened together. One is focused at a time. */
import { isRadarError } from "@dechirp/core";
import { Choose } from "../ui/choose.tsx";
import type { Changing } from "./values.ts";

/** Paths of recordings, and the path of the one that is open. */
interface PartsOpened {
  readonly part: string;
  readonly parts: readonly string[];
}

/** The recordings of which one could not be read. Undefined if it was opened alone. */
export function partsIn(error: unknown): PartsOpened | undefined {
  const { part, parts } = isRadarError(error) ? error.fields : {};
  return typeof part === "string" && Array.isArray(parts) && parts.length > 1 ? { part, parts } : undefined;
}

export function PartChoice({ part, parts, change }: PartsOpened & { readonly change: Changing }) {
  return (
    <Choose
      label={`One of ${parts.length} recordings that were opened together; one is focused at a time`}
      value={part}
      choices={Object.fromEntries(parts.map((path) => [path, path === "" ? "the files outside of folders" : path]))}
      change={(next) => change({ part: next, segment: 1, channel: "", view: undefined, point: undefined })}
    />
  );
}
