// @ts-check
/**
 * Makes the parts of the site that nobody writes by hand: the pages in `api/`, and the picture of the first page. Needs a finished build.
 * Prints what is wrong with the API's docstrings and families, and then ends with status 1.
 */
import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeApi } from "./api.mjs";
import { writeCommandLine } from "./command-line.mjs";

const faults = await writeApi();
await writeCommandLine();
const picture = "images/quicklook.png";
cpSync(
  fileURLToPath(new URL(`../../../docs/${picture}`, import.meta.url)),
  fileURLToPath(new URL(`../public/${picture}`, import.meta.url)),
);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
