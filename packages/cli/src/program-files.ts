/** The commands about files: `info` and `convert`, with their options and help texts. */
import { type Command, Option } from "commander";
import type { Io } from "./io.ts";
import { example, jsonOption } from "./program-options.ts";

/** Adds the commands. Parameters are those of `createProgram`, and its function that adds a command. */
export function addFiles(add: (name: string, description: string) => Command, io: Io): void {
  add("info", "Say what files and folders are, where on earth, and which commands take them. Only headers are read.")
    .argument("<file...>", "recordings, images, results and other files, in any format; the content decides, not the name")
    .addOption(jsonOption())
    .addOption(new Option("--geojson", "print the footprints as GeoJSON; an error says why, if something has no place on earth"))
    .addHelpText("after", example("dechirp info collection.cphd\ndechirp info image.nitf map.tif --geojson"))
    .action(async (files, options) => (await import("./commands/info.ts")).infoCommand(files, options, io));
}
