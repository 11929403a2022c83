/** `dechirp info` and `dechirp convert` with recorded files, if they are there (`DECHIRP_DATA`). */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openCphd } from "@dechirp/io/cphd";
import { readTiffHeader } from "@dechirp/io/geotiff";
import { openSicd, placementOfSicd, sicdToGround } from "@dechirp/io/sicd";
import { ecefToGeodetic, mapProjection } from "@dechirp/radar/geodesy";
import { describe, expect, it } from "vitest";
import { dechirp, temporaryFolder } from "./command.ts";

const data = process.env["DECHIRP_DATA"] ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url));

describe.skipIf(!existsSync(data))("recorded files", () => {
  it.each([
    ["cphd/five-points-fx-cf8.cphd", "cphd", "phase-history", [400, 512]],
    ["sicd/sicd_50x50.nitf", "sicd", "image", [50, 50]],
    ["sicd/cropped_sicd_110.nitf", "sicd", "image", [5, 5]],
    ["radarsat1/scene5-english-bay-ships", "radarsat-1-cd", "stripmap", [1536, 2048]],
    ["gotcha", "gotcha", "phase-history", [117, 424]],
    ["mountain-top/t38pre01v1_cpi_6.mat", "mountain-top", "array", [14, 16, 403]],
    ["perfect-stap-small", "perfect-stap", "array", [4, 128, 512]],
    ["nisar-l0b/REE_L0B_ECHO_DATA.h5", "hdf5", "data", undefined],
  ])("%s is what it is", async (name, format, kind, shape) => {
    const { code, stdout } = await dechirp(["info", join(data, name), "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).files[0]).toMatchObject({ format: { name: format }, kind, ...(shape && { shape }) });
  });

  it("a CPHD file is written again with the same samples", async () => {
    const input = join(data, "cphd/five-points-fx-cf8.cphd");
    const out = join(await temporaryFolder(), "copy.cphd");
    expect((await dechirp(["convert", input, out])).code).toBe(0);
    const [a, b] = await Promise.all(
      [input, out].map(async (file) => (await openCphd(new Uint8Array(await readFile(file)), { file })).history()),
    );
    expect(await b.pulses(0, 400)).toEqual(await a.pulses(0, 400));
    for (const [i, x] of b.positions.entries()) expect(Math.abs(x - a.positions[i])).toBeLessThan(1e-5);
  });

  it("places of slant-range images are those of their own projection, and on the map", async () => {
    for (const name of ["sicd_50x50.nitf", "cropped_sicd_110.nitf"]) {
      const input = join(data, "sicd", name);
      const { metadata } = await openSicd(new Uint8Array(await readFile(input)), { file: input });
      // Half a pixel is what images that dechirp writes are held to.
      expect(placementOfSicd(metadata).errorPixels).toBeLessThan(0.5);
      const out = join(await temporaryFolder(), "map.tif");
      const { code, stdout } = await dechirp(["convert", input, out, "--json"]);
      expect(code).toBe(0);
      const { shape, details } = JSON.parse(stdout);
      const { place } = await readTiffHeader(new Uint8Array(await readFile(out)), { file: out });
      const [step, , west, , , north] = place?.transform ?? [0, 0, 0, 0, 0, 0];
      // Corners of the image are inside the map, within two pixels of its edges.
      const { rows, columns } = metadata.image;
      const corners = [0, rows - 1].flatMap((row) => [0, columns - 1].map((column) => ({ row, column })));
      const places = corners.map((pixel) => mapProjection(details.epsg).toMap(ecefToGeodetic(sicdToGround(metadata, pixel))));
      const across = places.map(([x]) => (x - west) / step);
      const down = places.map(([, y]) => (north - y) / step);
      for (const [values, side] of [
        [across, shape[1]],
        [down, shape[0]],
      ] as const) {
        expect(Math.min(...values)).toBeGreaterThan(0);
        expect(Math.min(...values)).toBeLessThan(2);
        expect(Math.max(...values)).toBeGreaterThan(side - 2);
        expect(Math.max(...values)).toBeLessThan(side);
      }
    }
  });
});
