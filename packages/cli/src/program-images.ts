/** The commands that make images, `focus` and `backproject`, with their options and help texts. */
import { type Command, Option } from "commander";
import type { Io } from "./io.ts";
import {
  bareOption,
  controlPointsOption,
  deviceOption,
  dryRunOption,
  dynamicRangeOption,
  example,
  formatOption,
  type HelpTexts,
  imageFolderOption,
  jsonOption,
  mapStepOption,
  memoryOption,
  pixelsOption,
  resumeOption,
  textOption,
} from "./program-options.ts";

/** Options of `focus` that say how images are made. */
export const focusOptions = ({ windowSyntax }: Pick<HelpTexts, "windowSyntax">): readonly Option[] => [
  textOption(
    "--doppler-centroid <hz>",
    "absolute Doppler centroid in Hz, or auto to measure it (default: what the scene states, else auto)",
  ),
  textOption("--velocity <mps>", "effective velocity in m/s (default: what the scene states, else computed from its orbit)"),
  textOption("--bandwidth <hz>", "Doppler bandwidth to process, in Hz (default: what the scene states, else the PRF)"),
  textOption("--window <spec>", `window in range and azimuth: ${windowSyntax({ continuous: true })} (default: kaiser:2.5)`),
  textOption("--azimuth-window <spec>", "window in azimuth (default: --window)"),
  textOption("--range-window <spec>", "window in range (default: --window)"),
  new Option("--rcmc <mode>", "range cell migration correction: off, nearest cell, or a sinc of 8 or 16 taps (default: sinc8)").choices([
    "off",
    "nearest",
    "sinc8",
    "sinc16",
  ]),
  new Option("--src <mode>", "secondary range compression (default: on)").choices(["on", "off"]),
  textOption("--azimuth-length <n>", "length of the azimuth transform, and number of image rows (default: long enough that nothing folds)"),
  new Option(
    "--rows <which>",
    "all: include partly exposed rows; full: only rows exposed over the whole processed band (default: all)",
  ).choices(["all", "full"]),
  textOption(
    "--agc <file>",
    "AGC_attenuation_values.mat of a RADARSAT-1 CD scene (default: the one in its folder or up to two folders above)",
  ),
];

/** Options of `backproject` that say how images are made. */
export const backprojectOptions = ({ windowSyntax }: Pick<HelpTexts, "windowSyntax">): readonly Option[] => [
  textOption(
    "--grid <x0,y0,dx,dy,nx,ny>",
    "x and y of the first pixel's centre and pixel spacings in metres, numbers of pixels (default: the scene and resolution that the data supports)",
  ),
  textOption(
    "--map <w,s,e,n,step>",
    "a part of a map instead of --grid: its west, south, east and north edges and the side of a pixel, in degrees or, with --epsg of a UTM zone, in metres",
  ),
  textOption(
    "--height <m>",
    "height z of the image plane in metres (default: 0); with --map, height above the ellipsoid (default: that of the scene)",
  ),
  textOption("--channel <id>", "channel of the files to process (default: all, each into a folder of its name if there are several)"),
  new Option("--no-autofocus", "do not apply the autofocus corrections of the files"),
  new Option(
    "--convention <name>",
    "exact: matches the float64 sum over pulses and frequencies to 70 dB or better (60 dB with --mode fast); gorham-moore: computes as that MATLAB toolbox does, so that its images can be compared; matches the sum to about 36 dB (default: exact)",
  ).choices(["exact", "gorham-moore"]),
  new Option(
    "--mode <mode>",
    "precise: 80 dB or better against float64 with the same interpolation; fast: 60 dB or better (default: precise)",
  ).choices(["precise", "fast"]),
  textOption(
    "--interpolation <how>",
    "interpolation between bins of range profiles: quadratic, linear, or the number of taps of a sinc (default: quadratic, or a sinc if there are fewer than 8 bins per frequency)",
  ),
  textOption(
    "--bins <n>",
    "number of bins of range profiles, a power of two (default: at least 8 per frequency, or 16 with --carrier first)",
  ),
  textOption("--window <spec>", `window over the frequencies: ${windowSyntax()} (default: rect)`),
  new Option("--carrier <which>", "frequency that is shifted to zero in the profiles (default: centre)").choices(["first", "centre"]),
  new Option(
    "--scale <scale>",
    "ifft: divide profiles by the number of bins; amplitude: by the sum of the window (default: amplitude)",
  ).choices(["ifft", "amplitude"]),
  new Option("--scheme <scheme>", "how the work is divided (default: by the predicted memory traffic)").choices([
    "unpartitioned",
    "pulseSets",
    "tiles",
    "dual",
  ]),
  textOption("--tile <n>", "edge of a tile in pixels, a multiple of 8 (default: by the predicted memory traffic)"),
  textOption("--sets <n>", "number of pulse sets processed in parallel (default: by the predicted memory traffic)"),
];

/** Adds the commands. Parameters are those of `createProgram`, and its function that adds a command. */
export function addImages(add: (name: string, description: string) => Command, io: Io, { titlesOf, windowSyntax }: HelpTexts): void {
  const focus = add("focus", "Focus raw echoes into images with the range-Doppler algorithm.")
    .argument("<input...>", `${titlesOf("stripmap")}; with several inputs, each result gets a folder of the input's name in --out`)
    .addOption(imageFolderOption())
    .addOption(deviceOption());
  for (const option of focusOptions({ windowSyntax })) focus.addOption(option);
  focus
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

  const backproject = add("backproject", "Make an image of a phase history by backprojection.")
    .argument("<file...>", `${titlesOf("phase-history")}, or folders of them; several inputs are joined to one phase history`)
    .addOption(imageFolderOption())
    .addOption(deviceOption());
  for (const option of backprojectOptions({ windowSyntax })) backproject.addOption(option);
  backproject
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
}
