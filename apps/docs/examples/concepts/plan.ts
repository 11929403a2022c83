import { fft, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

using device = await open(cpu());
const lines = layout("c64", [64, 1000]);

using plan = await device.plan(fft(lines, { axis: 1 })); // once
console.log(plan.text);
console.log(plan.cost);

using input = device.alloc(lines, "echoes");
using output = device.alloc(lines, "spectra");
for (let block = 0; block < 3; block++) {
  input.write(new Float32Array(2 * 64 * 1000).fill(block));
  plan.run({ in: input, out: output }); // as often as you like
}
const [first] = await output.read({ start: 0, count: 1 });
console.log(first); // bin 0 of the last block: the sum of 1000 twos
