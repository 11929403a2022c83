/**
 * `pnpm turbo bench`: runs every case, the published experiments with few points, and the GPU bench if there is a GPU. Writes
 * `results/latest.json` and `.md` after every case, and ends with a table of the project's targets. Cases that fail do not stop the others.
 *   --only TEXT   only cases whose name contains TEXT   --scene DIR   range-Doppler on this scene instead
 *   --quick       3 windows per contender              --out DIR     folder for the results
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf, open } from "@dechirp/core";
import { targetOutcomes, targetTable } from "@dechirp/experiments";
import { tableMarkdown } from "@dechirp/experiments/tables";
import { cpu } from "@dechirp/fft-cpu";
import { accumulationCase } from "./cases/accumulation.ts";
import { backprojectionCase, backprojectionSizes } from "./cases/backprojection.ts";
import { filterCase, unitsCase } from "./cases/device.ts";
import { efaCase } from "./cases/efa.ts";
import { expressionsCase } from "./cases/expressions.ts";
import { fftCase, fftSizes, stopPeers } from "./cases/fft.ts";
import { gatherCase } from "./cases/gather.ts";
import { measuresCase } from "./cases/measures.ts";
import { partsCase, smallReadCase } from "./cases/parts.ts";
import { rangeDopplerCase } from "./cases/range-doppler.ts";
import { reductionCases, stopNumpy } from "./cases/reductions.ts";
import { stencilCases } from "./cases/stencils.ts";
import { parseOptions } from "./options.ts";
import { openHardware, runPapers } from "./papers.ts";
import { markdown, results } from "./report.ts";
import { type Row, runCase } from "./runner.ts";
import { benchTargets } from "./targets.ts";

const { values } = parseOptions({
  options: { only: { type: "string" }, scene: { type: "string" }, quick: { type: "boolean" }, out: { type: "string" } },
});
const cases = [
  ...fftSizes.map(fftCase),
  unitsCase,
  filterCase,
  expressionsCase,
  gatherCase(4096),
  ...reductionCases,
  ...stencilCases,
  accumulationCase,
  partsCase,
  smallReadCase,
  measuresCase,
  rangeDopplerCase(values.scene),
  ...backprojectionSizes.map(backprojectionCase),
  efaCase(),
].filter((c) => c.name.includes(values.only ?? ""));
if (cases.length === 0) {
  console.error(`bench: no case's name contains ${JSON.stringify(values.only)}`);
  process.exit(2);
}
const rows: Row[] = [];
const absent: Record<string, string> = {};
const reports: Record<string, object> = {};
const whyNoReport: Record<string, string> = {};
const folder = values.out ?? fileURLToPath(new URL("../results", import.meta.url));
mkdirSync(folder, { recursive: true });

/** Writes what there is. Called after every case, so that a failure or a signal loses nothing that was measured. */
function save(): string {
  const done = results(rows, absent);
  const targets = targetTable([...benchTargets(rows), ...targetOutcomes(reports, whyNoReport)]);
  const text = `${markdown(done)}\n${tableMarkdown(targets)}\n`;
  writeFileSync(join(folder, "latest.json"), `${JSON.stringify({ ...done, targets }, null, 2)}\n`);
  writeFileSync(join(folder, "latest.md"), text);
  return text;
}
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
for (const [signal, status] of Object.entries(signals)) {
  process.once(signal, () => {
    console.log(save());
    process.exit(status);
  });
}

let failures = 0;
for (const benchCase of cases) {
  console.error(`bench: ${benchCase.name}`);
  try {
    const outcome = await runCase(benchCase, values.quick ? { windows: 3 } : {});
    rows.push(...outcome.rows);
    for (const [contender, why] of Object.entries(outcome.absent)) absent[`${benchCase.name}: ${contender}`] = why;
  } catch (error) {
    failures += 1;
    absent[benchCase.name] = `failed: ${messageOf(error)}`;
    console.error(`bench: ${benchCase.name} failed: ${messageOf(error)}`);
  }
  save();
}
stopPeers();
await stopNumpy();
if (values.only === undefined && values.scene === undefined) failures += await runOthers();
console.log(save());
process.exitCode = failures > 0 ? 1 : 0;

/** The published experiments, then the bench of the GPU if there is one. Returns the number of failures. */
async function runOthers(): Promise<number> {
  let failed = 0;
  const found = await openHardware();
  const processor = await open(cpu());
  const devices = [...(typeof found === "string" ? [] : [{ device: found }]), { device: processor }];
  await runPapers({ devices, absent: typeof found === "string" ? { GPU: found } : {} }, (name, outcome) => {
    if (typeof outcome === "string") {
      failed += 1;
      whyNoReport[name] = outcome;
    } else reports[name] = outcome;
    save();
  });
  for (const { device } of devices) device[Symbol.dispose]();
  if (typeof found === "string") absent["GPU bench"] = found;
  else {
    const main = fileURLToPath(new URL("./gpu/main.js", import.meta.url));
    const { status } = spawnSync(process.execPath, [main, "--out", join(folder, "latest-gpu")], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    if (status !== 0) {
      failed += 1;
      absent["GPU bench"] = `ended with ${status}`;
    }
  }
  return failed;
}
