// @ts-check
/** Makes the pages that are not written by hand, in `api/`. Expects a finished build; fails where public parts have no docstring. */
import { writeApi } from "./api.mjs";
import { writeCommandLine } from "./command-line.mjs";

const isComplete = await writeApi();
await writeCommandLine();
if (!isComplete) process.exitCode = 1;
