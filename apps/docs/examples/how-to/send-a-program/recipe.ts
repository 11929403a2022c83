import { evaluate, inputError, type Kernel, kernel, layout, open, type Program } from "@dechirp/core";
import { decodeProgram, encodeProgram, type Recipes } from "@dechirp/core/json";
import { cpu } from "@dechirp/fft-cpu";

/** y[i] = x[0] + … + x[i], which is no formula of a few elements. */
function runningSum(length: number): Kernel {
  const line = layout("f32", [length]);
  return kernel({
    name: "running sum",
    ports: { x: { access: "read", layout: line }, y: { access: "write", layout: line } },
    items: 1,
    recipe: { name: "running-sum", parameters: { length } },
    reference({ x, y }) {
      let sum = 0;
      for (let i = 0; i < length; i++) {
        sum += x.re(i);
        y.set(i, sum);
      }
    },
  });
}

/** The receiver's functions. Parameters may come from a stranger, so each function checks its own. */
const kernels: Recipes<Kernel> = {
  "running-sum": ({ length }) => {
    if (!Number.isInteger(length) || Number(length) < 1 || Number(length) > 1e6) throw inputError("length", "from 1 to a million", length);
    return runningSum(Number(length));
  },
};

const sums: Program = {
  name: "sums",
  inputs: { x: layout("f32", [4]) },
  steps: [{ name: "sum", op: runningSum(4), bind: { x: "x", y: "y" } }],
  outputs: ["y"],
};
const text = JSON.stringify(encodeProgram(sums));

using device = await open(cpu());
console.log((await evaluate(decodeProgram(text, { kernels }), device, { x: Float32Array.of(1, 2, 3, 4) }))["y"]);

for (const wrong of [
  text.replace('"length":4', '"length":1e9'),
  text.replace("running-sum", "unknown"),
  text.replace('"schema":1', '"schema":9'),
]) {
  try {
    decodeProgram(wrong, { kernels });
  } catch (error) {
    console.log((error as Error).message);
  }
}
