/**
 * SICD files of missions, if they are there (`DECHIRP_DATA`): what sarkit and sarpy read from them. And the XML of files that are written,
 * against NGA's schemas, if there is a folder with them (`DECHIRP_SICD_SCHEMAS`).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ecefToGeodetic } from "@dechirp/radar/geodesy";
import { XmlDocument, XsdValidator } from "libxml2-wasm";
import { describe, expect, it } from "vitest";
import { describePlace } from "../src/info.ts";
import { placeAt } from "../src/node-place.ts";
import { groundToSicd, openSicd, sicdScpCoa, sicdToGround } from "../src/sicd.ts";
import { groundSteps, knownBackprojection, knownRangeDoppler, slantSteps } from "./sicd-support.ts";
import { sicdFile } from "./sicd-target.ts";

const data = process.env.DECHIRP_DATA ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url));
const folder = join(data, "sicd");
const open = (file: string) => openSicd(readFileSync(join(folder, file)), { file });

describe.skipIf(!existsSync(folder))("files of missions", () => {
  it("reads RCM-1, version 1.2.1, float32, with blank classifications", async () => {
    const image = await open("sicd_50x50.nitf");
    expect(image.layout).toEqual({ dtype: "c64", shape: [50, 50] });
    expect(image.notes).toHaveLength(2);
    expect(image.metadata).toMatchObject({ version: "1.2.1", collection: { collector: "RCM-1" }, grid: { type: "RGZERO" } });
    const pixels = await image.read({ row: 0, column: 0, rows: 1, columns: 2 });
    for (const [i, value] of [0.31604651, -0.25844789, 0.57558948, 0.2008225].entries()) expect(pixels[i]).toBeCloseTo(value, 7);
    const place = ecefToGeodetic(sicdToGround(image.metadata, { row: 49, column: 49 }));
    expect(place.latitudeDegrees).toBeCloseTo(45.29413851, 7);
    expect(place.longitudeDegrees).toBeCloseTo(-73.58337342, 7);
  });

  it("reads TerraSAR-X, version 1.1.0, int16", async () => {
    const image = await open("cropped_sicd_110.nitf");
    expect(image.metadata).toMatchObject({ version: "1.1.0", image: { pixelType: "RE16I_IM16I", firstRow: 100, fullRows: 9504 } });
    expect(Array.from(await image.read({ row: 0, column: 0, rows: 1, columns: 4 }))).toEqual([-8, -8, -33, -78, 3, 40, 19, -43]);
    const place = ecefToGeodetic(sicdToGround(image.metadata, { row: 4, column: 4 }));
    expect(place.latitudeDegrees).toBeCloseTo(47.89804457, 7);
    expect(place.longitudeDegrees).toBeCloseTo(12.22782577, 7);
  });

  it("describes where a part of a larger image is, which is not at the scene centre point", async () => {
    const { place } = await describePlace(await placeAt(join(folder, "cropped_sicd_110.nitf")));
    const [latitude, longitude] = (["latitudeDegrees", "longitudeDegrees"] as const).map(
      (name) => place!.corners!.reduce((sum, corner) => sum + corner[name], 0) / 4,
    );
    // The file's corners are those of its own software, at another height.
    expect(Math.abs(place!.centre.latitudeDegrees - latitude!)).toBeLessThan(1e-3);
    expect(Math.abs(place!.centre.longitudeDegrees - longitude!)).toBeLessThan(1e-3);
  });

  it("computes the geometry that the files state", async () => {
    for (const file of ["sicd_50x50.nitf", "cropped_sicd_110.nitf", "cropped_sicd_120.nitf"]) {
      const { metadata } = await open(file);
      const { positionMeters, velocityMetersPerSecond, accelerationMetersPerSecond2, side, ...angles } = sicdScpCoa(metadata);
      expect(metadata.scpCoa).toMatchObject({ side });
      for (const [name, value] of Object.entries(angles)) {
        const stated = metadata.scpCoa?.[name as keyof typeof angles] ?? Number.NaN;
        expect(Math.abs(value - stated)).toBeLessThan(2e-5);
      }
      for (const [i, value] of [...positionMeters, ...velocityMetersPerSecond, ...accelerationMetersPerSecond2].entries()) {
        const { positionMeters: p = [], velocityMetersPerSecond: v = [], accelerationMetersPerSecond2: a = [] } = metadata.scpCoa ?? {};
        expect(Math.abs(value - [...p, ...v, ...a][i])).toBeLessThan(1e-6);
      }
      const { row, column } = groundToSicd(metadata, metadata.scp.ecefMeters);
      expect(row + metadata.image.firstRow).toBeCloseTo(metadata.scp.row, 4);
      expect(column + metadata.image.firstColumn).toBeCloseTo(metadata.scp.column, 4);
    }
  });

  it("reads the pixels of a file without geometry", async () => {
    const image = await open("sicd_1.1.0.nitf");
    expect(await image.read({ row: 0, column: 0, rows: 2, columns: 2 })).toEqual(new Float32Array(8));
  });
});

const schemas = process.env.DECHIRP_SICD_SCHEMAS ?? "";
const schemaOf = (version: string): string | undefined =>
  existsSync(schemas) ? readdirSync(schemas).find((name) => name.endsWith(".xsd") && name.includes(version)) : undefined;

describe.skipIf(!schemaOf("1.3.0"))("NGA's schemas", () => {
  for (const version of ["1.3.0", "1.4.0"] as const)
    it(`finds the XML of version ${version} valid`, async () => {
      using schema = XmlDocument.fromBuffer(readFileSync(join(schemas, schemaOf(version) ?? "")));
      using validator = XsdValidator.fromDoc(schema);
      const collection = { ...knownBackprojection(groundSteps).metadata.collection, polarisation: undefined, prfHz: undefined };
      const files = [
        await sicdFile(knownBackprojection(slantSteps), {}, { version }),
        await sicdFile(knownRangeDoppler({ side: "left" }), {}, { version }),
        // Without what need not be known.
        await sicdFile(knownBackprojection(groundSteps), { collection: JSON.parse(JSON.stringify(collection)) }, { version }),
      ];
      for (const bytes of files) {
        const text = bytes.subarray(Buffer.from(bytes).indexOf("<SICD"));
        using xml = XmlDocument.fromBuffer(text);
        expect(() => validator.validate(xml)).not.toThrow();
        using broken = XmlDocument.fromString(new TextDecoder().decode(text).replace("<EarthModel>WGS_84", "<EarthModel>FLAT"));
        expect(() => validator.validate(broken)).toThrow();
      }
    });
});
