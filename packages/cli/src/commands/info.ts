/** `dechirp info`: says what files and folders are, by their content, from their headers. */
import type { InfoReport, InfoThing } from "@dechirp/io/info";
import { describePath } from "../describe-path.ts";
import { argumentError, blame, CommandError } from "../errors.ts";
import { type Io, print } from "../io.ts";

/** The options as commander passes them. */
export interface InfoArguments {
  readonly json?: boolean;
  readonly geojson?: boolean;
}

/** Runs `dechirp info`. */
export async function infoCommand(paths: readonly string[], options: InfoArguments, io: Io): Promise<void> {
  if (options.json && options.geojson)
    throw new CommandError("argument", "--geojson can't be given with --json: the output has one form", { option: "--geojson" });
  const { footprintsOf, infoFormat, infoText, infoVersion } = await import("@dechirp/io/info");
  const files: InfoThing[] = [];
  for (const path of paths) {
    if (path === "") throw argumentError("FILE", "a file or a folder", path);
    files.push(await describePath(path, io.signal));
  }
  if (options.geojson) {
    const collection = await blame("file", undefined, () => footprintsOf(files));
    print(io, true, collection, () => "");
    return;
  }
  const report: InfoReport = { format: infoFormat, version: infoVersion, files };
  print(io, options.json, report, () => files.map(infoText).join("\n\n"));
}
