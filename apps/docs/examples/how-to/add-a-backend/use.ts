import { createRandom, layout, open, program, spectralFilter } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { plain } from "./plain.ts";

const raw = layout("c64", [16, 96]);
const compress = spectralFilter(raw, { axis: 1, n: 128, keep: [0, 64] });
const compression = program({
  name: "compression",
  inputs: { raw, h: layout("c64", [128]) },
  steps: [{ name: "compress", op: compress, bind: { in: "raw", h: "h", out: "compressed" } }],
  outputs: ["compressed"],
});

using mine = await open(plain());
using plan = await mine.plan(compress); // lowered to five steps: the backend has no rule for padding, filters or cropping
console.log(plan.text);

using known = await open(cpu());
const { gaussian } = createRandom(2);
const inputs = { raw: Float32Array.from({ length: 2 * 16 * 96 }, gaussian), h: Float32Array.from({ length: 2 * 128 }, gaussian) };
const { first } = await compare(compression, mine, known, inputs);
console.log(first ? `first difference after ${first.stage}` : "they agree");
