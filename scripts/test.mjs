// @ts-check
/**
 * `npm test [-- ARGS]`: installs what is missing, then runs every test of every package in one vitest run. ARGS go to vitest; a path
 * limits the run. The last line is always `N passed, N failed, N skipped`. Tests read the sources of the packages. Tests that run built
 * programs have them built first (`built.mjs`), and fail if a package does not build.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkNode, install, root, runMain, SetUpError, say } from "./setup.mjs";
import { line, summarize } from "./summary.mjs";

await runMain(() => {
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
    const run = spawnSync(
      process.execPath,
      [vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args],
      {
        cwd: root,
        stdio: ["ignore", "inherit", "inherit"],
      },
    );
    const namesTests = args.some((arg) => arg === "-t" || arg.startsWith("--testNamePattern"));
    const summary = summarize(existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : undefined, run.status ?? 1, {
      namesTests,
      dataAbsent: !existsSync(process.env["DECHIRP_DATA"] ?? join(root, "..", "shared", "data")),
    });
    for (const problem of summary.problems) say(problem);
    process.stdout.write(`${line(summary)}\n`);
    process.exitCode = summary.failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
