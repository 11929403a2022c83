/**
 * The samples of a channel of a CPHD file as spectra in the convention of phase histories (phase-history.ts): byte order, scale of each
 * vector, and the band that holds the waveform. Compressed pulses (domain TOA) are transformed to frequencies in
 * float64. Vectors without a usable signal become zeros, whatever the file has there.
 *
 * The phase model. With ΔTOA the two-way delay of a point less that of the reference point, a point of amplitude a gives
 *   FX:  S(f) = a·exp(j2π·SGN·f·ΔTOA)
 *   TOA: s(t) = a·D(t − ΔTOA)·exp(j2π·SGN·f_c·ΔTOA), s(t) = mean_f S(f)·exp(−j2π·SGN·(f − f_c)·t), f_c = (FX1 + FX2)/2.
 * SGN is the `phaseSign` of the phase history, so that samples keep their bits.
 */
import { createPause } from "@dechirp/core";
import type { CphdHeader } from "./cphd-header.ts";
import { type CphdChannel, type CphdMetadata, type CphdSampleFormat, cphdSampleBytes } from "./cphd-metadata.ts";
import { createSpectrum } from "./cphd-spectrum.ts";
import { badVectors, type CphdVectors } from "./cphd-vectors.ts";
import { fileError } from "./file-error.ts";
import { type Access, readExactly } from "./random-access.ts";

/** The frequencies of the spectra of a channel, and how samples become spectra. */
export interface CphdBand {
  /** Number of frequencies. */
  readonly count: number;
  /** By vector; nominal for vectors without a usable signal. */
  readonly firstHz: Float64Array;
  readonly stepHz: Float64Array;
  /** By vector: the first frequency with a signal, and the one after the last. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** FX: sample of the first frequency. */
  readonly skip: number;
  /** TOA: length of the transform. */
  readonly length?: number;
}

/** What a sample may be beyond FX1 and FX2, in steps, because of rounding. */
const slack = 1e-3;

/** The frequencies of a channel: those between FX1 and FX2 of its vectors. Vectors must have been checked. */
export function cphdBand({ domain }: CphdMetadata, channel: CphdChannel, vectors: CphdVectors): CphdBand {
  const { samples, vectors: total } = channel;
  const { SC0, SCSS, FX1, FX2 } = vectors;
  const bad = new Set(badVectors(vectors));
  const [from, to] = [new Int32Array(total), new Int32Array(total)];
  const [firstHz, stepHz] = [new Float64Array(total), new Float64Array(total)];
  const good = Array.from({ length: total }, (_, v) => v).filter((v) => !bad.has(v));
  const isFx = domain === "FX";
  const length = 2 ** Math.ceil(Math.log2(samples));
  /** Samples before the first frequency (FX); frequencies on each side of the centre (TOA). */
  let [skip, last, half] = [samples, 0, 0];
  for (const v of good) {
    stepHz[v] = isFx ? SCSS[v] : 1 / (length * SCSS[v]);
    if (isFx) {
      from[v] = Math.max(0, Math.ceil((FX1[v] - SC0[v]) / SCSS[v] - slack));
      to[v] = Math.min(samples, Math.floor((FX2[v] - SC0[v]) / SCSS[v] + slack) + 1);
      skip = Math.min(skip, from[v]);
      last = Math.max(last, to[v]);
    } else {
      from[v] = Math.floor((FX2[v] - FX1[v]) / 2 / stepHz[v] + slack);
      half = Math.max(half, from[v]);
    }
  }
  const count = isFx ? last - skip : 2 * half + 1;
  for (const v of good) {
    if (isFx) {
      from[v] -= skip;
      to[v] -= skip;
      firstHz[v] = SC0[v] + skip * SCSS[v];
    } else {
      to[v] = half + from[v] + 1;
      from[v] = half - from[v];
      firstHz[v] = (FX1[v] + FX2[v]) / 2 - half * stepHz[v];
    }
  }
  for (const v of bad) [firstHz[v], stepHz[v]] = [firstHz[good[0]], stepHz[good[0]]];
  return { count, firstHz, stepHz, from, to, skip: isFx ? skip : 0, ...(isFx ? {} : { length }) };
}

const wordBytes: Readonly<Record<CphdSampleFormat, number>> = { CI2: 1, CI4: 2, CF8: 4 };

/** Makes the function that reads the bytes of some vectors of a channel. */
const bytesReader =
  (access: Access, header: CphdHeader, { sampleFormat, xml: { file } }: CphdMetadata, { samples, signalOffset }: CphdChannel) =>
  async (from: number, count: number, signal: AbortSignal | undefined): Promise<Uint8Array> => {
    const row = samples * cphdSampleBytes[sampleFormat];
    const bytes = await readExactly(access, file, header.signal.at + signalOffset + from * row, count * row, signal);
    // Words are read in place, so that they must be aligned.
    return bytes.byteOffset % wordBytes[sampleFormat] === 0 ? bytes : new Uint8Array(bytes);
  };

/** Samples as the file has them, in the byte order of this machine: [vector][sample], interleaved. */
export type CphdStoredSamples = Int8Array | Int16Array | Float32Array;

/**
 * Makes the function that reads some vectors as they are stored: [vector][sample], interleaved, without scale and without any change but
 * the byte order. It rejects with `aborted`.
 */
export function storedReader(access: Access, header: CphdHeader, metadata: CphdMetadata, channel: CphdChannel) {
  const bytesOf = bytesReader(access, header, metadata, channel);
  return async (from: number, count: number, signal: AbortSignal | undefined): Promise<CphdStoredSamples> => {
    const pause = createPause(`reading ${access.name}`, signal);
    const bytes = await bytesOf(from, count, signal);
    if (metadata.sampleFormat === "CI2") return new Int8Array(bytes);
    const stored = metadata.sampleFormat === "CI4" ? new Int16Array(bytes.length / 2) : new Float32Array(bytes.length / 4);
    const words = wordsOf(bytes, metadata.sampleFormat);
    const into = stored instanceof Float32Array ? new Uint32Array(stored.buffer) : new Uint16Array(stored.buffer);
    const swap = metadata.sampleFormat === "CI4" ? swapped16 : swapped32;
    for (let i = 0; i < words.length; i += sliceWords) {
      await pause();
      for (let k = i; k < Math.min(i + sliceWords, words.length); k++) into[k] = swap(words[k]);
    }
    return stored;
  };
}

const sliceWords = 2 ** 20;

/** The words of bytes, big-endian. */
function wordsOf({ buffer, byteOffset, length }: Uint8Array, format: CphdSampleFormat): Int8Array | Uint16Array | Uint32Array {
  if (format === "CI2") return new Int8Array(buffer, byteOffset, length);
  return format === "CI4" ? new Uint16Array(buffer, byteOffset, length / 2) : new Uint32Array(buffer, byteOffset, length / 4);
}

const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

const swapped16 = (word: number): number => (littleEndian ? ((word >>> 8) | (word << 8)) & 0xffff : word);

const swapped32 = (word: number): number =>
  littleEndian ? ((word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0 : word;

/**
 * Makes the function that reads vectors as spectra: [vector][frequency], interleaved, in the convention of phase histories. It rejects
 * with `input`, naming vector, sample and byte, if a sample of a usable vector is not finite, and with `aborted`.
 */
export function spectraReader(
  access: Access,
  header: CphdHeader,
  metadata: CphdMetadata,
  channel: CphdChannel,
  vectors: CphdVectors,
  band: CphdBand,
): (from: number, count: number, signal: AbortSignal | undefined) => Promise<Float32Array> {
  const { sampleFormat, sgn, domain } = metadata;
  const { samples, signalOffset } = channel;
  const bytesOf = bytesReader(access, header, metadata, channel);
  const isBad = new Uint8Array(channel.vectors);
  for (const v of badVectors(vectors)) isBad[v] = 1;
  const notFinite = (v: number, sample: number, value: number): Error => {
    const offset = header.signal.at + signalOffset + (v * samples + sample) * cphdSampleBytes[sampleFormat];
    const what = `a finite number at sample ${sample} of vector ${v} of channel ${channel.identifier}`;
    return fileError(metadata.xml.file, offset, what, value);
  };
  /** Writes one vector as it is stored times its scale. */
  const decode = decoderOf(sampleFormat, notFinite);
  const line = new Float64Array(2 * samples);
  const rowsAtOnce = Math.max(1, Math.floor(sliceWords / (2 * samples)));
  const spectrum = domain === "TOA" && band.length !== undefined ? createSpectrum(band.length) : undefined;
  return async (from, count, signal) => {
    const pause = createPause(`reading ${access.name}`, signal);
    const words = wordsOf(await bytesOf(from, count, signal), sampleFormat);
    const spectra = new Float32Array(2 * count * band.count);
    for (let p = 0; p < count; p++) {
      const v = from + p;
      if (p % rowsAtOnce === 0) await pause();
      if (isBad[v]) continue;
      const scale = vectors.AmpSF?.[v] ?? 1;
      const [first, last] = [band.from[v], band.to[v]];
      const into = 2 * p * band.count;
      if (!spectrum) {
        const sample = band.skip + first;
        decode(words, 2 * p * samples, sample, last - first, scale, spectra, into + 2 * first, v);
        continue;
      }
      decode(words, 2 * p * samples, 0, samples, scale, line, 0, v);
      const { SC0, SCSS, FX1, FX2 } = vectors;
      // The sum over samples of a band of width FX2 − FX1 is 1/(SCSS·(FX2 − FX1)) for a point of amplitude 1.
      spectrum(line, samples, SCSS[v] * (FX2[v] - FX1[v]), band.stepHz[v] * SC0[v], (band.count - 1) / 2, spectra, into, sgn);
      spectra.fill(0, into, into + 2 * first);
      spectra.fill(0, into + 2 * last, into + 2 * band.count);
    }
    return spectra;
  };
}

type Decoder = (
  words: Int8Array | Uint16Array | Uint32Array,
  row: number,
  sample: number,
  count: number,
  scale: number,
  into: Float32Array | Float64Array,
  at: number,
  vector: number,
) => void;

/**
 * Makes the decoder of a format. Loops see arrays of one type each, which V8 compiles best. Measured on two busy cores with 2000 × 8192
 * samples of CF8: 8 ns a sample, and as much for memory that is used for the first time. A device works on the pulses before meanwhile.
 */
function decoderOf(format: CphdSampleFormat, notFinite: (v: number, sample: number, value: number) => Error): Decoder {
  if (format === "CI2") return integerDecoder((words, start, out) => out.set((words as Int8Array).subarray(start, start + out.length)));
  if (format === "CI4") return integerDecoder((words, start, out) => swapInto16(words as Uint16Array, start, out));
  let floats = new Float32Array(0);
  return (words, row, sample, count, scale, into, at, v) => {
    if (floats.length !== 2 * count) floats = new Float32Array(2 * count);
    swapInto32(words as Uint32Array, row + 2 * sample, new Uint32Array(floats.buffer));
    const bad = into instanceof Float32Array ? scaleInto32(floats, scale, into, at) : scaleInto64(floats, scale, into, at);
    if (bad >= 0) throw notFinite(v, sample + (bad >> 1), floats[bad] * scale);
  };
}

/** A decoder of integers, which `take` puts into an array of 16 bits. */
function integerDecoder(take: (words: Int8Array | Uint16Array | Uint32Array, start: number, out: Int16Array) => void): Decoder {
  let numbers = new Int16Array(0);
  return (words, row, sample, count, scale, into, at) => {
    if (numbers.length !== 2 * count) numbers = new Int16Array(2 * count);
    take(words, row + 2 * sample, numbers);
    if (into instanceof Float32Array) scaleIntegers32(numbers, scale, into, at);
    else scaleIntegers64(numbers, scale, into, at);
  };
}

function swapInto16(words: Uint16Array, start: number, out: Int16Array): void {
  for (let i = 0; i < out.length; i++) out[i] = swapped16(words[start + i]);
}

function swapInto32(words: Uint32Array, start: number, out: Uint32Array): void {
  for (let i = 0; i < out.length; i++) out[i] = swapped32(words[start + i]);
}

function scaleIntegers32(numbers: Int16Array, scale: number, into: Float32Array, at: number): void {
  for (let i = 0; i < numbers.length; i++) into[at + i] = numbers[i] * scale;
}

function scaleIntegers64(numbers: Int16Array, scale: number, into: Float64Array, at: number): void {
  for (let i = 0; i < numbers.length; i++) into[at + i] = numbers[i] * scale;
}

/** The largest number of 32 bits. A product beyond it is not finite either. */
const mostFloat = 3.4028234663852886e38;

/** Returns the index of the first number that is not finite, or −1. */
function scaleInto32(numbers: Float32Array, scale: number, into: Float32Array, at: number): number {
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] * scale;
    if (!(number <= mostFloat && number >= -mostFloat)) return i;
    into[at + i] = number;
  }
  return -1;
}

/** As `scaleInto32`. */
function scaleInto64(numbers: Float32Array, scale: number, into: Float64Array, at: number): number {
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] * scale;
    if (!(number <= mostFloat && number >= -mostFloat)) return i;
    into[at + i] = number;
  }
  return -1;
}
