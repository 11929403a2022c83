/** The functions of `@dechirp/pictures`, called with values of the wrong type. */
import { dotPlot, gantt, heatMap, imagePicture, linePlot, stackedBars } from "@dechirp/pictures";
import { imagePng, pngOfSvg } from "@dechirp/pictures/png";
import { expect, it } from "vitest";
import { faultsOf, type Subject } from "./wrong-arguments.ts";

const options = () => ({ signal: new AbortController().signal });
const heatAxis = () => ({ label: "axis, s", start: 0, step: 1, count: 2 });
const imageAxis = () => ({ label: "axis", unit: "m", start: 0, step: 1, metersPerUnit: 1 });

/** A function of data and options. */
const subject = (
  name: string,
  parameter: string,
  draw: (data: never, options: never) => Promise<unknown>,
  data: () => unknown,
): Subject => ({
  name,
  parameters: [parameter, "options"],
  sound: () => [data(), options()],
  call: (...args) => draw(...(args as [never, never])),
});

const picture = () => ({
  title: "t",
  notes: ["a note"],
  width: 2,
  height: 1,
  data: Uint8Array.of(0, 255),
  x: imageAxis(),
  y: imageAxis(),
  upwards: true,
  lowDb: -40,
  highDb: 0,
  unit: "dB",
});

const subjects: readonly Subject[] = [
  subject("heatMap", "panels", heatMap, () => [
    { title: "t", x: heatAxis(), y: heatAxis(), power: [1, 2, 3, 4], lowDb: 0, highDb: 6, unit: "dB", mark: { x: 0, y: 1 } },
  ]),
  subject("imagePicture", "image", imagePicture, picture),
  subject("imagePng", "image", imagePng, picture),
  subject("linePlot", "plot", linePlot, () => ({
    title: "t",
    note: "n",
    x: "x",
    y: "y",
    lines: [{ name: "a", points: [[1, 2]], dashed: true }],
  })),
  subject("dotPlot", "plot", dotPlot, () => ({
    title: "t",
    note: "n",
    x: "x",
    series: [{ name: "a", limit: true }],
    rows: [{ name: "r", values: [1] }],
  })),
  subject("stackedBars", "plot", stackedBars, () => ({ title: "t", note: "n", x: "x", parts: ["p"], bars: [{ name: "b", values: [1] }] })),
  {
    ...subject("gantt", "trace", gantt, () => ({ jobs: [{ task: "a", requested: 0, granted: 1, finished: 2, units: [0] }] })),
    sound: () => [
      { jobs: [{ task: "a", requested: 0, granted: 1, finished: 2, units: [0] }] },
      { ...options(), units: 1, title: "t", from: 0, to: 2, jobs: 1 },
    ],
  },
  {
    ...subject("pngOfSvg", "svg", pngOfSvg, () => ""),
    sound: () => ['<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', { ...options(), scale: 1 }],
  },
];

it.each(subjects.map((one) => [one.name, one] as const))("%s names what is wrong", async (_, one) => {
  expect(await faultsOf(one)).toEqual([]);
});
