import { layout, open, spectralFilter } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

const compress = spectralFilter(layout("c64", [64, 1024]), { axis: 1, keep: [0, 800] });

using device = await open(cpu());
using fused = await device.plan(compress);
using lowered = await device.plan(compress, { fuse: false });
console.log(`${fused.cost.passes} pass: ${fused.text}`);
console.log(`${lowered.cost.passes} passes: ${lowered.text}`);
