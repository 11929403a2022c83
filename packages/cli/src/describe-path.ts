/** Says what is at a path, as `describePlace` of io does. */
import type { InfoThing } from "@dechirp/io/info";
import { blame } from "./errors.ts";
import { statInput } from "./inputs.ts";

/** Throws `file` if nothing is there, or something of no known kind or damaged; and `aborted`. */
export async function describePath(path: string, signal: AbortSignal): Promise<InfoThing> {
  await statInput(path, "file or folder");
  const [{ describePlace }, { placeAt }] = await Promise.all([import("@dechirp/io/info"), import("@dechirp/io/node")]);
  return blame("file", undefined, async () =>
    describePlace(await placeAt(path, signal), {
      signal,
      geometry: async (placement, rows) => (await import("@dechirp/sar/geocoding")).createImageGeometry(placement, rows),
    }),
  );
}
