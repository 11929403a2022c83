/** The exports of the package. A change here is a change for its users. */
import { expect, it } from "vitest";
import * as pictures from "../src/index.ts";
import * as png from "../src/node-png.ts";

it("exports these values", () => {
  expect(Object.keys(pictures).sort()).toMatchInlineSnapshot(`
    [
      "colourMap",
      "colourMapNames",
      "curvePlot",
      "dotPlot",
      "gantt",
      "heatAreas",
      "heatMap",
      "imagePicture",
      "lengthText",
      "linePlot",
      "niceLength",
      "scaledUnit",
      "seriesColours",
      "stackedBars",
    ]
  `);
  expect(Object.keys(png).sort()).toEqual(["imagePng", "pngOfSvg", "preparePng"]);
});
