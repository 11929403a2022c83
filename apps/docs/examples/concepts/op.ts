import { formatOp, layout, portsOf, type SpectralFilter } from "@dechirp/core";

const compress: SpectralFilter = {
  op: "spectral-filter", // DFT, product with h, inverse DFT
  layout: layout("c64", [1024, 3000]), // what it reads: 1024 lines of 3000 complex numbers
  axis: 1, // along each line
  n: 4096, // zero-padded to this
  h: "line", // one filter for all lines
  keep: [0, 2400], // the outputs that are wanted
};

console.log(formatOp(compress));
for (const [name, port] of Object.entries(portsOf(compress))) {
  console.log(`${port.access} ${name}: ${port.layout.dtype} [${port.layout.shape.join(", ")}]`);
}
