#!/usr/bin/env node
/**
 * The `dechirp` executable: streams, signals and exit status of the process around `run`. Signals are heard first; everything else is
 * loaded after that.
 */
import type { Io } from "./io.ts";
import { errorLine, exitCodes, interruptedLines, isScreen, limitOf, type SignalName, signalCodes, wantsJson } from "./status.ts";

/**
 * How long work may take to end by itself once a signal has come. Most of it does so within milliseconds, as it lets the event loop have a
 * turn every few of them; what can't, such as a long kernel on a worker or a slow disk, is left behind after that. With the turn
 * before and the way out after it, a process is gone within 0.3 s.
 */
const graceMilliseconds = 60;
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
/** `loading`: no command has begun, so that nothing has to be undone. `ended`: `run` has said how it ended, and there is no more to tell. */
let state: "loading" | "running" | "ended" = "loading";

/** Ends at once and says why, an error or the signal that came; what a write under way has made goes first. */
async function endNow(unexpected?: { readonly thrown: unknown }): Promise<never> {
  try {
    const [{ cleanupTemporaries }, { CommandError, failureOf }, { tell }, { clearProgress }] = await Promise.all([
      import("@dechirp/io/node"),
      import("./errors.ts"),
      import("./run.ts"),
      import("./progress.ts"),
    ]);
    // A command that ends in this very turn says so itself.
    await new Promise(setImmediate);
    const error = unexpected ? unexpected.thrown : new CommandError("interrupted", `interrupted by ${controller.signal.reason}`);
    clearProgress();
    if (unexpected || state !== "ended") tell(error, argv, io);
    cleanupTemporaries();
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
    const limit = limitOf(thrown) ?? limitOf(error);
    const [kind, told] = limit ? (["device", limit] as const) : (["internal", "internal error"] as const);
    const line = `${told}: ${message}`;
    if (wantsJson(argv))
      process.stdout.write(`${JSON.stringify({ error: { code: kind, exitCode: exitCodes[kind], message: line, fields: {} } })}\n`);
    process.stderr.write(errorLine(line, false));
    process.exit(exitCodes[kind]);
  }
}

/** Ends before any command has begun: without loading anything more. */
function endBefore(name: SignalName): never {
  const { stdout, stderr } = interruptedLines(name, argv, isScreen(process.stderr, process.env));
  if (stdout !== undefined) process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exit(signalCodes[name]);
}

for (const name of Object.keys(signalCodes) as SignalName[]) {
  process.on(name, () => {
    if (state === "loading") endBefore(name);
    if (controller.signal.aborted) return void endNow();
    controller.abort(name);
    setTimeout(() => void endNow(), graceMilliseconds).unref();
  });
}

process.on("uncaughtException", (thrown: unknown) => void endNow({ thrown }));

// A reader that has seen enough (`| head`) is no error; a full disk behind `>` is, where there was none before. A terminal that is gone
// takes no words about it.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || process.exitCode || controller.signal.aborted) return;
  process.stderr.write(`dechirp: can't write to stdout: ${error.code ?? error.message}\n`);
  process.exitCode = exitCodes.write;
});
process.stderr.on("error", () => {});

const { run } = await import("./run.ts");
state = "running";
const code = await run(argv, io);
state = "ended";
process.exitCode ||= code;
// Work of which nobody hears any more, such as a kernel on a worker, must not keep a process that has been told to end.
if (controller.signal.aborted) setTimeout(() => process.exit(), 0).unref();
