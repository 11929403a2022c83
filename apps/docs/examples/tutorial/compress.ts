// #region filter

import { evaluate, type Fft, layout, open, type Program, type SpectralFilter } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { heatMap } from "@dechirp/pictures";
import { chirpReplica, chirpSamples } from "@dechirp/radar";
import { multilook } from "@dechirp/sar";
import { averaged, savePicture, savePng, slantRange, slowTime } from "./picture.ts";
import { lines, radar, raw, samples } from "./scene.ts";

using device = await open(cpu());
const n = 2048; // a transform that holds the samples and the pulse
const pulse = layout("c64", [chirpSamples(radar)]);

// The filter: the conjugate of the pulse's spectrum.
const spectrumOfPulse: Fft = { op: "fft", layout: pulse, axis: 0, n, inverse: false };
const replica: Program = {
  name: "replica",
  inputs: { pulse },
  steps: [{ name: "spectrum", op: spectrumOfPulse, bind: { in: "pulse", out: "spectrum" } }],
  outputs: ["spectrum"],
};
const { spectrum } = await evaluate(replica, device, { pulse: Float32Array.from(chirpReplica(radar)) });
const h = Float32Array.from(spectrum, (value, i) => (i % 2 === 0 ? value : -value) / pulse.shape[0]);
// #endregion filter

// #region compress
const cells = samples - chirpSamples(radar) + 1; // those that hold a whole pulse
const compress: SpectralFilter = {
  op: "spectral-filter", // transform, product, transform back: along axis 1, which is range
  layout: layout("c64", [lines, samples]),
  axis: 1,
  n,
  h: "line", // one filter for all lines
  keep: [0, cells],
};
const toDoppler: Fft = { op: "fft", layout: layout("c64", [lines, cells]), axis: 0, inverse: false };

const program: Program = {
  name: "range compression",
  inputs: { raw: compress.layout, h: layout("c64", [n]) },
  steps: [
    { name: "compress", op: compress, bind: { in: "raw", h: "h", out: "compressed" } },
    { name: "doppler", op: toDoppler, bind: { in: "compressed", out: "doppler" } },
  ],
  outputs: ["compressed", "doppler"],
};
const { compressed, doppler } = (await evaluate(program, device, { raw, h })) as Record<string, Float32Array>;
// #endregion compress

// #region look
const peak = compressed.reduce((largest, _, i) => (i % 2 ? largest : Math.max(largest, Math.hypot(compressed[i], compressed[i + 1]))), 0);
console.log(`${samples} samples a pulse became ${cells} cells; the brightest has magnitude ${peak.toFixed(2)}`);

await savePicture("compressed.png", "Compressed in range", compressed, slowTime, { ...slantRange, count: cells });

// Doppler is no length, so this is a heat map. Each of its cells is the mean power of 8 frequencies × 2 ranges.
const { data: power, rows, columns } = multilook(doppler, lines, cells, { azimuthLooks: 8, rangeLooks: 2 });
const y = { ...averaged({ label: "Doppler, Hz", unit: "Hz", start: 0, step: radar.prfHz / lines }, 8), count: rows };
const x = { ...averaged(slantRange, 2), label: "slant range, m", count: columns };
const highDb = 10 * Math.log10(power.reduce((a, b) => Math.max(a, b)));
const panel = { title: "After the azimuth transform", x, y, power, lowDb: highDb - 30, highDb, unit: "|z|², dB" };
await savePng("doppler.png", await heatMap([panel]));
// #endregion look
