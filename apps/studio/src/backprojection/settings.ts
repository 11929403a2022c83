/** The settings of the task Backprojection, all of which are in the address of the page, and what is computed from them. */
import type { ProfileInterpolation } from "@dechirp/sar";
import { choice, decimal, integer, orAuto, type SettingValues, words } from "../settings.ts";
import type { DeviceName } from "../work/devices.ts";

/** Ways to read profiles between bins. `default` leaves the choice to the package. */
const interpolations = ["default", "quadratic", "linear", "sinc8", "sinc16"] as const;

export const settings = {
  /** Where the pulses come from: a simulated flight, `url`, or `files`, which an address can't hold. */
  source: choice(["simulated", "url", "files"], "simulated"),
  /** Address of a recording on a server. */
  url: words(""),
  device: choice(["cpu", "gpu"], "cpu"),
  /** Ends of the aperture, in percent of the flight. */
  from: decimal(0, 100, 45),
  to: decimal(0, 100, 55),
  /** Middle and edge of the window, in metres. Automatic: the scene of a recording, or 40 m around the middle of a simulated one. */
  x: orAuto(decimal(-1e6, 1e6, 0)),
  y: orAuto(decimal(-1e6, 1e6, 0)),
  edge: orAuto(decimal(0.1, 1e6, 40)),
  /** Pixels along an edge of the image. */
  pixels: integer(16, 4096, 256),
  interpolation: choice(interpolations, "default"),
  mode: choice(["precise", "fast"], "precise"),
  /** The target that is measured: its number, from 1 on, or 0 for the one nearest to the middle of the window. */
  point: integer(0, 200, 0),
  range: decimal(5, 120, 50),
  colours: choice(["grey", "viridis", "inferno", "cividis"], "grey"),
  track: choice(["circular", "linear"], "circular"),
  /** Degrees of azimuth over which the scene is seen. */
  arc: decimal(1, 360, 60),
  /** Ground range and height of the track over the middle of the scene, in metres. */
  standoff: decimal(50, 50_000, 1000),
  altitude: decimal(0, 50_000, 800),
  /** Edge of the scene that the pulses can image without ambiguity, in metres. */
  scene: decimal(5, 500, 60),
  /** Centre frequency in GHz, and bandwidth in MHz. */
  centre: decimal(0.3, 100, 5.4),
  bandwidth: decimal(10, 4000, 400),
  targets: integer(1, 200, 24),
  /** Root mean square of the noise of a sample; a target's amplitude is at most 1. */
  noise: decimal(0, 100, 0),
  seed: integer(0, 2 ** 32 - 1, 1),
};

export type Values = SettingValues<typeof settings>;

/** A choice of interpolation as the package takes it. Absent: the package's default. */
export function interpolationOf(name: Values["interpolation"]): ProfileInterpolation | undefined {
  if (name === "default") return undefined;
  if (name === "quadratic" || name === "linear") return name;
  return { kind: "sinc", taps: name === "sinc8" ? 8 : 16, window: "knab" };
}

/** Settings that describe the flight and the scene. */
export const flightNames = ["track", "arc", "standoff", "altitude", "scene", "centre", "bandwidth", "targets", "noise", "seed"] as const;

/** What a simulated flight follows from. */
export type FlightChoices = Pick<Values, (typeof flightNames)[number]>;

/** What an image follows from, besides its flight. */
export interface ImageRequest {
  readonly device: DeviceName;
  /** Ends of the aperture in percent of the flight, in any order. */
  readonly aperture: readonly [from: number, to: number];
  readonly window: ImageWindow;
  readonly pixels: number;
  readonly interpolation: Values["interpolation"];
  readonly mode: Values["mode"];
  readonly point: number;
}

/** The square that is imaged: its middle, and its edge, in metres. */
export interface ImageWindow {
  readonly x: number;
  readonly y: number;
  readonly edge: number;
}

/** The window of a simulated flight. */
const simulatedWindow: ImageWindow = { x: 0, y: 0, edge: 40 };

/** The square of a scene that is imaged unless the settings say another. */
const windowOf = ({ x, y, half }: Scene): ImageWindow => ({ x, y, edge: Number((2 * half).toPrecision(3)) });

/** The square that can be imaged without ambiguity: its middle, and half its edge, in metres. */
export interface Scene {
  readonly x: number;
  readonly y: number;
  readonly half: number;
}

const orElse = (value: number | "auto", standard: number): number => (value === "auto" ? standard : value);

/** The image that the settings ask for. `scene` is that of a recording. */
export const requestOf = (
  { device, from, to, x, y, edge, pixels, interpolation, mode, point }: Values,
  scene: Scene | undefined,
  standard = scene ? windowOf(scene) : simulatedWindow,
): ImageRequest => ({
  device,
  aperture: [from, to],
  window: { x: orElse(x, standard.x), y: orElse(y, standard.y), edge: orElse(edge, standard.edge) },
  pixels,
  interpolation,
  mode,
  point,
});

/** How power becomes colours. */
export type Display = Pick<Values, "range" | "colours">;
