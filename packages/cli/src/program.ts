/** The command line as commander sees it: commands, options, help texts. A command's own file is loaded when it runs. */
import { readFileSync } from "node:fs";
import type { RecordingKind } from "@dechirp/io/formats";
import type { WindowChoice } from "@dechirp/radar";
import { Command, Option } from "commander";
import { deviceNames } from "./devices.ts";
import type { Io } from "./io.ts";
import { parseOut, parseText } from "./options.ts";
import { imageFiles, stapFiles } from "./output.ts";

const exitHelp = `
Exit status:
  0        success
  1        internal error; schedule run: an output is wrong, or units were not granted as they must be
  2        bad argument, found before any work
  3        bad input file
  4        device: none opens, out of memory, a limit, also of the process (ulimit)
  5        the result can't be written
  6        schedule analyse --strict: a task may miss its deadline or its next request
  129, 130, 143  ended by SIGHUP, SIGINT (Ctrl-C), SIGTERM; nothing half-written stays

Errors are one line on stderr; with --json also {"error":{"code","exitCode","message","fields"}} on stdout.
DECHIRP_DEBUG=1 adds where an error came from.`;

/** The version of this package. */
export const version = (): string => JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

/** An option that takes a text. */
function textOption(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.argParser(parseText(option.long ?? flags));
}

const jsonOption = (): Option => new Option("--json", "print the result as JSON");
const deviceOption = (): Option => textOption("--device <name>", `where to compute: ${deviceNames()}`).default("cpu");
const outOption = (description: string): Option => new Option("--out <dir>", description).argParser(parseOut());
const imageFolderOption = (): Option => outOption(`folder for ${imageFiles.join(", ")}; files of these names are replaced (required)`);
const bareOption = (): Option => new Option("--bare", "quicklook.png is grey levels alone: no axes, scale bar and colour bar");
const dynamicRangeOption = (): Option => textOption("--dynamic-range <db>", "from black to white in quicklook.png (default: 40)");
const example = (text: string): string => `\nExample:\n  ${text.split("\n").join("\n  ")}`;

/** Texts of help that other packages know. They are loaded only if help is shown. */
export interface HelpTexts {
  /** Titles of the formats of a kind of recording. */
  readonly titlesOf: (kind: RecordingKind) => string;
  /** The windows that `--window` takes. */
  readonly windowSyntax: (choice?: WindowChoice) => string;
}

/** `finish` gets the exit status of a command that has one of its own. `texts` are what the help of commands shows. */
export function createProgram(io: Io, finish: (status: number) => void, { titlesOf, windowSyntax }: HelpTexts): Command {
  const program = new Command("dechirp")
    .description(
      "Simulate radar scenes, focus them, measure the images; make images of phase histories; detect targets in clutter; bound response times of tasks that share a device.",
    )
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .addHelpText("after", `${example("dechirp demo --out out")}\n${exitHelp}`);
  const add = (name: string, description: string, parent = program): Command =>
    parent.command(name).description(description).helpOption("-h, --help", "print help");

  add("demo", "Simulate the default scene, focus it, measure it.")
    .addOption(outOption(`folder for ${imageFiles.join(", ")}`).default("out"))
    .addOption(deviceOption())
    .addOption(bareOption())
    .addOption(dynamicRangeOption())
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp demo --out out"))
    .action(async (options) => (await import("./commands/demo.ts")).demoCommand(options, io));

  add("devices", "List the devices that open on this machine.")
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp devices --json"))
    .action(async (options) => (await import("./commands/devices.ts")).devicesCommand(options, io));

  add("simulate", "Write a preset's raw echoes as a scene folder (scene.json, raw.npy).")
    .addOption(textOption("--preset <name>", "which scene: default, quality, large, fused-sar-paper").default("default"))
    .addOption(outOption("folder for scene.json and raw.npy; files of these names are replaced (required, but for --list)"))
    .addOption(textOption("--seed <n>", "what noise and clutter are drawn from, 0 to 4294967295 (default: the preset's)"))
    .addOption(new Option("--type <type>", "how samples are stored").choices(["ci8", "ci16", "c64"]).default("c64"))
    .addOption(new Option("--list", "list the presets and stop"))
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp simulate --preset quality --type ci16 --out scene"))
    .action(async (options) => (await import("./commands/simulate.ts")).simulateCommand(options, io));

  add("focus", "Focus raw echoes into images by range-Doppler processing.")
    .argument("<input...>", `${titlesOf("stripmap")}; of several, each gets a folder of its name in --out`)
    .addOption(imageFolderOption())
    .addOption(deviceOption())
    .addOption(
      textOption("--doppler-centroid <hz>", "absolute Doppler centroid, or auto: measure it (default: what the scene states, else auto)"),
    )
    .addOption(textOption("--velocity <mps>", "effective velocity in m/s (default: what the scene states, else that of its orbit)"))
    .addOption(textOption("--bandwidth <hz>", "Doppler band to process (default: what the scene states, else the PRF)"))
    .addOption(textOption("--window <spec>", `window of both axes: ${windowSyntax({ continuous: true })} (default: kaiser:2.5)`))
    .addOption(textOption("--azimuth-window <spec>", "window of azimuth alone; overrides --window"))
    .addOption(textOption("--range-window <spec>", "window of range alone; overrides --window"))
    .addOption(
      new Option("--rcmc <mode>", "range cell migration correction (default: sinc8)").choices(["off", "nearest", "sinc8", "sinc16"]),
    )
    .addOption(new Option("--src <mode>", "secondary range compression (default: on)").choices(["on", "off"]))
    .addOption(textOption("--azimuth-length <n>", "azimuth transform, and rows of the image (default: as long as nothing folds)"))
    .addOption(
      new Option("--rows <which>", "all: rows exposed in part, too; full: over the whole processed band (default: all)").choices([
        "all",
        "full",
      ]),
    )
    .addOption(
      textOption("--agc <file>", "AGC_attenuation_values.mat of a RADARSAT-1 CD scene (default: beside it or up to two folders above)"),
    )
    .addOption(bareOption())
    .addOption(dynamicRangeOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      example("dechirp focus scene --out image\ndechirp focus scene5 --out image --doppler-centroid -6900 --window taylor:4,-30"),
    )
    .action(async (inputs, options) => (await import("./commands/focus.ts")).focusCommand(inputs, options, io));

  add("backproject", "Make an image of a phase history by backprojection.")
    .argument("<file...>", `${titlesOf("phase-history")}, or folders of them; several make one history`)
    .addOption(imageFolderOption())
    .addOption(deviceOption())
    .addOption(
      textOption(
        "--grid <x0,y0,dx,dy,nx,ny>",
        "middle of the first pixel, spacing in metres, pixels (default: the scene and the resolution that the data support)",
      ),
    )
    .addOption(textOption("--height <m>", "z of the image's plane (default: 0)"))
    .addOption(new Option("--no-autofocus", "leave the files' autofocus out"))
    .addOption(
      new Option(
        "--convention <name>",
        "exact: the float64 sum over pulses and frequencies to 70 dB and more (fast mode: 60); gorham-moore: as that MATLAB toolbox makes it, to compare with its images, some 36 dB from the sum (default: exact)",
      ).choices(["exact", "gorham-moore"]),
    )
    .addOption(
      new Option(
        "--mode <mode>",
        "precise: 80 dB and more against float64 with the same interpolation; fast: 60 dB and more (default: precise)",
      ).choices(["precise", "fast"]),
    )
    .addOption(
      textOption(
        "--interpolation <how>",
        "between bins of range profiles: quadratic, linear, or the taps of a sinc (default: quadratic; with fewer than 8 bins for each frequency, a sinc)",
      ),
    )
    .addOption(
      textOption(
        "--bins <n>",
        "bins of range profiles, a power of two (default: 8 for each frequency or more, 16 where the first is at zero)",
      ),
    )
    .addOption(textOption("--window <spec>", `window over the band: ${windowSyntax()} (default: rect)`))
    .addOption(new Option("--carrier <which>", "frequency that profiles have at zero (default: centre)").choices(["first", "centre"]))
    .addOption(
      new Option("--scale <scale>", "ifft: profiles divided by the bins; amplitude: by the sum of the window (default: amplitude)").choices(
        ["ifft", "amplitude"],
      ),
    )
    .addOption(
      new Option("--scheme <scheme>", "how the work is divided (default: by the traffic)").choices([
        "unpartitioned",
        "pulseSets",
        "tiles",
        "dual",
      ]),
    )
    .addOption(textOption("--tile <n>", "edge of a tile in pixels, a multiple of 8 (default: by the traffic)"))
    .addOption(textOption("--sets <n>", "pulse sets side by side (default: by the traffic)"))
    .addOption(bareOption())
    .addOption(dynamicRangeOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      example(
        "dechirp backproject gotcha --out image\ndechirp backproject data_3dsar_pass1_az00*_HH.mat --grid -50,-50,0.2,0.2,512,512 --device auto --out image",
      ),
    )
    .action(async (files, options) => (await import("./commands/backproject.ts")).backprojectCommand(files, options, io));

  add("stap", "Detect targets in clutter by space-time adaptive processing of array data.")
    .argument("<input>", titlesOf("array"))
    .addOption(outOption(`folder for ${stapFiles.join(", ")}; files of these names are replaced (required)`))
    .addOption(deviceOption())
    .addOption(textOption("--preset <name>", "what defaults are: perfect, paper or mountain-top (default: as the input is)"))
    .addOption(
      textOption(
        "--axes <a,b,c>",
        "order of an array's axes, outermost first, of MATLAB's first index first (default: channel,pulse,range; four axes: cpi first in .npy, last in .mat)",
      ),
    )
    .addOption(textOption("--cpi <n>", "which interval of a file with several, from 1 (default: the first)"))
    .addOption(textOption("--without-channels <list>", "channels to leave out, from 0, as 9 or 3,9-11"))
    .addOption(new Option("--set <set>", "of a PERFECT folder (default: the smallest)").choices(["small", "medium", "large"]))
    .addOption(textOption("--prf <hz>", "pulse repetition frequency (default: what the input states, else Doppler in cycles a pulse)"))
    .addOption(textOption("--carrier <hz>", "carrier frequency, for a spacing in metres (default: what the input states)"))
    .addOption(textOption("--spacing <d>", "between elements: wavelengths, or metres with an m behind (0.333m)"))
    .addOption(textOption("--broadside <deg>", "azimuth that the array faces (default: the preset's, else 0)"))
    .addOption(textOption("--chirp <b,t,f>", "uncompressed data: bandwidth in Hz, pulse in s, sampling rate in Hz; or none"))
    .addOption(textOption("--ranges <first,step>", "metres of the first range and between ranges"))
    .addOption(textOption("--azimuth <from:to:step>", "degrees to steer to, or one azimuth (default: the input's vectors)"))
    .addOption(textOption("--steering <file>", ".npy of steering vectors, complex [vector][channel], or [vector][channel · taps + tap]"))
    .addOption(textOption("--doppler-bins <n>", "bins of the zero-padded Doppler transform (default: the preset's, else the pulses)"))
    .addOption(textOption("--tdof <n>", "Doppler bins of a snapshot (default: 3)"))
    .addOption(textOption("--window <spec>", `window over the pulses: none, ${windowSyntax()} (default: none)`))
    .addOption(new Option("--centred", "zero Doppler in the middle of the output, not at bin 0"))
    .addOption(
      new Option("--training <how>", "which ranges train one (default: the preset's, else adjacent)").choices([
        "adjacent",
        "own",
        "sliding",
      ]),
    )
    .addOption(textOption("--block <n>", "ranges of a block (default: the preset's, else 32)"))
    .addOption(textOption("--cells <n>", "ranges that train one, where training slides (default: all)"))
    .addOption(textOption("--guard <n>", "blocks, or ranges where training slides, left out on each side (default: the preset's, else 0)"))
    .addOption(textOption("--loading <share>", "added to the diagonal, as a share of its mean (default: the preset's, else 0)"))
    .addOption(new Option("--solver <how>", "of the covariances (default: cholesky)").choices(["cholesky", "gauss-jordan"]))
    .addOption(
      new Option("--output <what>", "what output.npy holds (default: the preset's, else amf)").choices([
        "amf",
        "mvdr",
        "paper-literal",
        "complex",
      ]),
    )
    .addOption(new Option("--max-over-steering", "only the largest over all steering vectors"))
    .addOption(textOption("--pfa <p>", "probability of a false alarm of a cell and steering vector (default: 1e-6)"))
    .addOption(new Option("--cfar <how>", "threshold from neighbouring ranges, by their mean or order statistic").choices(["ca", "os"]))
    .addOption(textOption("--cfar-cells <n>", "neighbours (default: 32)"))
    .addOption(textOption("--cfar-guard <n>", "ranges on each side that are none (default: 3)"))
    .addOption(textOption("--target <range,doppler,azimuth>", "cell to look at: range bin, Hz, degrees (default: the strongest detection)"))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      example(
        "dechirp stap perfect-stap-small --out stap\ndechirp stap t38pre01v1_cpi_6.mat --device auto --out stap\ndechirp stap cube.npy --axes range,channel,pulse --prf 1000 --spacing 0.5 --azimuth=-60:60:2 --out stap",
      ),
    )
    .action(async (input, options) => (await import("./commands/stap.ts")).stapCommand(input, options, io));

  add("quality", "Measure point targets and sharpness of an image that focus wrote.")
    .argument("<dir>", "folder with image.npy and report.json")
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp quality image"))
    .action(async (folder, options) => (await import("./commands/quality.ts")).qualityCommand(folder, options, io));

  addSchedule(add("schedule", "Bound, simulate and observe response times of tasks that share a device's units."), add, io, finish);

  add("bench", "Run a published experiment here, its tables beside the published ones; without a name, list them.")
    .argument("[name]", "fused-sar-paper, backprojection-paper, efa-paper or realtime-paper")
    .addOption(textOption("--size <n>", "fused-sar-paper: lines and samples, as 1536x2048 (default: 4096)"))
    .addOption(textOption("--turns <n>", "fused-sar-paper: how often each way is timed (default: 5)"))
    .addOption(textOption("--sizes <list>", "backprojection-paper: edges of the images (default: 512,1024,2048)"))
    .addOption(textOption("--pulses <n>", "backprojection-paper: pulses of the circle (default: 42208)"))
    .addOption(
      textOption(
        "--seconds <s>",
        "backprojection-paper, efa-paper: what a measurement may take, about; of less where a device is slow (default: 2)",
      ),
    )
    .addOption(new Option("--full", "backprojection-paper: measure all pulses, however long it takes"))
    .addOption(textOption("--data-sets <n>", "efa-paper: data sets of the published sizes, up to 32 (default: 32; 4 where quick)"))
    .addOption(textOption("--watts <w>", "efa-paper: the device's power limit, for data sets a second and watt"))
    .addOption(
      textOption("--parts <list>", "efa-paper: of stages,blocking,products,channels,steering,ranges,perfect (default: all of them)"),
    )
    .addOption(textOption("--exponents <list>", "realtime-paper: log2 of the samples of a job, as 10,14 or 10-22 (default: 10-22)"))
    .addOption(
      textOption(
        "--tasks <n>",
        "realtime-paper: from one to so many tasks at once, or a list as 1,2,8 (default: twice the units, at most 21)",
      ),
    )
    .addOption(textOption("--jobs <n>", "realtime-paper: consecutive jobs of every task (default: 100)"))
    .addOption(textOption("--runs <n>", "realtime-paper: jobs timed for every number of units (default: 1000)"))
    .addOption(textOption("--rho <x>", "realtime-paper: unit time that a size may take over that of one unit (default: 1.1)"))
    .addOption(textOption("--workers <n>", "realtime-paper: workers of the processor (default: its cores less one, and at least 2)"))
    .addOption(new Option("--quick", "efa-paper, realtime-paper: small sizes, few points: seconds on any device"))
    .addOption(outOption("folder for report.json, report.md and pictures"))
    .addOption(deviceOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      example("dechirp bench fused-sar-paper --device auto --out bench\ndechirp bench backprojection-paper --device gpu --out bench"),
    )
    .action(async (name, options) => (await import("./commands/bench.ts")).benchCommand(name, options, io));

  for (const command of [program, ...program.commands.flatMap((one) => [one, ...one.commands])]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      // Errors are told by run.ts, in one line.
      writeErr: () => {},
      getOutHelpWidth: () => 110,
      getOutHasColors: () => false,
    });
  }
  return program;
}

const tasksArgument = "tasks.json: units of the device, tasks with worst-case execution times by units; - reads stdin";
const rhoOption = (): Option =>
  textOption(
    "--rho <x>",
    "unit time that a size may take over that of one unit, at least 1; of tasks without sizes of their own (default: the file's, else 1.1)",
  );

/** Of subcommands that need no device, so that one command line serves all three. */
const noDeviceOption = (): Option =>
  new Option("--device <name>", "as run has it; changes nothing here, where only numbers are used").choices(["cpu", "gpu"]);

function addSchedule(
  schedule: Command,
  add: (name: string, description: string, parent: Command) => Command,
  io: Io,
  finish: (status: number) => void,
): void {
  schedule.addHelpText(
    "after",
    example(
      "dechirp schedule analyse tasks.json\ndechirp schedule simulate tasks.json --seed 7 --out trace\ndechirp schedule run tasks.json --out run",
    ) +
      `

tasks.json, times in microseconds:
  { "units": 19, "rho": 1.1, "tasks": [{ "id": "fft", "wcet": { "1": 9101, "4": 2501 }, "deadline": 15000, "count": 10 }] }`,
  );

  add("analyse", "Bounds on waiting and response times, which of them meet their deadlines, and the best rho.", schedule)
    .argument("<tasks>", tasksArgument)
    .addOption(rhoOption())
    .addOption(new Option("--sweep", "print a table of all rho that make a difference"))
    .addOption(outOption("folder for report.json, report.md and plots; files of these names are replaced"))
    .addOption(noDeviceOption())
    .addOption(new Option("--strict", "end with status 6 where a task may miss its deadline or its next request (else: 0)"))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      example("dechirp schedule analyse tasks.json --sweep --out bounds\ndechirp schedule analyse tasks.json --rho 1.5 --strict"),
    )
    .action(async (tasks, options) => finish(await (await import("./commands/schedule.ts")).analyseCommand(tasks, options, io)));

  add("simulate", "Simulate the tasks and hold what comes of it against the bounds.", schedule)
    .argument("<tasks>", tasksArgument)
    .addOption(rhoOption())
    .addOption(textOption("--seed <n>", "what times are drawn from, 0 to 4294967295").default("1"))
    .addOption(textOption("--jobs <n>", "jobs of every task").default("100"))
    .addOption(
      new Option(
        "--policy <policy>",
        "fifo, or what breaks the bounds: the last comes first; two jobs a task at once; a size of 1 not permitted",
      )
        .choices(["fifo", "lifo", "two-jobs", "without-one"])
        .default("fifo"),
    )
    .addOption(
      new Option("--release <how>", "all tasks at once, then a job after the other; or apart at random, a period or more")
        .choices(["consecutive", "sporadic"])
        .default("consecutive"),
    )
    .addOption(
      new Option("--execution <how>", "times of jobs: the worst, or random below it").choices(["worst", "random"]).default("worst"),
    )
    .addOption(outOption("folder for report.json, report.md, trace.csv, gantt.svg; files of these names are replaced"))
    .addOption(noDeviceOption())
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp schedule simulate tasks.json --release sporadic --execution random --seed 7 --out trace"))
    .action(async (tasks, options) => (await import("./commands/schedule.ts")).simulateTasksCommand(tasks, options, io));

  add(
    "run",
    "Run the tasks as transforms: observe their times, then responses beside the bounds that follow, and by best effort.",
    schedule,
  )
    .argument("<tasks>", "tasks.json: tasks with samples of a job; times and units in it are not used; - reads stdin")
    .addOption(new Option("--device <name>", "where to run").choices(["cpu", "gpu"]).default("cpu"))
    .addOption(
      new Option(
        "--executor <how>",
        "units are workers; one dispatch at a time; units are slots of a dispatch (default: pool on a cpu, chunks on a gpu)",
      ).choices(["pool", "chunks", "slots"]),
    )
    .addOption(textOption("--workers <n>", "workers of the processor (default: its cores less one, and at least 2)"))
    .addOption(textOption("--slots <n>", "slots of a dispatch (default: 1024; where the processor does the work, 4 a core)"))
    .addOption(rhoOption())
    .addOption(textOption("--jobs <n>", "jobs of every task").default("100"))
    .addOption(textOption("--runs <n>", "jobs timed for every number of units").default("200"))
    .addOption(textOption("--margin <x>", "what the longest observed time is multiplied with").default("1.2"))
    .addOption(
      outOption("folder for report.json, report.md, trace.csv, gantt.svg, wcet.svg, responses.svg; files of these names are replaced"),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `${example("dechirp schedule run tasks.json --jobs 200 --out run\ndechirp schedule run tasks.json --device gpu --executor slots")}

A task has samples, real float32 samples of a job (65536 where left out), and is one real transform of them; with
line, complex lines of so many points in place. Slots take lines only.
  { "rho": 1.1, "tasks": [{ "id": "range", "samples": 65536, "deadline": 5000, "count": 4 },
                          { "id": "lines", "samples": 65536, "line": 1024 }] }

Observed times are no guarantee, and bounds that follow from them are estimates. Status 1: an output is not what
float64 gives, or units were not granted as they must be; the result is printed and written all the same.`,
    )
    .action(async (tasks, options) => finish(await (await import("./commands/schedule-run.ts")).runTasksCommand(tasks, options, io)));
}
