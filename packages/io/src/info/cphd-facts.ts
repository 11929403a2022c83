/** CPHD files: everything is taken from the header and the XML, so that files of any size answer at once. */
import type { Vector3 } from "@dechirp/radar/geodesy";
import { openCphd } from "../cphd-file.ts";
import type { CphdMetadata } from "../cphd-metadata.ts";
import { xmlFind } from "../xml.ts";
import { ecefOf, viewOf } from "./geometry.ts";
import type { InfoPlace, InfoPosition } from "./report.ts";
import { type Description, quoted, type Thing, withFile } from "./thing.ts";

/** Describes a CPHD file. */
export const describeCphd = (thing: Thing): Promise<Description> =>
  withFile(thing, async (access) => {
    const { header, metadata } = await openCphd(access, { file: thing.path, ...thing.reading });
    const { channels, domain, sampleFormat, version } = metadata;
    const [first] = channels;
    const number = (path: string): number => numberAt(metadata, path);
    const [from, to] = [number("Global/Timeline/TxTime1"), number("Global/Timeline/TxTime2")];
    const band = [number("Global/FxBand/FxMin"), number("Global/FxBand/FxMax")] as const;
    const several = channels.length > 1;
    const place = placeOf(metadata);
    const bands = channelBands(metadata);
    return {
      format: { name: "cphd", title: "CPHD file", version },
      isRead: true,
      kind: "phase-history",
      name: metadata.coreName,
      shape: [first.vectors, first.samples],
      axes: ["pulse", domain === "FX" ? "frequency" : "delay"],
      sampleType: `${sampleFormat} (${{ CI2: "complex int8", CI4: "complex int16", CF8: "complex float32" }[sampleFormat]})`,
      radar: {
        collector: metadata.collectorName,
        mode: metadata.radarMode,
        collectType: metadata.collectType,
        ...(Number.isFinite(band[0] + band[1]) && { carrierHz: (band[0] + band[1]) / 2, bandHz: band }),
        ...(to > from && first.vectors > 1 && { prfHz: (first.vectors - 1) / (to - from), durationSeconds: to - from }),
        pulses: first.vectors,
        polarisation: `${first.transmitPolarisation}${first.receivePolarisation}`,
        startUtc: metadata.collectionStart,
      },
      ...(several && {
        channels: channels.map(({ identifier, vectors, samples, transmitPolarisation, receivePolarisation }) => ({
          name: identifier,
          shape: [vectors, samples],
          polarisation: `${transmitPolarisation}${receivePolarisation}`,
          ...(bands.has(identifier) && { bandHz: bands.get(identifier) as readonly [number, number] }),
        })),
      }),
      ...(place && { place }),
      details: {
        domain,
        sgn: metadata.sgn,
        classification: metadata.classification,
        releaseInfo: metadata.releaseInfo,
        channels: channels.length,
        ...(several ? {} : { channel: first.identifier }),
      },
      commands: commandsOf(thing, metadata),
      notes: [
        ...header.notes,
        ...(several ? ["the size, pulses and PRF are those of the first channel"] : []),
        ...(metadata.collectType === "BISTATIC" ? ["the collection is bistatic"] : []),
      ],
    };
  });

const commandsOf = ({ path }: Thing, { channels }: CphdMetadata): readonly string[] => {
  const file = quoted(path);
  const channel = channels.length > 1 ? ` --channel ${quoted(channels[0].identifier)}` : "";
  return [`dechirp backproject ${file} --out image`, `dechirp convert ${file} copy.cphd${channel}`];
};

/** The number at a path of the XML, or NaN: what is only said here must not refuse a file. */
function numberAt({ xml }: CphdMetadata, path: string): number {
  const text = xmlFind(xml, path)?.text;
  return text === undefined || text === "" ? Number.NaN : Number(text);
}

/** The vector at a path, or undefined. */
function vectorAt(metadata: CphdMetadata, path: string): Vector3 | undefined {
  const [x, y, z] = ["X", "Y", "Z"].map((axis) => numberAt(metadata, `${path}/${axis}`));
  return Number.isFinite(x + y + z) ? [x, y, z] : undefined;
}

/** Edges of the channels' bands by identifier, as far as they are stated. */
function channelBands({ xml }: CphdMetadata): ReadonlyMap<string, readonly [number, number]> {
  const out = new Map<string, readonly [number, number]>();
  for (const one of xmlFind(xml, "Channel")?.children ?? []) {
    if (one.name !== "Parameters") continue;
    const text = (name: string): string => one.children.find((child) => child.name === name)?.text ?? "";
    const [centre, width] = [Number(text("FxC") || Number.NaN), Number(text("FxBW") || Number.NaN)];
    if (Number.isFinite(centre + width)) out.set(text("Identifier"), [centre - width / 2, centre + width / 2]);
  }
  return out;
}

function placeOf(metadata: CphdMetadata): InfoPlace | undefined {
  const [latitudeDegrees, longitudeDegrees, heightMeters] = metadata.iarpGeodetic;
  const centre = { latitudeDegrees, longitudeDegrees, heightMeters };
  const corners = (xmlFind(metadata.xml, "SceneCoordinates/ImageAreaCornerPoints")?.children ?? [])
    .filter(({ name }) => name === "IACP")
    .map((corner) => {
      const degrees = (name: string): number => Number(corner.children.find((child) => child.name === name)?.text || Number.NaN);
      return { index: Number(corner.attributes["index"]), position: { latitudeDegrees: degrees("Lat"), longitudeDegrees: degrees("Lon") } };
    })
    .sort((a, b) => a.index - b.index)
    .map(({ position }): InfoPosition => position);
  const isSound = (corner: InfoPosition): boolean => Math.abs(corner.latitudeDegrees) <= 90 && Math.abs(corner.longitudeDegrees) <= 180;
  // A bistatic collection is described by the transmitter.
  const platform = metadata.collectType === "MONOSTATIC" ? ["Monostatic/ARPPos", "Monostatic/ARPVel"] : bistaticPaths;
  const [position, velocity] = platform.map((path) => vectorAt(metadata, `ReferenceGeometry/${path}`));
  const target = vectorAt(metadata, "ReferenceGeometry/SRP/ECF") ?? ecefOf(centre);
  const view = position && velocity ? viewOf(position, velocity, target) : undefined;
  return { centre, ...(corners.length === 4 && corners.every(isSound) && { corners }), ...(view && { view }) };
}

const bistaticPaths = ["Bistatic/TxPlatform/Pos", "Bistatic/TxPlatform/Vel"];
