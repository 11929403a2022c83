/** A user's program. It loads every packed package in Node and uses one. */
import assert from "node:assert/strict";
import { formatLayout, isRadarError, layout } from "@dechirp/core";

assert.equal(formatLayout(layout("c64", [4, 8])), "c64[4, 8]");
assert.throws(
  () => layout("c64", [0]),
  (error) => isRadarError(error, "layout"),
);
for (const name of [
  "@dechirp/conformance",
  "@dechirp/core",
  "@dechirp/core/backend",
  "@dechirp/core/compare",
  "@dechirp/core/expression",
  "@dechirp/core/expression/code",
  "@dechirp/core/internal",
  "@dechirp/core/reduce",
  "@dechirp/core/stencil",
  "@dechirp/core/tables",
  "@dechirp/experiments",
  "@dechirp/experiments/schedules",
  "@dechirp/experiments/tables",
  "@dechirp/experiments/timing",
  "@dechirp/fft-cpu",
  "@dechirp/fft-gpu",
  "@dechirp/io",
  "@dechirp/io/cphd",
  "@dechirp/io/formats",
  "@dechirp/io/geotiff",
  "@dechirp/io/info",
  "@dechirp/io/sicd",
  "@dechirp/io/node",
  "@dechirp/io/zarr",
  "@dechirp/jobs",
  "@dechirp/jobs-bullmq",
  "@dechirp/pictures",
  "@dechirp/pictures/png",
  "@dechirp/processor",
  "@dechirp/processor/clock",
  "@dechirp/radar",
  "@dechirp/radar/geodesy",
  "@dechirp/radar/images",
  "@dechirp/radar/interpolation",
  "@dechirp/realtime",
  "@dechirp/realtime/reports",
  "@dechirp/realtime/transforms",
  "@dechirp/sar",
  "@dechirp/sar/geocoding",
  "@dechirp/stap",
  "dechirp",
]) {
  console.log(`${name}: ${Object.keys(await import(name)).length} exports`);
}
