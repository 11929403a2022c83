/** Plots of the report: time by image size, by pulses, by tile and by pulse sets, and the predicted memory traffic (Figures 9 to 12). */
import { type LinePlot, linePlot, type PictureOptions } from "@dechirp/pictures";
import { published } from "./published.ts";
import type { BackprojectionReport, DeviceResults, KernelTime } from "./report.ts";

type Points = readonly (readonly [x: number, y: number])[];

/** Draws the plots of a report. Returns SVG documents by file name. */
export async function backprojectionPlots(
  report: BackprojectionReport,
  options: PictureOptions = {},
): Promise<Readonly<Record<string, string>>> {
  const drawn: Record<string, string> = {};
  for (const [name, plot] of Object.entries(plotsOf(report))) drawn[`${name}.svg`] = await linePlot(plot, options);
  return drawn;
}

/** The measured kernel rows of a section as points, with the given x and y. */
function pointsOf(
  { kernels }: DeviceResults,
  section: string,
  x: (time: KernelTime, side: number) => number,
  y: (time: KernelTime) => number,
): Points {
  return kernels.flatMap(({ section: of, side, measured }) =>
    of === section && measured ? [[x(measured, side), y(measured)] as const] : [],
  );
}

const publishedPoints = (seconds: Readonly<Record<number, number>>): Points =>
  Object.entries(seconds).map(([side, value]) => [Number(side), value] as const);

function plotsOf({ devices, pulses, sides, bins }: BackprojectionReport): Readonly<Record<string, LinePlot>> {
  const [first] = sides;
  const oneTile = devices.flatMap(({ kernels }) => kernels.filter(({ section }) => section === "sets"))[0]?.side ?? 0;
  const name = ({ device }: DeviceResults): string => device.id;
  const pulseText = `${pulses} pulses of ${bins} bins`;
  return {
    "time-by-size": {
      title: `Time by image size, ${pulseText}`,
      x: "edge of the image, pixels",
      y: "seconds",
      lines: [
        ...devices.map((one) => ({
          name: `${name(one)}, kernel`,
          points: pointsOf(
            one,
            "sizes",
            (_, side) => side,
            ({ seconds }) => seconds,
          ),
        })),
        ...devices.map((one) => ({
          name: `${name(one)}, from host to host, profiles`,
          points: one.wholes.flatMap(({ section, form, asynchronous, side, measured }) =>
            section === "transfers" && form === "profiles" && asynchronous && measured ? [[side, measured.seconds] as const] : [],
          ),
        })),
        ...(pulses === published.pulses
          ? [
              { name: "published: C1060, kernel", points: publishedPoints(published.kernelSeconds), dashed: true },
              {
                name: "published: Athlon 64, four threads, tiles of 40",
                points: publishedPoints(published.cpuSeconds.all.tiles),
                dashed: true,
              },
            ]
          : []),
      ],
    },
    "time-by-pulses": {
      title: `Time by pulses, ${first}×${first}, from host to host, phase histories`,
      x: "pulses",
      y: "seconds",
      lines: devices.map((one) => ({
        name: name(one),
        points: one.wholes.flatMap(({ section, pulses: of, measured }) =>
          section === "pulses" && measured ? [[of, measured.seconds] as const] : [],
        ),
      })),
    },
    "time-by-tile": {
      title: `Time by tile size, ${first}×${first}, ${pulseText}`,
      x: "edge of a tile, pixels",
      y: "seconds",
      lines: devices.map((one) => ({
        name: `${name(one)}, kernel`,
        points: pointsOf(
          one,
          "tiles",
          ({ tile }) => tile,
          ({ seconds }) => seconds,
        ),
      })),
    },
    "traffic-by-tile": {
      title: `Predicted traffic PRN/K + N² by tile size, ${first}×${first}, ${pulseText}`,
      x: "edge of a tile, pixels",
      y: "GB",
      lines: devices.slice(0, 1).map((one) => ({
        name: "model",
        dashed: true,
        points: pointsOf(
          one,
          "tiles",
          ({ tile }) => tile,
          ({ trafficBytes }) => trafficBytes.tiles / 1e9,
        ),
      })),
    },
    "time-by-sets": {
      title: `Time by pulse sets, image and tile ${oneTile}×${oneTile}, ${pulseText}`,
      x: "pulse sets",
      y: "seconds",
      lines: devices.flatMap((one) => {
        const of = (what: string, y: (time: KernelTime) => number) => ({
          name: `${name(one)}, ${what}`,
          points: pointsOf(one, "sets", ({ sets }) => sets, y),
        });
        return [
          of("projection and sum", ({ seconds }) => seconds),
          of("projection", ({ projectSeconds }) => projectSeconds),
          of("sum of the sets", ({ sumSeconds }) => sumSeconds),
        ];
      }),
    },
  };
}
