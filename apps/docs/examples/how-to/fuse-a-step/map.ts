import { evaluate, layout, open, program } from "@dechirp/core";
import { map } from "@dechirp/core/expression";
import { cpu } from "@dechirp/fft-cpu";

const lines = layout("c64", [64, 1000]);
const window = layout("f32", [1000]);
const weighted = map(
  { shape: [64, 1000], sources: { x: lines, window }, outputs: { y: "c64", power: "f32" } },
  "y = x * window[i1]; power = re(y * conj(y))",
);
const steps = [{ name: "weigh", op: weighted, bind: { x: "lines", window: "window", y: "y", power: "power" } }];

using device = await open(cpu());
const { power } = await evaluate(program({ name: "weigh", inputs: { lines, window }, steps, outputs: ["power"] }), device, {
  lines: new Float32Array(2 * 64 * 1000).fill(1),
  window: new Float32Array(1000).fill(0.5),
});
console.log(power.length, power[0]); // |0.5 + 0.5j|²
