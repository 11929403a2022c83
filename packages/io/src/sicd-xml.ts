/**
 * Writes the XML of a SICD image from its metadata. The elements have the order of NGA's schemas of versions 1.3.0 and 1.4.0, which do not
 * differ in what is written here.
 */
import type { Vector3 } from "@dechirp/radar/geodesy";
import { cornerNames, type Polynomial, type Polynomial2, type SicdDirection, type SicdMetadata } from "./sicd-metadata.ts";
import { scpCoaNumbers, scpCoaVectors } from "./sicd-parse.ts";
import { sicdScpCoa } from "./sicd-projection.ts";
import { valueAt } from "./sicd-vectors.ts";
import { xmlElement as element, encodeXml, type XmlNode } from "./xml-write.ts";

const vector = (name: string, [x, y, z]: Vector3): XmlNode => element(name, [element("X", x), element("Y", y), element("Z", z)]);

const polynomial = (name: string, coefficients: Polynomial): XmlNode =>
  element(
    name,
    coefficients.map((c, i) => element("Coef", c, { exponent1: i })),
    { order1: coefficients.length - 1 },
  );

const polynomial2 = (name: string, rows: Polynomial2): XmlNode =>
  element(
    name,
    rows.flatMap((row, i) => row.map((c, j) => element("Coef", c, { exponent1: i, exponent2: j }))),
    { order1: rows.length - 1, order2: rows[0].length - 1 },
  );

const optional = <T>(value: T | undefined, make: (value: T) => XmlNode): XmlNode | undefined =>
  value === undefined ? undefined : make(value);

const size = (rows: number, columns: number): XmlNode[] => [element("NumRows", rows), element("NumCols", columns)];

/** The XML of an image, in UTF-8. Throws `input`, which names the element, for what XML can't have. */
export function encodeSicdXml(metadata: SicdMetadata, file: string): Uint8Array {
  const { version, collection, creation, image, scp, corners, grid, path, transmitHz, channels, processing } = metadata;
  const root = element(
    "SICD",
    [
      element("CollectionInfo", [
        element("CollectorName", collection.collector),
        element("CoreName", collection.name),
        element("CollectType", collection.type),
        element("RadarMode", [element("ModeType", collection.mode), optional(collection.modeId, (id) => element("ModeID", id))]),
        element("Classification", collection.classification),
      ]),
      optional(creation, ({ application, dateTime }) =>
        element("ImageCreation", [
          optional(application, (text) => element("Application", text)),
          optional(dateTime, (text) => element("DateTime", text)),
        ]),
      ),
      element("ImageData", [
        element("PixelType", image.pixelType),
        optional(image.amplitudes, (table) =>
          element(
            "AmpTable",
            table.map((amplitude, index) => element("Amplitude", amplitude, { index })),
            { size: table.length },
          ),
        ),
        ...size(image.rows, image.columns),
        element("FirstRow", image.firstRow),
        element("FirstCol", image.firstColumn),
        element("FullImage", size(image.fullRows, image.fullColumns)),
        element("SCPPixel", [element("Row", scp.row), element("Col", scp.column)]),
      ]),
      element("GeoData", [
        element("EarthModel", "WGS_84"),
        element("SCP", [
          vector("ECF", scp.ecefMeters),
          element("LLH", [
            element("Lat", scp.geodetic.latitudeDegrees),
            element("Lon", scp.geodetic.longitudeDegrees),
            element("HAE", scp.geodetic.heightMeters),
          ]),
        ]),
        element(
          "ImageCorners",
          corners.map(({ latitudeDegrees, longitudeDegrees }, i) =>
            element("ICP", [element("Lat", latitudeDegrees), element("Lon", longitudeDegrees)], { index: cornerNames[i] }),
          ),
        ),
      ]),
      element("Grid", [
        element("ImagePlane", grid.plane),
        element("Type", grid.type),
        polynomial2("TimeCOAPoly", grid.timeOfAperture),
        direction("Row", grid.row),
        direction("Col", grid.column),
      ]),
      timeline(metadata),
      element("Position", [element("ARPPoly", [polynomial("X", path.x), polynomial("Y", path.y), polynomial("Z", path.z)])]),
      element("RadarCollection", [
        element("TxFrequency", [element("Min", transmitHz[0]), element("Max", transmitHz[1])]),
        element("TxPolarization", channels[0].split(":")[0]),
        element(
          "RcvChannels",
          channels.map((one, i) => element("ChanParameters", [element("TxRcvPolarization", one)], { index: i + 1 })),
          { size: channels.length },
        ),
      ]),
      element("ImageFormation", [
        element("RcvChanProc", [element("NumChanProc", 1), element("ChanIndex", channels.indexOf(processing.polarisation) + 1)]),
        element("TxRcvPolarizationProc", processing.polarisation),
        element("TStartProc", processing.seconds[0]),
        element("TEndProc", processing.seconds[1]),
        element("TxFrequencyProc", [element("MinProc", processing.hz[0]), element("MaxProc", processing.hz[1])]),
        element("ImageFormAlgo", processing.algorithm),
        element("STBeamComp", "NO"),
        element("ImageBeamComp", "NO"),
        element("AzAutofocus", processing.autofocus),
        element("RgAutofocus", "NO"),
      ]),
      scpCoa(metadata),
      optional(metadata.inca, (inca) =>
        element("RMA", [
          element("RMAlgoType", inca.algorithm),
          element("ImageType", "INCA"),
          element("INCA", [
            polynomial("TimeCAPoly", inca.timeOfClosestApproach),
            element("R_CA_SCP", inca.closestRangeMeters),
            element("FreqZero", inca.zeroHz),
            polynomial2("DRateSFPoly", inca.dopplerRateScale),
            optional(inca.dopplerCentroidHz, (centroid) => polynomial2("DopCentroidPoly", centroid)),
            optional(inca.centroidIsCentre, (isCentre) => element("DopCentroidCOA", isCentre)),
          ]),
        ]),
      ),
    ],
    { xmlns: `urn:SICD:${version}` },
  );
  return new TextEncoder().encode(encodeXml(root, file));
}

function direction(name: string, given: SicdDirection): XmlNode {
  const { window, weights } = given;
  return element(name, [
    vector("UVectECF", given.unitVector),
    element("SS", given.spacingMeters),
    element("ImpRespWid", given.responseWidthMeters),
    element("Sgn", given.sign > 0 ? "+1" : "-1"),
    element("ImpRespBW", given.bandwidthCyclesPerMeter),
    element("KCtr", given.centreCyclesPerMeter),
    element("DeltaK1", given.edgesCyclesPerMeter[0]),
    element("DeltaK2", given.edgesCyclesPerMeter[1]),
    optional(given.middleCyclesPerMeter, (middle) => polynomial2("DeltaKCOAPoly", middle)),
    optional(window, ({ name: text, parameters }) =>
      element("WgtType", [
        element("WindowName", text),
        ...Object.entries(parameters).map(([key, value]) => element("Parameter", value, { name: key })),
      ]),
    ),
    optional(weights, (list) =>
      element(
        "WgtFunct",
        list.map((weight, i) => element("Wgt", weight, { index: i + 1 })),
        { size: list.length },
      ),
    ),
  ]);
}

/** Times. Evenly spaced pulses are one set of inter-pulse periods, from time 0 on; it needs two periods at least. */
function timeline({ start, durationSeconds, prfHz }: SicdMetadata): XmlNode {
  const coefficients = [0, prfHz ?? 0];
  const last = Math.round(valueAt(coefficients, durationSeconds)) - 1;
  const set =
    last > 0
      ? element(
          "Set",
          [
            element("TStart", 0),
            element("TEnd", durationSeconds),
            element("IPPStart", 0),
            element("IPPEnd", last),
            polynomial("IPPPoly", coefficients),
          ],
          { index: 1 },
        )
      : undefined;
  return element("Timeline", [
    element("CollectStart", start),
    element("CollectDuration", durationSeconds),
    optional(set, (one) => element("IPP", [one], { size: 1 })),
  ]);
}

/** Where the radar was, computed, whatever the metadata states. */
function scpCoa(metadata: SicdMetadata): XmlNode {
  const values = sicdScpCoa(metadata);
  const number = (name: keyof typeof scpCoaNumbers): XmlNode => element(name, values[scpCoaNumbers[name]]);
  return element("SCPCOA", [
    number("SCPTime"),
    ...Object.entries(scpCoaVectors).map(([name, field]) => vector(name, values[field])),
    element("SideOfTrack", values.side),
    ...Object.keys(scpCoaNumbers)
      .filter((name) => name !== "SCPTime")
      .map((name) => number(name as keyof typeof scpCoaNumbers)),
  ]);
}
