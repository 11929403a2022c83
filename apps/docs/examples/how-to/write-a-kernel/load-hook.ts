import { createRandom, fft, type Load, layout, open, scalarCount } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const raw = layout("ci16", [64, 500]); // recorded samples
const gains = layout("f32", [64]); // one gain for each line

/** Computes the input of the transform: recorded samples times the gain of their line. */
const samplesTimesGain: Load = {
  name: "samples × gain",
  sources: { raw, gains }, // become ports of the transform, instead of `in`
  reference([line, sample], sources) {
    const i = line * 500 + sample;
    const gain = sources["gains"].re(line);
    return [gain * sources["raw"].re(i), gain * sources["raw"].im(i)];
  },
  wgsl: () => "return load_gains(at[0]) * load_raw(at[0] * 500u + at[1]);",
};
const spectra = fft(layout("c64", [64, 500]), { axis: 1, n: 512, load: samplesTimesGain });

const { uint32 } = createRandom(11);
const samples = Int16Array.from({ length: scalarCount(raw) }, uint32);
const gain = Float32Array.from({ length: 64 }, (_, line) => 2 ** (-line / 8));

for (const backends of [[cpu()], [gpu(), cpu()]]) {
  using device = await open(...backends);
  using plan = await device.plan(spectra);
  console.log(device.id, plan.text);
  const ports = { raw: device.alloc(raw), gains: device.alloc(gains), out: device.alloc(layout("c64", [64, 512])) };
  ports.raw.write(samples);
  ports.gains.write(gain);
  plan.run(ports);
  const [re, im] = await ports.out.read({ start: 8 * 512, count: 1 }); // line 8, bin 0: the sum of its samples, times its gain of 1/2
  const line = samples.subarray(2 * 8 * 500, 2 * 9 * 500);
  const sum = [0, 1].map((part) => line.reduce((total, value, i) => total + (i % 2 === part ? value : 0), 0) / 2);
  const rounding = 0.4 * 2 ** -23 * Math.sqrt(Math.log2(512)) * Math.sqrt(512) * (Math.hypot(...line) / 2); // error bound for all bins of the line together
  console.log(Math.hypot(re - sum[0], im - sum[1]) < rounding ? "right" : "wrong");
}
