/** The commands about files: `info`, `convert`, `watch` and `studio`, with their options and help texts. */
import { type Command, Option } from "commander";
import type { Io } from "./io.ts";
import { example, jsonOption, textOption } from "./program-options.ts";

/** Adds the commands. Parameters are those of `createProgram`, and its function that adds a command. */
export function addFiles(add: (name: string, description: string) => Command, io: Io, finish: (status: number) => void): void {
  add("info", "Say what files and folders are, where on earth, and which commands take them. Only headers are read.")
    .argument("<file...>", "recordings, images, results and other files, in any format; the content decides, not the name")
    .addOption(jsonOption())
    .addOption(new Option("--geojson", "print the footprints as GeoJSON; an error says why, if something has no place on earth"))
    .addHelpText("after", example("dechirp info collection.cphd\ndechirp info image.nitf map.tif --geojson"))
    .action(async (files, options) => (await import("./commands/info.ts")).infoCommand(files, options, io));

  add("convert", "Write a recording or an image in another format. The content of the input decides what it is.")
    .argument(
      "<paths...>",
      "what is converted, then OUT, the file or folder to write; phase histories become .cphd, stripmap recordings a scene folder (no ending), recordings of arrays .npy, images .npy, .zarr, .nitf (SICD), .tif (GeoTIFF) and .png",
    )
    .addOption(textOption("--to <format>", "cphd, scene, npy, zarr, sicd, cog or png (default: by the ending of OUT)"))
    .addOption(textOption("--channel <id>", "phase histories: channel of a CPHD file (default: all)"))
    .addOption(textOption("--axes <a,b,c>", "arrays: order of the axes, as for stap"))
    .addOption(textOption("--cpi <n>", "arrays: coherent processing interval, counted from 1 (default: 1)"))
    .addOption(
      new Option("--set <set>", "arrays: set of a PERFECT folder (default: the smallest found)").choices(["small", "medium", "large"]),
    )
    .addOption(
      textOption(
        "--origin <lat,lon[,height]>",
        "CPHD: place of the origin of the positions in degrees and metres, if the input does not state it",
      ),
    )
    .addOption(textOption("--prf <hz>", "CPHD: pulses a second, if the input does not state their times"))
    .addOption(textOption("--start <utc>", "CPHD: time of the first pulse, such as 2026-03-14T10:21:07Z, if the input does not state it"))
    .addOption(textOption("--collector <name>", "CPHD, SICD: name of the radar (default: as the input states it)"))
    .addOption(textOption("--name <name>", "CPHD, SICD: name of the collection (default: as the input states it)"))
    .addOption(new Option("--no-autofocus", "CPHD: do not apply the autofocus corrections of the files"))
    .addOption(textOption("--format-version <v>", "CPHD: 1.0.1 or 1.1.0 (default: 1.1.0); SICD: 1.3.0 or 1.4.0 (default: 1.3.0)"))
    .addOption(textOption("--pixels <which>", "GeoTIFF: complex, amplitude, decibel or gray (default: amplitude)"))
    .addOption(textOption("--epsg <code>", "GeoTIFF: geocode to 4326 or a UTM zone on WGS 84 (default: the zone of the image's middle)"))
    .addOption(
      textOption(
        "--height <m>",
        "GeoTIFF: height above the ellipsoid of the ground that an image in slant range shows (default: that of its middle)",
      ),
    )
    .addOption(
      textOption("--map-step <size>", "GeoTIFF: side of a pixel of the map, in metres or degrees (default: the coarser of the image's)"),
    )
    .addOption(new Option("--control-points", "GeoTIFF: keep the pixels of an image in slant range, and state places of some of them"))
    .addOption(new Option("--bare", "PNG: only the grey levels, without axes"))
    .addOption(textOption("--dynamic-range <db>", "PNG: decibels from black to white (default: 40)"))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      example(
        "dechirp convert image.nitf map.tif --pixels decibel\ndechirp convert image picture.png\ndechirp convert gotcha history.cphd --origin 39.78,-84.1,230 --prf 100 --start 2006-08-01T12:00:00Z",
      ),
    )
    .action(async (paths, options) => (await import("./commands/convert.ts")).convertCommand(paths, options, io));

  const watch = add("watch", "Run a command line for each new file of a folder, once for each content, until a signal ends it.");
  watch
    .argument("<folder>", "folder to watch; files in it count as new unless the state says that they were handled")
    .addOption(
      textOption(
        "--then <line>",
        "command line of dechirp, with {path}, {name} (without its ending) and {hash} (SHA-256 of the content) for the file; no shell runs it (required)",
      ),
    )
    .addOption(
      textOption("--ending <list>", "endings of the files that count, with commas between them, as in .cphd,.npy (default: all files)"),
    )
    .addOption(new Option("--subfolders", "watch the folders in it, too"))
    .addOption(textOption("--settle <s>", "seconds for which a file must not have changed to be complete (default: 2)"))
    .addOption(textOption("--every <s>", "look at least so often, in seconds, as some file systems tell of no changes (default: 10)"))
    .addOption(textOption("--attempts <n>", "how often the command is run for a file if it fails, 1 to 100 (default: 3)"))
    .addOption(new Option("--again", "try files again that were given up"))
    .addOption(textOption("--state <dir>", "folder that has what was handled (default: .dechirp-watch in the watched folder)"))
    .addOption(new Option("--once", "handle the files that are there, and end"))
    .addOption(new Option("--json", "print a line of JSON for each file"))
    .addHelpText(
      "after",
      example(
        'dechirp watch incoming --ending .cphd --then "backproject {path} --out images/{name}"\ndechirp watch incoming --once --then "job plan {path} --out jobs/{hash}"',
      ),
    )
    .action(async (folder, options) => {
      const commands = (watch.parent?.commands ?? []).map((one) => one.name());
      return (await import("./commands/watch.ts")).watchCommand(folder, options, io, commands, finish);
    });

  add("studio", "Serve the studio, a page that processes recordings in the browser, on this machine, and open the given recording in it.")
    .argument(
      "[files...]",
      "recordings to open: files or folders, which the page reads from this server; several are opened together. Without any, the page simulates one",
    )
    .addOption(textOption("--port <n>", "port on 127.0.0.1, 1 to 65535 (default: any free one)"))
    .addOption(new Option("--open", "open the browser"))
    .addOption(new Option("--json", "print the addresses as JSON"))
    .addHelpText("after", example("dechirp studio collection.cphd --open\ndechirp studio scene --port 8080"))
    .action(async (files, options) => (await import("./commands/studio.ts")).studioCommand(files, options, io));
}
