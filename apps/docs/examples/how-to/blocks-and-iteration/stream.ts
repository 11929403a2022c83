import { compile, createRandom, layout, open, program, spectralFilter } from "@dechirp/core";
import { sampleLoad } from "@dechirp/core/expression";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const [pulses, samples, rows] = [1024, 512, 128]; // a recording, and the pulses of a block
const raw = layout("ci16", [rows, samples]);
const lines = layout("c64", [rows, samples]);
const chirp = layout("c64", [samples]);
const compress = program({
  name: "compress a block",
  inputs: { raw, chirp },
  steps: [
    {
      name: "matched filter",
      op: spectralFilter(lines, { axis: 1, load: sampleLoad({ layout: lines, samples: raw, scale: 2 ** -15 }) }),
      bind: { samples: "raw", h: "chirp", out: "image" },
    },
  ],
  outputs: ["image"],
});

// A radar that delivers a block of pulses at a time, and a chirp whose spectrum has a magnitude of 1.
const recorded = Int16Array.from({ length: 2 * pulses * samples }, createRandom(1).uint32);
const blockAt = (first: number): Int16Array => recorded.subarray(2 * first * samples, 2 * (first + rows) * samples);
const spectrum = Float32Array.from({ length: 2 * samples }, (_, i) => {
  const k = (i >> 1) - samples / 2;
  const angle = (Math.PI * k * k) / samples;
  return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
});

for (const backends of [[cpu()], [gpu(), cpu()]]) {
  using device = await open(...backends);
  using plan = await compile(compress, device);
  using filter = device.alloc(chirp);
  using image = device.alloc(layout("c64", [pulses, samples]));
  const blocks = [device.alloc(raw), device.alloc(raw)]; // the device works on one while the other is filled
  filter.write(spectrum);
  for (let first = 0; first < pulses; first += rows) {
    const block = blocks[(first / rows) % 2];
    block.write(blockAt(first));
    plan.run({ raw: block, chirp: filter, image: image.part(first, rows) });
  }
  const last = await image.part(pulses - 1, 1).read();
  console.log(device.id, "last pulse:", last.length / 2, "samples, energy", last.reduce((sum, v) => sum + v * v, 0).toPrecision(3));
}
