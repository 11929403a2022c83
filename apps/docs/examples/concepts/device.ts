import { layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

using device = await open(cpu({ workers: 2 }));
console.log(device.id, "-", device.info.description);
console.log(device.info.notes); // what a user should know: a slow mode, a missing feature
console.log(device.limits.dtypes.join(" "), device.limits.maxTransformLength);

const lines = layout("c64", [256, 4096]);
using plan = await device.plan({ op: "fft", layout: lines, axis: 1, inverse: false });
const [input, output] = [device.alloc(lines), device.alloc(lines)];
await plan.run({ in: input, out: output }, { units: [1] }).done; // on one of its two workers
