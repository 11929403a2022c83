/** Descriptions as facts for people, and as lines of text. */
import { memorySizeText, oneLine } from "@dechirp/core/internal";
import { checkThing, type InfoPlace, type InfoPosition, type InfoRadar, type InfoThing } from "./report.ts";

type Row = readonly [label: string, text: string];

/** A fact of a description as it is shown to people. */
export interface InfoFact {
  /** What it is, in small letters: `carrier`, `look side`, … */
  readonly label: string;
  /** Its value with its unit, on one line. */
  readonly text: string;
}

/** The facts of a description for people, in order, without its notes and commands. Throws `input` for anything but a description. */
export function infoFacts(thing: InfoThing): readonly InfoFact[] {
  checkThing(thing, "thing");
  return factRows(thing).map(([label, text]) => ({ label, text: oneLine(text) }));
}

/** A description as lines of text: what it is, then a fact on each line. Names and notes come from files, so each is one line. Throws `input` for anything but a description. */
export function infoText(thing: InfoThing): string {
  checkThing(thing, "thing");
  const { file, format, commands, notes } = thing;
  const version = format.version === undefined ? "" : ` ${format.version}`;
  const rows: Row[] = [
    ...factRows(thing),
    ...notes.map((note): Row => ["note", note]),
    ...commands.map((command, i): Row => [i === 0 ? "can be used" : "", command]),
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  return [`${oneLine(file)}: ${format.title}${version}`, ...rows.map(([label, text]) => `  ${label.padEnd(width)}  ${oneLine(text)}`)].join(
    "\n",
  );
}

function factRows({ isRead, kind, name, bytes, shape, axes, sampleType, radar, channels, place, details }: InfoThing): readonly Row[] {
  return [
    ["kind", `${kindTexts[kind]}${isRead ? "" : "; not read by dechirp"}`],
    ...(name === undefined ? [] : ([["name", name]] as const)),
    ["size", memorySizeText(bytes)],
    ...(shape ? ([["shape", shape.map((side, i) => (axes?.[i] ? `${side} (${axes[i]})` : `${side}`)).join(" × ")]] as const) : []),
    ...(sampleType === undefined ? [] : ([["samples", sampleType]] as const)),
    ...(radar ? radarRows(radar) : []),
    ...(place ? placeRows(place) : []),
    ...(channels ?? []).map(
      ({ name: channel, shape: sides, polarisation, bandHz }): Row => [
        "channel",
        [channel, sides.join(" × "), ...(polarisation === undefined ? [] : [polarisation]), ...(bandHz ? [bandText(bandHz)] : [])].join(
          ", ",
        ),
      ],
    ),
    ...Object.entries(details ?? {}).map(([key, value]): Row => [labelOf(key), valueText(key, value)]),
  ];
}

const kindTexts: Readonly<Record<InfoThing["kind"], string>> = {
  stripmap: "raw echoes to focus",
  "phase-history": "phase history to backproject",
  array: "recording of an antenna array",
  image: "complex image",
  map: "image on a map",
  picture: "picture",
  result: "result of a command",
  data: "other data",
};

/** A number with six digits, without zeros at its end. */
const plain = (value: number): string => String(Number(value.toPrecision(6)));

const hertz = (value: number): string => {
  const [scale, unit] = value >= 1e9 ? [1e9, "GHz"] : value >= 1e6 ? [1e6, "MHz"] : value >= 1e3 ? [1e3, "kHz"] : [1, "Hz"];
  return `${plain(value / scale)} ${unit}`;
};

const bandText = ([least, largest]: readonly [number, number]): string =>
  `${hertz(least)} to ${hertz(largest)} (${hertz(largest - least)})`;

function radarRows({ collector, mode, collectType, carrierHz, bandHz, samplingRateHz, prfHz, pulses, ...rest }: InfoRadar): readonly Row[] {
  const { polarisation, startUtc, durationSeconds, nearRangeMeters } = rest;
  const row = <T>(label: string, value: T | undefined, text: (value: T) => string): readonly Row[] =>
    value === undefined ? [] : [[label, text(value)]];
  return [
    ...row("collector", collector, String),
    ...row("mode", mode, (text) =>
      collectType === undefined ? text.toLowerCase() : `${text.toLowerCase()}, ${collectType.toLowerCase()}`,
    ),
    ...row("carrier", carrierHz, hertz),
    ...row("band", bandHz, bandText),
    ...row("sampling", samplingRateHz, hertz),
    ...row("PRF", prfHz, hertz),
    ...row("pulses", pulses, String),
    ...row("polarisation", polarisation, String),
    ...row("start", startUtc, String),
    ...row("duration", durationSeconds, (seconds) => `${plain(seconds)} s`),
    ...row("near range", nearRangeMeters, (meters) => `${meters.toFixed(2)} m`),
  ];
}

const positionText = ({ latitudeDegrees, longitudeDegrees, heightMeters }: InfoPosition): string =>
  `${latitudeDegrees.toFixed(6)}° ${longitudeDegrees.toFixed(6)}°${heightMeters === undefined ? "" : `, ${heightMeters.toFixed(1)} m`}`;

function placeRows({ centre, corners, epsg, view }: InfoPlace): readonly Row[] {
  return [
    ["centre", positionText(centre)],
    ...(corners ? ([["corners", corners.map(positionText).join("; ")]] as const) : []),
    ...(epsg === undefined ? [] : ([["map", `EPSG ${epsg}`]] as const)),
    ...(view
      ? ([
          ["look side", view.lookSide],
          ["incidence", `${view.incidenceDegrees.toFixed(3)}° (grazing ${view.grazingDegrees.toFixed(3)}°)`],
          ["slant range", `${view.slantRangeMeters.toFixed(1)} m`],
          ["heading", `${view.headingDegrees.toFixed(2)}°`],
          ["radar", `${positionText(view.radar)}, seen at ${view.azimuthDegrees.toFixed(2)}°`],
        ] as const)
      : []),
  ];
}

/** Units that end a name: `rowSpacingMeters` becomes `row spacing` with `m` behind the value. */
const units: readonly (readonly [ending: string, unit: string])[] = [
  ["MetersPerSecond", " m/s"],
  ["Meters", " m"],
  ["Degrees", "°"],
  ["Hz", " Hz"],
];
const unitOf = (key: string) => units.find(([ending]) => key.endsWith(ending));
const labelOf = (key: string): string =>
  key
    .slice(0, key.length - (unitOf(key)?.[0].length ?? 0))
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();

function valueText(key: string, value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? `${plain(value)}${unitOf(key)?.[1] ?? ""}` : value;
}
