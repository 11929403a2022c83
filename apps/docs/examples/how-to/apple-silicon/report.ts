import { createRandom, type Fft, layout, open, type Program } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const lines = layout("c64", [64, 1024]);
const rows: Fft = { op: "fft", layout: lines, axis: 1, inverse: false };
const columns: Fft = { op: "fft", layout: lines, axis: 0, inverse: false };
const program: Program = {
  name: "two-dimensional spectrum",
  inputs: { echoes: lines },
  steps: [
    { name: "rows", op: rows, bind: { in: "echoes", out: "half" } },
    { name: "columns", op: columns, bind: { in: "half", out: "spectrum" } },
  ],
  outputs: ["spectrum"],
};
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
const { stages } = await compare(program, device, processor, { echoes });
for (const { stage, relativeL2, agrees } of stages) console.log(stage, agrees ? "agrees" : `differs by ${relativeL2}`);
