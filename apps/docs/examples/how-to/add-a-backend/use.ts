import { createRandom, layout, open, type Program, type SpectralFilter } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { plain } from "./plain.ts";

const compress: SpectralFilter = { op: "spectral-filter", layout: layout("c64", [16, 96]), axis: 1, n: 128, h: "line", keep: [0, 64] };
const program: Program = {
  name: "compression",
  inputs: { raw: compress.layout, h: layout("c64", [128]) },
  steps: [{ name: "compress", op: compress, bind: { in: "raw", h: "h", out: "compressed" } }],
  outputs: ["compressed"],
};

using mine = await open(plain());
using plan = await mine.plan(compress); // padding, filter and cropping in five steps, none of which the backend knows
console.log(plan.text);

using known = await open(cpu());
const { gaussian } = createRandom(2);
const inputs = { raw: Float32Array.from({ length: 2 * 16 * 96 }, gaussian), h: Float32Array.from({ length: 2 * 128 }, gaussian) };
const { first } = await compare(program, mine, known, inputs);
console.log(first ? `they part after ${first.stage}` : "they agree");
