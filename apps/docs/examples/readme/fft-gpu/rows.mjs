import { layout, open } from "@dechirp/core";
import { gpu } from "@dechirp/fft-gpu";

const device = await open(gpu()); // options: gpu({ device }) uses your GPUDevice; gpu({ powerPreference: "low-power" })
const lines = layout("c64", [4096, 1024]);
const data = device.alloc(lines);
data.write(new Float32Array(2 * 4096 * 1024).fill(1));
const plan = await device.plan({ op: "fft", layout: lines, axis: 1, inverse: false }, { inPlace: true });
plan.run({ in: data, out: data }); // queued; runs of the same synchronous section are submitted together
const spectrum = await data.read();
console.log(spectrum.slice(0, 2)); // Float32Array(2) [ 1024, 1024 ]
device[Symbol.dispose]();
