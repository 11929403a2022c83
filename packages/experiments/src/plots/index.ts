/** The surface of @dechirp/experiments/plots: pictures of times, sizes and rates as SVG text. */
export { type DotPlot, type DotSeries, dotPlot } from "./dot-plot.ts";
export { colours, type LinePlot, linePlot, type PlotLine } from "./line-plot.ts";
export { type StackedBars, stackedBars } from "./stacked-bars.ts";
