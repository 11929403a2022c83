/**
 * Runs every example of the documentation: programs in Node, `*.browser.ts` in Chromium, `*.sh` in a shell. `*.test.ts` are run by vitest
 * itself, and `*.long.sh` not at all (shell.ts checks their options). If there is a `file.out.txt`, the output must be equal to it. `install*.sh` are run by
 * scripts/check-packages.mjs, together with the programs in the same folder. `*.measured.sh` are run only if there are measured data.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { built } from "../../../scripts/built.mjs";
import { examples, filesUnder, root } from "./markdown.ts";
import { expectOutput } from "./outcome.ts";
import { openSite, type Site } from "./page.ts";
import { runShell } from "./shell.ts";

/** Time limit, to stop examples that hang. Some use a GPU, which may be SwiftShader on two busy cores. */
const seconds = 540;
const timeout = seconds * 1000;
const data = process.env["DECHIRP_DATA"] ?? join(root, "..", "shared", "data");

const all = filesUnder(examples).map((path) => ({ path, name: relative(examples, path) }));
const inBrowser = all.filter(({ name }) => name.endsWith(".browser.ts"));
const inNode = all.filter(({ name }) => /^[^.]*\.(ts|mjs)$/.test(name));
const inShell = all.filter(({ name }) => name.endsWith(".sh") && !/(^|\/)install[^/]*$/.test(name));
const isMeasured = ({ name }: { name: string }): boolean => name.endsWith(".measured.sh");

describe("in Node", () => {
  const before = process.cwd();
  /** The folder that examples write to. */
  let folder: string;
  // Examples that start another process run the built packages there.
  beforeAll(built);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "dechirp-docs-"));
    process.chdir(folder);
  });
  afterAll(async () => {
    process.chdir(before);
    await rm(folder, { recursive: true, force: true });
  });

  it.each(inNode)("$name", { timeout }, async ({ path }) => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    try {
      await import(/* @vite-ignore */ pathToFileURL(path).href);
      expectOutput(path, log.mock.calls.map((words) => format(...words)).join("\n"));
    } finally {
      log.mockRestore();
    }
  });
});

describe("in a shell", () => {
  it.each(inShell.filter((example) => !isMeasured(example)))("$name", { timeout: 1.1 * timeout }, async ({ path }) => {
    expectOutput(path, await runShell(path, seconds));
  });

  const measured = inShell.filter(isMeasured);
  it.skipIf(!existsSync(data)).for(measured)("$name", { timeout: 1.1 * timeout }, async ({ path }) => {
    process.env["DECHIRP_DATA"] = data;
    expectOutput(path, await runShell(path, seconds));
  });
});

describe.runIf(inBrowser.length > 0)("in a browser", () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  }, 2 * timeout);
  afterAll(() => site?.[Symbol.asyncDispose]());

  it.each(inBrowser)("$name", { timeout: 1.1 * timeout }, async ({ path }) => {
    const { done, said } = await site.run(path, seconds);
    expect(done).not.toBe("");
    expectOutput(path, said);
  });
});
