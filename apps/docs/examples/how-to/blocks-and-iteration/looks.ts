import { compile, createRandom, fft, layout, open, program } from "@dechirp/core";
import { store } from "@dechirp/core/expression";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const [looks, bins, columns] = [8, 64, 256];
const look = layout("c64", [bins, columns]); // a band of Doppler bins, for each range
const image = layout("f32", [bins, columns]);
const detect = store({ name: "add power", layout: look, dtype: "f32", sources: { out: image } }, "out + re(value * conj(value))");
const addLook = program({
  name: "add a look",
  inputs: { band: look, image },
  steps: [{ name: "look", op: fft(look, { axis: 0, inverse: true, store: detect }), bind: { in: "band", out: "image" } }],
  outputs: ["image"],
});

const { gaussian } = createRandom(2);
const spectra = Float32Array.from({ length: 2 * looks * bins * columns }, gaussian);
/** Standard deviation over mean: 1 for one look of a surface that scatters evenly, 1/√8 for eight. */
const contrast = (values: Float32Array): number => {
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  return Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length) / mean;
};

for (const backends of [[cpu()], [gpu(), cpu()]]) {
  using device = await open(...backends);
  using plan = await compile(addLook, device);
  using all = device.alloc(layout("c64", [looks * bins, columns]));
  using sum = device.alloc(image); // zeros
  all.write(spectra);
  const seen: string[] = [];
  for (let i = 0; i < looks; i++) {
    plan.run({ band: all.part(i * bins, bins), image: sum });
    if (i === 0 || i === looks - 1) seen.push(contrast(await sum.read()).toFixed(2));
  }
  console.log(device.id, "contrast of one look and of eight:", seen.join(", "));
}
