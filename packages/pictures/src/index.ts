/** Draws pictures of radar data as SVG text, the same in Node and in browsers. `@dechirp/pictures/png` converts them to PNG in Node. */
export { type ColourMapName, colourMap, colourMapNames, seriesColours } from "./colours.ts";
export { type Curve, type CurveAxis, type CurvePlot, curvePlot } from "./curve-plot.ts";
export { type DotPlot, type DotSeries, dotPlot } from "./dot-plot.ts";
export { type GanttJob, type GanttOptions, gantt } from "./gantt.ts";
export { type HeatArea, type HeatAxis, type HeatPanel, heatAreas, heatMap } from "./heat-map.ts";
export type { ImageAxis, ImagePicture } from "./image.ts";
export { imagePicture } from "./image-picture.ts";
export { type LinePlot, linePlot, type PlotLine } from "./line-plot.ts";
export type { PictureOptions } from "./options.ts";
export { type StackedBars, stackedBars } from "./stacked-bars.ts";
export { lengthText, niceLength, scaledUnit } from "./units.ts";
