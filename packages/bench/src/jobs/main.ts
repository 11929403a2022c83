/**
 * `pnpm --filter @dechirp/bench jobs`: the scaling study of jobs. Prints its tables, and writes them as `report.json` and `report.md`.
 *   --out DIR     folder for the report
 *   --measure     measures the engine on this machine instead: `job run` beside one process
 *   --turns N     measure: how often each contender runs (default: 4)
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reportMarkdown } from "@dechirp/experiments/tables";
import { linePlot } from "@dechirp/pictures";
import { parseOptions } from "../options.ts";
import { measuredRates } from "./rates.ts";
import { studyReport } from "./report.ts";

const { values } = parseOptions({ options: { out: { type: "string" }, measure: { type: "boolean" }, turns: { type: "string" } } });

const { data, tables, plots } = values.measure
  ? await (await import("./measure.ts")).engineReport(Number(values.turns ?? 4))
  : studyReport(measuredRates("backprojection-paper-h100"), (title) => console.error(`bench: ${title}`));
const text = reportMarkdown(
  tables,
  Object.keys(plots).map((name) => `${name}.svg`),
);
if (values.out !== undefined) {
  mkdirSync(values.out, { recursive: true });
  writeFileSync(join(values.out, "report.json"), `${JSON.stringify(data, null, 2)}\n`);
  writeFileSync(join(values.out, "report.md"), text);
  for (const [name, plot] of Object.entries(plots)) writeFileSync(join(values.out, `${name}.svg`), await linePlot(plot));
}
console.log(text);
