import { fft, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

const device = await open(cpu()); // cpu({ workers: 1 }) uses one thread, cpu({ kernels: "js" }) uses no WebAssembly
const matrix = layout("c64", [4096, 1024]);
const data = device.alloc(matrix);
data.write(new Float32Array(2 * 4096 * 1024).fill(1));
const plan = await device.plan(fft(matrix, { axis: 0 }), { inPlace: true }); // along the columns
await plan.run({ in: data, out: data }, { units: [0] }).done; // on worker 0 only; without `units`, on all workers
const spectrum = data.view?.(); // the array itself, without a copy; get it again after every await
console.log(spectrum?.slice(0, 2)); // Float32Array(2) [ 4096, 4096 ]
device[Symbol.dispose]();
