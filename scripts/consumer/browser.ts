/** A user's file in a browser project. It is type-checked against the packed packages without Node's types. */
import * as conformance from "@dechirp/conformance";
import { type Layout, layout, RadarError } from "@dechirp/core";
import * as fftCpu from "@dechirp/fft-cpu";
import * as fftGpu from "@dechirp/fft-gpu";
import * as io from "@dechirp/io";
import * as pictures from "@dechirp/pictures";
import * as radar from "@dechirp/radar";
import * as realtime from "@dechirp/realtime";
import * as realtimeReports from "@dechirp/realtime/reports";
import * as realtimeTransforms from "@dechirp/realtime/transforms";
import * as sar from "@dechirp/sar";
import * as stap from "@dechirp/stap";

export const line: Layout<"c64"> = layout("c64", [4, 8]);
export const error: Error = new RadarError("input", "an example", { field: "example" });
export const modules: readonly object[] = [
  conformance,
  fftCpu,
  fftGpu,
  io,
  pictures,
  radar,
  realtime,
  realtimeReports,
  realtimeTransforms,
  sar,
  stap,
];
