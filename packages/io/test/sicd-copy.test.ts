/** SICD images that are written again with all of their metadata, and their places as placements, against their own projection. */
import { ecefToGeodetic } from "@dechirp/radar/geodesy";
import { describe, expect, it } from "vitest";
import { createSicdSink, openSicd, placementOfSicd, sicdControlPoints, sicdToGround, type XmlElement } from "../src/sicd.ts";
import { groundSteps, type KnownImage, knownBackprojection, knownRangeDoppler, slantSteps } from "./sicd-support.ts";
import { created, memoryTarget, sicdFile, sicdFileOf } from "./sicd-target.ts";

const names: readonly [string, KnownImage][] = [
  ["a slant plane", knownBackprojection(slantSteps)],
  ["a slant plane, looking left", knownBackprojection(slantSteps, { side: "left", squintDegrees: 4 })],
  ["a ground plane", knownBackprojection(groundSteps)],
  ["zero-Doppler times", knownRangeDoppler()],
  ["zero-Doppler times, looking left", knownRangeDoppler({ side: "left" })],
];

/** The elements of a tree as lines, with the path, the attributes without namespaces, and the text. */
function linesOf(element: XmlElement): string[] {
  const attributes = Object.entries(element.attributes).filter(([name]) => !name.startsWith("xmlns"));
  const own = element.children.length > 0 ? "" : element.text;
  return [`${element.path} ${JSON.stringify(attributes)} ${own}`, ...element.children.flatMap(linesOf)];
}

/** Writes the image of a file again. */
async function copied(bytes: Uint8Array, version: "1.3.0" | "1.4.0") {
  const image = await openSicd(bytes, { file: "a.nitf" });
  const [rows, columns] = image.layout.shape;
  const target = memoryTarget();
  const sink = await createSicdSink(target, image.layout, {}, { created, version, copyOf: image });
  const top = { row: 0, column: 0, rows: 5, columns };
  const rest = { ...top, row: 5, rows: rows - 5 };
  for (const window of [rest, top]) await sink.write(window, await image.read(window));
  await sink.finish();
  return { image, copy: await openSicd(target.bytes(), { file: "b.nitf" }) };
}

describe("a SICD image that is written again", () => {
  it.each(names)("keeps pixels and metadata: %s", async (_, known) => {
    const { image, copy } = await copied(await sicdFile(known), "1.4.0");
    const [rows, columns] = image.layout.shape;
    const whole = { row: 0, column: 0, rows, columns };
    expect(await copy.read(whole)).toEqual(await image.read(whole));
    expect(copy.metadata).toEqual({ ...image.metadata, version: "1.4.0" });
    expect(linesOf(copy.xml)).toEqual(linesOf(image.xml));
    expect(copy.xml.namespace).toBe("urn:SICD:1.4.0");
    expect(copy.notes).toEqual([]);
  });

  it("stores amplitudes and phases as numbers, without their table", async () => {
    const { metadata } = await openSicd(await sicdFile(names[0][1]), { file: "a.nitf" });
    const { rows, columns } = metadata.image;
    const amplitudes = Array.from({ length: 256 }, (_, i) => 2 * i + 1);
    const polar = { ...metadata, image: { ...metadata.image, pixelType: "AMP8I_PHS8I", amplitudes } } as const;
    const pixels = Uint8Array.from({ length: 2 * rows * columns }, (_, i) => (i * 37) % 256);
    const { image, copy } = await copied(sicdFileOf(polar, pixels), "1.3.0");
    const whole = { row: 0, column: 0, rows, columns };
    expect(await copy.read(whole)).toEqual(await image.read(whole));
    expect(copy.metadata.image).toEqual({ ...metadata.image, pixelType: "RE32F_IM32F" });
    expect(linesOf(copy.xml).some((line) => line.includes("AmpTable"))).toBe(false);
  });

  it("has a classification of NITF in its headers, and in the XML what the file said", async () => {
    const image = await openSicd(await sicdFile(names[0][1]), { file: "a.nitf" });
    const copyOf = async (classification: string, FSCLAS: string) => {
      const metadata = { ...image.metadata, collection: { ...image.metadata.collection, classification } };
      const target = memoryTarget();
      const given = { metadata, xml: image.xml, header: { ...image.header, FSCLAS } };
      const sink = await createSicdSink(target, image.layout, {}, { created, copyOf: given });
      const [rows, columns] = image.layout.shape;
      await sink.write({ row: 0, column: 0, rows, columns }, await image.read({ row: 0, column: 0, rows, columns }));
      await sink.finish();
      return (await openSicd(target.bytes(), { file: "b.nitf" })).header["FSCLAS"];
    };
    expect(await copyOf("NON CLASSIFIE / UNCLASSIFIED", "")).toBe("U");
    expect(await copyOf("SECRET // UNCLASSIFIED WHEN", "")).toBe("S");
    expect(await copyOf("anything", "R")).toBe("R");
    await expect(copyOf("NON CLASSIFIE", "")).rejects.toMatchObject({ fields: { field: "copyOf.metadata.collection.classification" } });
  });

  it("refuses an image of another size", async () => {
    const image = await openSicd(await sicdFile(names[0][1]), { file: "a.nitf" });
    const opening = createSicdSink(memoryTarget(), { dtype: "c64", shape: [3, 4] }, {}, { copyOf: image });
    await expect(opening).rejects.toMatchObject({ code: "input", fields: { field: "layout.shape" } });
  });
});

describe("the placement of a SICD image", () => {
  it.each(names)("has the places of its own projection: %s", async (_, known) => {
    const { metadata } = await openSicd(await sicdFile(known), { file: "a.nitf" });
    const { placement, isTransposed, errorPixels } = placementOfSicd(metadata);
    expect(isTransposed).toBe(placement.kind === "slant");
    expect(errorPixels).toBeLessThan(0.02);
  });

  it("is the placement that the image was written with, as far as both are planes", async () => {
    const { metadata } = await openSicd(await sicdFile(names[2][1]), { file: "a.nitf" });
    const { placement } = placementOfSicd(metadata);
    const given = names[2][1].metadata.placement;
    if (placement.kind !== "plane" || given?.kind !== "plane") throw new Error("both are planes");
    expect(placement.plane).toBe("ground");
    const lengths = ({ rowStepMeters: u, columnStepMeters: v }: typeof placement) => [Math.hypot(...u), Math.hypot(...v)].sort();
    const [found, expected] = [lengths(placement), lengths(given)];
    for (const k of [0, 1]) expect(found[k]).toBeCloseTo(expected[k], 9);
  });

  it("states the error of an image whose pixels have times of their own", async () => {
    const { metadata } = await openSicd(await sicdFile(names[0][1]), { file: "a.nitf" });
    const moving = { ...metadata, grid: { ...metadata.grid, timeOfAperture: [[1.5, 0.3]] } };
    // At the edge the radar is seen from a direction that differs by some degrees; pixels above the ground are then elsewhere on it.
    expect(placementOfSicd(moving).errorPixels).toBeGreaterThan(0.3);
  });

  it("has control points where pixels are", async () => {
    const { metadata } = await openSicd(await sicdFile(names[3][1]), { file: "a.nitf" });
    const { rows, columns } = metadata.image;
    const points = sicdControlPoints(metadata, { perSide: 3, heightMeters: 50 });
    expect(points.map(({ row, column }) => [row, column])).toContainEqual([rows - 1, (columns - 1) / 2]);
    for (const { row, column, latitudeDegrees, longitudeDegrees, heightMeters } of points) {
      const place = ecefToGeodetic(sicdToGround(metadata, { row, column }, 50));
      expect(heightMeters).toBe(50);
      expect(latitudeDegrees).toBeCloseTo(place.latitudeDegrees, 12);
      expect(longitudeDegrees).toBeCloseTo(place.longitudeDegrees, 12);
    }
  });

  it("refuses bistatic images and grids that it does not know", async () => {
    const { metadata } = await openSicd(await sicdFile(names[0][1]), { file: "a.nitf" });
    const bistatic = { ...metadata, collection: { ...metadata.collection, type: "BISTATIC" } };
    expect(() => placementOfSicd(bistatic)).toThrow(/metadata.collection.type must be MONOSTATIC/);
    expect(() => placementOfSicd({ ...metadata, grid: { ...metadata.grid, type: "RGAZCOMP" } })).toThrow(
      /metadata.grid.type must be PLANE/,
    );
  });
});
