/** `dechirp watch`: which files it handles, that it does so once for each content, and what is left when it ends at any moment. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type WatchArguments, watchCommand } from "../src/commands/watch.ts";
import { wordsFor, wordsOf } from "../src/watch/line.ts";
import { dechirp, temporaryFolder } from "./command.ts";
import { main, start } from "./executable.ts";

let [made, recording] = ["", Buffer.alloc(0)];
beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), "dechirp-watch-"));
  await dechirp(["simulate", "--preset", "spotlight", "--out", made]);
  recording = await readFile(join(made, "spotlight.cphd"));
});
afterAll(() => rm(made, { recursive: true, force: true }));

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const lines = (text: string) =>
  text
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
/** Looks once, in this process. Commands are run by the built executable. */
async function once(folder: string, options: WatchArguments = {}) {
  let [text, code] = ["", 0];
  const io = {
    stdout: { write: (some: string) => (text += some) },
    stderr: { write: () => {} },
    signal: new AbortController().signal,
    env: {},
  };
  // biome-ignore lint/suspicious/noThenProperty: this is the name of the option, and its value is a text.
  const given = { once: true, settle: "0.2", then: "info {path} --json", json: true, ...options };
  await watchCommand(folder, given, io, ["info"], (status) => (code = status), [process.execPath, main]);
  const all = lines(text);
  return { code, files: all.slice(0, -1), counts: all.at(-1) };
}

describe("dechirp watch --once", () => {
  it("handles each content once, over runs and under new names, and counts what fails", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "more"));
    await writeFile(join(folder, "a b'c.cphd"), recording);
    await writeFile(join(folder, "copy.cphd"), recording);
    await writeFile(join(folder, "broken.cphd"), "no recording");
    for (const name of [".hidden.cphd", "b.cphd.part", "~c.cphd", "empty.cphd"])
      await writeFile(join(folder, name), name.startsWith("e") ? "" : recording);
    await writeFile(join(folder, "more", "d.npy"), "no array");
    const first = await once(folder, { ending: ".CPHD,.cph", attempts: "2" });
    expect(first).toMatchObject({ code: 7, counts: { done: 1, failed: 1, repeated: 1, growing: 0 } });
    const outcomes = first.files.map(({ outcome, attempt, retry }) => [outcome, attempt, retry]);
    expect(outcomes).toContainEqual(["done", 1, undefined]);
    expect(outcomes).toContainEqual(["repeated", undefined, undefined]);
    expect(outcomes).toContainEqual(["failed", 1, true]);
    expect(outcomes).toContainEqual(["failed", 2, false]);
    expect(first.files.find(({ outcome }) => outcome === "done")).toMatchObject({ sha256: sha256(recording), status: 0 });
    expect(first.files.find(({ outcome }) => outcome === "failed").printed.error).toMatchObject({ exitCode: 3 });
    // What was given up in an earlier run is named again.
    const broken = { path: join(folder, "broken.cphd"), sha256: sha256(Buffer.from("no recording")) };
    expect(await once(folder, { ending: ".cphd", attempts: "2" })).toEqual({
      code: 7,
      files: [{ ...broken, outcome: "given-up", status: 3, attempt: 2 }],
      counts: { done: 0, failed: 0, repeated: 0, givenUp: 1, growing: 0 },
    });
    const told = await dechirp([
      "watch",
      folder,
      "--once",
      "--settle",
      "0.2",
      "--ending",
      ".cphd",
      "--attempts",
      "2",
      "--then",
      "info {path}",
    ]);
    expect(told).toMatchObject({
      code: 7,
      stderr: "warning: broken.cphd: given up after 2 attempts (the command ended with status 3); --again takes it up again\n",
      stdout: expect.stringMatching(/: 0 done, 0 failed, 0 with the content of another, 1 given up before\n$/),
    });
    await rename(join(folder, "a b'c.cphd"), join(folder, "renamed.cphd"));
    expect(await once(folder, { ending: ".cphd", attempts: "2" })).toMatchObject({ code: 7, counts: { done: 0, repeated: 1, givenUp: 1 } });
    // Without it, all is well. Its content under another name is not.
    await rename(join(folder, "broken.cphd"), join(folder, "broken.txt"));
    expect(await once(folder, { ending: ".cphd", attempts: "2" })).toMatchObject({ code: 0, files: [], counts: { givenUp: 0 } });
    await rename(join(folder, "broken.txt"), join(folder, "same.cphd"));
    expect(await once(folder, { ending: ".cphd", attempts: "2" })).toMatchObject({ code: 7, files: [{ outcome: "repeated" }] });
    // Files that were given up are tried again if that is asked for; those in folders count if that is asked for.
    await writeFile(join(folder, "more", "e.cphd"), recording);
    const again = await once(folder, { ending: ".cphd,.npy", attempts: "1", again: true, subfolders: true });
    expect(again).toMatchObject({ code: 7, counts: { done: 0, failed: 2, repeated: 1 } });
    expect(await readdir(join(folder, ".dechirp-watch"))).toEqual(["files"]);
    // Content that has changed is new.
    await appendFile(join(folder, "copy.cphd"), "more");
    expect(await once(folder, { ending: ".cphd", attempts: "1" })).toMatchObject({ code: 7, counts: { done: 1, givenUp: 1 } });
  });

  it("names what is wrong", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "file"), "");
    const cases: readonly (readonly [args: readonly string[], code: number, text: RegExp])[] = [
      [[folder], 2, /--then is missing/],
      [[folder, "--then", "paint {path}"], 2, /--then must be a command line of dechirp that begins with demo, /],
      [[folder, "--then", "watch {path}"], 2, /--then must be a command line of dechirp that begins with/],
      [[folder, "--then", "info {where}"], 2, /placeholders \{path\}, \{name\}, \{hash\}, not "\{where\}"/],
      [[folder, "--then", "info '{path}"], 2, /whose quotes are closed/],
      [[folder, "--then", "info", "--settle", "0"], 2, /--settle must be a number of seconds/],
      [[folder, "--then", "info", "--attempts", "0"], 2, /--attempts must be an integer from 1/],
      [[folder, "--then", "info", "--ending", ".a,,"], 2, /--ending must have no empty ending/],
      [[folder, "--then", "info", "--state", "s3://bucket"], 2, /--state must be a folder of this machine/],
      [[join(folder, "absent"), "--then", "info"], 3, /there is no such folder/],
      [[join(folder, "file"), "--then", "info"], 3, /it is a file, not a folder/],
    ];
    for (const [args, code, text] of cases) {
      const told = await dechirp(["watch", ...args, "--once"]);
      expect([told.code, told.stdout], args.join(" ")).toEqual([code, ""]);
      expect(told.stderr, args.join(" ")).toMatch(text);
    }
    await mkdir(join(folder, ".dechirp-watch", "files"), { recursive: true });
    await writeFile(join(folder, ".dechirp-watch", "files", "0.json"), "{}");
    expect(await dechirp(["watch", folder, "--once", "--then", "info"])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/0\.json: it is not a record of a watch/),
    });
  });

  it("splits the line once, so that names of files stay whole", () => {
    const words = wordsOf(`dechirp job plan {path} --out "my jobs/{name}-{hash}" ''`, ["job"]);
    expect(wordsFor(words, { path: `/a b/"c' {hash}.x.cphd`, sha256: "12" })).toEqual([
      "job",
      "plan",
      `/a b/"c' {hash}.x.cphd`,
      "--out",
      `my jobs/"c' {hash}.x-12`,
      "",
    ]);
  });
});

describe.skipIf(process.platform === "win32")("dechirp watch", () => {
  it("waits for a file that grows, keeps a second watch away, and ends by Ctrl-C", async () => {
    const settleSeconds = 3;
    const until = async (has: () => boolean | Promise<boolean>): Promise<void> => {
      await expect.poll(has).toBe(true);
    };
    /** Watches a new folder in which a file grows for longer than the settle time. `longest` seconds at most were between two appends. */
    const grown = async () => {
      const folder = await temporaryFolder();
      const { child, ended } = start(["watch", folder, "--settle", `${settleSeconds}`, "--then", "info {path}", "--json"]);
      let stdout = "";
      child.stdout?.on("data", (text: string) => (stdout += text));
      await until(async () => (await readdir(folder)).includes(".dechirp-watch"));
      await until(async () => (await readdir(join(folder, ".dechirp-watch"))).includes("lock.json"));
      const file = join(folder, "grows.cphd");
      const parts = 14;
      const bytes = Math.ceil(recording.length / parts);
      let longest = 0;
      let before = performance.now();
      for (let i = 0; i < parts; i++) {
        const begun = performance.now();
        await appendFile(file, recording.subarray(i * bytes, (i + 1) * bytes));
        if (i > 0) longest = Math.max(longest, (performance.now() - before) / 1000);
        before = begun;
        if (i < parts - 1) await new Promise((resolve) => setTimeout(resolve, 300));
      }
      return { folder, file, child, ended, longest, stdout: () => stdout };
    };
    let watched = await grown();
    // A busy machine may pause this process for longer than the settle time.
    while (watched.longest >= settleSeconds) {
      watched.child.kill("SIGKILL");
      await watched.ended;
      watched = await grown();
    }
    const { folder, file, child, ended, stdout } = watched;
    await until(() => stdout().includes("\n"));
    expect(lines(stdout())).toMatchObject([{ path: file, sha256: sha256(recording), outcome: "done", attempt: 1 }]);
    expect(await start(["watch", folder, "--once", "--then", "info {path}"]).ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/process \d+ on .* watches with this state/),
    });
    await copyFile(file, join(folder, "copy.cphd"));
    await until(() => lines(stdout()).length === 2);
    expect(lines(stdout())[1]).toMatchObject({ outcome: "repeated" });
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130, stderr: "dechirp: interrupted by SIGINT\n" });
    expect(await once(folder)).toMatchObject({ code: 0, files: [] });
  });

  it("handles a file again whose command was stopped, also after kill -9", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "a.cphd"), recording);
    const parent = await temporaryFolder();
    const out = join(parent, "out");
    const running = async (): Promise<number> => {
      const all = await promisify(execFile)("ps", ["-eo", "args"]);
      return all.stdout.split("\n").filter((line) => line.includes(out)).length;
    };
    const long = ["watch", folder, "--settle", "0.05", "--then", `backproject {path} --grid=-200,-200,0.02,0.02,20000,20000 --out ${out}`];
    for (const signal of ["SIGINT", "SIGKILL"] as const) {
      await rm(out, { recursive: true, force: true });
      const { child, ended } = start(long);
      // The command makes its folder when it begins.
      await expect.poll(() => readdir(parent)).toContain("out");
      child.kill(signal);
      expect((await ended).code).toBe(signal === "SIGINT" ? 130 : null);
      // The command has ended, too.
      await expect.poll(running).toBe(0);
    }
    expect(await once(folder)).toMatchObject({ code: 0, counts: { done: 1 } });
  });
});
