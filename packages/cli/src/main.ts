#!/usr/bin/env node
/** The `dechirp` executable: streams, signals and exit status of the process around `run`. */
import { exitCodes, failureOf, type SignalName, signalCodes } from "./errors.ts";
import { run } from "./run.ts";

/** How long work may take to notice that it has to end. */
const graceMilliseconds = 3000;
const controller = new AbortController();

/** Ends at once; temporary files of a write under way go first. */
async function endNow(code: number): Promise<never> {
  const { cleanupTemporaries } = await import("@dechirp/io/node");
  cleanupTemporaries();
  process.exit(code);
}

for (const [name, code] of Object.entries(signalCodes) as [SignalName, number][]) {
  process.on(name, () => {
    if (controller.signal.aborted) return void endNow(code);
    controller.abort(name);
    setTimeout(() => void endNow(code), graceMilliseconds).unref();
  });
}

process.on("uncaughtException", (error) => {
  process.stderr.write(`dechirp: ${failureOf(error).message}\n`);
  void endNow(exitCodes.internal);
});

// A reader that has seen enough (`| head`) is no error; a full disk behind `>` is.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return;
  process.stderr.write(`dechirp: can't write to stdout: ${error.code ?? error.message}\n`);
  process.exitCode = exitCodes.write;
});
process.stderr.on("error", () => {});

const code = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  // Opened where it is asked for only.
  get stdin() {
    return process.stdin;
  },
  signal: controller.signal,
  env: process.env,
});
process.exitCode ||= code;
