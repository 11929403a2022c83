#!/usr/bin/env node
/**
 * The `dechirp` executable: connects `run` to the process's streams, signals and exit status. Signal handlers are installed first;
 * everything else is loaded after that.
 */
import type { Io } from "./io.ts";
import {
  endsWithParent,
  errorLine,
  exitCodes,
  interruptedLines,
  isScreen,
  limitOf,
  type SignalName,
  signalCodes,
  wantsJson,
} from "./status.ts";

/**
 * How long work may take to end by itself after a signal. Most work ends within milliseconds, because it returns to the event loop
 * every few milliseconds. What can't end, such as a long kernel on a worker or a slow disk, is abandoned after this time. Including the
 * turn before and the exit after it, the process ends within 0.3 s.
 */
const graceMilliseconds = 60;
/** The same after the second signal, for a command that took its time after the first one and has to tell a server that it leaves. */
const urgentMilliseconds = 3000;
const controller = new AbortController();
const argv = process.argv.slice(2);
const io: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  // A getter, because reading this property opens stdin.
  get stdin() {
    return process.stdin;
  },
  signal: controller.signal,
  env: process.env,
  async restart(hidden, why) {
    const [{ hidingOf }, { standIn }] = await Promise.all([import("./cards/hide.ts"), import("./cards/restart.ts")]);
    const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
    const other = standIn(hidingOf(hidden, why).start(command, "inherit", process.env));
    forward = other.forward;
    return other.ended;
  },
  linger() {
    urgent = new AbortController();
    return urgent.signal;
  },
};
/** Fires at the second signal, if the command takes its time after the first one. */
let urgent: AbortController | undefined;
/** Passes signals on to the process that does this one's work, if there is one. */
let forward: ((name: SignalName) => void) | undefined;
/** `loading`: no command has started, so nothing has to be undone. `ended`: `run` has reported the result. */
let state: "loading" | "running" | "ended" = "loading";

/** Ends the process at once and reports why: an error, or the signal that came. Removes what a write in progress has made. */
async function endNow(unexpected?: { readonly thrown: unknown }): Promise<never> {
  try {
    const [{ cleanupTemporaries }, { CommandError, failureOf }, { tell }, { clearProgress }] = await Promise.all([
      import("@dechirp/io/node"),
      import("./errors.ts"),
      import("./run.ts"),
      import("./progress.ts"),
    ]);
    // A command that ends in this turn reports its own end.
    await new Promise(setImmediate);
    const error = unexpected ? unexpected.thrown : new CommandError("interrupted", `interrupted by ${controller.signal.reason}`);
    clearProgress();
    if (unexpected || state !== "ended") tell(error, argv, io);
    cleanupTemporaries();
    process.exit(failureOf(error, controller.signal.reason).exitCode);
  } catch (error) {
    // Loading failed too, for example because no more files can be opened. An exception here would call this function again.
    const thrown = unexpected ? unexpected.thrown : error;
    let message = "of an unknown kind";
    try {
      message = String((thrown as Error).message).split("\n")[0];
    } catch {
      // Anything may have been thrown.
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

/** Ends the process before any command has started, without loading anything more. */
function endBefore(name: SignalName): never {
  const { stdout, stderr } = interruptedLines(name, argv, isScreen(process.stderr, process.env));
  if (stdout !== undefined) process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exit(signalCodes[name]);
}

function hear(name: SignalName): void {
  if (forward) return forward(name);
  if (state === "loading") endBefore(name);
  const isFirst = !controller.signal.aborted;
  if (isFirst) controller.abort(name);
  if (!urgent) return isFirst ? void setTimeout(() => void endNow(), graceMilliseconds).unref() : void endNow();
  if (isFirst) return;
  if (urgent.signal.aborted) return void endNow();
  urgent.abort(name);
  setTimeout(() => void endNow(), urgentMilliseconds).unref();
}

for (const name of Object.keys(signalCodes) as SignalName[]) process.on(name, () => hear(name));

// A command that `watch` has started ends with it, whatever ends that. Processes that this one starts are not meant.
if (process.env[endsWithParent] !== undefined && process.channel) {
  process.on("disconnect", () => hear("SIGTERM"));
  process.channel.unref();
}
delete process.env[endsWithParent];

process.on("uncaughtException", (thrown: unknown) => void endNow({ thrown }));

// A reader that closes the pipe early (`| head`) is not an error. A full disk behind `>` is one, unless another error came first. If
// the terminal is gone, errors of stderr are ignored.
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
// Work whose result nobody awaits any more, such as a kernel on a worker, must not keep the process alive.
if (controller.signal.aborted) setTimeout(() => process.exit(), 0).unref();
