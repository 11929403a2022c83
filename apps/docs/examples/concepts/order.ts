import { convert, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

using device = await open(cpu());
const values = layout("f32", [4]);
using plan = await device.plan(convert(values, { to: "f32", scale: 2 })); // multiplies by 2
using a = device.alloc(values);
using b = device.alloc(values);

a.write(Float32Array.of(1, 2, 3, 4));
plan.run({ in: a, out: b }); // b = 2, 4, 6, 8
const earlier = b.read(); // will deliver b as it is at this point of the queue
plan.run({ in: b, out: a }); // a = 4, 8, 12, 16
b.write(Float32Array.of(0, 0, 0, 0));
console.log(await earlier, await a.read(), await b.read());
