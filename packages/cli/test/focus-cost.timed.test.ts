/**
 * Guards what a command costs around its kernels: the processor time of a focus, with everything from start to picture, in units of the time of
 * `dechirp --version`. Processor time hardly depends on other load, and both grow alike on a slow machine.
 */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dechirp, temporaryFolder } from "./command.ts";
import { startShell } from "./executable.ts";

/** Seconds of user and system time of a command line and the processes that it waits for. */
async function processorSeconds(line: string): Promise<number> {
  const { code, stdout, stderr } = await startShell(`${line} > /dev/null || exit 1; times`).ended;
  expect(code, stderr).toBe(0);
  const [, children] = stdout.trim().split("\n");
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];

describe.skipIf(process.platform === "win32")("focus of the preset quality", { retry: 2, timeout: 120_000 }, () => {
  // An idle machine of two cores shows 15.
  it("takes at most 30 times the processor time of dechirp --version", async () => {
    const folder = await temporaryFolder();
    const scene = join(folder, "scene");
    await dechirp(["simulate", "--preset", "quality", "--out", scene]);
    const ratios: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const focus = await processorSeconds(`dechirp focus '${scene}' --out '${join(folder, `image ${turn}`)}' --device cpu`);
      ratios.push(focus / (await processorSeconds("dechirp --version")));
    }
    expect(median(ratios)).toBeLessThanOrEqual(30);
  });
});
