// Grey levels instead of the complex image. The scale is given with each run.
import { evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { fusedSarScene, rangeDoppler, simulateStripmap, withDetection } from "@dechirp/sar";

const params = fusedSarScene(256, 256);
const { raw } = await simulateStripmap(params);
using device = await open(cpu());

// #region detect
const program = withDetection(rangeDoppler(params), "decibel");
const { image } = await evaluate(program, device, { raw }, { uniforms: { lowDb: -40, highDb: 10 } });
// #endregion detect
const bright = image.reduce((count, level) => count + (level > 191 ? 1 : 0), 0);
console.log(
  `${image.constructor.name} of ${image.length}; ${bright > 0 && bright < 40 ? "a few" : bright} pixels are brighter than −2.5 dB`,
);
