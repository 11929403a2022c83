/** The XML of a CPHD file that is written: everything follows from the channels and the description. */
import { createLocalFrame, ecefToGeodetic, type Vector3 } from "@dechirp/radar/geodesy";
import type { CphdVersion } from "./cphd-header.ts";
import type { CphdVectors } from "./cphd-vectors.ts";
import type { CphdChannelData } from "./cphd-write-vectors.ts";
import type { HistoryArea } from "./phase-history.ts";
import { encodeXml, type XmlContent, type XmlNode, xmlElement } from "./xml-write.ts";

/** Names and remarks of a CPHD file. */
export interface CphdDescription {
  /** Name of the collector. Default: that of the first history, else `UNKNOWN`. */
  readonly collectorName?: string;
  /** Name of the collection. Default: that of the first history, else its name. */
  readonly coreName?: string;
  /** Default: that of the first history, else `SPOTLIGHT`. */
  readonly radarMode?: "SPOTLIGHT" | "STRIPMAP" | "DYNAMIC STRIPMAP";
  /** Default: that of the first history, else `UNCLASSIFIED`. */
  readonly classification?: string;
  /** Default: `UNRESTRICTED`. */
  readonly releaseInfo?: string;
}

/** Parameters of a vector in the order of their places in the record. */
export const writtenFields = [
  ["TxTime", 1],
  ["TxPos", 3],
  ["TxVel", 3],
  ["RcvTime", 1],
  ["RcvPos", 3],
  ["RcvVel", 3],
  ["SRPPos", 3],
  ["aFDOP", 1],
  ["aFRR1", 1],
  ["aFRR2", 1],
  ["FX1", 1],
  ["FX2", 1],
  ["TOA1", 1],
  ["TOA2", 1],
  ["TDTropoSRP", 1],
  ["SC0", 1],
  ["SCSS", 1],
  ["SIGNAL", 1],
] as const satisfies readonly (readonly [keyof CphdVectors, number])[];

/** Bytes of the record of a vector. */
export const writtenVectorBytes = writtenFields.reduce((sum, [, words]) => sum + 8 * words, 0);

const node = (name: string, ...content: readonly (XmlNode | undefined)[]): XmlNode => xmlElement(name, content);
const value = (name: string, content: XmlContent): XmlNode => xmlElement(name, content);
const xyz = (name: string, [x, y, z]: readonly number[]): XmlNode => node(name, value("X", x), value("Y", y), value("Z", z));
const areaOf = (name: string, { xMeters: [x1, x2], yMeters: [y1, y2] }: HistoryArea): XmlNode =>
  node(name, node("X1Y1", value("X", x1), value("Y", y1)), node("X2Y2", value("X", x2), value("Y", y2)));
const constantPoly = (name: string, constant: number): XmlNode =>
  xmlElement(name, [xmlElement("Coef", constant, { exponent1: 0, exponent2: 0 })], { order1: 0, order2: 0 });

const least = (columns: readonly Float64Array[]): number => columns.reduce((m, one) => one.reduce((a, b) => Math.min(a, b), m), Infinity);
const most = (columns: readonly Float64Array[]): number => columns.reduce((m, one) => one.reduce((a, b) => Math.max(a, b), m), -Infinity);
const isConstant = (column: Float64Array, width = 1): boolean => column.every((x, i) => x === column[i % width]);

/** Writes the XML. Throws `input`, which names the element, for text that XML can't have. */
export function cphdXml(channels: readonly CphdChannelData[], version: CphdVersion, description: Required<CphdDescription>): string {
  const [first] = channels;
  const all = (name: keyof CphdVectors): Float64Array[] => channels.flatMap(({ vectors }) => vectors[name] ?? []);
  const fixed = (name: "FX" | "TOA" | "SRP", some: readonly CphdChannelData[]): boolean => {
    const names = { FX: ["FX1", "FX2"], TOA: ["TOA1", "TOA2"], SRP: ["SRPPos"] } as const;
    const width = name === "SRP" ? 3 : 1;
    return names[name].every((one) =>
      some.every(({ vectors }) => {
        const own = vectors[one] as Float64Array;
        const reference = some[0].vectors[one] as Float64Array;
        return isConstant(own, width) && own.subarray(0, width).every((x, i) => x === reference[i]);
      }),
    );
  };
  const root = xmlElement(
    "CPHD",
    [
      node(
        "CollectionID",
        value("CollectorName", description.collectorName),
        value("CoreName", description.coreName),
        value("CollectType", "MONOSTATIC"),
        node("RadarMode", value("ModeType", description.radarMode)),
        value("Classification", description.classification),
        value("ReleaseInfo", description.releaseInfo),
      ),
      node(
        "Global",
        value("DomainType", "FX"),
        value("SGN", first.history.phaseSign === 1 ? "+1" : "-1"),
        node(
          "Timeline",
          value("CollectionStart", first.startUtc.endsWith("Z") ? first.startUtc : `${first.startUtc}Z`),
          value("TxTime1", least(all("TxTime"))),
          value("TxTime2", most(all("TxTime"))),
        ),
        node("FxBand", value("FxMin", least(all("FX1"))), value("FxMax", most(all("FX2")))),
        node("TOASwath", value("TOAMin", least(all("TOA1"))), value("TOAMax", most(all("TOA2")))),
      ),
      sceneOf(first, unionOf(channels.map(({ area }) => area))),
      dataOf(channels),
      node(
        "Channel",
        value("RefChId", first.identifier),
        value("FXFixedCPHD", fixed("FX", channels)),
        value("TOAFixedCPHD", fixed("TOA", channels)),
        value("SRPFixedCPHD", fixed("SRP", channels)),
        ...channels.map((one, i) => parametersOf(one, i, (name) => fixed(name, [one]))),
      ),
      node("PVP", ...pvpOf()),
      node(
        "Dwell",
        value("NumCODTimes", channels.length),
        ...channels.map((one, i) => node("CODTime", value("Identifier", `${i + 1}`), constantPoly("CODTimePoly", dwellOf(one).middle))),
        value("NumDwellTimes", channels.length),
        ...channels.map((one, i) => node("DwellTime", value("Identifier", `${i + 1}`), constantPoly("DwellTimePoly", dwellOf(one).length))),
      ),
      referenceGeometry(first),
    ],
    { xmlns: `http://api.nsgreg.nga.mil/schema/cphd/${version}` },
  );
  return encodeXml(root, "CPHD");
}

/** The rectangle around some. */
const unionOf = (areas: readonly HistoryArea[]): HistoryArea => {
  const span = (name: keyof HistoryArea): [number, number] => [
    Math.min(...areas.map((one) => one[name][0])),
    Math.max(...areas.map((one) => one[name][1])),
  ];
  return { xMeters: span("xMeters"), yMeters: span("yMeters") };
};

function sceneOf({ frame: { originMeters, axes } }: CphdChannelData, area: HistoryArea): XmlNode {
  const { latitudeDegrees, longitudeDegrees, heightMeters } = ecefToGeodetic(originMeters);
  const [x1, x2] = area.xMeters;
  const [y1, y2] = area.yMeters;
  const corners = [
    [x1, y1],
    [x1, y2],
    [x2, y2],
    [x2, y1],
  ].map(([x, y], i) => {
    const place = ecefToGeodetic([0, 1, 2].map((k) => originMeters[k] + x * axes[0][k] + y * axes[1][k]) as unknown as Vector3);
    return xmlElement("IACP", [value("Lat", place.latitudeDegrees), value("Lon", place.longitudeDegrees)], { index: i + 1 });
  });
  return node(
    "SceneCoordinates",
    value("EarthModel", "WGS_84"),
    node(
      "IARP",
      xyz("ECF", originMeters),
      node("LLH", value("Lat", latitudeDegrees), value("Lon", longitudeDegrees), value("HAE", heightMeters)),
    ),
    node("ReferenceSurface", node("Planar", xyz("uIAX", axes[0]), xyz("uIAY", axes[1]))),
    areaOf("ImageArea", area),
    node("ImageAreaCornerPoints", ...corners),
  );
}

function dataOf(channels: readonly CphdChannelData[]): XmlNode {
  let [signalAt, vectorsAt] = [0, 0];
  const elements = channels.map(({ identifier, history: { shape } }) => {
    const [pulses, count] = shape;
    const element = node(
      "Channel",
      value("Identifier", identifier),
      value("NumVectors", pulses),
      value("NumSamples", count),
      value("SignalArrayByteOffset", signalAt),
      value("PVPArrayByteOffset", vectorsAt),
    );
    signalAt += 8 * pulses * count;
    vectorsAt += pulses * writtenVectorBytes;
    return element;
  });
  return node(
    "Data",
    value("SignalArrayFormat", "CF8"),
    value("NumBytesPVP", writtenVectorBytes),
    value("NumCPHDChannels", channels.length),
    ...elements,
    value("NumSupportArrays", 0),
  );
}

const referenceIndex = ({ history: { shape, badPulses = [] } }: CphdChannelData): number => {
  const bad = new Set(badPulses);
  const middle = Math.floor(shape[0] / 2);
  // The usable vector that is nearest to the middle.
  for (let away = 0; away <= shape[0]; away++)
    for (const v of [middle - away, middle + away]) if (v >= 0 && v < shape[0] && !bad.has(v)) return v;
  return middle;
};

function parametersOf(one: CphdChannelData, i: number, isFixed: (name: "FX" | "TOA" | "SRP") => boolean): XmlNode {
  const { identifier, vectors, history, area } = one;
  const [low, high] = [least([vectors.FX1]), most([vectors.FX2])];
  const [transmit, receive] = history.polarisation?.split("") ?? ["UNSPECIFIED", "UNSPECIFIED"];
  const { pointTarget, noise, noiseBandwidth } = history.levels ?? {};
  return node(
    "Parameters",
    value("Identifier", identifier),
    value("RefVectorIndex", referenceIndex(one)),
    value("FXFixed", isFixed("FX")),
    value("TOAFixed", isFixed("TOA")),
    value("SRPFixed", isFixed("SRP")),
    value("SignalNormal", (history.badPulses ?? []).length === 0),
    node("Polarization", value("TxPol", transmit), value("RcvPol", receive)),
    value("FxC", (low + high) / 2),
    value("FxBW", high - low),
    value("TOASaved", most([vectors.TOA2]) - least([vectors.TOA1])),
    node("DwellTimes", value("CODId", `${i + 1}`), value("DwellId", `${i + 1}`)),
    areaOf("ImageArea", area),
    pointTarget === undefined ? undefined : node("TgtRefLevel", value("PTRef", pointTarget)),
    noise === undefined || noiseBandwidth === undefined
      ? undefined
      : node("NoiseLevel", value("PNRef", noise), value("BNRef", noiseBandwidth)),
  );
}

function pvpOf(): XmlNode[] {
  let at = 0;
  return writtenFields.map(([name, words]) => {
    const format = words === 3 ? "X=F8;Y=F8;Z=F8;" : name === "SIGNAL" ? "I8" : "F8";
    const element = node(name, value("Offset", at), value("Size", words), value("Format", format));
    at += words;
    return element;
  });
}

const triple = (column: Float64Array, v: number): Vector3 => [column[3 * v], column[3 * v + 1], column[3 * v + 2]];
const dot = (a: Vector3, b: Vector3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: Vector3, b: Vector3): Vector3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const middleOf = (a: Vector3, b: Vector3): Vector3 => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
const cross = (a: Vector3, b: Vector3): Vector3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a: Vector3): Vector3 => {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
};

/** The time of a vector at which its midpoint was where it is: between transmission and reception, by the shares of the way. */
function referenceTime({ TxTime, RcvTime, TxPos, RcvPos, SRPPos }: CphdVectors, v: number): number {
  const [out, back] = [TxPos, RcvPos].map((one) => Math.hypot(...minus(triple(one, v), triple(SRPPos, v))));
  return TxTime[v] + (out / (out + back)) * (RcvTime[v] - TxTime[v]);
}

/** Middle and length of the time in which the channel was collected. */
function dwellOf({ vectors }: CphdChannelData): { readonly middle: number; readonly length: number } {
  const [from, to] = [referenceTime(vectors, 0), referenceTime(vectors, vectors.TxTime.length - 1)];
  return { middle: (from + to) / 2, length: to - from };
}

/**
 * The geometry of the reference vector for a monostatic collection: angles between the midpoint's direction and velocity, the ground plane
 * and the normal of the slant plane at the reference point (CPHD 1.1.0 Design and Implementation Description, section 6.5).
 */
function referenceGeometry(channel: CphdChannelData): XmlNode {
  const { vectors, frame } = channel;
  const v = referenceIndex(channel);
  const srp = triple(vectors.SRPPos, v);
  const position = middleOf(triple(vectors.TxPos, v), triple(vectors.RcvPos, v));
  const velocity = middleOf(triple(vectors.TxVel, v), triple(vectors.RcvVel, v));
  const degrees = (radians: number): number => (radians * 180) / Math.PI;
  const turn = (angle: number): number => ((angle % 360) + 360) % 360;
  const clamp = (x: number): number => Math.max(-1, Math.min(1, x));
  const speed = Math.hypot(...velocity);
  const range = Math.hypot(...minus(position, srp));
  const look = unit(minus(position, srp));
  const heading = unit(velocity);
  const toLeft = dot(cross(unit(position), heading), look) < 0;
  const { axes } = createLocalFrame(srp);
  const [east, north, up] = axes;
  const groundY = unit(cross(up, look));
  const groundX = cross(groundY, up);
  const normal = unit(cross(look, heading).map((x) => (toLeft ? x : -x)) as unknown as Vector3);
  const graze = degrees(Math.acos(clamp(dot(look, groundX))));
  const { middle, length } = dwellOf(channel);
  const local = minus(srp, frame.originMeters);
  return node(
    "ReferenceGeometry",
    node("SRP", xyz("ECF", srp), xyz("IAC", [dot(frame.axes[0], local), dot(frame.axes[1], local), dot(frame.axes[2], local)])),
    value("ReferenceTime", referenceTime(vectors, v)),
    value("SRPCODTime", middle),
    value("SRPDwellTime", length),
    node(
      "Monostatic",
      xyz("ARPPos", position),
      xyz("ARPVel", velocity),
      value("SideOfTrack", toLeft ? "L" : "R"),
      value("SlantRange", range),
      value("GroundRange", Math.hypot(...srp) * Math.acos(clamp(dot(unit(position), unit(srp))))),
      value("DopplerConeAngle", speed > 0 ? degrees(Math.acos(clamp(-dot(look, velocity) / speed))) : 90),
      value("GrazeAngle", graze),
      value("IncidenceAngle", 90 - graze),
      value("AzimuthAngle", turn(degrees(Math.atan2(dot(groundX, east), dot(groundX, north))))),
      value("TwistAngle", -degrees(Math.asin(clamp(dot(normal, groundY))))),
      value("SlopeAngle", degrees(Math.acos(clamp(dot(up, normal))))),
      value("LayoverAngle", turn(degrees(Math.atan2(-dot(normal, east), -dot(normal, north))))),
    ),
  );
}
