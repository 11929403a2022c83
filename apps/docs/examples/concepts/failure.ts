import { isRadarError, kernel, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

const values = layout("f32", [1000]);
const broken = kernel({
  name: "broken",
  ports: { in: { access: "read", layout: values }, out: { access: "write", layout: values } },
  items: 1000, // independent pieces of work: here, elements
  reference() {
    throw new Error("division by zero");
  },
});

using device = await open(cpu());
using input = device.alloc(values, "input");
using output = device.alloc(values, "output");
using plan = await device.plan(broken);
plan.run({ in: input, out: output }); // nobody awaits this run

try {
  await output.read(); // reading the output of the failed run throws its error
} catch (error) {
  if (!isRadarError(error)) throw error;
  console.log(error.code, error.message);
}
output.write(new Float32Array(1000)); // a complete write makes the buffer valid again
console.log((await output.read()).length);
