/**
 * An opened CPHD file. Reading begins with the text header, then the XML, then the vectors of a channel; samples are read when they are asked
 * for.
 */
import { inputError } from "@dechirp/core";
import type { EarthFrame, RecordedCollection, WavePolarisation } from "@dechirp/radar";
import { cphdFrame, toLocalFrame } from "./cphd-frame.ts";
import { type CphdHeader, readCphdHeader } from "./cphd-header.ts";
import { type CphdChannel, type CphdMetadata, cphdMetadata } from "./cphd-metadata.ts";
import { type CphdBand, type CphdStoredSamples, cphdBand, spectraReader, storedReader } from "./cphd-samples.ts";
import { badVectors, type CphdVectors, checkCphdVectors, readCphdVectors } from "./cphd-vectors.ts";
import { cphdLimits } from "./facts.ts";
import { fieldError, fileError } from "./file-error.ts";
import type { HistoryLevels, Polarisation, RecordedPhaseHistory } from "./phase-history.ts";
import { createPulseReader } from "./pulses.ts";
import { accessTo, type ByteSource, checkOptions, type ReadOptions, readExactly } from "./random-access.ts";
import { parseXml } from "./xml.ts";

/** A channel of a CPHD file as a phase history. Its local frame is that of the file's image area coordinates. */
export interface CphdHistory extends RecordedPhaseHistory {
  readonly frame: EarthFrame;
  /** Identifier of the channel. */
  readonly channel: string;
  /** Identifiers of all channels of the file. */
  readonly channels: readonly string[];
}

/** An opened CPHD file. The source of its bytes must stay open as long as it is used. */
export interface CphdFile {
  readonly header: CphdHeader;
  readonly metadata: CphdMetadata;
  /**
   * Reads the parameters of all vectors of a channel. Rejects with `input` if there is no such channel, and with `aborted`. Nothing else is
   * checked.
   */
  vectors(channel: string, options?: { readonly signal?: AbortSignal }): Promise<CphdVectors>;
  /**
   * Reads samples as they are stored, of `count` vectors from `from` on: [vector][sample], interleaved, without scale, in the byte order of
   * this machine. Rejects with `input` if there is no such channel or vector, and with `aborted`.
   */
  stored(channel: string, from: number, count: number, options?: { readonly signal?: AbortSignal }): Promise<CphdStoredSamples>;
  /**
   * Opens a channel as a phase history; its parameters are read and checked. Default: the first channel. Rejects with `input`, which names
   * channel, parameter and vector, and with `aborted`. The positions are midpoints of those of transmitter and receiver, also of bistatic collections; images are refused
   * where that is not exact enough.
   */
  history(channel?: string, options?: { readonly signal?: AbortSignal; readonly close?: () => Promise<void> }): Promise<CphdHistory>;
}

/** Opens a CPHD file: reads the header and the XML. Rejects with `input`, which names byte, key or element, and with `aborted`. */
export async function openCphd(source: ByteSource, options: ReadOptions): Promise<CphdFile> {
  const { file, signal } = checkOptions(options, { file: true, signal: true }, "openCphd", ["file"]);
  const access = accessTo(source, "source", file);
  const header = await readCphdHeader(access, file, signal);
  const { at, size } = header.xml;
  if (size > cphdLimits.xmlBytes.most) throw fieldError(file, "XML_BLOCK_SIZE", `at most ${cphdLimits.xmlBytes.most}`, size);
  const bytes = await readExactly(access, file, at, size + 2, signal);
  if (bytes[size] !== 12 || bytes[size + 1] !== 10)
    throw fileError(file, at + size, "a form feed and a line feed after the XML", Array.from(bytes.subarray(size)));
  const metadata = cphdMetadata(parseXml(bytes.subarray(0, size), { file, at }), header);
  const { channels } = metadata;
  const channelOf = (identifier: string): CphdChannel => {
    const found = channels.find((one) => one.identifier === identifier);
    if (found) return found;
    throw inputError("channel", `one of ${channels.map((one) => one.identifier).join(", ")}`, identifier);
  };
  const vectors = (channel: CphdChannel, heard?: AbortSignal): Promise<CphdVectors> =>
    readCphdVectors(access, header, metadata, channel, heard);
  return {
    header,
    metadata,
    vectors: async (channel, { signal: heard } = {}) => vectors(channelOf(channel), heard),
    async stored(channel, from, count, { signal: heard } = {}) {
      const one = channelOf(channel);
      if (!(Number.isSafeInteger(from) && from >= 0 && from < one.vectors))
        throw inputError("from", `an integer from 0 to ${one.vectors - 1}`, from);
      if (!(Number.isSafeInteger(count) && count >= 1 && count <= one.vectors - from))
        throw inputError("count", `an integer from 1 to ${one.vectors - from}`, count);
      return storedReader(access, header, metadata, one)(from, count, heard);
    },
    async history(identifier = channels[0].identifier, { signal: heard, close } = {}) {
      const channel = channelOf(identifier);
      const columns = await vectors(channel, heard);
      const notes = [...header.notes, ...checkCphdVectors(metadata, channel, columns)];
      const band = cphdBand(metadata, channel, columns);
      if (band.count < 2)
        throw fieldError(file, `FX2 of channel ${identifier}`, "such that two samples or more lie between FX1 and FX2", band.count);
      const read = spectraReader(access, header, metadata, channel, columns, band);
      const facts = factsOf(metadata, channel, columns, band, notes);
      const pulses = createPulseReader<Float32Array>({
        name: facts.name,
        shape: facts.shape,
        pulseBytes: 8 * band.count,
        read,
        ...(close ? { close } : {}),
      });
      return { ...facts, ...pulses };
    },
  };
}

/** Everything of a phase history but its samples. */
function factsOf(metadata: CphdMetadata, channel: CphdChannel, vectors: CphdVectors, band: CphdBand, checked: readonly string[]) {
  const { channels, coreName, collectionStart, imageArea } = metadata;
  const { identifier, vectors: total, levels } = channel;
  const badPulses = badVectors(vectors);
  const { frame, notes: frameNotes } = cphdFrame(metadata);
  const [transmit, receive, reference] = [vectors.TxPos, vectors.RcvPos, vectors.SRPPos].map((positions) => {
    const local = toLocalFrame(frame, positions);
    fillBad(local, badPulses, total);
    return local;
  });
  const positions = transmit.map((x, i) => (x + receive[i]) / 2);
  const referenceRangeMeters = Float64Array.from({ length: total }, (_, v) =>
    Math.hypot(...[0, 1, 2].map((k) => positions[3 * v + k] - reference[3 * v + k])),
  );
  const { firstHz, stepHz, count } = band;
  const isFixed = firstHz.every((hertz) => hertz === firstHz[0]) && stepHz.every((hertz) => hertz === stepHz[0]);
  const mean = (column: Float64Array): number => column.reduce((sum, hertz) => sum + hertz / total, 0);
  const several = channels.length > 1;
  const area = channel.imageArea ?? imageArea;
  return {
    name: several ? `${coreName}, channel ${identifier}` : coreName,
    shape: [total, count] as const,
    positions,
    referenceRangeMeters,
    frequency: { firstHz: isFixed ? firstHz[0] : mean(firstHz), stepHz: isFixed ? stepHz[0] : mean(stepHz), count },
    ...(isFixed ? {} : { pulseFrequencies: { firstHz, stepHz } }),
    ...(metadata.sgn === 1 ? { phaseSign: 1 as const } : {}),
    ...(badPulses.length > 0 ? { badPulses } : {}),
    antennas: { transmit, receive },
    pulseSeconds: vectors.TxTime.map((seconds, v) => (seconds + vectors.RcvTime[v]) / 2),
    startUtc: utcOf(collectionStart),
    collection: collectionOf(metadata, channel),
    frame,
    area,
    channel: identifier,
    channels: channels.map((one) => one.identifier),
    ...polarisationOf(channel),
    ...(Object.keys(levels).length > 0 ? { levels } : {}),
    notes: [
      ...checked,
      ...frameNotes,
      ...(badPulses.length > 0 ? [`${badPulses.length} of ${total} vectors have no usable signal and are left out`] : []),
      ...(metadata.collectType === "BISTATIC" ? ["the collection is bistatic"] : []),
      ...(several ? [`the file has ${channels.length} channels: ${channels.map((one) => one.identifier).join(", ")}`] : []),
      levelsNote(levels),
    ],
  };
}

const levelsNote = ({ pointTarget }: HistoryLevels): string =>
  pointTarget === undefined
    ? "the file states no level of a point target (TgtRefLevel), so that amplitudes have no absolute scale"
    : `the power of a point target at the reference point is ${pointTarget} (TgtRefLevel); it is not applied`;

/** A time in UTC with the letter Z, to a nanosecond. */
const utcOf = (time: string): string => `${time.replace(/Z$/, "").replace(/(\.\d{9})\d+$/, "$1")}Z`;

const modes: Readonly<Record<string, RecordedCollection["mode"]>> = {
  SPOTLIGHT: "spotlight",
  STRIPMAP: "stripmap",
  "DYNAMIC STRIPMAP": "dynamic stripmap",
};
const polarisations: Readonly<Record<string, WavePolarisation>> = { V: "V", H: "H", RHC: "RHC", LHC: "LHC", OTHER: "OTHER" };

/** What the file says of the collection. */
function collectionOf(
  { collectorName, coreName, radarMode, radarModeName, classification }: CphdMetadata,
  { transmitPolarisation, receivePolarisation }: CphdChannel,
): RecordedCollection {
  const mode = Object.hasOwn(modes, radarMode) ? modes[radarMode] : undefined;
  const wave = (name: string): WavePolarisation => (Object.hasOwn(polarisations, name) ? polarisations[name] : "UNKNOWN");
  return {
    collector: collectorName,
    name: coreName,
    ...(mode && { mode }),
    ...(radarModeName !== undefined && { modeName: radarModeName }),
    classification,
    polarisation: { transmit: wave(transmitPolarisation), receive: wave(receivePolarisation) },
  };
}

function polarisationOf({ transmitPolarisation: t, receivePolarisation: r }: CphdChannel): { readonly polarisation?: Polarisation } {
  const both = `${t}${r}`;
  return both === "HH" || both === "HV" || both === "VH" || both === "VV" ? { polarisation: both } : {};
}

/**
 * Gives vectors without a usable signal, whose positions may be anything, those of the usable vector before them, or after them, if theirs are
 * not finite.
 */
function fillBad(positions: Float64Array, bad: readonly number[], total: number): void {
  const isBad = new Set(bad);
  const first = Array.from({ length: total }, (_, v) => v).findIndex((v) => !isBad.has(v));
  for (const v of bad) {
    if (positions.subarray(3 * v, 3 * v + 3).every(Number.isFinite)) continue;
    const from = 3 * (v < first ? first : v - 1);
    positions.copyWithin(3 * v, from, from + 3);
  }
}
