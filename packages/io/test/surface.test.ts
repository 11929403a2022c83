/** The exports of the package, everywhere and in Node. A change here is a change for its users. */
import { expect, it } from "vitest";
import * as cphd from "../src/cphd.ts";
import * as formats from "../src/formats.ts";
import * as geotiff from "../src/geotiff.ts";
import * as io from "../src/index.ts";
import * as info from "../src/info.ts";
import * as node from "../src/node.ts";
import * as sicd from "../src/sicd.ts";
import * as zarr from "../src/zarr.ts";

it("exports these values", () => {
  expect(Object.keys(io).sort()).toMatchInlineSnapshot(`
    [
      "arrayBytes",
      "canonicalJson",
      "createNameCheck",
      "createNpySink",
      "createScene",
      "encodePng",
      "encodeScene",
      "foreignBytes",
      "foreignFormat",
      "matField",
      "matNumeric",
      "matScalar",
      "matStruct",
      "matText",
      "npyHeader",
      "openBlob",
      "openBytes",
      "openNpy",
      "openUrl",
      "parametersDigest",
      "parseGotcha",
      "parsePerfect",
      "parseRadarsat",
      "parseScene",
      "parseSceneDescription",
      "perfectSizes",
      "readMat",
      "readMatHeads",
      "readNpy",
      "sceneData",
      "sensorPresets",
      "transposeArray",
      "writeNpy",
    ]
  `);
});

it("exports these additional values in Node", () => {
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "checkFolderWritable",
      "cleanupTemporaries",
      "formatAt",
      "geoTiffSink",
      "makeFolders",
      "npySink",
      "openFile",
      "openZarrImage",
      "placeAt",
      "readArray",
      "readBytes",
      "readConsistently",
      "readPhaseHistory",
      "readRecording",
      "readScene",
      "readSteeringVectors",
      "removeIncompleteImage",
      "sicdSink",
      "systemError",
      "writeFolderAtomically",
      "writeSceneFolder",
      "zarrSink",
    ]
  `);
});

it("exports the table of formats separately", () => {
  expect(Object.keys(formats).sort()).toMatchInlineSnapshot(`
    [
      "detectFormat",
      "formats",
      "placeOf",
      "readRecordingFrom",
      "titlesOf",
    ]
  `);
});

it("exports CPHD separately", () => {
  expect(Object.keys(cphd).sort()).toMatchInlineSnapshot(`
    [
      "encodeCphd",
      "openCphd",
      "writeCphd",
    ]
  `);
});

it("exports GeoTIFF separately", () => {
  expect(Object.keys(geotiff).sort()).toMatchInlineSnapshot(`
    [
      "createGeoTiffSink",
      "readTiffHeader",
    ]
  `);
});

it("exports SICD separately", () => {
  expect(Object.keys(sicd).sort()).toMatchInlineSnapshot(`
    [
      "createSicdSink",
      "groundToSicd",
      "openSicd",
      "placementOfSicd",
      "sicdContours",
      "sicdControlPoints",
      "sicdScpCoa",
      "sicdToGround",
      "xmlAll",
      "xmlFind",
      "xmlText",
    ]
  `);
});

it("exports these values that describe places", () => {
  expect(Object.keys(info).sort()).toMatchInlineSnapshot(`
    [
      "describePlace",
      "footprintsOf",
      "infoFacts",
      "infoFormat",
      "infoText",
      "infoVersion",
      "placementOfImage",
    ]
  `);
});

it("exports stores of Zarr images as data separately", () => {
  expect(Object.keys(zarr).sort()).toMatchInlineSnapshot(`
    [
      "arrayName",
      "chunkName",
      "chunkShape",
      "chunkWindow",
      "openZarrStore",
      "readChunks",
      "zarrDocuments",
    ]
  `);
});
