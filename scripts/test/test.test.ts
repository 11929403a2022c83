/**
 * Tests `npm test` in a small workspace whose `npx`, by which pnpm is called, only records its arguments: what is built, when, and how a
 * run ends.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../setup.mjs";
import { projectsOf } from "../test-projects.mjs";

let folder = "";

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text, { mode });
}

/** `sources` reads nothing but sources; `program` runs what is built. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dechirp-npm-test-"));
  for (const path of ["scripts", "vitest.config.ts", "vitest.shared.ts", "package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"])
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: (from) => !from.includes("scripts/test/") });
  for (const file of ["tsconfig.base.json", "turbo.json"]) write(file, "{}");
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(root, "node_modules", "vitest"), join(folder, "node_modules", "vitest"));
  write("node_modules/.modules.yaml", "");
  const locks = ["pnpm-lock.yaml", "pnpm-workspace.yaml"].map((file) => readFileSync(join(root, file), "utf8"));
  write("node_modules/.cache/dechirp/install", createHash("sha256").update(locks.join("\0")).digest("hex"));
  for (const name of ["sources", "program"]) {
    write(`packages/${name}/package.json`, `{ "name": "${name}", "type": "module" }`);
    write(`packages/${name}/tsconfig.build.json`, "{}");
    write(`packages/${name}/vitest.config.ts`, 'export { default } from "../../vitest.shared.ts";\n');
    write(`packages/${name}/src/index.ts`, "export const one = 1;\n");
  }
  write("apps/page/vitest.config.ts", 'export { default } from "../../vitest.shared.ts";\n');
  write(
    "packages/sources/test/a.test.ts",
    `import { expect, it } from "vitest";
import { one } from "../src/index.ts";
it("reads the source", () => expect(one).toBe(1));
it.skip("is skipped", () => {});
`,
  );
  write(
    "packages/program/test/b.test.ts",
    `import { existsSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { built } from "../../../scripts/built.mjs";
beforeAll(built);
it("runs what is built", () => expect(existsSync(new URL("../dist/.tsbuildinfo", import.meta.url))).toBe(true));
`,
  );
  // Builds all packages, or fails with a compiler's message where a source is wrong.
  write(
    "bin/npx",
    `#!/bin/sh
echo "$*" >> "${folder}/asked"
if grep -q WRONG packages/*/src/*.ts; then echo "src/index.ts: error TS2304: Cannot find name 'WRONG'."; exit 2; fi
for package in packages/*; do mkdir -p $package/dist; echo > $package/dist/.tsbuildinfo; done
`,
    0o755,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const asked = (): number => (existsSync(join(folder, "asked")) ? readFileSync(join(folder, "asked"), "utf8").trim().split("\n").length : 0);

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(args: readonly string[], more: NodeJS.ProcessEnv = {}): { child: ChildProcess; end: Promise<Ended> } {
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: `${join(folder, "bin")}:${process.env["PATH"]}`, ...more };
  // Of the vitest that runs this.
  for (const name of Object.keys(env)) if (/^(VITEST|VITE|TEST|NODE_ENV)/.test(name)) delete env[name];
  const child = spawn(process.execPath, [join(folder, "scripts", "test.mjs"), ...args], { cwd: folder, env });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name].setEncoding("utf8").on("data", (text) => (said[name] += text));
  const end = new Promise<Ended>((resolve, reject) => child.on("error", reject).on("close", (code) => resolve({ code, ...said })));
  return { child, end };
}

const npmTest = (...args: string[]): Promise<Ended> => start(args).end;

/**
 * Whether a process still runs. One that has ended stays in the system's table until its parent asks for its status. In a container
 * the parent of an orphan may be a program that never asks.
 */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = `/proc/${pid}/stat`;
    return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, "utf8"));
  } catch {
    return false;
  }
}

const lastLine = (text: string): string | undefined => text.trimEnd().split("\n").at(-1);

describe.skipIf(process.platform === "win32")("npm test", () => {
  it("builds nothing for tests of sources, whatever was edited", async () => {
    const narrowed = await npmTest("packages/sources");
    expect(lastLine(narrowed.stdout), narrowed.stderr).toBe("1 passed, 0 failed, 1 skipped");
    expect(narrowed.code).toBe(0);
    expect(asked()).toBe(0);
    write("packages/sources/src/index.ts", "export const one = 2;\n");
    const { code, stdout } = await npmTest("packages/sources/test/a.test.ts");
    expect(lastLine(stdout)).toBe("0 passed, 1 failed, 1 skipped");
    expect(code).toBe(1);
    expect(asked()).toBe(0);
  });

  it("builds once where a test runs what is built, and again after an edit", async () => {
    for (const [builds, edit] of [[1], [1], [2, "export const one = 1; // edited\n"], [2]] as const) {
      if (edit) write("packages/sources/src/index.ts", edit);
      const { code, stdout, stderr } = await npmTest();
      expect(lastLine(stdout), stderr).toBe("2 passed, 0 failed, 1 skipped");
      expect(code).toBe(0);
      expect(asked()).toBe(builds);
    }
  });

  it("fails for a path that no test file matches, though other paths do", async () => {
    const { code, stdout, stderr } = await npmTest("packages/sources", "./packages/sourcs/test", "-t", "source");
    expect(stderr).toContain(`no test file matches ${join(realpathSync(folder), "packages", "sourcs", "test")}`);
    expect(lastLine(stdout)).toBe("1 passed, 1 failed, 1 skipped");
    expect(code).toBe(1);
  });

  it("leaves out what --exclude names, in every package", async () => {
    const { code, stdout } = await npmTest("--exclude", "**/b.test.ts");
    expect(lastLine(stdout)).toBe("1 passed, 0 failed, 1 skipped");
    expect(code).toBe(0);
    expect(asked()).toBe(0);
  });

  it("runs files that measure time one after the other, when all others have ended, and counts all", async () => {
    const file = (name: string) => `import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { it } from "vitest";
const note = (what) => appendFileSync(${JSON.stringify(join(folder, "times"))}, \`\${what} ${name}\\n\`);
it("takes a while", async () => {
  note("begin");
  await setTimeout(500);
  note("end");
});
`;
    write("packages/sources/test/zero.test.ts", file("other"));
    write("packages/program/test/one.timed.test.ts", file("timed"));
    write("packages/program/test/more/two.timed.test.ts", file("timed"));
    const { code, stdout, stderr } = await npmTest();
    expect(lastLine(stdout), stderr).toBe("5 passed, 0 failed, 1 skipped");
    expect(code).toBe(0);
    const timed = ["begin timed", "end timed"];
    expect(readFileSync(join(folder, "times"), "utf8").trim().split("\n")).toEqual(["begin other", "end other", ...timed, ...timed]);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends the tests and leaves nothing when %s ends it", async (signal, status) => {
    const started = join(folder, "started");
    write(
      "packages/sources/test/long.test.ts",
      `import { writeFileSync } from "node:fs";
import { it } from "vitest";
it("never ends", async () => {
  writeFileSync(${JSON.stringify(started)}, String(process.pid));
  await new Promise(() => setInterval(() => {}, 1000));
}, 600_000);
`,
    );
    mkdirSync(join(folder, "tmp"));
    const { child, end } = start(["packages/sources/test/long"], { TMPDIR: join(folder, "tmp") });
    await expect.poll(() => existsSync(started), { timeout: 60_000, interval: 50 }).toBe(true);
    child.kill(signal);
    const { code, stderr } = await end;
    expect(stderr).toContain(`the tests were ended by ${signal}`);
    expect(code).toBe(status);
    expect(readdirSync(join(folder, "tmp")).filter((name) => name.startsWith("dechirp-test-"))).toEqual([]);
    // The process in which the test ran has ended, or ends at once.
    const worker = Number(readFileSync(started, "utf8"));
    await expect.poll(() => isAlive(worker), { timeout: 20_000, interval: 50 }).toBe(false);
  });

  it("fails where a package does not build, even one that no test runs, and says why", async () => {
    write("packages/sources/src/unused.ts", "export const two = WRONG;\n");
    const { code, stdout, stderr } = await npmTest();
    expect(stdout + stderr).toContain("error TS2304: Cannot find name 'WRONG'");
    expect(lastLine(stdout)).toMatch(/^1 passed, 1 failed, \d skipped$/);
    expect(code).toBe(1);
  });
});

it("is told by every test that names what is built", () => {
  const folders = ["packages", "apps"].flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(root, parent, name, "test")));
  const files = [...folders, join(root, "scripts", "test")]
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name)))
    .filter((path) => path.endsWith(".ts"));
  const naming = files.filter((path) => /["'`/]dist["'`/]/.test(readFileSync(path, "utf8")));
  expect(naming.length).toBeGreaterThan(5);
  expect(naming.filter((path) => !readFileSync(path, "utf8").includes("built.mjs"))).toEqual([]);
});

describe("projectsOf", () => {
  const projects = ["packages/core", "packages/fft-cpu", "packages/fft-gpu", "apps/docs", "scripts"];
  const of = (...filters: string[]): string => projectsOf(filters, projects, "/checkouts/packages/dechirp").join(" ");

  it("takes the projects that paths are in, or begin as", () => {
    expect(of("packages/core")).toBe("packages/core");
    expect(of("packages/core/")).toBe("packages/core");
    expect(of("./packages/core/test/ops.test.ts:12")).toBe("packages/core");
    expect(of("packages\\core\\test")).toBe("packages/core");
    expect(of("/checkouts/packages/dechirp/packages/core/test")).toBe("packages/core");
    expect(of("packages/fft-")).toBe("packages/fft-cpu packages/fft-gpu");
    expect(of("apps/docs", "packages/fft-gpu/test")).toBe("packages/fft-gpu apps/docs");
  });

  it("takes all where a filter may be part of any path", () => {
    const all = projects.join(" ");
    for (const filters of [[], ["ops"], ["test/ops.test.ts"], ["packages/core", "ops"], ["packages/none"], ["/elsewhere/packages/core"]])
      expect(of(...filters)).toBe(all);
  });
});
