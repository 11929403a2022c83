// @ts-check
/**
 * `npm test [-- ARGS]`: installs what is missing, then runs every test of every package in one vitest run. ARGS go to vitest; a path
 * limits the run. The last line is always `N passed, N failed, N skipped`. Tests read the sources of the packages. Tests that run built
 * programs have them built first (`built.mjs`), and fail if a package does not build.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { checkNode, install, root, runMain, SetUpError, say } from "./setup.mjs";
import { line, summarize } from "./summary.mjs";

/** Signals that end a run. Ctrl-C is SIGINT, which a terminal also sends to vitest. */
const endings = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * Runs a script of Node's to its end. A signal that ends this process is passed on; the process goes on until the script has ended, and then
 * ends what the script left: a busy vitest may end before the processes in which tests run. They are in one process group, which has no
 * terminal. (Windows has no such groups.)
 * @param {readonly string[]} args
 * @returns {Promise<{ status: number, signal: NodeJS.Signals | undefined }>} `signal` if one was passed on
 */
async function runNode(args) {
  const detached = process.platform !== "win32";
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], detached });
  /** @type {NodeJS.Signals | undefined} */
  let passed;
  const pass = (/** @type {NodeJS.Signals} */ signal) => {
    passed = signal;
    child.kill(signal);
  };
  for (const signal of endings) process.on(signal, pass);
  try {
    const status = await new Promise((resolve, reject) => child.on("error", reject).on("close", (code) => resolve(code ?? 1)));
    return { status, signal: passed };
  } finally {
    for (const signal of endings) process.off(signal, pass);
    if (passed && detached) endGroup(child.pid);
  }
}

/** Ends all processes of a group. @param {number | undefined} group its number; undefined if it never began */
function endGroup(group) {
  try {
    if (group !== undefined) process.kill(-group, "SIGKILL");
  } catch {
    // None is left.
  }
}

/**
 * The paths among the arguments. None if vitest does not understand the arguments; it then says so itself.
 * @param {readonly string[]} args
 */
async function pathsOf(args) {
  try {
    const { parseCLI } = await import("vitest/node");
    return parseCLI(["vitest", ...args]).filter.map((path) => (path.startsWith(".") ? resolve(root, path) : path));
  } catch {
    return [];
  }
}

await runMain(async () => {
  try {
    checkNode();
    install();
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    say(error.message);
    process.stdout.write(`${line({ passed: 0, failed: 1, skipped: 0, problems: [] })}\n`);
    process.exitCode = 1;
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "dechirp-test-"));
  try {
    const report = join(folder, "report.json");
    const args = process.argv.slice(2);
    const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
    const reporters = ["default", join(root, "scripts", "retried.mjs"), "json"].map((name) => `--reporter=${name}`);
    const run = await runNode([vitest, "run", ...reporters, `--outputFile.json=${report}`, ...args]);
    if (run.signal) {
      say(`the tests were ended by ${run.signal}`);
      process.exitCode = 128 + constants.signals[run.signal];
      return;
    }
    const namesTests = args.some((arg) => arg === "-t" || arg.startsWith("--testNamePattern"));
    const summary = summarize(existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : undefined, run.status, {
      namesTests,
      paths: await pathsOf(args),
      dataAbsent: !existsSync(process.env["DECHIRP_DATA"] ?? join(root, "..", "shared", "data")),
    });
    for (const problem of summary.problems) say(problem);
    process.stdout.write(`${line(summary)}\n`);
    process.exitCode = summary.failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
