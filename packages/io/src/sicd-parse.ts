/**
 * Makes typed metadata of the XML of a SICD image. What pixels and geometry need is required; the rest may be absent, as in files of older
 * versions. Errors name the element. Orders of polynomials and sizes of tables are limited, because the XML states them.
 */
import type { Vector3 } from "@dechirp/radar/geodesy";
import { fieldError, fileError, stateError } from "./file-error.ts";
import {
  cornerNames,
  type PathPolynomial,
  type Polynomial,
  type Polynomial2,
  pixelTypes,
  type SicdDirection,
  type SicdInca,
  type SicdMetadata,
  type SicdPfa,
  type SicdPixelType,
  type SicdScpCoa,
} from "./sicd-metadata.ts";
import { type XmlElement, xmlAll, xmlBoolean, xmlChoice, xmlFind, xmlGet, xmlInteger, xmlNumber, xmlText, xmlVector } from "./xml.ts";

/** Largest order of a polynomial in one variable. Those of real images have 2 to 10. */
const mostOrder = 63;
/** Largest number of rows, columns, and indices of pixels. */
const mostPixels = 2 ** 40;

const xyz = ["X", "Y", "Z"] as const;

/** Metadata of the root element of a SICD document. Throws `input`, which names the element. */
export function parseSicdMetadata(root: XmlElement): SicdMetadata {
  const version = versionOf(root);
  const optional = <T>(path: string, read: (element: XmlElement) => T): T | undefined => {
    const found = xmlFind(root, path);
    return found && read(found);
  };
  const creation = optional("ImageCreation", (element) => ({
    ...given("application", optionalText(element, "Application")),
    ...given("dateTime", optionalText(element, "DateTime")),
  }));
  const pairOf = (path: string, least: string, largest: string): readonly [number, number] => {
    const first = xmlNumber(root, `${path}/${least}`);
    return [first, xmlNumber(root, `${path}/${largest}`, { least: first })];
  };
  const prfHz = optional("Timeline/IPP", prfOf);
  const algorithm = xmlText(root, "ImageFormation/ImageFormAlgo");
  const inca = optional("RMA/INCA", (element) => incaOf(root, element));
  const pfa = optional("PFA", pfaOf);
  const scpCoa = optional("SCPCOA", scpCoaOf);
  return {
    version,
    collection: {
      collector: xmlText(root, "CollectionInfo/CollectorName"),
      name: xmlText(root, "CollectionInfo/CoreName"),
      type: optionalText(root, "CollectionInfo/CollectType") ?? "MONOSTATIC",
      mode: xmlText(root, "CollectionInfo/RadarMode/ModeType"),
      ...given("modeId", optionalText(root, "CollectionInfo/RadarMode/ModeID")),
      classification: optionalText(root, "CollectionInfo/Classification") ?? "",
    },
    ...given("creation", creation),
    image: imageOf(root),
    scp: {
      row: xmlInteger(root, "ImageData/SCPPixel/Row", { least: -mostPixels, most: mostPixels }),
      column: xmlInteger(root, "ImageData/SCPPixel/Col", { least: -mostPixels, most: mostPixels }),
      ecefMeters: vectorOf(root, "GeoData/SCP/ECF"),
      geodetic: {
        latitudeDegrees: xmlNumber(root, "GeoData/SCP/LLH/Lat", { least: -90, most: 90 }),
        longitudeDegrees: xmlNumber(root, "GeoData/SCP/LLH/Lon", { least: -180, most: 180 }),
        heightMeters: xmlNumber(root, "GeoData/SCP/LLH/HAE"),
      },
    },
    corners: cornersOf(root),
    grid: {
      plane: xmlText(root, "Grid/ImagePlane"),
      type: xmlText(root, "Grid/Type"),
      timeOfAperture: polynomial2Of(xmlGet(root, "Grid/TimeCOAPoly")),
      row: directionOf(xmlGet(root, "Grid/Row")),
      column: directionOf(xmlGet(root, "Grid/Col")),
    },
    start: xmlText(root, "Timeline/CollectStart"),
    durationSeconds: xmlNumber(root, "Timeline/CollectDuration", { least: 0 }),
    ...given("prfHz", prfHz),
    path: pathOf(xmlGet(root, "Position/ARPPoly")),
    transmitHz: pairOf("RadarCollection/TxFrequency", "Min", "Max"),
    channels: xmlAll(root, "RadarCollection/RcvChannels/ChanParameters").map((one) => xmlText(one, "TxRcvPolarization")),
    processing: {
      algorithm,
      polarisation: optionalText(root, "ImageFormation/TxRcvPolarizationProc") ?? "UNKNOWN",
      seconds: [xmlNumber(root, "ImageFormation/TStartProc"), xmlNumber(root, "ImageFormation/TEndProc")],
      hz: pairOf("ImageFormation/TxFrequencyProc", "MinProc", "MaxProc"),
      autofocus: optionalText(root, "ImageFormation/AzAutofocus") ?? "NO",
    },
    ...given("inca", inca),
    ...given("pfa", pfa),
    ...given("scpCoa", scpCoa),
  };
}

const given = <K extends string, T>(name: K, value: T | undefined): { readonly [P in K]?: T } =>
  (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: T };

function versionOf(root: XmlElement): string {
  const version = /^urn:SICD:(1\.\d+(?:\.\d+)?)$/.exec(root.namespace)?.[1];
  if (root.name !== "SICD" || version === undefined)
    throw stateError(
      root.file,
      "the XML",
      "a SICD document of version 1.x",
      `<${root.name}> of ${JSON.stringify(root.namespace.slice(0, 80))}`,
    );
  return version;
}

function optionalText(element: XmlElement, path: string): string | undefined {
  const found = xmlFind(element, path);
  return found?.text === "" && found.children.length === 0 ? undefined : found && xmlText(found);
}

const vectorOf = (element: XmlElement, path: string): Vector3 => {
  const [x, y, z] = xmlVector(element, path, xyz);
  return [x, y, z];
};

function imageOf(root: XmlElement): SicdMetadata["image"] {
  const size = (path: string): number => xmlInteger(root, path, { least: 1, most: mostPixels });
  const first = (path: string): number => xmlInteger(root, path, { least: 0, most: mostPixels });
  const pixelType = xmlChoice(root, "ImageData/PixelType", Object.keys(pixelTypes) as SicdPixelType[]);
  const table = xmlFind(root, "ImageData/AmpTable");
  return {
    pixelType,
    rows: size("ImageData/NumRows"),
    columns: size("ImageData/NumCols"),
    firstRow: first("ImageData/FirstRow"),
    firstColumn: first("ImageData/FirstCol"),
    fullRows: size("ImageData/FullImage/NumRows"),
    fullColumns: size("ImageData/FullImage/NumCols"),
    ...given("amplitudes", table && amplitudesOf(table)),
  };
}

/** The 256 amplitudes, each with its index, in any order. */
function amplitudesOf(table: XmlElement): readonly number[] {
  const out: number[] = new Array(256).fill(Number.NaN);
  for (const one of xmlAll(table, "Amplitude")) {
    const index = indexOf(one, "index", 255);
    if (!Number.isNaN(out[index])) throw stateError(one.file, `${one.path} index`, "given once", `${index} twice`);
    out[index] = xmlNumber(one);
  }
  const missing = out.findIndex(Number.isNaN);
  if (missing >= 0) throw stateError(table.file, table.path, "256 amplitudes", `a table without index ${missing}`);
  return out;
}

/** An attribute that is an integer from 0 to `most`. */
function indexOf(element: XmlElement, name: string, most: number): number {
  const text = element.attributes[name];
  const value = /^\+?\d+$/.test(text ?? "") ? Number(text) : Number.NaN;
  if (value <= most) return value;
  const expected = `an integer from 0 to ${most}`;
  if (text === undefined) throw stateError(element.file, `${element.path} ${name}`, expected, "absent");
  throw fieldError(element.file, `${element.path} ${name}`, expected, text);
}

function polynomialOf(element: XmlElement): Polynomial {
  const out: number[] = new Array(indexOf(element, "order1", mostOrder) + 1).fill(0);
  for (const one of xmlAll(element, "Coef")) out[indexOf(one, "exponent1", out.length - 1)] = xmlNumber(one);
  return out;
}

function polynomial2Of(element: XmlElement): Polynomial2 {
  const columns = indexOf(element, "order2", mostOrder) + 1;
  const out = Array.from({ length: indexOf(element, "order1", mostOrder) + 1 }, (): number[] => new Array(columns).fill(0));
  for (const one of xmlAll(element, "Coef"))
    out[indexOf(one, "exponent1", out.length - 1)][indexOf(one, "exponent2", columns - 1)] = xmlNumber(one);
  return out;
}

const pathOf = (element: XmlElement): PathPolynomial => ({
  x: polynomialOf(xmlGet(element, "X")),
  y: polynomialOf(xmlGet(element, "Y")),
  z: polynomialOf(xmlGet(element, "Z")),
});

function cornersOf(root: XmlElement): SicdMetadata["corners"] {
  const corners = xmlAll(root, "GeoData/ImageCorners/ICP");
  return cornerNames.map((name) => {
    const corner = corners.find(({ attributes }) => attributes["index"] === name);
    if (!corner) throw stateError(root.file, `${root.path}/GeoData/ImageCorners`, "four corners", `without ${name}`);
    return { latitudeDegrees: xmlNumber(corner, "Lat", { least: -90, most: 90 }), longitudeDegrees: xmlNumber(corner, "Lon") };
  });
}

function directionOf(element: XmlElement): SicdDirection {
  const window = xmlFind(element, "WgtType");
  // Versions before 1.0 have the name as text of WgtType itself.
  const name = window && (optionalText(window, "WindowName") ?? (window.children.length === 0 ? window.text : undefined));
  const middle = xmlFind(element, "DeltaKCOAPoly");
  const weights = xmlFind(element, "WgtFunct");
  return {
    unitVector: vectorOf(element, "UVectECF"),
    // Files without geometry have 0 here; pixels can be read nevertheless.
    spacingMeters: xmlNumber(element, "SS", { least: 0 }),
    responseWidthMeters: xmlNumber(element, "ImpRespWid", { least: 0 }),
    sign: xmlInteger(element, "Sgn") === 1 ? 1 : -1,
    bandwidthCyclesPerMeter: xmlNumber(element, "ImpRespBW", { least: 0 }),
    centreCyclesPerMeter: xmlNumber(element, "KCtr"),
    edgesCyclesPerMeter: [xmlNumber(element, "DeltaK1"), xmlNumber(element, "DeltaK2")],
    ...given("middleCyclesPerMeter", middle && polynomial2Of(middle)),
    ...given("window", window && name ? { name, parameters: parametersOf(window) } : undefined),
    ...given("weights", weights && xmlAll(weights, "Wgt").map((one) => xmlNumber(one))),
  };
}

const parametersOf = (window: XmlElement): Readonly<Record<string, string>> =>
  Object.fromEntries(xmlAll(window, "Parameter").map((one) => [one.attributes["name"] ?? "", one.text]));

function prfOf(ipp: XmlElement): number | undefined {
  const [set, ...others] = xmlAll(ipp, "Set");
  if (!set || others.length > 0) return undefined;
  const coefficients = polynomialOf(xmlGet(set, "IPPPoly"));
  const bent = coefficients.slice(2).some((one) => one !== 0);
  return coefficients.length >= 2 && coefficients[1] > 0 && !bent ? coefficients[1] : undefined;
}

function incaOf(root: XmlElement, inca: XmlElement): SicdInca {
  const centroid = xmlFind(inca, "DopCentroidPoly");
  const isCentre = xmlFind(inca, "DopCentroidCOA");
  return {
    algorithm: optionalText(root, "RMA/RMAlgoType") ?? "",
    timeOfClosestApproach: polynomialOf(xmlGet(inca, "TimeCAPoly")),
    closestRangeMeters: xmlNumber(inca, "R_CA_SCP", { above: 0 }),
    zeroHz: xmlNumber(inca, "FreqZero", { above: 0 }),
    dopplerRateScale: polynomial2Of(xmlGet(inca, "DRateSFPoly")),
    ...given("dopplerCentroidHz", centroid && polynomial2Of(centroid)),
    ...given("centroidIsCentre", isCentre && xmlBoolean(isCentre)),
  };
}

const pfaOf = (pfa: XmlElement): SicdPfa => ({
  polarAngle: polynomialOf(xmlGet(pfa, "PolarAngPoly")),
  frequencyScale: polynomialOf(xmlGet(pfa, "SpatialFreqSFPoly")),
});

/** Elements of SCPCOA that are numbers. */
export const scpCoaNumbers = {
  SCPTime: "seconds",
  SlantRange: "slantRangeMeters",
  GroundRange: "groundRangeMeters",
  DopplerConeAng: "dopplerConeDegrees",
  GrazeAng: "grazingDegrees",
  IncidenceAng: "incidenceDegrees",
  TwistAng: "twistDegrees",
  SlopeAng: "slopeDegrees",
  AzimAng: "azimuthDegrees",
  LayoverAng: "layoverDegrees",
} as const;

/** Elements of SCPCOA that are vectors. */
export const scpCoaVectors = {
  ARPPos: "positionMeters",
  ARPVel: "velocityMetersPerSecond",
  ARPAcc: "accelerationMetersPerSecond2",
} as const;

function scpCoaOf(element: XmlElement): Partial<SicdScpCoa> {
  const side = xmlFind(element, "SideOfTrack");
  const numbers = Object.entries(scpCoaNumbers).filter(([name]) => xmlFind(element, name));
  const vectors = Object.entries(scpCoaVectors).filter(([name]) => xmlFind(element, name));
  return {
    ...Object.fromEntries(numbers.map(([name, field]) => [field, xmlNumber(element, name)])),
    ...Object.fromEntries(vectors.map(([name, field]) => [field, vectorOf(element, name)])),
    ...given("side", side && xmlChoice<"L" | "R">(element, "SideOfTrack", ["L", "R"])),
  };
}

/** Makes the error about a file whose headers and XML do not agree. */
export const disagreement = (file: string, offset: number, field: string, expected: number | string, actual: number | string) =>
  fileError(file, offset, `${field} ${expected}, as the XML says`, `${actual}`);
