import { createRandom, fft, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

const lines = layout("c64", [64, 4096]);
const { gaussian } = createRandom(1);
const echoes = Float32Array.from({ length: 2 * 64 * 4096 }, gaussian);

// All cores; one core; WebAssembly without relaxed SIMD; JavaScript only.
for (const options of [{}, { workers: 1 }, { kernels: "plain" }, { kernels: "js" }] as const) {
  using device = await open(cpu(options));
  using plan = await device.plan(fft(lines, { axis: 1 }));
  const [input, output] = [device.alloc(lines), device.alloc(lines)];
  input.write(echoes);
  await plan.run({ in: input, out: output }).done; // a first run, not timed
  const start = performance.now();
  await plan.run({ in: input, out: output }).done;
  console.log(`${device.info.description}: ${(performance.now() - start).toFixed(1)} ms`);
}
