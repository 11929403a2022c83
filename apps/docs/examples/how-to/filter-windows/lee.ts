import { createRandom, evaluate, layout, open, program } from "@dechirp/core";
import { divide, max, minus, plus, times } from "@dechirp/core/expression";
import { box, stencil } from "@dechirp/core/stencil";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const image = layout("f32", [256, 256]);
const looks = 4;

// J.-S. Lee, "Digital image enhancement and noise filtering by use of local statistics", IEEE PAMI-2 (1980).
const lee = stencil(
  { name: "Lee", shape: image.shape, sources: { x: image }, boundary: ["clamp", "clamp"], outputs: { filtered: "f32" } },
  ({ at, x }) => {
    const window = { rows: 7, columns: 7 };
    const mean = divide(box(x, window), 49);
    const variance = minus(divide(box(times(x(at), x(at)), window), 49), times(mean, mean));
    const speckle = divide(times(mean, mean), looks); // the variance of a flat area
    const signal = max(divide(minus(variance, speckle), 1 + 1 / looks), 0);
    return { filtered: plus(mean, times(divide(signal, max(variance, 1e-30)), minus(x(at), mean))) };
  },
);

// Two flat areas with speckle.
const { uniform } = createRandom(2);
const gamma = (): number => Array.from({ length: looks }, () => -Math.log(1 - uniform())).reduce((a, b) => a + b) / looks;
const speckled = Float32Array.from({ length: 256 * 256 }, (_, i) => (i % 256 < 128 ? 1 : 4) * gamma());
/** The mean over the standard deviation, squared: the equivalent number of looks. */
const looksOf = (data: Float32Array, from: number): string => {
  const numbers = data.filter((_, i) => i % 256 >= from && i % 256 < from + 100);
  const mean = numbers.reduce((a, b) => a + b) / numbers.length;
  return ((mean * mean) / (numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / numbers.length)).toFixed(1);
};

for (const backends of [[cpu()], [gpu(), cpu()]]) {
  using device = await open(...backends);
  const steps = [{ name: "lee", op: lee, bind: { x: "x", filtered: "filtered" } }];
  const { filtered } = await evaluate(program({ name: "lee", inputs: { x: image }, steps, outputs: ["filtered"] }), device, {
    x: speckled,
  });
  console.log(device.id, "looks before", looksOf(speckled, 10), "after", looksOf(filtered, 10), "and", looksOf(filtered, 140));
}
