import { createRandom, evaluate, layout, open, program } from "@dechirp/core";
import { abs, conj, divide, max, re, sqrt, times } from "@dechirp/core/expression";
import { box, stencil } from "@dechirp/core/stencil";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const image = layout("c64", [200, 300]);

// |Σ x·y*| / √(Σ|x|² · Σ|y|²), summed over 5 × 15 cells. The products are never stored.
const coherence = stencil(
  { name: "coherence", shape: image.shape, sources: { x: image, y: image }, boundary: ["zero", "zero"], outputs: { gamma: "f32" } },
  ({ at, x, y }) => {
    const window = { rows: 5, columns: 15 };
    const cross = box(times(x(at), conj(y(at))), window);
    const powers = times(box(re(times(x(at), conj(x(at)))), window), box(re(times(y(at), conj(y(at)))), window));
    return { gamma: divide(abs(cross), max(sqrt(powers), 1e-30)) };
  },
);

// Two images of one scene. In the right half of the second one everything has changed.
const { gaussian } = createRandom(3);
const x = Float32Array.from({ length: 2 * 200 * 300 }, () => gaussian());
const y = x.map((value, i) => ((i >> 1) % 300 < 150 ? value + 0.3 * gaussian() : gaussian()));

for (const backends of [[cpu()], [gpu(), cpu()]]) {
  using device = await open(...backends);
  const steps = [{ name: "coherence", op: coherence, bind: { x: "x", y: "y", gamma: "gamma" } }];
  const pair = program({ name: "coherence", inputs: { x: image, y: image }, steps, outputs: ["gamma"] });
  const { gamma } = await evaluate(pair, device, { x, y });
  const mean = (from: number): string => {
    const numbers = gamma.filter((_, i) => i % 300 >= from && i % 300 < from + 100);
    return (numbers.reduce((a, b) => a + b) / numbers.length).toFixed(2);
  };
  console.log(device.id, "unchanged", mean(20), "changed", mean(180));
}
