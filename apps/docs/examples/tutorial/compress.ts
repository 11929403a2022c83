// #region filter
import { evaluate, fft, layout, open, program, spectralFilter, transform } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { heatMap } from "@dechirp/pictures";
import { chirpReplica, chirpSamples } from "@dechirp/radar";
import { multilook } from "@dechirp/sar";
import { averaged, savePicture, savePng, slantRange, slowTime } from "./picture.ts";
import { lines, radar, raw, samples } from "./scene.ts";

using device = await open(cpu());
const pulseSamples = chirpSamples(radar); // length of the pulse
const n = 2048; // transform length: at least samples + pulseSamples − 1, so that the convolution does not wrap around

// The filter h: the conjugate of the spectrum of the transmitted pulse, padded with zeros to n.
const pulse = new Float32Array(2 * n);
pulse.set(chirpReplica(radar));
const spectrum = await transform(device, pulse, { shape: [n] });
const h = spectrum.map((value, i) => (i % 2 === 0 ? value : -value) / pulseSamples);
// #endregion filter

// #region compress
const cells = samples - pulseSamples + 1; // range cells whose whole echo was recorded
const rawLines = layout("c64", [lines, samples]);
const compress = spectralFilter(rawLines, { axis: 1, n, keep: [0, cells] }); // along range, one filter h for all lines
const toDoppler = fft(layout("c64", [lines, cells]), { axis: 0 }); // along azimuth

const compression = program({
  name: "range compression",
  inputs: { raw: rawLines, h: layout("c64", [n]) },
  steps: [
    { name: "compress", op: compress, bind: { in: "raw", h: "h", out: "compressed" } },
    { name: "doppler", op: toDoppler, bind: { in: "compressed", out: "doppler" } },
  ],
  outputs: ["compressed", "doppler"],
});
const { compressed, doppler } = await evaluate(compression, device, { raw, h });
// #endregion compress

// #region look
const peak = compressed.reduce((largest, _, i) => (i % 2 ? largest : Math.max(largest, Math.hypot(compressed[i], compressed[i + 1]))), 0);
console.log(`${samples} samples a pulse became ${cells} cells; the brightest has magnitude ${peak.toFixed(2)}`);

await savePicture("compressed.png", "Compressed in range", compressed, slowTime, { ...slantRange, count: cells });

// The Doppler axis is a frequency, so this is a heat map and not an image with a scale bar. Each pixel is the mean power of 8 frequencies × 2 ranges.
const { data: power, rows, columns } = multilook(doppler, lines, cells, { azimuthLooks: 8, rangeLooks: 2 });
const y = { ...averaged({ label: "Doppler, Hz", unit: "Hz", start: 0, step: radar.prfHz / lines }, 8), count: rows };
const x = { ...averaged(slantRange, 2), label: "slant range, m", count: columns };
const highDb = 10 * Math.log10(power.reduce((a, b) => Math.max(a, b)));
const panel = { title: "After the azimuth transform", x, y, power, lowDb: highDb - 30, highDb, unit: "|z|², dB" };
await savePng("doppler.png", await heatMap([panel]));
// #endregion look
