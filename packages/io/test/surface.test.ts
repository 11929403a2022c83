/** What the package offers, anywhere and in Node: a change here is a change for its users. */
import { expect, it } from "vitest";
import * as formats from "../src/formats.ts";
import * as io from "../src/index.ts";
import * as node from "../src/node.ts";

it("offers these values", () => {
  expect(Object.keys(io).sort()).toMatchInlineSnapshot(`
    [
      "arrayBytes",
      "createNameCheck",
      "createScene",
      "encodePng",
      "encodeScene",
      "matField",
      "matNumeric",
      "matScalar",
      "matStruct",
      "matText",
      "npyHeader",
      "parseGotcha",
      "parsePerfect",
      "parseRadarsat",
      "parseScene",
      "parseSceneDescription",
      "perfectSizes",
      "readMat",
      "readNpy",
      "sensorPresets",
      "transposeArray",
      "writeNpy",
    ]
  `);
});

it("offers these beside them in Node", () => {
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "cleanupTemporaries",
      "formatAt",
      "openFile",
      "readArray",
      "readBytes",
      "readPhaseHistory",
      "readRecording",
      "readScene",
      "readSteeringVectors",
      "systemError",
      "tryFolder",
      "whileUnchanged",
      "writeFolderAtomically",
      "writeSceneFolder",
    ]
  `);
});

it("offers the table of formats apart", () => {
  expect(Object.keys(formats).sort()).toMatchInlineSnapshot(`
    [
      "detectFormat",
      "formats",
      "placeOf",
      "recordingOf",
      "titlesOf",
    ]
  `);
});
