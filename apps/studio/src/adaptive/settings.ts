/** The settings of the task Adaptive processing. */
import { inputError } from "@dechirp/core";
import { choice, decimal, flag, integer, orAuto, type SettingValues, words } from "../settings.ts";

/** Orders of the axes of an array in a file, outermost first. */
export const axisOrders = ["cpr", "crp", "pcr", "prc", "rcp", "rpc"] as const;

export const settings = {
  /** Where the data comes from: Ward's scenario, `url`, or `files`, which an address can't hold. */
  source: choice(["ward", "url", "files"], "ward"),
  /** Address of a recording on a server. */
  url: words(""),
  // Ward's scenario
  elements: integer(2, 24, 12),
  pulses: integer(4, 64, 16),
  ranges: integer(64, 4096, 256),
  speed: decimal(0, 200, 50),
  cnr: decimal(-20, 70, 40),
  jammers: integer(0, 2, 1),
  jammer1: decimal(-80, 80, -40),
  jammer2: decimal(-80, 80, 25),
  jnr: decimal(-20, 60, 30),
  angle: decimal(-80, 80, 0),
  doppler: decimal(-150, 150, 60),
  snr: decimal(-40, 40, 3),
  seed: integer(0, 2 ** 32 - 1, 1),
  // how a file is read
  axes: choice(["auto", ...axisOrders], "auto"),
  cpi: integer(1, 4096, 1),
  prf: orAuto(decimal(1e-3, 1e9, 1)),
  spacing: orAuto(decimal(1e-3, 100, 0.5)),
  // processing
  preset: choice(["auto", "paper", "perfect", "mountain-top"], "auto"),
  taps: orAuto(integer(1, 9, 3)),
  padding: choice(["auto", "1", "2"], "auto"),
  window: choice(["auto", "hann", "hamming", "taylor", "chebyshev"], "auto"),
  directions: choice(["auto", "look", "scan"], "auto"),
  training: choice(["auto", "adjacent", "own", "sliding"], "auto"),
  block: orAuto(integer(1, 65536, 32)),
  guard: orAuto(integer(0, 4096, 0)),
  loading: orAuto(decimal(0, 1, 0)),
  pfa: orAuto(decimal(1e-15, 0.5, 1e-6)),
  device: choice(["cpu", "gpu"], "cpu"),
  // what is shown
  adaptive: flag(true),
  method: choice(["efa", "jdl", "adpca", "dpca"], "efa"),
  /** The examined cell: range bin, and Doppler in Hz or cycles per pulse. */
  cell: orAuto({
    default: [0, 0] as const,
    parse(text, name) {
      const [range = "", doppler = "", ...more] = text.split("_");
      try {
        if (more.length > 0) throw new RangeError("too many numbers");
        return [integer(0, 2 ** 24, 0).parse(range, name), decimal(-1e9, 1e9, 0).parse(doppler, name)] as const;
      } catch (error) {
        throw inputError(name, "auto, or a range bin and a Doppler, such as 128_60", text, error);
      }
    },
    format: ([range, doppler]: readonly [number, number]) => `${range}_${doppler}`,
  }),
};

/** Values of the settings. */
export type Values = SettingValues<typeof settings>;
