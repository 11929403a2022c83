// #region program
import { compile, createRandom, type Device, fft, layout, open, program } from "@dechirp/core";
import { differenceOf } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const lines = layout("c64", [128, 1000]);
const spectra = program({
  name: "spectra",
  inputs: { echoes: lines },
  steps: [{ name: "range", op: fft(lines, { axis: 1 }), bind: { in: "echoes", out: "spectra" } }],
  outputs: ["spectra"],
});

/** Runs on any device. */
async function spectraOf(device: Device, echoes: Float32Array): Promise<Float32Array> {
  using compiled = await compile(spectra, device);
  console.log(compiled.text);
  using input = device.alloc(lines);
  using output = device.alloc(lines);
  input.write(echoes);
  compiled.run({ echoes: input, spectra: output });
  return output.read();
}
// #endregion program

// #region both
using first = await open(gpu(), cpu());
using second = await open(cpu({ kernels: "plain" }));
const { gaussian } = createRandom(7);
const echoes = Float32Array.from({ length: 2 * 128 * 1000 }, gaussian);

const [a, b] = await Promise.all([spectraOf(first, echoes), spectraOf(second, echoes)]); // on both devices at the same time
const { relativeL2 } = differenceOf(lines, a, b);
console.log(relativeL2 < 2 * 0.4 * 2 ** -23 * Math.sqrt(Math.log2(1000)) ? "they agree to rounding" : `they differ by ${relativeL2}`);
// #endregion both
