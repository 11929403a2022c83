import { createRandom, fft, layout, open, program } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const lines = layout("c64", [64, 1024]);
const rows = fft(lines, { axis: 1 });
const columns = fft(lines, { axis: 0 });
const spectrum = program({
  name: "two-dimensional spectrum",
  inputs: { echoes: lines },
  steps: [
    { name: "rows", op: rows, bind: { in: "echoes", out: "half" } },
    { name: "columns", op: columns, bind: { in: "half", out: "spectrum" } },
  ],
  outputs: ["spectrum"],
});
const { gaussian } = createRandom(1);
const echoes = Float32Array.from({ length: 2 * 64 * 1024 }, gaussian);

using device = await open(gpu());
console.log(device.info.description);
console.log(`${process.platform} ${process.arch}, Node ${process.version}`);
console.log(JSON.stringify(device.limits));
for (const op of [rows, columns]) {
  using plan = await device.plan(op);
  console.log(plan.text);
}

using processor = await open(cpu());
const { stages } = await compare(spectrum, device, processor, { echoes });
for (const { stage, relativeL2, agrees } of stages) console.log(stage, agrees ? "agrees" : `differs by ${relativeL2}`);
