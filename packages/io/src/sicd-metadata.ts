/**
 * What a SICD image says about itself, as typed data with units: the part of its XML that dechirp uses. Readers make it of XML
 * (sicd-parse.ts), and the writer makes XML of it (sicd-xml.ts). Names of SICD are in the comments. Source: NGA.STND.0024-1, SICD
 * Volume 1, Design & Implementation Description Document, versions 1.1.0 to 1.4.0; sections are of version 1.3.0.
 */
import type { GeodeticPosition, Vector3 } from "@dechirp/radar/geodesy";

/** How pixels are stored: two float32, two int16, or an amplitude and a phase of 8 bits each. */
export type SicdPixelType = "RE32F_IM32F" | "RE16I_IM16I" | "AMP8I_PHS8I";

/** Coefficients of a polynomial: the sum of c[i]·xⁱ. */
export type Polynomial = readonly number[];

/** Coefficients of a polynomial of two variables, [i][j]: the sum of c[i][j]·xⁱ·yʲ. Rows have the same length. */
export type Polynomial2 = readonly Polynomial[];

/** A path as polynomials of time, Earth-fixed (ECEF), in metres; time in seconds. */
export interface PathPolynomial {
  readonly x: Polynomial;
  readonly y: Polynomial;
  readonly z: Polynomial;
}

/** A window, as SICD names it (WgtType): `UNIFORM`, `TAYLOR`, … with its parameters as texts. */
export interface SicdWindow {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** One direction of the image grid (Grid/Row, Grid/Col). Frequencies are spatial, in cycles per metre along the direction. */
export interface SicdDirection {
  /** Unit vector from one pixel to the next, Earth-fixed (UVectECF). */
  readonly unitVector: Vector3;
  /** From one pixel to the next (SS). */
  readonly spacingMeters: number;
  /** Width of a point target at half power (ImpRespWid). */
  readonly responseWidthMeters: number;
  /** Sign of the exponent of the transform from pixels to spatial frequencies (Sgn). */
  readonly sign: -1 | 1;
  /** Bandwidth of a point target (ImpRespBW). */
  readonly bandwidthCyclesPerMeter: number;
  /** Spatial frequency that is at 0 in the transform of the pixels (KCtr). */
  readonly centreCyclesPerMeter: number;
  /** Least and largest frequency of the pixels relative to the centre (DeltaK1, DeltaK2). */
  readonly edgesCyclesPerMeter: readonly [least: number, largest: number];
  /** Middle of the band of a target at (x, y) relative to the centre (DeltaKCOAPoly). Default: 0. */
  readonly middleCyclesPerMeter?: Polynomial2;
  readonly window?: SicdWindow;
  /** The window's samples over the band (WgtFunct). */
  readonly weights?: readonly number[];
}

/** The algorithm block of range-Doppler and ω-K images (RMA with INCA). */
export interface SicdInca {
  /** `RG_DOP`, `OMEGA_K` or `CSA` (RMAlgoType). */
  readonly algorithm: string;
  /** Time of closest approach in seconds, of the column coordinate y in metres (TimeCAPoly). */
  readonly timeOfClosestApproach: Polynomial;
  /** Range of closest approach of the scene centre point (R_CA_SCP). */
  readonly closestRangeMeters: number;
  /** Frequency of Doppler values (FreqZero). */
  readonly zeroHz: number;
  /** Doppler rate relative to that of a straight path over a flat Earth, of (x, y) (DRateSFPoly). */
  readonly dopplerRateScale: Polynomial2;
  /** Doppler centroid in Hz, of (x, y) (DopCentroidPoly). */
  readonly dopplerCentroidHz?: Polynomial2;
  /** Whether the centre of the aperture of a target is where its Doppler frequency is the centroid (DopCentroidCOA). */
  readonly centroidIsCentre?: boolean;
}

/** What projects pixels of images by the polar format algorithm (PFA). */
export interface SicdPfa {
  /** Polar angle in radians, of time in seconds (PolarAngPoly). */
  readonly polarAngle: Polynomial;
  /** Scale of spatial frequencies, of the polar angle (SpatialFreqSFPoly). */
  readonly frequencyScale: Polynomial;
}

/** Where the radar was at the centre of the aperture of the scene centre point, and how it looked at it (SCPCOA, section 4.10). */
export interface SicdScpCoa {
  readonly seconds: number;
  /** Position, velocity and acceleration of the aperture reference point, Earth-fixed. */
  readonly positionMeters: Vector3;
  readonly velocityMetersPerSecond: Vector3;
  readonly accelerationMetersPerSecond2: Vector3;
  readonly side: "L" | "R";
  readonly slantRangeMeters: number;
  readonly groundRangeMeters: number;
  readonly dopplerConeDegrees: number;
  readonly grazingDegrees: number;
  readonly incidenceDegrees: number;
  readonly twistDegrees: number;
  readonly slopeDegrees: number;
  readonly azimuthDegrees: number;
  readonly layoverDegrees: number;
}

/** What a SICD image says about itself. x and y are metres from the scene centre point along rows' and columns' increasing index. */
export interface SicdMetadata {
  /** Such as `1.3.0`. */
  readonly version: string;
  readonly collection: {
    readonly collector: string;
    /** Name of the image (CoreName). */
    readonly name: string;
    readonly type: string;
    /** `SPOTLIGHT`, `STRIPMAP` or `DYNAMIC STRIPMAP`. */
    readonly mode: string;
    readonly modeId?: string;
    readonly classification: string;
  };
  /** Program that made the image (ImageCreation), and when, in UTC. */
  readonly creation?: { readonly application?: string; readonly dateTime?: string };
  readonly image: {
    readonly pixelType: SicdPixelType;
    readonly rows: number;
    readonly columns: number;
    /** Row and column of the first pixel in the full image, of which this one may be a part. */
    readonly firstRow: number;
    readonly firstColumn: number;
    readonly fullRows: number;
    readonly fullColumns: number;
    /** Amplitudes of the 256 values of AMP8I_PHS8I (AmpTable). Default: the values themselves. */
    readonly amplitudes?: readonly number[];
  };
  /** The scene centre point: its pixel in the full image, and where it is. */
  readonly scp: {
    readonly row: number;
    readonly column: number;
    readonly ecefMeters: Vector3;
    readonly geodetic: Required<GeodeticPosition>;
  };
  /** Corners of the image on the ground: first row first column, first row last column, last row last column, last row first column. */
  readonly corners: readonly GeodeticPosition[];
  readonly grid: {
    /** `SLANT`, `GROUND` or `OTHER` (ImagePlane). */
    readonly plane: string;
    /** `RGAZIM`, `RGZERO`, `XRGYCR`, `XCTYAT` or `PLANE`. */
    readonly type: string;
    /** Time of the centre of the aperture in seconds, of (x, y) (TimeCOAPoly). */
    readonly timeOfAperture: Polynomial2;
    readonly row: SicdDirection;
    readonly column: SicdDirection;
  };
  /** Time 0, in UTC (CollectStart). All times are in seconds after it. */
  readonly start: string;
  readonly durationSeconds: number;
  /** Pulses per second, if they are stated as evenly spaced (Timeline/IPP with one set of order 1). */
  readonly prfHz?: number;
  /** Path of the aperture reference point (ARPPoly). */
  readonly path: PathPolynomial;
  readonly transmitHz: readonly [least: number, largest: number];
  /** Polarisations of the channels, such as `V:V`, transmitted first. */
  readonly channels: readonly string[];
  readonly processing: {
    /** `PFA`, `RMA`, `RGAZCOMP` or `OTHER`. */
    readonly algorithm: string;
    readonly polarisation: string;
    readonly seconds: readonly [first: number, last: number];
    readonly hz: readonly [least: number, largest: number];
    /** Whether pulses were corrected by autofocus (AzAutofocus): `NO`, `GLOBAL` or `SV`. */
    readonly autofocus: string;
  };
  readonly inca?: SicdInca;
  readonly pfa?: SicdPfa;
  /** As the file states it; `sicdScpCoa` computes it. */
  readonly scpCoa?: Partial<SicdScpCoa>;
}

/** Bytes of a pixel, and what NITF says about it. */
export const pixelTypes = {
  RE32F_IM32F: { bytes: 8, bits: 32, PVTYPE: "R", ISUBCAT: ["I", "Q"] },
  RE16I_IM16I: { bytes: 4, bits: 16, PVTYPE: "SI", ISUBCAT: ["I", "Q"] },
  AMP8I_PHS8I: { bytes: 2, bits: 8, PVTYPE: "INT", ISUBCAT: ["M", "P"] },
} as const satisfies Readonly<Record<SicdPixelType, unknown>>;

/** Names of the corners in the order of `corners`. */
export const cornerNames = ["1:FRFC", "2:FRLC", "3:LRLC", "4:LRFC"] as const;
