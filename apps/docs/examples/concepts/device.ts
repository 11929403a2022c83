import { fft, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

using device = await open(cpu({ workers: 2 }));
console.log(device.id, "-", device.info.description);
console.log(device.info.notes); // warnings for users, such as a slow mode or a missing feature
console.log(device.limits.dtypes.join(" "), device.limits.maxTransformLength);

const lines = layout("c64", [256, 4096]);
using plan = await device.plan(fft(lines, { axis: 1 }));
const [input, output] = [device.alloc(lines), device.alloc(lines)];
await plan.run({ in: input, out: output }, { units: [1] }).done; // on worker 1 of workers 0 and 1
