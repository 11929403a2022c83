import { evaluate, fft, layout, open, program, spectralFilter } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

const pulses = layout("c64", [64, 1000]); // an element type and a shape: [pulse][sample]
const rangeDopplerMap = program({
  name: "range-Doppler map",
  inputs: { pulses, h: layout("c64", [1024]) },
  steps: [
    // DFT of 1024 points along the samples, product with the filter h, inverse DFT; the first 800 results are kept.
    { name: "range", op: spectralFilter(pulses, { axis: 1, n: 1024, keep: [0, 800] }), bind: { in: "pulses", h: "h", out: "compressed" } },
    { name: "doppler", op: fft(layout("c64", [64, 800]), { axis: 0 }), bind: { in: "compressed", out: "map" } },
  ],
  outputs: ["map"],
});

const device = await open(cpu());
const h = Float32Array.from({ length: 2 * 1024 }, (_, i) => 1 - (i % 2)); // 1 + 0j in every bin: changes nothing
const { map } = await evaluate(rangeDopplerMap, device, { pulses: new Float32Array(2 * 64 * 1000).fill(1), h });
console.log(map.slice(0, 2).map(Math.round)); // Float32Array(2) [ 64, 64 ]: the sum of 64 pulses
device[Symbol.dispose]();
