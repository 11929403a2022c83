// @ts-check
/**
 * Summarises a test run from vitest's JSON report, and adds rules that vitest does not have: a run in which no test was executed fails,
 * and so does a test file that skips all of its tests, unless their names say of each what it lacks.
 */

/**
 * @typedef {{ status: string, fullName?: string }} Assertion
 * @typedef {{ name: string, status: string, assertionResults: readonly Assertion[] }} FileResult
 * @typedef {{ testResults: readonly FileResult[] }} Report
 * @typedef {{ passed: number, failed: number, skipped: number, problems: readonly string[] }} Summary
 */

/**
 * Counts tests and problems. Every problem counts as a failure, so `failed` is 0 only if the run is good.
 * @param {Report | undefined} report vitest's JSON report, if it wrote one
 * @param {number} exitStatus vitest's
 * @param {{ namesTests?: boolean, dataAbsent?: boolean, paths?: readonly string[] }} [context] whether the run was limited to tests by
 * name, which skips all others; whether the measured data is absent, in which case files named `measured.test.ts` or
 * `*.measured.test.ts` may skip all tests; the paths, or parts of paths, that the run was limited to
 * @returns {Summary}
 */
export function summarize(report, exitStatus, { namesTests = false, dataAbsent = false, paths = [] } = {}) {
  /** @type {string[]} */
  const problems = [];
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  for (const file of report?.testResults ?? []) {
    const count = (/** @type {string} */ status) => file.assertionResults.filter((test) => test.status === status).length;
    const ran = count("passed") + count("failed");
    passed += count("passed");
    failed += count("failed");
    skipped += file.assertionResults.length - ran;
    const excused = namesTests || (dataAbsent && isMeasured(file.name)) || sayWhy(file.assertionResults);
    if (file.status === "failed" && count("failed") === 0) problems.push(`${file.name} failed outside its tests`);
    else if (ran === 0 && !excused) problems.push(`${file.name} skips all of its tests`);
  }
  for (const path of paths)
    if (report && !report.testResults.some(({ name }) => contains(name, path))) problems.push(`no test file matches ${path}`);
  if (report === undefined) problems.push("vitest wrote no report");
  else if (passed + failed === 0) problems.push("no test was executed");
  if (exitStatus !== 0 && failed + problems.length === 0)
    problems.push(`vitest ended with status ${exitStatus} although every test passed`);
  return { passed, failed: failed + problems.length, skipped, problems };
}

/** Whether the path of a file contains `part`, which may end with the number of a line. @param {string} name @param {string} part */
function contains(name, part) {
  const plain = (/** @type {string} */ path) => path.replaceAll("\\", "/").toLowerCase();
  return plain(name).includes(plain(part).replace(/:\d+$/, ""));
}

/**
 * Whether there are tests, and the name of each says what it lacks, as `skipIf` gives it: "redis-server is not installed".
 * @param {readonly Assertion[]} tests
 */
const sayWhy = (tests) => tests.length > 0 && tests.every(({ fullName = "" }) => / is not installed| runs as root only/.test(fullName));

/** @param {string} path */
const isMeasured = (path) => /[./\\]measured\.test\.ts$/.test(path);

/** @param {Summary} summary */
export const line = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;
