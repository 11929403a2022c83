/** What `describePlace` says of a file or folder, as plain data, and the report of version 1 that `dechirp info` makes of it. Members that are not known are left out. */
import { inputError } from "@dechirp/core";

/** Value of the field `format` in the report of `dechirp info`. */
export const infoFormat = "dechirp-info";
/** Value of its field `version`. */
export const infoVersion = 1;

/** A place on the WGS 84 ellipsoid. */
export interface InfoPosition {
  readonly latitudeDegrees: number;
  readonly longitudeDegrees: number;
  readonly heightMeters?: number;
}

/** How a radar saw the centre of a scene. */
export interface InfoView {
  readonly lookSide: "left" | "right";
  readonly slantRangeMeters: number;
  /** Angle at the scene between the line of sight and the vertical. */
  readonly incidenceDegrees: number;
  /** Angle at the scene between the line of sight and the ground. */
  readonly grazingDegrees: number;
  /** Direction of flight at the place below the radar, clockwise from north. */
  readonly headingDegrees: number;
  /** Direction from the scene to the radar, clockwise from north. */
  readonly azimuthDegrees: number;
  /** Where the radar was. */
  readonly radar: Required<InfoPosition>;
}

/** Where something is on earth. */
export interface InfoPlace {
  readonly centre: InfoPosition;
  /** Corners of what is shown, one after another around it. */
  readonly corners?: readonly InfoPosition[];
  /** Code of the map whose pixels are at regular places, if it is one. */
  readonly epsg?: number;
  readonly view?: InfoView;
}

/** Facts of a radar and of its collection. */
export interface InfoRadar {
  readonly collector?: string;
  readonly mode?: string;
  readonly collectType?: string;
  readonly carrierHz?: number;
  /** Edges of the band of radio frequencies. */
  readonly bandHz?: readonly [least: number, largest: number];
  readonly samplingRateHz?: number;
  /** Pulse repetition frequency. */
  readonly prfHz?: number;
  readonly pulses?: number;
  /** Transmitted, then received: `VV`, or as the file states it. */
  readonly polarisation?: string;
  /** UTC of time 0. */
  readonly startUtc?: string;
  readonly durationSeconds?: number;
  /** Slant range of the first sample. */
  readonly nearRangeMeters?: number;
}

/** A channel of a file that has several. */
export interface InfoChannel {
  readonly name: string;
  readonly shape: readonly number[];
  readonly polarisation?: string;
  readonly bandHz?: readonly [least: number, largest: number];
}

/** What a file or folder is, by its content. */
export interface InfoThing {
  /** The path as it was given. */
  readonly file: string;
  readonly format: {
    /** Short name: `cphd`, `sicd`, `npy`, `geotiff`, … */
    readonly name: string;
    /** What it is called in a sentence. */
    readonly title: string;
    /** Version of the format that the file states. */
    readonly version?: string;
  };
  /** Whether dechirp reads more of it than is said here. */
  readonly isRead: boolean;
  /** Raw echoes, phase histories, cubes of antenna arrays, complex images, maps and pictures of images, other results, or other data. */
  readonly kind: "stripmap" | "phase-history" | "array" | "image" | "map" | "picture" | "result" | "data";
  /** The name that the file states. */
  readonly name?: string;
  /** Bytes of the file, or of the files in the folder. */
  readonly bytes: number;
  readonly shape?: readonly number[];
  /** Names of the axes of `shape`, outermost first. */
  readonly axes?: readonly string[];
  /** Type of a sample as it is stored. */
  readonly sampleType?: string;
  readonly radar?: InfoRadar;
  readonly channels?: readonly InfoChannel[];
  readonly place?: InfoPlace;
  /** Further facts of the format by their names, such as tiles and overviews. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
  /** Command lines that take it. */
  readonly commands: readonly string[];
  /** Remarks, one sentence each. */
  readonly notes: readonly string[];
}

/** Throws `input`, which names `field`, unless a value looks like a description. */
export function checkThing(thing: InfoThing, field: string): void {
  const { file, format, commands, notes } = (thing ?? {}) as Partial<InfoThing>;
  const isSound = typeof file === "string" && typeof format?.title === "string" && Array.isArray(commands) && Array.isArray(notes);
  if (!isSound) throw inputError(field, "a description as describePlace makes it", thing);
}

/** What `dechirp info --json` prints. */
export interface InfoReport {
  readonly format: typeof infoFormat;
  readonly version: typeof infoVersion;
  /** One for each argument, in their order. */
  readonly files: readonly InfoThing[];
}
