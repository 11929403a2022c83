/**
 * `pnpm turbo bench`: runs every case, prints the table, writes `results/latest.json` and `.md`.
 *   --only TEXT   cases whose name contains TEXT      --scene DIR   range-Doppler on this scene instead
 *   --quick       3 windows per contender              --out DIR     folder for the results
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { accumulationCase } from "./cases/accumulation.ts";
import { backprojectionCase, backprojectionSizes } from "./cases/backprojection.ts";
import { filterCase, unitsCase } from "./cases/device.ts";
import { efaCase } from "./cases/efa.ts";
import { expressionsCase } from "./cases/expressions.ts";
import { fftCase, fftSizes, stopPeers } from "./cases/fft.ts";
import { gatherCase } from "./cases/gather.ts";
import { partsCase, smallReadCase } from "./cases/parts.ts";
import { rangeDopplerCase } from "./cases/range-doppler.ts";
import { reductionCases, stopNumpy } from "./cases/reductions.ts";
import { stencilCases } from "./cases/stencils.ts";
import { markdown, results } from "./report.ts";
import { type Row, runCase } from "./runner.ts";

const { values } = parseArgs({
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
for (const benchCase of cases) {
  console.error(`bench: ${benchCase.name}`);
  const outcome = await runCase(benchCase, values.quick ? { windows: 3 } : {});
  rows.push(...outcome.rows);
  for (const [contender, why] of Object.entries(outcome.absent)) absent[`${benchCase.name}: ${contender}`] = why;
}
stopPeers();
await stopNumpy();
const done = results(rows, absent);
const folder = values.out ?? fileURLToPath(new URL("../results", import.meta.url));
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "latest.json"), `${JSON.stringify(done, null, 2)}\n`);
writeFileSync(join(folder, "latest.md"), markdown(done));
console.log(markdown(done));
