// How a device runs the program, in three passes over memory, and the error of half precision between the passes.
import { compile, createRandom, evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { rangeDoppler, scenePresets } from "@dechirp/sar";

const { radar } = scenePresets.default;
const params = { radar: { ...radar, pulseSeconds: 1e-6 }, lines: 128, samples: 512 };
using device = await open(cpu({ workers: 1 }));

// #region passes
using compiled = await compile(rangeDoppler({ ...params, rawType: "ci8" }), device);
for (const { name, plan } of compiled.stages) console.log(`${name}: ${plan.cost.passes} pass, ${plan.text}`);
// #endregion passes

const squinted = rangeDoppler({ ...params, src: "doppler" });
console.log(squinted.steps.map(({ name }) => name).join(" → "));

// #region half
const random = createRandom(1);
const raw = Float32Array.from({ length: 2 * params.lines * params.samples }, () => random.gaussian());
const single = (await evaluate(rangeDoppler(params), device, { raw })).image;
const half = (await evaluate(rangeDoppler({ ...params, storage: "f16", rawPeak: 8 }), device, { raw })).image;
let [error, energy] = [0, 0];
single.forEach((value, i) => {
  error += (half[i] - value) ** 2;
  energy += value ** 2;
});
console.log(`half precision: error of ${Math.sqrt(error / energy).toExponential(0)} relative to the image, L2 norm`);
// #endregion half
