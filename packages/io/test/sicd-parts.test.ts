/** SICD images in parts: windows in any order, segments, stored types, versions, aborts; and what a SICD image lacks or has wrong. */
import { createRandom, isRadarError } from "@dechirp/core";
import type { ImageWindow, PlanePlacement } from "@dechirp/radar";
import { describe, expect, it } from "vitest";
import { openBytes } from "../src/index.ts";
import { createSicdSink, openSicd, type SicdImage, sicdToGround } from "../src/sicd.ts";
import { refusal } from "./refusal.ts";
import {
  type KnownImage,
  knownBackprojection,
  knownCollection,
  knownPlatform,
  knownRangeDoppler,
  plus,
  scaled,
  slantSteps,
} from "./sicd-support.ts";
import { created, layoutOf, memoryTarget, segmentedFile, sicdFile, sicdFileOf } from "./sicd-target.ts";
import { cut, randomPartition } from "./sink-support.ts";

const file = "x.nitf";
const open = (bytes: Uint8Array): Promise<SicdImage> => openSicd(bytes, { file });
const whole = (image: SicdImage): Promise<Float32Array> =>
  image.read({ row: 0, column: 0, rows: image.layout.shape[0], columns: image.layout.shape[1] });

describe("parts", () => {
  const known = knownBackprojection(slantSteps, { side: "left" });
  const partsOf = (seed: number): [ImageWindow, Float32Array][] =>
    randomPartition({ row: 0, column: 0, rows: known.rows, columns: known.columns }, 900, createRandom(seed)).map((window) => [
      window,
      cut(layoutOf(known), known.data, window) as Float32Array,
    ]);

  it("gives the same file, however the image is divided", async () => {
    const expected = await sicdFile(known);
    for (const seed of [1, 2, 3]) {
      const target = memoryTarget();
      const sink = await createSicdSink(target, layoutOf(known), known.metadata, { created });
      await Promise.all(partsOf(seed).map(([window, data]) => sink.write(window, data)));
      await sink.finish();
      expect(Buffer.compare(target.bytes(), expected)).toBe(0);
    }
  });

  it("divides large images into segments, which are read as one image", async () => {
    const expected = await whole(await open(await sicdFile(known)));
    const rowBytes = 8 * known.rows;
    for (const segmentBytes of [rowBytes, 7 * rowBytes + 5, 40 * rowBytes]) {
      const { bytes } = await segmentedFile(known, segmentBytes, partsOf(4));
      const image = await open(bytes);
      expect(Buffer.compare(new Uint8Array((await whole(image)).buffer), new Uint8Array(expected.buffer))).toBe(0);
      const part = { row: 5, column: 11, rows: 60, columns: 3 };
      expect(await image.read(part)).toEqual(cut(image.layout, expected, part));
      const text = new TextDecoder("latin1").decode(bytes);
      expect(text).toContain("SICD001");
      expect(text).not.toContain("SICD000");
    }
  });

  it("reads back what was written, to the rounding of a carrier", async () => {
    const { bytes, writer } = await segmentedFile(known, 2000 * known.rows, partsOf(5));
    const { createPause } = await import("@dechirp/core");
    for (const [window, data] of partsOf(6)) {
      const back = new Float32Array(data.length);
      const read = async (at: number, out: Uint8Array): Promise<void> => out.set(bytes.subarray(at, at + out.length));
      await writer.get(window, back, read, createPause("reading", undefined));
      expect(Math.max(...data.map((x, i) => Math.abs(x - back[i])))).toBeLessThan(3e-7);
    }
  });

  it("reads any window, from sources of any kind", async () => {
    const bytes = await sicdFile(known);
    const image = await openSicd(openBytes(bytes), { file });
    const data = await whole(image);
    const { uniform } = createRandom(7);
    const [rows, columns] = image.layout.shape;
    for (let n = 0; n < 50; n++) {
      const [row, column] = [Math.floor(uniform() * rows), Math.floor(uniform() * columns)];
      const window = {
        row,
        column,
        rows: 1 + Math.floor(uniform() * (rows - row)),
        columns: 1 + Math.floor(uniform() * (columns - column)),
      };
      expect(await image.read(window)).toEqual(cut(image.layout, data, window));
    }
    expect((await refusal(() => image.read({ row: 0, column: 0, rows: rows + 1, columns: 1 }))).fields).toMatchObject({
      field: "window.rows",
    });
  });

  it("aborts opening, reading and writing", async () => {
    const aborted = async (work: () => Promise<unknown>): Promise<boolean> => {
      try {
        await work();
        return false;
      } catch (error) {
        return isRadarError(error, "aborted");
      }
    };
    const bytes = await sicdFile(known);
    const image = await open(bytes);
    const signal = AbortSignal.abort();
    const window = { row: 0, column: 0, rows: 4, columns: 4 };
    expect(await aborted(() => openSicd(bytes, { file, signal }))).toBe(true);
    expect(await aborted(() => image.read(window, { signal }))).toBe(true);
    expect(await aborted(() => createSicdSink(memoryTarget(), layoutOf(known), known.metadata, { signal }))).toBe(true);
    const sink = await createSicdSink(memoryTarget(), layoutOf(known), known.metadata);
    expect(await aborted(() => sink.write(window, new Float32Array(32), { signal }))).toBe(true);
  });

  it("takes metadata at the end, unless it moves the pixels", async () => {
    const { collection } = known.metadata;
    const begun = async () => {
      const target = memoryTarget();
      const sink = await createSicdSink(target, layoutOf(known), known.metadata, { created });
      await sink.write({ row: 0, column: 0, rows: known.rows, columns: known.columns }, known.data);
      return { target, sink };
    };
    const { target, sink } = await begun();
    const processing = { ...collection.processing, autofocus: true };
    await sink.finish({ metadata: { collection: { ...collection, name: "LATE", processing } } });
    expect((await open(target.bytes())).metadata).toMatchObject({ collection: { name: "LATE" }, processing: { autofocus: "GLOBAL" } });
    const again = await begun();
    const other = { ...collection, processing: { ...collection.processing, seconds: [1.2, 2] as const } };
    expect((await refusal(() => again.sink.finish({ metadata: { collection: other } }))).message).toContain("same place");
  });
});

describe("stored types", () => {
  const known = knownBackprojection(slantSteps);
  const { uniform } = createRandom(11);
  const pixels = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => Math.floor(256 * uniform()));

  it("reads int16 and amplitudes with phases, with and without a table, by definition", async () => {
    const { metadata } = await open(await sicdFile(known));
    const { rows, columns } = metadata.image;
    const shorts = pixels(4 * rows * columns);
    const of16 = await whole(await open(sicdFileOf({ ...metadata, image: { ...metadata.image, pixelType: "RE16I_IM16I" } }, shorts)));
    const view = new DataView(shorts.buffer);
    expect(of16.every((value, i) => value === view.getInt16(2 * i))).toBe(true);
    const polar = pixels(2 * rows * columns);
    const table = Array.from({ length: 256 }, () => 1000 * uniform());
    for (const amplitudes of [undefined, table]) {
      const image = { ...metadata.image, pixelType: "AMP8I_PHS8I" as const, ...(amplitudes && { amplitudes }) };
      const of8 = await whole(await open(sicdFileOf({ ...metadata, image }, polar)));
      for (let i = 0; i < polar.length / 2; i++) {
        const amplitude = (amplitudes ?? [])[polar[2 * i]] ?? polar[2 * i];
        const phase = (2 * Math.PI * polar[2 * i + 1]) / 256;
        expect(Math.hypot(of8[2 * i] - amplitude * Math.cos(phase), of8[2 * i + 1] - amplitude * Math.sin(phase))).toBeLessThanOrEqual(
          amplitude * 1e-7,
        );
      }
    }
  });

  it("reads all versions", async () => {
    const { metadata } = await open(await sicdFile(known));
    const floats = new Uint8Array(8 * known.rows * known.columns);
    for (const version of ["1.0.0", "1.1.0", "1.2.0", "1.2.1", "1.3.0", "1.4.0", "1.5"]) {
      const image = await open(sicdFileOf({ ...metadata, version }, floats));
      expect(image.metadata).toEqual({ ...metadata, version, creation: metadata.creation });
    }
  });
});

describe("refusals", () => {
  const known = knownBackprojection(slantSteps);
  const { placement, collection } = known.metadata as { placement: PlanePlacement; collection: KnownImage["metadata"]["collection"] };
  const layout = layoutOf(known);
  const fieldOf = async (metadata: unknown, options = {}): Promise<unknown> =>
    (await refusal(() => createSicdSink(memoryTarget(), layout, metadata as KnownImage["metadata"], options))).fields.field;

  it("names what a SICD image lacks", async () => {
    expect(await fieldOf({ collection })).toBe("metadata.placement");
    expect(await fieldOf({ placement })).toBe("metadata.collection");
    expect(await fieldOf({ placement, collection: { ...collection, platform: undefined } })).toBe("metadata.collection.platform");
    const map = { kind: "map", epsg: 32634, origin: [5e5, 4e6], columnStep: 1, rowStep: -1 };
    expect(await fieldOf({ placement: map, collection })).toBe("metadata.placement.kind");
    const slant = knownRangeDoppler().metadata;
    expect(await fieldOf({ ...slant, collection: { ...slant.collection, doppler: undefined } })).toBe("metadata.collection.doppler");
    expect(await fieldOf({ placement, collection: slant.collection })).toBe("metadata.placement.kind");
  });

  it("names what is wrong", async () => {
    const wrong = (members: object): Promise<unknown> => fieldOf({ placement, collection: { ...collection, ...members } });
    expect(await wrong({ name: " " })).toBe("metadata.collection.name");
    expect(await wrong({ start: "2026-03-14 11:00" })).toBe("metadata.collection.start");
    expect(await wrong({ mode: "scan" })).toBe("metadata.collection.mode");
    expect(await wrong({ durationSeconds: 0 })).toBe("metadata.collection.durationSeconds");
    expect(await wrong({ transmitHz: [2, 1] })).toBe("metadata.collection.transmitHz");
    expect(await wrong({ classification: "PUBLIC" })).toBe("metadata.collection.classification");
    expect(await wrong({ polarisation: { transmit: "Z", receive: "H" } })).toBe("metadata.collection.polarisation.transmit");
    expect(await wrong({ platform: { kind: "polynomial", coefficients: [[1], [2]] } })).toBe("metadata.collection.platform.coefficients");
    expect(await wrong({ processing: { ...collection.processing, seconds: [2, 5] } })).toBe("metadata.collection.processing.seconds");
    expect(await wrong({ processing: { ...collection.processing, bandHz: [1e9, 2e9] } })).toBe("metadata.collection.processing.bandHz");
    const coarse = { ...placement, columnStepMeters: scaled(placement.columnStepMeters, 2) };
    expect(await fieldOf({ placement: coarse, collection })).toBe("metadata.placement.columnStepMeters");
    const oblique = { ...placement, rowStepMeters: plus(placement.rowStepMeters, placement.columnStepMeters, 0.01) };
    expect(await fieldOf({ placement: oblique, collection })).toBe("metadata.placement.columnStepMeters");
    expect(await fieldOf(known.metadata, { version: "1.2.0" })).toBe("version");
    expect(await fieldOf(known.metadata, { station: "a station with a long name" })).toBe("station");
    expect(await fieldOf(known.metadata, { created: "today" })).toBe("created");
    expect(knownCollection(knownPlatform()).name).toBe(collection.name);
  });

  it("refuses to project images whose geometry it does not know", async () => {
    const { metadata } = await open(await sicdFile(known));
    const bistatic = { ...metadata, collection: { ...metadata.collection, type: "BISTATIC" } };
    expect((await refusal(() => sicdToGround(bistatic, { row: 0, column: 0 }))).fields.field).toBe("metadata.collection.type");
    const other = { ...metadata, grid: { ...metadata.grid, type: "RGZERO" } };
    expect((await refusal(() => sicdToGround(other, { row: 0, column: 0 }))).fields.field).toBe("metadata.grid.type");
    expect((await refusal(() => sicdToGround(metadata, { row: -1e9, column: 0 }))).fields.field).toBe("pixel");
  });
});
