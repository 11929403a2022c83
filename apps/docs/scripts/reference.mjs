// @ts-check
/**
 * Makes the parts of the site that nobody writes by hand: the pages in `api/`. Needs a finished build. Prints what is wrong with the API's
 * docstrings and families, and then ends with status 1.
 */
import { writeApi } from "./api.mjs";
import { writeCommandLine } from "./command-line.mjs";

const faults = await writeApi();
await writeCommandLine();
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
