/**
 * Tests the bundle for machines without a checkout: an interrupted run leaves no runtime that later ones take for a whole one, and reports
 * have the versions of what was packed. Programs that need a network are replaced.
 */
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const script = fileURLToPath(new URL("../gpu/bundle.mjs", import.meta.url));
const skipped = process.platform !== "linux" || process.arch !== "x64";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dechirp-bundle-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the script with this text as `tar`, which gets the archive as $ARCHIVE. */
async function bundle(name: string, tar: string): Promise<unknown> {
  const programs = join(folder, "programs");
  await mkdir(programs, { recursive: true });
  for (const [program, text] of Object.entries({ tar: `ARCHIVE=$4\n${tar}`, "apt-get": "" })) {
    await writeFile(join(programs, program), `#!/bin/sh\n${text}\n`);
    await chmod(join(programs, program), 0o755);
  }
  const env = { ...process.env, PATH: `${programs}:${process.env["PATH"]}` };
  return promisify(execFile)(process.execPath, [script, join(folder, name)], { env }).catch((error: unknown) => error);
}

describe.skipIf(skipped)(skipped ? "the runtime is packed on Linux x86-64 only" : "a bundle", () => {
  test("that was interrupted is packed again", async () => {
    const archive = join(folder, "one", "runtime.tar.xz");
    expect(await bundle("one", 'printf half >"$ARCHIVE"; exit 1')).toBeInstanceOf(Error);
    await expect(readFile(archive)).rejects.toMatchObject({ code: "ENOENT" });
    await bundle("one", 'printf whole >"$ARCHIVE"');
    expect(await readFile(archive, "utf8")).toBe("whole");
    await bundle("one", 'printf again >"$ARCHIVE"');
    expect(await readFile(archive, "utf8")).toBe("whole");
    await writeFile(archive, "");
    await bundle("one", 'printf again >"$ARCHIVE"');
    expect(await readFile(archive, "utf8")).toBe("again");
  }, 60_000);

  test("has the versions of this project and of webgpu", async () => {
    await bundle("two", 'printf whole >"$ARCHIVE"');
    const text = await readFile(join(folder, "two", "bench.mjs"), "utf8");
    expect(text).not.toContain("DECHIRP_VERSIONS");
    const [, webgpu] = /"webgpu":"(\d+\.\d+\.\d+)"/.exec(text.replace(/\\"/g, '"')) ?? [];
    const manifest = new URL("../node_modules/webgpu/package.json", import.meta.url);
    expect(webgpu).toBe(JSON.parse(await readFile(manifest, "utf8")).version);
    expect(text).toMatch(/dechirp\\?":\\?"\d+\.\d+\.\d+/);
  }, 60_000);

  test("says in one line which option is wrong", async () => {
    await bundle("three", 'printf whole >"$ARCHIVE"');
    for (const [wrong, message] of [
      [["--nonsense"], "bench: Unknown option '--nonsense'"],
      [["--only"], "bench: Option '--only <value>' argument missing"],
      [["--quick=3"], "bench: Option '--quick' does not take an argument"],
    ] as const) {
      const run = promisify(execFile)(process.execPath, [join(folder, "three", "bench.mjs"), ...wrong]);
      await expect(run).rejects.toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/^[^\n]*\n$/) });
      await expect(run).rejects.toMatchObject({ stderr: expect.stringContaining(message) });
    }
  }, 60_000);
});
