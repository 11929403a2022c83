/** A user's file in a Node project. It is type-checked against every packed package with Node's types. */
import * as conformance from "@dechirp/conformance";
import * as core from "@dechirp/core";
import * as coreBackend from "@dechirp/core/backend";
import * as experiments from "@dechirp/experiments";
import * as experimentsSchedules from "@dechirp/experiments/schedules";
import * as experimentsTables from "@dechirp/experiments/tables";
import * as experimentsTiming from "@dechirp/experiments/timing";
import * as fftCpu from "@dechirp/fft-cpu";
import * as fftGpu from "@dechirp/fft-gpu";
import * as io from "@dechirp/io";
import * as ioCphd from "@dechirp/io/cphd";
import * as ioFormats from "@dechirp/io/formats";
import * as ioGeotiff from "@dechirp/io/geotiff";
import * as ioNode from "@dechirp/io/node";
import * as ioSicd from "@dechirp/io/sicd";
import * as ioZarr from "@dechirp/io/zarr";
import * as jobs from "@dechirp/jobs";
import * as jobsBullmq from "@dechirp/jobs-bullmq";
import * as pictures from "@dechirp/pictures";
import * as png from "@dechirp/pictures/png";
import * as processor from "@dechirp/processor";
import * as processorClock from "@dechirp/processor/clock";
import * as radar from "@dechirp/radar";
import * as realtime from "@dechirp/realtime";
import * as realtimeReports from "@dechirp/realtime/reports";
import * as realtimeTransforms from "@dechirp/realtime/transforms";
import * as sar from "@dechirp/sar";
import * as stap from "@dechirp/stap";
import * as dechirp from "dechirp";

export const modules: readonly object[] = [
  conformance,
  core,
  coreBackend,
  dechirp,
  experiments,
  experimentsSchedules,
  experimentsTables,
  experimentsTiming,
  fftCpu,
  fftGpu,
  io,
  ioCphd,
  ioFormats,
  ioGeotiff,
  ioNode,
  ioSicd,
  ioZarr,
  jobs,
  jobsBullmq,
  pictures,
  png,
  processor,
  processorClock,
  radar,
  realtime,
  realtimeReports,
  realtimeTransforms,
  sar,
  stap,
];
