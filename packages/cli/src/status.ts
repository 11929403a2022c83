/** Exit statuses, and the signals that end the work. Imports nothing, so that a process can hear signals before it loads anything. */

/** Exit status by kind of outcome; also in --help and the README. */
export const exitCodes = { ok: 0, internal: 1, argument: 2, file: 3, device: 4, write: 5, unschedulable: 6 } as const;

/** Exit status where a signal ended the work: 128 and the signal's number. */
export const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type SignalName = keyof typeof signalCodes;

/** Limits of the process or the system, by the code of the error that tells of one. */
const limits: Readonly<Record<string, string>> = {
  EMFILE: "this process may open no more files (see ulimit -n)",
  ENFILE: "the system can open no more files",
  ENOMEM: "the system has no memory left for this process",
  EAGAIN: "the system has nothing left for this process, such as threads (see ulimit -u)",
  ERR_WORKER_INIT_FAILED: "the system starts no more threads for this process (see ulimit -u and -n)",
  ERR_WORKER_OUT_OF_MEMORY: "a thread of this process has no memory left",
};

/** Codes of errors that Node has where it could not open a module's files, too. */
const moduleCodes = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_INVALID_PACKAGE_CONFIG", "ERR_PACKAGE_PATH_NOT_EXPORTED"];
/** A process that may open as many files has opened none in vain. */
const amplyFiles = 256;

/** What limit an error tells of; undefined where it tells of none. */
export function limitOf(error: unknown): string | undefined {
  let code: unknown;
  try {
    code = (error as { readonly code?: unknown } | null | undefined)?.code;
  } catch {
    // It may be anything that was thrown.
  }
  if (typeof code !== "string") return undefined;
  if (moduleCodes.includes(code) && mostFiles() < amplyFiles) return limits["EMFILE"];
  return Object.hasOwn(limits, code) ? limits[code] : undefined;
}

/** How many files this process may open, as far as the system says. */
function mostFiles(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const most = Number(userLimits?.open_files?.soft);
  return Number.isNaN(most) ? Number.POSITIVE_INFINITY : most;
}

/** Whether `--json` is among a command line's options. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end < 0 ? undefined : end).includes("--json");
}

/** Whether a stream understands the sequences that clear a line. */
export const isScreen = (stream: { readonly isTTY?: boolean | undefined }, env: Readonly<Record<string, string | undefined>>): boolean =>
  stream.isTTY === true && env["TERM"] !== "dumb";

/** The line about an error. `clearing`: it takes the place of what stands on a line of a terminal, as the `^C` of an interruption does. */
export const errorLine = (message: string, clearing: boolean): string => `${clearing ? "\r\x1b[K" : ""}dechirp: ${message}\n`;

/** What is printed where a signal came before a command began; as errors.ts and run.ts have it, which may not be loaded then. */
export function interruptedLines(
  name: SignalName,
  argv: readonly string[],
  screen: boolean,
): { readonly stdout?: string; readonly stderr: string } {
  const message = `interrupted by ${name}`;
  const error = { code: "interrupted", exitCode: signalCodes[name], message, fields: {} };
  return { ...(wantsJson(argv) && { stdout: `${JSON.stringify({ error })}\n` }), stderr: errorLine(message, screen) };
}
