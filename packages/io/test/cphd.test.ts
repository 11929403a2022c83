/**
 * Reading CPHD files: bits of samples and parameters, channels, and local frames. The builder of the files uses nothing of the package.
 * Images are tested in the package processor.
 */
import { isRadarError } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { openCphd } from "../src/cphd.ts";
import { placeOf, readRecordingFrom } from "../src/formats.ts";
import { openBytes, type RandomAccess } from "../src/random-access.ts";
import { type CphdSpec, iarp, makeCphd, scrambled, xAxis, yAxis } from "./cphd-builder.ts";

const openMade = (spec: CphdSpec) => {
  const made = makeCphd(spec);
  return { made, file: openCphd(made.bytes, { file: "a.cphd" }) };
};

/** A source that counts bytes, and is `ahead` bytes off alignment. */
function counting(bytes: Uint8Array): RandomAccess & { total: number; largest: number } {
  const inner = openBytes(bytes);
  const source = {
    ...inner,
    total: 0,
    largest: 0,
    async read(at: number, length: number, options?: { readonly signal?: AbortSignal }) {
      source.total += length;
      source.largest = Math.max(source.largest, length);
      // Not aligned to words.
      const copy = new Uint8Array(length + 1);
      copy.set(await inner.read(at, length, options), 1);
      return copy.subarray(1);
    },
  };
  return source;
}

describe("samples", () => {
  it.each([
    ["CF8", false],
    ["CF8", true],
    ["CI4", true],
    ["CI4", false],
    ["CI2", true],
  ] as const)("%s, AmpSF %s: what is stored, times AmpSF", async (format, ampSF) => {
    const { made, file } = openMade({
      format,
      ampSF,
      sgn: "+1",
      order: scrambled,
      pad: 16,
      channels: [{ id: "a" }, { id: "b", gain: 0.5 }],
    });
    for (const [i, id] of ["a", "b"].entries()) {
      const history = await (await file).history(id);
      const [pulses, frequencies] = history.shape;
      const read = await history.pulses(0, pulses);
      const stored = await (await file).stored(id, 0, pulses);
      expect(stored).toBeInstanceOf({ CF8: Float32Array, CI4: Int16Array, CI2: Int8Array }[format]);
      const exact = made.samples[i];
      expect(read.length).toBe(exact.length);
      for (let k = 0; k < exact.length; k++) {
        const scale = made.columns[i]["AmpSF"][Math.floor(k / 2 / frequencies)];
        const expected = format === "CF8" ? Math.fround(exact[k] / scale) : Math.round(exact[k] / scale);
        if (stored[k] !== expected) expect([k, stored[k]]).toEqual([k, expected]);
        const value = Math.fround(stored[k] * (ampSF ? scale : 1));
        if (read[k] !== value) expect([k, read[k]]).toEqual([k, value]);
      }
      expect(history.phaseSign).toBe(1);
    }
  });

  it("blocks of any size have the same bits, from bytes off alignment", async () => {
    const { bytes } = makeCphd({ format: "CF8", channels: [{ dead: [3, 4] }] });
    const history = await (await openCphd(counting(bytes), { file: "a" })).history();
    const whole = await history.pulses(0, history.shape[0]);
    const parts: number[] = [];
    for await (const { data } of history.blocks({ count: 7 })) parts.push(...data);
    expect(Float32Array.from(parts)).toEqual(whole);
    expect(history.badPulses).toEqual([3, 4]);
    expect(whole.subarray(6 * history.shape[1], 10 * history.shape[1]).every((x) => x === 0)).toBe(true);
  });

  it("leaves out samples beyond FX1 to FX2", async () => {
    const { made, file } = openMade({ margin: 9 });
    const history = await (await file).history();
    expect(history.shape[1]).toBe(120 - 18);
    expect(history.frequency.firstHz).toBeCloseTo(made.columns[0]["FX1"][0], 3);
    const read = await history.pulses(0, 1);
    expect(Array.from(read)).toEqual(Array.from(made.samples[0].subarray(18, 18 + read.length), Math.fround));
  });

  it("reads only what is asked for", async () => {
    const { bytes } = makeCphd({ pulses: 100, samples: 2000 });
    const source = counting(bytes);
    const history = await (await openCphd(source, { file: "a" })).history();
    const opened = source.total;
    expect(opened).toBeLessThan(2 ** 17);
    await history.pulses(40, 2);
    expect(source.total - opened).toBe(2 * 2000 * 8);
  });

  it("names the sample that is not finite, unless its vector is not usable", async () => {
    const { bytes } = makeCphd({ channels: [{ dead: [2] }] });
    const view = new DataView(bytes.buffer);
    const first = bytes.length - 120 * 120 * 8;
    view.setFloat32(first + 8 * (120 * 2 + 7), Number.NaN);
    const history = await (await openCphd(bytes, { file: "a.cphd" })).history();
    await history.pulses(0, 120);
    const at = first + 8 * (120 * 5 + 11);
    view.setFloat32(at + 4, Number.POSITIVE_INFINITY);
    await expect(history.pulses(4, 3)).rejects.toMatchObject({
      code: "input",
      message: `a.cphd: at byte ${at}: expected a finite number at sample 11 of vector 5 of channel channel 1, found Infinity`,
    });
  });
});

describe("facts", () => {
  it("has positions in the frame of the image area", async () => {
    const { made, file } = openMade({ srpMeters: 10, jitterHz: 1e6 });
    const history = await (await file).history();
    const { TxPos, RcvPos, SRPPos, SC0, SCSS, TxTime, RcvTime } = made.columns[0];
    const local = (ecef: readonly number[]): number[] =>
      [xAxis, yAxis].map((axis) => axis.reduce((sum, x, k) => sum + x * (ecef[k] - iarp[k]), 0));
    for (const v of [0, 60, 119]) {
      const at = (column: readonly number[]) => column.slice(3 * v, 3 * v + 3);
      const middle = at(TxPos).map((x, k) => (x + at(RcvPos)[k]) / 2);
      expect(Math.hypot(...local(middle).map((x, k) => x - history.positions[3 * v + k]))).toBeLessThan(1e-6);
      const away = Math.hypot(...middle.map((x, k) => x - at(SRPPos)[k]));
      expect(Math.abs(history.referenceRangeMeters[v] - away)).toBeLessThan(1e-6);
      expect(history.pulseFrequencies?.firstHz[v]).toBe(SC0[v]);
      expect(history.pulseFrequencies?.stepHz[v]).toBe(SCSS[v]);
      expect(history.pulseSeconds?.[v]).toBe((TxTime[v] + RcvTime[v]) / 2);
    }
    expect(history.positions[2]).toBeGreaterThan(500e3);
    expect(history.area).toEqual({ xMeters: [-40, 40], yMeters: [-40, 40] });
    expect(history.startUtc).toBe("2026-03-14T10:21:07.250000Z");
  });

  it("a frame of constant height is the same to 1e-6", async () => {
    const frames = await Promise.all([{}, { hae: true }].map(async (spec) => (await (await openMade(spec).file).history()).frame));
    const [planar, hae] = frames.map(({ axes }) => axes.flat());
    expect(Math.max(...planar.map((x, i) => Math.abs(x - hae[i])))).toBeLessThan(1e-6);
  });

  it("gives vectors without a signal and a place the place of a neighbour", async () => {
    const { file } = openMade({
      channels: [{ dead: [0, 1, 50] }],
      columns: (columns) => {
        for (const name of ["TxPos", "RcvPos", "SRPPos"]) for (const i of [0, 1, 2, 150]) columns[name][i] = Number.NaN;
      },
    });
    const { positions, referenceRangeMeters } = await (await file).history();
    expect(positions.every(Number.isFinite)).toBe(true);
    expect(Array.from(positions.subarray(0, 3))).toEqual(Array.from(positions.subarray(6, 9)));
    expect(Array.from(positions.subarray(150, 153))).toEqual(Array.from(positions.subarray(147, 150)));
    expect(referenceRangeMeters[50]).toBe(referenceRangeMeters[49]);
  });

  it("lists channels, and reads the one that is asked for", async () => {
    const spec: CphdSpec = {
      channels: [
        { id: "one", pol: "HH" },
        { id: "two", pol: "HV", gain: 0.5 },
      ],
      xml: (xml) => xml.replace("<TOASaved>", "<TgtRefLevel><PTRef>2.5</PTRef></TgtRefLevel><TOASaved>"),
    };
    const place = placeOf({ "a.bin": makeCphd(spec).bytes }, { file: "a.bin" });
    const first = await readRecordingFrom(place);
    expect(first).toMatchObject({ kind: "phase-history", format: "cphd" });
    expect(first.recording).toMatchObject({
      channel: "one",
      channels: ["one", "two"],
      polarisation: "HH",
      name: "FOUR-POINTS, channel one",
    });
    const second = await readRecordingFrom(place, { channel: "two", kind: "phase-history" });
    expect(second.recording).toMatchObject({ channel: "two", polarisation: "HV", levels: { pointTarget: 2.5 } });
    expect((await readRecordingFrom(place, { kind: "phase-history" })).recording.notes.join()).toContain("2 channels: one, two");
    await expect(readRecordingFrom(place, { channel: "three" })).rejects.toMatchObject({ code: "input", fields: { field: "channel" } });
  });

  it("states that there is no level of a point target", async () => {
    const { file } = openMade({});
    expect((await (await file).history()).notes).toEqual([expect.stringContaining("TgtRefLevel")]);
  });

  it("has a note if times and positions disagree", async () => {
    const { file } = openMade({ columns: ({ RcvTime }) => RcvTime.forEach((t, v) => (RcvTime[v] = t + 1e-7)) });
    expect((await (await file).history()).notes.join()).toContain("RcvTime − TxTime differs by up to 1.00e-7 s");
  });
});

it("opens a sparse file of 8 GB and reads some of its vectors with little memory", async () => {
  const { bytes } = makeCphd({ pulses: 4, samples: 100 });
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, bytes.length - 4 * 100 * 8));
  const [vectors, samples] = [10_000, 100_000];
  const signalBytes = vectors * samples * 8;
  // The header and the XML say more vectors; they lie in a block of zeros, of which one record is used for all.
  const recordBytes = 28 * 8;
  const at = (key: string): number => Number(new RegExp(`${key} := (\\d+)`).exec(text)?.[1]);
  const xmlAt = at("XML_BLOCK_BYTE_OFFSET");
  const xml = text
    .slice(xmlAt, xmlAt + at("XML_BLOCK_SIZE"))
    .replace("<NumVectors>4<", `<NumVectors>${vectors}<`)
    .replace("<NumSamples>100<", `<NumSamples>${samples}<`);
  const first = 64 * Math.ceil((1024 + xml.length + 2) / 64);
  const signalAt = first + vectors * recordBytes;
  const record = bytes.slice(at("PVP_BLOCK_BYTE_OFFSET"), at("PVP_BLOCK_BYTE_OFFSET") + recordBytes);
  const head = new TextEncoder().encode(
    `CPHD/1.1.0\nXML_BLOCK_SIZE := ${xml.length}\nXML_BLOCK_BYTE_OFFSET := 1024\nPVP_BLOCK_SIZE := ${vectors * recordBytes}\nPVP_BLOCK_BYTE_OFFSET := ${first}\nSIGNAL_BLOCK_SIZE := ${signalBytes}\nSIGNAL_BLOCK_BYTE_OFFSET := ${signalAt}\nCLASSIFICATION := U\nRELEASE_INFO := U\n\f\n`,
  );
  const front = new Uint8Array(first);
  front.set(head);
  front.set(new TextEncoder().encode(`${xml}\f\n`), 1024);
  let largest = 0;
  const source: RandomAccess = {
    name: "sparse",
    size: signalAt + signalBytes,
    close: async () => {},
    async read(from, length) {
      largest = Math.max(largest, length);
      const out = new Uint8Array(length);
      if (from < first) out.set(front.subarray(from, from + length));
      if (from >= first && from < signalAt)
        for (let v = 0; v < length / recordBytes; v++) {
          out.set(record, v * recordBytes);
          const view = new DataView(out.buffer, v * recordBytes, recordBytes);
          const index = (from - first) / recordBytes + v;
          // TxTime and RcvTime are words 0 and 7; the step is that of the larger number of samples.
          view.setFloat64(0, 0.01 + index * 1e-4);
          view.setFloat64(56, 0.02 + index * 1e-4);
          view.setFloat64(26 * 8, 150e6 / samples);
        }
      return out;
    },
  };
  const before = process.memoryUsage().arrayBuffers;
  const history = await (await openCphd(source, { file: "sparse" })).history();
  expect(history.shape[0]).toBe(vectors);
  const count = 32;
  await history.pulses(vectors - count, count);
  const block = count * samples * 8;
  expect(largest).toBeLessThanOrEqual(Math.max(block, 2 ** 22));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(3 * block);
});

it("stops at once if its signal fires", async () => {
  const { bytes } = makeCphd({});
  const stopped = AbortSignal.abort();
  const isAborted = (error: unknown): boolean => isRadarError(error, "aborted");
  await expect(openCphd(openBytes(bytes), { file: "a", signal: stopped })).rejects.toSatisfy(isAborted);
  const file = await openCphd(openBytes(bytes), { file: "a" });
  await expect(file.history(undefined, { signal: stopped })).rejects.toSatisfy(isAborted);
  await expect(file.stored("channel 1", 0, 1, { signal: stopped })).rejects.toSatisfy(isAborted);
  await expect((await file.history()).pulses(0, 1, { signal: stopped })).rejects.toSatisfy(isAborted);
});
