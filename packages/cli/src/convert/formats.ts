/**
 * The table of what `dechirp convert` writes: each format with its endings, the kinds of things that become it, and the options that it takes.
 * The content of the input decides what it is; the ending of the output, or `--to`, decides what it becomes.
 */
import { extname } from "node:path";
import { argumentError, CommandError } from "../errors.ts";

/** Kinds of things that are converted. */
export type SourceKind = "phase-history" | "stripmap" | "array" | "image";

/** The options as commander passes them. */
export interface ConvertArguments {
  readonly to?: string;
  readonly channel?: string;
  readonly axes?: string;
  readonly cpi?: string;
  readonly set?: string;
  readonly origin?: string;
  readonly prf?: string;
  readonly start?: string;
  readonly collector?: string;
  readonly name?: string;
  readonly autofocus?: boolean;
  readonly formatVersion?: string;
  readonly pixels?: string;
  readonly epsg?: string;
  readonly height?: string;
  readonly mapStep?: string;
  readonly controlPoints?: boolean;
  readonly bare?: boolean;
  readonly dynamicRange?: string;
  readonly json?: boolean;
}

/** What kinds are called in a sentence. */
export const kindTitles: Readonly<Record<SourceKind, string>> = {
  "phase-history": "a phase history",
  stripmap: "a stripmap recording",
  array: "a recording of an antenna array",
  image: "an image",
};

interface Target {
  /** With its article. */
  readonly title: string;
  /** Endings of names, the usual one first. A folder has none. */
  readonly endings: readonly string[];
  /** Kinds of things that become it. */
  readonly from: readonly SourceKind[];
  /** Options that it takes, by their names as members of the arguments. */
  readonly options: readonly (keyof ConvertArguments)[];
}

const targetTable = {
  cphd: {
    title: "a CPHD file",
    endings: [".cphd"],
    from: ["phase-history"],
    options: ["origin", "prf", "start", "collector", "name", "autofocus", "formatVersion"],
  },
  scene: { title: "a scene folder", endings: [""], from: ["stripmap"], options: [] },
  npy: { title: "a .npy file", endings: [".npy"], from: ["array", "image"], options: [] },
  zarr: { title: "a Zarr store", endings: [".zarr"], from: ["image"], options: [] },
  sicd: { title: "a SICD image", endings: [".nitf", ".ntf", ".sicd"], from: ["image"], options: ["collector", "name", "formatVersion"] },
  cog: {
    title: "a cloud-optimised GeoTIFF",
    endings: [".tif", ".tiff"],
    from: ["image"],
    options: ["pixels", "epsg", "height", "mapStep", "controlPoints"],
  },
  png: { title: "a PNG picture", endings: [".png"], from: ["image"], options: ["bare", "dynamicRange"] },
} as const satisfies Readonly<Record<string, Target>>;

/** A format that is written. */
export type TargetName = keyof typeof targetTable;

/** All formats that are written. */
export const targets: Readonly<Record<TargetName, Target>> = targetTable;
const names = Object.keys(targetTable) as readonly TargetName[];

/** Options that concern the input, by the kind that has them. */
const sourceOptions: Readonly<Partial<Record<keyof ConvertArguments, SourceKind>>> = {
  channel: "phase-history",
  axes: "array",
  cpi: "array",
  set: "array",
};

/** An option as it is written on the command line. */
const flagOf = (option: string): string =>
  option === "autofocus" ? "--no-autofocus" : `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Whether an option was given. Commander sets `autofocus` unless `--no-autofocus` is given. */
const isGiven = (options: ConvertArguments, option: keyof ConvertArguments): boolean =>
  option === "autofocus" ? options.autofocus === false : options[option] !== undefined;

/** The format of the output, by `--to` or its ending. Throws `argument`. */
export function targetOf(out: string, { to }: ConvertArguments): TargetName {
  if (to !== undefined) {
    const found = names.find((name) => name === to);
    if (found) return found;
    throw argumentError("--to", `one of ${names.join(", ")}`, to);
  }
  const ending = extname(out).toLowerCase();
  const found = names.find((name) => targets[name].endings.includes(ending));
  if (found) return found;
  const known = names.flatMap((name) => targets[name].endings.filter((one) => one !== ""));
  const message = `OUT must end in one of ${known.join(", ")}, be the name of a folder without an ending, or come with --to, not ${JSON.stringify(out)}`;
  throw new CommandError("argument", message, { option: "OUT", expected: known, actual: out });
}

/** Throws `argument` unless things of a kind become the format, and all options that are given apply to the two. */
export function checkPair(file: string, kind: SourceKind, target: TargetName, options: ConvertArguments): void {
  const { title, from } = targets[target];
  if (!(from as readonly SourceKind[]).includes(kind)) {
    const possible = names.filter((name) => (targets[name].from as readonly SourceKind[]).includes(kind));
    const list = possible.map((name) => `${targets[name].title} (${name})`);
    const ways = list.length > 1 ? `${list.slice(0, -1).join(", ")} or ${list[list.length - 1]}` : list[0];
    const message = `${file}: ${kindTitles[kind]} can't become ${title}; it can become ${ways}`;
    throw new CommandError("argument", message, { option: "--to", file, expected: possible, actual: target });
  }
  for (const option of Object.keys(options) as (keyof ConvertArguments)[]) {
    if (option === "to" || option === "json" || !isGiven(options, option)) continue;
    const needed = sourceOptions[option];
    if (needed === undefined ? targets[target].options.includes(option) : needed === kind) continue;
    const where =
      needed === undefined
        ? names
            .filter((name) => (targets[name].options as readonly string[]).includes(option))
            .map((name) => targets[name].title)
            .join(" or ")
        : kindTitles[needed];
    const message = `${flagOf(option)} is for ${where}, not for ${needed === undefined ? title : kindTitles[kind]}`;
    throw new CommandError("argument", message, { option: flagOf(option), expected: where, actual: needed === undefined ? target : kind });
  }
}
