// What a plan says of itself before it runs.
import { layout, type Op, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

using device = await open(cpu({ workers: 1 }));

const ops: Op[] = [
  { op: "fft", layout: layout("c64", [64, 4096]), axis: 1, inverse: false },
  { op: "fft", layout: layout("c64", [4096, 64]), axis: 0, inverse: false },
  { op: "fft", layout: layout("c64", [64, 1001]), axis: 1, inverse: false },
  { op: "fft", layout: layout("c64", [64, 1009]), axis: 1, inverse: false },
  { op: "real-fft", layout: layout("f32", [64, 4096]), axis: 1, inverse: false },
  { op: "spectral-filter", layout: layout("c64", [64, 3000]), axis: 1, n: 4096, h: "line", keep: [0, 2500] },
  { op: "fft", layout: layout("c128", [64, 1000]), axis: 1, inverse: false },
];
for (const op of ops) {
  using plan = await device.plan(op);
  const { flops, bytes, passes } = plan.cost;
  console.log(`${plan.text}\n  ${(flops / 1e6).toFixed(1)} Mflop, ${(bytes / 2 ** 20).toFixed(1)} MiB, passes: ${passes}`);
}

// Lines shared by several workers, two passes over memory: only where that is quicker on some number of them.
using pair = await open(cpu({ workers: 2 }));
using long = await pair.plan({ op: "fft", layout: layout("c64", [1, 2 ** 20]), axis: 1, inverse: false });
console.log(`${long.text}\n  passes: ${long.cost.passes}`);
