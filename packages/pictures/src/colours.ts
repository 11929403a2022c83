/** Colours: maps from values to colours for images and heat maps, and the colours of series. */
import { inputError } from "@dechirp/core";

/** Colours of series: those of Okabe and Ito, which colour-blind readers can tell apart. */
export const seriesColours: readonly string[] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/** Colours of 256 levels, three bytes (red, green, blue) each. */
export type ColourMap = Uint8Array;

const levels = 256;

/** The colour maps. */
export const colourMapNames = ["grey", "viridis", "inferno", "cividis"] as const;

/** `grey` is from black to white. The others are matplotlib's, perceptually uniform; `cividis` and `viridis` suit colour-blind readers. */
export type ColourMapName = (typeof colourMapNames)[number];

const made = new Map<ColourMapName, ColourMap>();

/** A colour map: 256 colours of three bytes (red, green, blue), from the lowest value to the highest. Rejects with `input` for another name. */
export async function colourMap(name: ColourMapName): Promise<ColourMap> {
  if (!colourMapNames.includes(name)) throw inputError("name", colourMapNames.join(" or "), name);
  const known = made.get(name);
  if (known) return known;
  const map = name === "grey" ? greys() : await schemeOf(name);
  made.set(name, map);
  return map;
}

/** A colour map as d3 provides it. */
async function schemeOf(name: Exclude<ColourMapName, "grey">): Promise<ColourMap> {
  const { interpolateViridis, interpolateInferno, interpolateCividis } = await import("d3-scale-chromatic");
  const colourAt = { viridis: interpolateViridis, inferno: interpolateInferno, cividis: interpolateCividis }[name];
  return Uint8Array.from(Array.from({ length: levels }, (_, i) => channelsOf(colourAt(i / (levels - 1)))).flat());
}

const greys = (): ColourMap => Uint8Array.from({ length: 3 * levels }, (_, i) => Math.floor(i / 3));

/** Converts a colour map to the stops of a gradient, from its first colour to its last. */
export function stopsOf(map: ColourMap): readonly { readonly offset: number; readonly color: string }[] {
  const every = 15;
  return Array.from({ length: (levels - 1) / every + 1 }, (_, i) => ({
    offset: (every * i) / (levels - 1),
    color: `rgb(${map.subarray(3 * every * i, 3 * every * i + 3).join(",")})`,
  }));
}

/** Red, green and blue of a colour such as `#0072b2` or `rgb(0, 114, 178)`. */
const channelsOf = (colour: string): readonly number[] =>
  colour.startsWith("#") ? [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) : colour.match(/\d+/g)!.map(Number);

/** Mixes grey of a `level` (0 to 255) into `colour`; `share` is its share, 0 to 1. */
export function mixed(colour: string, level: number, share: number): string {
  const channels = channelsOf(colour).map((of) => Math.round(of + (level - of) * share));
  return `#${channels.map((of) => of.toString(16).padStart(2, "0")).join("")}`;
}

/** Whether white text is easier to read on a colour than black text, judged by its luma (ITU-R BT.601). */
export function isDark(colour: string): boolean {
  const [red, green, blue] = channelsOf(colour);
  return 0.299 * red + 0.587 * green + 0.114 * blue < 110;
}
