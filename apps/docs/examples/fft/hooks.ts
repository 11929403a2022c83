// A periodogram of raw 16-bit samples in one pass over memory: a load hook applies a window, a store hook writes decibels.
import { evaluate, fft, type Load, layout, open, program, type Store } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const [lines, n] = [4, 256];
const raw = layout("ci16", [lines, n]);
const taper = layout("f32", [n]);

// #region hooks
/** raw [line][i] · taper [i]. */
const windowed: Load = {
  name: "window",
  sources: { raw, taper },
  wgsl: () => `return load_taper(at[1]) * load_raw(at[0] * ${n}u + at[1]);`,
  reference([line, i], sources) {
    const w = sources["taper"].re(i);
    return [w * sources["raw"].re(line * n + i), w * sources["raw"].im(line * n + i)];
  },
};

/** 10·log₁₀|y|². */
const decibels = {
  name: "decibels",
  dtype: "f32",
  sources: {},
  wgsl: () => "return vec2f(3.0102999566 * log2(dot(value, value)), 0.0);",
  reference: (_at, [re, im]) => [10 * Math.log10(re * re + im * im), 0],
} satisfies Store;

const op = fft(layout("c64", [lines, n]), { axis: 1, load: windowed, store: decibels });
// #endregion hooks

const periodogram = program({
  name: "periodogram",
  inputs: { raw, taper },
  steps: [{ name: "spectrum", op, bind: { raw: "raw", taper: "taper", out: "power" } }],
  outputs: ["power"],
});

const hann = Float32Array.from({ length: n }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / n));
const samples = new Int16Array(2 * lines * n);
for (let i = 0; i < lines * n; i++) {
  const angle = (2 * Math.PI * 40 * (i % n)) / n; // a tone in bin 40
  samples.set([Math.round(1000 * Math.cos(angle)), Math.round(1000 * Math.sin(angle))], 2 * i);
}

using device = await open(gpu(), cpu());
const { power } = await evaluate(periodogram, device, { raw: samples, taper: hann });
for (const bin of [39, 40, 41, 60]) console.log(`bin ${bin}: ${power[bin] > 20 ? power[bin].toFixed(1) : "below 20"} dB`);
