// @ts-check
/**
 * Makes what of the site is not written by hand: pages in `api/`, the picture of the first page. Expects a finished build; fails where
 * public parts have no docstring.
 */
import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeApi } from "./api.mjs";
import { writeCommandLine } from "./command-line.mjs";

const isComplete = await writeApi();
await writeCommandLine();
const picture = "images/quicklook.png";
cpSync(
  fileURLToPath(new URL(`../../../docs/${picture}`, import.meta.url)),
  fileURLToPath(new URL(`../public/${picture}`, import.meta.url)),
);
if (!isComplete) process.exitCode = 1;
