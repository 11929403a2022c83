/** The commands, options and help texts of the command line, defined with commander. Each command's own file is loaded when it runs. */
import { Command, Option } from "commander";
import { restartFor } from "./cards/restart.ts";
import { deviceNames } from "./devices.ts";
import type { Io } from "./io.ts";
import { parseOnce } from "./options.ts";
import { imageFiles, stapFiles } from "./output.ts";
import { addFiles } from "./program-files.ts";
import { addImages } from "./program-images.ts";
import { addJobs } from "./program-jobs.ts";
import {
  bareOption,
  deviceOption,
  dynamicRangeOption,
  example,
  type HelpTexts,
  jsonOption,
  outOption,
  textOption,
} from "./program-options.ts";
import { addSchedule } from "./program-schedule.ts";
import { version } from "./version.ts";

const exitHelp = `
Exit status:
  0        success
  1        internal error; schedule run: an output is wrong, or units were granted against the rules
  2        bad argument, found before any work
  3        bad input file
  4        device: none opens, out of memory, or a limit of the device or of the process (ulimit)
  5        the result can't be written
  6        schedule analyse --strict: a task may miss its deadline or its next request
  7        job run, job submit --wait, job assemble: not all tasks are done; watch --once: files failed, now or in earlier runs
  129, 130, 143  ended by SIGHUP, SIGINT (Ctrl-C), SIGTERM; of a result that is not complete, only what --resume can use is left

Errors are one line on stderr; with --json also {"error":{"code","exitCode","message","fields"}} on stdout.
DECHIRP_DEBUG=1 adds where an error came from.`;

/**
 * Creates the program. It calls `finish` with the exit status of a command that sets one. `titlesOf` supplies texts that only help
 * shows.
 */
export function createProgram(io: Io, finish: (status: number) => void, { titlesOf, windowSyntax }: HelpTexts): Command {
  const program = new Command("dechirp")
    .description(
      "Simulate radar scenes, focus them and measure the images; make images of phase histories; detect targets in clutter; compute bounds on the response times of tasks that share a device.",
    )
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .addHelpText("after", `${example("dechirp demo --out out")}\n${exitHelp}`);
  const add = (name: string, description: string, parent = program): Command =>
    parent.command(name).description(description).helpOption("-h, --help", "print help");

  add("demo", "Simulate the default scene, focus it and measure the image.")
    .addOption(outOption(`folder for ${imageFiles.join(", ")}`).default("out"))
    .addOption(deviceOption())
    .addOption(bareOption())
    .addOption(dynamicRangeOption())
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp demo --out out"))
    .action(async (options) => (await import("./commands/demo.ts")).demoCommand(options, io));

  add("devices", "List the devices and whether they open on this machine.")
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp devices --json"))
    .action(async (options) => (await import("./commands/devices.ts")).devicesCommand(options, io));

  addFiles(add, io, finish);

  add(
    "simulate",
    "Simulate the raw echoes of a scene preset and write them as a scene folder (scene.json, raw.npy), or a phase history as a CPHD file.",
  )
    .addOption(
      textOption(
        "--preset <name>",
        "scene to simulate: default, quality, large, fused-sar-paper; spotlight: a phase history, written as spotlight.cphd and targets.geojson",
      ).default("default"),
    )
    .addOption(outOption("folder for scene.json and raw.npy; existing files of these names are replaced (required, except with --list)"))
    .addOption(textOption("--seed <n>", "seed of the random noise and clutter, 0 to 4294967295 (default: the preset's)"))
    .addOption(new Option("--type <type>", "element type of the stored samples").choices(["ci8", "ci16", "c64"]).default("c64"))
    .addOption(new Option("--list", "list the presets and stop"))
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp simulate --preset quality --type ci16 --out scene"))
    .action(async (options) => (await import("./commands/simulate.ts")).simulateCommand(options, io));

  addImages(add, io, { titlesOf, windowSyntax });

  add("stap", "Detect targets in clutter by space-time adaptive processing of array data.")
    .argument("<input>", titlesOf("array"))
    .addOption(outOption(`folder for ${stapFiles.join(", ")}; existing files of these names are replaced (required)`))
    .addOption(deviceOption())
    .addOption(
      textOption(
        "--preset <name>",
        "preset that sets the defaults: perfect, paper or mountain-top (default: the one that suits the input)",
      ),
    )
    .addOption(
      textOption(
        "--axes <a,b,c>",
        "order of an array's axes, outermost first for .npy, first index first for .mat (default: channel,pulse,range; with four axes, cpi first in .npy, last in .mat)",
      ),
    )
    .addOption(textOption("--cpi <n>", "coherent processing interval (CPI) to process, counted from 1 (default: 1)"))
    .addOption(textOption("--without-channels <list>", "channels to leave out, counted from 0: 9 or 3,9-11"))
    .addOption(
      new Option("--set <set>", "set of a PERFECT folder to process (default: the smallest found)").choices(["small", "medium", "large"]),
    )
    .addOption(
      textOption(
        "--prf <hz>",
        "pulse repetition frequency in Hz (default: what the input states; if unknown, Doppler is in cycles per pulse)",
      ),
    )
    .addOption(textOption("--carrier <hz>", "carrier frequency in Hz, needed if --spacing is in metres (default: what the input states)"))
    .addOption(textOption("--spacing <d>", "element spacing in wavelengths, or in metres with the suffix m (0.333m)"))
    .addOption(textOption("--broadside <deg>", "azimuth of broadside in degrees (default: the preset's, else 0)"))
    .addOption(
      textOption("--chirp <b,t,f>", "chirp of uncompressed data: bandwidth in Hz, pulse duration in s, sampling rate in Hz; or none"),
    )
    .addOption(textOption("--ranges <first,step>", "range of the first cell and range step, in metres"))
    .addOption(
      textOption("--azimuth <from:to:step>", "azimuths to scan in degrees, or a single one (default: the input's steering vectors)"),
    )
    .addOption(
      textOption("--steering <file>", ".npy file of steering vectors, complex [vector][channel] or [vector][channel · taps + tap]"),
    )
    .addOption(
      textOption(
        "--doppler-bins <n>",
        "number of bins of the zero-padded Doppler transform (default: the preset's, else the number of pulses)",
      ),
    )
    .addOption(textOption("--tdof <n>", "number of Doppler bins in a snapshot (default: 3)"))
    .addOption(textOption("--window <spec>", `window over the pulses: none, ${windowSyntax()} (default: none)`))
    .addOption(new Option("--centred", "put zero Doppler in the middle of the output instead of bin 0"))
    .addOption(
      new Option(
        "--training <how>",
        "which ranges train a covariance: adjacent blocks, its own block, or a sliding window (default: the preset's, else adjacent)",
      ).choices(["adjacent", "own", "sliding"]),
    )
    .addOption(textOption("--block <n>", "ranges in a training block (default: the preset's, else 32)"))
    .addOption(textOption("--cells <n>", "training cells for each range, with --training sliding (default: all)"))
    .addOption(textOption("--guard <n>", "guard on each side: blocks, or ranges with --training sliding (default: the preset's, else 0)"))
    .addOption(textOption("--loading <share>", "diagonal loading, as a share of the mean of the diagonal (default: the preset's, else 0)"))
    .addOption(new Option("--solver <how>", "solver of the covariance equations (default: cholesky)").choices(["cholesky", "gauss-jordan"]))
    .addOption(
      new Option(
        "--output <what>",
        "contents of output.npy: power of the adaptive matched filter (amf), MVDR power (mvdr), the paper's formula (paper-literal), or complex values (default: the preset's, else amf)",
      ).choices(["amf", "mvdr", "paper-literal", "complex"]),
    )
    .addOption(new Option("--max-over-steering", "keep only the largest output over all steering vectors"))
    .addOption(textOption("--pfa <p>", "probability of false alarm for each cell and steering vector (default: 1e-6)"))
    .addOption(
      new Option("--cfar <how>", "use a threshold from neighbouring ranges: ca takes their mean, os an order statistic").choices([
        "ca",
        "os",
      ]),
    )
    .addOption(textOption("--cfar-cells <n>", "number of neighbours for --cfar (default: 32)"))
    .addOption(textOption("--cfar-guard <n>", "guard ranges on each side for --cfar (default: 3)"))
    .addOption(
      textOption(
        "--target <range,doppler,azimuth>",
        "cell to examine: range bin, Doppler in Hz, azimuth in degrees (default: the strongest detection)",
      ),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      example(
        "dechirp stap perfect-stap-small --out stap\ndechirp stap t38pre01v1_cpi_6.mat --device auto --out stap\ndechirp stap cube.npy --axes range,channel,pulse --prf 1000 --spacing 0.5 --azimuth=-60:60:2 --out stap",
      ),
    )
    .action(async (input, options) => (await import("./commands/stap.ts")).stapCommand(input, options, io));

  add("quality", "Measure the point targets and the sharpness of an image that focus wrote.")
    .argument("<dir>", "folder with image.npy and report.json")
    .addOption(jsonOption())
    .addHelpText("after", example("dechirp quality image"))
    .action(async (folder, options) => (await import("./commands/quality.ts")).qualityCommand(folder, options, io));

  addJobs(
    add("job", "Make images with many processes and machines: a job is a folder or a bucket, and any engine can run its tasks."),
    add,
    io,
    finish,
    { titlesOf, windowSyntax },
  );

  addSchedule(
    add("schedule", "Compute bounds on the response times of tasks that share a device's units, simulate the tasks, or run them."),
    add,
    io,
    finish,
  );

  add(
    "bench",
    "Run a published experiment on this machine, or all of them, and print its tables beside the published ones; without a name, list the experiments.",
  )
    .argument("[name]", "fft-paper, fused-sar-paper, backprojection-paper, efa-paper, realtime-paper, memory, or all of them: all")
    .addOption(textOption("--size <n>", "fused-sar-paper: lines and samples, as in 1536x2048 (default: 4096)"))
    .addOption(textOption("--turns <n>", "fused-sar-paper: how often each variant is timed (default: 5)"))
    .addOption(
      textOption(
        "--sizes <list>",
        "backprojection-paper: edges of the images in pixels (default: 512,1024,2048); fft-paper: points of the transforms (default: 256 to 16384)",
      ),
    )
    .addOption(textOption("--pulses <n>", "backprojection-paper: number of pulses of the circle (default: 42208)"))
    .addOption(
      textOption(
        "--seconds <s>",
        "fft-paper, backprojection-paper, efa-paper: approximate time per measurement in seconds; slow devices measure smaller parts (default: 0.5 for fft-paper, else 2); memory: likewise (default: 0.25, or 0.05 with --quick)",
      ),
    )
    .addOption(new Option("--full", "backprojection-paper: measure all pulses, however long it takes"))
    .addOption(
      textOption("--data-sets <n>", "efa-paper: number of data sets of the published sizes, up to 32 (default: 32, or 4 with --quick)"),
    )
    .addOption(textOption("--watts <w>", "efa-paper: the device's power limit in watts, to report data sets per second and watt"))
    .addOption(
      textOption("--parts <list>", "efa-paper: parts to run, of stages,blocking,products,channels,steering,ranges,perfect (default: all)"),
    )
    .addOption(
      textOption("--exponents <list>", "realtime-paper: log2 of the number of samples of a job, as in 10,14 or 10-22 (default: 10-22)"),
    )
    .addOption(
      textOption(
        "--tasks <n>",
        "realtime-paper: largest number of concurrent tasks, or a list as in 1,2,8 (default: twice the units, at most 21)",
      ),
    )
    .addOption(textOption("--jobs <n>", "realtime-paper: consecutive jobs per task (default: 100)"))
    .addOption(textOption("--runs <n>", "realtime-paper: jobs timed for each number of units (default: 1000)"))
    .addOption(textOption("--rho <x>", "realtime-paper: largest ratio of a size's unit time to that of one unit (default: 1.1)"))
    .addOption(
      textOption("--workers <n>", "realtime-paper: number of workers on the processor (default: one less than its cores, at least 2)"),
    )
    .addOption(
      new Option(
        "--quick",
        "fft-paper, efa-paper, realtime-paper, memory, all: use small sizes and few points, which takes seconds; kernels for a software adapter compile for minutes",
      ),
    )
    .addOption(
      new Option(
        "--submit-file <file>",
        "fft-paper: write the measurements as a JSON file to contribute, without names of machines and folders",
      ).argParser(parseOnce("--submit-file")),
    )
    .addOption(outOption("folder for report.json, report.md and pictures; all: for a folder of each experiment and the targets"))
    .addOption(
      textOption(
        "--device <name>",
        `device to compute on: ${deviceNames()} (default: cpu; fft-paper and all: auto; memory: gpu, or auto for one in hardware only)`,
      ),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      example(
        "dechirp bench fft-paper --out bench --submit-file my-gpu.json\ndechirp bench fused-sar-paper --device auto --out bench\ndechirp bench backprojection-paper --device gpu --out bench",
      ),
    )
    .action(async (name, options) => (await import("./commands/bench.ts")).benchCommand(name, options, io));

  program.hook("preAction", (_, command) => restartFor(command.opts()["device"], io));
  for (const command of [program, ...program.commands.flatMap((one) => [one, ...one.commands])]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      // run.ts prints errors in one line.
      writeErr: () => {},
      getOutHelpWidth: () => 110,
      getOutHasColors: () => false,
    });
  }
  return program;
}
