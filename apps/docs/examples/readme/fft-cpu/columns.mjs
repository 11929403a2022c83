import { layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

const device = await open(cpu()); // cpu({ workers: 1 }) stays on one thread, cpu({ kernels: "js" }) leaves WASM out
const lines = layout("c64", [4096, 1024]);
const data = device.alloc(lines);
data.write(new Float32Array(2 * 4096 * 1024).fill(1));
const plan = await device.plan({ op: "fft", layout: lines, axis: 0, inverse: false }, { inPlace: true });
await plan.run({ in: data, out: data }, { units: [0] }).done; // exactly these workers; all where left out
const spectrum = data.view?.(); // no copy; fetch it anew after every await
console.log(spectrum?.slice(0, 2)); // Float32Array(2) [ 4096, 4096 ]
device[Symbol.dispose]();
