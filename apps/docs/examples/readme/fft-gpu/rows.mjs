import { fft, layout, open } from "@dechirp/core";
import { gpu } from "@dechirp/fft-gpu";

const device = await open(gpu()); // gpu({ device }) uses your GPUDevice, gpu({ powerPreference: "low-power" }) the smaller GPU
const matrix = layout("c64", [4096, 1024]);
const data = device.alloc(matrix);
data.write(new Float32Array(2 * 4096 * 1024).fill(1));
const plan = await device.plan(fft(matrix, { axis: 1 }), { inPlace: true }); // along the rows
plan.run({ in: data, out: data }); // queues the run; it is submitted when this code next waits
const spectrum = await data.read();
console.log(spectrum.slice(0, 2)); // Float32Array(2) [ 1024, 1024 ]
device[Symbol.dispose]();
