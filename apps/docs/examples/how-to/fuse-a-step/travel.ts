import { fft, layout, open } from "@dechirp/core";
import { load, sampleLoad, times } from "@dechirp/core/expression";
import { cpu } from "@dechirp/fft-cpu";

const lines = layout("c64", [64, 1000]);
const window = layout("f32", [1000]);

// The same hook as a formula, as text, and ready-made.
const asFormula = load({ layout: lines, sources: { x: lines, window } }, ({ at, x, window }) => times(x(at), window(at[1])));
const asText = load({ layout: lines, sources: { x: lines, window } }, "x * window[i1]");
const ready = sampleLoad({ layout: lines, samples: layout("ci16", [64, 1000]), window: 1, gain: 0 });
console.log(JSON.stringify(asFormula) === JSON.stringify(asText), Object.keys(ready.sources));

// The op is data, so it can be sent to another thread or machine, or kept in a file.
const op = JSON.parse(JSON.stringify(fft(lines, { axis: 1, n: 1024, load: asText })));
using device = await open(cpu({ workers: 1 }));
using plan = await device.plan(op);
console.log(plan.text);
