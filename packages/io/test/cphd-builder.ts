/**
 * Makes CPHD files byte by byte for tests: point targets on a plane, seen from a platform that moves between transmission and reception.
 * Positions of parameters, sample format, domain, sign and bands can be chosen. Nothing of the package is used. The phase model is that of
 * NGA.STND.0068 with ΔTOA of the two positions of each vector: S(f) = Σ a·exp(j2π·SGN·f·ΔTOA).
 */

const c = 299792458;
type V3 = readonly [number, number, number];
const plus = (a: V3, b: V3, k = 1): V3 => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
const dot = (a: V3, b: V3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: V3, b: V3): V3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const distance = (a: V3, b: V3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const unit = (a: V3): V3 => plus([0, 0, 0], a, 1 / Math.hypot(...a));

/** The reference point, 47.6° N 11.35° E, 612 m: Earth-fixed. */
export const iarp: V3 = [4224806.00160884, 848034.2587802865, 4687453.840955555];
const up = unit([0.661115251276265, 0.13270393525073362, 0.7384553406258838]);
const east = unit(cross([0, 0, 1], up));
/** Axes of image area coordinates, turned by 30° from east. */
export const xAxis = unit(plus(plus([0, 0, 0], east, Math.cos(0.5)), cross(up, east), Math.sin(0.5)));
export const yAxis = cross(up, xAxis);
const toEcef = ([x, y, z]: V3): V3 => plus(plus(plus(iarp, xAxis, x), yAxis, y), up, z);

/** Targets in image area coordinates: x, y, height, amplitude, phase. */
export const targets: readonly (readonly [x: number, y: number, z: number, amplitude: number, phase: number])[] = [
  [0, 0, 0, 1, 0.2],
  [22, 18, 0, 0.8, 0.7],
  [-25, 11, 0, 0.6, -1.9],
  [14, -24, 0, 0.7, 2.4],
];

export interface CphdChannelSpec {
  readonly id?: string;
  readonly pol?: string;
  readonly gain?: number;
  /** Vectors without a usable signal. */
  readonly dead?: readonly number[];
}

export interface CphdSpec {
  readonly version?: string;
  readonly domain?: "FX" | "TOA";
  readonly sgn?: "-1" | "+1" | "1";
  readonly format?: "CF8" | "CI4" | "CI2";
  readonly ampSF?: boolean;
  readonly pulses?: number;
  readonly samples?: number;
  /** Largest shift of the band, in Hz, and change of the step as a share, both drawn for each vector. */
  readonly jitterHz?: number;
  readonly stepShare?: number;
  /** Samples on each side of FX1 to FX2, which hold values that are no signal. */
  readonly margin?: number;
  /** Distance between the stabilisation reference points of vectors, in metres. */
  readonly srpMeters?: number;
  /** Order of parameters in the record, and bytes after them. */
  readonly order?: readonly string[];
  readonly pad?: number;
  readonly hae?: boolean;
  readonly collectType?: string;
  readonly channels?: readonly CphdChannelSpec[];
  /** Multiplies the platform's velocity between transmission and reception: how far the two positions are apart. */
  readonly apart?: number;
  /** Changes the columns before they are written, the XML, and lines of the header. */
  readonly columns?: (columns: Record<string, number[]>, channel: number) => void;
  readonly xml?: (xml: string) => string;
  readonly header?: (lines: string[]) => string[];
}

const natural = [
  ...["TxTime", "TxPos", "TxVel", "RcvTime", "RcvPos", "RcvVel", "SRPPos", "aFDOP", "aFRR1", "aFRR2", "FX1", "FX2", "TOA1", "TOA2"],
  ...["TDTropoSRP", "SC0", "SCSS", "SIGNAL"],
];
/** Another order, with an added parameter in between. */
export const scrambled = [
  ...["SCSS", "SC0", "SRPPos", "RcvPos", "RcvTime", "RcvVel", "AmpSF", "TDTropoSRP", "TOA2", "TOA1", "Added", "SIGNAL", "FX2", "FX1"],
  ...["aFRR2", "aFRR1", "aFDOP", "TxVel", "TxPos", "TxTime"],
];
const schemaOrder = [
  ...["TxTime", "TxPos", "TxVel", "RcvTime", "RcvPos", "RcvVel", "SRPPos", "AmpSF", "aFDOP", "aFRR1", "aFRR2", "FX1", "FX2"],
  ...["TOA1", "TOA2", "TDTropoSRP", "SC0", "SCSS", "SIGNAL"],
];
const isTriple = (name: string): boolean => /^(Tx|Rcv)(Pos|Vel)$|^SRPPos$/.test(name);

/** A generator of numbers from 0 to 1 (mulberry32). */
function random(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Channel {
  readonly columns: Record<string, number[]>;
  /** [vector][sample], interleaved, before quantisation. */
  readonly samples: Float64Array;
}

const [fc, bandwidth, tropo] = [9.6e9, 150e6, 1.6e-8];

/** Half the swath of delays: 0.3 µs, or what the samples can hold. */
const toaHalfOf = ({ domain = "FX", samples = 120, margin = 0 }: CphdSpec): number =>
  domain === "TOA" ? 0.3e-6 : Math.min(0.3e-6, (samples - 1 - 2 * margin) / bandwidth / 2.6);

function makeChannel(spec: CphdSpec, { gain = 1, dead = [] }: CphdChannelSpec, seed: number): Channel {
  const { domain = "FX", pulses = 120, samples = 120, jitterHz = 0, stepShare = 0, margin = 0, srpMeters = 0, apart = 1 } = spec;
  const sign = spec.sgn === undefined || spec.sgn === "-1" ? -1 : 1;
  const toaHalf = toaHalfOf(spec);
  const draw = random(seed);
  const look = unit(plus(plus(plus([0, 0, 0], up, Math.cos(0.66)), xAxis, -Math.sin(0.66)), yAxis, 0.04));
  const middle = plus(iarp, look, 690e3);
  const velocity = plus(plus([0, 0, 0], unit(cross(look, xAxis)), 7500), up, 60);
  const at = (t: number): V3 => plus(middle, velocity, t);
  const columns: Record<string, number[]> = Object.fromEntries([...schemaOrder, "AmpSF", "Added"].map((name) => [name, []]));
  const toaStep = 1 / bandwidth / 1.3;
  const count = domain === "FX" ? samples : 2 * Math.ceil(toaHalf / toaStep) + 25;
  const data = new Float64Array(2 * pulses * count);
  for (let v = 0; v < pulses; v++) {
    const time = 0.01 + (v * 1.3) / (pulses - 1);
    const t = time - 0.66;
    const srp = srpMeters === 0 ? iarp : plus(iarp, xAxis, srpMeters * (draw() - 0.5));
    const tx = at(t);
    let delay = 0;
    for (let i = 0; i < 20; i++) delay = (distance(tx, srp) + distance(at(t + delay * apart), srp)) / c + tropo;
    const rx = at(t + delay * apart);
    const toa = (q: V3): number => (distance(tx, q) + distance(rx, q) - distance(tx, srp) - distance(rx, srp)) / c;
    const step = (bandwidth / (samples - 1 - 2 * margin)) * (1 + stepShare * (2 * draw() - 1));
    const first = fc - bandwidth / 2 + jitterHz * (2 * draw() - 1);
    const last = first + (samples - 1 - 2 * margin) * step;
    const centre = (first + last) / 2;
    const [sc0, scss] = domain === "FX" ? [first - margin * step, step] : [(-(count - 1) / 2 + 0.3 * draw()) * toaStep, toaStep];
    for (const [x, y, z, amplitude, phase] of targets) {
      const delta = toa(toEcef([x, y, z]));
      for (let k = 0; k < count; k++) {
        const s = sc0 + k * scss;
        const angle = 2 * Math.PI * sign * (domain === "FX" ? s : centre) * delta + phase;
        // The compressed pulse of a flat spectrum.
        const u = Math.PI * (last - first) * (s - delta);
        const weight = gain * amplitude * (domain === "FX" || u === 0 ? 1 : Math.sin(u) / u);
        data[2 * (v * count + k)] += weight * Math.cos(angle);
        data[2 * (v * count + k) + 1] += weight * Math.sin(angle);
      }
    }
    for (let k = 0; k < margin; k++)
      for (const i of [k, count - 1 - k]) data.set([5 * (draw() - 0.5), 5 * (draw() - 0.5)], 2 * (v * count + i));
    if (dead.includes(v)) data.fill(0, 2 * v * count, 2 * (v + 1) * count);
    const rate = dot(unit(plus(tx, srp, -1)), velocity) + dot(unit(plus(rx, srp, -1)), velocity);
    const row: Record<string, readonly number[]> = {
      TxTime: [time],
      TxPos: tx,
      TxVel: velocity,
      RcvTime: [time + delay],
      RcvPos: rx,
      RcvVel: velocity,
      SRPPos: srp,
      AmpSF: [1],
      aFDOP: [-rate / c],
      aFRR1: [0],
      aFRR2: [0],
      FX1: [first],
      FX2: [last],
      TOA1: [-toaHalf],
      TOA2: [toaHalf],
      TDTropoSRP: [tropo],
      SC0: [sc0],
      SCSS: [scss],
      SIGNAL: [dead.includes(v) ? 0 : 1],
      Added: [1000 + v],
    };
    for (const [name, values] of Object.entries(row)) columns[name].push(...values);
  }
  return { columns, samples: data };
}

/** Quantises samples, sets AmpSF, and encodes them, big-endian. */
function encodeSamples({ columns, samples }: Channel, { format = "CF8", ampSF = false }: CphdSpec): Uint8Array {
  const pulses = columns["TxTime"].length;
  const width = samples.length / pulses;
  const bytes = new Uint8Array(samples.length * { CF8: 4, CI4: 2, CI2: 1 }[format]);
  const view = new DataView(bytes.buffer);
  const top = { CF8: 1, CI4: 32767, CI2: 127 }[format];
  const peakOf = (from: number, to: number): number => samples.subarray(from, to).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const whole = peakOf(0, samples.length);
  for (let v = 0; v < pulses; v++) {
    const peak = peakOf(v * width, (v + 1) * width) || 1;
    const scale = format === "CF8" ? (ampSF ? 2 ** (v % 5) : 1) : (ampSF ? peak : whole) / top;
    columns["AmpSF"][v] = scale;
    for (let i = v * width; i < (v + 1) * width; i++) {
      const value = samples[i] / scale;
      if (format === "CF8") view.setFloat32(4 * i, value);
      else if (format === "CI4") view.setInt16(2 * i, Math.round(value));
      else view.setInt8(i, Math.round(value));
    }
  }
  return bytes;
}

const element = (name: string, ...content: readonly (string | number)[]): string => `<${name}>${content.join("")}</${name}>`;
const xyz = (name: string, values: V3, names = "XYZ"): string => element(name, ...values.map((x, i) => element(names[i], x)));
const area = (name: string, half: number): string =>
  element(name, element("X1Y1", element("X", -half), element("Y", -half)), element("X2Y2", element("X", half), element("Y", half)));

export interface MadeCphd {
  readonly bytes: Uint8Array;
  readonly xml: string;
  /** Columns of each channel as they were written. */
  readonly columns: readonly Record<string, number[]>[];
  /** Samples of each channel before quantisation. */
  readonly samples: readonly Float64Array[];
  /** What a stored sample must be multiplied by, beside AmpSF, to become one of `samples`. */
  readonly scale: number;
}

/** Makes a file. */
export function makeCphd(spec: CphdSpec = {}): MadeCphd {
  const { version = "1.1.0", domain = "FX", format = "CF8", ampSF = false, pad = 0, channels: specs = [{}] } = spec;
  const order = [...(spec.order ?? natural)].filter((name) => name !== "AmpSF" || ampSF);
  if (ampSF && !order.includes("AmpSF")) order.push("AmpSF");
  const channels = specs.map((one, i) => makeChannel(spec, one, 7 + i));
  const signals = channels.map((one) => encodeSamples(one, spec));
  const scale = ampSF ? 1 : channels[0].columns["AmpSF"][0];
  for (const [i, { columns }] of channels.entries()) spec.columns?.(columns, i);
  const offsets: Record<string, number> = {};
  let words = 0;
  for (const name of order) {
    offsets[name] = words;
    words += isTriple(name) ? 3 : 1;
  }
  const record = 8 * words + pad;
  const pulses = channels[0].columns["TxTime"].length;
  const width = channels[0].samples.length / pulses / 2;
  const sampleBytes = { CF8: 8, CI4: 4, CI2: 2 }[format];
  const constant = (name: string): boolean =>
    channels.every(({ columns }) => columns[name].every((x, i) => x === columns[name][isTriple(name) ? i % 3 : 0]));
  const fixed = { FX: constant("FX1") && constant("FX2"), TOA: constant("TOA1") && constant("TOA2"), SRP: constant("SRPPos") };
  const all = (name: string): number[] => channels.flatMap(({ columns }) => columns[name]);
  const [low, high] = [Math.min(...all("FX1")), Math.max(...all("FX2"))];
  const ids = specs.map(({ id }, i) => id ?? `channel ${i + 1}`);
  const half = 40;
  const toaHalf = toaHalfOf(spec);
  const field = (name: string): string =>
    element("Offset", offsets[name]) +
    element("Size", isTriple(name) ? 3 : 1) +
    element("Format", isTriple(name) ? "X=F8;Y=F8;Z=F8;" : name === "SIGNAL" || name === "Added" ? "I8" : "F8");
  // A metre along an axis on the ellipsoid, as angles.
  const angles = (axis: V3): string => {
    const [e, n] = [dot(axis, east), dot(axis, cross(up, east))];
    const [a, e2, latitude] = [6378137, 0.0066943799901413, (47.6 * Math.PI) / 180];
    const w = Math.sqrt(1 - e2 * Math.sin(latitude) ** 2);
    const [meridian, parallel] = [(a * (1 - e2)) / w ** 3 + 612, (a / w + 612) * Math.cos(latitude)];
    return element("Lat", n / meridian) + element("Lon", e / parallel);
  };
  const surface = spec.hae
    ? element("HAE", element("uIAXLL", angles(xAxis)), element("uIAYLL", angles(yAxis)))
    : element("Planar", xyz("uIAX", xAxis), xyz("uIAY", yAxis));
  const namespace = `http://api.nsgreg.nga.mil/schema/cphd/${version}`;
  const body = [
    element(
      "CollectionID",
      element("CollectorName", "TEST"),
      element("CoreName", "FOUR-POINTS"),
      element("CollectType", spec.collectType ?? "MONOSTATIC"),
      element("RadarMode", element("ModeType", "SPOTLIGHT")),
      element("Classification", "UNCLASSIFIED"),
      element("ReleaseInfo", "UNRESTRICTED"),
    ),
    element(
      "Global",
      element("DomainType", domain),
      element("SGN", spec.sgn ?? "-1"),
      element("Timeline", element("CollectionStart", "2026-03-14T10:21:07.250000Z"), element("TxTime1", 0.01), element("TxTime2", 1.31)),
      element("FxBand", element("FxMin", low), element("FxMax", high)),
      element("TOASwath", element("TOAMin", -toaHalf), element("TOAMax", toaHalf)),
    ),
    element(
      "SceneCoordinates",
      element("EarthModel", "WGS_84"),
      element("IARP", xyz("ECF", iarp), element("LLH", element("Lat", 47.6), element("Lon", 11.35), element("HAE", 612))),
      element("ReferenceSurface", surface),
      area("ImageArea", half),
    ),
    element(
      "Data",
      element("SignalArrayFormat", format),
      element("NumBytesPVP", record),
      element("NumCPHDChannels", channels.length),
      ...ids.map((id, i) =>
        element(
          "Channel",
          element("Identifier", id),
          element("NumVectors", pulses),
          element("NumSamples", width),
          element("SignalArrayByteOffset", i * pulses * width * sampleBytes),
          element("PVPArrayByteOffset", i * pulses * record),
        ),
      ),
      element("NumSupportArrays", 0),
    ),
    element(
      "Channel",
      element("RefChId", ids[0]),
      ...["FX", "TOA", "SRP"].map((name) => element(`${name}FixedCPHD`, `${fixed[name as "FX"]}`)),
      // In another order than the data.
      ...[...ids.entries()]
        .reverse()
        .map(([i, id]) =>
          element(
            "Parameters",
            element("Identifier", id),
            element("RefVectorIndex", Math.floor(pulses / 2)),
            ...["FX", "TOA", "SRP"].map((name) => element(`${name}Fixed`, `${fixed[name as "FX"]}`)),
            element("SignalNormal", `${(specs[i].dead ?? []).length === 0}`),
            element("Polarization", element("TxPol", (specs[i].pol ?? "VV")[0]), element("RcvPol", (specs[i].pol ?? "VV")[1])),
            element("FxC", (low + high) / 2),
            element("FxBW", high - low),
            element("TOASaved", 2 * toaHalf),
          ),
        ),
    ),
    element(
      "PVP",
      ...schemaOrder.filter((name) => order.includes(name)).map((name) => element(name, field(name))),
      ...(order.includes("Added") ? [element("AddedPVP", element("Name", "Added"), field("Added"))] : []),
    ),
  ].join("\n");
  const plain = `<CPHD xmlns="${namespace}">\n${body}\n</CPHD>`;
  const xml = spec.xml?.(plain) ?? plain;
  const xmlBytes = new TextEncoder().encode(xml);
  const vectors = new Uint8Array(channels.length * pulses * record);
  const view = new DataView(vectors.buffer);
  for (const [i, { columns }] of channels.entries())
    for (let v = 0; v < pulses; v++)
      for (const name of order)
        for (let k = 0; k < (isTriple(name) ? 3 : 1); k++) {
          const at = (i * pulses + v) * record + 8 * (offsets[name] + k);
          const value = columns[name][isTriple(name) ? 3 * v + k : v];
          if (name === "SIGNAL" || name === "Added") view.setBigInt64(at, BigInt(value));
          else view.setFloat64(at, value);
        }
  const signal = concat(signals);
  const xmlAt = 1024;
  const vectorsAt = Math.ceil((xmlAt + xmlBytes.length + 2) / 64) * 64;
  const signalAt = Math.ceil((vectorsAt + vectors.length) / 64) * 64;
  const lines = [
    `CPHD/${version}`,
    `XML_BLOCK_SIZE := ${xmlBytes.length}`,
    `XML_BLOCK_BYTE_OFFSET := ${xmlAt}`,
    `PVP_BLOCK_SIZE := ${vectors.length}`,
    `PVP_BLOCK_BYTE_OFFSET := ${vectorsAt}`,
    `SIGNAL_BLOCK_SIZE := ${signal.length}`,
    `SIGNAL_BLOCK_BYTE_OFFSET := ${signalAt}`,
    "CLASSIFICATION := UNCLASSIFIED",
    "RELEASE_INFO := UNRESTRICTED",
    "GENERATOR := test",
  ];
  const bytes = new Uint8Array(signalAt + signal.length);
  bytes.set(new TextEncoder().encode(`${(spec.header?.(lines) ?? lines).join("\n")}\n\f\n`));
  bytes.set(xmlBytes, xmlAt);
  bytes.set([12, 10], xmlAt + xmlBytes.length);
  bytes.set(vectors, vectorsAt);
  bytes.set(signal, signalAt);
  return { bytes, xml, columns: channels.map(({ columns }) => columns), samples: channels.map(({ samples }) => samples), scale };
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
