/**
 * What the XML of a CPHD file states, as plain data: collection, scene, channels, and where each parameter of a vector (PVP) is in its
 * record. Elements that imaging does not need are left in the XML (`xml`). All checks that need no vector are here.
 */
import type { CphdHeader, CphdVersion } from "./cphd-header.ts";
import { cphdLimits } from "./facts.ts";
import { fieldError, stateError } from "./file-error.ts";
import type { HistoryArea, HistoryLevels } from "./phase-history.ts";
import { type XmlElement, xmlAll, xmlBoolean, xmlChoice, xmlFind, xmlGet, xmlInteger, xmlNumber, xmlText, xmlVector } from "./xml.ts";

/** How samples are stored: pairs of int8, int16 or float32. The number counts the bytes of a pair. */
export type CphdSampleFormat = "CI2" | "CI4" | "CF8";

/** Bytes of a complex sample. */
export const cphdSampleBytes: Readonly<Record<CphdSampleFormat, number>> = { CI2: 2, CI4: 4, CF8: 8 };

/** A parameter of a vector in its record. */
export interface CphdField {
  /** First byte in the record. */
  readonly at: number;
  /** Bytes. */
  readonly size: number;
  /** As the file states it: `F8`, `I8`, `X=F8;Y=F8;Z=F8;`, …. */
  readonly format: string;
}

/** A channel, as the XML states it. */
export interface CphdChannel {
  readonly identifier: string;
  readonly vectors: number;
  readonly samples: number;
  /** First byte of its samples in the signal block. */
  readonly signalOffset: number;
  /** First byte of its vectors in the PVP block. */
  readonly vectorOffset: number;
  readonly refVectorIndex: number;
  readonly fxFixed: boolean;
  readonly toaFixed: boolean;
  readonly srpFixed: boolean;
  /** Absent if the file does not state it. */
  readonly signalNormal?: boolean;
  /** As the file states them: `H`, `V`, `RHCP`, …. */
  readonly transmitPolarisation: string;
  readonly receivePolarisation: string;
  readonly levels: HistoryLevels;
  /** In image area coordinates. Absent if it is that of the scene. */
  readonly imageArea?: HistoryArea;
}

type Triple = readonly [number, number, number];

/** The surface of image area coordinates: a plane, or one of constant height above the ellipsoid. */
export type CphdSurface =
  | { readonly kind: "planar"; readonly xAxis: Triple; readonly yAxis: Triple }
  /** Axes as latitude and longitude in radians for a metre. */
  | { readonly kind: "hae"; readonly xAxis: readonly [lat: number, lon: number]; readonly yAxis: readonly [lat: number, lon: number] };

/** What the XML of a CPHD file states. */
export interface CphdMetadata {
  readonly version: CphdVersion;
  readonly collectorName: string;
  readonly coreName: string;
  readonly collectType: "MONOSTATIC" | "BISTATIC";
  /** SPOTLIGHT, STRIPMAP or DYNAMIC STRIPMAP. */
  readonly radarMode: string;
  /** The collector's own name of the mode, if the file has one. */
  readonly radarModeName?: string;
  readonly classification: string;
  readonly releaseInfo: string;
  readonly domain: "FX" | "TOA";
  /** Sign of the phase: exp(j·2π·SGN·f·ΔTOA). */
  readonly sgn: 1 | -1;
  /** Start of the time of the vectors, as UTC. */
  readonly collectionStart: string;
  /** The scene's reference point (IARP): earth-centred, earth-fixed, in metres. */
  readonly iarpEcef: Triple;
  /** The same as latitude and longitude in degrees and height above the ellipsoid in metres. */
  readonly iarpGeodetic: Triple;
  readonly surface: CphdSurface;
  readonly imageArea: HistoryArea;
  readonly sampleFormat: CphdSampleFormat;
  /** Bytes of the record of a vector. */
  readonly vectorBytes: number;
  /** Parameters by name. Those of antennas and added ones are among them: `TxAntenna/TxACX`, `AddedPVP/NAME`. */
  readonly fields: Readonly<Record<string, CphdField>>;
  readonly referenceChannel: string;
  readonly channels: readonly CphdChannel[];
  /** The whole XML. */
  readonly xml: XmlElement;
}

const scalar = "F8";
const triple = "X=F8;Y=F8;Z=F8;";

/** Formats of the parameters that this reader uses. */
export const cphdFieldFormats: Readonly<Record<string, string>> = {
  TxTime: scalar,
  TxPos: triple,
  TxVel: triple,
  RcvTime: scalar,
  RcvPos: triple,
  RcvVel: triple,
  SRPPos: triple,
  AmpSF: scalar,
  aFDOP: scalar,
  aFRR1: scalar,
  aFRR2: scalar,
  FX1: scalar,
  FX2: scalar,
  FXN1: scalar,
  FXN2: scalar,
  TOA1: scalar,
  TOA2: scalar,
  TOAE1: scalar,
  TOAE2: scalar,
  TDTropoSRP: scalar,
  TDIonoSRP: scalar,
  SC0: scalar,
  SCSS: scalar,
  SIGNAL: "I8",
};

const optional = ["AmpSF", "FXN1", "FXN2", "TOAE1", "TOAE2", "TDIonoSRP", "SIGNAL"];

/** Takes the metadata out of the XML. Throws `input`, which names the element. */
export function cphdMetadata(xml: XmlElement, header: CphdHeader): CphdMetadata {
  const { file } = xml;
  const { version } = header;
  const namespace = `http://api.nsgreg.nga.mil/schema/cphd/${version}`;
  if (xml.name !== "CPHD") throw fieldError(file, xml.path, "the element CPHD", xml.name);
  if (xml.namespace !== namespace) throw fieldError(file, "the namespace of CPHD", `${namespace}, as the header's version`, xml.namespace);
  const modeName = xmlFind(xml, "CollectionID/RadarMode/ModeID");
  const collectType = xmlChoice(xml, "CollectionID/CollectType", ["MONOSTATIC", "BISTATIC"]);
  const compression = xmlFind(xml, "Data/SignalCompressionID");
  if (compression) throw stateError(file, compression.path, "absent", `${xmlText(compression)}: compressed samples can't be read`);
  const vectorBytes = xmlInteger(xml, "Data/NumBytesPVP", { least: 8, most: cphdLimits.vectorBytes.most });
  if (vectorBytes % 8 !== 0) throw fieldError(file, "CPHD/Data/NumBytesPVP", "a multiple of 8", vectorBytes);
  const sampleFormat = xmlChoice(xml, "Data/SignalArrayFormat", ["CI2", "CI4", "CF8"]);
  const channels = channelsOf(xml, header, vectorBytes, cphdSampleBytes[sampleFormat]);
  const referenceChannel = xmlText(xml, "Channel/RefChId");
  if (!channels.some(({ identifier }) => identifier === referenceChannel))
    throw fieldError(file, "CPHD/Channel/RefChId", "the identifier of a channel", referenceChannel);
  return {
    version,
    collectorName: xmlText(xml, "CollectionID/CollectorName"),
    coreName: xmlText(xml, "CollectionID/CoreName"),
    collectType,
    radarMode: xmlText(xml, "CollectionID/RadarMode/ModeType"),
    ...(modeName && { radarModeName: xmlText(modeName) }),
    classification: xmlText(xml, "CollectionID/Classification"),
    releaseInfo: xmlText(xml, "CollectionID/ReleaseInfo"),
    domain: xmlChoice(xml, "Global/DomainType", ["FX", "TOA"]),
    sgn: xmlInteger(xml, "Global/SGN", { least: -1, most: 1 }) === -1 ? -1 : plusOne(xml),
    collectionStart: startOf(xml),
    ...sceneOf(xml),
    sampleFormat,
    vectorBytes,
    fields: fieldsOf(xmlGet(xml, "PVP"), vectorBytes),
    referenceChannel,
    channels,
    xml,
  };
}

function plusOne(xml: XmlElement): 1 {
  xmlInteger(xml, "Global/SGN", { least: 1, most: 1 });
  return 1;
}

function startOf(xml: XmlElement): string {
  const path = "Global/Timeline/CollectionStart";
  const text = xmlText(xml, path);
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?$/.test(text)) return text;
  throw fieldError(xml.file, `CPHD/${path}`, "a time like 2026-03-14T10:21:07.25Z", text);
}

function channelsOf(xml: XmlElement, header: CphdHeader, vectorBytes: number, sampleBytes: number): CphdChannel[] {
  const { file } = xml;
  const elements = xmlAll(xml, "Data/Channel");
  if (elements.length < 1 || elements.length > cphdLimits.channels.most)
    throw stateError(file, "CPHD/Data/Channel", `1 to ${cphdLimits.channels.most} elements`, `${elements.length}`);
  const stated = xmlInteger(xml, "Data/NumCPHDChannels");
  if (stated !== elements.length)
    throw fieldError(file, "CPHD/Data/NumCPHDChannels", `${elements.length}, the channels that follow`, stated);
  const parameters = new Map<string, XmlElement>();
  for (const one of xmlAll(xml, "Channel/Parameters")) {
    const id = xmlText(one, "Identifier");
    if (parameters.has(id)) throw fieldError(file, `${one.path}/Identifier`, "the identifier of one channel only", id);
    parameters.set(id, one);
  }
  const seen = new Set<string>();
  const channels = elements.map((element): CphdChannel => {
    const identifier = xmlText(element, "Identifier");
    if (seen.has(identifier)) throw fieldError(file, `${element.path}/Identifier`, "the identifier of one channel only", identifier);
    seen.add(identifier);
    const compressed = xmlFind(element, "CompressedSignalSize");
    if (compressed) throw stateError(file, compressed.path, "absent", "there: compressed samples can't be read");
    const own = parameters.get(identifier);
    if (!own) throw fieldError(file, "CPHD/Channel/Parameters", `there for the channel ${identifier}`, [...parameters.keys()].slice(0, 8));
    const vectors = xmlInteger(element, "NumVectors", { least: 1, most: cphdLimits.vectors.most });
    const samples = xmlInteger(element, "NumSamples", { least: 2, most: cphdLimits.samples.most });
    const signalOffset = xmlInteger(element, "SignalArrayByteOffset", { least: 0 });
    const vectorOffset = xmlInteger(element, "PVPArrayByteOffset", { least: 0 });
    if (signalOffset + vectors * samples * sampleBytes > header.signal.size)
      throw fieldError(
        file,
        `${element.path}/SignalArrayByteOffset`,
        `such that ${vectors} × ${samples} samples of ${sampleBytes} bytes end within the block of ${header.signal.size}`,
        signalOffset,
      );
    if (vectorOffset + vectors * vectorBytes > header.vectors.size)
      throw fieldError(
        file,
        `${element.path}/PVPArrayByteOffset`,
        `such that ${vectors} vectors of ${vectorBytes} bytes end within the block of ${header.vectors.size}`,
        vectorOffset,
      );
    const area = xmlFind(own, "ImageArea");
    const normal = xmlFind(own, "SignalNormal");
    return {
      identifier,
      vectors,
      samples,
      signalOffset,
      vectorOffset,
      refVectorIndex: xmlInteger(own, "RefVectorIndex", { least: 0, most: vectors - 1 }),
      fxFixed: xmlBoolean(own, "FXFixed"),
      toaFixed: xmlBoolean(own, "TOAFixed"),
      srpFixed: xmlBoolean(own, "SRPFixed"),
      ...(normal ? { signalNormal: xmlBoolean(normal) } : {}),
      transmitPolarisation: xmlText(own, "Polarization/TxPol"),
      receivePolarisation: xmlText(own, "Polarization/RcvPol"),
      levels: levelsOf(own),
      ...(area ? { imageArea: areaOf(area) } : {}),
    };
  });
  checkOverlap(channels, file, "SignalArrayByteOffset", ({ signalOffset, vectors, samples }) => [
    signalOffset,
    vectors * samples * sampleBytes,
  ]);
  checkOverlap(channels, file, "PVPArrayByteOffset", ({ vectorOffset, vectors }) => [vectorOffset, vectors * vectorBytes]);
  return channels;
}

function checkOverlap(channels: readonly CphdChannel[], file: string, name: string, span: (one: CphdChannel) => [number, number]): void {
  const sorted = [...channels].sort((a, b) => span(a)[0] - span(b)[0]);
  sorted.reduce((before, one) => {
    const [at] = span(before);
    const end = at + span(before)[1];
    if (span(one)[0] < end)
      throw fieldError(file, `${name} of channel ${one.identifier}`, `at least ${end}, where ${before.identifier} ends`, span(one)[0]);
    return one;
  });
}

function levelsOf(own: XmlElement): HistoryLevels {
  const level = (path: string): number | undefined => {
    const element = xmlFind(own, path);
    return element && xmlNumber(element, "", { above: 0 });
  };
  const [pointTarget, noise, noiseBandwidth] = ["TgtRefLevel/PTRef", "NoiseLevel/PNRef", "NoiseLevel/BNRef"].map(level);
  return {
    ...(pointTarget === undefined ? {} : { pointTarget }),
    ...(noise === undefined ? {} : { noise }),
    ...(noiseBandwidth === undefined ? {} : { noiseBandwidth }),
  };
}

function areaOf(element: XmlElement): HistoryArea {
  const [x1, y1] = xmlVector(element, "X1Y1", ["X", "Y"]);
  const [x2, y2] = xmlVector(element, "X2Y2", ["X", "Y"]);
  if (!(x2 > x1 && y2 > y1)) throw fieldError(element.file, `${element.path}/X2Y2`, `beyond (${x1}, ${y1})`, [x2, y2]);
  return { xMeters: [x1, x2], yMeters: [y1, y2] };
}

function sceneOf(xml: XmlElement): Pick<CphdMetadata, "iarpEcef" | "iarpGeodetic" | "surface" | "imageArea"> {
  const scene = xmlGet(xml, "SceneCoordinates");
  xmlChoice(scene, "EarthModel", ["WGS_84"]);
  const iarpEcef = xmlVector(scene, "IARP/ECF", ["X", "Y", "Z"]) as unknown as Triple;
  const iarpGeodetic = xmlVector(scene, "IARP/LLH", ["Lat", "Lon", "HAE"]) as unknown as Triple;
  return { iarpEcef, iarpGeodetic, surface: surfaceOf(xmlGet(scene, "ReferenceSurface")), imageArea: areaOf(xmlGet(scene, "ImageArea")) };
}

function surfaceOf(element: XmlElement): CphdSurface {
  if (xmlFind(element, "HAE")) {
    const axis = (name: string) => xmlVector(element, `HAE/${name}`, ["Lat", "Lon"]) as [number, number];
    return { kind: "hae", xAxis: axis("uIAXLL"), yAxis: axis("uIAYLL") };
  }
  const axis = (name: string): Triple => {
    const [x, y, z] = xmlVector(element, `Planar/${name}`, ["X", "Y", "Z"]);
    const length = Math.hypot(x, y, z);
    if (!(Math.abs(length - 1) < 1e-3)) throw fieldError(element.file, `${element.path}/Planar/${name}`, "of length 1", [x, y, z]);
    return [x / length, y / length, z / length];
  };
  const [xAxis, yAxis] = [axis("uIAX"), axis("uIAY")];
  const cosine = xAxis[0] * yAxis[0] + xAxis[1] * yAxis[1] + xAxis[2] * yAxis[2];
  if (!(Math.abs(cosine) < 1e-3)) throw fieldError(element.file, `${element.path}/Planar/uIAY`, "perpendicular to uIAX", yAxis);
  return { kind: "planar", xAxis, yAxis };
}

/** Where each parameter is in the record. All lie inside it and none overlap. */
function fieldsOf(element: XmlElement, vectorBytes: number): Record<string, CphdField> {
  const { file } = element;
  const fields: Record<string, CphdField> = Object.create(null);
  const taken = new Uint8Array(vectorBytes / 8);
  const visit = (one: XmlElement, name: string): void => {
    if (!xmlFind(one, "Offset")) {
      for (const child of one.children) visit(child, `${name}/${child.name}`);
      return;
    }
    if (name in fields) throw stateError(file, one.path, "in the XML once", "there several times");
    const words = vectorBytes / 8;
    const offset = xmlInteger(one, "Offset", { least: 0, most: words - 1 });
    const size = xmlInteger(one, "Size", { least: 1, most: words });
    if (offset + size > words) throw fieldError(file, `${one.path}/Size`, `at most ${words - offset} words, where the record ends`, size);
    const format = xmlText(one, "Format");
    const expected = cphdFieldFormats[name];
    if (expected !== undefined && format !== expected) throw fieldError(file, `${one.path}/Format`, expected, format);
    if (expected !== undefined && size !== (expected === triple ? 3 : 1))
      throw fieldError(file, `${one.path}/Size`, `${expected === triple ? 3 : 1} for the format ${format}`, size);
    if (taken.subarray(offset, offset + size).some((word) => word !== 0))
      throw fieldError(file, `${one.path}/Offset`, "beyond the parameters before it", offset);
    taken.fill(1, offset, offset + size);
    fields[name] = { at: 8 * offset, size: 8 * size, format };
  };
  for (const one of element.children) visit(one, one.name === "AddedPVP" ? `AddedPVP/${xmlText(one, "Name")}` : one.name);
  for (const name of Object.keys(cphdFieldFormats))
    if (!(name in fields || optional.includes(name))) throw stateError(file, `CPHD/PVP/${name}`, "in the XML", "absent");
  return fields;
}
