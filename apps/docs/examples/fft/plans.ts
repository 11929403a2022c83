// What plans say about themselves before they run.
import { fft, layout, type Op, open, realFft, spectralFilter } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

using device = await open(cpu({ workers: 1 }));

const ops: Op[] = [
  fft(layout("c64", [64, 4096]), { axis: 1 }),
  fft(layout("c64", [4096, 64]), { axis: 0 }),
  fft(layout("c64", [64, 1001]), { axis: 1 }),
  fft(layout("c64", [64, 1009]), { axis: 1 }),
  realFft(layout("f32", [64, 4096]), { axis: 1 }),
  spectralFilter(layout("c64", [64, 3000]), { axis: 1, n: 4096, keep: [0, 2500] }),
  fft(layout("c128", [64, 1000]), { axis: 1 }),
];
for (const op of ops) {
  using plan = await device.plan(op);
  const { flops, bytes, passes } = plan.cost;
  console.log(`${plan.text}\n  ${(flops / 1e6).toFixed(1)} Mflop, ${(bytes / 2 ** 20).toFixed(1)} MiB, passes: ${passes}`);
}

// Two workers share one long line, in two passes over memory. The text also gives the plan for a run that may use only one worker.
using pair = await open(cpu({ workers: 2 }));
using long = await pair.plan(fft(layout("c64", [1, 2 ** 20]), { axis: 1 }));
console.log(`${long.text}\n  passes: ${long.cost.passes}`);
