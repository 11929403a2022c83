/**
 * One phase history to one image and its report: settles grid and parameters (and says why), runs sar's backprojector on a
 * device, finds the brightest point. No files, no terminal, no signal processing of its own.
 */
import { type Device, isRadarError, throwIfAborted } from "@dechirp/core";
import { applyAutofocus, type PhaseHistory } from "@dechirp/io";
import {
  type BackprojectorOptions,
  type CutMetrics,
  createBackprojector,
  type GroundGrid,
  imageContrastSteps,
  imageEntropySteps,
  type ProfileInterpolation,
  pixelPosition,
  pointTargetSteps,
  profileInterpolationDb,
  type Scheme,
  sceneGrid,
  speedOfLight,
  type Vec3,
  type Window,
  windowSamples,
  windowText,
} from "@dechirp/sar";
import { type BackprojectReport, backprojectionFormat, backprojectionVersion, type Peak, type PeakCut } from "./backproject-report.ts";
import { createClock } from "./clock.ts";
import { deviceReport, type ProjectionWork } from "./devices.ts";
import { CommandError } from "./errors.ts";
import type { FocusHooks } from "./focus-scene.ts";
import { heeding } from "./heed-signal.ts";
import type { Used } from "./report.ts";

/** Pixels from (x, y) of the first, `dx` and `dy` apart. */
export interface GridOption {
  readonly xMeters: number;
  readonly yMeters: number;
  readonly xStepMeters: number;
  readonly yStepMeters: number;
  readonly nx: number;
  readonly ny: number;
}

/**
 * How an image is computed and scaled where no other option says so. `exact`: the sum over pulses and frequencies, to 70 dB and
 * more. `gorham-moore`: as L. A. Gorham and L. J. Moore's toolbox for MATLAB makes it ("SAR image formation toolbox for MATLAB",
 * Proceedings of SPIE 7699, 2010), which other images of such files are made with and can be compared with number by number; the sum to some
 * 36 dB.
 */
export type Convention = "exact" | "gorham-moore";

/** What the command line may settle; the convention, the data or a default settle the rest. */
export interface BackprojectSettings {
  readonly convention?: Convention;
  readonly grid?: GridOption;
  readonly heightMeters?: number;
  readonly autofocus?: boolean;
  readonly mode?: "precise" | "fast";
  /** On a parabola around a bin, on a line between two, or the taps of a windowed sinc. */
  readonly interpolation?: "quadratic" | "linear" | number;
  readonly bins?: number;
  readonly window?: Window;
  readonly carrier?: "centre" | "first";
  /**
   * `ifft`: profiles are the inverse transform of the tapered samples as it is, divided by the bins, as in others' images.
   * `amplitude`: divided by the sum of the taper, so that a point of amplitude a adds a for every pulse, whatever bins and window are.
   */
  readonly scale?: "ifft" | "amplitude";
  readonly scheme?: Scheme;
  readonly tile?: number;
  readonly sets?: number;
}

/** A phase history and the image that is wanted of it: everything that can be settled before a device is chosen. */
export interface Projection {
  readonly history: PhaseHistory;
  readonly autofocus: BackprojectReport["history"]["autofocus"];
  readonly grid: GroundGrid;
  readonly gridWhy?: string;
  readonly settings: BackprojectSettings;
  /** How the history is called in messages. */
  readonly where: string;
  readonly notes: readonly string[];
}

export interface BackprojectedHistory {
  /** [y][x] complex, interleaved. */
  readonly image: Float32Array;
  readonly report: BackprojectReport;
  /** Metres between rows and between columns. */
  readonly spacingMeters: readonly [rows: number, columns: number];
}

/** Where nothing else is asked for. */
const usual = { convention: "exact", mode: "precise", window: { kind: "rect" } } as const;

/** What a convention settles where an option does not. */
interface ConventionTerms {
  readonly frequencies: "fit" | "ends";
  readonly carrier: "centre" | "first";
  readonly scale: "ifft" | "amplitude";
  /** The backprojector's choice where left out. */
  readonly interpolation?: "linear";
  /** The backprojector's choice where left out. */
  bins?(frequencies: number): number;
}

const conventions: Readonly<Record<Convention, ConventionTerms>> = {
  exact: { frequencies: "fit", carrier: "centre", scale: "amplitude" },
  "gorham-moore": {
    frequencies: "ends",
    carrier: "first",
    scale: "ifft",
    interpolation: "linear",
    bins: (frequencies) => 2 ** (3 + Math.ceil(Math.log2(frequencies))),
  },
};

const termsOf = ({ convention = usual.convention }: BackprojectSettings): ConventionTerms => conventions[convention];

/** Which frequencies stand for those of the files (`GotchaOptions`). */
export const frequenciesOf = (settings: BackprojectSettings): "fit" | "ends" => termsOf(settings).frequencies;

/** Which option a parameter of the backprojector comes from, for blaming the right one. */
const optionOf: Readonly<Record<string, readonly [option: string, key: keyof BackprojectSettings]>> = {
  grid: ["--grid", "grid"],
  centreMeters: ["--height", "heightMeters"],
  interpolation: ["--interpolation", "interpolation"],
  bins: ["--bins", "bins"],
  scheme: ["--scheme", "scheme"],
  tile: ["--tile", "tile"],
  sets: ["--sets", "sets"],
};

/** Settles autofocus and grid. Throws a CommandError of kind `argument` for options that `history` does not allow, else of kind `file`. */
export async function planProjection(
  history: PhaseHistory,
  settings: BackprojectSettings,
  where: string,
  signal?: AbortSignal,
): Promise<Projection> {
  const wanted = settings.autofocus ?? true;
  const focused = wanted && history.autofocus ? await applyAutofocus(history, signal ? { signal } : {}) : history;
  const autofocus = history.autofocus ? (wanted ? "applied" : "left out") : "none in the files";
  const z = settings.heightMeters ?? 0;
  const rest = { history: focused, autofocus, settings, where, notes: focused.notes } as const;
  const { grid } = settings;
  if (grid) {
    const { xMeters, yMeters, xStepMeters, yStepMeters, nx, ny } = grid;
    return {
      ...rest,
      grid: {
        kind: "ground",
        nx,
        ny,
        originMeters: [xMeters, yMeters, z],
        xStepMeters: [xStepMeters, 0, 0],
        yStepMeters: [0, yStepMeters, 0],
      },
    };
  }
  const scene = await blameHistory(where, settings, () => sceneGrid(focused, { centreMeters: [0, 0, z] }));
  const [x, y] = scene.resolutionMeters.map((meters) => meters.toFixed(3));
  const end = scene.limit === "range" ? "ranges repeat beyond" : "pulses are too far apart for directions beyond";
  return {
    ...rest,
    grid: scene.grid,
    gridWhy: `${end}; 1.5 pixels to the finer resolution of ${x} m along x and ${y} m along y`,
    notes: scene.coarse ? [...rest.notes, "the grid is coarser than the resolution, for it would have too many pixels"] : rest.notes,
  };
}

export const projectionWork = ({ history, grid }: Projection): ProjectionWork => ({
  backprojections: grid.nx * grid.ny * history.referenceRangeMeters.length,
  largestBytes: 8 * grid.nx * grid.ny,
});

/**
 * Makes the image of `projection` on `device`. Throws a CommandError of kind `argument` for options that do not suit it and
 * of kind `file` for samples that make no image; what the device throws; `aborted` where the signal fires.
 */
export async function backprojectHistory(projection: Projection, device: Device, hooks: FocusHooks = {}): Promise<BackprojectedHistory> {
  const { history, grid, settings, where } = projection;
  const { signal, onProgress, inputs = [], clock = createClock(), whyDevice } = hooks;
  const add = {
    ...(signal ? { signal } : {}),
    onProgress: ({ pulses, of }: { pulses: number; of: number }) => onProgress?.("projecting", 0.9 * (pulses / of)),
  };
  onProgress?.("planning", 0);
  throwIfAborted(signal, "backprojection");
  using projector = await clock.time("plan", () =>
    blameHistory(where, settings, () => createBackprojector(device, history, grid, projectorOptions(projection))),
  );
  const start = performance.now();
  await projector.add(history.samples, add);
  await projector.finish(add);
  const seconds = (performance.now() - start) / 1000;
  clock.note("project", 1000 * seconds);
  const image = await clock.time("collect", async () =>
    heeding(signal, "collecting", scaled(await projector.image(), scaleOf(projection, projector.profiles))),
  );
  onProgress?.("measuring", 0.9);
  const measures = await clock.time("measure", () =>
    blameHistory(`the image of ${where}`, settings, async () => ({
      peak: await heeding(signal, measuring, peakOf(image, grid)),
      entropy: await heeding(signal, measuring, imageEntropySteps(image)),
      contrast: await heeding(signal, measuring, imageContrastSteps(image)),
    })),
  );
  throwIfAborted(signal, "backprojection");
  const { backprojections } = projectionWork(projection);
  const { profiles, interpolation, partition } = projector;
  const terms = termsOf(settings);
  const spacingMeters = [grid.yStepMeters[1], grid.xStepMeters[0]] as const;
  const report: BackprojectReport = {
    format: backprojectionFormat,
    version: backprojectionVersion,
    scene: nameOf(history),
    inputs,
    device: deviceReport(device, whyDevice),
    history: { pulses: partition.pulses, frequency: history.frequency, autofocus: projection.autofocus },
    image: { type: "c64", shape: [grid.ny, grid.nx] },
    axes: {
      xMeters: { start: grid.originMeters[0], step: spacingMeters[1], count: grid.nx },
      yMeters: { start: grid.originMeters[1], step: spacingMeters[0], count: grid.ny },
    },
    parameters: {
      grid: used(settings.grid && gridText(grid), gridText(grid), projection.gridWhy),
      heightMeters: used(settings.heightMeters, 0),
      convention: used(settings.convention, usual.convention),
      mode: used(settings.mode, usual.mode),
      interpolation: used<string | number>(settings.interpolation, nameOfInterpolation(interpolation)),
      interpolationDb: profileInterpolationDb(interpolation, profiles),
      bins: used(settings.bins, profiles.bins),
      window: used(settings.window && windowText(settings.window), windowText(usual.window)),
      carrier: used(settings.carrier, terms.carrier),
      scale: used(settings.scale, terms.scale),
      carrierHz: profiles.carrierHz,
      scheme: used<string>(settings.scheme, partition.scheme),
      tile: used(settings.tile, partition.tile),
      sets: used(settings.sets, partition.sets),
    },
    partition: projector.text.split("\n"),
    work: { backprojections, gigaBackprojectionsPerSecond: backprojections / seconds / 1e9 },
    ...measures,
    timings: [...clock.timings],
    notes: [...projection.notes, ...swathNote(projection)],
  };
  return { image, report, spacingMeters };
}

const nameOfInterpolation = (interpolation: ProfileInterpolation): string | number =>
  typeof interpolation === "string" ? interpolation : interpolation.taps;

/** Says so where some pulse does not reach some corner of the image: ranges repeat beyond half the swath, and the pulse adds nothing there. */
function swathNote({ history, grid }: Projection): string[] {
  const { positions, referenceRangeMeters, frequency } = history;
  const half = speedOfLight / (4 * frequency.stepHz);
  // `sceneGrid` ends there, to its rounding.
  const reach = half * (1 + 1e-6);
  const corners = [0, grid.nx - 1].flatMap((ix) => [0, grid.ny - 1].map((iy) => pixelPosition(grid, ix, iy)));
  let missed = 0;
  for (let p = 0; p < referenceRangeMeters.length; p++) {
    const away = ([x, y, z]: Vec3): number => Math.hypot(positions[3 * p] - x, positions[3 * p + 1] - y, positions[3 * p + 2] - z);
    if (corners.some((corner) => Math.abs(away(corner) - referenceRangeMeters[p]) > reach)) missed++;
  }
  if (missed === 0) return [];
  return [
    `parts of the image are farther than ${half.toPrecision(4)} m from the reference range of ${missed} of ${referenceRangeMeters.length} pulses, where ranges repeat: those pulses add nothing there`,
  ];
}

/** What the image is multiplied by: the backprojector's has `amplitude`. */
function scaleOf({ history, settings }: Projection, { bins }: { readonly bins: number }): number {
  const { scale = termsOf(settings).scale, window = usual.window } = settings;
  if (scale === "amplitude") return 1;
  return windowSamples(window, history.frequency.count).reduce((sum, w) => sum + w, 0) / bins;
}

/** Numbers that are looked at in a piece of work. */
const pieceNumbers = 2 ** 18;
/** What an interruption is said to have ended. */
const measuring = "measuring";

function* scaled(image: Float32Array, factor: number): Generator<void, Float32Array> {
  for (let i = 0; factor !== 1 && i < image.length; ) {
    for (const end = Math.min(i + pieceNumbers, image.length); i < end; i++) image[i] *= factor;
    yield;
  }
  return image;
}

const used = <T>(option: T | undefined, otherwise: T, why?: string): Used<T> => ({
  value: option ?? otherwise,
  source: option === undefined ? "default" : "option",
  ...(why === undefined ? {} : { why }),
});

const gridText = ({ originMeters: [x, y], xStepMeters: [dx], yStepMeters: [, dy], nx, ny }: GroundGrid): string =>
  [x, y, dx, dy, nx, ny].join(",");

function nameOf({ pass, polarisation }: PhaseHistory): string {
  return ["Gotcha", ...(pass === undefined ? [] : [`pass ${pass}`]), ...(polarisation === undefined ? [] : [polarisation])].join(" ");
}

function projectorOptions({ history, settings }: Projection): BackprojectorOptions {
  const terms = termsOf(settings);
  const { mode = usual.mode, interpolation = terms.interpolation, carrier = terms.carrier, window = usual.window } = settings;
  const { bins = terms.bins?.(history.frequency.count), scheme, tile, sets } = settings;
  return {
    mode,
    carrier,
    window,
    ...(typeof interpolation === "number" ? { interpolation: { kind: "sinc", taps: interpolation, window: "kaiser" } } : {}),
    ...(typeof interpolation === "string" ? { interpolation } : {}),
    ...(bins === undefined ? {} : { bins }),
    ...(scheme === undefined ? {} : { scheme }),
    ...(tile === undefined ? {} : { tile }),
    ...(sets === undefined ? {} : { sets }),
  };
}

/** An `input` error is the fault of the option it names, where that was given, else of the history. */
async function blameHistory<T>(where: string, settings: BackprojectSettings, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    const [root] = String(error.fields["field"]).split(/[.[]/);
    const named = optionOf[root];
    if (named && settings[named[1]] !== undefined) {
      const [option] = named;
      throw new CommandError("argument", `${option} does not suit ${where}: ${error.message}`, { option, ...error.fields }, error);
    }
    throw new CommandError("file", `${where}: ${error.message}`, { file: where, ...error.fields }, error);
  }
}

/** In pieces: the brightest pixel, and between pixels where a point target's main lobe is there. */
function* peakOf(image: Float32Array, grid: GroundGrid): Generator<void, Peak> {
  let best = 0;
  let most = 0;
  for (let i = 0; i < image.length; ) {
    for (const end = Math.min(i + pieceNumbers, image.length); i < end; i += 2) {
      const power = image[i] * image[i] + image[i + 1] * image[i + 1];
      if (power > most) [best, most] = [i, power];
    }
    yield;
  }
  const at = { row: Math.floor(best / 2 / grid.nx), column: (best / 2) % grid.nx };
  const { originMeters, xStepMeters, yStepMeters } = grid;
  const place = (row: number, column: number) => ({
    xMeters: originMeters[0] + column * xStepMeters[0],
    yMeters: originMeters[1] + row * yStepMeters[1],
  });
  try {
    const found = yield* pointTargetSteps({ data: image, rows: grid.ny, columns: grid.nx }, at, { searchHalfPixels: 1 });
    const cut = ({ irwPixels, pslrDb, islrDb }: CutMetrics, step: number): PeakCut => ({ irwMeters: irwPixels * step, pslrDb, islrDb });
    return {
      ...place(found.row, found.column),
      magnitude: found.peakMagnitude,
      phaseRadians: found.peakPhaseRadians,
      x: cut(found.range, xStepMeters[0]),
      y: cut(found.azimuth, yStepMeters[1]),
    };
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    const phaseRadians = Math.atan2(image[best + 1], image[best]);
    return { ...place(at.row, at.column), magnitude: Math.sqrt(most), phaseRadians, why: error.message };
  }
}
