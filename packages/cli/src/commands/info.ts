/** `dechirp info`: says what files and folders are, by their content, from their headers. */
import { argumentError, blame, CommandError } from "../errors.ts";
import { type InfoReport, type InfoThing, infoFormat, infoVersion } from "../info/report.ts";
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
  const [{ describeThing }, { thingText }] = await Promise.all([import("../info/table.ts"), import("../info/text.ts")]);
  const files: InfoThing[] = [];
  for (const path of paths) {
    if (path === "") throw argumentError("FILE", "a file or a folder", path);
    files.push(await blame("file", undefined, () => describeThing(path, io.signal)));
  }
  if (options.geojson) {
    const { featuresOf } = await import("../info/geojson.ts");
    const collection = featuresOf(files);
    print(io, true, collection, () => "");
    return;
  }
  const report: InfoReport = { format: infoFormat, version: infoVersion, files };
  print(io, options.json, report, () => files.map(thingText).join("\n\n"));
}
