import { fft, isRadarError, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

using device = await open(cpu());
const lines = layout("c64", [8, 100]);

/** The error that `work` throws, as a line of text. */
async function errorOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return "no error";
  } catch (error) {
    if (!isRadarError(error)) throw error;
    return `${error.code}: ${error.message} ${JSON.stringify(error.fields)}`;
  }
}

console.log(await errorOf(() => device.plan(fft(lines, { axis: 2 }))));
console.log(await errorOf(() => layout("c64", [8, 0])));

using plan = await device.plan(fft(lines, { axis: 1 }));
using short = device.alloc(layout("c64", [8, 99]));
console.log(await errorOf(() => plan.run({ in: short, out: short })));
console.log(await errorOf(() => short.write(new Float32Array(2 * 8 * 100))));
short[Symbol.dispose]();
console.log(await errorOf(() => short.read()));
