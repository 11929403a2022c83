/** Descriptions of things: their footprints as GeoJSON, how a radar sees a scene, and arguments that are refused. Every kind of thing is described in the tests of `dechirp info`. */
import { createLocalFrame } from "@dechirp/radar/geodesy";
import { describe, expect, it } from "vitest";
import { placeOf } from "../src/formats.ts";
import { encodePng } from "../src/index.ts";
import { viewOf } from "../src/info/geometry.ts";
import { infoRows } from "../src/info/table.ts";
import { describePlace, footprintsOf, type InfoPosition, type InfoThing, infoFacts, infoText } from "../src/info.ts";

describe("describePlace", () => {
  it("has rows of different names", () => {
    expect(new Set(infoRows.map(({ name }) => name)).size).toBe(infoRows.length);
  });

  it("names a wrong argument, and stops when it is aborted", async () => {
    const place = placeOf({ "a.png": await encodePng({ width: 3, height: 2, data: new Uint8Array(6) }) }, { file: "a.png" });
    const refused = (field: string) => expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) });
    await expect(describePlace("a.png" as never)).rejects.toEqual(refused("place"));
    await expect(describePlace(place, { geometry: 3 as never })).rejects.toEqual(refused("geometry"));
    await expect(describePlace(place, { signal: 3 as never })).rejects.toEqual(refused("signal"));
    await expect(describePlace(place, { signl: 3 } as never)).rejects.toMatchObject({ code: "input" });
    await expect(describePlace(place, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
    expect(await describePlace(place)).toMatchObject({ file: "a.png", format: { name: "png" }, shape: [2, 3] });
  });

  it("has texts and footprints of descriptions only", () => {
    for (const wrong of [undefined, null, 3, "a.cphd", {}, { file: "a.cphd", format: {} }]) {
      const refused = (field: string) => expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) });
      expect(() => infoText(wrong as never)).toThrow(refused("thing"));
      expect(() => infoFacts(wrong as never)).toThrow(refused("thing"));
      expect(() => footprintsOf(wrong as never)).toThrow(refused("things"));
      expect(() => footprintsOf([wrong as never])).toThrow(refused("things[0]"));
    }
  });

  it("says in one sentence what it does not know", async () => {
    const cases: readonly (readonly [Parameters<typeof placeOf>, RegExp])[] = [
      [[{}], /^files: must be a recording.*, not an empty folder$/],
      [[{ "notes.txt": new Uint8Array(3) }], /^files: must be .*, not a folder with notes\.txt$/],
      [[{ none: new Uint8Array(0) }, { file: "none" }], /^none: must be .*, not an empty file$/],
      [[{ bytes: Uint8Array.of(1, 2, 255) }, { file: "bytes" }], /^bytes: must be .*, not a file that begins with the bytes 01 02 ff$/],
    ];
    for (const [files, message] of cases)
      await expect(describePlace(placeOf(...files))).rejects.toMatchObject({ code: "input", message: expect.stringMatching(message) });
  });
});

describe("GeoJSON of footprints", () => {
  const thing = (corners: readonly (readonly [longitude: number, latitude: number])[] | undefined): InfoThing => {
    const positions = corners?.map(([longitudeDegrees, latitudeDegrees]): InfoPosition => ({ latitudeDegrees, longitudeDegrees }));
    const centre = { latitudeDegrees: 1, longitudeDegrees: 2, heightMeters: 3 };
    return {
      file: "a.cphd",
      format: { name: "cphd", title: "CPHD file" },
      isRead: true,
      kind: "phase-history",
      bytes: 1,
      commands: [],
      notes: [],
      place: { centre, ...(positions && { corners: positions }) },
    };
  };
  const geometryOf = (corners: Parameters<typeof thing>[0]) => footprintsOf([thing(corners)]).features[0].geometry;
  /** Twice the area of a closed ring, positive if it is counter-clockwise. */
  const area = (ring: readonly (readonly number[])[]): number =>
    ring.slice(1).reduce((sum, [x, y], i) => sum + ring[i][0] * y - x * ring[i][1], 0);

  it("are counter-clockwise and closed, whatever the order of the corners", () => {
    const corners = [
      [8, 47],
      [9, 47],
      [9, 48],
      [8, 48],
    ] as const;
    for (const order of [corners, [...corners].reverse()]) {
      const geometry = geometryOf(order);
      if (geometry.type !== "Polygon") throw new Error(geometry.type);
      const [ring] = geometry.coordinates;
      expect(ring).toHaveLength(5);
      expect(ring[0]).toEqual(ring[4]);
      expect(area(ring)).toBeCloseTo(2, 9);
    }
  });

  it("are cut at the antimeridian", () => {
    const geometry = geometryOf([
      [179, 10],
      [-178, 10],
      [-178, 12],
      [179, 12],
    ]);
    if (geometry.type !== "MultiPolygon") throw new Error(geometry.type);
    const rings = geometry.coordinates.map(([ring]) => ring);
    const spans = rings.map((ring) => [Math.min(...ring.map(([x]) => x)), Math.max(...ring.map(([x]) => x))]).sort((a, b) => a[0] - b[0]);
    expect(spans).toEqual([
      [-180, -178],
      [179, 180],
    ]);
    expect(rings.map(area).sort((a, b) => a - b)).toEqual([2 * 2 * 1, 2 * 2 * 2]);
  });

  it("are points where only the middle is known, and refused with a pole inside", () => {
    expect(geometryOf(undefined)).toEqual({ type: "Point", coordinates: [2, 1, 3] });
    expect(() =>
      geometryOf([
        [0, 89],
        [90, 89],
        [180, 89],
        [-90, 89],
      ]),
    ).toThrow(/a.cphd: its footprint has a pole of the earth in it/);
  });
});

describe("how a radar sees a scene", () => {
  it.each([
    ["east of it, flying north", [5000, 0, 5000], [0, 100, 0], "left", 90, 0],
    ["west of it, flying north", [-5000, 0, 5000], [0, 100, 0], "right", 270, 0],
    ["north of it, flying west", [0, 5000, 5000], [-100, 0, 0], "left", 0, 270],
    ["south of it, flying west", [0, -5000, 5000], [-100, 0, 0], "right", 180, 270],
  ] as const)("%s", (_, place, velocity, lookSide, azimuth, heading) => {
    const frame = createLocalFrame({ latitudeDegrees: 10, longitudeDegrees: 20, heightMeters: 100 });
    const view = viewOf(frame.toEcef(place), frame.directionToEcef(velocity), frame.originMeters);
    expect(view).toMatchObject({ lookSide });
    const apart = (a: number, b: number): number => Math.abs(((((a - b) % 360) + 540) % 360) - 180);
    expect(apart(view?.azimuthDegrees ?? Number.NaN, azimuth)).toBeLessThan(1e-6);
    expect(apart(view?.headingDegrees ?? Number.NaN, heading)).toBeLessThan(0.02);
    expect(view?.incidenceDegrees).toBeCloseTo(45, 9);
    expect(view?.slantRangeMeters).toBeCloseTo(5000 * Math.SQRT2, 6);
  });
});
