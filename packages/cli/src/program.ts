/** The commands, options and help texts of the command line, defined with commander. Each command's own file is loaded when it runs. */
import type { RecordingKind } from "@dechirp/io/formats";
import type { WindowChoice } from "@dechirp/radar";
import { Command, Option } from "commander";
import { deviceNames } from "./devices.ts";
import type { Io } from "./io.ts";
import { parseOnce } from "./options.ts";
import { imageFiles, stapFiles } from "./output.ts";
import { addFiles } from "./program-files.ts";
import {
  bareOption,
  controlPointsOption,
  deviceOption,
  dryRunOption,
  dynamicRangeOption,
  example,
  formatOption,
  imageFolderOption,
  jsonOption,
  mapStepOption,
  memoryOption,
  outOption,
  pixelsOption,
  resumeOption,
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
  129, 130, 143  ended by SIGHUP, SIGINT (Ctrl-C), SIGTERM; of a result that is not complete, only what --resume can use is left

Errors are one line on stderr; with --json also {"error":{"code","exitCode","message","fields"}} on stdout.
DECHIRP_DEBUG=1 adds where an error came from.`;

/** Help texts that other packages supply. They are loaded only if help is shown. */
export interface HelpTexts {
  /** Lists the formats of a kind of recording. */
  readonly titlesOf: (kind: RecordingKind) => string;
  /** Lists the windows that `--window` accepts. */
  readonly windowSyntax: (choice?: WindowChoice) => string;
}

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

  addFiles(add, io);

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

  add("focus", "Focus raw echoes into images with the range-Doppler algorithm.")
    .argument("<input...>", `${titlesOf("stripmap")}; with several inputs, each result gets a folder of the input's name in --out`)
    .addOption(imageFolderOption())
    .addOption(deviceOption())
    .addOption(
      textOption(
        "--doppler-centroid <hz>",
        "absolute Doppler centroid in Hz, or auto to measure it (default: what the scene states, else auto)",
      ),
    )
    .addOption(textOption("--velocity <mps>", "effective velocity in m/s (default: what the scene states, else computed from its orbit)"))
    .addOption(textOption("--bandwidth <hz>", "Doppler bandwidth to process, in Hz (default: what the scene states, else the PRF)"))
    .addOption(textOption("--window <spec>", `window in range and azimuth: ${windowSyntax({ continuous: true })} (default: kaiser:2.5)`))
    .addOption(textOption("--azimuth-window <spec>", "window in azimuth (default: --window)"))
    .addOption(textOption("--range-window <spec>", "window in range (default: --window)"))
    .addOption(
      new Option("--rcmc <mode>", "range cell migration correction: off, nearest cell, or a sinc of 8 or 16 taps (default: sinc8)").choices(
        ["off", "nearest", "sinc8", "sinc16"],
      ),
    )
    .addOption(new Option("--src <mode>", "secondary range compression (default: on)").choices(["on", "off"]))
    .addOption(
      textOption(
        "--azimuth-length <n>",
        "length of the azimuth transform, and number of image rows (default: long enough that nothing folds)",
      ),
    )
    .addOption(
      new Option(
        "--rows <which>",
        "all: include partly exposed rows; full: only rows exposed over the whole processed band (default: all)",
      ).choices(["all", "full"]),
    )
    .addOption(
      textOption(
        "--agc <file>",
        "AGC_attenuation_values.mat of a RADARSAT-1 CD scene (default: the one in its folder or up to two folders above)",
      ),
    )
    .addOption(
      memoryOption(
        "memory that the arrays may take on the device and the host together, such as 2GiB or 800MB; an image that needs more is made in blocks and written as it is made (default: 3GiB, or half of the memory if that is less)",
      ),
    )
    .addOption(formatOption("blocks"))
    .addOption(pixelsOption())
    .addOption(mapStepOption())
    .addOption(controlPointsOption())
    .addOption(
      textOption("--epsg <code>", "cog: map of the image: a UTM zone (326zz, 327zz) or 4326 (default: the UTM zone of its middle)"),
    )
    .addOption(
      textOption(
        "--height <m>",
        "cog: height of the ground above the ellipsoid in metres, to which the image is geocoded (default: what the scene states, else 0)",
      ),
    )
    .addOption(resumeOption("blocks"))
    .addOption(dryRunOption())
    .addOption(bareOption())
    .addOption(dynamicRangeOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      example("dechirp focus scene --out image\ndechirp focus scene5 --out image --doppler-centroid -6900 --window taylor:4,-30"),
    )
    .action(async (inputs, options) => (await import("./commands/focus.ts")).focusCommand(inputs, options, io));

  add("backproject", "Make an image of a phase history by backprojection.")
    .argument("<file...>", `${titlesOf("phase-history")}, or folders of them; several inputs are joined to one phase history`)
    .addOption(imageFolderOption())
    .addOption(deviceOption())
    .addOption(
      textOption(
        "--grid <x0,y0,dx,dy,nx,ny>",
        "x and y of the first pixel's centre and pixel spacings in metres, numbers of pixels (default: the scene and resolution that the data supports)",
      ),
    )
    .addOption(
      textOption(
        "--map <w,s,e,n,step>",
        "a part of a map instead of --grid: its west, south, east and north edges and the side of a pixel, in degrees or, with --epsg of a UTM zone, in metres",
      ),
    )
    .addOption(
      textOption(
        "--height <m>",
        "height z of the image plane in metres (default: 0); with --map, height above the ellipsoid (default: that of the scene)",
      ),
    )
    .addOption(
      textOption("--channel <id>", "channel of the files to process (default: all, each into a folder of its name if there are several)"),
    )
    .addOption(new Option("--no-autofocus", "do not apply the autofocus corrections of the files"))
    .addOption(
      new Option(
        "--convention <name>",
        "exact: matches the float64 sum over pulses and frequencies to 70 dB or better (60 dB with --mode fast); gorham-moore: computes as that MATLAB toolbox does, so that its images can be compared; matches the sum to about 36 dB (default: exact)",
      ).choices(["exact", "gorham-moore"]),
    )
    .addOption(
      new Option(
        "--mode <mode>",
        "precise: 80 dB or better against float64 with the same interpolation; fast: 60 dB or better (default: precise)",
      ).choices(["precise", "fast"]),
    )
    .addOption(
      textOption(
        "--interpolation <how>",
        "interpolation between bins of range profiles: quadratic, linear, or the number of taps of a sinc (default: quadratic, or a sinc if there are fewer than 8 bins per frequency)",
      ),
    )
    .addOption(
      textOption(
        "--bins <n>",
        "number of bins of range profiles, a power of two (default: at least 8 per frequency, or 16 with --carrier first)",
      ),
    )
    .addOption(textOption("--window <spec>", `window over the frequencies: ${windowSyntax()} (default: rect)`))
    .addOption(
      new Option("--carrier <which>", "frequency that is shifted to zero in the profiles (default: centre)").choices(["first", "centre"]),
    )
    .addOption(
      new Option(
        "--scale <scale>",
        "ifft: divide profiles by the number of bins; amplitude: by the sum of the window (default: amplitude)",
      ).choices(["ifft", "amplitude"]),
    )
    .addOption(
      new Option("--scheme <scheme>", "how the work is divided (default: by the predicted memory traffic)").choices([
        "unpartitioned",
        "pulseSets",
        "tiles",
        "dual",
      ]),
    )
    .addOption(textOption("--tile <n>", "edge of a tile in pixels, a multiple of 8 (default: by the predicted memory traffic)"))
    .addOption(textOption("--sets <n>", "number of pulse sets processed in parallel (default: by the predicted memory traffic)"))
    .addOption(
      memoryOption(
        "memory that computing may take on the device and the host together, such as 2GiB or 800MB; an image that needs more is made in windows, with the same bits, and written as it is made (default: 3GiB)",
      ),
    )
    .addOption(formatOption("windows"))
    .addOption(pixelsOption())
    .addOption(mapStepOption())
    .addOption(controlPointsOption())
    .addOption(
      textOption(
        "--epsg <code>",
        "map of --map, or of image.tif: a UTM zone (326zz, 327zz) or 4326 (default: 4326 with --map; else the plane of the image)",
      ),
    )
    .addOption(resumeOption("windows"))
    .addOption(dryRunOption())
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
