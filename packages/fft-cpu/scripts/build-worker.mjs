// @ts-check
/**
 * Writes src/worker-text.ts: the program of src/worker.ts as text, for hosts that start workers without a file. With `--check`, fails if
 * the text is not that of the program.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { transform } from "esbuild";

const at = (/** @type {string} */ name) => new URL(`../src/${name}`, import.meta.url);
const { code } = await transform(readFileSync(at("worker.ts"), "utf8"), { loader: "ts", format: "iife", minify: true, target: "es2022" });
const text = `/** The program of worker.ts, as text. Written by scripts/build-worker.mjs: do not edit. */
// biome-ignore format: one line
export const workerText = ${JSON.stringify(code.trim())};
`;
const target = at("worker-text.ts");
if (!process.argv.includes("--check")) writeFileSync(target, text);
else if (readFileSync(target, "utf8") !== text)
  throw new Error("src/worker-text.ts is not the text of src/worker.ts; run npm run worker in packages/fft-cpu");
