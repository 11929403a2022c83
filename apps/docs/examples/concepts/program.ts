import { compile, evaluate, fft, layout, open, program } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

const echoes = layout("c64", [128, 512]); // [pulse][range]
const spectrumOf = program({
  name: "two-dimensional spectrum",
  inputs: { echoes },
  steps: [
    { name: "range", op: fft(echoes, { axis: 1 }), bind: { in: "echoes", out: "ranges" } },
    { name: "doppler", op: fft(echoes, { axis: 0 }), bind: { in: "ranges", out: "spectrum" } },
  ],
  outputs: ["spectrum"],
});

using device = await open(cpu());
const data = new Float32Array(2 * 128 * 512);
data[0] = 1; // an impulse has a flat spectrum

// From host arrays to host arrays. The compiler knows that `spectrum` is a Float32Array.
const { spectrum } = await evaluate(spectrumOf, device, { echoes: data });
console.log(spectrum[0], spectrum.at(-2));

// The same, planned once to run many times on your buffers.
using compiled = await compile(spectrumOf, device);
using input = device.alloc(echoes);
using output = device.alloc(echoes);
input.write(data);
await compiled.run({ echoes: input, spectrum: output }, { onProgress: ({ stage }) => console.log(stage) }).done;
