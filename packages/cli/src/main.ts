#!/usr/bin/env node
/**
 * The `dechirp` executable: streams, signals and exit status of the process around `run`. Signals are heard first; everything else is
 * loaded after that.
 */
import type { Io } from "./io.ts";
import { exitCodes, type SignalName, signalCodes } from "./status.ts";

/** How long work may take to notice that it has to end. */
const graceMilliseconds = 3000;
const controller = new AbortController();
const argv = process.argv.slice(2);
const io: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  // Opened where it is asked for only.
  get stdin() {
    return process.stdin;
  },
  signal: controller.signal,
  env: process.env,
};
/** Whether `run` has said how it ended: where something still holds the process, there is no more to tell. */
let ended = false;

/** Ends at once and says why, an error or the signal that came; what a write under way has made goes first. */
async function endNow(unexpected?: { readonly thrown: unknown }): Promise<never> {
  try {
    const [{ cleanupTemporaries }, { CommandError, failureOf }, { tell }] = await Promise.all([
      import("@dechirp/io/node"),
      import("./errors.ts"),
      import("./run.ts"),
    ]);
    cleanupTemporaries();
    // A command that ends in this very turn says so itself.
    await new Promise(setImmediate);
    const error = unexpected ? unexpected.thrown : new CommandError("interrupted", `interrupted by ${controller.signal.reason}`);
    if (unexpected || !ended) tell(error, argv, io);
    process.exit(failureOf(error, controller.signal.reason).exitCode);
  } catch (error) {
    // Not even that can be loaded, as where no file can be opened any more. To throw here would end here again.
    const thrown = unexpected ? unexpected.thrown : error;
    let message = "of an unknown kind";
    try {
      message = String((thrown as Error).message).split("\n")[0];
    } catch {
      // It may be anything.
    }
    process.stderr.write(`dechirp: internal error: ${message}\n`);
    process.exit(exitCodes.internal);
  }
}

for (const name of Object.keys(signalCodes) as SignalName[]) {
  process.on(name, () => {
    if (controller.signal.aborted) return void endNow();
    controller.abort(name);
    setTimeout(() => void endNow(), graceMilliseconds).unref();
  });
}

process.on("uncaughtException", (thrown: unknown) => void endNow({ thrown }));

// A reader that has seen enough (`| head`) is no error; a full disk behind `>` is, where there was none before.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || process.exitCode) return;
  process.stderr.write(`dechirp: can't write to stdout: ${error.code ?? error.message}\n`);
  process.exitCode = exitCodes.write;
});
process.stderr.on("error", () => {});

const { run } = await import("./run.ts");
const code = await run(argv, io);
ended = true;
process.exitCode ||= code;
