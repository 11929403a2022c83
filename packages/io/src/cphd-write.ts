/**
 * Writes phase histories as CPHD files (NGA.STND.0068-1), block by block, on anything that takes bytes at a position: domain FX, samples as
 * 32-bit floats (CF8), a channel for each history. Samples keep their bits, unless corrections are applied to them.
 */
import { createPause, inputError, isRadarError, messageOf, type Pause, RadarError } from "@dechirp/core";
import { callListener, checkFields, type FieldsOf, firstNotFinite, isArrayOf } from "@dechirp/core/internal";
import { type CphdVersion, cphdVersions } from "./cphd-header.ts";
import { type CphdChannelData, type CphdPlaceOptions, channelData, type WritableHistory } from "./cphd-write-vectors.ts";
import { type CphdDescription, cphdXml, writtenFields, writtenVectorBytes } from "./cphd-write-xml.ts";
import type { ByteTarget } from "./npy-sink.ts";
import { hostIsLittleEndian, swapBytes } from "./numbers.ts";
import type { OnProgress } from "./place.ts";
import { checkOptions } from "./random-access.ts";

/** Options of `writeCphd`. */
export interface WriteCphdOptions extends CphdPlaceOptions, CphdDescription {
  /** Default: `1.1.0`. */
  readonly version?: CphdVersion;
  /** Name of the file, for messages. Default: `image.cphd`. */
  readonly file?: string;
  /** Whether corrections of the histories (`autofocus`) are applied: CPHD has no place for them. Default: true. */
  readonly autofocus?: boolean;
  readonly signal?: AbortSignal;
  /** Called with the share of the pulses that are written. */
  readonly onProgress?: OnProgress;
}

/** Bytes of pulses that are read and written at once. */
const blockBytes = 2 ** 24;
/** Parts of the file begin at multiples of this. */
const alignment = 64;
const usualFile = "image.cphd";
const aligned = (at: number): number => Math.ceil(at / alignment) * alignment;

const known: FieldsOf<WriteCphdOptions> = {
  origin: true,
  prfHz: true,
  startUtc: true,
  collectorName: "string",
  coreName: "string",
  radarMode: "string",
  classification: "string",
  releaseInfo: "string",
  version: true,
  file: true,
  autofocus: "boolean",
  signal: true,
  onProgress: true,
};

/**
 * Writes one or several phase histories, which have one frame, one start and one sign, as the channels of a CPHD file. Resolves with the
 * number of its bytes. Flushing the target comes last; closing it is left to the caller. Place, times and start that the histories do not
 * state must be given. Rejects with `input`, naming the option or the field of the history, before anything is written; with `input` for
 * samples that are not finite; with `failed` if the target or `pulses` throws; and with `aborted`.
 */
export async function writeCphd(
  target: ByteTarget,
  histories: WritableHistory | readonly WritableHistory[],
  options: WriteCphdOptions = {},
): Promise<number> {
  if (typeof (target as ByteTarget | undefined)?.write !== "function")
    throw inputError("target", "an object with write(at, bytes)", target);
  let at = 0;
  const { file = usualFile } = options ?? {};
  for await (const bytes of encodeCphd(histories, options)) {
    for (let done = 0; done < bytes.length; ) {
      const count = await asked(() => target.write(at + done, done === 0 ? bytes : bytes.subarray(done)), file);
      if (typeof count !== "number") break;
      if (!(count > 0)) throw new RadarError("input", `${file}: can't write it: the target takes no byte`, { file });
      done += count;
    }
    at += bytes.length;
  }
  await asked(() => target.flush?.(), file);
  return at;
}

/**
 * The bytes of a CPHD file, piece after piece, for writers that take pieces in order, such as `writeFolderAtomically` of `@dechirp/io/node`.
 * Pulses are asked for when their piece is. The iterator rejects as `writeCphd` does; wrong options and histories are found at the first
 * piece.
 */
export async function* encodeCphd(
  histories: WritableHistory | readonly WritableHistory[],
  options: WriteCphdOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  checkOptions(options, known, "writeCphd");
  checkFields(options, known, "the options of writeCphd");
  const { version = "1.1.0", file = usualFile, signal, autofocus = true, onProgress } = options;
  if (!cphdVersions.includes(version)) throw inputError("version", `one of ${cphdVersions.join(", ")}`, version);
  const given = Array.isArray(histories) ? (histories as readonly WritableHistory[]) : [histories as WritableHistory];
  const channels = channelsOf(given, options, autofocus);
  const { collection = {}, name } = given[0];
  const description: Required<CphdDescription> = {
    collectorName: collection.collector ?? "UNKNOWN",
    coreName: collection.name ?? name,
    radarMode: radarModes[collection.mode ?? "spotlight"],
    classification: collection.classification ?? "UNCLASSIFIED",
    releaseInfo: "UNRESTRICTED",
    ...pickTexts(options),
  };
  for (const name of ["classification", "releaseInfo"] as const)
    if (!/^[ -~]+$/.test(description[name])) throw inputError(name, "one line of ASCII text", description[name]);
  const what = `writing ${file}`;
  const pause = createPause(what, signal);
  const { front, vectorsAt, signalAt } = layoutOf(channels, cphdXml(channels, version, description), version, description);
  await pause();
  yield front;
  let at = vectorsAt;
  for (const { vectors } of channels) {
    const total = vectors.TxTime.length;
    const most = Math.max(1, Math.floor(blockBytes / writtenVectorBytes));
    for (let from = 0; from < total; from += most) {
      const count = Math.min(most, total - from);
      await pause();
      yield vectorBytes(vectors, from, count);
      at += count * writtenVectorBytes;
    }
  }
  if (signalAt > at) yield new Uint8Array(signalAt - at);
  let done = 0;
  const all = channels.reduce((sum, { history }) => sum + history.shape[0], 0);
  for (const channel of channels) {
    const [total, count] = channel.history.shape;
    const most = Math.max(1, Math.floor(blockBytes / (8 * count)));
    for (let from = 0; from < total; from += most) {
      const some = Math.min(most, total - from);
      const bytes = new Uint8Array((await samplesOf(channel, from, some, signal, pause, file)).buffer);
      if (hostIsLittleEndian) await swapBytes(bytes, 4, pause);
      yield bytes;
      done += some;
      await callListener(() => onProgress?.(done / all), "onProgress", signal, what);
    }
  }
}

const radarModes = { spotlight: "SPOTLIGHT", stripmap: "STRIPMAP", "dynamic stripmap": "DYNAMIC STRIPMAP" } as const;
const texts = ["collectorName", "coreName", "radarMode", "classification", "releaseInfo"] as const;

function pickTexts(options: CphdDescription): CphdDescription {
  const modes: readonly string[] = Object.values(radarModes);
  if (options.radarMode !== undefined && !modes.includes(options.radarMode))
    throw inputError("radarMode", `one of ${modes.join(", ")}`, options.radarMode);
  return Object.fromEntries(texts.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));
}

function channelsOf(histories: readonly WritableHistory[], options: CphdPlaceOptions, autofocus: boolean): CphdChannelData[] {
  if (histories.length === 0) throw inputError("histories", "a phase history, or a list of them", histories);
  const channels = histories.map((history, i) => {
    if (typeof history?.pulses !== "function") throw inputError("histories", "phase histories with a function pulses", history);
    const { autofocus: corrections, ...rest } = history;
    const own = autofocus || corrections === undefined ? history : { ...rest, pulses: history.pulses.bind(history) };
    return channelData(own, history.channel ?? history.polarisation ?? `${i + 1}`, options);
  });
  const [first] = channels;
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  const seen = new Set<string>();
  for (const { identifier, frame, startUtc, history } of channels) {
    if (seen.has(identifier)) throw inputError("histories", "phase histories of different channels", identifier);
    seen.add(identifier);
    if (!same(frame, first.frame)) throw inputError("histories", "phase histories in one frame", frame);
    if (startUtc !== first.startUtc) throw inputError("histories", "phase histories with one startUtc", startUtc);
    if ((history.phaseSign ?? -1) !== (first.history.phaseSign ?? -1))
      throw inputError("histories", "phase histories with one phaseSign", history.phaseSign);
  }
  return channels;
}

function layoutOf(channels: readonly CphdChannelData[], xml: string, version: CphdVersion, description: Required<CphdDescription>) {
  const pulses = channels.reduce((sum, { history }) => sum + history.shape[0], 0);
  const signalBytes = channels.reduce((sum, { history: { shape } }) => sum + 8 * shape[0] * shape[1], 0);
  const xmlBytes = new TextEncoder().encode(xml);
  const headerFor = (xmlAt: number): { readonly text: string; readonly vectorsAt: number; readonly signalAt: number } => {
    const vectorsAt = aligned(xmlAt + xmlBytes.length + 2);
    const signalAt = aligned(vectorsAt + pulses * writtenVectorBytes);
    const fields = {
      XML_BLOCK_SIZE: xmlBytes.length,
      XML_BLOCK_BYTE_OFFSET: xmlAt,
      PVP_BLOCK_SIZE: pulses * writtenVectorBytes,
      PVP_BLOCK_BYTE_OFFSET: vectorsAt,
      SIGNAL_BLOCK_SIZE: signalBytes,
      SIGNAL_BLOCK_BYTE_OFFSET: signalAt,
      CLASSIFICATION: description.classification,
      RELEASE_INFO: description.releaseInfo,
    };
    const lines = Object.entries(fields).map(([key, one]) => `${key} := ${one}\n`);
    return { text: `CPHD/${version}\n${lines.join("")}\f\n`, vectorsAt, signalAt };
  };
  // Places of the blocks have at most 16 digits, so that a header for the largest has room for any.
  const xmlAt = aligned(headerFor(Number.MAX_SAFE_INTEGER - 2 ** 40).text.length);
  const { text, vectorsAt, signalAt } = headerFor(xmlAt);
  const front = new Uint8Array(vectorsAt);
  front.set(new TextEncoder().encode(text));
  front.set(xmlBytes, xmlAt);
  front.set([12, 10], xmlAt + xmlBytes.length);
  return { front, vectorsAt, signalAt };
}

function vectorBytes(vectors: CphdChannelData["vectors"], from: number, count: number): Uint8Array {
  const bytes = new Uint8Array(count * writtenVectorBytes);
  const view = new DataView(bytes.buffer);
  let field = 0;
  for (const [name, words] of writtenFields) {
    const column = vectors[name] as Float64Array;
    for (let v = 0; v < count; v++) {
      for (let k = 0; k < words; k++) {
        const at = v * writtenVectorBytes + field + 8 * k;
        const number = column[(from + v) * words + k];
        if (name === "SIGNAL") view.setBigInt64(at, BigInt(number));
        else view.setFloat64(at, number);
      }
    }
    field += 8 * words;
  }
  return bytes;
}

/** The samples of some pulses: a copy, with zeros for bad pulses, and turned by corrections. */
async function samplesOf(
  { history, turns, vectors }: CphdChannelData,
  from: number,
  count: number,
  signal: AbortSignal | undefined,
  pause: Pause,
  file: string,
): Promise<Float32Array<ArrayBuffer>> {
  const width = 2 * history.shape[1];
  await pause();
  const given = await asked(() => history.pulses(from, count, signal ? { signal } : {}), file);
  await pause();
  if (!(isArrayOf(given, Float32Array) && given.length === count * width))
    throw inputError(`history.pulses(${from}, ${count})`, `a Float32Array of ${count * width} numbers`, given);
  const samples = new Float32Array(given);
  for (let p = 0; p < count; p++) {
    if (vectors.SIGNAL?.[from + p] === 0) samples.fill(0, p * width, (p + 1) * width);
    else if (turns) {
      const [c, s] = turns.subarray(2 * (from + p), 2 * (from + p) + 2);
      for (let i = p * width; i < (p + 1) * width; i += 2)
        [samples[i], samples[i + 1]] = [samples[i] * c - samples[i + 1] * s, samples[i] * s + samples[i + 1] * c];
    }
  }
  const bad = await firstNotFinite(samples, pause);
  if (bad >= 0) {
    const place = `sample ${Math.floor(bad / 2) % (width / 2)} of pulse ${from + Math.floor(bad / width)}`;
    throw new RadarError("input", `${file}: ${place} must be finite, not ${samples[bad]}`, { file, field: "history.pulses", place });
  }
  return samples;
}

async function asked<T>(call: () => T, file: string): Promise<Awaited<T>> {
  try {
    return await call();
  } catch (error) {
    throw isRadarError(error) ? error : new RadarError("failed", `writing ${file} failed: ${messageOf(error)}`, { file }, error);
  }
}
