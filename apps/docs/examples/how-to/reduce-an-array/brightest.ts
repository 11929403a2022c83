import { createRandom, evaluate, layout, open, program } from "@dechirp/core";
import { load } from "@dechirp/core/expression";
import { histogram, percentileOf, reduce } from "@dechirp/core/reduce";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const image = layout("c64", [256, 512]);
const power = load({ name: "power", layout: layout("f32", [256, 512]), sources: { image } }, "re(image * conj(image))");

const measure = program({
  name: "measure",
  inputs: { image },
  steps: [
    // Along axis 1: one result for each of the 256 lines.
    { name: "energy", op: reduce(image, { what: "sum of squares", axes: [1] }), bind: { in: "image", out: "energy" } },
    // Along all axes, of values that a load computes: nothing is written between.
    {
      name: "place",
      op: reduce(layout("f32", [256, 512]), { what: "argmax", load: power }),
      bind: { image: "image", out: "place" },
    },
    {
      name: "levels",
      op: histogram(layout("f32", [256, 512]), { bins: 1000, low: 0, high: 20, load: power }),
      bind: { image: "image", out: "levels" },
    },
  ],
  outputs: ["energy", "place", "levels"],
});

// Noise of power 1, and an echo of power 400 in line 100, sample 7.
const random = createRandom(1);
const data = Float32Array.from({ length: 2 * 256 * 512 }, () => Math.sqrt(1 / 2) * random.gaussian());
data[2 * (100 * 512 + 7)] = 20;

for (const backends of [[cpu()], [gpu(), cpu()]]) {
  using device = await open(...backends);
  const { energy, place, levels } = await evaluate(measure, device, { image: data });
  const [line, sample] = [Math.floor(place[0] / 512), place[0] % 512];
  const median = percentileOf(levels, 0, 20, 50);
  console.log(device.id, "echo at", line, sample, "energy of its line", energy[100].toFixed(0), "median power", median.toFixed(2));
}
