/** Runs a whole command line in this process: arguments in, exit status out. It never throws. */
import { messageOf, throwIfAborted } from "@dechirp/core";
import { CommanderError } from "commander";
import { DoneElsewhere } from "./cards/restart.ts";
import { CommandError, failureJson, failureOf, isA } from "./errors.ts";
import type { Io } from "./io.ts";
import { createProgram } from "./program.ts";
import type { HelpTexts } from "./program-options.ts";
import { errorLine, exitCodes, isScreen, wantsJson } from "./status.ts";

/** Runs a command line. `argv` excludes node and the script. Resolves with the exit status; never rejects. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    throwIfAborted(io.signal, "the command");
    if (argv.length === 0) throw missingCommand(argv);
    let status: number = exitCodes.ok;
    const finish = (code: number): void => {
      status = code;
    };
    await createProgram(io, finish, await helpTexts(argv)).parseAsync([...argv], { from: "user" });
    return status;
  } catch (error) {
    if (isA(CommanderError, error) && error.exitCode === 0) return 0;
    if (isA(DoneElsewhere, error)) return error.status;
    return tell(isA(CommanderError, error) ? argumentFailure(error, argv) : error, argv, io);
  }
}

/** Loads the table of formats, but only if the help of a command is requested: nothing else shows it. */
async function helpTexts(argv: readonly string[]): Promise<HelpTexts> {
  const helps = argv.length > 1 && argv.some((text) => ["--help", "-h", "help"].includes(text));
  if (!helps) return { titlesOf: () => "", windowSyntax: () => "" };
  const [{ titlesOf }, { windowSyntax }] = await Promise.all([import("@dechirp/io/formats"), import("@dechirp/radar")]);
  return { titlesOf, windowSyntax };
}

/** Reports an error on stderr, and with --json on stdout. Returns the exit status. */
export function tell(error: unknown, argv: readonly string[], io: Io): number {
  const failure = failureOf(error, io.signal.reason);
  if (wantsJson(argv)) io.stdout.write(`${failureJson(failure)}\n`);
  io.stderr.write(errorLine(failure.message, failure.kind === "interrupted" && isScreen(io.stderr, io.env)));
  if (io.env["DECHIRP_DEBUG"] && isA(Error, error)) {
    io.stderr.write(`${error.stack}\n`);
    if (error.cause !== undefined) io.stderr.write(`caused by ${isA(Error, error.cause) ? error.cause.stack : messageOf(error.cause)}\n`);
  }
  return failure.exitCode;
}

/** Converts an error of commander: removes its prefix and keeps its suggestion in parentheses. */
function argumentFailure(error: CommanderError, argv: readonly string[]): CommandError {
  if (error.code === "commander.help") return missingCommand(argv);
  const option = /'(--?[^\s']+)/.exec(error.message)?.[1];
  // The counterpart of the message in options.ts for an option followed by another option.
  const lacks = error.code === "commander.optionMissingArgument" && option !== undefined;
  const message = lacks ? `${option} needs a value, but nothing follows it` : error.message.replace(/^error: /, "");
  return new CommandError("argument", message, { option: option ?? error.code }, error);
}

const missingCommand = ([group]: readonly string[]): CommandError =>
  new CommandError(
    "argument",
    group === "schedule"
      ? "a command is missing: schedule analyse, schedule simulate or schedule run; see dechirp schedule --help"
      : group === "job"
        ? "a command is missing: job plan, run, submit, work, task, assemble, status, missing, verify, cancel or init; see dechirp job --help"
        : "a command is missing: demo, devices, info, convert, watch, studio, simulate, focus, backproject, stap, quality, job, schedule or bench; see dechirp --help",
    {},
  );
