import { open } from "@dechirp/core";
import { fusedSarExperiment, fusedSarTables, reportMarkdown } from "@dechirp/experiments";
import { cpu } from "@dechirp/fft-cpu";

const device = await open(cpu());
const options = { lines: 512, samples: 512, turns: 1 }; // the published size is 4096 by 4096
const report = await fusedSarExperiment(device, options, { onProgress: (what, share) => console.error(what, share.toFixed(2)) });
device[Symbol.dispose]();

for (const { name, measured } of report.variants.slice(0, 2)) console.log(`${name}: ${measured?.passes} passes over memory`);
console.log(reportMarkdown(fusedSarTables(report)).includes("| published"));
