import { formatOp, layout, portsOf, spectralFilter } from "@dechirp/core";

const lines = layout("c64", [1024, 3000]); // 1024 lines of 3000 complex numbers
const compress = spectralFilter(lines, {
  axis: 1, // along each line
  n: 4096, // pad each line with zeros to 4096 points
  h: "line", // one filter for all lines ("all": one for each)
  keep: [0, 2400], // write only the first 2400 outputs of each line
});

console.log(formatOp(compress));
for (const [name, port] of Object.entries(portsOf(compress))) {
  console.log(`${port.access} ${name}: ${port.layout.dtype} [${port.layout.shape.join(", ")}]`);
}
