/**
 * The per-vector parameters (PVPs) of a channel of a CPHD file as columns, and their checks. Records are read in pieces; the order of the
 * parameters in a record is that of the XML's offsets.
 */
import { throwIfAborted } from "@dechirp/core";
import { speedOfLight } from "@dechirp/radar";
import type { CphdHeader } from "./cphd-header.ts";
import { type CphdChannel, type CphdMetadata, cphdFieldFormats } from "./cphd-metadata.ts";
import { fieldError, stateError } from "./file-error.ts";
import { type RandomAccess, readExactly } from "./random-access.ts";

/**
 * The parameters of a channel's vectors by name, in the units of the file: seconds after the collection start, metres (ECEF), Hz. Scalars
 * are [vector], positions and velocities [vector][3]. Optional parameters that the file does not have are absent.
 */
export type CphdVectors = Readonly<Record<RequiredColumn, Float64Array> & Partial<Record<OptionalColumn, Float64Array>>>;

type RequiredColumn =
  | "TxTime"
  | "TxPos"
  | "TxVel"
  | "RcvTime"
  | "RcvPos"
  | "RcvVel"
  | "SRPPos"
  | "aFDOP"
  | "aFRR1"
  | "aFRR2"
  | "FX1"
  | "FX2"
  | "TOA1"
  | "TOA2"
  | "TDTropoSRP"
  | "SC0"
  | "SCSS";
type OptionalColumn = "AmpSF" | "FXN1" | "FXN2" | "TOAE1" | "TOAE2" | "TDIonoSRP" | "SIGNAL";

/** Records are read in pieces of about this many bytes. */
const pieceBytes = 2 ** 22;

/** Reads the vectors of a channel. Nothing is checked but that the file has them. Rejects with `aborted`. */
export async function readCphdVectors(
  access: RandomAccess,
  header: CphdHeader,
  metadata: CphdMetadata,
  channel: CphdChannel,
  signal?: AbortSignal,
): Promise<CphdVectors> {
  const { vectorBytes, fields } = metadata;
  const { vectors } = channel;
  const columns: Record<string, Float64Array> = {};
  const wanted = Object.keys(cphdFieldFormats).filter((name) => name in fields);
  for (const name of wanted) columns[name] = new Float64Array((vectors * fields[name].size) / 8);
  const most = Math.max(1, Math.floor(pieceBytes / vectorBytes));
  const start = header.vectors.at + channel.vectorOffset;
  for (let from = 0; from < vectors; from += most) {
    throwIfAborted(signal, `reading ${access.name}`);
    const count = Math.min(most, vectors - from);
    const bytes = await readExactly(access, metadata.xml.file, start + from * vectorBytes, count * vectorBytes, signal);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (const name of wanted) {
      const { at, size, format } = fields[name];
      const width = size / 8;
      const column = columns[name];
      const isInteger = format === "I8";
      for (let v = 0; v < count; v++) {
        for (let k = 0; k < width; k++) {
          const place = v * vectorBytes + at + 8 * k;
          column[(from + v) * width + k] = isInteger ? Number(view.getBigInt64(place)) : view.getFloat64(place);
        }
      }
    }
  }
  return columns as CphdVectors;
}

/** Vectors without a usable signal, in increasing order: those whose SIGNAL is not 1. */
export function badVectors({ SIGNAL }: CphdVectors): number[] {
  const bad: number[] = [];
  if (SIGNAL) for (let v = 0; v < SIGNAL.length; v++) if (SIGNAL[v] !== 1) bad.push(v);
  return bad;
}

/** The least ratio of what samples can hold to what they must hold, in frequency or in time. */
const leastOversampling = 1.1;
/** What is allowed for the rounding of writers. */
const rounding = 1e-6;

/** How far times of arrival may be from what the positions say before there is a note. */
const mostTimeErrorSeconds = 1e-9;

/**
 * Checks the vectors of a channel whose signal is usable against each other and against the XML. Throws `input`, which names the channel,
 * the parameter and the vector. Returns remarks, one sentence each.
 */
export function checkCphdVectors(metadata: CphdMetadata, channel: CphdChannel, vectors: CphdVectors): string[] {
  const { file } = metadata.xml;
  const { identifier } = channel;
  const bad = new Set(badVectors(vectors));
  const where = (name: string, v: number): string => `channel ${identifier}, vector ${v}: ${name}`;
  const good: number[] = [];
  for (let v = 0; v < channel.vectors; v++) if (!bad.has(v)) good.push(v);
  if (good.length === 0) throw stateError(file, `SIGNAL of channel ${identifier}`, "1 for some vector", "another value for all of them");
  if (channel.signalNormal === true && bad.size > 0) {
    const [first] = bad;
    throw fieldError(file, where("SIGNAL", first), "1, as Channel/Parameters/SignalNormal is true", vectors.SIGNAL?.[first]);
  }
  for (const [name, column] of Object.entries(vectors)) {
    const width = column.length / channel.vectors;
    for (const v of good)
      for (let k = 0; k < width; k++)
        if (!Number.isFinite(column[v * width + k])) throw fieldError(file, where(name, v), "finite", column[v * width + k]);
  }
  const { FX1, FX2, TOA1, TOA2, SC0, SCSS, AmpSF, TxTime, RcvTime } = vectors;
  const isFx = metadata.domain === "FX";
  for (const v of good) {
    if (!(FX1[v] > 0)) throw fieldError(file, where("FX1", v), "a positive number", FX1[v]);
    if (!(FX2[v] > FX1[v])) throw fieldError(file, where("FX2", v), `above FX1, ${FX1[v]}`, FX2[v]);
    if (!(TOA2[v] > TOA1[v])) throw fieldError(file, where("TOA2", v), `above TOA1, ${TOA1[v]}`, TOA2[v]);
    if (!(SCSS[v] > 0)) throw fieldError(file, where("SCSS", v), "a positive number", SCSS[v]);
    if (isFx && !(SC0[v] > 0)) throw fieldError(file, where("SC0", v), "a positive number", SC0[v]);
    if (AmpSF && !(AmpSF[v] > 0)) throw fieldError(file, where("AmpSF", v), "a positive number", AmpSF[v]);
    const span = isFx ? TOA2[v] - TOA1[v] : FX2[v] - FX1[v];
    if (!(1 / (SCSS[v] * span) >= leastOversampling * (1 - rounding)))
      throw fieldError(file, where("SCSS", v), `at most 1/(${leastOversampling}·(${isFx ? "TOA2 − TOA1" : "FX2 − FX1"}))`, SCSS[v]);
    const last = SC0[v] + (channel.samples - 1) * SCSS[v];
    const [low, high] = isFx ? [FX1[v], FX2[v]] : [TOA1[v], TOA2[v]];
    if (!(Math.min(high, last) > Math.max(low, SC0[v])))
      throw fieldError(file, where("SC0", v), `such that samples lie within ${isFx ? "FX1 to FX2" : "TOA1 to TOA2"}`, SC0[v]);
    if (!(RcvTime[v] > TxTime[v])) throw fieldError(file, where("RcvTime", v), `after TxTime, ${TxTime[v]}`, RcvTime[v]);
    for (const name of ["TxPos", "RcvPos"] as const)
      if (!(distance(vectors[name], vectors.SRPPos, v) > 0)) throw stateError(file, where(name, v), "away from SRPPos", "the same point");
  }
  for (let i = 1; i < good.length; i++) {
    const [before, v] = [good[i - 1], good[i]];
    for (const name of ["TxTime", "RcvTime"] as const)
      if (!(vectors[name][v] > vectors[name][before]))
        throw fieldError(file, where(name, v), `after that of the vector before it, ${vectors[name][before]}`, vectors[name][v]);
  }
  for (const [flag, isFixed, names] of [
    ["FXFixed", channel.fxFixed, ["FX1", "FX2"]],
    ["TOAFixed", channel.toaFixed, ["TOA1", "TOA2"]],
    ["SRPFixed", channel.srpFixed, ["SRPPos"]],
  ] as const) {
    if (!isFixed) continue;
    for (const name of names) {
      const column = vectors[name];
      const width = column.length / channel.vectors;
      for (const v of good)
        for (let k = 0; k < width; k++)
          if (column[v * width + k] !== column[good[0] * width + k])
            throw fieldError(file, where(name, v), `that of vector ${good[0]}, as ${flag} is true`, column[v * width + k]);
    }
  }
  return timeNotes(vectors, good, identifier);
}

/** Distance between the triples of two columns at a vector. */
const distance = (a: Float64Array, b: Float64Array, v: number): number =>
  Math.hypot(a[3 * v] - b[3 * v], a[3 * v + 1] - b[3 * v + 1], a[3 * v + 2] - b[3 * v + 2]);

/** RcvTime − TxTime is the way over c and the delays of the atmosphere. */
function timeNotes(vectors: CphdVectors, good: readonly number[], identifier: string): string[] {
  const { TxTime, RcvTime, TxPos, RcvPos, SRPPos, TDTropoSRP, TDIonoSRP } = vectors;
  let worst = 0;
  for (const v of good) {
    const way = (distance(TxPos, SRPPos, v) + distance(RcvPos, SRPPos, v)) / speedOfLight;
    worst = Math.max(worst, Math.abs(RcvTime[v] - TxTime[v] - way - TDTropoSRP[v] - (TDIonoSRP?.[v] ?? 0)));
  }
  if (worst <= mostTimeErrorSeconds) return [];
  return [
    `channel ${identifier}: RcvTime − TxTime differs by up to ${worst.toExponential(2)} s from what positions and delays say; images use the positions`,
  ];
}
