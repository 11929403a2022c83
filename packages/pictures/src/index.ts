/** Pictures of radar data for people, as SVG text. Drawn the same in Node and in pages; `@dechirp/pictures/png` makes PNG of them in Node. */
export { seriesColours } from "./colours.ts";
export { type DotPlot, type DotSeries, dotPlot } from "./dot-plot.ts";
export { type GanttJob, type GanttOptions, gantt } from "./gantt.ts";
export { type HeatAxis, type HeatPanel, heatMap } from "./heat-map.ts";
export { type ImageAxis, type ImagePicture, imagePicture } from "./image-picture.ts";
export { type LinePlot, linePlot, type PlotLine } from "./line-plot.ts";
export type { PictureOptions } from "./options.ts";
export { type StackedBars, stackedBars } from "./stacked-bars.ts";
