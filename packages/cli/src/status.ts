/**
 * Exit statuses, and what ends the process. This file imports nothing, so that signal handlers can be installed before
 * anything is loaded.
 */

/** Exit status by kind of outcome. Also listed in --help and the README. */
export const exitCodes = { ok: 0, internal: 1, argument: 2, file: 3, device: 4, write: 5, unschedulable: 6, incomplete: 7 } as const;

/** Exit status by signal: 128 plus the signal's number. */
export const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Variable of the environment of a process that is to end when its channel to its parent closes. */
export const endsWithParent = "DECHIRP_ENDS_WITH_PARENT";

/** A signal that ends the work. */
export type SignalName = keyof typeof signalCodes;

/** Messages about limits of the process or the system, by error code. */
const limits: Readonly<Record<string, string>> = {
  EMFILE: "this process may open no more files (see ulimit -n)",
  ENFILE: "the system can open no more files",
  ENOMEM: "the system has no memory left for this process",
  EAGAIN: "the system can't give this process more resources, such as threads (see ulimit -u)",
  ERR_WORKER_INIT_FAILED: "the system starts no more threads for this process (see ulimit -u and -n)",
  ERR_WORKER_OUT_OF_MEMORY: "a thread of this process has no memory left",
};

/** Error codes that Node also uses if it could not open a module's files. */
const moduleCodes = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_INVALID_PACKAGE_CONFIG", "ERR_PACKAGE_PATH_NOT_EXPORTED"];
/** A process that may open this many files has not failed for lack of them. */
const amplyFiles = 256;

/** Returns the message about the limit that caused an error, or undefined if no limit did. */
export function limitOf(error: unknown): string | undefined {
  let code: unknown;
  try {
    code = (error as { readonly code?: unknown } | null | undefined)?.code;
  } catch {
    // Anything may have been thrown.
  }
  if (typeof code !== "string") return undefined;
  if (moduleCodes.includes(code) && mostFiles() < amplyFiles) return limits["EMFILE"];
  return Object.hasOwn(limits, code) ? limits[code] : undefined;
}

/** How many files this process may open, as far as the system tells. */
function mostFiles(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const most = Number(userLimits?.open_files?.soft);
  return Number.isNaN(most) ? Number.POSITIVE_INFINITY : most;
}

/** Whether `--json` is among the options of a command line. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end < 0 ? undefined : end).includes("--json");
}

/** Whether a stream is a terminal that can clear a line. */
export const isScreen = (stream: { readonly isTTY?: boolean | undefined }, env: Readonly<Record<string, string | undefined>>): boolean =>
  stream.isTTY === true && env["TERM"] !== "dumb";

/** Formats the line about an error. `clearing`: first clears the line of the terminal, where an interruption has left `^C`. */
export const errorLine = (message: string, clearing: boolean): string => `${clearing ? "\r\x1b[K" : ""}dechirp: ${message}\n`;

/**
 * What is printed if a signal came before a command started. It repeats the formats of errors.ts and run.ts, which may not be loaded
 * yet.
 */
export function interruptedLines(
  name: SignalName,
  argv: readonly string[],
  screen: boolean,
): { readonly stdout?: string; readonly stderr: string } {
  const message = `interrupted by ${name}`;
  const error = { code: "interrupted", exitCode: signalCodes[name], message, fields: {} };
  return { ...(wantsJson(argv) && { stdout: `${JSON.stringify({ error })}\n` }), stderr: errorLine(message, screen) };
}
