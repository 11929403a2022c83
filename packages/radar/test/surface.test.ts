/** What the package offers: a change here is a change for its users. */
import { expect, it } from "vitest";
import * as geodesy from "../src/geodesy.ts";
import * as images from "../src/images.ts";
import * as radar from "../src/index.ts";

it("offers these values", () => {
  expect(Object.keys(radar).sort()).toMatchInlineSnapshot(`
    [
      "besselI0",
      "checkImageWindow",
      "checkPlacement",
      "checkWindow",
      "chirpReplica",
      "chirpSamples",
      "createImageRegion",
      "formatImageWindow",
      "formatWindow",
      "isContinuous",
      "parseWindow",
      "partialIrwTimesBandwidth",
      "sinc",
      "sincHalfPowerWidth",
      "speedOfLight",
      "wavelengthMeters",
      "windowFunction",
      "windowKinds",
      "windowOfKind",
      "windowSamples",
      "windowSyntax",
      "windowTable",
      "windowTheory",
    ]
  `);
});

it("offers geodesy separately", () => {
  expect(Object.keys(geodesy).sort()).toMatchInlineSnapshot(`
    [
      "createLocalFrame",
      "ecefToGeodetic",
      "geodeticToEcef",
      "geodeticToUtm",
      "isUtmEpsg",
      "mapProjection",
      "utmEpsg",
      "utmToGeodetic",
      "wgs84",
    ]
  `);
});

it("offers descriptions of images separately", () => {
  expect(Object.keys(images).sort()).toMatchInlineSnapshot(`
    [
      "describeBackprojection",
      "describeRangeDoppler",
      "placeBackprojection",
      "placeRangeDoppler",
    ]
  `);
});
