/** The table of figures: each kind with what it is drawn from. */
import {
  type CurvePlot,
  curvePlot,
  type DotPlot,
  dotPlot,
  type GanttJob,
  type GanttOptions,
  gantt,
  type HeatPanel,
  heatMap,
  type ImagePicture,
  imagePicture,
  type LinePlot,
  linePlot,
} from "@dechirp/pictures";

export const drawings = {
  lines: (plot: LinePlot, signal: AbortSignal) => linePlot(plot, { signal }),
  curves: (plot: CurvePlot, signal: AbortSignal) => curvePlot(plot, { signal }),
  dots: (plot: DotPlot, signal: AbortSignal) => dotPlot(plot, { signal }),
  heat: (panels: readonly HeatPanel[], signal: AbortSignal) => heatMap(panels, { signal }),
  image: (picture: ImagePicture, signal: AbortSignal) => imagePicture(picture, { signal }),
  gantt: ({ jobs, options }: { readonly jobs: readonly GanttJob[]; readonly options: GanttOptions }, signal: AbortSignal) =>
    gantt({ jobs }, { ...options, signal }),
};

export type Drawings = typeof drawings;
