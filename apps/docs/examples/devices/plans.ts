import { fft, layout, open, spectralFilter } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

using device = await open(gpu(), cpu());
for (const n of [4096, 32768, 10007]) {
  const plan = await device.plan(fft(layout("c64", [16, n]), { axis: 1 }));
  console.log(plan.text);
}
const lines = layout("c64", [16, 4096]);
for (const fuse of [true, false]) {
  const plan = await device.plan(spectralFilter(lines, { axis: 1 }), { fuse });
  console.log(plan.text);
}
