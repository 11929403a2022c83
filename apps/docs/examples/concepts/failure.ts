import { isRadarError, type Kernel, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

const values = layout("f32", [1000]);
const broken: Kernel = {
  op: "kernel",
  name: "broken",
  ports: { in: { access: "read", layout: values }, out: { access: "write", layout: values } },
  items: 1000,
  reference() {
    throw new Error("division by cucumber");
  },
};

using device = await open(cpu());
using input = device.alloc(values, "input");
using output = device.alloc(values, "output");
using plan = await device.plan(broken);
plan.run({ in: input, out: output }); // nobody waits for this

try {
  await output.read(); // but whoever reads what it should have written hears of it
} catch (error) {
  if (!isRadarError(error)) throw error;
  console.log(error.code, error.message);
}
output.write(new Float32Array(1000)); // written anew, it can be trusted again
console.log((await output.read()).length);
