// @ts-check
/** A reporter of vitest: names the tests that failed and passed when they were run again (`retry` in vitest.config.ts), so that none is overlooked. */
export default class Retried {
  /** @type {string[]} */
  #names = [];

  /** @param {import("vitest/node").TestCase} test */
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd() {
    for (const name of this.#names) process.stdout.write(`dechirp: passed when it was run again: ${name}\n`);
  }
}
