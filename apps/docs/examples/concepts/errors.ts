import { isRadarError, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

using device = await open(cpu());
const lines = layout("c64", [8, 100]);

/** What `work` throws, as a line of text. */
async function said(work: () => unknown): Promise<string> {
  try {
    await work();
    return "nothing";
  } catch (error) {
    if (!isRadarError(error)) throw error;
    return `${error.code}: ${error.message} ${JSON.stringify(error.fields)}`;
  }
}

console.log(await said(() => device.plan({ op: "fft", layout: lines, axis: 2, inverse: false })));
console.log(await said(() => layout("c64", [8, 0])));

using plan = await device.plan({ op: "fft", layout: lines, axis: 1, inverse: false });
using short = device.alloc(layout("c64", [8, 99]));
console.log(await said(() => plan.run({ in: short, out: short })));
console.log(await said(() => short.write(new Float32Array(2 * 8 * 100))));
short[Symbol.dispose]();
console.log(await said(() => short.read()));
