/**
 * Several processes that write to one folder and are killed at any moment: the result is that of one writer, complete, and nothing
 * hidden stays. The processes run the built @dechirp/io. DECHIRP_FAULTS=full kills thousands.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createRandom } from "@dechirp/core";
import { sceneData } from "@dechirp/io";
import { readConsistently, readScene, writeFolderAtomically, writeSceneFolder } from "@dechirp/io/node";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { built } from "../../../scripts/built.mjs";
import { simulatedScene, smallPreset, temporaryFolder } from "./command.ts";
import { full, tellWhenFull } from "./full.ts";

const nodeEntry = fileURLToPath(new URL("../../io/dist/node.js", import.meta.url));

beforeAll(built);

/** Files of different sizes, each of which states the writer and the round. */
const names = ["a.json", "b.npy", "c.png", "d.csv"] as const;
const sizeOf = (i: number): number => 1 + i * 3000;
const filesOf = (tag: string): Record<string, Uint8Array> =>
  Object.fromEntries(names.map((name, i) => [name, Buffer.from(`${tag}|`.repeat(sizeOf(i)))]));

/**
 * Runs the text of an ES module. In it `write(dir, tag)` writes all files, `fs` and `promises` can be changed, and `args` are
 * available.
 */
function startWriter(text: string, ...args: readonly string[]): ChildProcess {
  const source = `import fs from "node:fs"; import promises from "node:fs/promises"; import { syncBuiltinESMExports } from "node:module";
    const { writeFolderAtomically } = await import(${JSON.stringify(nodeEntry)});
    const write = (dir, tag) => writeFolderAtomically(dir, Object.fromEntries(
      ${JSON.stringify(names)}.map((name, i) => [name, Buffer.from((tag + "|").repeat(1 + i * 3000))])));
    const args = process.argv.slice(1);
    ${text}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

const line = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => child.stdout?.once("data", (data) => resolve(String(data))));

const ended = (child: ChildProcess): Promise<number | NodeJS.Signals | null> =>
  new Promise((resolve) => child.on("close", (code, signal) => resolve(signal ?? code)));

/** Whose result is in `dir`; `undefined` if there is none. Throws if it mixes results. */
async function tagIn(dir: string): Promise<string | undefined> {
  const there: readonly string[] = await readdir(dir).catch(() => []);
  if (!names.some((name) => there.includes(name))) return undefined;
  const texts = await Promise.all(names.map((name) => readFile(join(dir, name), "utf8").catch(() => "absent|")));
  const tag = texts[0].slice(0, texts[0].indexOf("|"));
  for (const [i, text] of texts.entries()) {
    const parts = new Set(text.split("|"));
    expect([...parts], `${names[i]} beside ${tag}`).toEqual([tag, ""]);
    expect(text.length, names[i]).toBe((tag.length + 1) * sizeOf(i));
  }
  return tag;
}

const hiddenIn = async (dir: string): Promise<readonly string[]> => (await readdir(dir)).filter((name) => name.startsWith("."));

describe.skipIf(process.platform === "win32")("several processes that write to one folder", () => {
  it("killed at any moment, the result is always that of one writer", { timeout: full ? 3_600_000 : 120_000 }, async () => {
    const rounds = full ? 3000 : 20;
    const folder = await temporaryFolder();
    const out = join(folder, "out");
    await mkdir(out);
    await writeFile(join(out, "mine.txt"), "mine");
    const random = createRandom(18);
    // Writes until it is killed.
    const text = `for (let i = 0; ; i++) { await write(args[0], args[1] + "." + i); if (i === 0) console.log("written"); }`;
    let started = 0;
    const startOne = async (): Promise<ChildProcess> => {
      const child = startWriter(text, out, `w${started++}`);
      await Promise.race([line(child), ended(child)]);
      return child;
    };
    const seen = new Set<string>();
    const look = async (): Promise<void> => {
      // Writers without a pause may be faster than a reader.
      const tag = await readConsistently(out, "a.json", () => tagIn(out)).catch((error) => {
        if (error.fields?.reason !== "EBUSY") throw error;
      });
      if (tag) seen.add(tag.split(".")[0]);
    };
    const kill = async (child: ChildProcess): Promise<void> => {
      expect(child.exitCode).toBe(null);
      const gone = ended(child);
      child.kill("SIGKILL");
      expect(await gone).toBe("SIGKILL");
    };
    const running = await Promise.all([startOne(), startOne(), startOne()]);
    for (let round = 0; round < rounds; round++) {
      const place = round % running.length;
      await setTimeout(20 * random.uniform());
      await Promise.all([kill(running[place]), look()]);
      running[place] = await startOne();
    }
    for (const child of running) await kill(child);
    await look();
    tellWhenFull(`${rounds} writers killed, results of ${seen.size} seen`);
    expect(seen.size).toBeGreaterThan(rounds / 8);
    await writeFolderAtomically(out, filesOf("last"));
    expect(await tagIn(out)).toBe("last");
    expect((await readdir(out)).sort()).toEqual([...names, "mine.txt"].sort());
    expect(await readFile(join(out, "mine.txt"), "utf8")).toBe("mine");
    expect(await readdir(folder)).toEqual(["out"]);
  });

  it("in a new or existing folder: if all writers begin together, one writer's result remains", {
    timeout: full ? 3_600_000 : 120_000,
  }, async () => {
    const folder = await temporaryFolder();
    const out = join(folder, "new", "out");
    const text = `process.stdin.on("data", async () => { await write(args[0], args[1]); console.log("written"); });`;
    const children = ["x", "y", "z"].map((tag) => startWriter(text, out, tag));
    for (let round = 0; round < (full ? 2000 : 60); round++) {
      const written = children.map(line);
      for (const child of children) child.stdin?.write("go");
      await Promise.all(written);
      expect(["x", "y", "z"]).toContain(await tagIn(out));
      expect(await hiddenIn(out)).toEqual([]);
      expect(await readdir(join(folder, "new"))).toEqual(["out"]);
      if (round % 2 === 0) await rm(join(folder, "new"), { recursive: true });
    }
  });

  // Before the k-th of the calls that make, name and remove files, for every k; with DECHIRP_FAULTS=full also after it.
  it.each(["new", "there"])(
    "a folder that is %s: killed at every step, the result is the old one or the new one",
    { timeout: 120_000 },
    async (kind) => {
      const text = `let count = 0;
      const [dir, tag, at, when] = args;
      const patch = (object, names) => { for (const name of names) { const call = object[name]; object[name] = (...given) => {
        const mine = String(given[0]).startsWith(dir.slice(0, -3)) && count++ === Number(at);
        if (mine && when === "before") process.kill(process.pid, "SIGKILL");
        const done = () => void (mine && process.kill(process.pid, "SIGKILL"));
        let result;
        try {
          result = call(...given);
        } finally {
          if (!(result instanceof Promise)) done();
        }
        return result instanceof Promise ? result.finally(done) : result;
      }; } };
      patch(promises, ["mkdir", "open"]);
      patch(fs, ["linkSync", "renameSync", "rmdirSync", "rmSync"]);
      syncBuiltinESMExports();
      await write(dir, tag);
      console.log(count);`;
      const folder = await temporaryFolder();
      const setUp = async (name: string): Promise<string> => {
        const out = join(folder, name, "out");
        await mkdir(join(folder, name));
        if (kind === "there") {
          await writeFolderAtomically(out, filesOf("old"));
          await writeFile(join(out, "mine.txt"), "mine");
        }
        return out;
      };
      const calls = Number(await line(startWriter(text, await setUp("count"), "new", "-1", "never")));
      expect(calls).toBeGreaterThan(kind === "new" ? 10 : 15);
      const outcomes = { old: 0, new: 0, none: 0 };
      await Promise.all(
        (full ? ["before", "behind"] : ["before"]).map(async (when) => {
          for (let k = 0; k < calls; k++) {
            const out = await setUp(`${when} ${k}`);
            expect(await ended(startWriter(text, out, "new", String(k), when)), `${when} ${k} of ${calls}`).toBe("SIGKILL");
            // Without any clean-up a new folder must be complete.
            if (kind === "new") await tagIn(out);
            const tag = (await readConsistently(out, "a.json", () => tagIn(out))) ?? "none";
            expect(tag).toBeOneOf(kind === "new" ? ["none", "new"] : ["old", "new"]);
            outcomes[tag as keyof typeof outcomes]++;
            await writeFolderAtomically(out, filesOf("next"));
            expect(await tagIn(out)).toBe("next");
            expect((await readdir(out)).sort()).toEqual([...names, ...(kind === "new" ? [] : ["mine.txt"])].sort());
            expect(await readdir(join(out, ".."))).toEqual(["out"]);
          }
        }),
      );
      expect(outcomes.new).toBeGreaterThan(0);
      expect(outcomes.old + outcomes.none).toBeGreaterThan(0);
    },
  );

  it("a scene that a killed process was about to move into an empty folder can be read", async () => {
    const folder = await temporaryFolder();
    const out = join(folder, "out");
    await mkdir(out);
    const scene = await simulatedScene("small", { ...smallPreset(false), targets: [], noise: { snrDb: 0 } }, { type: "ci8" });
    await writeSceneFolder(join(folder, "scene"), scene);
    const text = `const { renameSync } = fs; let count = 0;
      fs.renameSync = (...given) => { if (count++ === 1) process.kill(process.pid, "SIGKILL"); return renameSync(...given); };
      syncBuiltinESMExports();
      const files = ["scene.json", "raw.npy"].map((name) => [name, fs.readFileSync(args[0] + "/" + name)]);
      await writeFolderAtomically(args[1], Object.fromEntries(files));`;
    expect(await ended(startWriter(text, join(folder, "scene"), out))).toBe("SIGKILL");
    expect(await readdir(out)).toEqual([".dechirp-commit"]);
    await using read = await readScene(out);
    expect((await sceneData(read)).raw).toEqual(scene.raw);
    expect((await readdir(out)).sort()).toEqual(["raw.npy", "scene.json"]);
  });

  it("removes what killed processes have left, and nothing of those that live or can't be checked", async () => {
    const folder = await temporaryFolder();
    const out = join(folder, "out");
    await mkdir(out);
    // Stops in the middle of writing.
    const text = `await writeFolderAtomically(args[0], { a: (async function* () { yield Buffer.alloc(9); console.log("half"); await new Promise(() => setInterval(() => {}, 1000)); })() });`;
    const [dead, alive] = [startWriter(text, out), startWriter(text, out)];
    await Promise.all([line(dead), line(alive)]);
    const both = await hiddenIn(out);
    expect(both).toHaveLength(2);
    const [, living] = both.map((name) => name.includes(`-${alive.pid}-`)).sort();
    expect(living).toBe(true);
    const gone = ended(dead);
    dead.kill("SIGKILL");
    await gone;
    const name = both.find((one) => one.includes(`-${alive.pid}-`)) as string;
    const [pid, start, place, random] = name.slice(".dechirp-".length, -".tmp".length).split("-");
    const made = async (...parts: readonly string[]): Promise<string> => {
      const made = `.dechirp-${parts.join("-")}.tmp`;
      await mkdir(join(out, made, parts.join("-")), { recursive: true });
      return made;
    };
    // Leftovers whose number now belongs to another process; of another host, both recent and long ago; and a user's own folder.
    await made(pid, String(Number(start) + 1), place, "0".repeat(12));
    const elsewhere = await made(pid, start, "0".repeat(16), random);
    const long = await made(pid, start, "0".repeat(16), "1".repeat(12));
    const ago = new Date(Date.now() - 25 * 3_600_000);
    for (const path of [join(out, long, long.slice(9, -4)), join(out, long)]) await utimes(path, ago, ago);
    const own = [".dechirp-mine.tmp", ".dechirp", ".a.tmp"];
    for (const mine of own) await writeFile(join(out, mine), "");
    await writeFolderAtomically(out, filesOf("next"));
    expect(await tagIn(out)).toBe("next");
    expect([...(await hiddenIn(out))].sort()).toEqual([name, elsewhere, ...own].sort());
  });

  it("does not wait for ever for a stopped process, which then does no harm", { timeout: 60_000 }, async () => {
    const folder = await temporaryFolder();
    const out = join(folder, "out");
    await writeFolderAtomically(out, filesOf("old"));
    const text = `const { renameSync } = fs; let count = 0;
      fs.renameSync = (...given) => { if (count++ === 2) { console.log("stops"); process.kill(process.pid, "SIGSTOP"); } return renameSync(...given); };
      syncBuiltinESMExports();
      await write(args[0], "stopped");`;
    const child = startWriter(text, out);
    await line(child);
    const start = performance.now();
    await writeFolderAtomically(out, filesOf("second"));
    expect(performance.now() - start).toBeGreaterThan(4000);
    expect(await tagIn(out)).toBe("second");
    // Another process takes a file of the second writer away: that is no reason to undo anything.
    const files = await Promise.all(names.slice(0, -1).map((name) => readFile(join(out, name))));
    await rm(join(out, names[names.length - 1]));
    const gone = ended(child);
    child.kill("SIGCONT");
    // Its result was complete before the second one.
    expect(await gone).toBe(0);
    expect(await readdir(out)).toEqual(names.slice(0, -1));
    expect(await Promise.all(names.slice(0, -1).map((name) => readFile(join(out, name))))).toEqual(files);
  });

  it("a reader that starts together with a writer never reads a mixture", async () => {
    const out = join(await temporaryFolder(), "out");
    await writeFolderAtomically(out, filesOf("old"));
    // Right after the reader has found no writer, a writer moves its first file; the others follow after the reader has read them.
    const text = `const [dir, nodeEntry] = args;
      const { readConsistently } = await import(nodeEntry);
      const owner = process.pid + "-0-0123456789abcdef-0123456789ab";
      const commit = dir + "/.dechirp-commit";
      const names = ${JSON.stringify(names)};
      const { readdirSync } = fs; let looks = 0; let reads = 0;
      const place = (some) => { for (const name of some) fs.renameSync(commit + "/" + owner + "/" + name, dir + "/" + name); };
      fs.readdirSync = (...given) => {
        try {
          return readdirSync(...given);
        } finally {
          if (String(given[0]) === commit && looks++ === 0) {
            fs.mkdirSync(commit + "/" + owner, { recursive: true });
            for (const name of names) fs.writeFileSync(commit + "/" + owner + "/" + name, "new");
            place(names.slice(0, 1));
          }
        }
      };
      syncBuiltinESMExports();
      const found = await readConsistently(dir, names[0], async () => {
        const tags = names.map((name) => fs.readFileSync(dir + "/" + name, "utf8").split("|")[0]);
        if (reads++ === 0) {
          place(names.slice(1));
          fs.rmSync(commit, { recursive: true });
        }
        return tags;
      });
      console.log(found.join(" "), looks > 0);`;
    expect(await line(startWriter(text, out, nodeEntry))).toBe("new new new new true\n");
  });

  it("without second names, a late process undoes nothing that another one has moved", {
    timeout: 60_000,
  }, async () => {
    const out = join(await temporaryFolder(), "out");
    await writeFolderAtomically(out, filesOf("old"));
    // The system refuses second names, as on a FAT file system. Stops before it moves the second old file away.
    const late = startWriter(
      `const { renameSync, lstatSync } = fs; let count = 0;
      fs.linkSync = (from, to) => { lstatSync(from); lstatSync(to.slice(0, to.lastIndexOf("/"))); throw Object.assign(new Error(to), { code: "EPERM" }); };
      fs.renameSync = (...given) => { if (count++ === 3) { console.log("stops"); process.kill(process.pid, "SIGSTOP"); } return renameSync(...given); };
      syncBuiltinESMExports();
      await write(args[0], "new");`,
      out,
    );
    await line(late);
    const reader = startWriter(
      `const [dir, nodeEntry] = args;
      const { readConsistently } = await import(nodeEntry);
      const names = ${JSON.stringify(names)};
      const { renameSync } = fs;
      fs.renameSync = (...given) => { renameSync(...given); if (given[1] === dir + "/b.npy") { console.log("half"); process.kill(process.pid, "SIGSTOP"); } };
      syncBuiltinESMExports();
      console.log((await readConsistently(dir, names[0], async () =>
        names.map((name) => fs.readFileSync(dir + "/" + name, "utf8").split("|")[0]))).join(" "));`,
      out,
      nodeEntry,
    );
    expect(await line(reader)).toBe("half\n");
    const gone = ended(late);
    late.kill("SIGCONT");
    expect(await gone).toBe(0);
    const read = line(reader);
    reader.kill("SIGCONT");
    expect(await read).toBe("new new new new\n");
    expect(await tagIn(out)).toBe("new");
    expect(await hiddenIn(out)).toEqual([]);
  });

  it("says what is in the way", async () => {
    const out = await temporaryFolder();
    await mkdir(join(out, ".dechirp-commit"));
    await writeFolderAtomically(out, filesOf("one"));
    await mkdir(join(out, ".dechirp-commit"));
    await writeFile(join(out, ".dechirp-commit", "mine"), "");
    await expect(writeFolderAtomically(out, filesOf("two"))).rejects.toMatchObject({
      code: "input",
      message: `${out}: can't rename it into place: other files are in the way`,
    });
    expect(await tagIn(out)).toBe("one");
    expect(await hiddenIn(out)).toEqual([".dechirp-commit"]);
  });
});
